//! Questions to the audit log, answered from its end.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, BufRead as _, BufReader, Read as _};

use peri_types::{Event, EventKind, Scope, Timestamp};
use serde::Serialize;

use super::lines::{self, LinesBackward};
use super::log::AuditLog;

/// Which events of the log to show. The default shows the last twenty.
#[derive(Debug, Clone, PartialEq)]
pub struct LogQuery {
    /// At most this many, the newest; 20 unless set.
    pub limit: usize,
    /// Only these kinds; all of them when empty.
    pub kinds: Vec<EventKind>,
    /// Only what happened at this time or later.
    pub since: Option<Timestamp>,
    /// Only what happened before this time.
    pub until: Option<Timestamp>,
    /// Only what happened in these namespaces. Events of no namespace are in [`Scope::All`] alone, the default.
    pub scope: Scope,
    /// Only events with a higher number.
    pub after_number: Option<u64>,
}

/// What the log answers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogPage {
    /// The events, in the order of their numbers.
    pub events: Vec<Event>,
    /// Lines passed on the way that are torn, damaged, or of a kind that only a later version knows.
    pub skipped_lines: u64,
}

impl Default for LogQuery {
    fn default() -> Self {
        Self { limit: 20, kinds: Vec::new(), since: None, until: None, scope: Scope::All, after_number: None }
    }
}

impl AuditLog {
    /// The newest events that match. Reads only as far back as it must; a log that does not exist is empty.
    pub fn read(&self, query: &LogQuery) -> io::Result<LogPage> {
        self.read_holding(query, &[])
    }

    /// The same, of the lines alone that hold one of these texts; of all if there are none. Far quicker where few do.
    pub(crate) fn read_holding(&self, query: &LogQuery, texts: &[String]) -> io::Result<LogPage> {
        let mut page = LogPage::default();
        if query.limit > 0 {
            self.gather(query, texts, &mut page)?;
        }
        page.events.sort_by_key(|event| event.number);
        Ok(page)
    }

    /// The events that follow a number, the earliest first, at most so many. It goes back from the end to that number
    /// and holds no more on the way than it gives.
    pub fn read_after(&self, after: u64, limit: usize) -> io::Result<Vec<Event>> {
        // By number, so that a file that is rotated between two looks counts once.
        let mut earliest: BTreeMap<u64, Event> = BTreeMap::new();
        for file in self.files() {
            let (_, file, length) = file?;
            let mut lines = LinesBackward::new(&file, length, self.block_bytes);
            while let Some(line) = lines.next_line()? {
                let line = self.opened(line.bytes);
                if lines::header(&line).is_some_and(|header| header.number <= after) {
                    return Ok(earliest.into_values().collect());
                }
                if let Some(event) = lines::event(&line) {
                    earliest.insert(event.number, event);
                }
                if earliest.len() > limit {
                    earliest.pop_last();
                }
            }
        }
        Ok(earliest.into_values().collect())
    }

    /// The earliest events there are, at most so many. It reads no further than it must.
    pub(crate) fn earliest(&self, limit: usize) -> io::Result<Vec<Event>> {
        let mut earliest: BTreeMap<u64, Event> = BTreeMap::new();
        let files: Vec<_> = self.files().collect::<io::Result<_>>()?;
        for (_, file, length) in files.into_iter().rev() {
            for line in BufReader::new(file.take(length)).split(b'\n') {
                if earliest.len() >= limit {
                    return Ok(earliest.into_values().collect());
                }
                if let Some(event) = lines::event(&self.opened(&line?)) {
                    earliest.insert(event.number, event);
                }
            }
        }
        Ok(earliest.into_values().collect())
    }

