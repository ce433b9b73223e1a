//! Finding out anew what is known of a vault: by what its memories say of where they come from.

use perihelion::{ListQuery, Order, Scope};

use super::Pass;
use crate::VaultError;
use crate::document::place;
use crate::metadata::{Entry, Metadata};

/// Memories are read so many at a time, if they may be.
const PAGE: usize = 1000;

impl Pass<'_> {
    /// Starts from the memories alone. Files that are there are compared with them, and those that are not are written:
    /// nobody can tell any more whether they were deleted.
    pub(super) fn rebuild(&mut self, store: String) -> Result<(), VaultError> {
        let change = self.engine.head(self.namespace)?.0;
        self.metadata =
            Metadata { store, namespace: self.namespace.to_string(), change, ..Metadata::default() };
        let limit = PAGE.min(self.engine.options().limits.results_max);
        let (scope, order) = (Scope::Exact(self.namespace.clone()), Order::OldestFirst);
        let mut query = ListQuery { scope, order, limit, ..ListQuery::default() };
        loop {
            let page = self.engine.list(query.clone())?;
            for memory in &page.memories {
                let Some((key, anchor)) = place(memory) else { continue };
                let entry = self.metadata.files.entry(key.path().to_owned()).or_default();
                entry.memories.push(Self::kept(memory, &anchor));
            }
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        self.dirty = true;
        Ok(())
    }

    /// Takes the memories out of the namespace they were in; the documents are remembered in the new one.
    pub(super) fn move_namespace(&mut self, former: Metadata) -> Result<(), VaultError> {
        let place = former.namespace.parse().map_or(Scope::All, Scope::Exact);
        for kept in former.files.values().flat_map(|entry| &entry.memories) {
            self.steps.step()?;
            match self.engine.forget(&place, kept.id) {
                Err(error) if error.kind() != perihelion::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        self.told.rebuilt = Some(format!("the documents are remembered in {} now", self.namespace));
        self.rebuild(former.store)?;
        let versions = former.files.into_iter().map(|(path, entry)| (path, entry.version));
        for (path, version) in versions {
            let entry = self.metadata.files.entry(path).or_default();
            *entry = Entry { version, ..std::mem::take(entry) };
        }
        Ok(())
    }
}
