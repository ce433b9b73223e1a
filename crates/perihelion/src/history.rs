//! What became of a memory: its versions, what it replaced and what replaced it, merges, and splitting them.

use peri_store::{ListQuery, Merge, StoreError, Write, Written};
use peri_types::{Memory, MemoryId, Scope, Timestamp, Version};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};

/// Chains are followed so far.
const CHAIN_MAX: usize = 100;

/// Everything that is known of how a memory came to be what it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    /// As it is now.
    pub memory: Memory,
    /// What it said before its revisions, the earliest first.
    pub versions: Vec<Version>,
    /// What took its place, and what took the place of that, and so on.
    pub replaced_by: Vec<Memory>,
    /// What it took the place of, the latest first, and what those took the place of. Merged ones are not here.
    pub replaces: Vec<Memory>,
    /// What was merged into it, or what it was merged into.
    pub merges: Vec<Merge>,
}

impl Perihelion {
    /// How a memory came to be what it is.
    pub fn history(&self, scope: &Scope, id: MemoryId) -> Result<History, Error> {
        let core = &self.core;
        let memory = self.get(scope, id)?;
        let id = memory.id;
        let scope = Scope::Exact(memory.namespace.clone());
        let versions = core.store.versions(&memory.namespace, id)?;
        let merges = core.store.merges(&memory.namespace, id)?;
        let mut replaced_by: Vec<Memory> = Vec::new();
        let mut next = memory.facets.superseded_by;
        while let Some(id) = next.filter(|_| replaced_by.len() < CHAIN_MAX) {
            let Some(newer) = core.store.get(&scope, &[id])?.pop() else { break };
            next = newer.facets.superseded_by;
            replaced_by.push(newer);
        }
        let replaces = core.replaced_by(&scope, &memory)?;
        Ok(History { memory, versions, replaced_by, replaces, merges })
    }

    /// Splits a memory off that was merged into another one: both stand for themselves again, as before.
    pub fn split(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        let core = &self.core;
        match core.change(vec![Write::Split { scope: scope.clone(), id, at: core.now() }])?.pop() {
            Some(Written::Split(memory)) => Ok(*memory),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}

impl Core {
    fn replaced_by(&self, scope: &Scope, memory: &Memory) -> Result<Vec<Memory>, Error> {
        let mut found: Vec<Memory> = Vec::new();
        let mut waiting = vec![memory.id];
        while let Some(id) = waiting.pop().filter(|_| found.len() < CHAIN_MAX) {
            let merged = self.store.merges(&memory.namespace, id)?;
            let query = ListQuery {
                scope: scope.clone(),
                superseded_by: Some(id),
                limit: CHAIN_MAX,
                ..ListQuery::default()
            };
            for older in self.store.list(&query)?.memories {
                let is_merged = merged.iter().any(|merge| merge.absorbed == older.id);
                if !is_merged && found.iter().all(|one| one.id != older.id) {
                    waiting.push(older.id);
                    found.push(older);
                }
            }
        }
        found.sort_by(|a, b| b.valid_from().cmp(&a.valid_from()).then(b.id.cmp(&a.id)));
        Ok(found)
    }

    /// A memory as it was at a time, if it held then.
    pub(crate) fn as_of(&self, mut memory: Memory, then: Timestamp) -> Result<Option<Memory>, Error> {
        if !memory.held_at(then, self.now()) {
            return Ok(None);
        }
        if memory.version > 1 && memory.updated_at > then {
            let versions = self.store.versions(&memory.namespace, memory.id)?;
            // The first one holds from the time that the memory speaks of, which may be before it was stored.
            let held = versions.into_iter().find(|version| then < version.until);
            if let Some(version) = held {
                memory.content = version.content;
                memory.version = version.version;
            }
        }
        Ok(Some(memory))
    }
}
