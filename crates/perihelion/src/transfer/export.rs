//! Everything out.

use std::collections::HashSet;
use std::io::Write as IoWrite;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use peri_notes::Notes;
use peri_store::{EdgeKey, Links, ListQuery, Order, Store, Trashed};
use peri_types::{Edge, Filter, Layer, Memory, MemoryId, Namespace, Scope, Timestamp};
use serde::Serialize;

use super::FORMAT;
use super::line::{EdgeLine, End, Header, Line, NamespaceLine, WeightsLine};
use super::memory_line::{MemoryLine, Offered};
use crate::Error;
use crate::engine::Perihelion;

/// So many records are read at a time.
const PAGE: usize = 256;

/// What to export.
///
/// An export with a filter or a limit is *partial*. It holds the memories that fit and the edges between them, but
/// neither sessions nor what use taught, which speak of memories that may not be there. What took the place of a
/// memory is told although it may not be in the file. The journal comes along as far as the filter speaks of sessions,
/// times and who spoke, and not at all if it asks for more, or if there is a limit; trajectories likewise, of which
/// only sessions and times are told. Patterns and learned sets do not come along, since they were drawn from all that
/// is there, and neither do notes, since what is noted of a session speaks of all of it. The header says that it is partial, and importing it moves nothing to the
/// trash.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportOptions {
    /// Where to look.
    pub scope: Scope,
    /// Which memories.
    pub filter: Filter,
    /// At most so many memories, in the order of the file.
    pub limit: Option<u64>,
    /// Whether those in the trash come along.
    pub trash: ExportedTrash,
}

/// Whether what lies in the trash is exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExportedTrash {
    /// It comes along.
    #[default]
    With,
    /// It is left out.
    Without,
}

impl From<Scope> for ExportOptions {
    fn from(scope: Scope) -> Self {
        Self { scope, filter: Filter::default(), limit: None, trash: ExportedTrash::default() }
    }
}

impl From<&Scope> for ExportOptions {
    fn from(scope: &Scope) -> Self {
        scope.clone().into()
    }
}

impl ExportOptions {
    pub(super) fn is_partial(&self) -> bool {
        !self.filter.is_empty() || self.limit.is_some()
    }
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Exported {
    /// Memories, those in the trash included.
    pub memories: u64,
    /// Edges.
    pub edges: u64,
    /// Sessions.
    pub sessions: u64,
    /// Journal events.
    pub entries: u64,
    /// Turns.
    pub turns: u64,
    /// Sets of notes: one for each session of which anything is kept, and one for each digest.
    pub notes: u64,
    /// Patterns.
    pub patterns: u64,
    /// Trajectories.
    pub trajectories: u64,
    /// Sets that were learned as a whole.
    pub learned: u64,
}

impl Perihelion {
    /// Writes everything of a scope, or what options choose of it, line by line, as it is at one moment: what others
    /// change meanwhile is not in it. What has expired from a working memory is not either. Notes in files are as they
    /// are when it comes to them, each session as of one moment.
    pub fn export(&self, what: impl Into<ExportOptions>, out: &mut dyn IoWrite) -> Result<Exported, Error> {
        self.export_watched(&what.into(), out, &mut |_| {})
    }

    /// The same, and tells now and then how far it is.
    pub fn export_watched(
        &self,
        options: &ExportOptions,
        out: &mut dyn IoWrite,
        watch: &mut dyn FnMut(&Exported),
    ) -> Result<Exported, Error> {
        let core = &self.core;
        // Like an import it promises to do with little memory, also right after one that left its chores undone.
        core.leaves_chores.store(true, Ordering::Relaxed);
        if !core.store.is_read_only() {
            core.usage.flush(&*core.store)?;
        }
        let store: Arc<dyn Store> = Arc::from(core.store.frozen()?);
        let notes = core.notes_beside(&store);
        let (written, buffer, now) = (Exported::default(), Vec::new(), core.now());
        Export { store: &*store, notes, options, now, out, watch, written, buffer }.run()
    }
}

/// An export under way.
pub(super) struct Export<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) notes: Notes,
    pub(super) options: &'a ExportOptions,
    now: Timestamp,
    out: &'a mut dyn IoWrite,
    pub(super) watch: &'a mut dyn FnMut(&Exported),
    pub(super) written: Exported,
    /// The line that is being written.
    buffer: Vec<u8>,
}

/// What was taken of a namespace.
#[derive(Default)]
struct Taken {
    /// Whether some memory was not.
    selective: bool,
    /// The last one, if the limit came after it.
    last: Option<(bool, MemoryId)>,
}

