//! The lines of a log from its end to its beginning, and what a line says.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use peri_types::{Event, EventKind, Namespace, Timestamp};
use serde::Deserialize;

/// How much is read first: some twenty events fit, and each further block is twice as large.
pub(super) const BLOCK_BYTES: usize = 8 * 1024;

/// Larger blocks save no more calls worth having.
const BLOCK_BYTES_MAX: usize = 1024 * 1024;

/// A line, without its newline.
pub(super) struct Line<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether a newline ends it; only the last of a file may lack one.
    pub(super) ended: bool,
    /// Where in the file it begins.
    pub(super) begin: u64,
}

/// Reads lines backwards, in blocks.
pub(super) struct LinesBackward<S> {
    source: S,
    block_bytes: usize,
    /// Where in the file the buffer begins.
    at: u64,
    buffer: Vec<u8>,
    /// How much of the buffer has not been handed out.
    left: usize,
}

impl<S: Read + Seek> LinesBackward<S> {
    /// The lines among the first `length` bytes of the source.
    pub(super) fn new(source: S, length: u64, block_bytes: usize) -> Self {
        Self { source, block_bytes: block_bytes.max(1), at: length, buffer: Vec::new(), left: 0 }
    }

    /// The line before the one handed out last.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.left == 0 && self.load()? == 0 {
            return Ok(None);
        }
        let ended = self.buffer[self.left - 1] == b'\n';
        let mut unsearched = self.left - usize::from(ended);
        let begin = loop {
            if let Some(newline) = self.buffer[..unsearched].iter().rposition(|byte| *byte == b'\n') {
                break newline + 1;
            }
            unsearched = self.load()?;
            if unsearched == 0 {
                break 0;
            }
        };
        let end = self.left - usize::from(ended);
        self.left = begin;
        Ok(Some(Line { bytes: &self.buffer[begin..end], ended, begin: self.at + begin as u64 }))
    }

    /// Puts the block before the buffer in front of it, and tells how long that block is.
    fn load(&mut self) -> io::Result<usize> {
        let size = usize::try_from(self.at).unwrap_or(usize::MAX).min(self.block_bytes);
        if size == 0 {
            return Ok(0);
        }
        let mut bytes = vec![0; size];
        self.source.seek(SeekFrom::Start(self.at - size as u64))?;
        self.source.read_exact(&mut bytes)?;
        bytes.extend_from_slice(&self.buffer[..self.left]);
        self.buffer = bytes;
        self.at -= size as u64;
        self.left += size;
        self.block_bytes = self.block_bytes.saturating_mul(2).min(BLOCK_BYTES_MAX);
        Ok(size)
    }
}

/// The first bytes of a file, at most this many.
pub(super) fn read_head(mut file: &File, bytes_max: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(bytes_max).read_to_end(&mut head)?;
    Ok(head)
}

/// What a line says that queries ask for. Far quicker to read than the whole event.
#[derive(Deserialize)]
pub(super) struct Header<'a> {
    pub(super) number: u64,
    pub(super) at: Timestamp,
    #[serde(default)]
    pub(super) namespace: Option<Namespace>,
    #[serde(borrow)]
    event: Cow<'a, str>,
}

impl Header<'_> {
    /// The kind of the event; `None` if a later version invented it.
    pub(super) fn kind(&self) -> Option<EventKind> {
        EventKind::ALL.iter().copied().find(|kind| kind.as_str() == self.event)
    }
}

/// What can be told of a line without reading its event; `None` if it is torn or no event at all.
pub(super) fn header(line: &[u8]) -> Option<Header<'_>> {
    serde_json::from_slice(line).ok()
}

/// The number of the event in a line, whatever kind it is.
pub(super) fn number(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        number: u64,
    }
    serde_json::from_slice::<Numbered>(line).ok().map(|line| line.number)
}

