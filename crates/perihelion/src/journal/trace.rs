//! Trace: from a memory to what it came from, and back.

use peri_store::ListQuery;
use peri_types::{EntryId, JournalEntry, Memory, MemoryId, Scope, Turn};
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;

/// Where a memory came from, and what else came from there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trace {
    /// The memory that was asked about, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// The journal event it came from, by its id, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<EntryId>,
    /// That journal event, if the journal still holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<JournalEntry>,
    /// The turn that it is part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// All memories that came from that journal event.
    pub memories: Vec<Memory>,
}

impl Perihelion {
    /// Traces a memory to the entry and the turn that it came from.
    pub fn trace(&self, scope: &Scope, id: MemoryId) -> Result<Trace, Error> {
        let memory = self.get(scope, id)?;
        // What it came from lies in its own namespace.
        let here = Scope::Exact(memory.namespace.clone());
        let traced = match memory.facets.entry {
            Some(entry) => self.trace_entry_or_gap(&here, entry)?,
            None => Trace { memory: None, entry_id: None, entry: None, turn: None, memories: Vec::new() },
        };
        Ok(Trace { memory: Some(memory), ..traced })
    }

    /// Traces an entry to its turn and to the memories that came from it.
    pub fn trace_entry(&self, scope: &Scope, id: EntryId) -> Result<Trace, Error> {
        let traced = self.trace_entry_or_gap(scope, id)?;
        if traced.entry.is_none() && traced.memories.is_empty() {
            return Err(Error::NoEntry { id });
        }
        Ok(traced)
    }

    fn trace_entry_or_gap(&self, scope: &Scope, id: EntryId) -> Result<Trace, Error> {
        let entry = self.core.find_entry(scope, id)?;
        let turn = match entry.as_ref().and_then(|entry| entry.turn) {
            Some(turn) => self.core.find_turn(scope, turn)?,
            None => None,
        };
        Ok(Trace { memory: None, entry_id: Some(id), entry, turn, memories: self.memories_from(scope, id)? })
    }

    /// The memories that came from an entry, the earliest first.
    pub fn memories_from(&self, scope: &Scope, id: EntryId) -> Result<Vec<Memory>, Error> {
        let limit = self.core.options.limits.results_max;
        let order = peri_store::Order::OldestFirst;
        let query = ListQuery { scope: scope.clone(), entry: Some(id), order, limit, ..ListQuery::default() };
        Ok(self.list(query)?.memories)
    }
}
