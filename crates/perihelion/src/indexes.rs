//! The search indexes of the namespaces in use: loaded from snapshots, kept fresh by change number.
//!
//! An index is derived: whatever is wrong with a snapshot, it is built anew from the store. Before every
//! use the store's change number is compared with the index's, so that what other processes wrote is seen.

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use peri_embed::StaticEngine;
use peri_index::Index;
use peri_store::{Change, Store, StoreError};
use peri_types::{Namespace, SpaceId};

use crate::entry;

/// Changes read from the store at a time.
const CHANGES_PER_READ: usize = 1024;

/// A snapshot is saved once at least so many changes are missing from the last one...
const UNSAVED_MIN: u64 = 64;

/// ...and they are at least this share of the memories: one in twenty. Catching up with so many takes a
/// cold process less time than reading the rest of the snapshot.
const UNSAVED_SHARE: u64 = 20;

/// New memories are woven into the neighbour graph so many at a time, so that nobody waits long for the lock.
const GRAPH_SLICE: usize = 64;

/// A draft of a snapshot that is older than this belongs to a process that died while saving.
const DRAFT_AGE_MAX: Duration = Duration::from_secs(3600);

/// All indexes of an engine.
pub(crate) struct Indexes {
    folder: PathBuf,
    /// Begins the names of snapshot files, so that those of another store are never taken for ours.
    identity: String,
    space: Option<SpaceId>,
    lexicon: Arc<StaticEngine>,
    shelves: Mutex<HashMap<Namespace, Arc<Shelf>>>,
}

/// One namespace's index.
pub(crate) struct Shelf {
    namespace: Namespace,
    index: RwLock<Index>,
    /// Changes applied since the snapshot was written or read.
    unsaved: AtomicU64,
}

impl Indexes {
    pub(crate) fn new(
        folder: PathBuf,
        identity: String,
        space: Option<SpaceId>,
        lexicon: Arc<StaticEngine>,
    ) -> Self {
        Self { folder, identity, space, lexicon, shelves: Mutex::default() }
    }

    pub(crate) fn space(&self) -> Option<&SpaceId> {
        self.space.as_ref()
    }

    /// A namespace's index with every change that the store has committed.
    pub(crate) fn fresh(&self, store: &dyn Store, namespace: &Namespace) -> Result<Arc<Shelf>, StoreError> {
        let shelf = self.shelf(namespace);
        self.follow(store, &shelf)?;
        Ok(shelf)
    }

    /// The indexes that are in memory.
    pub(crate) fn open_shelves(&self) -> Vec<Arc<Shelf>> {
        self.shelves.lock().values().cloned().collect()
    }

    /// Throws a namespace's index and its snapshot away and builds it anew from the store.
    pub(crate) fn rebuild(&self, store: &dyn Store, namespace: &Namespace) -> Result<Arc<Shelf>, StoreError> {
        let shelf = self.shelf(namespace);
        *shelf.index.write() = self.empty();
        self.follow(store, &shelf)?;
        shelf.unsaved.store(u64::MAX, Ordering::Relaxed);
        Ok(shelf)
    }

    /// Saves the index if enough has changed since the last snapshot. Failing costs only time at the next start.
    pub(crate) fn save_if_due(&self, shelf: &Shelf) {
        let unsaved = shelf.unsaved.load(Ordering::Relaxed);
        let index = shelf.index.read();
        let share = u64::try_from(index.len()).unwrap_or(u64::MAX) / UNSAVED_SHARE;
        if unsaved < UNSAVED_MIN.max(share) {
            return;
        }
        let bytes = index.encode();
        drop(index);
        match self.write_snapshot(&shelf.namespace, &bytes) {
            Ok(()) => shelf.unsaved.store(0, Ordering::Relaxed),
            Err(error) => {
                tracing::warn!(%error, namespace = %shelf.namespace, "an index snapshot could not be saved")
            }
        }
    }

    /// Weaves new memories into the neighbour graph, in slices, until none is left or `go_on` says stop.
    pub(crate) fn weave(&self, shelf: &Shelf, go_on: &dyn Fn() -> bool) {
        while shelf.index.read().graph_lag() > 0 && go_on() {
            shelf.index.write().extend_graph(GRAPH_SLICE);
            shelf.unsaved.fetch_add(GRAPH_SLICE as u64, Ordering::Relaxed);
        }
    }

