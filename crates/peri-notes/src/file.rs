//! A shelf in a folder that people can read and edit.
//!
//! ```text
//! team%2fagent/                      one folder for each namespace
//! ├── observations/{session}.md      the notes, with .meta.json, .inject, .delivered, .given.json, .new.json,
//! │                                  .dropped.jsonl, .replaced.jsonl, .told.json and .trouble.json beside them
//! ├── pending/{session}.jsonl        with aside/, heard/ and handed_out/ below
//! ├── conversations/{session}.jsonl
//! ├── candidates/{session}.jsonl
//! ├── persistent/recent.md           the digest, with recent.meta.json, .told.json and .trouble.json beside it
//! │                                  and archive/ below
//! ├── moving/{session}.json          what comes from another namespace, while it does
//! ├── names/                         what long names are in full
//! ├── edited/                        what people wrote just when a change that was broken off was finished
//! ├── intent.json                    a change that is being made; whoever comes next finishes it
//! └── lock                           held while something is read or changed
//! ```

mod disk;
mod intent;
mod layout;
mod lock;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use peri_types::{Namespace, patience};

pub use disk::{Fate, Step, Watch};

use self::disk::Disk;
use self::intent::{Deed, Intent};
use self::lock::Lock;
use crate::ShelfError;
use crate::shelf::{Change, Collection, Commit, Expected, Key, Shape, Shelf, Text, Version};

/// How a shelf of files behaves. Every part has a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSettings {
    /// Whoever waits longer than this for other processes gives up with an error.
    pub lock_wait: Duration,
}

impl Default for FileSettings {
    fn default() -> Self {
        Self { lock_wait: Duration::from_secs(5) }
    }
}

/// Keeps notes in a folder. Any number of processes may use the same one.
pub struct FileShelf {
    root: PathBuf,
    settings: FileSettings,
    disk: Disk,
    /// The folders of namespaces whose names are known to be durable.
    durable: Mutex<BTreeSet<PathBuf>>,
}

/// The folder of a namespace in which nobody changes anything, for as long as this is there.
pub struct Held {
    /// None where nobody can change anything.
    _lock: Option<Lock>,
}

impl FileShelf {
    /// The shelf in a folder, which is made when something is put on it.
    pub fn new(root: impl Into<PathBuf>, settings: FileSettings) -> Self {
        Self::on(Disk::default(), root.into(), settings)
    }

    /// A shelf of which each step on the disk is watched, and may be made to fail, as tests of crashes do.
    pub fn watched(root: impl Into<PathBuf>, settings: FileSettings, watch: Arc<dyn Watch>) -> Self {
        Self::on(Disk::watched(watch), root.into(), settings)
    }

    fn on(disk: Disk, root: PathBuf, settings: FileSettings) -> Self {
        Self { root, settings, disk, durable: Mutex::default() }
    }

    /// The folder of a namespace.
    pub fn folder(&self, namespace: &Namespace) -> PathBuf {
        self.root.join(names::file_name(namespace.as_str()).text)
    }

    /// Where a document or a log is.
    pub fn path(&self, namespace: &Namespace, key: &Key) -> PathBuf {
        self.folder(namespace).join(layout::file(key).relative)
    }

    /// Keeps the folder of a namespace as it is until the answer is dropped, with everything finished that was begun; none
    /// if it is not there.
    pub fn hold(&self, folder: &Path) -> Result<Option<Held>, ShelfError> {
        self.open(folder)
    }

    /// Holds the folder of a namespace for reading, with everything finished that was begun; none if it is not there. In a
    /// folder that can only be read, what was begun stays as it is.
    fn open(&self, folder: &Path) -> Result<Option<Held>, ShelfError> {
        if !peri_private::is_folder(folder).map_err(|error| ShelfError::reading(folder, &error))? {
            return Ok(None);
        }
        let lock = Lock::take_to_read(folder, patience::at_most(self.settings.lock_wait))?;
        match intent::finish(&self.disk, folder) {
            Err(error @ ShelfError::Disk { .. }) if peri_private::is_forbidden(folder) => {
                tracing::warn!(%error, "a change of notes that was broken off is read as it is");
            }
            outcome => outcome?,
        }
        Ok(Some(Held { _lock: lock }))
    }

    fn create(&self, namespace: &Namespace, folder: &Path) -> Result<Lock, ShelfError> {
        let is_known = self.durable.lock().contains(folder) && folder.is_dir();
        if !is_known {
            self.disk.create_folder(folder)?;
            // Whoever made it may have been broken off before its name was durable.
            self.root.parent().map_or(Ok(()), |above| self.disk.sync_folder(above))?;
            self.disk.sync_folder(&self.root)?;
            self.durable.lock().insert(folder.to_owned());
        }
        let lock = Lock::take(folder, patience::at_most(self.settings.lock_wait))?;
        if names::file_name(namespace.as_str()).is_short() {
            let path = folder.join(layout::NAMESPACE);
            if disk::read(&path)?.as_deref() != Some(namespace.as_str()) {
                self.disk.replace(&path, namespace.as_str())?;
            }
        }
        intent::finish(&self.disk, folder)?;
        Ok(lock)
    }