/// The event in a line, if it is one that this version knows.
pub(super) fn event(line: &[u8]) -> Option<Event> {
    serde_json::from_slice(line).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::super::tests::{event as sample, line};
    use super::*;

    /// A source that counts what is read of it.
    struct Counting<S> {
        source: S,
        bytes: usize,
    }

    impl<S: Read> Read for Counting<S> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.source.read(into)?;
            self.bytes += count;
            Ok(count)
        }
    }

    impl<S: Seek> Seek for Counting<S> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.source.seek(to)
        }
    }

    /// Lines with where they begin, as reading backwards finds them, in the order of the file.
    fn backwards(bytes: &[u8], block_bytes: usize) -> Vec<(Vec<u8>, bool, u64)> {
        let mut lines = LinesBackward::new(Cursor::new(bytes), bytes.len() as u64, block_bytes);
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            found.push((line.bytes.to_vec(), line.ended, line.begin));
        }
        found.reverse();
        found
    }

    fn forwards(bytes: &[u8]) -> Vec<(Vec<u8>, bool, u64)> {
        let mut begin = 0;
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let (text, ended) = line.strip_suffix(b"\n").map_or((line, false), |text| (text, true));
            begin += line.len() as u64;
            (text.to_vec(), ended, begin - line.len() as u64)
        });
        lines.collect()
    }

    proptest! {
        #[test]
        fn reading_backwards_finds_what_reading_forwards_finds(
            text in "([a-zß日𝄞]{0,40}\n?){0,30}",
            block_bytes in 1_usize..70,
        ) {
            prop_assert_eq!(backwards(text.as_bytes(), block_bytes), forwards(text.as_bytes()));
        }
    }

    #[test]
    fn lines_at_the_edges_of_blocks_are_whole() {
        for text in ["", "\n", "\n\n", "a", "a\n", "ab\ncd\n", "ab\ncd", "abc\n\nabc\n"] {
            for block_bytes in 1..=text.len() + 1 {
                let found = backwards(text.as_bytes(), block_bytes);
                assert_eq!(found, forwards(text.as_bytes()), "{text:?} in blocks of {block_bytes}");
            }
        }
    }

    #[test]
    fn the_last_lines_are_found_without_reading_the_rest() {
        let text = line(&sample(1)).repeat(100_000);
        assert!(text.len() > 7_000_000);
        let source = Counting { source: Cursor::new(text.as_bytes()), bytes: 0 };
        let mut lines = LinesBackward::new(source, text.len() as u64, BLOCK_BYTES);
        for _ in 0..20 {
            assert!(lines.next_line().unwrap().is_some());
        }
        assert_eq!(lines.source.bytes, BLOCK_BYTES);
    }

    #[test]
    fn a_source_that_is_shorter_than_it_was_is_an_error_and_no_panic() {
        let mut lines = LinesBackward::new(Cursor::new(b"ab\n"), 100, 8);
        assert!(lines.next_line().is_err());
    }

    #[test]
    fn a_header_tells_the_same_as_the_event() {
        for number in 1..=6 {
            let text = line(&sample(number));
            let header = header(text.as_bytes()).unwrap();
            let event = event(text.as_bytes()).unwrap();
            assert_eq!(header.kind(), Some(event.what.kind()));
            assert_eq!((header.number, header.at), (event.number, event.at));
            assert_eq!(header.namespace, event.namespace);
        }
    }

    #[test]
    fn no_beginning_of_a_line_is_taken_for_an_event() {
        let text = line(&sample(17));
        for end in 0..text.len() - 1 {
            let torn = &text.as_bytes()[..end];
            assert!(number(torn).is_none() && header(torn).is_none() && event(torn).is_none(), "{end}");
        }
    }

    #[test]
    fn an_event_of_a_later_version_has_a_number_and_no_kind() {
        let line = br#"{"number":7,"at":"1970-01-01T00:00:00Z","event":"teleported","to":"Mars"}"#;
        assert_eq!(number(line), Some(7));
        assert!(header(line).unwrap().kind().is_none());
        assert!(event(line).is_none());
    }
}
