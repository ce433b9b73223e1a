//! JSON of any size, one record at a time: a list, an object that holds lists, or an object a line.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Cursor, Read};
use std::rc::Rc;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::lines::{Line, Lines};
use super::record::not_json;
use crate::error::CliError;

/// The largest record worth reading, in bytes of JSON.
const RECORD_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// So much is looked at to find out how a file is written.
const PEEK: u64 = 1024 * 1024;

/// So many lines are looked at to find out whether each is a record.
const LINES_TRIED: usize = 8;

/// A record as it stands in the file.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// The list of the document that holds it; empty where there is only one.
    pub(super) list: &'a str,
    /// Where it stands, for messages.
    pub(super) place: String,
    /// What it is, or why it cannot be read.
    pub(super) value: Result<Value, String>,
}

/// Where a document breaks off.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Broken {
    /// The place.
    pub(super) place: String,
    /// What is wrong there.
    pub(super) reason: String,
}

/// Hands out every record. `lists` are the keys of an outer object that hold records.
/// Tells where the document breaks off, if it does: what stands before it has been handed out.
pub(super) fn read<'a>(
    mut reader: impl Read + 'a,
    lists: &[&str],
    take: &mut dyn FnMut(Found<'_>) -> Result<(), CliError>,
) -> Result<Option<Broken>, CliError> {
    let mut start = Vec::new();
    if let Err(error) = reader.by_ref().take(PEEK).read_to_end(&mut start) {
        return Ok(Some(Broken { place: "the beginning".to_owned(), reason: error.to_string() }));
    }
    let mark = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let by_line = is_by_line(&start[mark..], lists);
    let mut whole = Cursor::new(start);
    whole.set_position(mark as u64);
    let whole = whole.chain(reader);
    if by_line { read_lines(whole, take) } else { read_document(whole, lists, take) }
}

/// Whether a file has a record a line: it does not begin as a list, and one of its first lines is a whole object
/// which is not the document itself.
fn is_by_line(start: &[u8], lists: &[&str]) -> bool {
    if start.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return false;
    }
    let lines = start.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let mut objects = lines.take(LINES_TRIED).filter_map(|line| serde_json::from_slice(line).ok());
    objects.any(|object: Map<String, Value>| !lists.iter().any(|list| object.contains_key(*list)))
}

fn read_lines(
    reader: impl Read,
    take: &mut dyn FnMut(Found<'_>) -> Result<(), CliError>,
) -> Result<Option<Broken>, CliError> {
    let bytes_max = usize::try_from(RECORD_BYTES_MAX).unwrap_or(usize::MAX);
    let mut lines = Lines::new(BufReader::new(reader), bytes_max);
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(None),
            Err(error) => {
                let place = format!("line {}", lines.number + 1);
                return Ok(Some(Broken { place, reason: error.to_string() }));
            }
        };
        let value = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => serde_json::from_str(&text).map_err(|error| not_json(&error)),
            Line::NotText(at) => Err(format!("it is not UTF-8 text: the byte at offset {at} of the line")),
            Line::TooLong(bytes) => Err(format!("it has {bytes} bytes, more than any record may have")),
        };
        take(Found { list: "", place: format!("line {}", lines.number), value })?;
    }
}

fn read_document(
    reader: impl Read,
    lists: &[&str],
    take: &mut dyn FnMut(Found<'_>) -> Result<(), CliError>,
) -> Result<Option<Broken>, CliError> {
    let left = Rc::new(Cell::new(RECORD_BYTES_MAX));
    let metered = Metered { reader, left: Rc::clone(&left) };
    let mut deserializer = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, metered));
    let mut state = State { lists, take, left: &left, number: 0, failed: None };
    let outcome = Document { state: &mut state, list: None }
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end());
    if let Some(failed) = state.failed {
        return Err(failed);
    }
    Ok(outcome.err().map(|error| {
        let said = error.to_string();
        let reason = said.split(" at line ").next().unwrap_or(&said).to_owned();
        Broken { place: format!("line {}, column {}", error.line(), error.column()), reason }
    }))
}

/// What is known while a document is being read.
struct State<'a> {
    lists: &'a [&'a str],
    take: &'a mut dyn FnMut(Found<'_>) -> Result<(), CliError>,
    left: &'a Cell<u64>,
    /// Records read so far.
    number: usize,
    /// Why nothing more is read, where the document is not to blame.
    failed: Option<CliError>,
}

