//! The lines of a file, in bounded memory.

use std::io::{self, BufRead};

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A line without its end.
    Whole(&'a [u8]),
    /// A line that was passed over.
    TooLong,
    /// Nothing, or a line that has no end yet.
    Unfinished,
}

/// Reads lines of which no longer one than allowed is ever kept.
pub(super) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    bytes_max: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, bytes_max: usize) -> Self {
        Self { reader, line: Vec::new(), bytes_max }
    }

    /// The next line and how many bytes it took, with its end.
    pub(super) fn next(&mut self) -> io::Result<(Line<'_>, u64)> {
        self.line.clear();
        let mut length = 0;
        loop {
            let chunk = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok((Line::Unfinished, 0));
            }
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            // One byte more than allowed says that it is too long.
            let room = (self.bytes_max + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let taken = part.len() + usize::from(end.is_some());
            self.reader.consume(taken);
            length += taken as u64;
            if end.is_some() {
                break;
            }
        }
        let is_too_long = self.line.len() > self.bytes_max;
        Ok((if is_too_long { Line::TooLong } else { Line::Whole(&self.line) }, length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_passed_over_and_the_last_one_waits() {
        let text = "가\n\nlonger than ten\nexactly10!\r\n끝".as_bytes();
        for capacity in [1, 2, 7, 100] {
            let mut lines = Lines::new(io::BufReader::with_capacity(capacity, text), 11);
            assert_eq!(lines.next().unwrap(), (Line::Whole("가".as_bytes()), 4));
            assert_eq!(lines.next().unwrap(), (Line::Whole(b""), 1));
            assert_eq!(lines.next().unwrap(), (Line::TooLong, 16));
            assert_eq!(lines.next().unwrap(), (Line::Whole(b"exactly10!\r"), 12));
            assert_eq!(lines.next().unwrap(), (Line::Unfinished, 0));
        }
    }

    #[test]
    fn a_line_of_fifty_megabytes_takes_no_memory() {
        let text = io::Read::chain(io::Read::take(io::repeat(b'x'), 50 << 20), &b"\nshort\n"[..]);
        let mut lines = Lines::new(io::BufReader::new(text), 1000);
        assert_eq!(lines.next().unwrap(), (Line::TooLong, (50 << 20) + 1));
        assert!(lines.line.capacity() < 4096, "{}", lines.line.capacity());
        assert_eq!(lines.next().unwrap(), (Line::Whole(b"short"), 6));
    }
}