    fn gather(&self, query: &LogQuery, texts: &[String], page: &mut LogPage) -> io::Result<()> {
        // A file that is rotated between two looks is found twice.
        let mut seen = HashSet::new();
        for file in self.files() {
            let (_, file, length) = file?;
            let mut lines = LinesBackward::new(&file, length, self.block_bytes);
            while let Some(line) = lines.next_line()? {
                let line = self.opened(line.bytes);
                if !texts.is_empty() && !holds(&line, texts) {
                    continue;
                }
                match query.judge(&line) {
                    Judgement::Wanted(event) if seen.insert(event.number) => page.events.push(*event),
                    Judgement::Wanted(_) | Judgement::Other => {}
                    Judgement::Unreadable => page.skipped_lines += 1,
                    Judgement::TooOld => return Ok(()),
                }
                if page.events.len() == query.limit {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn holds(line: &[u8], texts: &[String]) -> bool {
    std::str::from_utf8(line).is_ok_and(|line| texts.iter().any(|text| line.contains(text.as_str())))
}

enum Judgement {
    Wanted(Box<Event>),
    Other,
    Unreadable,
    /// Numbers rise through the log, so nothing before this line is wanted either.
    TooOld,
}

impl LogQuery {
    fn judge(&self, line: &[u8]) -> Judgement {
        let Some(header) = lines::header(line) else { return Judgement::Unreadable };
        if self.after_number.is_some_and(|after| header.number <= after) {
            return Judgement::TooOld;
        }
        let Some(kind) = header.kind() else { return Judgement::Unreadable };
        let in_scope = match &header.namespace {
            Some(namespace) => self.scope.contains(namespace),
            None => self.scope == Scope::All,
        };
        let matches = in_scope
            && (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self.since.is_none_or(|since| header.at >= since)
            && self.until.is_none_or(|until| header.at < until);
        match matches {
            true => {
                lines::event(line).map_or(Judgement::Unreadable, |event| Judgement::Wanted(Box::new(event)))
            }
            false => Judgement::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::rotation;
    use super::super::tests::{event, events, line, scribble, shipped, telling};
    use super::*;

    fn found(log: &AuditLog, query: &LogQuery) -> Vec<u64> {
        log.read(query).unwrap().events.iter().map(|event| event.number).collect()
    }

    #[test]
    fn a_missing_log_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        for folder in [folder.path().to_owned(), folder.path().join("logs")] {
            assert_eq!(AuditLog::new(folder).read(&LogQuery::default()).unwrap(), LogPage::default());
        }
    }

    #[test]
    fn a_folder_that_is_a_file_is_an_error() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(AuditLog::new(file.path()).read(&LogQuery::default()).is_err());
    }

    #[test]
    fn each_condition_leaves_out_what_it_should() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(300);
        shipped(&log, &events(1..=10));
        let at = |number| Some(event(number).at);
        let all = LogQuery::default();
        for (query, expected) in [
            (all.clone(), Vec::from_iter(1..=10)),
            (LogQuery { limit: 3, ..all.clone() }, vec![8, 9, 10]),
            (LogQuery { limit: 0, ..all.clone() }, vec![]),
            (LogQuery { kinds: vec![EventKind::Recalled], ..all.clone() }, vec![1, 3, 5, 7, 9]),
            (LogQuery { kinds: vec![EventKind::Recalled], limit: 2, ..all.clone() }, vec![7, 9]),
            (LogQuery { kinds: vec![EventKind::Stored], ..all.clone() }, vec![]),
            (LogQuery { since: at(9), ..all.clone() }, vec![9, 10]),
            (LogQuery { until: at(3), ..all.clone() }, vec![1, 2]),
            (LogQuery { since: at(4), until: at(6), limit: 1, ..all.clone() }, vec![5]),
            (LogQuery { scope: "team/1".parse().unwrap(), ..all.clone() }, vec![1, 4, 7, 10]),
            (LogQuery { scope: "team/*".parse().unwrap(), ..all.clone() }, vec![1, 2, 4, 5, 7, 8, 10]),
            (LogQuery { after_number: Some(8), ..all.clone() }, vec![9, 10]),
            (LogQuery { after_number: Some(10), ..all.clone() }, vec![]),
        ] {
            assert_eq!(found(&log, &query), expected, "{query:?}");
        }
    }

    #[test]
    fn the_earliest_after_a_number_are_read_over_all_files() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(300);
        shipped(&log, &events(1..=10));
        // As if a file was rotated between two looks.
        fs::copy(rotation::path(log.folder(), 0), rotation::path(log.folder(), 99)).unwrap();
        for (after, limit, expected) in [
            (0, 3, vec![1, 2, 3]),
            (4, 3, vec![5, 6, 7]),
            (8, 9, vec![9, 10]),
            (10, 3, vec![]),
            (0, 0, vec![]),
        ] {
            let read = log.read_after(after, limit).unwrap();
            let numbers: Vec<u64> = read.iter().map(|event| event.number).collect();
            assert_eq!(numbers, expected, "after {after}");
        }
    }

    #[test]
    fn the_earliest_of_all_files_are_read_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path()).size_max_bytes(300);
        assert_eq!(log.earliest(5).unwrap(), []);
        shipped(&log, &events(1..=10));
        // As if a file was rotated between two looks, and one line of it was torn.
        fs::copy(rotation::path(log.folder(), 0), rotation::path(log.folder(), 99)).unwrap();
        scribble(&rotation::path(log.folder(), 0), b"{\"number\":11,\n");
        for limit in [0, 1, 4, 10, 20] {
            assert_eq!(log.earliest(limit).unwrap(), log.read_after(0, limit).unwrap(), "{limit}");
        }
    }

    #[test]
    fn lines_that_hold_a_text_are_those_that_a_full_reading_finds_it_in() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        let told: Vec<Event> = ["차", "茶", "kettle", "차와 茶"]
            .iter()
            .zip(1..)
            .map(|(text, number)| telling(number, text))
            .collect();
        shipped(&log, &told);
        let query = LogQuery { limit: usize::MAX, ..LogQuery::default() };
        for (texts, expected) in [
            (vec![], vec![1, 2, 3, 4]),
            (vec!["차"], vec![1, 4]),
            (vec!["茶", "kettle"], vec![2, 3, 4]),
            (vec!["coffee"], vec![]),
        ] {
            let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
            let read = log.read_holding(&query, &texts).unwrap().events;
            assert_eq!(read.iter().map(|event| event.number).collect::<Vec<_>>(), expected, "{texts:?}");
        }
    }

    #[test]
    fn events_of_later_versions_are_skipped_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=2));
        let later = br#"{"number":3,"at":"1970-01-01T00:00:00Z","event":"teleported","to":"Mars"}"#;
        scribble(&rotation::path(log.folder(), 0), &[later, "\n".as_bytes()].concat());
        assert_eq!(shipped(&log, &events(3..=4)).written, 1, "its number is taken");
        let page = log.read(&LogQuery::default()).unwrap();
        assert_eq!((page.events, page.skipped_lines), (events([1, 2, 4]), 1));
    }

    #[test]
    fn a_file_found_twice_is_shown_once() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        shipped(&log, &events(1..=3));
        // As if it was rotated between the first look and the second.
        fs::copy(rotation::path(log.folder(), 0), rotation::path(log.folder(), 1)).unwrap();
        assert_eq!(found(&log, &LogQuery::default()), [1, 2, 3]);
    }

    #[test]
    fn a_folder_among_the_generations_is_not_part_of_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let log = AuditLog::new(folder.path());
        fs::create_dir(rotation::path(log.folder(), 1)).unwrap();
        fs::write(rotation::path(log.folder(), 2), line(&event(1))).unwrap();
        shipped(&log, &events(1..=2));
        assert_eq!(found(&log, &LogQuery::default()), [1, 2]);
    }

    /// The answer by reading everything from the beginning.
    fn forwards(lines: &[Vec<u8>], query: &LogQuery) -> LogPage {
        let read = lines.iter().map(|line| serde_json::from_slice::<Event>(line).ok());
        let wanted = |event: &Event| {
            (query.kinds.is_empty() || query.kinds.contains(&event.what.kind()))
                && query.after_number.is_none_or(|after| event.number > after)
        };
        let read: Vec<Option<Event>> = read.collect();
        let is_old = |event: &Option<Event>| {
            event.as_ref().is_some_and(|event| query.after_number.is_some_and(|after| event.number <= after))
        };
        let begin = read.iter().rposition(is_old).map_or(0, |at| at + 1);
        let matching: Vec<usize> =
            (begin..read.len()).filter(|at| read[*at].as_ref().is_some_and(wanted)).collect();
        let shown = &matching[matching.len().saturating_sub(query.limit)..];
        let passed =
            if matching.len() >= query.limit { shown.first().copied().unwrap_or(read.len()) } else { begin };
        LogPage {
            events: shown.iter().filter_map(|at| read[*at].clone()).collect(),
            skipped_lines: read[passed..].iter().filter(|line| line.is_none()).count() as u64,
        }
    }

    fn any_query() -> impl Strategy<Value = LogQuery> {
        let kinds =
            prop::sample::select(vec![vec![], vec![EventKind::Recalled], vec![EventKind::SessionStarted]]);
        (0_usize..12, kinds, prop::option::of(0_u64..40)).prop_map(|(limit, kinds, after_number)| LogQuery {
            limit,
            kinds,
            after_number,
            ..LogQuery::default()
        })
    }

    proptest! {
        #[test]
        fn reading_backwards_equals_reading_forwards(
            texts in prop::collection::vec(("[a-zß日𝄞\"\n]{0,60}", 0_u8..4), 0..40),
            breaks in prop::collection::vec(0_usize..40, 0..5),
            block_bytes in 1_usize..300,
            ends in any::<bool>(),
            query in any_query(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut log = AuditLog::new(folder.path());
            log.block_bytes = block_bytes;
            let mut lines: Vec<Vec<u8>> = Vec::new();
            for (at, (text, damage)) in texts.iter().enumerate() {
                let mut bytes = line(&telling(at as u64 + 1, text)).into_bytes();
                bytes.pop();
                if *damage == 0 {
                    bytes.truncate(text.len());
                }
                lines.push(bytes);
            }
            let mut breaks: Vec<usize> = breaks.into_iter().filter(|at| *at < lines.len()).collect();
            breaks.sort_unstable();
            let mut generation = breaks.len() as u32;
            for (at, bytes) in lines.iter().enumerate() {
                generation -= breaks.iter().filter(|own| **own == at).count() as u32;
                let newline: &[u8] = if ends || at + 1 < lines.len() { b"\n" } else { b"" };
                scribble(&rotation::path(log.folder(), generation), &[bytes, newline].concat());
            }
            // Without its newline, a last line of no bytes at all is no line.
            if !ends && lines.last().is_some_and(Vec::is_empty) {
                lines.pop();
            }
            prop_assert_eq!(log.read(&query).unwrap(), forwards(&lines, &query));
        }
    }
}
