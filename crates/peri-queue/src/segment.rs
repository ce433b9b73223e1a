//! One file of a queue: records in the order they were pushed, and marks of those that are done.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::line::{self, Line, each_line};
use crate::marks::Marks;
use crate::record::NUMBER_MAX;
use crate::{QueueError, Record, RecordId, files};

/// A record as it lies in the file.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    number: u64,
    id: RecordId,
    at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    again: Option<u64>,
    payload: Cow<'a, str>,
}

/// As much of it as is needed to count.
#[derive(Deserialize)]
struct Counted {
    number: u64,
    #[serde(default)]
    again: Option<u64>,
}

/// The line of a record.
pub(crate) fn encode(record: &Record) -> Vec<u8> {
    let Record { number, id, at, payload, again, .. } = record;
    line::encode(&Kept { number: *number, id: *id, at: *at, again: *again, payload: Cow::Borrowed(payload) })
}

fn decode(line: &Line<'_>) -> Option<Record> {
    let kept: Kept<'_> = line::decode(line.bytes)?;
    let Kept { number, id, at, again, payload } = Some(kept).filter(|kept| kept.number <= NUMBER_MAX)?;
    let bytes = line.bytes.len() as u64;
    let (payload, attempts, last_error, next_try) = (payload.into(), 0, None, None);
    Some(Record { number, id, at, payload, attempts, last_error, next_try, bytes, again })
}

/// A line that is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Damaged {
    /// In which segment.
    pub(crate) segment: u64,
    /// Where in it.
    pub(crate) offset: u64,
    /// What is there, as text if it is one...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// ...and in hexadecimal digits if not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hex: Option<String>,
}

impl Damaged {
    fn of(segment: u64, line: &Line<'_>) -> Self {
        let text = std::str::from_utf8(line.bytes).ok().map(ToOwned::to_owned);
        let digits = || line.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = text.is_none().then(digits);
        Self { segment, offset: line.offset, text, hex }
    }
}

/// What was found in a segment when it was opened.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Lines that are not what was written.
    pub(crate) damaged: Vec<Damaged>,
    /// Bytes of a last line that was never finished.
    pub(crate) torn: u64,
    /// Dead letters that came back, by the numbers they had.
    pub(crate) again: Vec<u64>,
}

/// One file of a queue.
pub(crate) struct Segment {
    /// Its place among the segments.
    pub(crate) number: u64,
    path: PathBuf,
    marks: Marks,
    /// Bytes of whole records.
    pub(crate) length: u64,
    /// The numbers of its first and last record.
    numbers: Option<(u64, u64)>,
    /// How many records wait, and how many bytes they take.
    pub(crate) waiting: u64,
    pub(crate) bytes: u64,
    done: HashSet<u64>,
    /// For appending.
    file: Option<Arc<File>>,
}

impl Segment {
    /// Begins a new one. An empty file in its place was left by a try that could not be made durable, and is taken.
    pub(crate) fn create(folder: &Path, number: u64) -> Result<Self, QueueError> {
        let mut segment = Self::at(folder, number);
        let writing = |error: std::io::Error| QueueError::writing(&segment.path, &error);
        let file = peri_private::file(&segment.path).write(true).create(true).open(&segment.path);
        let file = file.map_err(writing)?;
        if file.metadata().map_err(writing)?.len() > 0 {
            return Err(writing(std::io::ErrorKind::AlreadyExists.into()));
        }
        files::sync_folder(folder)?;
        segment.file = Some(Arc::new(file));
        Ok(segment)
    }

    fn at(folder: &Path, number: u64) -> Self {
        Self {
            number,
            path: files::segment(folder, number),
            marks: Marks::none(files::done(folder, number)),
            length: 0,
            numbers: None,
            waiting: 0,
            bytes: 0,
            done: HashSet::new(),
            file: None,
        }
    }

