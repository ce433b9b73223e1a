//! Which file holds what.

use std::path::Path;

use super::{disk, names};
use crate::ShelfError;
use crate::shelf::{Collection, Key};

/// What the folder of a namespace with a long name is called in full.
pub(super) const NAMESPACE: &str = "namespace.txt";

/// Where something is kept, relative to the folder of its namespace.
pub(super) struct Place {
    /// Folders and file, with `/` between them.
    pub(super) relative: String,
    /// The file with the name in full, and the name, where the file's own name does not tell it.
    pub(super) full_name: Option<(String, String)>,
}

/// The folder of a collection, and how the names of its files end.
fn place(collection: Collection) -> (&'static str, &'static str) {
    match collection {
        Collection::Observations => ("observations", ".md"),
        Collection::Meta => ("observations", ".meta.json"),
        Collection::Inject => ("observations", ".inject"),
        Collection::Delivered => ("observations", ".delivered"),
        Collection::Given => ("observations", ".given.json"),
        Collection::NewItems => ("observations", ".new.json"),
        Collection::Dropped => ("observations", ".dropped.jsonl"),
        Collection::Pending => ("pending", ".jsonl"),
        Collection::Aside => ("pending/aside", ".jsonl"),
        Collection::Heard => ("pending/heard", ".jsonl"),
        Collection::HandedOut => ("pending/handed_out", ".jsonl"),
        Collection::Replaced => ("observations", ".replaced.jsonl"),
        Collection::Told => ("observations", ".told.json"),
        Collection::Trouble => ("observations", ".trouble.json"),
        Collection::Conversations => ("conversations", ".jsonl"),
        Collection::Candidates => ("candidates", ".jsonl"),
        Collection::Persistent => ("persistent", ".md"),
        Collection::PersistentMeta => ("persistent", ".meta.json"),
        Collection::PersistentTrouble => ("persistent", ".trouble.json"),
        Collection::PersistentTold => ("persistent", ".told.json"),
        Collection::Moving => ("moving", ".json"),
        Collection::PersistentMoving => ("persistent", ".moving.json"),
        Collection::Archive => ("persistent/archive", ".md"),
    }
}

/// The file of a document or a log.
pub(super) fn file(key: &Key) -> Place {
    let (folder, ending) = place(key.collection());
    let name = names::file_name(key.name());
    let full_name = name.is_short().then(|| (full_name(&name.text), key.name().to_owned()));
    Place { relative: format!("{folder}/{}{ending}", name.text), full_name }
}

fn full_name(short: &str) -> String {
    format!("names/{short}.txt")
}

/// What a collection holds, sorted. Files that are none of ours are passed over.
pub(super) fn list(folder: &Path, collection: Collection) -> Result<Vec<Key>, ShelfError> {
    let (own, ending) = place(collection);
    let mut keys = Vec::new();
    for path in disk::entries(&folder.join(own))? {
        let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(ending));
        let Some(name) = name else { continue };
        let text = if names::is_short(name) {
            disk::read(&folder.join(full_name(name)))?.filter(|text| names::is_for(name, text))
        } else {
            names::read_back(name)
        };
        keys.extend(text.and_then(|text| Key::named(collection, &text).ok()));
    }
    keys.sort();
    Ok(keys)
}
