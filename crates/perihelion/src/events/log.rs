//! The audit log: events as lines of JSON in a folder, for people and other programs.
//!
//! Several processes may ship to one folder; a file lock lets one at a time do it. What is in the log already
//! is read from the log itself, so a crash between writing and telling the store doubles no line. A line that
//! a crash tore stays, ended by a newline, and readers skip it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use peri_seal::{Purpose, Seal};
use peri_types::{Event, Happening, MemoryId, without_question};

use super::lines::{self, BLOCK_BYTES, LinesBackward};
use super::rotation;

const SIZE_MAX_BYTES: u64 = 10_000_000;
const GENERATIONS_MAX: u32 = 5;

/// The log in one folder. Nothing is opened between calls.
#[derive(Debug, Clone)]
pub struct AuditLog {
    folder: PathBuf,
    size_max_bytes: u64,
    generations_max: u32,
    pub(super) block_bytes: usize,
    pub(super) seal: Seal,
}

/// What became of a batch of events.
#[derive(Debug)]
pub enum Shipping {
    /// It is in the log.
    Shipped(Shipped),
    /// Another shipper is at work, and nothing was written. Try again later.
    Busy,
}

/// A batch that is in the log.
#[derive(Debug, Default)]
pub struct Shipped {
    /// The number of the last event in the log; the store need not keep events up to it for the log's sake.
    pub last_number: Option<u64>,
    /// How many events were written now; the others were there.
    pub written: usize,
    /// What an operator should look at, although the events are in the log.
    pub warnings: Vec<LogWarning>,
}

/// Something that went wrong while shipping, without stopping it.
#[derive(Debug, thiserror::Error)]
pub enum LogWarning {
    /// The log is full and could not be rotated, so it grows on. Take away what is at the path, or allow it
    /// to be written.
    #[error("the audit log could not be rotated at {path}")]
    NotRotated {
        /// Where it failed.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A file that is older than the log should reach could not be deleted. Delete it.
    #[error("{path} is older than the audit log should reach, and could not be deleted")]
    SurplusKept {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log is ahead of the store and holds another event under this number, so the events up to it were
    /// left out. The store was probably restored from a backup: move the log's files away to begin anew.
    #[error("the audit log holds another event number {number} than the store")]
    Diverged {
        /// The highest number that was left out.
        number: u64,
    },
}

impl AuditLog {
    /// The log in this folder, which is created when first shipped to.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            size_max_bytes: SIZE_MAX_BYTES,
            generations_max: GENERATIONS_MAX,
            block_bytes: BLOCK_BYTES,
            seal: Seal::default(),
        }
    }

    /// Sets how large a file may become before it is rotated; 10 MB unless set. A single line that is longer
    /// gets a file of its own.
    #[must_use]
    pub fn size_max_bytes(self, size_max_bytes: u64) -> Self {
        Self { size_max_bytes, ..self }
    }

    /// Sets how many rotated files are kept; 5 unless set.
    #[must_use]
    pub fn generations_max(self, generations_max: u32) -> Self {
        Self { generations_max, ..self }
    }

    /// Seals each line that is written; lines that are there are read either way.
    #[must_use]
    pub fn sealed(self, seal: Seal) -> Self {
        Self { seal, ..self }
    }

