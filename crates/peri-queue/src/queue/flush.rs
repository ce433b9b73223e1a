//! Pushing: whoever comes while a flush is under way shares the next one.

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::MutexGuard;

use super::{Queue, State};
use crate::segment::{self, Appender, Segment};
use crate::window::Place;
use crate::{QueueError, Record, RecordId};

impl Queue {
    /// Adds a record at the end and returns when it is on the disk. If that fails nothing of it is kept.
    pub fn push(&self, id: RecordId, at: Timestamp, payload: impl Into<Arc<str>>) -> Result<(), QueueError> {
        self.push_again(id, at, payload.into(), None)
    }

    /// The same for a dead letter that gets another chance.
    pub(super) fn push_again(
        &self,
        id: RecordId,
        at: Timestamp,
        payload: Arc<str>,
        again: Option<u64>,
    ) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        let number = state.next;
        state.next += 1;
        let (attempts, last_error, next_try, bytes) = (0, None, None, 0);
        state.pushed.push(Record { number, id, at, payload, attempts, last_error, next_try, bytes, again });
        loop {
            if let Some(outcome) = state.flushes.remove(&number) {
                return outcome;
            }
            if state.flushing {
                self.flushed.wait(&mut state);
            } else {
                self.flush(&mut state);
            }
        }
    }

    /// Writes everything that was pushed so far.
    fn flush(&self, state: &mut MutexGuard<'_, State>) {
        state.flushing = true;
        let mut records = std::mem::take(&mut state.pushed);
        let outcome = state.segment_to_append(self, records.len() as u64).and_then(|appender| {
            MutexGuard::unlocked(state, || {
                let mut bytes = Vec::new();
                for record in &mut records {
                    let line = segment::encode(record);
                    record.bytes = line.len() as u64;
                    bytes.extend_from_slice(&line);
                }
                appender.append(&bytes)
            })
        });
        for record in records {
            state.flushes.insert(record.number, outcome.clone());
            if outcome.is_ok() {
                state.accept(record);
            }
        }
        state.flushing = false;
        self.flushed.notify_all();
    }
}

impl State {
    fn segment_to_append(&mut self, queue: &Queue, records: u64) -> Result<Appender, QueueError> {
        let full = |segment: &Segment| segment.length >= queue.settings.segment_bytes;
        if self.segments.back().is_none_or(full) {
            let segment = Segment::create(&queue.folder, self.next_segment)?;
            self.next_segment += 1;
            self.segments.push_back(segment);
        }
        self.segments.back_mut().expect("there is one now").appender(records)
    }

    /// Takes in a record that is on the disk.
    fn accept(&mut self, record: Record) {
        let Some(segment) = self.segments.back_mut() else { return };
        let begins = Place { segment: segment.number, offset: segment.length };
        segment.accept(&record);
        // What follows directly on what is in memory may be held too.
        let follows =
            self.window.next == begins || (begins.offset == 0 && self.has_read_before(begins.segment));
        if follows && self.window.has_room() {
            self.window.next = Place { offset: begins.offset + record.bytes, ..begins };
            self.window.push(record);
        }
    }
    /// Whether all that lies before a segment is in memory or done.
    fn has_read_before(&self, segment: u64) -> bool {
        let next = self.window.next;
        let mut unread = self.segments.iter().filter(|one| (next.segment..segment).contains(&one.number));
        unread.all(|one| one.length == 0 || (one.number == next.segment && next.offset >= one.length))
    }
}
