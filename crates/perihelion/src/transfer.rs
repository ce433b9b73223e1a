//! Everything out and in again: memories with their history, usage and merges, edges, sessions.
//!
//! One JSON object a line, each with what it is under `record`. The bytes depend on what is stored and on nothing
//! else, so that exporting an import gives the same file. Vectors are not written: the import makes them anew.

mod line;

use std::collections::HashMap;
use std::io::{BufRead, Read as IoRead, Write as IoWrite};

use peri_store::{
    Adopted, Embedding, FeedbackRecord, ListQuery, Missing, OnConflict, Order, Trashed, WeightSet,
    WholeMemory, Write, Written,
};
use peri_types::{EdgeType, Happening, Memory, Namespace, Scope};
use serde::Serialize;

use crate::engine::{Core, Perihelion};
use crate::{Error, RedactedSecret, Redaction};

use self::line::{Line, MemoryLine, is_zero};

/// The format of the lines, which only ever grows.
const FORMAT: u32 = 1;

/// Memories are read and written so many at a time...
const PAGE: usize = 256;
/// ...or fewer, when their lines have so many bytes together.
const PAGE_BYTES: usize = 8 * 1024 * 1024;
const EDGES: usize = 1024;
/// Why a line is refused is told in so many characters: what is wrong with it may be as long as the line.
const REASON_CHARS_MAX: usize = 300;

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
}

/// How to import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportOptions {
    /// What to do with a memory whose id is here already.
    pub on_conflict: OnConflict,
    /// Lines of other namespaces are refused. Everything is taken unless set.
    pub within: Scope,
    /// Longest line, in bytes; a longer one ends the import. A memory brings its whole history in one line, so there
    /// is no bound unless set.
    pub line_bytes_max: usize,
    /// So many refused lines are listed, further ones only counted. All are listed unless set.
    pub refused_listed_max: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            on_conflict: OnConflict::default(),
            within: Scope::All,
            line_bytes_max: usize::MAX,
            refused_listed_max: usize::MAX,
        }
    }
}

/// What was imported.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Imported {
    /// Memories that are new here.
    pub added: u64,
    /// Memories that replaced those with their ids.
    pub replaced: u64,
    /// Memories that were here already, by their id or by what they say.
    pub known: u64,
    /// Edges that are here now.
    pub edges: u64,
    /// Sessions that were read.
    pub sessions: u64,
    /// Lines that could not be taken, with the reason; the rest is kept.
    pub refused: Vec<(u64, String)>,
    /// Lines that could not be taken beyond those that are listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused_unlisted: u64,
    /// Secrets that were taken out before anything was stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

impl Perihelion {
    /// Writes everything of a scope, line by line.
    pub fn export(&self, scope: &Scope, out: &mut dyn IoWrite) -> Result<Exported, Error> {
        let core = &self.core;
        if !core.store.is_read_only() {
            core.usage.flush(&*core.store)?;
        }
        let mut exported = Exported::default();
        write_line(out, &Line::Header { perihelion: FORMAT })?;
        for stats in core.store.stats(scope)? {
            let namespace = stats.namespace;
            let mut sessions = core.store.sessions(&Scope::Exact(namespace.clone()), usize::MAX >> 1)?;
            if stats.memories + stats.trashed == 0 && sessions.is_empty() {
                continue;
            }
            let settled_at = stats.settled_at;
            write_line(out, &Line::Namespace { namespace: namespace.clone(), settled_at })?;
            for trashed in [Trashed::Without, Trashed::Only] {
                exported.memories += core.export_memories(&namespace, trashed, out)?;
            }
            for edge in core.store.all_edges(&namespace)? {
                write_line(out, &Line::Edge { namespace: namespace.clone(), edge })?;
                exported.edges += 1;
            }
            core.export_learned(&namespace, out)?;
            sessions.sort_by(|a, b| a.name.cmp(&b.name));
            for session in sessions {
                write_line(out, &Line::Session(session))?;
                exported.sessions += 1;
            }
        }
        out.flush().map_err(Error::Transfer)?;
        Ok(exported)
    }

    /// Reads what [`Perihelion::export`] wrote. Nothing that is here is deleted, and nothing that comes in counts as
    /// idle from before. A line that cannot be taken is told of and left out.
    pub fn import(&self, lines: &mut dyn BufRead, options: ImportOptions) -> Result<Imported, Error> {
        let mut import = Import::new(&self.core, options);
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            line.clear();
            number += 1;
            // One byte more than is allowed tells that there are too many.
            let max = (import.options.line_bytes_max as u64).saturating_add(1);
            let read =
                IoRead::take(&mut *lines, max).read_until(b'\n', &mut line).map_err(Error::Transfer)?;
            if read == 0 {
                break;
            }
            if line.len() > import.options.line_bytes_max {
                let detail = format!("it has more than the {} bytes allowed", import.options.line_bytes_max);
                return Err(Error::Import { line: number, detail });
            }
            match str::from_utf8(&line) {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => import.take(number, line)?,
                Err(_) => import.refuse(number, "it is not UTF-8")?,
            }
        }
        import.flush()?;
        import.flush_edges()?;
        let mut told = import.told;
        told.refused.sort_by_key(|(number, _)| *number);
        let what = Happening::Imported { memories: told.added + told.replaced, edges: told.edges };
        let event = peri_store::Told { namespace: None, at: self.core.now(), what };
        self.core.write(vec![Write::Tell(event)])?;
        self.core.nudge();
        Ok(told)
    }
}

