//! A folder of documents that is gone as a whole: a disk that is not mounted, a folder that was moved, a mistake. It is
//! asked about before its memories are touched; files that are deleted one by one are not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::Pass;
use crate::VaultError;
use crate::key::KNOWLEDGE;
use crate::metadata::Entry;

/// A folder with fewer documents than this is emptied by deleting them one by one.
const WHOLE_MIN: usize = 2;

/// What a sync does about a folder of documents that is gone as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Missing {
    /// Nothing is changed; the answer is [`VaultError::Vanished`].
    #[default]
    Refused,
    /// It was deleted on purpose: its memories go to the trash.
    Deleted,
    /// Its files are written anew from its memories, which stay as they are, with their ids and their history.
    WrittenAnew,
}

/// A folder of which every document is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Vanished {
    /// Which folder, from the vault's on.
    pub folder: String,
    /// How many documents it held.
    pub documents: usize,
}

/// The folders that held documents and hold none any more, with the paths there are now; of several, the outermost.
pub(crate) fn vanished(
    root: &Path,
    now: &BTreeSet<String>,
    known: &BTreeMap<String, Entry>,
) -> Vec<Vanished> {
    let synced = |entry: &Entry| !entry.digest.is_empty() && !entry.memories.is_empty();
    let paths: Vec<&str> =
        known.iter().filter(|(_, entry)| synced(entry)).map(|(path, _)| path.as_str()).collect();
    let gone = |folder: &str| {
        let documents = paths.iter().filter(|path| is_in(path, folder)).count();
        let is_whole = documents >= WHOLE_MIN || (documents > 0 && !root.join(KNOWLEDGE).exists());
        let is_empty = !now.iter().any(|path| is_in(path, folder));
        (is_whole && is_empty).then(|| Vanished { folder: folder.to_owned(), documents })
    };
    match gone(KNOWLEDGE) {
        Some(all) => vec![all],
        None => paths
            .iter()
            .filter_map(|path| folder_of(path))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .filter_map(gone)
            .collect(),
    }
}

/// The folder right below that of all knowledge in which a document lies.
fn folder_of(path: &str) -> Option<&str> {
    let within = path.strip_prefix(KNOWLEDGE)?.strip_prefix('/')?;
    let end = within.find('/')?;
    path.get(..KNOWLEDGE.len() + 1 + end)
}

fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl Pass<'_> {
    /// Deals with folders that are gone as a whole, before anything is changed for their sake. What was renamed out of
    /// one tells that it is not gone.
    pub(super) fn check_vanished(
        &mut self,
        now: &BTreeSet<String>,
        renamed_from: &BTreeSet<String>,
    ) -> Result<(), VaultError> {
        let mut gone = vanished(self.root, now, &self.metadata.files);
        gone.retain(|one| !renamed_from.iter().any(|path| is_in(path, &one.folder)));
        if gone.is_empty() || self.missing == Missing::Deleted {
            return Ok(());
        }
        if self.missing == Missing::Refused {
            return Err(VaultError::Vanished { gone });
        }
        for (path, entry) in &mut self.metadata.files {
            if gone.iter().any(|one| is_in(path, &one.folder)) {
                // From now on it is known by its memories alone, and those have no file.
                entry.digest.clear();
                entry.pending = false;
                self.dirty = true;
            }
        }
        Ok(())
    }
}
