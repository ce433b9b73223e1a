//! The search indexes of the namespaces in use: loaded from snapshots, kept fresh by change number.
//!
//! An index is derived: whatever is wrong with a snapshot, it is built anew from the store. Before every
//! use the store's change number is compared with the index's, so that what other processes wrote is seen.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use peri_embed::StaticEngine;
use peri_index::Index;
use peri_store::{Change, Store, StoreError};
use peri_types::{ChangeNumber, Namespace, SpaceId};

use crate::analyses::Analyses;
use crate::entry::{self, Told};
use crate::snapshots::{Saved, Snapshots};

/// Changes read from the store at a time.
const CHANGES_PER_READ: usize = 1024;

/// A snapshot is saved once at least so many changes are missing from the last one...
const UNSAVED_MIN: u64 = 64;

/// ...and they are at least this share of the memories: one in twenty. Catching up with so many takes a
/// cold process less time than reading the rest of the snapshot.
const UNSAVED_SHARE: u64 = 20;

/// At most so many indexes are kept in memory; the one that was asked for longest ago leaves first.
const OPEN_MAX: usize = 64;

/// New memories are woven into the neighbour graph so many at a time, so that nobody waits long for the lock.
const GRAPH_SLICE: usize = 64;

/// All indexes of an engine.
pub(crate) struct Indexes {
    snapshots: Snapshots,
    space: Option<SpaceId>,
    lexicon: Arc<StaticEngine>,
    /// Of what is about to be entered.
    analyses: Analyses,
    /// Grows each time another space is chosen. A saved index is of one revision: vectors that were made beside it
    /// meanwhile are in none before it.
    revision: u64,
    shelves: Mutex<HashMap<Namespace, Arc<Shelf>>>,
    /// Counts requests, to know which index was asked for longest ago.
    requests: AtomicU64,
}

/// One namespace's index.
pub(crate) struct Shelf {
    namespace: Namespace,
    index: RwLock<Index>,
    /// Changes applied since the snapshot was written or read.
    unsaved: AtomicU64,
    /// When it was last asked for, counted in requests.
    asked_at: AtomicU64,
}

impl Indexes {
    pub(crate) fn new(
        snapshots: Snapshots,
        space: Option<SpaceId>,
        lexicon: Arc<StaticEngine>,
        revision: u64,
    ) -> Self {
        let (shelves, requests) = (Mutex::default(), AtomicU64::new(0));
        let analyses = Analyses::default();
        Self { snapshots, space, lexicon, analyses, revision, shelves, requests }
    }

    pub(crate) fn space(&self) -> Option<&SpaceId> {
        self.space.as_ref()
    }

    /// Analyses of memories that will be entered.
    pub(crate) fn analyses(&self) -> &Analyses {
        &self.analyses
    }

    /// Grows each time another space is chosen.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a namespace's index is in memory.
    pub(crate) fn is_open(&self, namespace: &Namespace) -> bool {
        self.shelves.lock().contains_key(namespace)
    }

    /// Puts a namespace's index out of memory.
    pub(crate) fn put_away(&self, namespace: &Namespace) {
        self.shelves.lock().remove(namespace);
    }