    /// Looks through one that is there. What of it cannot be read is told.
    pub(crate) fn open(folder: &Path, number: u64) -> Result<(Self, Found), QueueError> {
        let mut segment = Self::at(folder, number);
        (segment.marks, segment.done) = Marks::read(files::done(folder, number))?;
        let reading = |error: std::io::Error| QueueError::reading(&files::segment(folder, number), &error);
        let file = peri_private::open(&segment.path).map_err(reading)?;
        let mut found = Found::default();
        let each = |line: Line<'_>| {
            segment.look_at(&line, &mut found);
            ControlFlow::Continue(())
        };
        each_line(BufReader::new(file), 0, each).map_err(reading)?;
        Ok((segment, found))
    }

    fn look_at(&mut self, line: &Line<'_>, found: &mut Found) {
        if line.is_torn() {
            found.torn = line.bytes.len() as u64;
            return;
        }
        self.length = line.offset + line.bytes.len() as u64;
        let counted = line::decode(line.bytes).filter(|counted: &Counted| counted.number <= NUMBER_MAX);
        let Some(Counted { number, again }) = counted else {
            found.damaged.push(Damaged::of(self.number, line));
            return;
        };
        self.note(number);
        if !self.done.contains(&number) {
            self.waiting += 1;
            self.bytes += line.bytes.len() as u64;
            found.again.extend(again);
        }
    }

    fn note(&mut self, number: u64) {
        let (first, last) = self.numbers.unwrap_or((number, number));
        self.numbers = Some((first.min(number), last.max(number)));
    }

    /// Cuts away what follows the last whole line.
    pub(crate) fn cut(&self) -> Result<(), QueueError> {
        let cut = peri_private::file(&self.path).write(true).open(&self.path).and_then(|file| {
            file.set_len(self.length)?;
            file.sync_all()
        });
        cut.map_err(|error| QueueError::writing(&self.path, &error))
    }

    /// The number of its last record.
    pub(crate) fn last_number(&self) -> Option<u64> {
        self.numbers.map(|(_, last)| last)
    }

    /// Whether a record is or was here.
    pub(crate) fn spans(&self, number: u64) -> bool {
        self.numbers.is_some_and(|(first, last)| (first..=last).contains(&number))
    }

    /// Whether it holds a record that waits.
    pub(crate) fn holds(&self, number: u64) -> bool {
        self.spans(number) && !self.done.contains(&number)
    }

    /// What to append so many records with. Room for marking them is taken first: what is on the disk can be marked.
    pub(crate) fn appender(&mut self, records: u64) -> Result<Appender, QueueError> {
        self.marks.reserve(self.waiting + records)?;
        let file = match &self.file {
            Some(file) => Arc::clone(file),
            None => {
                let file = peri_private::file(&self.path).write(true).open(&self.path);
                let file = Arc::new(file.map_err(|error| QueueError::writing(&self.path, &error))?);
                self.file = Some(Arc::clone(&file));
                file
            }
        };
        Ok(Appender { file, path: self.path.clone(), from: self.length })
    }

    /// Counts a record that was appended.
    pub(crate) fn accept(&mut self, record: &Record) {
        self.note(record.number);
        self.length += record.bytes;
        self.waiting += 1;
        self.bytes += record.bytes;
    }

    /// Records that wait, from a place on. Returns where to go on, and what could not be read.
    pub(crate) fn read(
        &self,
        from: u64,
        mut take: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(u64, Vec<Damaged>), QueueError> {
        let reading = |error: std::io::Error| QueueError::reading(&self.path, &error);
        let mut file = peri_private::open(&self.path).map_err(reading)?;
        file.seek(SeekFrom::Start(from)).map_err(reading)?;
        let (mut end, mut damaged) = (from, Vec::new());
        let each = |line: Line<'_>| {
            end = line.offset + line.bytes.len() as u64;
            match decode(&line) {
                Some(record) if self.done.contains(&record.number) => ControlFlow::Continue(()),
                Some(record) => take(record),
                None => {
                    damaged.push(Damaged::of(self.number, &line));
                    ControlFlow::Continue(())
                }
            }
        };
        let whole = file.take(self.length.saturating_sub(from));
        each_line(BufReader::new(whole), from, each).map_err(reading)?;
        Ok((end, damaged))
    }

    /// How many bytes the line of a record takes that is not in memory.
    pub(crate) fn bytes_of(&self, number: u64) -> Result<u64, QueueError> {
        let mut bytes = 0;
        self.read(0, |record| {
            if record.number == number {
                bytes = record.bytes;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Ok(bytes)
    }

    /// Notes that a record is done, in memory alone.
    pub(crate) fn set_done(&mut self, number: u64, bytes: u64) {
        if self.done.insert(number) {
            self.waiting = self.waiting.saturating_sub(1);
            self.bytes = self.bytes.saturating_sub(bytes);
        }
    }

    /// Counts one fewer: its line was found to be damaged after it had been counted.
    pub(crate) fn lose(&mut self, bytes: u64) {
        self.waiting = self.waiting.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    /// Marks records as done on the disk.
    pub(crate) fn mark_done(&mut self, done: &[u64]) -> Result<(), QueueError> {
        self.marks.write(done)
    }

    /// Removes the files: nothing in them waits any more.
    pub(crate) fn remove(&self) -> Result<(), QueueError> {
        // Marks without their records mean nothing; records without their marks would be delivered again.
        files::remove(&self.path)?;
        files::sync_parent(&self.path)?;
        self.marks.remove()
    }
}

/// Appends to a segment without holding up those who read it.
pub(crate) struct Appender {
    file: Arc<File>,
    path: PathBuf,
    from: u64,
}

impl Appender {
    /// Writes bytes at the end and returns when they are on the disk. What could not be written whole is taken back.
    pub(crate) fn append(&self, bytes: &[u8]) -> Result<(), QueueError> {
        let mut file: &File = &self.file;
        let mut write = || {
            file.seek(SeekFrom::Start(self.from))?;
            file.write_all(bytes)?;
            file.sync_data()
        };
        write().map_err(|error| {
            if let Err(error) = self.file.set_len(self.from) {
                tracing::warn!(%error, path = %self.path.display(), "half a record could not be taken back");
            }
            QueueError::writing(&self.path, &error)
        })
    }
}
