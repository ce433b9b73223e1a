//! Notes that go along when a whole store is moved.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use peri_notes::{Change, Collection, Commit, FileSettings, FileShelf, Key, Shape, Shelf, ShelfError};
use peri_store::{AllNotes, CarriedNotes, KeptNote, MovedNotes, Place, RelocateError, StoreError};
use peri_types::Namespace;

use super::FOLDER;

/// Where notes are gathered until all of them are there.
const PART: &str = "notes.part";

/// So many documents and logs are written at once.
const CHANGES_MAX: usize = 64;

/// How often notes that are changed meanwhile are read again.
const READINGS_MAX: usize = 20;

/// From where to where notes go.
pub(crate) struct Carriage {
    source: Option<PathBuf>,
    target: Option<PathBuf>,
}

impl Carriage {
    /// Refuses a data folder without a store that has notes already.
    pub(crate) fn new(from: &Place, to: &Place) -> Result<Self, RelocateError> {
        let target = folder_of(to);
        if let (Place::File(store), Some(folder)) = (to, &target)
            && !is_there(store)?
            && !read(&folder.join(FOLDER))?.is_empty()
        {
            return Err(occupied(folder));
        }
        Ok(Self { source: folder_of(from), target })
    }

    /// Between two servers the tables are all there is.
    pub(crate) fn is_needed(&self) -> bool {
        self.source.is_some() || self.target.is_some()
    }

    /// Takes notes where they belong, given what the tables of the source hold. Those in files come first: the engine
    /// uses them, and whoever keeps notes in the tables of a file has none.
    pub(crate) fn carry(&self, held: AllNotes) -> Result<CarriedNotes, RelocateError> {
        let in_files = match &self.source {
            Some(folder) => read_steady(&folder.join(FOLDER))?,
            None => AllNotes::new(),
        };
        let has_files = !in_files.is_empty();
        let all = if has_files { in_files } else { held };
        let moved = MovedNotes::of(&all);
        match &self.target {
            Some(folder) if has_files || self.source.is_none() => {
                put(folder, &all)?;
                Ok(CarriedNotes { tables: Some(AllNotes::new()), moved })
            }
            _ => Ok(CarriedNotes { tables: has_files.then_some(all), moved }),
        }
    }
}

fn is_there(path: &Path) -> Result<bool, RelocateError> {
    peri_private::is_there(path).map_err(|error| unusable(path, error))
}

/// The data folder of a place that has one.
fn folder_of(place: &Place) -> Option<PathBuf> {
    match place {
        Place::File(path) => path.parent().map(Path::to_owned),
        Place::Server(_) => None,
    }
}

/// Puts notes into a data folder: all of them, and only if it has none, or the same from an attempt that was broken off.
fn put(folder: &Path, all: &AllNotes) -> Result<(), RelocateError> {
    let (part, root) = (folder.join(PART), folder.join(FOLDER));
    let failed = |path: &Path, error: std::io::Error| unusable(path, error);
    if is_there(&part)? {
        fs::remove_dir_all(&part).map_err(|error| failed(&part, error))?;
    }
    if read(&root)? == *all {
        return Ok(());
    }
    write(&part, all)?;
    if read(&part)? != *all {
        return Err(RelocateError::Differs { table: "note_documents", key: part.display().to_string() });
    }
    // What is there and is not empty is somebody's, and is not replaced by this.
    if is_there(&root)? && fs::remove_dir(&root).is_err() {
        return Err(occupied(folder));
    }
    fs::rename(&part, &root).map_err(|error| failed(&root, error))?;
    sync(folder).map_err(|error| failed(folder, error))
}

/// Makes the names in a folder durable.
fn sync(folder: &Path) -> std::io::Result<()> {
    peri_private::flush_folder(folder)
}

fn write(root: &Path, all: &AllNotes) -> Result<(), RelocateError> {
    let shelf = shelf(root);
    for (namespace, held) in all {
        let changes: Vec<Change> = held.iter().map(change).collect();
        for changes in changes.chunks(CHANGES_MAX) {
            match shelf.commit(namespace, changes, &[]).map_err(|error| unusable(root, error))? {
                Commit::Done | Commit::Stale => {}
            }
        }
    }
    Ok(())
}

fn change((key, kept): (&Key, &KeptNote)) -> Change {
    match kept {
        KeptNote::Document(text) => Change::Put { key: key.clone(), text: text.clone() },
        KeptNote::Log(lines) => Change::Append { key: key.clone(), lines: lines.clone() },
    }
}

/// All notes in a folder, as they are at one moment.
fn read_steady(root: &Path) -> Result<AllNotes, RelocateError> {
    let mut before = read(root)?;
    for _ in 0..READINGS_MAX {
        let now = read(root)?;
        if now == before {
            return Ok(now);
        }
        before = now;
    }
    Err(unusable(root, "somebody changes them all the time; stop whoever it is, then move again"))
}

fn read(root: &Path) -> Result<AllNotes, RelocateError> {
    let shelf = shelf(root);
    let all = || -> Result<AllNotes, ShelfError> {
        let namespaces = shelf.namespaces()?.into_iter();
        namespaces.map(|namespace| Ok((namespace.clone(), read_one(&shelf, &namespace)?))).collect()
    };
    all().map_err(|error| unusable(root, error))
}

fn read_one(shelf: &FileShelf, namespace: &Namespace) -> Result<BTreeMap<Key, KeptNote>, ShelfError> {
    let mut held = BTreeMap::new();
    for collection in Collection::ALL {
        for key in shelf.list(namespace, *collection)? {
            let kept = match collection.shape() {
                Shape::Document => shelf.read(namespace, &key)?.map(|text| KeptNote::Document(text.text)),
                Shape::Log => {
                    Some(shelf.lines(namespace, &key)?).filter(|lines| !lines.is_empty()).map(KeptNote::Log)
                }
            };
            held.extend(kept.map(|kept| (key, kept)));
        }
    }
    Ok(held)
}

fn shelf(root: &Path) -> FileShelf {
    FileShelf::new(root, FileSettings::default())
}

fn unusable(path: &Path, error: impl ToString) -> RelocateError {
    StoreError::CannotOpen { path: path.to_owned(), detail: error.to_string() }.into()
}

fn occupied(folder: &Path) -> RelocateError {
    RelocateError::Occupied { place: folder.display().to_string(), table: FOLDER }
}
