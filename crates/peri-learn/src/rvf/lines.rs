//! Lines of a stream, none of them longer in memory than allowed.

use std::io::{self, BufRead, BufReader, Read};

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end, and whether it had one.
    Whole(Vec<u8>, Ended),
    /// A line that is longer than allowed; it was read over.
    TooLong(Ended),
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With the end of a line.
    Properly,
    /// With the end of the file.
    Cut,
}

/// Reads line by line.
pub(super) struct Lines<R> {
    input: BufReader<R>,
    bytes: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::new(input), bytes: 0 }
    }

    /// How many bytes have been read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line; none at the end. Reading stops at `total_max` bytes of the whole stream, as if it ended there.
    pub(super) fn next(&mut self, line_max: u64, total_max: u64) -> io::Result<Option<Line>> {
        let (mut line, mut is_too_long, mut is_there) = (Vec::new(), false, false);
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() || self.bytes > total_max {
                let end = if is_too_long { Line::TooLong(Ended::Cut) } else { Line::Whole(line, Ended::Cut) };
                return Ok(is_there.then_some(end));
            }
            is_there = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let piece = &buffer[..end.unwrap_or(buffer.len())];
            is_too_long |= line.len() as u64 + piece.len() as u64 > line_max;
            if is_too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(piece);
            }
            let taken = piece.len() + usize::from(end.is_some());
            self.input.consume(taken);
            self.bytes += taken as u64;
            if end.is_some() {
                let ended = Ended::Properly;
                return Ok(Some(if is_too_long { Line::TooLong(ended) } else { Line::Whole(line, ended) }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], line_max: u64) -> Vec<Line> {
        let mut lines = Lines::new(text);
        std::iter::from_fn(|| lines.next(line_max, u64::MAX).unwrap()).collect()
    }

    #[test]
    fn lines_are_cut_where_they_end_and_long_ones_are_read_over() {
        let found = lines("가\n\nabcdefgh\nz".as_bytes(), 4);
        let whole = |text: &str, ended| Line::Whole(text.as_bytes().to_vec(), ended);
        let expected = [
            whole("가", Ended::Properly),
            whole("", Ended::Properly),
            Line::TooLong(Ended::Properly),
            whole("z", Ended::Cut),
        ];
        assert_eq!(found, expected);
        assert_eq!(lines(b"", 4), []);
        assert_eq!(lines(b"abcdefgh", 4), [Line::TooLong(Ended::Cut)]);
    }

    #[test]
    fn an_endless_line_is_left_at_the_bound_of_the_stream() {
        let mut lines = Lines::new(io::repeat(b'x'));
        assert_eq!(lines.next(100, 1_000_000).unwrap(), Some(Line::TooLong(Ended::Cut)));
        assert!(lines.bytes() < 1_100_000);
    }
}
