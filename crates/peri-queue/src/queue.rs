//! One process's queue.

mod change;
mod flush;
mod open;

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use parking_lot::{Condvar, Mutex};
use serde::{Deserialize, Serialize};

use crate::backoff::Backoff;
use crate::dead::DeadLetters;
use crate::segment::{Damaged, Segment};
use crate::window::{Place, Window};
use crate::{DeadLetter, QueueError, QueueSettings, Record, Stats, files, line};

/// Why a record could not be delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How bad that is.
    pub severity: Severity,
    /// What was said, for a person.
    pub reason: String,
}

/// How bad a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It passes: the store does not answer. The record waits, and all after it.
    Passing,
    /// Nobody can say. The record waits, but not for ever.
    Unclear,
    /// The record was refused, and trying again would not help.
    Final,
}

/// What becomes of a record that could not be delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is tried again.
    Waits {
        /// Not before this time.
        until: Timestamp,
    },
    /// It lies among the dead letters.
    Dead,
}

/// A durable queue in a folder that this process holds. All methods may be called by several threads at once.
pub struct Queue {
    folder: PathBuf,
    settings: QueueSettings,
    state: Mutex<State>,
    flushed: Condvar,
    /// Held until the queue is dropped.
    _lock: File,
}

struct State {
    /// The oldest first; the last one is appended to.
    segments: VecDeque<Segment>,
    /// Those of which nothing waits and whose files could not be removed yet.
    leaving: VecDeque<Segment>,
    next_segment: u64,
    window: Window,
    /// The number that the next record gets.
    next: u64,
    /// Records that wait for their flush...
    pushed: Vec<Record>,
    /// ...which somebody is making...
    flushing: bool,
    /// ...and what came of it.
    flushes: HashMap<u64, Result<(), QueueError>>,
    trial: Trial,
    backoff: Backoff,
    dead: DeadLetters,
    /// Dead letters for which the disk has no room: their records stay where they are until it has.
    unburied: Vec<DeadLetter>,
    /// Why the queue's files could not be written last; none once they can.
    trouble: Option<QueueError>,
    /// Lines that were put aside, by segment and offset.
    damaged: HashSet<(u64, u64)>,
    /// What was found to be wrong and nobody was told of yet.
    reports: Vec<String>,
}

/// How the first record fares. It is kept beside the records, so that others can look and a restart goes on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// Which record, by its number: one that is put back after it was given up begins anew.
    pub(crate) number: Option<u64>,
    pub(crate) attempts: u32,
    pub(crate) last_error: Option<String>,
    pub(crate) next_try: Option<Timestamp>,
}

impl Trial {
    /// How the record fares.
    pub(crate) fn told(&self, mut record: Record) -> Record {
        if self.number == Some(record.number) {
            (record.attempts, record.next_try) = (self.attempts, self.next_try);
            record.last_error.clone_from(&self.last_error);
        }
        record
    }
}

impl Queue {
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.depth() == 0
    }

    /// How many records wait.
    pub fn depth(&self) -> u64 {
        self.state.lock().depth()
    }

    /// Up to so many records from the front, and up to so many bytes of payload, but at least one if one waits.
    pub fn peek(&self, records_max: usize, bytes_max: usize) -> Result<Vec<Record>, QueueError> {
        let mut state = self.state.lock();
        state.fill(&self.folder)?;
        let mut bytes = 0;
        let mut fits = |record: &&Record| {
            let first = bytes == 0;
            bytes += record.payload.len().max(1);
            first || bytes <= bytes_max
        };
        let front = state.window.records.iter().take(records_max.max(1)).take_while(|record| fits(record));
        Ok(front.cloned().map(|record| state.trial.told(record)).collect())
    }

    /// When the first record may be tried; none if it may be at once or if nothing waits.
    pub fn next_try(&self) -> Option<Timestamp> {
        let state = self.state.lock();
        state.window.records.front().and_then(|first| state.trial.told(first.clone()).next_try)
    }

    /// Up to so many records that wait, in their order.
    pub fn list(&self, limit: usize) -> Result<Vec<Record>, QueueError> {
        let mut state = self.state.lock();
        let mut listed: Vec<Record> = state.window.records.iter().take(limit).cloned().collect();
        state.read_on(&self.folder, |record| {
            if listed.len() < limit {
                listed.push(record);
            }
            if listed.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(listed.into_iter().map(|record| state.trial.told(record)).collect())
    }

    /// The first so many dead letters.
    pub fn dead_letters(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        let state = self.state.lock();
        let mut letters = state.dead.list(limit)?;
        letters.extend(state.unburied.iter().take(limit - letters.len()).cloned());
        Ok(letters)
    }

    /// What it holds, in figures.
    pub fn stats(&self) -> Stats {
        let mut state = self.state.lock();
        if let Err(error) = state.fill(&self.folder) {
            tracing::warn!(%error, "the front of the queue cannot be read");
        }
        let first = state.window.records.front().cloned().map(|record| state.trial.told(record));
        Stats {
            depth: state.depth(),
            bytes: state.segments.iter().map(|segment| segment.bytes).sum(),
            oldest_at: first.as_ref().map(|first| first.at),
            dead: state.dead.count() + state.unburied.len() as u64,
            damaged: state.damaged.len() as u64,
            attempts: first.as_ref().map_or(0, |first| first.attempts),
            next_try: first.as_ref().and_then(|first| first.next_try),
            last_error: first.and_then(|first| first.last_error),
            trouble: state.trouble.clone(),
        }
    }

    /// What was found to be wrong with the files, in words for a person, each told once.
    pub fn take_reports(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().reports)
    }
}

