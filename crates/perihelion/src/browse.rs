//! Looking at memories without searching: by id, page by page, in numbers.

use peri_store::{ListQuery, NamespaceStats, Page, StoreError, Trashed};
use peri_types::{Layer, Memory, MemoryId, Namespace, Scope, Timestamp};
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;

/// What the engine holds, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stats {
    /// Memories outside the trash.
    pub memories: u64,
    /// Memories in the trash.
    pub trashed: u64,
    /// Memories that wait for a vector.
    pub unembedded: u64,
    /// Each namespace by itself.
    pub namespaces: Vec<NamespaceStats>,
    /// Bytes on the disk: the database and its log.
    pub database_bytes: u64,
    /// Bytes on the disk: saved indexes, which can be deleted at any time.
    pub index_bytes: u64,
    /// The space new vectors are made in.
    pub space: Option<String>,
}

/// What the engine takes on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskUse {
    /// Bytes of the database and its log.
    pub database_bytes: u64,
    /// Bytes of saved indexes, which can be deleted at any time.
    pub index_bytes: u64,
}

impl Perihelion {
    /// One memory, the trash included.
    pub fn get(&self, scope: &Scope, id: MemoryId) -> Result<Memory, Error> {
        self.get_as_of(scope, id, self.core.now())
    }

    /// One memory, for those who look at a time: what has expired since was there.
    pub(crate) fn get_as_of(&self, scope: &Scope, id: MemoryId, now: Timestamp) -> Result<Memory, Error> {
        // What has expired is not seen, on any path, until it lies in the trash; from working memory it is gone.
        let seen = |memory: &Memory| {
            !memory.has_expired(now) || (memory.trashed_at.is_some() && memory.layer != Layer::Working)
        };
        let found = self.find_one(scope, id)?.filter(seen);
        found.ok_or(Error::Store(StoreError::NotFound { id }))
    }

    /// Refuses what has expired from working memory: it is not there to be changed, forgotten or brought back.
    pub(crate) fn check_held(&self, scope: &Scope, id: MemoryId) -> Result<(), Error> {
        let now = self.core.now();
        let gone = |memory: &Memory| memory.layer == Layer::Working && memory.has_expired(now);
        if self.find_one(scope, id)?.is_some_and(|memory| gone(&memory)) {
            return Err(Error::Store(StoreError::NotFound { id }));
        }
        Ok(())
    }

    /// A memory by its id, or by the one that it came with if its namespace gave it another.
    fn find_one(&self, scope: &Scope, id: MemoryId) -> Result<Option<Memory>, Error> {
        let store = &self.core.store;
        match (store.get(scope, &[id])?.pop(), scope) {
            (None, Scope::Exact(namespace)) => Ok(store.get(scope, &[id.within(namespace)])?.pop()),
            (found, _) => Ok(found),
        }
    }

    /// How often and when last a memory was handed out by recall, as far as it has been written back.
    pub fn usage(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<(u64, Timestamp)>, Error> {
        Ok(self.core.store.usage(namespace, id)?)
    }

    /// Memories page by page. What has expired is left out.
    pub fn list(&self, mut query: ListQuery) -> Result<Page, Error> {
        self.core.options.limits.check_results(query.limit)?;
        query.now.get_or_insert_with(|| self.core.now());
        Ok(self.core.store.list(&query)?)
    }

    /// The namespaces of a scope that hold anything.
    pub fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, Error> {
        let mut held = Vec::new();
        for namespace in self.core.store.namespaces(scope)? {
            if self.holds_anything(&namespace)? {
                held.push(namespace);
            }
        }
        Ok(held)
    }

    fn holds_anything(&self, namespace: &Namespace) -> Result<bool, Error> {
        for trashed in [Trashed::Without, Trashed::Only] {
            let scope = Scope::Exact(namespace.clone());
            let query = ListQuery { scope, trashed, limit: 1, ..ListQuery::default() };
            if !self.core.store.list(&query)?.memories.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is held, in numbers.
    pub fn stats(&self, scope: &Scope) -> Result<Stats, Error> {
        let mut namespaces = self.core.store.stats(scope)?;
        namespaces.retain(|stats| stats.memories + stats.trashed > 0);
        let total = |part: fn(&NamespaceStats) -> u64| namespaces.iter().map(part).sum();
        let DiskUse { database_bytes, index_bytes } = self.disk_use();
        Ok(Stats {
            memories: total(|stats| stats.memories),
            trashed: total(|stats| stats.trashed),
            unembedded: total(|stats| stats.unembedded),
            database_bytes,
            index_bytes,
            space: self.space().map(|space| space.to_string()),
            namespaces,
        })
    }

    /// What is taken on the disk.
    pub fn disk_use(&self) -> DiskUse {
        let log = self.database().with_extension("db-wal");
        DiskUse {
            database_bytes: file_bytes(&self.database()) + file_bytes(&log),
            index_bytes: self.core.senses.now().indexes.disk_bytes(),
        }
    }
}

fn file_bytes(path: &std::path::Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}