    fn is_as_expected(&self, folder: &Path, key: &Key, expected: &Expected) -> Result<bool, ShelfError> {
        let text = disk::read(&folder.join(layout::file(key).relative))?;
        Ok(match key.collection().shape() {
            Shape::Document => expected.holds_for_document(text.as_deref().map(Version::of).as_ref()),
            Shape::Log => expected.holds_for_log(&lines_of(text.as_deref().unwrap_or_default())),
        })
    }

    /// What the folder of a namespace is called in full; none if it is not one of ours.
    fn namespace_of(folder: &Path) -> Result<Option<Namespace>, ShelfError> {
        let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return Ok(None) };
        let full = match names::read_back(name) {
            Some(full) => Some(full),
            None => disk::read(&folder.join(layout::NAMESPACE))?.filter(|full| names::is_for(name, full)),
        };
        Ok(full.and_then(|full| full.parse().ok()))
    }
}

impl Shelf for FileShelf {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        let folder = self.folder(namespace);
        let Some(_lock) = self.open(&folder)? else { return Ok(None) };
        Ok(disk::read(&folder.join(layout::file(key).relative))?.map(Text::new))
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        let text = self.read(namespace, key)?;
        Ok(text.map(|text| lines_of(&text.text)).unwrap_or_default())
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        let folder = self.folder(namespace);
        let Some(_lock) = self.open(&folder)? else { return Ok(Vec::new()) };
        layout::list(&folder, collection)
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        let mut found = Vec::new();
        for folder in disk::entries(&self.root)? {
            if !peri_private::is_folder(&folder).map_err(|error| ShelfError::reading(&folder, &error))? {
                continue;
            }
            let Some(namespace) = Self::namespace_of(&folder)? else { continue };
            let Some(_lock) = self.open(&folder)? else { continue };
            for collection in Collection::ALL {
                if !layout::list(&folder, *collection)?.is_empty() {
                    found.push(namespace);
                    break;
                }
            }
        }
        found.sort();
        Ok(found)
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        changes.iter().try_for_each(Change::check)?;
        let folder = self.folder(namespace);
        let _lock = self.create(namespace, &folder)?;
        for (key, expected) in expected {
            if !self.is_as_expected(&folder, key, expected)? {
                return Ok(Commit::Stale);
            }
        }
        let deeds = deeds(&folder, changes)?;
        if !deeds.is_empty() {
            intent::make(&self.disk, &folder, &Intent::new(deeds))?;
        }
        Ok(Commit::Done)
    }

    fn documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, Text)>, ShelfError> {
        let folder = self.folder(namespace);
        let Some(_lock) = self.open(&folder)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for key in layout::list(&folder, collection)? {
            if let Some(text) = disk::read(&folder.join(layout::file(&key).relative))? {
                found.push((key, Text::new(text)));
            }
        }
        Ok(found)
    }
}

/// The lines of a log. Blank ones, which an editor may leave, do not count.
fn lines_of(text: &str) -> Vec<String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// What becomes of one file.
enum Outcome {
    Text(String),
    Gone,
    Longer(String),
}

/// What is to be done on the disk so that all changes are made, one deed for each file.
fn deeds(folder: &Path, changes: &[Change]) -> Result<Vec<Deed>, ShelfError> {
    let mut outcomes: BTreeMap<&Key, Outcome> = BTreeMap::new();
    for change in changes {
        let outcome = match (change, outcomes.remove(change.key())) {
            (Change::Put { text, .. }, _) => Outcome::Text(text.clone()),
            (Change::Remove { .. } | Change::Clear { .. }, _) => Outcome::Gone,
            (Change::Append { lines, .. }, before) => longer(before, lines),
        };
        outcomes.insert(change.key(), outcome);
    }
    let mut deeds = Vec::new();
    for (key, outcome) in outcomes {
        let file = layout::file(key);
        let path = folder.join(&file.relative);
        let added = match outcome {
            Outcome::Text(text) => Deed::put(&path, &file.relative, text)?,
            Outcome::Gone => Deed::remove(&path, &file.relative)?,
            Outcome::Longer(lines) if lines.is_empty() => None,
            Outcome::Longer(lines) => Some(Deed::append(&path, &file.relative, lines)?),
        };
        if let (Some(_), Some((relative, name))) = (&added, file.full_name) {
            deeds.extend(Deed::put(&folder.join(&relative), &relative, name)?);
        }
        deeds.extend(added);
    }
    Ok(deeds)
}

fn longer(before: Option<Outcome>, lines: &[String]) -> Outcome {
    let more: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    match before {
        None => Outcome::Longer(more),
        Some(Outcome::Longer(text)) => Outcome::Longer(text + &more),
        Some(Outcome::Gone) if more.is_empty() => Outcome::Gone,
        Some(Outcome::Gone) => Outcome::Text(more),
        Some(Outcome::Text(text)) => Outcome::Text(text + &more),
    }
}