    /// What a line says. One that does not open is handed on as it is, and counts as unreadable.
    pub(super) fn opened<'a>(&self, line: &'a [u8]) -> Cow<'a, [u8]> {
        self.seal.open_line(Purpose::Event, line).unwrap_or(Cow::Borrowed(line))
    }

    /// The folder that the log is in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Appends the events with a number above the last one in the log.
    ///
    /// Batches of several shippers may overlap, but none may begin beyond the last number plus one: what comes
    /// later with a lower number is left out. After an error, ship the same events again.
    pub fn ship(&self, events: &[Event]) -> io::Result<Shipping> {
        peri_private::create_folder(&self.folder)?;
        // The file stays: were it deleted, two shippers could hold locks on two files of this name.
        let lock = self.folder.join("events.lock");
        let lock = peri_private::file(&lock).create(true).append(true).open(lock)?;
        match lock.try_lock() {
            Ok(()) => self.append(events).map(Shipping::Shipped),
            Err(TryLockError::WouldBlock) => Ok(Shipping::Busy),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// The number of the last event in the log that can be read.
    pub fn last_number(&self) -> io::Result<Option<u64>> {
        for file in self.files() {
            let (_, file, length) = file?;
            let mut lines = LinesBackward::new(&file, length, self.block_bytes);
            while let Some(line) = lines.next_line()? {
                if let Some(number) = lines::number(&self.opened(line.bytes)) {
                    return Ok(Some(number));
                }
            }
        }
        Ok(None)
    }

    /// The files that there are with their lengths, the newest first, each opened when its turn comes.
    pub(super) fn files(&self) -> impl Iterator<Item = io::Result<(u32, File, u64)>> {
        (0..=self.generations_max).filter_map(|generation| match rotation::open(&self.folder, generation) {
            Ok(opened) => opened.map(|(file, length)| Ok((generation, file, length))),
            Err(error) => Some(Err(error)),
        })
    }

    /// Writes blanks over the questions of recalls that handed these memories out. Every line stays as long as it is and
    /// where it is, so that readers and followers go on. How many lines were changed.
    pub(crate) fn blank_queries(&self, ids: &HashSet<MemoryId>) -> io::Result<usize> {
        if ids.is_empty() || !self.folder.is_dir() {
            return Ok(0);
        }
        let lock = self.folder.join("events.lock");
        let lock = peri_private::file(&lock).create(true).append(true).open(lock)?;
        lock.lock()?;
        let mut changed = 0;
        for generation in 0..=self.generations_max {
            changed += self.blank_in(&rotation::path(&self.folder, generation), ids)?;
        }
        Ok(changed)
    }

    fn blank_in(&self, path: &Path, ids: &HashSet<MemoryId>) -> io::Result<usize> {
        let mut file = match File::options().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (mut at, mut changed) = (0, 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            if let Some(blank) = self.blanked(text, ids).filter(|blank| blank.len() == text.len()) {
                file.seek(SeekFrom::Start(at))?;
                file.write_all(&blank)?;
                changed += 1;
            }
            at += line.len() as u64;
        }
        if changed > 0 {
            file.sync_data()?;
        }
        Ok(changed)
    }

    /// A line without its question, if it tells of a recall of one of these; sealed if it was.
    fn blanked(&self, line: &[u8], ids: &HashSet<MemoryId>) -> Option<Vec<u8>> {
        let opened = self.opened(line);
        let Happening::Recalled { ids: told, .. } = lines::event(&opened)?.what else { return None };
        if !told.iter().any(|id| ids.contains(id)) {
            return None;
        }
        let blank = without_question(&opened)?;
        if *opened == *line {
            return Some(blank);
        }
        let sealed = self.seal.seal_line(Purpose::Event, String::from_utf8(blank).ok()?).ok()?;
        Some(sealed.into_owned().into())
    }

    fn append(&self, events: &[Event]) -> io::Result<Shipped> {
        let mut events: Vec<&Event> = events.iter().collect();
        events.sort_by_key(|event| event.number);
        events.dedup_by_key(|event| event.number);
        let last_number = self.last_number()?;
        let known = events.partition_point(|event| last_number.is_some_and(|last| event.number <= last));
        let (known, fresh) = events.split_at(known);
        let mut shipped = Shipped { last_number, written: fresh.len(), warnings: Vec::new() };
        if let Some(newest) = known.last()
            && self.holds_another(newest)?
        {
            shipped.warnings.push(LogWarning::Diverged { number: newest.number });
        }
        // Also when nothing is fresh: a last event that lacks only its newline is kept from followers.
        let mut appender = Appender::open(self)?;
        for event in fresh {
            appender.add(event)?;
        }
        appender.write()?;
        shipped.last_number = fresh.last().map(|event| event.number).or(last_number);
        shipped.warnings.append(&mut appender.warnings);
        Ok(shipped)
    }

    /// Whether the log reaches back to the event's number and does not hold this event there.
    pub(crate) fn holds_another(&self, event: &Event) -> io::Result<bool> {
        for file in self.files() {
            let (_, file, length) = file?;
            let mut lines = LinesBackward::new(&file, length, self.block_bytes);
            while let Some(line) = lines.next_line()? {
                let line = self.opened(line.bytes);
                match lines::number(&line) {
                    Some(number) if number == event.number => {
                        return Ok(lines::event(&line).as_ref() != Some(event));
                    }
                    Some(number) if number < event.number => return Ok(true),
                    Some(_) | None => {}
                }
            }
        }
        Ok(false)
    }
}

/// Gathers lines and writes those for one file in one call.
struct Appender<'a> {
    log: &'a AuditLog,
    file: File,
    length: u64,
    pending: Vec<u8>,
    warnings: Vec<LogWarning>,
    /// Not after it failed: the next batch tries again.
    may_rotate: bool,
}

