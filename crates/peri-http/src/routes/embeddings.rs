//! Embeddings in the shape of OpenAI's, from the engine at work, so that several machines can share one model.
//!
//! Nothing is kept, and nothing of what is stored is read. That shape has no place for a text that the engine does not
//! understand, and a made-up vector would mislead whoever ranks by it, so such texts are refused by their indexes.

use std::borrow::Cow;

use axum::Json;
use axum::http::Method;
use perihelion::Embeddings;
use perihelion::Role::Reader;
use perihelion::embed::base64;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::extract::{Body, Visit, optional_whole};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// So many texts are embedded at a time.
const TEXTS_MAX: usize = 256;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::POST, "/v1/embeddings", "embeddings", embeddings)
            .says("Turn texts into vectors with the engine at work, in the shape of OpenAI's embeddings")
            .takes::<Wanted>()
            .gives::<Answer>(),
    ]
}

/// Texts that are to be embedded.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EmbeddingQuestion")]
pub(super) struct Wanted {
    input: Input,
    /// The model that is wanted; any other than the one at work is refused.
    model: Option<String>,
    #[serde(default)]
    encoding_format: Format,
    /// How many numbers a vector is to have; any other number than the model's is refused.
    #[serde(default, deserialize_with = "optional_whole")]
    #[schemars(range(min = 1, max = crate::extract::WHOLE_MAX))]
    dimensions: Option<u32>,
    /// Taken since clients send it, and not used.
    #[expect(dead_code, reason = "it is read so that it is not refused")]
    user: Option<String>,
}

/// One text or several.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a text, or a list of texts; lists of tokens are not taken")]
enum Input {
    One(String),
    Several(Vec<String>),
}

impl JsonSchema for Input {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Input".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<crate::routes::Text>();
        let texts = json_schema!({"type": "array", "items": text, "minItems": 1, "maxItems": TEXTS_MAX});
        json_schema!({"anyOf": [text, texts]})
    }
}

/// How vectors are written.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EmbeddingFormat")]
enum Format {
    /// As lists of numbers.
    #[default]
    Float,
    /// As the base64 of their numbers in single precision, the lowest byte first.
    Base64,
}

/// The vectors of texts.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "EmbeddingAnswer")]
pub(super) struct Answer {
    /// Always `list`.
    object: &'static str,
    data: Vec<Embedding>,
    /// The model that made them, as its space is called.
    model: String,
    usage: Usage,
}

/// The vector of one text.
#[derive(Debug, Serialize, JsonSchema)]
struct Embedding {
    /// Always `embedding`.
    object: &'static str,
    /// Which of the texts, counted from 0.
    index: usize,
    /// Of length one.
    embedding: Written,
}

/// A vector as it is written.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "EmbeddingVector")]
enum Written {
    Float(Vec<f32>),
    Base64(String),
}

/// How many tokens the texts have, about: models count differently.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "EmbeddingUsage")]
struct Usage {
    prompt_tokens: usize,
    total_tokens: usize,
}

async fn embeddings(visit: Visit, Body(wanted): Body<Wanted>) -> Result<Json<Answer>, Problem> {
    let texts = match wanted.input {
        Input::One(text) => vec![text],
        Input::Several(texts) => texts,
    };
    if !(1..=TEXTS_MAX).contains(&texts.len()) {
        let detail = format!("`input`: {} texts are not between 1 and {TEXTS_MAX}", texts.len());
        return Err(Problem::invalid(detail));
    }
    let (model, dimensions) = (wanted.model, wanted.dimensions);
    let made = visit.work(move |engine| {
        // Before anything is computed: whoever asks for another model must not wait for this one.
        if let Some(space) = engine.space() {
            if let Some(model) = model.filter(|model| *model != space.model) {
                let detail = format!("`model`: {model:?} is not at work here, but {:?}", space.model);
                return Err(Problem::invalid(detail));
            }
            if let Some(dimensions) = dimensions.filter(|dimensions| *dimensions != space.dimensions) {
                let detail = format!(
                    "`dimensions`: {} has vectors of {}, not {dimensions}",
                    space.model, space.dimensions
                );
                return Err(Problem::invalid(detail));
            }
        }
        Ok(engine.embeddings(&texts)?)
    });
    answer(made.await?, wanted.encoding_format).map(Json)
}

fn answer(made: Embeddings, format: Format) -> Result<Answer, Problem> {
    let Embeddings { space, vectors, tokens } = made;
    let unknown = vectors.iter().enumerate().filter(|(_, vector)| vector.is_none());
    let unknown: Vec<usize> = unknown.map(|(index, _)| index).collect();
    if !unknown.is_empty() {
        return Err(Problem::not_understood(unknown, &space.model));
    }
    let written = |vector: Vec<f32>| match format {
        Format::Float => Written::Float(vector),
        Format::Base64 => Written::Base64(base64::encode(&vector)),
    };
    let data = vectors.into_iter().flatten().enumerate();
    Ok(Answer {
        object: "list",
        data: data
            .map(|(index, vector)| Embedding { object: "embedding", index, embedding: written(vector) })
            .collect(),
        model: space.model,
        usage: Usage { prompt_tokens: tokens, total_tokens: tokens },
    })
}