    /// Bytes of all snapshots of this store.
    pub(crate) fn disk_bytes(&self) -> u64 {
        let Ok(files) = fs::read_dir(&self.folder) else { return 0 };
        files
            .filter_map(Result::ok)
            .filter(|file| file.file_name().to_string_lossy().starts_with(&self.identity))
            .filter_map(|file| file.metadata().ok())
            .map(|file| file.len())
            .sum()
    }

    fn shelf(&self, namespace: &Namespace) -> Arc<Shelf> {
        if let Some(shelf) = self.shelves.lock().get(namespace) {
            return Arc::clone(shelf);
        }
        // Read outside the lock, so that a large snapshot does not hold up other namespaces.
        let index = self.load(namespace).unwrap_or_else(|| self.empty());
        let shelf =
            Shelf { namespace: namespace.clone(), index: RwLock::new(index), unsaved: AtomicU64::new(0) };
        Arc::clone(self.shelves.lock().entry(namespace.clone()).or_insert(Arc::new(shelf)))
    }

    fn empty(&self) -> Index {
        Index::new(self.space.clone(), entry::VERSION)
    }

    fn load(&self, namespace: &Namespace) -> Option<Index> {
        let path = self.snapshot_path(namespace);
        let bytes = fs::read(&path).ok()?;
        match Index::decode(&bytes) {
            Ok(index)
                if index.space() == self.space.as_ref() && index.analysis_version() == entry::VERSION =>
            {
                Some(index)
            }
            Ok(_) => {
                tracing::info!(path = %path.display(), "an index of other settings is built anew");
                None
            }
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "a damaged index is built anew");
                None
            }
        }
    }

    fn follow(&self, store: &dyn Store, shelf: &Shelf) -> Result<(), StoreError> {
        let head = store.head(&shelf.namespace)?;
        let known = shelf.index.read().head();
        if known == head {
            return Ok(());
        }
        let mut index = shelf.index.write();
        // Read again: while this thread waited for the lock, another one may have gone beyond what it read.
        let head = store.head(&shelf.namespace)?;
        if index.head() > head {
            // The store went back in time: somebody put an older database in place.
            tracing::warn!(namespace = %shelf.namespace, "the index is ahead of the store and is built anew");
            *index = self.empty();
        }
        while index.head() < head {
            let changes =
                store.changes(&shelf.namespace, self.space.as_ref(), index.head(), CHANGES_PER_READ)?;
            let Some(last) = changes.last().map(Change::number) else { break };
            shelf.unsaved.fetch_add(changes.len() as u64, Ordering::Relaxed);
            changes.into_iter().for_each(|change| self.apply(&mut index, change));
            index.set_head(last);
        }
        let reached = index.head().max(head);
        index.set_head(reached);
        Ok(())
    }

    fn apply(&self, index: &mut Index, change: Change) {
        match change {
            Change::Put { memory, vector } => entry::put(index, &self.lexicon, &memory, vector.as_deref()),
            Change::Gone { id, .. } => {
                index.remove(id);
            }
        }
    }

    fn snapshot_path(&self, namespace: &Namespace) -> PathBuf {
        let digest = blake3::hash(namespace.as_str().as_bytes()).to_hex();
        self.folder.join(format!("{}-{}.idx", self.identity, &digest[..24]))
    }

    fn write_snapshot(&self, namespace: &Namespace, bytes: &[u8]) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let path = self.snapshot_path(namespace);
        self.sweep_drafts();
        // Two engines of one process must not write into one draft.
        static DRAFTS: AtomicU64 = AtomicU64::new(0);
        let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
        let draft = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
        let outcome = write_and_rename(&draft, &path, bytes);
        if outcome.is_err() {
            // A half-written draft is of no use to anybody; that it may stay on a full disk is no second error.
            drop(fs::remove_file(&draft));
        }
        outcome
    }
}

impl Indexes {
    /// Deletes what processes that died while saving have left. Failing to is left for the next time.
    fn sweep_drafts(&self) {
        let Ok(files) = fs::read_dir(&self.folder) else { return };
        for file in files.filter_map(Result::ok) {
            let path = file.path();
            let is_draft = path.extension().is_some_and(|extension| extension == "tmp");
            let age = file.metadata().and_then(|file| file.modified()).map(|at| at.elapsed());
            if is_draft && matches!(age, Ok(Ok(age)) if age > DRAFT_AGE_MAX) {
                drop(fs::remove_file(&path));
            }
        }
    }
}

impl Shelf {
    pub(crate) fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read()
    }
}

/// No flush: the checksum tells a torn snapshot, and then it is built anew.
fn write_and_rename(draft: &Path, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(draft)?;
    file.write_all(bytes)?;
    drop(file);
    fs::rename(draft, path)
}
