//! Which records of a segment are done. Room for the marks is taken when records are pushed, so that marking overwrites
//! bytes that are there: a record can be marked on a disk without a free byte.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{QueueError, files, line};

/// The mark of one record takes at most so many bytes: checksum, blank, `{"done":[…]}` with 19 digits, end of line. A
/// line for several takes less than as many single ones.
const MARK_BYTES: u64 = 48;

/// Room is taken in steps of so many bytes, so that few pushes flush a second file.
const STEP_BYTES: u64 = 4096;

/// What room is filled with: empty lines, which no reader takes for marks.
const FILLER: u8 = b'\n';

#[derive(Serialize, Deserialize)]
struct Done {
    done: Vec<u64>,
}

/// The file of marks beside a segment.
pub(crate) struct Marks {
    path: PathBuf,
    /// Where the next mark goes: after the last whole one.
    end: u64,
    /// Bytes of the file.
    length: u64,
    file: Option<File>,
    /// Done, but the mark could not be written. It is written with the next one.
    unwritten: Vec<u64>,
}

impl Marks {
    /// Those at a path, and what they say is done. A mark that was cut short or garbled does not count, and is
    /// overwritten by the next: delivering twice does no harm.
    pub(crate) fn read(path: PathBuf) -> Result<(Self, HashSet<u64>), QueueError> {
        let bytes = files::read(&path)?;
        let (mut at, mut end, mut done) = (0, 0, HashSet::new());
        for one in bytes.split_inclusive(|byte| *byte == FILLER) {
            at += one.len() as u64;
            if let Some(mark) = line::decode::<Done>(one) {
                done.extend(mark.done);
                end = at;
            }
        }
        let length = bytes.len() as u64;
        Ok((Self { path, end, length, file: None, unwritten: Vec::new() }, done))
    }

    /// None yet.
    pub(crate) fn none(path: PathBuf) -> Self {
        Self { path, end: 0, length: 0, file: None, unwritten: Vec::new() }
    }

    /// Takes room for the marks of so many records. When it returns, the room is on the disk.
    pub(crate) fn reserve(&mut self, records: u64) -> Result<(), QueueError> {
        let unwritten = self.unwritten.len() as u64;
        let needed = self.end + (records + unwritten).saturating_mul(MARK_BYTES);
        if needed <= self.length {
            return Ok(());
        }
        let (from, length) = (self.length, needed.next_multiple_of(STEP_BYTES));
        let filler = vec![FILLER; usize::try_from(length - from).unwrap_or(0)];
        let path = self.path.clone();
        let file = self.file()?;
        let written = overwrite(file, from, &filler);
        if written.is_err() {
            // Half of the room is of no use to anybody.
            if let Err(error) = file.set_len(from) {
                tracing::warn!(%error, path = %path.display(), "room for marks could not be given back");
            }
        }
        written.map_err(|error| QueueError::writing(&path, &error))?;
        self.length = length;
        Ok(())
    }

    /// Marks records, together with those that could not be marked before. What cannot be marked is remembered here:
    /// it is not delivered again unless the process ends before the next mark.
    pub(crate) fn write(&mut self, done: &[u64]) -> Result<(), QueueError> {
        self.unwritten.extend(done);
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let mark = line::encode(&Done { done: self.unwritten.clone() });
        let (end, path) = (self.end, self.path.clone());
        let file = self.file()?;
        overwrite(file, end, &mark).map_err(|error| QueueError::writing(&path, &error))?;
        self.end += mark.len() as u64;
        self.length = self.length.max(self.end);
        self.unwritten.clear();
        Ok(())
    }

    fn file(&mut self) -> Result<&mut File, QueueError> {
        if self.file.is_none() {
            let writing = |error: std::io::Error| QueueError::writing(&self.path, &error);
            let is_new = !self.path.exists();
            let opened = peri_private::file(&self.path).write(true).create(is_new).open(&self.path);
            self.file = Some(opened.map_err(writing)?);
            if is_new {
                files::sync_parent(&self.path)?;
            }
        }
        Ok(self.file.as_mut().expect("it was opened"))
    }

    /// Removes the file: the records are gone.
    pub(crate) fn remove(&self) -> Result<(), QueueError> {
        files::remove(&self.path)
    }
}

/// Writes bytes at a place and returns when they are on the disk.
fn overwrite(file: &mut File, at: u64, bytes: &[u8]) -> std::io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_way_of_marking_needs_more_room_than_was_taken(
            batches in prop::collection::vec(prop::collection::vec(0..=crate::record::NUMBER_MAX, 1..9), 1..40),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("00000001.done");
            let mut marks = Marks::none(path.clone());
            let records: usize = batches.iter().map(Vec::len).sum();
            marks.reserve(records as u64).unwrap();
            let length = std::fs::metadata(&path).unwrap().len();
            batches.iter().for_each(|batch| marks.write(batch).unwrap());
            prop_assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
            let (_, done) = Marks::read(path).unwrap();
            prop_assert_eq!(done, batches.into_iter().flatten().collect());
        }
    }
}
