//! Notes that go into a store when that is encrypted, and back into files when it is not any more.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use peri_notes::{
    Change, Collection, Commit, FileSettings, FileShelf, Key, NotesError, Shape, Shelf, ShelfError,
};
use peri_store::{SqliteSettings, SqliteStore, Store, StoreShelf};
use peri_types::Namespace;

use super::Reencryption;
use crate::Error;
use crate::notes::{FOLDER, NotesPlace};

/// What a shelf of files keeps in the folder of a namespace. What people put there besides stays.
const OWN_FOLDERS: [&str; 7] =
    ["observations", "pending", "conversations", "candidates", "persistent", "moving", "names"];
const OWN_FILES: [&str; 3] = ["intent.json", "namespace.txt", "lock"];

/// So many documents and logs are written at once.
const CHANGES_MAX: usize = 64;

/// A document or a log.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kept {
    Document(String),
    Log(Vec<String>),
}

type All = BTreeMap<Namespace, BTreeMap<Key, Kept>>;

/// Takes notes along, if it is left to the engine where they are. How many documents and lines there were.
pub(super) fn carry(request: &Reencryption) -> Result<u64, Error> {
    let root = request.folder.join(FOLDER);
    let into_store = request.to.is_some();
    let has_files =
        peri_private::is_folder(&root).map_err(|source| Error::Record { path: root.clone(), source })?;
    if request.notes != NotesPlace::Usual || (into_store && !has_files) {
        return Ok(0);
    }
    let path = request.folder.join(crate::Perihelion::DATABASE);
    let settings = SqliteSettings { key: request.to.clone(), ..SqliteSettings::default() };
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&path, &settings)?);
    let tables = StoreShelf::new(store);
    let files = FileShelf::new(&root, FileSettings::default());
    if into_store {
        let all = read(&files)?;
        write(&tables, &all)?;
        clear_files(&root).map_err(|source| Error::Record { path: root, source })?;
        Ok(count(&all))
    } else {
        let all = read(&tables)?;
        write(&files, &all)?;
        clear(&tables, &all)?;
        Ok(count(&all))
    }
}

fn read(shelf: &dyn Shelf) -> Result<All, Error> {
    let mut all = All::new();
    for namespace in shelf.namespaces().map_err(told)? {
        let mut held = BTreeMap::new();
        for collection in Collection::ALL {
            for key in shelf.list(&namespace, *collection).map_err(told)? {
                held.extend(kept(shelf, &namespace, &key)?.map(|kept| (key, kept)));
            }
        }
        all.insert(namespace, held);
    }
    Ok(all)
}

fn kept(shelf: &dyn Shelf, namespace: &Namespace, key: &Key) -> Result<Option<Kept>, Error> {
    Ok(match key.collection().shape() {
        Shape::Document => {
            shelf.read(namespace, key).map_err(told)?.map(|document| Kept::Document(document.text))
        }
        Shape::Log => {
            let lines = shelf.lines(namespace, key).map_err(told)?;
            Some(lines).filter(|lines| !lines.is_empty()).map(Kept::Log)
        }
    })
}

/// Makes a shelf hold these as they are, and reads them back. What is there already is left so.
fn write(shelf: &dyn Shelf, all: &All) -> Result<(), Error> {
    for (namespace, held) in all {
        let mut changes = Vec::new();
        for (key, wanted) in held {
            let there = kept(shelf, namespace, key)?;
            match wanted {
                _ if there.as_ref() == Some(wanted) => {}
                Kept::Document(text) => changes.push(Change::Put { key: key.clone(), text: text.clone() }),
                Kept::Log(lines) => {
                    // In one commit, so that no run can add them twice.
                    let lines = lines.clone();
                    let log =
                        [Change::Clear { key: key.clone() }, Change::Append { key: key.clone(), lines }];
                    make(shelf, namespace, &log)?;
                }
            }
        }
        for changes in changes.chunks(CHANGES_MAX) {
            make(shelf, namespace, changes)?;
        }
        for (key, wanted) in held {
            if kept(shelf, namespace, key)?.as_ref() != Some(wanted) {
                let detail = format!("notes of {namespace} are not what was written");
                let source = std::io::Error::new(std::io::ErrorKind::InvalidData, detail);
                return Err(Error::Record { path: FOLDER.into(), source });
            }
        }
    }
    Ok(())
}

fn make(shelf: &dyn Shelf, namespace: &Namespace, changes: &[Change]) -> Result<(), Error> {
    match shelf.commit(namespace, changes, &[]).map_err(told)? {
        // Nothing is expected, so nothing is stale.
        Commit::Done | Commit::Stale => Ok(()),
    }
}

fn clear(shelf: &dyn Shelf, all: &All) -> Result<(), Error> {
    for (namespace, held) in all {
        let changes: Vec<Change> = held
            .iter()
            .map(|(key, kept)| match kept {
                Kept::Document(_) => Change::Remove { key: key.clone() },
                Kept::Log(_) => Change::Clear { key: key.clone() },
            })
            .collect();
        for changes in changes.chunks(CHANGES_MAX) {
            make(shelf, namespace, changes)?;
        }
    }
    Ok(())
}

/// Removes the notes in files, and the folders that are empty then.
fn clear_files(root: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(root)? {
        let folder = entry?.path();
        if !peri_private::is_folder(&folder)? {
            continue;
        }
        for name in OWN_FOLDERS {
            gone(std::fs::remove_dir_all(folder.join(name)))?;
        }
        for name in OWN_FILES {
            gone(std::fs::remove_file(folder.join(name)))?;
        }
        // Whatever else is in it stays.
        drop(std::fs::remove_dir(&folder));
    }
    drop(std::fs::remove_dir(root));
    Ok(())
}

fn gone(outcome: std::io::Result<()>) -> std::io::Result<()> {
    match outcome {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn count(all: &All) -> u64 {
    let parts = all.values().flat_map(|held| held.values());
    parts
        .map(|kept| match kept {
            Kept::Document(_) => 1,
            Kept::Log(lines) => lines.len() as u64,
        })
        .sum()
}

fn told(error: ShelfError) -> Error {
    Error::Notes(NotesError::Shelf(error))
}
