//! Memories that say they come from a document that has no file.

use std::collections::{BTreeMap, HashSet};

use perihelion::{Memory, MemoryId};

use super::look::Current;
use super::{Changes, Pass};
use crate::VaultError;
use crate::key::Key;
use crate::metadata::{Entry, Kept};
use crate::scan::Scan;

impl Pass<'_> {
    /// Writes the document of memories that have no file, and tells how it is now.
    pub(super) fn restore(&mut self, key: &Key, entry: &Entry) -> Result<Option<Current>, VaultError> {
        if entry.memories.is_empty() {
            self.metadata.files.remove(key.path());
            self.dirty = true;
            return Ok(None);
        }
        let Some(seen) = self.write_restored(key, entry)? else { return Ok(None) };
        let current = self.look_at(key.path(), seen)?;
        Ok(Some(current))
    }

    /// Memories that say they come from a document that nobody knows: brought back from the trash, imported, or told
    /// so by somebody. They become documents known by their memories alone.
    pub(super) fn adopt_strangers(&mut self, scan: &Scan, changes: &Changes) -> Result<(), VaultError> {
        if changes.memories.is_empty() {
            return Ok(());
        }
        let known: HashSet<MemoryId> =
            self.metadata.files.values().flat_map(|entry| &entry.memories).map(|kept| kept.id).collect();
        let mut strangers: Vec<&Memory> =
            changes.memories.values().filter(|memory| !known.contains(&memory.id)).collect();
        strangers.sort_by_key(|memory| memory.id);
        let mut adopted: BTreeMap<String, Vec<Kept>> = BTreeMap::new();
        for memory in strangers {
            let Some((key, anchor)) = crate::document::place(memory) else { continue };
            adopted.entry(key.path().to_owned()).or_default().push(Self::kept(memory, &anchor));
        }
        for (path, memories) in adopted {
            let Ok(wanted) = Key::of_path(&path) else { continue };
            let is_taken = |path: &str| scan.holds(path) || self.metadata.files.contains_key(path);
            let is_free = self
                .metadata
                .files
                .get(&path)
                .is_none_or(|entry| entry.memories.is_empty() && entry.digest.is_empty());
            let key = if is_free && !scan.holds(&path) {
                wanted
            } else {
                self.free_name(&wanted, "restored", &is_taken)?
            };
            self.metadata.files.insert(key.path().to_owned(), Entry { memories, ..Entry::default() });
            self.dirty = true;
        }
        Ok(())
    }
}