impl Export<'_> {
    fn run(mut self) -> Result<Exported, Error> {
        let partial = self.options.is_partial();
        self.line(&Line::Header(Header { perihelion: FORMAT, partial }))?;
        for namespace in self.namespaces()? {
            if self.is_full() {
                break;
            }
            self.namespace(&namespace)?;
        }
        let Exported { memories, edges, sessions, entries, turns, notes, patterns, trajectories, learned } =
            self.written;
        let end = End { memories, edges, sessions, entries, turns, notes, patterns, trajectories, learned };
        self.line(&Line::End(end))?;
        self.out.flush().map_err(Error::Transfer)?;
        Ok(self.written)
    }

    fn is_full(&self) -> bool {
        self.options.limit.is_some_and(|limit| self.written.memories >= limit)
    }

    fn namespace(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let stats = self.store.stats(&Scope::Exact(namespace.clone()))?;
        let stats = stats.into_iter().next();
        let (trashed, unlinked) = stats.as_ref().map_or((0, 0), |own| (own.trashed, own.unlinked));
        let deserted = stats.as_ref().is_none_or(|own| own.memories + own.trashed == 0)
            && self.store.sessions_after(namespace, None, 1)?.is_empty()
            && self.store.journal_stats(&Scope::Exact(namespace.clone()))?.is_empty()
            && !self.has_learned(namespace)?
            && !self.has_notes(namespace)?;
        if deserted {
            return Ok(());
        }
        let settled_at = stats.and_then(|own| own.settled_at);
        self.line(&Line::Namespace(NamespaceLine { namespace: namespace.clone(), settled_at }))?;
        let without_trash = self.options.trash == ExportedTrash::Without && trashed > 0;
        let mut taken = Taken { selective: self.options.is_partial() || without_trash, last: None };
        self.memories(namespace, Trashed::Without, unlinked > 0, &mut taken)?;
        if self.options.trash == ExportedTrash::With {
            self.memories(namespace, Trashed::Only, false, &mut taken)?;
        }
        self.edges(namespace, &taken)?;
        if !self.options.is_partial() {
            self.taught(namespace)?;
            self.sessions(namespace)?;
        }
        self.journal(namespace)?;
        self.learning(namespace)?;
        self.noted(namespace)
    }

    fn memories(
        &mut self,
        namespace: &Namespace,
        trashed: Trashed,
        some_unlinked: bool,
        taken: &mut Taken,
    ) -> Result<(), Error> {
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let filter = self.options.filter.clone();
        let mut query =
            ListQuery { scope, filter, trashed, order, limit: PAGE, as_kept: true, ..ListQuery::default() };
        loop {
            let unlinked = if some_unlinked { self.unlinked(&query)? } else { HashSet::new() };
            let page = self.store.list(&query)?;
            for memory in page.memories {
                if self.is_full() {
                    return Ok(());
                }
                if self.has_expired(&memory) {
                    taken.selective = true;
                    continue;
                }
                taken.last = Some((memory.trashed_at.is_some(), memory.id));
                let links = if unlinked.contains(&memory.id) { Links::Later } else { Links::Sought };
                let whole = self.whole(memory, links)?;
                self.line(&Line::Memory(Box::new(whole)))?;
                self.written.memories += 1;
            }
            (self.watch)(&self.written);
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }

    /// Those of a page whose links have not been looked for.
    fn unlinked(&self, page: &ListQuery) -> Result<HashSet<MemoryId>, Error> {
        let query = ListQuery { unlinked: true, ..page.clone() };
        Ok(self.store.list(&query)?.memories.into_iter().map(|memory| memory.id).collect())
    }

    /// What has expired from a working memory is as good as gone.
    fn has_expired(&self, memory: &Memory) -> bool {
        memory.layer == Layer::Working && memory.facets.expires_at.is_some_and(|at| at <= self.now)
    }

    fn whole(&self, memory: Memory, links: Links) -> Result<MemoryLine, Error> {
        let (namespace, id) = (&memory.namespace, memory.id);
        let versions = self.store.versions(namespace, id)?;
        let usage = self.store.usage(namespace, id)?;
        let merge = self.store.merges(namespace, id)?.into_iter().find(|merge| merge.absorbed == id);
        let (recalls, last_used_at) = usage.map_or((0, None), |(recalls, at)| (recalls, Some(at)));
        let vector = Offered::Nothing;
        Ok(MemoryLine { memory, versions, recalls, last_used_at, merge, links, vector })
    }

    fn edges(&mut self, namespace: &Namespace, taken: &Taken) -> Result<(), Error> {
        let mut after: Option<EdgeKey> = None;
        loop {
            let page = self.store.edges_after(namespace, after, PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some((last.source, last.edge_type, last.target));
            for edge in page {
                if taken.selective && !self.joins_exported(namespace, &edge, taken)? {
                    continue;
                }
                self.line(&Line::Edge(EdgeLine { namespace: namespace.clone(), edge }))?;
                self.written.edges += 1;
            }
            (self.watch)(&self.written);
        }
    }

    /// Whether both ends of an edge are in the file.
    fn joins_exported(&self, namespace: &Namespace, edge: &Edge, taken: &Taken) -> Result<bool, Error> {
        let ends = self.store.get(&Scope::Exact(namespace.clone()), &[edge.source, edge.target])?;
        let is_exported = |memory: &Memory| {
            let trashed = memory.trashed_at.is_some();
            self.options.filter.matches(memory)
                && !self.has_expired(memory)
                && (self.options.trash == ExportedTrash::With || !trashed)
                && taken.last.is_some_and(|last| (trashed, memory.id) <= last)
        };
        Ok(ends.len() == 2 && ends.iter().all(is_exported))
    }

    /// What use has taught, the earliest first.
    fn taught(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let mut after = 0;
        loop {
            let page = self.store.feedback_after(namespace, after, PAGE)?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            for (_, record) in page {
                self.line(&Line::Feedback(record))?;
            }
        }
        for set in self.store.weights(namespace)? {
            let (namespace, at, weights, reason) = (namespace.clone(), set.at, set.value, set.reason);
            self.line(&Line::Weights(WeightsLine { namespace, at, weights, reason }))?;
        }
        Ok(())
    }

    fn sessions(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let mut after: Option<String> = None;
        loop {
            let page = self.store.sessions_after(namespace, after.as_deref(), PAGE)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.name.clone());
            for session in page {
                self.line(&Line::Session(session))?;
                self.written.sessions += 1;
            }
        }
    }

    pub(super) fn line(&mut self, line: &Line) -> Result<(), Error> {
        self.buffer.clear();
        serde_json::to_writer(&mut self.buffer, line).map_err(|error| Error::Transfer(error.into()))?;
        self.buffer.push(b'\n');
        self.out.write_all(&self.buffer).map_err(Error::Transfer)
    }
}
