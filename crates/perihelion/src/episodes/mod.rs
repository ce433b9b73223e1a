//! Snapshots of the latest episodes: whole, in files of their own, so that one can restore from them.
//!
//! A snapshot is what [`Perihelion::export`] would write of these memories, compressed. It is begun beside its place
//! and moved there when it is on the disk, so what is called a snapshot is whole, whatever happens meanwhile.

mod file;
mod folder;

use std::collections::{BTreeMap, HashSet};
use std::io::BufReader;

use parking_lot::Mutex;
use peri_store::{Links, ListQuery, Order, Store, Told, Write};
use peri_types::{ChangeNumber, Filter, Happening, Layer, MemoryId, Namespace, Scope, Timestamp};
use serde::Serialize;

use self::file::{About, Body};
use self::folder::{Name, SnapshotFolder, Turn};
use crate::engine::{Core, Perihelion};
use crate::transfer::single::{write_edge, write_end, write_memory};
use crate::{Error, ImportOptions, Imported};

/// The folder's name in the data folder.
const FOLDER: &str = "snapshots";

/// Held while a snapshot is due and taken, so that of many processes one does it.
const LEASE: &str = "episode-snapshots";

/// Episodes are read so many at a time.
const PAGE: usize = 256;

/// A snapshot that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SnapshotInfo {
    /// The file's name, by which it is restored.
    pub file: String,
    /// When it was taken.
    pub at: Timestamp,
    /// How many episodes it holds.
    pub episodes: u64,
    /// How large it is.
    pub bytes: u64,
}

/// When this process looks again whether a snapshot is due.
#[derive(Default)]
pub(crate) struct SnapshotTimes(Mutex<Option<Timestamp>>);

impl Perihelion {
    /// Writes the latest episodes of every namespace to a file now. `None`: there are none, or nothing about them has
    /// changed since the last snapshot.
    pub fn take_snapshot(&self) -> Result<Option<SnapshotInfo>, Error> {
        self.core.take_snapshot(Turn::Awaited)
    }

    /// The snapshots that there are, the latest first. What cannot be read is left out and logged.
    pub fn snapshots(&self) -> Result<Vec<SnapshotInfo>, Error> {
        self.core.snapshot_folder().list()
    }

    /// Reads the episodes of a snapshot in again. Nothing that is here is deleted or changed, and what was purged
    /// comes back; what lies in the trash stays there. How long episodes are kept counts from now.
    pub fn restore_snapshot(&self, name: &str) -> Result<Imported, Error> {
        let folder = self.core.snapshot_folder();
        let known = folder.names()?.into_iter().find(|known| known.to_string() == name);
        let known = known.ok_or_else(|| Error::NoSnapshot { name: name.to_owned() })?;
        folder.verify(known)?;
        let mut lines = BufReader::new(folder.open(known)?);
        self.import(&mut lines, ImportOptions::default())
    }
}

impl Core {
    /// The names of the snapshots there are, the latest last.
    pub(crate) fn snapshot_files(&self) -> Vec<String> {
        let names = self.snapshot_folder().names().unwrap_or_default();
        names.into_iter().map(|name| name.to_string()).collect()
    }

    fn snapshot_folder(&self) -> SnapshotFolder {
        SnapshotFolder::new(self.options.folder.join(FOLDER), self.seal.clone())
    }

    /// Takes a snapshot when the interval is over, if no other process is at it.
    pub(crate) fn snapshot_if_due(&self) -> Result<(), Error> {
        let (now, interval) = (self.now(), self.options.snapshots.interval);
        let next = *self.snapshot_times.0.lock();
        if interval.is_zero() || next.is_some_and(|next| now < next) {
            return Ok(());
        }
        // Whatever comes of it: a disk that fails is not tried again at every round.
        let after = |at: Timestamp| at.checked_add(interval).unwrap_or(Timestamp::MAX);
        *self.snapshot_times.0.lock() = Some(after(now));
        // One of a time to come was named by a clock that has been set back since, and says nothing of now.
        let last = self.snapshot_folder().names()?.last().map(|name| name.at).filter(|at| *at <= now);
        if let Some(due) = last.map(after).filter(|due| now < *due) {
            *self.snapshot_times.0.lock() = Some(due);
            return Ok(());
        }
        if !self.store.acquire_lease(LEASE, &self.holder, now, interval)? {
            return Ok(());
        }
        let taken = self.take_snapshot(Turn::IfFree);
        self.store.release_lease(LEASE, &self.holder)?;
        taken.map(drop)
    }

    /// Takes the last snapshot of a process that stayed.
    pub(crate) fn snapshot_at_close(&self) -> Result<(), Error> {
        if self.options.snapshots.interval.is_zero() {
            return Ok(());
        }
        self.take_snapshot(Turn::IfFree).map(drop)
    }