impl Core {
    fn export_memories(
        &self,
        namespace: &Namespace,
        trashed: Trashed,
        out: &mut dyn IoWrite,
    ) -> Result<u64, Error> {
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let mut query =
            ListQuery { scope, trashed, order, limit: PAGE, as_kept: true, ..ListQuery::default() };
        let mut count = 0;
        loop {
            let page = self.store.list(&query)?;
            for memory in page.memories {
                write_line(out, &Line::Memory(Box::new(self.whole(memory)?)))?;
                count += 1;
            }
            query.after = page.next;
            if query.after.is_none() {
                return Ok(count);
            }
        }
    }

    /// What use has taught, the earliest first.
    fn export_learned(&self, namespace: &Namespace, out: &mut dyn IoWrite) -> Result<(), Error> {
        for record in self.store.feedback(namespace, usize::MAX >> 1)?.into_iter().rev() {
            write_line(out, &Line::Feedback(record))?;
        }
        for set in self.store.weights(namespace)? {
            let (at, weights, reason) = (set.at, set.value, set.reason);
            write_line(out, &Line::Weights { namespace: namespace.clone(), at, weights, reason })?;
        }
        Ok(())
    }

    /// Checks what comes from elsewhere as it would be checked if it was said here.
    fn check_line(&self, line: &Line) -> Result<(), Error> {
        let limits = &self.options.limits;
        match line {
            Line::Memory(line) => {
                self.check_memory(&line.memory)?;
                let contents = line.versions.iter().map(|version| version.content.as_str());
                contents.into_iter().try_for_each(|content| limits.check_content(content))?;
            }
            Line::Session(session) => limits.check_label("session", &session.name)?,
            Line::Feedback(record) => limits.check_query(&record.query)?,
            Line::Weights { reason, .. } => limits.check_content(reason)?,
            Line::Header { .. } | Line::Namespace { .. } | Line::Edge { .. } => {}
        }
        Ok(())
    }

    fn whole(&self, memory: Memory) -> Result<MemoryLine, Error> {
        let (namespace, id) = (memory.namespace.clone(), memory.id);
        let versions = self.store.versions(&namespace, id)?;
        let usage = self.store.usage(&namespace, id)?;
        let merge = self.store.merges(&namespace, id)?.into_iter().find(|merge| merge.absorbed == id);
        let (recalls, last_used_at) = usage.map_or((0, None), |(recalls, at)| (recalls, Some(at)));
        Ok(MemoryLine { memory, versions, recalls, last_used_at, merge })
    }
}

fn write_line(out: &mut dyn IoWrite, line: &Line) -> Result<(), Error> {
    let mut value = serde_json::to_value(line).map_err(|error| Error::Transfer(error.into()))?;
    // Which change last touched it is this store's own affair.
    value.as_object_mut().and_then(|object| object.remove("change"));
    serde_json::to_writer(&mut *out, &value).map_err(|error| Error::Transfer(error.into()))?;
    out.write_all(b"\n").map_err(Error::Transfer)
}

/// What is wrong with a line, without the place in it: the line's own number is told already.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}

/// An import under way.
struct Import<'a> {
    core: &'a Core,
    options: ImportOptions,
    told: Imported,
    /// Memories that are embedded and written together, with the lines they came from.
    waiting: Vec<(u64, MemoryLine)>,
    /// How long those lines are together.
    waiting_bytes: usize,
    /// Edges that are drawn together, likewise.
    edges: Vec<(u64, Write)>,
    /// What use had taught in each namespace before the import came to it.
    learned: HashMap<Namespace, Learned>,
}

/// What use has taught in a namespace.
struct Learned {
    feedback: Vec<FeedbackRecord>,
    weights: Vec<WeightSet>,
}

