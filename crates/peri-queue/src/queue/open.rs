//! Creating a queue, taking over one that is there, and leaving it.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use parking_lot::{Condvar, Mutex};

use super::{Counted, Queue, State, Trial};
use crate::backoff::Backoff;
use crate::dead::DeadLetters;
use crate::record::NUMBER_MAX;
use crate::segment::{Damaged, Segment};
use crate::window::Window;
use crate::{QueueError, QueueSettings, RecordId, files, line};

impl Queue {
    /// A new queue of this process, in a folder of its own below `root`.
    pub fn create(root: &Path, settings: QueueSettings, now: Timestamp) -> Result<Self, QueueError> {
        let (folder, lock) = files::create(root, &RecordId::generate(now).to_string())?;
        Self::open(folder, lock, settings)
    }

    /// The queue in a folder whose process is gone; none if that is still running.
    pub fn take_over(folder: &Path, settings: QueueSettings) -> Result<Option<Self>, QueueError> {
        let Some(lock) = files::take_over(folder)? else { return Ok(None) };
        Self::open(folder.to_owned(), lock, settings).map(Some)
    }

    fn open(folder: PathBuf, lock: File, settings: QueueSettings) -> Result<Self, QueueError> {
        let mut state = State::read(&folder, &settings)?;
        state.put_right()?;
        state.tidy()?;
        let state = Mutex::new(state);
        Ok(Self { folder, settings, state, flushed: Condvar::new(), _lock: lock })
    }

    /// Leaves the queue. Nothing is left on the disk if nothing waits and nothing is dead or damaged.
    pub fn close(self) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        state.tidy()?;
        let holds_nothing = state.depth() == 0 && state.dead.count() == 0 && state.damaged.is_empty();
        drop(state);
        if holds_nothing { files::remove_folder(&self.folder) } else { Ok(()) }
    }
}

impl State {
    fn read(folder: &Path, settings: &QueueSettings) -> Result<Self, QueueError> {
        let (dead, damaged_dead) = DeadLetters::open(folder)?;
        let numbers = files::segments(folder)?;
        let mut state = Self {
            segments: VecDeque::new(),
            leaving: VecDeque::new(),
            next_segment: 1,
            window: Window::new(settings, 0),
            next: dead.last_number + 1,
            pushed: Vec::new(),
            flushing: false,
            flushes: HashMap::new(),
            trial: serde_json::from_slice::<Trial>(&files::read(&folder.join(files::STATE))?)
                .unwrap_or_default(),
            backoff: Backoff::new(settings),
            dead,
            unburied: Vec::new(),
            trouble: None,
            damaged: damaged_before(folder)?,
            reports: Vec::new(),
        };
        // What was damaged in files that are gone must not be taken for damage in those that follow.
        let last_damaged = state.damaged.iter().map(|(segment, _)| *segment).max().unwrap_or(0);
        state.next_segment = numbers.last().copied().unwrap_or(0).max(last_damaged.min(NUMBER_MAX)) + 1;
        for mark in files::marked(folder)?.into_iter().filter(|mark| !numbers.contains(mark)) {
            files::remove(&files::done(folder, mark))?;
        }
        for number in numbers {
            state.read_segment(folder, number)?;
        }
        for (place, bytes) in damaged_dead.into_iter().enumerate() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            // Segments are counted from one.
            let offset = state.damaged.len() as u64 + place as u64;
            let damaged = Damaged { segment: 0, offset, text: Some(text), hex: None };
            state.put_aside(folder, vec![damaged], Counted::No)?;
        }
        // How a record fared that is gone says nothing of one that gets its number.
        let is_held = |number| state.segments.iter().any(|segment| segment.holds(number));
        if !state.trial.number.is_some_and(is_held) {
            state.trial = Trial::default();
            files::remove(&folder.join(files::STATE))?;
        }
        Ok(state)
    }

    fn read_segment(&mut self, folder: &Path, number: u64) -> Result<(), QueueError> {
        let (segment, found) = Segment::open(folder, number)?;
        if found.torn > 0 {
            segment.cut()?;
            self.reports.push(format!(
                "the queue at {} ended within a record; {} bytes that nobody was promised were cut away",
                folder.display(),
                found.torn
            ));
        }
        self.next = self.next.max(segment.last_number().unwrap_or(0) + 1);
        self.segments.push_back(segment);
        self.put_aside(folder, found.damaged, Counted::No)?;
        for number in found.again {
            // A crash came between putting it back and letting it go.
            self.dead.remove(number)?;
        }
        Ok(())
    }

    /// Takes those out that lie among the dead letters: a crash came before they were marked.
    fn put_right(&mut self) -> Result<(), QueueError> {
        let dead: Vec<u64> =
            self.dead.numbers().filter(|number| self.segments.iter().any(|one| one.holds(*number))).collect();
        self.leave(&dead)
    }
}

/// What was put aside before, by segment and offset.
fn damaged_before(folder: &Path) -> Result<HashSet<(u64, u64)>, QueueError> {
    let path = folder.join(files::DAMAGED);
    let bytes = files::read(&path)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    if whole < bytes.len() {
        files::replace(&path, &bytes[..whole])?;
    }
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter_map(line::decode::<Damaged>);
    Ok(lines.map(|one| (one.segment, one.offset)).collect())
}