    /// A namespace's index with every change that the store has committed.
    pub(crate) fn fresh(&self, store: &dyn Store, namespace: &Namespace) -> Result<Arc<Shelf>, StoreError> {
        let shelf = self.shelf(store, namespace)?;
        shelf.asked_at.store(self.requests.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        self.follow(store, &shelf)?;
        self.make_room(store);
        Ok(shelf)
    }

    /// The indexes that are in memory.
    pub(crate) fn open_shelves(&self) -> Vec<Arc<Shelf>> {
        self.shelves.lock().values().cloned().collect()
    }

    /// Throws a namespace's index and its snapshot away and builds it anew from the store.
    pub(crate) fn rebuild(&self, store: &dyn Store, namespace: &Namespace) -> Result<Arc<Shelf>, StoreError> {
        let shelf = self.shelf(store, namespace)?;
        *shelf.index.write() = self.empty();
        self.follow(store, &shelf)?;
        shelf.unsaved.store(u64::MAX, Ordering::Relaxed);
        Ok(shelf)
    }

    /// How many changes a namespace's index lacks, in memory or, if it is not there, on the disk; at most `max`. Where
    /// there is none yet, none lags behind.
    pub(crate) fn lag(
        &self,
        store: &dyn Store,
        namespace: &Namespace,
        max: usize,
    ) -> Result<u64, StoreError> {
        let open = self.shelves.lock().get(namespace).cloned();
        let known = match open {
            Some(shelf) => shelf.index.read().head(),
            None => match self.load(store, namespace)? {
                Some(index) => index.head(),
                None => return Ok(0),
            },
        };
        Ok(store.changes(namespace, None, known, max)?.len() as u64)
    }

    /// Saves the index if enough has changed since the last snapshot. Failing costs only time at the next start.
    pub(crate) fn save_if_due(&self, store: &dyn Store, shelf: &Shelf) {
        let unsaved = shelf.unsaved.load(Ordering::Relaxed);
        let index = shelf.index.read();
        let share = u64::try_from(index.len()).unwrap_or(u64::MAX) / UNSAVED_SHARE;
        if unsaved < UNSAVED_MIN.max(share) {
            return;
        }
        drop(index);
        if let Err(error) = self.save(store, shelf) {
            tracing::warn!(%error, namespace = %shelf.namespace, "an index snapshot could not be saved");
        }
    }

    fn save(&self, store: &dyn Store, shelf: &Shelf) -> std::io::Result<()> {
        let index = shelf.index.read();
        let (head, bytes) = (index.head(), index.encode());
        drop(index);
        let mark = self.mark(store, head).map_err(std::io::Error::other)?;
        self.snapshots.save(&shelf.namespace, &mark, &bytes)?;
        shelf.unsaved.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Takes the words of what was destroyed out of a namespace's index, in memory and on the disk. It is written anew rather
    /// than removed: to build a large one takes the next process seconds.
    pub(crate) fn forget_words(&self, store: &dyn Store, namespace: &Namespace) {
        let is_saved = self.snapshots.is_saved(namespace);
        if !is_saved && !self.is_open(namespace) {
            return;
        }
        let saved = self.fresh(store, namespace).map_err(std::io::Error::other).and_then(|shelf| {
            shelf.index.write().compact();
            if is_saved { self.save(store, &shelf) } else { Ok(()) }
        });
        if let Err(error) = saved {
            tracing::warn!(%error, %namespace, "a saved index that holds words of what was destroyed is removed");
            self.snapshots.remove(namespace);
        }
    }

    /// Gives back the room of memories that are gone, once they are many. It is made ready beside those who search;
    /// only if others wrote meanwhile do they wait for it.
    pub(crate) fn compact_if_due(&self, shelf: &Shelf) {
        let compacted = {
            let index = shelf.index.read();
            if !index.wants_compaction() {
                return;
            }
            index.compacted()
        };
        let mut index = shelf.index.write();
        if index.head() == compacted.head() {
            *index = compacted;
        } else {
            index.compact();
        }
    }

    /// Weaves new memories into the neighbour graph, in slices, until none is left or `go_on` says stop.
    pub(crate) fn weave(&self, shelf: &Shelf, go_on: &dyn Fn() -> bool) {
        while shelf.index.read().graph_lag() > 0 && go_on() {
            shelf.index.write().extend_graph(GRAPH_SLICE);
            shelf.unsaved.fetch_add(GRAPH_SLICE as u64, Ordering::Relaxed);
        }
    }

    /// Whether all saved indexes belong to another store, as after somebody deleted the database.
    pub(crate) fn are_foreign(&self) -> bool {
        self.snapshots.are_foreign()
    }

    /// Bytes of all snapshots of this store.
    pub(crate) fn disk_bytes(&self) -> u64 {
        self.snapshots.disk_bytes()
    }

    fn shelf(&self, store: &dyn Store, namespace: &Namespace) -> Result<Arc<Shelf>, StoreError> {
        if let Some(shelf) = self.shelves.lock().get(namespace) {
            return Ok(Arc::clone(shelf));
        }
        // Read outside the lock, so that a large snapshot does not hold up other namespaces.
        let index = self.load(store, namespace)?.unwrap_or_else(|| self.empty());
        let shelf = Shelf::of(namespace.clone(), index);
        Ok(Arc::clone(self.shelves.lock().entry(namespace.clone()).or_insert(Arc::new(shelf))))
    }

    /// Puts away the index that was asked for longest ago, if there are too many and nobody is using it.
    fn make_room(&self, store: &dyn Store) {
        let leaving = {
            let mut shelves = self.shelves.lock();
            if shelves.len() <= OPEN_MAX {
                return;
            }
            let idle = shelves.values().filter(|shelf| Arc::strong_count(shelf) == 1);
            let oldest = idle.min_by_key(|shelf| shelf.asked_at.load(Ordering::Relaxed));
            let Some(name) = oldest.map(|shelf| shelf.namespace.clone()) else { return };
            shelves.remove(&name)
        };
        if let Some(shelf) = leaving {
            self.save_if_due(store, &shelf);
        }
    }

    fn empty(&self) -> Index {
        Index::new(self.space.clone(), entry::VERSION)
    }

    /// The saved index of a namespace, if it was made from this very store with these settings.
    fn load(&self, store: &dyn Store, namespace: &Namespace) -> Result<Option<Index>, StoreError> {
        let Some(Saved { index, mark }) = self.snapshots.load(namespace) else { return Ok(None) };
        let same_settings =
            index.space() == self.space.as_ref() && index.analysis_version() == entry::VERSION;
        if same_settings && self.mark(store, index.head())? == mark {
            return Ok(Some(index));
        }
        tracing::info!(%namespace, "an index of other settings or of another copy is built anew");
        Ok(None)
    }

    /// What tells whether a saved index was made from this very store, and under the present choice of a space.
    fn mark(&self, store: &dyn Store, at: ChangeNumber) -> Result<String, StoreError> {
        let lineage = store.lineage(at)?;
        Ok(if self.revision > 1 { format!("{lineage} {}", self.revision) } else { lineage })
    }

    fn follow(&self, store: &dyn Store, shelf: &Shelf) -> Result<(), StoreError> {
        let head = store.head(&shelf.namespace)?;
        let known = shelf.index.read().head();
        if known == head {
            return Ok(());
        }
        let mut index = shelf.index.write();
        // While this thread waited for the lock, another one may have gone beyond what it read.
        let head = if index.head() > head { store.head(&shelf.namespace)? } else { head };
        if index.head() > head {
            // The store went back in time: somebody put an older database in place.
            tracing::warn!(namespace = %shelf.namespace, "the index is ahead of the store and is built anew");
            *index = self.empty();
        }
        while index.head() < head {
            let changes =
                store.changes(&shelf.namespace, self.space.as_ref(), index.head(), CHANGES_PER_READ)?;
            let Some(last) = changes.last().map(Change::number) else { break };
            let all = changes.len() < CHANGES_PER_READ;
            shelf.unsaved.fetch_add(changes.len() as u64, Ordering::Relaxed);
            changes.into_iter().for_each(|change| self.apply(&mut index, change));
            index.set_head(last);
            if all {
                // Later numbers up to the head went to what an index does not hold, such as links.
                break;
            }
        }
        let reached = index.head().max(head);
        index.set_head(reached);
        Ok(())
    }

    fn apply(&self, index: &mut Index, change: Change) {
        match change {
            Change::Put { memory, vector } => {
                let analysis = self.analyses.take(&memory.content);
                Told::analysed(&self.lexicon, &memory, analysis).enter(index, vector.as_deref());
            }
            Change::Gone { id, .. } => {
                index.remove(id);
            }
        }
    }
}

impl Shelf {
    /// An index that nobody keeps.
    pub(crate) fn of(namespace: Namespace, index: Index) -> Self {
        let (unsaved, asked_at) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { namespace, index: RwLock::new(index), unsaved, asked_at }
    }

    pub(crate) fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Index> {
        self.index.read()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use peri_types::{Layer, Namespace};

    use crate::{Chores, Options, Perihelion, Recall, Remember};

    #[test]
    fn an_index_does_not_grow_with_what_came_and_went() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
        let engine = Perihelion::open(options).unwrap();
        for round in 0..20 {
            let told = (0..24).map(|number| Remember {
                layer: Some(Layer::Working),
                ..Remember::new(format!("passing thought {round} of {number}"))
            });
            engine.remember_all(told.collect()).unwrap();
            engine.recall(&Recall::new("passing thought")).unwrap();
            engine.maintain().unwrap();
            let sense = engine.core.sense();
            let shelf = sense.indexes.fresh(&*engine.core.store, &Namespace::default()).unwrap();
            assert!(!shelf.read().wants_compaction(), "after round {round}");
            assert_eq!(shelf.read().len(), 12);
        }
        assert_eq!(
            engine.recall(&Recall::new("passing thought")).unwrap().hits.len(),
            10,
            "and it finds what is there"
        );
    }
}