impl State<'_> {
    fn hand_out<E: Error>(&mut self, list: &str, value: Value) -> Result<(), E> {
        self.number += 1;
        let of = if list.is_empty() { String::new() } else { format!(" of {list}") };
        let found = Found { list, place: format!("record {}{of}", self.number), value: Ok(value) };
        (self.take)(found).map_err(|error| {
            self.failed = Some(error);
            E::custom("stopped")
        })
    }
}

/// A document, or one of the lists in it.
struct Document<'s, 'a> {
    state: &'s mut State<'a>,
    list: Option<&'s str>,
}

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of records or an object that holds one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut records: A) -> Result<(), A::Error> {
        self.state.number = 0;
        loop {
            self.state.left.set(RECORD_BYTES_MAX);
            let Some(value) = records.next_element::<Value>()? else { return Ok(()) };
            self.state.hand_out(self.list.unwrap_or_default(), value)?;
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let (mut rest, mut is_wrapper) = (Map::new(), false);
        while let Some(key) = entries.next_key::<String>()? {
            // Only the document itself holds lists; a record in one is a record.
            if self.list.is_none() && self.state.lists.contains(&key.as_str()) {
                is_wrapper = true;
                entries.next_value_seed(Document { state: &mut *self.state, list: Some(&key) })?;
                self.state.left.set(RECORD_BYTES_MAX);
            } else {
                rest.insert(key, entries.next_value()?);
            }
        }
        if is_wrapper {
            return Ok(());
        }
        self.state.hand_out(self.list.unwrap_or_default(), Value::Object(rest))
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A reader that stops within a record that is too large to hold.
struct Metered<R> {
    reader: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other(format!("a record has more than {RECORD_BYTES_MAX} bytes")));
        }
        let read = self.reader.read(buffer)?;
        self.left.set(self.left.get().saturating_sub(read as u64));
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> (Vec<String>, Option<String>) {
        let mut found = Vec::new();
        let broken = read(text.as_bytes(), &["results", "relations"], &mut |record| {
            let value = record.value.map_or_else(|reason| reason, |value| value.to_string());
            found.push(format!("{}: {value}", record.place));
            Ok(())
        });
        (found, broken.unwrap().map(|broken| broken.reason))
    }

    #[test]
    fn a_list_an_object_with_lists_one_object_and_an_object_a_line_are_all_read() {
        for (text, expected) in [
            ("\u{feff}[{\"a\":1},\n2]", vec!["record 1: {\"a\":1}", "record 2: 2"]),
            (
                r#"{"count":2,"results":[{"a":1}],"relations":[{"b":2}],"next":null}"#,
                vec!["record 1 of results: {\"a\":1}", "record 1 of relations: {\"b\":2}"],
            ),
            (r#"{"a":1}"#, vec!["record 1: {\"a\":1}"]),
            ("{\n  \"a\": {}\n}\n", vec!["record 1: {\"a\":{}}"]),
            ("{\"a\":1}\n\n{\"a\":2}\n", vec!["line 1: {\"a\":1}", "line 3: {\"a\":2}"]),
            (r#"{"results":null}"#, vec![]),
            (r#"{"results":{"a":1}}"#, vec!["record 1 of results: {\"a\":1}"]),
            ("[]", vec![]),
        ] {
            let (found, broken) = records(text);
            assert_eq!((found, broken), (expected.into_iter().map(str::to_owned).collect(), None), "{text}");
        }
    }

    #[test]
    fn what_stands_before_the_break_is_handed_out() {
        let (found, broken) = records("[{\"a\":1},{\"a\":2},{\"a\":");
        assert_eq!((found.len(), broken.as_deref()), (2, Some("EOF while parsing a value")));
        let (found, broken) = records("[{\"a\":1}] and more");
        assert_eq!((found.len(), broken.as_deref()), (1, Some("trailing characters")));
        let (found, broken) = records("hello");
        assert_eq!((found.len(), broken.is_some()), (0, true));
    }

    #[test]
    fn a_bad_line_among_objects_stands_alone() {
        let (found, broken) = records("oops\n{\"a\":1}\n{\"a\":\n{\"a\":2}\n");
        assert_eq!((found.len(), broken), (4, None), "{found:?}");
        assert!(found[0].starts_with("line 1: it is not JSON"), "{found:?}");
    }

    #[test]
    fn a_record_that_would_fill_the_memory_is_not_read_to_its_end() {
        let endless = io::Cursor::new(b"[{\"a\":1},{\"a\":\"".to_vec()).chain(io::repeat(b'x'));
        let mut count = 0;
        let broken = read(endless, &[], &mut |_| {
            count += 1;
            Ok(())
        });
        let reason = broken.unwrap().unwrap().reason;
        assert!(count == 1 && reason.contains("more than 67108864 bytes"), "{count} {reason}");
    }
}