impl<'a> Appender<'a> {
    fn open(log: &'a AuditLog) -> io::Result<Self> {
        let (file, length, torn) = open_current(&log.folder)?;
        let pending = if torn { vec![b'\n'] } else { Vec::new() };
        Ok(Self { log, file, length, pending, warnings: Vec::new(), may_rotate: true })
    }

    fn add(&mut self, event: &Event) -> io::Result<()> {
        let line = self.log.seal.seal_line(Purpose::Event, serde_json::to_string(event)?)?;
        let mut line = line.into_owned().into_bytes();
        line.push(b'\n');
        let filled = self.length + self.pending.len() as u64;
        if self.may_rotate && filled > 0 && filled + line.len() as u64 > self.log.size_max_bytes {
            self.write()?;
            self.rotate()?;
        }
        self.pending.append(&mut line);
        Ok(())
    }

    fn write(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // The store drops what the log has, so that a power cut must not take it away again. What could not be made
        // durable is written anew, since flushing it a second time may seem to succeed and do nothing.
        if let Err(error) = self.file.write_all(&self.pending).and_then(|()| self.file.sync_data()) {
            if let Err(error) = self.file.set_len(self.length) {
                tracing::warn!(%error, "lines of the audit log that may not be on the disk could not be taken back");
            }
            return Err(error);
        }
        self.length += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        let AuditLog { folder, generations_max, .. } = self.log;
        if let Err(warning) = rotation::rotate(folder, *generations_max) {
            self.warnings.push(warning);
            self.may_rotate = false;
            return Ok(());
        }
        (self.file, self.length, _) = open_current(folder)?;
        self.warnings.extend(rotation::remove_surplus(folder, *generations_max).err());
        Ok(())
    }
}

