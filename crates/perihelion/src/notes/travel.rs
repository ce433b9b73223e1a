//! Notes that go elsewhere: with an export, and with a backup.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use peri_notes::{FileSettings, FileShelf, Held, Meeting, Notes, Parcel, Session, Shelf, Unpacked};
use peri_store::{Store, StoreShelf};
use peri_types::{Clock, Namespace};

use super::{FOLDER, as_store_error};
use crate::Error;
use crate::engine::{Core, Perihelion};

/// Whoever copies files waits so long for those who change them.
const PATIENCE: Duration = Duration::from_secs(60);

/// Notes as they are somewhere, to be compared with others or brought back.
pub struct NotesState(Notes);

/// What becomes of notes that are here when others are brought back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BringBack {
    /// They stay, and are added to.
    Adding,
    /// Those of sessions that are brought back are replaced, and so is the digest, which goes to the archive.
    Replacing,
}

/// What became of notes that were brought back: those of which sessions and digests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotesBroughtBack {
    /// Those that were written.
    pub written: Vec<String>,
    /// Those that are here and different, and were only added to.
    pub joined: Vec<String>,
}

/// Nobody changes the notes of a namespace in files while it is held.
pub struct NotesStill {
    _held: Held,
}

impl NotesState {
    /// The notes that belong to a state of a store: those in a folder beside it, and if there are none, those in it.
    pub fn new(folder: &Path, store: Arc<dyn Store>) -> Result<Self, Error> {
        let files = FileShelf::new(folder, FileSettings { lock_wait: PATIENCE });
        let has_files = !files.namespaces().map_err(peri_notes::NotesError::from)?.is_empty();
        let shelf: Arc<dyn Shelf> =
            if has_files { Arc::new(files) } else { Arc::new(StoreShelf::new(store)) };
        Ok(Self(Notes::new(shelf, Clock::system(), peri_tokens::count)))
    }

    /// Everything of a namespace: what is kept of each session, and of the digest, which has no name.
    pub(crate) fn of(&self, namespace: &Namespace) -> Result<BTreeMap<Option<Session>, Parcel>, Error> {
        let mut found = BTreeMap::new();
        for session in self.0.to_carry(namespace)? {
            let parcel = self.0.pack(namespace, session.as_ref())?;
            found.extend(parcel.map(|parcel| (session, parcel)));
        }
        Ok(found)
    }

    pub(crate) fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        Ok(self.0.namespaces()?)
    }
}

impl Perihelion {
    /// The folder of the data folder in which notes lie, each namespace in a folder of its own, unless they are in the
    /// store.
    pub const NOTES: &str = FOLDER;

    /// Whether any notes are kept in a namespace.
    pub fn has_notes(&self, namespace: &Namespace) -> Result<bool, Error> {
        let noted = self.core.notes()?.namespaces().map_err(|error| as_store_error(error.into()))?;
        Ok(noted.contains(namespace))
    }

    /// Keeps a folder of notes, that of one namespace, as it is until the answer is dropped, with every change finished
    /// that was begun. None if there is no such folder.
    pub fn hold_notes(&self, folder: &Path) -> Result<Option<NotesStill>, Error> {
        let root = folder.parent().map(Path::to_owned).unwrap_or_default();
        let shelf = FileShelf::new(root, FileSettings { lock_wait: PATIENCE });
        let held = shelf.hold(folder).map_err(peri_notes::NotesError::from)?;
        Ok(held.map(|held| NotesStill { _held: held }))
    }

    /// Bytes of the notes in files.
    pub fn notes_bytes(&self) -> u64 {
        folder_bytes(&self.folder().join(FOLDER))
    }

    /// Brings notes back from a folder that holds them as the data folder does. What is here is only added to, unless it
    /// is to be replaced.
    pub fn bring_notes_back(&self, folder: &Path, how: BringBack) -> Result<NotesBroughtBack, Error> {
        let shelf = FileShelf::new(folder, FileSettings::default());
        let source = Notes::new(Arc::new(shelf), self.core.options.clock.clone(), peri_tokens::count);
        let meeting = match how {
            BringBack::Replacing => Meeting::Replace,
            BringBack::Adding => Meeting::Join,
        };
        let mut brought = NotesBroughtBack::default();
        for namespace in source.namespaces()? {
            for session in source.to_carry(&namespace)? {
                let Some(parcel) = source.pack(&namespace, session.as_ref())? else { continue };
                let unpacked = self.core.notes()?.unpack(&namespace, &parcel, meeting)?;
                let name = named(&namespace, session.as_ref());
                match (unpacked, how) {
                    (Unpacked::Known, _) => {}
                    (Unpacked::Changed, BringBack::Adding) => brought.joined.push(name),
                    _ => brought.written.push(name),
                }
            }
        }
        Ok(brought)
    }
}

impl Core {
    /// Moves the notes of a namespace to another one, and finishes what was begun of it before.
    pub(crate) fn move_notes(&self, from: &Namespace, to: &Namespace) -> Result<(), Error> {
        self.notes()?.rename_namespace(from, to).map_err(|error| as_store_error(error.into()))
    }

    /// Destroys the notes of a namespace.
    pub(crate) fn forget_notes(&self, namespace: &Namespace) -> Result<(), Error> {
        self.notes()?.forget_namespace(namespace).map_err(|error| as_store_error(error.into()))
    }

    /// The notes that belong to a state of the store: those in it, if they are kept there, else those in files.
    pub(crate) fn notes_beside(&self, store: &Arc<dyn Store>) -> Notes {
        let shelf: Arc<dyn Shelf> = match self.keeps_notes_in_store() {
            true => Arc::new(StoreShelf::new(Arc::clone(store))),
            false => self.shelf_of_notes(),
        };
        Notes::new(shelf, self.options.clock.clone(), peri_tokens::count)
    }
}

fn named(namespace: &Namespace, session: Option<&Session>) -> String {
    match session {
        Some(session) => format!("{FOLDER}: {namespace}, session {session}"),
        None => format!("{FOLDER}: {namespace}, digest"),
    }
}

/// Bytes of all files below a folder. What cannot be looked at counts nothing.
fn folder_bytes(folder: &Path) -> u64 {
    let mut bytes = 0;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            match entry.metadata() {
                Ok(data) if data.is_dir() => folders.push(entry.path()),
                Ok(data) => bytes += data.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}
