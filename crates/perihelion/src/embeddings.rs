//! Vectors for others: what the engine at work makes of texts, of which nothing is kept.

use peri_types::SpaceId;

use crate::Error;
use crate::engine::Perihelion;
use crate::remember::is_sound;

/// What the engine at work makes of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// The space of the vectors.
    pub space: SpaceId,
    /// One answer a text, in order; none for a text that the engine does not understand.
    pub vectors: Vec<Option<Vec<f32>>>,
    /// How many tokens the texts have, about: models count differently.
    pub tokens: usize,
}

impl Perihelion {
    /// What the engine at work makes of texts, each within the limits of a memory's content.
    pub fn embeddings(&self, texts: &[String]) -> Result<Embeddings, Error> {
        let limits = &self.core.options.limits;
        texts.iter().try_for_each(|text| limits.check_content(text))?;
        let sense = self.core.sense();
        let Some(engine) = &sense.engine else {
            let why = sense.trouble.clone().unwrap_or_else(|| "embedding.engine is \"off\"".to_owned());
            return Err(Error::NoEngine { why });
        };
        let space = engine.space().clone();
        let asked: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = engine.embed(&asked).map_err(Error::Embedding)?;
        let sound = vectors.len() == texts.len() && vectors.iter().flatten().all(|one| is_sound(one, &space));
        if !sound {
            return Err(Error::NoEngine {
                why: format!("the one of {space} gave something that is no vector"),
            });
        }
        let tokens = texts.iter().map(|text| peri_tokens::count(text)).sum();
        Ok(Embeddings { space, vectors, tokens })
    }
}
