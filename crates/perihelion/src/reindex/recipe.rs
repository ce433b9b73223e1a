//! How an engine is started: what the settings name, and what the store remembers of the engine in use.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use peri_embed::{Engine, StaticEngine, TransformerEngine};
use peri_types::SpaceId;
use serde::{Deserialize, Serialize};

use super::PreparedEngine;
use super::patient::{Patient, Watch};
use crate::breaker::Breaker;
use crate::{EngineChoice, Error, Options};

/// How an engine is started, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "engine", rename_all = "snake_case")]
pub(crate) enum Recipe {
    /// The one in the binary.
    Bundled,
    /// A model from a folder; a relative path starts at the data folder, so that both can be moved together.
    Transformer {
        /// Where it is.
        folder: PathBuf,
    },
    /// One that a program's settings prepared; only a program whose settings do so can start it.
    Prepared {
        /// What it is called, for people.
        name: String,
    },
    /// None.
    Off,
    /// One that a program brought along; nobody else can start it.
    Brought {
        /// Its space.
        space: SpaceId,
    },
}

impl Recipe {
    /// The recipe of a choice.
    pub(crate) fn of(choice: &EngineChoice, data: &Path) -> Self {
        match choice {
            EngineChoice::Bundled => Self::Bundled,
            EngineChoice::Off => Self::Off,
            EngineChoice::Prepared(prepared) => Self::Prepared { name: prepared.name().to_owned() },
            EngineChoice::Transformer { folder } => {
                let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
                let data = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
                let folder = folder.strip_prefix(&data).map(Path::to_owned).unwrap_or(folder);
                Self::Transformer { folder }
            }
        }
    }

    /// The recipe that the store kept. One that a later version wrote is none that we know.
    pub(crate) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// As the store keeps it.
    pub(crate) fn written(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether others than the one who has the engine know what is meant.
    pub(crate) fn is_for_all(&self) -> bool {
        !matches!(self, Self::Brought { .. })
    }

    /// Starts the engine; none where there is none to start.
    pub(crate) fn start(&self, data: &Path) -> Result<Option<Arc<dyn Engine>>, Error> {
        Ok(match self {
            Self::Bundled => Some(Arc::new(StaticEngine::bundled().map_err(Error::Engine)?)),
            Self::Transformer { folder } => {
                Some(Arc::new(TransformerEngine::load(&data.join(folder)).map_err(Error::Engine)?))
            }
            // What a store says makes nobody ask a server: whoever prepared the engine starts it.
            Self::Off | Self::Prepared { .. } | Self::Brought { .. } => None,
        })
    }
}

impl std::fmt::Display for Recipe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bundled => f.write_str("the bundled engine"),
            Self::Transformer { folder } => write!(f, "the model in {}", folder.display()),
            Self::Prepared { name } => f.write_str(name),
            Self::Off => f.write_str("no engine"),
            Self::Brought { space } => write!(f, "the engine of {space}"),
        }
    }
}

/// The engine that the settings name, or that the program brought along.
pub(crate) struct Named {
    pub(crate) recipe: Recipe,
    prepared: Option<PreparedEngine>,
    /// What it takes to know whether it hangs.
    watch: Option<Watch>,
    /// Once it is started.
    engine: Mutex<Option<Arc<dyn Engine>>>,
}

impl Named {
    /// What the settings name.
    pub(crate) fn chosen(choice: &EngineChoice, data: &Path) -> Self {
        let prepared = match choice {
            EngineChoice::Prepared(prepared) => Some(prepared.clone()),
            EngineChoice::Bundled | EngineChoice::Transformer { .. } | EngineChoice::Off => None,
        };
        Self { recipe: Recipe::of(choice, data), prepared, watch: None, engine: Mutex::default() }
    }

    /// What the store keeps.
    pub(super) fn kept(recipe: Recipe) -> Self {
        Self { recipe, prepared: None, watch: None, engine: Mutex::default() }
    }

    /// What a program brought along.
    pub(crate) fn brought(engine: Option<Arc<dyn Engine>>) -> Self {
        let recipe = match &engine {
            Some(engine) => Recipe::Brought { space: engine.space().clone() },
            None => Recipe::Off,
        };
        Self { recipe, prepared: None, watch: None, engine: Mutex::new(engine) }
    }

    /// The same, with what processes of the data folder know of engines that hang.
    pub(crate) fn watched(mut self, breaker: &Arc<Breaker>, options: &Options) -> Self {
        self.watch = Some(Watch { breaker: Arc::clone(breaker), hung_after: options.deadlines.write / 2 });
        self
    }

    /// The engine, started if it was not before. Memories that have vectors have them in this space.
    pub(crate) fn engine(
        &self,
        data: &Path,
        known: Option<&SpaceId>,
    ) -> Result<Option<Arc<dyn Engine>>, Error> {
        let mut engine = self.engine.lock();
        if engine.is_none() {
            *engine = match &self.prepared {
                Some(prepared) => {
                    let started = prepared.start(known).map_err(Error::Engine)?;
                    Some(match &self.watch {
                        Some(watch) => Arc::new(Patient::new(started, prepared.name(), watch.clone())),
                        None => started,
                    })
                }
                None => self.recipe.start(data)?,
            };
        }
        Ok(engine.clone())
    }

    /// Whether it may be the engine of a space, whose recipe is known or not, as far as can be told before it is started.
    pub(super) fn may_be_of(&self, space: &SpaceId, kept: Option<&Recipe>) -> bool {
        match &self.prepared {
            // The same model may be asked at another address now.
            Some(prepared) => prepared.may_be_of(space),
            None => !self.recipe.is_for_all() || kept.is_none_or(|kept| *kept == self.recipe),
        }
    }

    /// The engine, if it was started.
    pub(crate) fn started(&self) -> Option<Arc<dyn Engine>> {
        self.engine.lock().clone()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_reads_as_it_was_written() {
        let data = Path::new("/data");
        let space = SpaceId { model: "모형 模型".to_owned(), dimensions: 7 };
        for recipe in [
            Recipe::Bundled,
            Recipe::Off,
            Recipe::of(&EngineChoice::Transformer { folder: "/somewhere/모델".into() }, data),
            Recipe::Prepared { name: "모델 at http://localhost".to_owned() },
            Recipe::Brought { space },
        ] {
            assert_eq!(Recipe::read(&recipe.written()), Some(recipe));
        }
    }

    #[test]
    fn a_model_in_the_data_folder_moves_with_it() {
        let choice = EngineChoice::Transformer { folder: "/data/models/small".into() };
        let folder = PathBuf::from("models/small");
        assert_eq!(Recipe::of(&choice, Path::new("/data")), Recipe::Transformer { folder });
        let folder = PathBuf::from("/data/models/small");
        assert_eq!(Recipe::of(&choice, Path::new("/elsewhere")), Recipe::Transformer { folder });
    }

    #[test]
    fn what_a_later_version_wrote_is_no_recipe_of_ours() {
        for text in ["", "{}", "null", r#"{"engine":"oracle"}"#, r#"{"engine":"transformer"}"#] {
            assert_eq!(Recipe::read(text), None, "{text}");
        }
    }
}