impl<'a> Import<'a> {
    fn new(core: &'a Core, options: ImportOptions) -> Self {
        Self {
            core,
            options,
            told: Imported::default(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            edges: Vec::new(),
            learned: HashMap::new(),
        }
    }

    fn take(&mut self, number: u64, line: &str) -> Result<(), Error> {
        let mut value: serde_json::Value = match serde_json::from_str(line) {
            Ok(value) => value,
            Err(error) => return self.refuse(number, without_place(&error)),
        };
        if let Some(object) = value.as_object_mut() {
            object.insert("change".to_owned(), 0.into());
        }
        let mut taken: Line = match serde_json::from_value(value) {
            Ok(taken) => taken,
            Err(error) => return self.refuse(number, without_place(&error)),
        };
        if let Some(namespace) = taken.namespace().filter(|own| !self.options.within.contains(own)) {
            let why = format!("{namespace} is not within {}", self.options.within);
            return self.refuse(number, why);
        }
        if let Err(error) = self.core.check_line(&taken) {
            return self.refuse(number, error.to_string());
        }
        if self.core.options.redaction == Redaction::On {
            taken.redact(&mut self.told.redacted);
        }
        match taken {
            Line::Header { perihelion } if perihelion > FORMAT => Err(Error::Import {
                line: number,
                detail: format!("it has format {perihelion}, this release knows up to {FORMAT}"),
            }),
            Line::Header { .. } => Ok(()),
            Line::Memory(memory) => {
                self.waiting.push((number, *memory));
                self.waiting_bytes += line.len();
                let full = self.waiting.len() >= PAGE || self.waiting_bytes >= PAGE_BYTES;
                if full { self.flush() } else { Ok(()) }
            }
            other => {
                self.flush()?;
                self.take_other(number, other)
            }
        }
    }

    fn refuse(&mut self, number: u64, why: impl Into<String>) -> Result<(), Error> {
        if self.told.refused.len() < self.options.refused_listed_max {
            let why: String = why.into();
            self.told.refused.push((number, why.chars().take(REASON_CHARS_MAX).collect()));
        } else {
            self.told.refused_unlisted += 1;
        }
        Ok(())
    }

    /// Embeds and writes what waits, together.
    fn flush(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        if waiting.is_empty() {
            return Ok(());
        }
        let texts: Vec<&str> = waiting.iter().map(|(_, line)| line.memory.content.as_str()).collect();
        let embeddings = self.core.embed(&texts);
        let (at, on_conflict) = (self.core.now(), self.options.on_conflict);
        let write = |(line, embedding): (MemoryLine, Embedding)| {
            let MemoryLine { memory, versions, recalls, last_used_at, merge } = line;
            let whole = Box::new(WholeMemory { memory, versions, recalls, last_used_at, embedding, merge });
            Write::Adopt { whole, on_conflict, at }
        };
        let writes = waiting.into_iter().map(|(_, line)| line).zip(embeddings).map(write).collect();
        for written in self.core.write(writes)? {
            match written {
                Written::Adopted(Adopted::Added) => self.told.added += 1,
                Written::Adopted(Adopted::Replaced) => self.told.replaced += 1,
                _ => self.told.known += 1,
            }
        }
        Ok(())
    }

    fn take_other(&mut self, number: u64, line: Line) -> Result<(), Error> {
        if self.has_learned(&line)? {
            return Ok(());
        }
        let write = match line {
            Line::Feedback(record) => Write::Judge(Box::new(record)),
            Line::Weights { namespace, at, weights, reason } => {
                Write::SetWeights { namespace, value: weights, reason, at }
            }
            Line::Namespace { namespace, settled_at: Some(settled_at) } => {
                Write::AdoptSettled { namespace, settled_at }
            }
            Line::Session(session) => {
                self.told.sessions += 1;
                Write::AdoptSession(Box::new(session))
            }
            Line::Edge { namespace, edge } => {
                if let Err(fault) = peri_graph::check_edge(&edge) {
                    return self.refuse(number, fault.to_string());
                }
                // What replaced others points to all of them, however many.
                let replaces = edge.edge_type == EdgeType::Supersedes;
                let max = if replaces { usize::MAX } else { self.core.options.graph.edges_max };
                let edges = vec![edge];
                let missing = Missing::Skipped;
                self.edges.push((number, Write::Link { namespace, edges, max, missing }));
                return if self.edges.len() >= EDGES { self.flush_edges() } else { Ok(()) };
            }
            Line::Namespace { .. } | Line::Header { .. } | Line::Memory(_) => return Ok(()),
        };
        self.core.store.write(vec![write])?;
        Ok(())
    }

    /// Draws the edges that wait, together: each call waits for the disk.
    fn flush_edges(&mut self) -> Result<(), Error> {
        let (numbers, writes): (Vec<u64>, Vec<Write>) = std::mem::take(&mut self.edges).into_iter().unzip();
        if writes.is_empty() {
            return Ok(());
        }
        for (number, written) in numbers.into_iter().zip(self.core.store.write(writes)?) {
            match written {
                Written::Linked(0) => {
                    let why = "a memory it links is not here, or has heavier edges enough";
                    self.refuse(number, why)?;
                }
                Written::Linked(count) => self.told.edges += count,
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether this very piece of what use has taught was here before.
    fn has_learned(&mut self, line: &Line) -> Result<bool, Error> {
        let (Line::Feedback(FeedbackRecord { namespace, .. }) | Line::Weights { namespace, .. }) = line
        else {
            return Ok(false);
        };
        if !self.learned.contains_key(namespace) {
            let store = &self.core.store;
            let feedback = store.feedback(namespace, usize::MAX >> 1)?;
            let weights = store.weights(namespace)?;
            self.learned.insert(namespace.clone(), Learned { feedback, weights });
        }
        let Some(known) = self.learned.get(namespace) else { return Ok(false) };
        Ok(match line {
            Line::Feedback(record) => known.feedback.contains(record),
            Line::Weights { at, weights, reason, .. } => {
                let same = |set: &WeightSet| set.at == *at && set.value == *weights && set.reason == *reason;
                known.weights.iter().any(same)
            }
            _ => false,
        })
    }
}