/// The file that is written to, how long it is, and whether its last line lacks a newline.
fn open_current(folder: &Path) -> io::Result<(File, u64, bool)> {
    let path = rotation::path(folder, 0);
    let mut file = peri_private::file(&path).create(true).read(true).append(true).open(path)?;
    let length = file.metadata()?.len();
    if length == 0 {
        return Ok((file, 0, false));
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok((file, length, last != [b'\n']))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::super::LogQuery;
    use super::super::tests::{event, events, line, numbers, scribble, shipped, telling};
    use super::*;

    fn text(log: &AuditLog, generation: u32) -> String {
        fs::read_to_string(rotation::path(log.folder(), generation)).unwrap()
    }

    fn lines_of(events: &[Event]) -> String {
        events.iter().map(line).collect()
    }

    #[test]
    fn a_missing_folder_is_created_and_events_are_written_as_lines() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path().join("data/logs"));
        assert_eq!(log.last_number().unwrap(), None);
        let outcome = shipped(&log, &events([3, 1, 2, 2]));
        assert_eq!((outcome.last_number, outcome.written), (Some(3), 3));
        assert!(outcome.warnings.is_empty());
        assert_eq!(text(&log, 0), lines_of(&events(1..=3)));
    }

    #[test]
    fn shipping_nothing_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        assert_eq!(shipped(&log, &[]).last_number, None);
        shipped(&log, &[event(4)]);
        assert_eq!(shipped(&log, &[]).last_number, Some(4));
        assert_eq!(text(&log, 0), line(&event(4)));
    }

    #[test]
    fn what_was_shipped_before_a_crash_is_not_doubled() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=4));
        let outcome = shipped(&log, &events(1..=4));
        assert_eq!((outcome.last_number, outcome.written), (Some(4), 0));
        let outcome = shipped(&log, &events(2..=6));
        assert_eq!((outcome.last_number, outcome.written), (Some(6), 2));
        assert!(outcome.warnings.is_empty());
        assert_eq!(text(&log, 0), lines_of(&events(1..=6)));
    }

    #[test]
    fn a_crash_just_after_a_rotation_doubles_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=4));
        for current in ["none", "empty"] {
            rotation::rotate(log.folder(), 5).unwrap();
            if current == "empty" {
                scribble(&rotation::path(log.folder(), 0), b"");
            }
            assert_eq!(shipped(&log, &events(1..=4)).written, 0, "{current}");
            fs::rename(rotation::path(log.folder(), 1), rotation::path(log.folder(), 0)).unwrap();
        }
        assert_eq!(numbers(&log), [1, 2, 3, 4]);
    }

    #[test]
    fn wherever_a_crash_tears_the_batch_every_event_is_readable_once() {
        let batch = [event(1), telling(2, "größer 日本"), event(3)];
        let whole = lines_of(&batch);
        for torn_at in 0..=whole.len() {
            let folder = tempfile::tempdir().unwrap();
            let log = AuditLog::new(folder.path());
            scribble(&rotation::path(log.folder(), 0), &whole.as_bytes()[..torn_at]);
            shipped(&log, &batch);
            shipped(&log, &[event(4)]);
            let page = log.read(&LogQuery::default()).unwrap();
            let expected: Vec<Event> = batch.iter().cloned().chain([event(4)]).collect();
            assert_eq!(page.events, expected, "torn at {torn_at}");
            assert!(page.skipped_lines <= 1);
        }
    }

    #[test]
    fn zeros_left_by_a_power_failure_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=2));
        scribble(&rotation::path(log.folder(), 0), &[0; 40_000]);
        shipped(&log, &events(1..=3));
        let page = log.read(&LogQuery::default()).unwrap();
        assert_eq!((page.events, page.skipped_lines), (events(1..=3), 1));
    }

    #[test]
    fn a_store_that_went_back_in_time_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events([1, 2, 3, 5, 6]));
        for (batch, warned) in [
            (vec![event(2)], None),
            (vec![event(2), telling(3, "other")], Some(3)),
            (vec![event(4)], Some(4)),
            (vec![telling(6, "other"), event(7)], Some(6)),
            (vec![event(7)], None),
        ] {
            let warnings = shipped(&log, &batch).warnings;
            let found = warnings.iter().map(|warning| match warning {
                LogWarning::Diverged { number } => *number,
                other => panic!("{other}"),
            });
            assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(warned), "{batch:?}");
        }
        assert_eq!(numbers(&log), [1, 2, 3, 5, 6, 7]);
    }

    #[test]
    fn events_older_than_the_log_reaches_are_no_divergence() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(5..=6));
        assert!(shipped(&log, &events(1..=3)).warnings.is_empty());
    }

    #[test]
    fn a_file_is_filled_to_the_last_byte_and_not_beyond() {
        let lines: Vec<usize> = events(1..=4).iter().map(|event| line(event).len()).collect();
        let exact = (lines[0] + lines[1]) as u64;
        for (size_max_bytes, first, second) in [(exact, 1..=2, 3..=3), (exact - 1, 1..=1, 2..=3)] {
            let folder = tempfile::tempdir().unwrap();
            let log = AuditLog::new(folder.path()).size_max_bytes(size_max_bytes + lines[2] as u64 - 1);
            shipped(&log, &events(1..=2));
            assert!(!rotation::path(log.folder(), 1).exists());
            let log = log.size_max_bytes(size_max_bytes);
            let whole = tempfile::tempdir().unwrap();
            let at_once = AuditLog::new(whole.path()).size_max_bytes(size_max_bytes);
            shipped(&at_once, &events(1..=3));
            assert_eq!(text(&at_once, 1), lines_of(&events(first)), "{size_max_bytes}");
            assert!(text(&at_once, 0).starts_with(&lines_of(&events(second))) || size_max_bytes < exact);
            shipped(&log, &[event(3)]);
            assert_eq!(text(&log, 1), lines_of(&events(1..=2)), "a full file rotates when more comes");
            assert_eq!(text(&log, 0), lines_of(&[event(3)]));
        }
    }

    #[test]
    fn a_line_longer_than_a_file_may_be_gets_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(200);
        let long = telling(2, &"long ".repeat(100));
        let outcome = shipped(&log, &[event(1), long.clone(), event(3)]);
        assert!(outcome.warnings.is_empty());
        let files: Vec<String> = (0..=2).map(|generation| text(&log, generation)).collect();
        assert_eq!(files, [line(&event(3)), line(&long), line(&event(1))]);
    }

    #[test]
    fn only_as_many_generations_are_kept_as_set() {
        for keep in 0..=3_u32 {
            let folder = tempfile::tempdir().unwrap();
            let log = AuditLog::new(folder.path()).size_max_bytes(1).generations_max(5);
            shipped(&log, &events(1..=6));
            assert_eq!(numbers(&log), [1, 2, 3, 4, 5, 6]);
            let log = log.generations_max(keep);
            shipped(&log, &events(1..=8));
            assert_eq!(numbers(&log), Vec::from_iter(8 - u64::from(keep)..=8), "{keep}");
            let files = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(files, keep as usize + 2, "the file itself, its generations and the lock");
        }
    }

    #[test]
    fn a_rotation_that_fails_goes_on_in_the_same_file_and_says_so() {
        for obstacle in 1..=2 {
            let folder = tempfile::tempdir().unwrap();
            let log = AuditLog::new(folder.path()).size_max_bytes(1).generations_max(2);
            shipped(&log, &[event(1)]);
            if obstacle == 2 {
                shipped(&log, &[event(2)]);
            }
            let obstacle = rotation::path(log.folder(), obstacle);
            fs::create_dir(&obstacle).unwrap();
            fs::write(obstacle.join("something"), "in the way").unwrap();
            let outcome = shipped(&log, &events(1..=4));
            let [LogWarning::NotRotated { path, .. }] = &outcome.warnings[..] else {
                panic!("one warning for a batch: {:?}", outcome.warnings);
            };
            assert_eq!((path, outcome.last_number), (&obstacle, Some(4)));
            assert_eq!(numbers(&log), [1, 2, 3, 4]);
            assert!(obstacle.join("something").exists());
            fs::remove_dir_all(&obstacle).unwrap();
            assert!(shipped(&log, &[event(5)]).warnings.is_empty(), "it rotates again when it can");
            assert_eq!(numbers(&log).last(), Some(&5));
        }
    }

    #[test]
    fn a_surplus_that_cannot_be_deleted_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(1).generations_max(1);
        fs::create_dir(rotation::path(log.folder(), 2)).unwrap();
        let warnings = shipped(&log, &events(1..=2)).warnings;
        assert!(matches!(&warnings[..], [LogWarning::SurplusKept { .. }]), "{warnings:?}");
        assert_eq!(numbers(&log), [1, 2]);
    }

    #[test]
    fn a_log_that_cannot_be_written_is_an_error_and_no_panic() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "no folder").unwrap();
        let locked = folder.path().join("locked");
        fs::create_dir_all(locked.join("events.lock")).unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir_all(taken.join("events.jsonl")).unwrap();
        for (case, folder) in [
            ("is a file", file.clone()),
            ("is under a file", file.join("logs")),
            ("lock", locked),
            ("log", taken),
        ] {
            let log = AuditLog::new(folder);
            assert!(log.ship(&[event(1)]).is_err(), "{case}");
        }
        assert_eq!(fs::read_to_string(file).unwrap(), "no folder");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_no_panic() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        fs::create_dir_all(log.folder()).unwrap();
        let mut appender = Appender::open(&log).unwrap();
        appender.file = File::options().write(true).open("/dev/full").unwrap();
        appender.add(&event(1)).unwrap();
        assert_eq!(appender.write().unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(shipped(&log, &[event(1)]).written, 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_log_that_is_a_link_is_an_error_and_nothing_is_written_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        let (path, elsewhere) = (rotation::path(log.folder(), 0), folder.path().join("elsewhere"));
        fs::write(&elsewhere, "theirs").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(log.ship(&[event(1)]).is_err());
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "theirs");
        fs::remove_file(&path).unwrap();
        assert_eq!(shipped(&log, &[event(1)]).written, 1);
    }

    #[test]
    fn while_somebody_ships_nobody_else_writes() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &[event(1)]);
        let lock = File::open(folder.path().join("events.lock")).unwrap();
        lock.lock().unwrap();
        assert!(matches!(log.ship(&[event(2)]).unwrap(), Shipping::Busy));
        assert_eq!(numbers(&log), [1]);
        drop(lock);
        assert_eq!(shipped(&log, &[event(2)]).last_number, Some(2));
    }

    #[test]
    fn two_shippers_at_once_lose_and_double_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let all = events(1..=600);
        let acknowledged = AtomicU64::new(0);
        thread::scope(|scope| {
            for batch in [7, 11] {
                let (all, acknowledged, folder) = (&all, &acknowledged, folder.path());
                scope.spawn(move || {
                    let log = AuditLog::new(folder).size_max_bytes(4000).generations_max(100);
                    loop {
                        let done = acknowledged.load(Ordering::SeqCst) as usize;
                        if done == all.len() {
                            break;
                        }
                        let end = all.len().min(done + batch);
                        match log.ship(&all[done..end]).unwrap() {
                            Shipping::Busy => thread::yield_now(),
                            Shipping::Shipped(outcome) => {
                                assert!(outcome.warnings.is_empty(), "{:?}", outcome.warnings);
                                acknowledged.fetch_max(outcome.last_number.unwrap(), Ordering::SeqCst);
                            }
                        }
                    }
                });
            }
        });
        let log = AuditLog::new(folder.path()).generations_max(100);
        let generations: Vec<u32> = (0..=100).filter(|n| rotation::path(log.folder(), *n).exists()).collect();
        assert!(generations.len() > 5);
        let whole: String = generations.iter().rev().map(|generation| text(&log, *generation)).collect();
        assert!(whole == lines_of(&all), "every line once, in order");
    }
}
