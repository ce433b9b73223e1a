//! Where an import reads from: lines, one at a time.

use std::io::{BufRead, Read};

use super::line::Line;
use crate::Error;

/// Lines, of whatever kind, that say what an export says.
pub(crate) trait Lines {
    /// Goes to the next line. `false`: there is none.
    fn advance(&mut self) -> Result<bool, Error>;

    /// What the line says, if it is not blank; or why it cannot be taken.
    fn read(&mut self) -> Result<Option<Line>, String>;

    /// Which line it is, from 1, and how many bytes there are up to its end.
    fn place(&self) -> (u64, u64);

    /// How many bytes the line has.
    fn len(&self) -> usize;
}

/// The lines of an export.
pub(super) struct ExportLines<'a> {
    lines: &'a mut dyn BufRead,
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    max: usize,
}

impl<'a> ExportLines<'a> {
    /// None is longer than `max`.
    pub(super) fn new(lines: &'a mut dyn BufRead, max: usize) -> Self {
        Self { lines, line: Vec::new(), number: 0, bytes: 0, max }
    }
}

impl Lines for ExportLines<'_> {
    fn advance(&mut self) -> Result<bool, Error> {
        self.line.clear();
        // One byte more than is allowed tells that there are too many.
        let most = (self.max as u64).saturating_add(1);
        let read =
            Read::take(&mut *self.lines, most).read_until(b'\n', &mut self.line).map_err(Error::Transfer)?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if self.line.len() > self.max {
            let detail = format!("it has more than the {} bytes allowed", self.max);
            return Err(Error::Import { line: self.number, detail });
        }
        self.bytes += read as u64;
        Ok(true)
    }

    fn read(&mut self) -> Result<Option<Line>, String> {
        match str::from_utf8(&self.line) {
            Ok(line) if line.trim().is_empty() => Ok(None),
            Ok(line) => Line::parse(line).map(Some),
            Err(_) => Err("it is not UTF-8".to_owned()),
        }
    }

    fn place(&self) -> (u64, u64) {
        (self.number, self.bytes)
    }

    fn len(&self) -> usize {
        self.line.len()
    }
}