    fn take_snapshot(&self, turn: Turn) -> Result<Option<SnapshotInfo>, Error> {
        if !self.store.is_read_only() {
            self.usage.flush(&*self.store)?;
        }
        // Read before the episodes: what changes in between is seen by the next snapshot.
        let heads = self.heads()?;
        if !self.has_episodes()? {
            return Ok(None);
        }
        let folder = self.snapshot_folder();
        let Some(turn) = folder.turn(turn)? else { return Ok(None) };
        let identity = self.store.identity()?;
        let last = turn.last()?.filter(|last| last.store == identity);
        if last.as_ref().is_some_and(|last| last.heads == heads) {
            return Ok(None);
        }
        let mut body = turn.begin()?;
        let episodes = self.write_episodes(&mut body).map_err(|error| match error {
            Error::Transfer(source) => turn.failed(source),
            error => error,
        })?;
        let (digest, mut lines) = body.finish().map_err(|source| turn.failed(source))?;
        if episodes == 0 || last.is_some_and(|last| last.digest == digest) {
            return Ok(None);
        }
        let about = About { at: self.now(), episodes, store: identity, heads, digest };
        let name = turn.publish(&about, &mut *lines)?;
        self.tell_of_snapshot(name, episodes)?;
        if let Err(error) = turn.prune(self.options.snapshots.kept.max(1)) {
            let reason = crate::failures::with_causes(&error);
            tracing::warn!(reason, "old snapshots could not be deleted");
            self.note_failure("deleting old snapshots", &reason);
        }
        tracing::debug!(snapshot = %name, episodes, "the latest episodes are written down");
        folder.info(name, &about).map(Some)
    }

    fn tell_of_snapshot(&self, name: Name, episodes: u64) -> Result<(), Error> {
        let what = Happening::SnapshotTaken { file: name.to_string(), episodes };
        self.write(vec![Write::Tell(Told { namespace: None, at: self.now(), what })])?;
        Ok(())
    }

    fn heads(&self) -> Result<BTreeMap<Namespace, ChangeNumber>, Error> {
        let namespaces = self.store.namespaces(&Scope::All)?;
        let head = |namespace: Namespace| Ok((namespace.clone(), self.store.head(&namespace)?));
        namespaces.into_iter().map(head).collect()
    }

    fn has_episodes(&self) -> Result<bool, Error> {
        Ok(!self.store.list(&ListQuery { limit: 1, ..episodes_of(Scope::All) })?.memories.is_empty())
    }

    /// Writes the latest episodes of every namespace as they are at one moment, and says how many those are.
    fn write_episodes(&self, body: &mut Body) -> Result<u64, Error> {
        let store = self.store.frozen()?;
        let (mut memories, mut edges) = (0, 0);
        for namespace in store.namespaces(&Scope::All)? {
            let ids = self.write_latest(&*store, &namespace, body)?;
            memories += ids.len() as u64;
            edges += write_edges_among(&*store, &namespace, &ids, body)?;
        }
        write_end(memories, edges, body)?;
        Ok(memories)
    }

    fn write_latest(
        &self,
        store: &dyn Store,
        namespace: &Namespace,
        body: &mut Body,
    ) -> Result<Vec<MemoryId>, Error> {
        let (mut query, mut ids) = (episodes_of(Scope::Exact(namespace.clone())), Vec::new());
        loop {
            query.limit = PAGE.min(self.options.snapshots.episodes - ids.len());
            if query.limit == 0 {
                return Ok(ids);
            }
            let unlinked = store.list(&ListQuery { unlinked: true, ..query.clone() })?.memories;
            let unlinked: HashSet<MemoryId> = unlinked.into_iter().map(|memory| memory.id).collect();
            let page = store.list(&query)?;
            for memory in page.memories {
                ids.push(memory.id);
                let links = if unlinked.contains(&memory.id) { Links::Later } else { Links::Sought };
                write_memory(store, memory, links, body)?;
            }
            query.after = page.next;
            if query.after.is_none() {
                return Ok(ids);
            }
        }
    }
}

/// Writes the edges that begin and end at one of these, and says how many those are.
fn write_edges_among(
    store: &dyn Store,
    namespace: &Namespace,
    ids: &[MemoryId],
    body: &mut Body,
) -> Result<u64, Error> {
    let held: HashSet<MemoryId> = ids.iter().copied().collect();
    let mut count = 0;
    for id in ids {
        let edges = store.edges_of(namespace, *id)?.into_iter();
        for edge in edges.filter(|edge| edge.source == *id && held.contains(&edge.target)) {
            write_edge(namespace, edge, body)?;
            count += 1;
        }
    }
    Ok(count)
}

/// The episodes of a scope outside the trash, as they are kept, the latest first.
fn episodes_of(scope: Scope) -> ListQuery {
    let filter = Filter { layers: vec![Layer::Episodic], ..Filter::default() };
    ListQuery { scope, filter, order: Order::NewestFirst, as_kept: true, ..ListQuery::default() }
}
