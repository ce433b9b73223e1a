//! What becomes of records: done, failed, dropped, or given another chance.

use std::ops::ControlFlow;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Failure, Fate, Queue, Severity, State, Trial};
use crate::window::Place;
use crate::{DeadLetter, QueueError, Record, RecordId, files};

impl Queue {
    /// Notes that records were delivered. They are not handed out again, not even after a crash.
    pub fn done(&self, numbers: &[u64]) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        state.leave(numbers)?;
        state.tidy()
    }

    /// Notes that the first record could not be delivered.
    pub fn failed(&self, number: u64, failure: Failure, now: Timestamp) -> Result<Fate, QueueError> {
        let mut state = self.state.lock();
        state.fill(&self.folder)?;
        let Some(first) = state.window.records.front().filter(|first| first.number == number).cloned() else {
            // It was dropped meanwhile.
            return Ok(Fate::Waits { until: now });
        };
        let first = state.trial.told(first);
        let Failure { severity, reason } = failure;
        let attempts_max = match severity {
            Severity::Passing => self.settings.attempts_max,
            Severity::Unclear => Some(self.settings.unclear_attempts_max),
            Severity::Final => Some(0),
        };
        if attempts_max.is_some_and(|max| first.attempts.saturating_add(1) >= max) {
            state.bury(first, reason, now)?;
            state.tidy()?;
            return Ok(Fate::Dead);
        }
        let until = state.put_off(&first, reason, now);
        let told = serde_json::to_vec(&state.trial).unwrap_or_default();
        // Whoever looks from outside would like to know; nothing depends on it.
        if let Err(error) = peri_private::write(&self.folder.join(files::STATE), &told) {
            tracing::debug!(%error, "how the queue fares could not be noted");
        }
        Ok(Fate::Waits { until })
    }

    /// Lets the first record be tried at once, whatever wait it was given.
    pub fn hurry(&self) {
        self.state.lock().trial.next_try = None;
    }

    /// Puts a dead letter back at the end of the queue.
    pub fn replay(&self, id: RecordId) -> Result<(), QueueError> {
        let letters = self.dead_letters(usize::MAX)?;
        let letter = letters.into_iter().find(|letter| letter.id == id).ok_or(QueueError::NoRecord { id })?;
        self.give_another_chance(letter)
    }

    /// Puts all dead letters back at the end of the queue, the oldest first. How many those were.
    pub fn replay_all(&self) -> Result<u64, QueueError> {
        let letters = self.dead_letters(usize::MAX)?;
        let count = letters.len() as u64;
        letters.into_iter().try_for_each(|letter| self.give_another_chance(letter))?;
        Ok(count)
    }

    fn give_another_chance(&self, letter: DeadLetter) -> Result<(), QueueError> {
        let DeadLetter { number, id, at, payload, .. } = letter;
        // In this order a crash in between leaves it in both places, which opening puts right.
        self.push_again(id, at, Arc::from(payload), Some(number))?;
        self.state.lock().let_go(number)
    }

    /// Drops what waits under an id, or the dead letter with it.
    pub fn drop_one(&self, id: RecordId) -> Result<(), QueueError> {
        let mut state = self.state.lock();
        if let Some(number) = state.number_of_dead(id) {
            return state.let_go(number);
        }
        let mut found =
            state.window.records.iter().find(|record| record.id == id).map(|record| record.number);
        if found.is_none() {
            state.read_on(&self.folder, |record| {
                if record.id == id {
                    found = Some(record.number);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
        }
        let number = found.ok_or(QueueError::NoRecord { id })?;
        state.leave(&[number])?;
        state.tidy()
    }

    /// Drops everything that waits. How many records those were.
    pub fn drop_waiting(&self) -> Result<u64, QueueError> {
        let mut state = self.state.lock();
        let mut numbers: Vec<u64> = state.window.records.iter().map(|record| record.number).collect();
        state.read_on(&self.folder, |record| {
            numbers.push(record.number);
            ControlFlow::Continue(())
        })?;
        state.leave(&numbers)?;
        state.tidy()?;
        Ok(numbers.len() as u64)
    }

    /// Drops all dead letters. How many those were.
    pub fn drop_dead(&self) -> Result<u64, QueueError> {
        let mut state = self.state.lock();
        let unwritten: Vec<u64> = state.unburied.iter().map(|letter| letter.number).collect();
        unwritten.iter().try_for_each(|number| state.let_go(*number))?;
        Ok(state.dead.clear()? + unwritten.len() as u64)
    }
}

impl State {
    /// Puts a record among the dead letters and takes it out of the queue. On a disk without room the letter stays in
    /// memory and its record in its file, and those behind it go on: after a restart it is tried once more.
    fn bury(&mut self, record: Record, reason: String, now: Timestamp) -> Result<(), QueueError> {
        let Record { number, id, at, payload, attempts, .. } = record;
        let (payload, attempts) = (payload.to_string(), attempts.saturating_add(1));
        let letter = DeadLetter { number, id, at, payload, attempts, reason, died_at: now };
        match self.dead.add(&letter) {
            Ok(()) => self.leave(&[number]),
            Err(error) => {
                self.note(&error);
                self.unburied.push(letter);
                self.leave_in_memory(&[number])
            }
        }
    }

    /// Writes the dead letters for which there was no room.
    fn bury_late(&mut self) {
        while let Some(letter) = self.unburied.first() {
            let number = letter.number;
            if let Err(error) = self.dead.add(letter) {
                self.note(&error);
                return;
            }
            self.unburied.remove(0);
            self.mark(&[number]);
        }
    }

    /// The number of the dead letter with this id.
    fn number_of_dead(&self, id: RecordId) -> Option<u64> {
        let unwritten = self.unburied.iter().find(|letter| letter.id == id).map(|letter| letter.number);
        unwritten.or_else(|| self.dead.number_of(id))
    }

    /// Lets a dead letter go.
    fn let_go(&mut self, number: u64) -> Result<(), QueueError> {
        match self.unburied.iter().position(|letter| letter.number == number) {
            Some(at) => {
                self.unburied.remove(at);
                self.mark(&[number]);
                self.tidy()
            }
            None => self.dead.remove(number),
        }
    }

    /// Takes records out of the queue, first on the disk and then in memory. A segment of which nothing is left needs
    /// no marks: its file goes. Marks that cannot be written keep nobody waiting: what is done is not handed out again
    /// by this process, and what another one would deliver again is told by its id.
    pub(super) fn leave(&mut self, numbers: &[u64]) -> Result<(), QueueError> {
        for at in 0..self.segments.len() {
            let segment = &self.segments[at];
            let own: Vec<u64> = numbers.iter().copied().filter(|number| segment.holds(*number)).collect();
            if own.is_empty() {
                continue;
            }
            if (own.len() as u64) < segment.waiting || self.is_being_appended(at) || self.is_needed(at) {
                self.mark(&own);
            }
            self.leave_in_memory(&own)?;
        }
        Ok(())
    }

    /// Marks records as done on the disk, or notes why that is not possible.
    fn mark(&mut self, numbers: &[u64]) {
        for at in 0..self.segments.len() {
            let segment = &mut self.segments[at];
            let own: Vec<u64> = numbers.iter().copied().filter(|number| segment.spans(*number)).collect();
            if own.is_empty() {
                continue;
            }
            match segment.mark_done(&own) {
                Ok(()) => self.trouble = None,
                Err(error) => self.note(&error),
            }
        }
    }

    fn leave_in_memory(&mut self, numbers: &[u64]) -> Result<(), QueueError> {
        for number in numbers {
            let Some(at) = self.segments.iter().position(|segment| segment.holds(*number)) else { continue };
            let record = self.window.remove(*number);
            let segment = &mut self.segments[at];
            let bytes = match &record {
                Some(record) => record.bytes,
                None => segment.bytes_of(*number)?,
            };
            segment.set_done(*number, bytes);
            if record.is_some_and(|record| self.trial.number == Some(record.number)) {
                self.trial = Trial::default();
            }
        }
        Ok(())
    }

    /// Whether a segment holds a record that lies nowhere else: its dead letter could not be written yet.
    fn is_needed(&self, at: usize) -> bool {
        self.unburied.iter().any(|letter| self.segments[at].spans(letter.number))
    }

    /// Notes what is the matter with the queue's own files.
    fn note(&mut self, error: &QueueError) {
        if self.trouble.is_none() {
            tracing::error!(%error, "the queue's files cannot be written; what is delivered is known in memory alone");
        }
        self.trouble = Some(error.clone());
    }

    fn is_being_appended(&self, at: usize) -> bool {
        self.flushing && at + 1 == self.segments.len()
    }

    /// Removes the files of which nothing waits any more. One that cannot be removed whole is no longer part of the
    /// queue all the same: nothing may be appended to a file whose name is gone.
    pub(super) fn tidy(&mut self) -> Result<(), QueueError> {
        self.bury_late();
        let mut at = 0;
        while at < self.segments.len() {
            if self.segments[at].waiting > 0 || self.is_being_appended(at) || self.is_needed(at) {
                at += 1;
                continue;
            }
            self.leaving.extend(self.segments.remove(at));
        }
        if self.segments.is_empty() {
            self.window.clear(Place { segment: self.next_segment, offset: 0 });
        }
        while let Some(oldest) = self.leaving.front() {
            oldest.remove()?;
            self.leaving.pop_front();
        }
        Ok(())
    }
}