impl State {
    fn depth(&self) -> u64 {
        self.segments.iter().map(|segment| segment.waiting).sum()
    }

    /// Makes sure that the first record, if there is one, is in memory, together with as many as may be.
    fn fill(&mut self, folder: &Path) -> Result<(), QueueError> {
        if !self.window.records.is_empty() {
            return Ok(());
        }
        loop {
            let from = self.window.next;
            let Some(segment) = self.segments.iter().find(|segment| segment.number >= from.segment) else {
                return Ok(());
            };
            let offset = if segment.number == from.segment { from.offset } else { 0 };
            let number = segment.number;
            let into = &mut self.window;
            let (end, damaged) = segment.read(offset, |record| {
                into.push(record);
                if into.has_room() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            let finished = end >= segment.length;
            self.window.next = Place { segment: number, offset: end };
            self.put_aside(folder, damaged, Counted::Yes)?;
            let is_last = self.segments.back().is_none_or(|last| last.number == number);
            if !self.window.has_room() || is_last {
                return Ok(());
            }
            if finished {
                self.window.next = Place { segment: number + 1, offset: 0 };
            }
        }
    }

    /// Goes through the records that are not in memory.
    fn read_on(
        &mut self,
        folder: &Path,
        mut take: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), QueueError> {
        let (next, mut found, mut enough) = (self.window.next, Vec::new(), false);
        for segment in self.segments.iter().filter(|segment| segment.number >= next.segment) {
            let offset = if segment.number == next.segment { next.offset } else { 0 };
            let (_, damaged) = segment.read(offset, |record| {
                let flow = take(record);
                enough |= flow.is_break();
                flow
            })?;
            found.extend(damaged);
            if enough {
                break;
            }
        }
        self.put_aside(folder, found, Counted::Yes)
    }

    /// Keeps lines that are not what was written, each once.
    fn put_aside(
        &mut self,
        folder: &Path,
        damaged: Vec<Damaged>,
        counted: Counted,
    ) -> Result<(), QueueError> {
        for one in damaged {
            let place = (one.segment, one.offset);
            if self.damaged.contains(&place) {
                continue;
            }
            files::append(&folder.join(files::DAMAGED), &line::encode(&one))?;
            self.damaged.insert(place);
            self.reports.push(format!(
                "a line of the queue at {} is damaged and was put aside in {}; what it held was not delivered",
                folder.display(),
                files::DAMAGED
            ));
            let segment = self.segments.iter_mut().find(|segment| segment.number == one.segment);
            if let (Counted::Yes, Some(segment)) = (counted, segment) {
                let bytes = one.text.map_or(one.hex.map_or(0, |hex| hex.len() / 2), |text| text.len());
                segment.lose(bytes as u64);
            }
        }
        Ok(())
    }

    /// When a record is tried again after a failure.
    fn put_off(&mut self, record: &Record, reason: String, now: Timestamp) -> Timestamp {
        let attempts = record.attempts.saturating_add(1);
        let wait = SignedDuration::try_from(self.backoff.wait(attempts)).unwrap_or(SignedDuration::MAX);
        let until = now.checked_add(wait).unwrap_or(Timestamp::MAX);
        self.trial =
            Trial { number: Some(record.number), attempts, last_error: Some(reason), next_try: Some(until) };
        until
    }
}

/// Whether a damaged line had been counted as one that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Yes,
    No,
}
