//! Engines that a program prepares and this crate cannot start by itself, such as those that ask a server.

use std::fmt;
use std::sync::Arc;

use peri_embed::{EmbedError, Engine};
use peri_types::SpaceId;

type Start = dyn Fn(Option<&SpaceId>) -> Result<Arc<dyn Engine>, EmbedError> + Send + Sync;

/// An engine that a program prepared and that is started when it is first needed.
///
/// The store keeps its name, for people. What a store says never makes a program ask a server: only one whose own
/// settings prepared the engine starts it. Where memories are in the space of an engine that nobody prepared, they are
/// found by their words, and it is told.
#[derive(Clone)]
pub struct PreparedEngine {
    name: String,
    model: Option<String>,
    start: Arc<Start>,
}

impl PreparedEngine {
    /// An engine of this name, without secrets, that is started by calling `start` with the space that memories have
    /// vectors in, if there is one. An engine that does not know by itself how long its vectors are may take it from
    /// there, if the space's name is its own.
    pub fn new(
        name: impl Into<String>,
        start: impl Fn(Option<&SpaceId>) -> Result<Arc<dyn Engine>, EmbedError> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), model: None, start: Arc::new(start) }
    }

    /// The same, with the name of its space's model, so that it need not be started to know whether it is the one.
    #[must_use]
    pub fn of_model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// What it is called, for people.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it may be the engine of a space, as far as that is known before it is started.
    pub(super) fn may_be_of(&self, space: &SpaceId) -> bool {
        self.model.as_ref().is_none_or(|model| *model == space.model)
    }

    pub(super) fn start(&self, known: Option<&SpaceId>) -> Result<Arc<dyn Engine>, EmbedError> {
        (self.start)(known)
    }
}

impl fmt::Debug for PreparedEngine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PreparedEngine({})", self.name)
    }
}

/// Those of one name are the same.
impl PartialEq for PreparedEngine {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.model) == (&other.name, &other.model)
    }
}

impl Eq for PreparedEngine {}
