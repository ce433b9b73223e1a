//! Which spaces there are, and what somebody should know about them.

use peri_store::SpaceStats;
use peri_types::SpaceId;
use serde::Serialize;

use super::recipe::Recipe;
use crate::Error;
use crate::engine::{Core, Perihelion};

/// The spaces of a store.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spaces {
    /// The one that answers; none if memories are found by their words alone.
    pub current: Option<SpaceId>,
    /// Its engine, in words for a person; none if nobody has chosen one.
    pub engine: Option<String>,
    /// The engine that the settings name, in words for a person.
    pub named: String,
    /// Whether the settings were changed to name another engine than the one in use.
    pub asked_otherwise: bool,
    /// Why memories do not answer by their meaning, although they should.
    pub trouble: Option<String>,
    /// What the vectors of each space take.
    pub spaces: Vec<SpaceStats>,
}

impl Perihelion {
    /// The spaces that memories have vectors in. Looks at every vector.
    pub fn spaces(&self) -> Result<Spaces, Error> {
        let core = &self.core;
        let sense = core.sense();
        let current = sense.current.as_ref();
        let engine = current.map(|current| {
            let recipe = current.recipe.as_deref().and_then(Recipe::read);
            match (recipe, &current.space) {
                (Some(recipe), _) => recipe.to_string(),
                (None, Some(space)) => format!("an engine of {space}"),
                (None, None) => Recipe::Off.to_string(),
            }
        });
        Ok(Spaces {
            current: current.and_then(|current| current.space.clone()),
            engine,
            named: core.senses.named.recipe.to_string(),
            asked_otherwise: core.senses.asked_otherwise(),
            trouble: sense.trouble.clone(),
            spaces: core.store.spaces()?,
        })
    }
}

impl Core {
    /// What somebody should know who wonders why meaning is not what the settings say, and what to do about it.
    pub(crate) fn space_warning(&self, memories: u64) -> Option<String> {
        let sense = self.sense();
        if let Some(trouble) = &sense.trouble {
            return Some(trouble.clone());
        }
        if let Some(space) = sense.indexes.space().filter(|_| self.senses.asked_otherwise()) {
            return Some(self.otherwise(memories, space));
        }
        sense.engine.as_ref().and_then(|engine| engine.trouble())
    }

    fn otherwise(&self, memories: u64, space: &SpaceId) -> String {
        format!(
            "{memories} memories are in the space {space}, and the settings name {}: run `peri reindex` to move them, \
             until then they answer as before",
            self.senses.named.recipe
        )
    }
}
