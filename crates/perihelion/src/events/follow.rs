//! Waiting at the end of the audit log.
//!
//! A follower remembers how far it read in which file. It knows the file by how it begins, which tells a
//! rotated or replaced file on every system. When the file is another one, it goes back through the
//! generations to the last number that it knows.

use std::io::{self, Read as _, Seek as _, SeekFrom};

use peri_types::Event;

use super::lines::{self, LinesBackward};
use super::log::AuditLog;
use super::rotation;

/// The first line's number is within these bytes, and no two files of a log begin with the same number.
const HEAD_BYTES_MAX: u64 = 128;

/// Where to begin to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FollowFrom {
    /// With what is shipped from now on.
    End,
    /// With the first event that has a higher number.
    After(u64),
}

/// Hands out events as they are shipped, each once, in the order of their numbers.
#[derive(Debug)]
pub struct Follow {
    log: AuditLog,
    /// Nothing up to this number is wanted.
    floor: Option<u64>,
    /// The number that was passed last.
    last_number: Option<u64>,
    place: Place,
    skipped_lines: u64,
    gaps: u64,
}

/// How far the newest file is read; in no file at all when the position is 0.
#[derive(Debug, Default)]
struct Place {
    position: u64,
    head: Vec<u8>,
}

impl AuditLog {
    /// Follows the log from the given place on.
    pub fn follow(&self, from: FollowFrom) -> io::Result<Follow> {
        let log = self.clone();
        let mut follow = Follow {
            log,
            floor: None,
            last_number: None,
            place: Place::default(),
            skipped_lines: 0,
            gaps: 0,
        };
        match from {
            FollowFrom::After(number) => {
                follow.floor = Some(number);
                follow.last_number = Some(number);
            }
            FollowFrom::End => {
                let (place, found) = walk_back(self, Some(u64::MAX))?;
                follow.place = place;
                follow.last_number = found.reached;
            }
        }
        Ok(follow)
    }
}

impl Follow {
    /// What was shipped since the last call. After an error, call again: nothing is lost.
    pub fn poll(&mut self) -> io::Result<Vec<Event>> {
        match self.read_same_file()? {
            Some(bytes) => Ok(self.read_on(&bytes)),
            None => self.catch_up(),
        }
    }

    /// Lines between the events handed out that are torn, damaged, or of a kind that only a later version
    /// knows.
    pub fn skipped_lines(&self) -> u64 {
        self.skipped_lines
    }

    /// How often the log had moved on so far that events were perhaps deleted before they were handed out.
    pub fn gaps(&self) -> u64 {
        self.gaps
    }

    /// The whole lines behind the place, if the newest file is still the one that was read before.
    fn read_same_file(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Place { position, head } = &mut self.place;
        if *position == 0 {
            return Ok(None);
        }
        let Some((mut file, length)) = rotation::open(self.log.folder(), 0)? else { return Ok(None) };
        if length < *position || lines::read_head(&file, head.len() as u64)? != *head {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(*position))?;
        file.read_to_end(&mut bytes)?;
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1));
        *head = lines::read_head(&file, HEAD_BYTES_MAX.min(*position))?;
        *position += bytes.len() as u64;
        Ok(Some(bytes))
    }

    fn read_on(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = self.log.opened(&line[..line.len() - 1]);
            let event = lines::event(&line);
            let number = event.as_ref().map(|event| event.number).or_else(|| lines::number(&line));
            if let Some(number) = number {
                self.last_number = Some(number).max(self.floor);
            }
            match event {
                Some(event) if self.floor.is_none_or(|floor| event.number > floor) => events.push(event),
                Some(_) => {}
                None => self.skipped_lines += 1,
            }
        }
        events
    }

    /// Goes back from the end of the log to the last number that was passed.
    fn catch_up(&mut self) -> io::Result<Vec<Event>> {
        let (place, Found { mut events, newest, oldest, reached, skipped_lines }) =
            walk_back(&self.log, self.last_number)?;
        let is_beyond = |last: u64| oldest.is_some_and(|oldest| oldest > last.saturating_add(1));
        if reached.is_none() && self.last_number.is_some_and(is_beyond) {
            self.gaps += 1;
        }
        self.place = place;
        self.last_number = newest.or(self.last_number);
        self.skipped_lines += skipped_lines;
        // A file that is rotated between two looks is found twice.
        events.sort_by_key(|event| event.number);
        events.dedup_by_key(|event| event.number);
        Ok(events)
    }
}

