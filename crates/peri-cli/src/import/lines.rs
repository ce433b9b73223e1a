//! Lines of any length from any reader, without holding more than one and never more than a limit of it.

use std::io::{self, BufRead};

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Text.
    Text(String),
    /// It is not UTF-8 from this byte of the line on.
    NotText(usize),
    /// It is longer than the limit; so many bytes.
    TooLong(usize),
}

/// Reads lines and counts them.
pub(crate) struct Lines<R> {
    reader: R,
    bytes_max: usize,
    /// Lines read so far; the number of the last one.
    pub(crate) number: usize,
    /// Bytes read so far.
    pub(crate) bytes: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most so many bytes.
    pub(crate) fn new(reader: R, bytes_max: usize) -> Self {
        Self { reader, bytes_max, number: 0, bytes: 0 }
    }

    /// The next line, if there is one.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let (mut line, mut size, mut ended) = (Vec::new(), 0_usize, false);
        while !ended {
            let buffer = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            ended = end.is_some();
            let part = &buffer[..end.unwrap_or(buffer.len())];
            line.extend_from_slice(&part[..part.len().min(self.bytes_max.saturating_sub(line.len()))]);
            size += part.len();
            let used = part.len() + usize::from(ended);
            self.bytes += used as u64;
            self.reader.consume(used);
        }
        if size == 0 && !ended {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(self.finish(line, size)))
    }

    fn finish(&self, line: Vec<u8>, size: usize) -> Line {
        if size > self.bytes_max {
            return Line::TooLong(size);
        }
        match String::from_utf8(line) {
            Ok(text) => {
                let text =
                    if self.number == 1 { text.strip_prefix('\u{feff}').unwrap_or(&text) } else { &text };
                Line::Text(text.trim_end_matches('\r').to_owned())
            }
            Err(error) => Line::NotText(error.utf8_error().valid_up_to()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_stand_alone_whatever_the_reader_hands_out() {
        let input = b"\xef\xbb\xbfone\r\n\nab\xffcd\nlonger than ten bytes\nlast".as_slice();
        for capacity in 1..64 {
            let mut lines = Lines::new(io::BufReader::with_capacity(capacity, input), 10);
            let mut found = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                found.push(line);
            }
            let text = |text: &str| Line::Text(text.to_owned());
            assert_eq!(found, [text("one"), text(""), Line::NotText(2), Line::TooLong(21), text("last")]);
            assert_eq!((lines.number, lines.bytes), (5, input.len() as u64));
        }
    }
}
