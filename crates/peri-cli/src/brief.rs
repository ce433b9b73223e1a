//! Memories as other answers mention them: the shortest id that can be typed back, and their first words.

use std::collections::HashMap;

use perihelion::{ErrorKind, Memory, MemoryId, Perihelion, Scope};

use crate::error::CliError;
use crate::ids;
use crate::output::{FAINT, Output, fit};

/// So much of a content is shown to recognise a memory by.
pub(crate) const GLIMPSE_COLUMNS: usize = 60;

/// What is known of some memories.
#[derive(Debug, Default)]
pub(crate) struct Briefs {
    known: HashMap<MemoryId, Option<Memory>>,
    id_chars: usize,
}

impl Briefs {
    /// Looks memories up. Those that are gone are mentioned all the same.
    pub(crate) fn of(
        engine: &Perihelion,
        scope: &Scope,
        wanted: impl IntoIterator<Item = MemoryId>,
    ) -> Result<Self, CliError> {
        let mut briefs = Self::default();
        briefs.add(engine, scope, wanted)?;
        Ok(briefs)
    }

    /// Looks further memories up.
    pub(crate) fn add(
        &mut self,
        engine: &Perihelion,
        scope: &Scope,
        wanted: impl IntoIterator<Item = MemoryId>,
    ) -> Result<(), CliError> {
        for id in wanted {
            if self.known.contains_key(&id) {
                continue;
            }
            let memory = match engine.get(scope, id) {
                Ok(memory) => Some(memory),
                // Several namespaces of an older store may hold it; which one is meant is not known here.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Conflict) => None,
                Err(error) => return Err(error.into()),
            };
            self.id_chars = self.id_chars.max(ids::chars_needed(engine, id)?);
            self.known.insert(id, memory);
        }
        Ok(())
    }

    /// A memory, if it is there.
    pub(crate) fn memory(&self, id: MemoryId) -> Option<&Memory> {
        self.known.get(&id)?.as_ref()
    }

    /// The beginning of an id, as long as all of these need.
    pub(crate) fn id(&self, id: MemoryId) -> String {
        let mut text = id.to_string();
        text.truncate(self.id_chars.max(ids::CHARS_MIN));
        text
    }

    /// The first words of a memory.
    pub(crate) fn words(&self, id: MemoryId, out: &Output) -> String {
        match self.memory(id) {
            Some(memory) => {
                let mark = if memory.trashed_at.is_some() { "(in the trash) " } else { "" };
                out.clean(&fit(&format!("{mark}{}", memory.content), GLIMPSE_COLUMNS))
            }
            None => "(no longer there)".to_owned(),
        }
    }

    /// The id and the first words.
    pub(crate) fn mention(&self, id: MemoryId, out: &Output) -> String {
        format!("{}  {}", out.paint(FAINT, &self.id(id)), self.words(id, out))
    }
}