/// What lies between the end of the log and a number.
#[derive(Debug, Default)]
struct Found {
    events: Vec<Event>,
    newest: Option<u64>,
    oldest: Option<u64>,
    /// The number that ended the way back; none if the log does not reach back that far.
    reached: Option<u64>,
    skipped_lines: u64,
}

impl Found {
    fn add(&mut self, line: &[u8], until: Option<u64>) {
        let number = lines::number(line);
        if number.is_some() && number <= until {
            self.reached = number;
            return;
        }
        self.newest = self.newest.max(number);
        self.oldest = number.or(self.oldest);
        match lines::event(line) {
            Some(event) => self.events.push(event),
            // Behind the last number, it may have been counted before.
            None => self.skipped_lines += u64::from(self.newest.is_some()),
        }
    }
}

/// Goes back to the first number that is not above the given one, and tells where the newest file ended.
fn walk_back(log: &AuditLog, until: Option<u64>) -> io::Result<(Place, Found)> {
    let mut found = Found::default();
    let mut place = Place::default();
    for file in log.files() {
        let (generation, file, length) = file?;
        let mut position = length;
        let mut lines = LinesBackward::new(&file, length, log.block_bytes);
        while found.reached.is_none()
            && let Some(line) = lines.next_line()?
        {
            match line.ended {
                true => found.add(&log.opened(line.bytes), until),
                // Somebody is writing it, or died while writing.
                false => position = line.begin,
            }
        }
        if generation == 0 {
            let head = lines::read_head(&file, HEAD_BYTES_MAX.min(position))?;
            place = Place { position, head };
        }
        if found.reached.is_some() {
            break;
        }
    }
    Ok((place, found))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::tests::{event, events, line, scribble, shipped, telling};
    use super::*;

    fn polled(follow: &mut Follow) -> Vec<u64> {
        follow.poll().unwrap().iter().map(|event| event.number).collect()
    }

    #[test]
    fn following_begins_where_it_was_asked_to() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=3));
        for (from, first, second) in [
            (FollowFrom::End, vec![], vec![4, 5]),
            (FollowFrom::After(0), vec![1, 2, 3], vec![4, 5]),
            (FollowFrom::After(2), vec![3], vec![4, 5]),
            (FollowFrom::After(4), vec![], vec![5]),
            (FollowFrom::After(9), vec![], vec![]),
        ] {
            let copy = tempfile::tempdir().unwrap();
            let path = rotation::path(copy.path(), 0);
            fs::copy(rotation::path(folder.path(), 0), &path).unwrap();
            let log = AuditLog::new(copy.path());
            let mut follow = log.follow(from).unwrap();
            assert_eq!(polled(&mut follow), first, "{from:?}");
            assert_eq!(polled(&mut follow), Vec::<u64>::new());
            shipped(&log, &events(4..=5));
            assert_eq!(polled(&mut follow), second, "{from:?}");
            assert_eq!(follow.gaps(), 0);
        }
    }

    #[test]
    fn what_was_not_asked_for_is_not_handed_out_after_a_rotation_either() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=3));
        let mut follow = log.follow(FollowFrom::After(9)).unwrap();
        assert_eq!(polled(&mut follow), Vec::<u64>::new());
        shipped(&log, &events(4..=5));
        assert_eq!(polled(&mut follow), Vec::<u64>::new());
        rotation::rotate(log.folder(), 5).unwrap();
        shipped(&log, &events(6..=10));
        assert_eq!(polled(&mut follow), [10]);
    }

    #[test]
    fn everything_is_new_to_a_follower_of_an_empty_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path().join("logs")).size_max_bytes(200);
        let mut follow = log.follow(FollowFrom::End).unwrap();
        assert_eq!(polled(&mut follow), Vec::<u64>::new());
        shipped(&log, &events(1..=6));
        assert_eq!(polled(&mut follow), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_line_is_handed_out_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &[event(1)]);
        let mut follow = log.follow(FollowFrom::End).unwrap();
        let bytes = line(&telling(2, "größer 日本")).into_bytes();
        for byte in &bytes[..bytes.len() - 1] {
            scribble(&rotation::path(log.folder(), 0), &[*byte]);
            assert_eq!(polled(&mut follow), Vec::<u64>::new());
        }
        scribble(&rotation::path(log.folder(), 0), b"\n");
        assert_eq!(polled(&mut follow), [2]);
    }

    #[test]
    fn unreadable_lines_are_skipped_and_counted_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &[event(1)]);
        let mut follow = log.follow(FollowFrom::After(0)).unwrap();
        assert_eq!(polled(&mut follow), [1]);
        scribble(&rotation::path(log.folder(), 0), b"torn");
        shipped(&log, &[event(2)]);
        assert_eq!(polled(&mut follow), [2]);
        let later = b"{\"number\":3,\"at\":\"1970-01-01T00:00:00Z\",\"event\":\"teleported\"}\n";
        scribble(&rotation::path(log.folder(), 0), later);
        rotation::rotate(log.folder(), 5).unwrap();
        shipped(&log, &[event(4)]);
        for expected in [vec![4], vec![], vec![]] {
            assert_eq!(polled(&mut follow), expected);
        }
        assert_eq!((follow.skipped_lines(), follow.gaps()), (2, 0));
        scribble(&rotation::path(log.folder(), 0), b"torn\n");
        rotation::rotate(log.folder(), 5).unwrap();
        for _ in 0..3 {
            assert_eq!(polled(&mut follow), Vec::<u64>::new());
        }
        assert!(follow.skipped_lines() <= 3);
    }

    #[test]
    fn a_file_that_was_truncated_or_rewritten_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=5));
        let mut follow = log.follow(FollowFrom::End).unwrap();
        let path = rotation::path(log.folder(), 0);
        fs::write(&path, "").unwrap();
        shipped(&log, &[event(6)]);
        assert_eq!(polled(&mut follow), [6], "shorter than it was");
        fs::write(&path, "").unwrap();
        shipped(&log, &events(7..=20));
        assert_eq!(polled(&mut follow), Vec::from_iter(7..=20), "longer than it was, and another");
        let kept = events(7..=18).iter().map(|event| line(event).len()).sum::<usize>();
        fs::File::options().write(true).open(&path).unwrap().set_len(kept as u64).unwrap();
        shipped(&log, &[event(21)]);
        assert_eq!(polled(&mut follow), [21], "shorter, and beginning as it did");
    }

    #[test]
    fn a_follower_that_was_left_behind_says_so_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(1).generations_max(2);
        shipped(&log, &[event(1)]);
        let mut follow = log.follow(FollowFrom::End).unwrap();
        shipped(&log, &events(2..=4));
        assert_eq!((polled(&mut follow), follow.gaps()), (vec![2, 3, 4], 0));
        shipped(&log, &events(5..=8));
        assert_eq!((polled(&mut follow), follow.gaps()), (vec![6, 7, 8], 1));
        shipped(&log, &[event(9)]);
        assert_eq!((polled(&mut follow), follow.gaps()), (vec![9], 1));
    }

    #[test]
    fn an_error_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (logs, away) = (folder.path().join("logs"), folder.path().join("away"));
        let log = AuditLog::new(&logs);
        shipped(&log, &[event(1)]);
        let mut follow = log.follow(FollowFrom::End).unwrap();
        shipped(&log, &[event(2)]);
        fs::rename(&logs, &away).unwrap();
        fs::write(&logs, "a file in its place").unwrap();
        assert!(follow.poll().is_err());
        fs::remove_file(&logs).unwrap();
        fs::rename(&away, &logs).unwrap();
        assert_eq!(polled(&mut follow), [2]);
    }

    /// What happens to a log while it is followed.
    #[derive(Debug, Clone)]
    enum Step {
        Ship(u64),
        Poll,
        /// A shipper dies after so many bytes of the next line.
        Die(usize),
        /// A rotation gets so far and no further.
        Rotate(usize),
    }

    fn any_step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (1_u64..6).prop_map(Step::Ship),
            4 => Just(Step::Poll),
            1 => (0_usize..200).prop_map(Step::Die),
            1 => (0_usize..4).prop_map(Step::Rotate),
        ]
    }

    fn next(number: u64) -> Event {
        telling(number, &"é".repeat((number * 7 % 40) as usize))
    }

    fn die(folder: &Path, number: u64, bytes: usize) {
        let line = line(&next(number));
        let path = rotation::path(folder, 0);
        // Who finds a torn line ends it before writing on.
        let torn = fs::read(&path).is_ok_and(|text| text.last().is_some_and(|last| *last != b'\n'));
        if !torn {
            scribble(&path, &line.as_bytes()[..bytes.min(line.len() - 1)]);
        }
    }

    fn rotate_partly(folder: &Path, moves_max: usize) {
        let path = rotation::path(folder, 0);
        let is_whole = fs::read(&path).is_ok_and(|text| text.last() == Some(&b'\n'));
        // A shipper rotates what has lines, and all of them whole.
        if is_whole {
            for (from, to) in rotation::moves(folder, 250).unwrap().into_iter().take(moves_max) {
                fs::rename(from, to).unwrap();
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_happens_to_the_log_every_event_is_handed_out_once(
            steps in prop::collection::vec(any_step(), 0..40),
            size_max_bytes in 1_u64..1500,
            block_bytes in 1_usize..300,
            begun in 0_u64..10,
            from_end in any::<bool>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut log = AuditLog::new(folder.path()).size_max_bytes(size_max_bytes).generations_max(250);
            log.block_bytes = block_bytes;
            shipped(&log, &(1..=begun).map(next).collect::<Vec<_>>());
            let after = if from_end { begun } else { begun / 2 };
            let from = if from_end { FollowFrom::End } else { FollowFrom::After(after) };
            let mut follow = log.follow(from).unwrap();
            let (mut last, mut heard) = (begun, Vec::new());
            for step in steps.into_iter().chain([Step::Ship(1), Step::Poll]) {
                match step {
                    Step::Ship(count) => {
                        shipped(&log, &(last + 1..=last + count).map(next).collect::<Vec<_>>());
                        last += count;
                    }
                    Step::Poll => heard.extend(follow.poll().unwrap()),
                    Step::Die(bytes) => die(folder.path(), last + 1, bytes),
                    Step::Rotate(moves_max) => rotate_partly(folder.path(), moves_max),
                }
            }
            let expected: Vec<Event> = (after + 1..=last).map(next).collect();
            prop_assert_eq!(heard, expected);
            prop_assert_eq!(follow.gaps(), 0);
        }
    }

    #[test]
    fn a_follower_beside_a_shipper_hears_everything_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(500).generations_max(1000);
        let mut follow = log.follow(FollowFrom::End).unwrap();
        let mut heard = Vec::new();
        std::thread::scope(|scope| {
            let shipper = scope.spawn(|| {
                (0..300).for_each(|at| drop(shipped(&log, &events(at * 3 + 1..=at * 3 + 3))));
            });
            while !shipper.is_finished() {
                heard.extend(polled(&mut follow));
            }
        });
        heard.extend(polled(&mut follow));
        assert_eq!(heard, Vec::from_iter(1..=900));
    }
}
