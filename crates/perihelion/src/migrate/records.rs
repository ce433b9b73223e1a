//! The records of another store as lines of an import.

use serde_json::{Map, Value};

use super::pieces::{Piece, Pieces};
use super::record::Reader;
use crate::Error;
use crate::transfer::{Line, Lines, told};

/// Records, one at a time.
pub(super) struct Records<'a> {
    pieces: Box<dyn Pieces + 'a>,
    reader: Reader,
    max: usize,
    bytes: Vec<u8>,
    piece: Piece,
    number: u64,
    through: u64,
}

impl<'a> Records<'a> {
    /// None has more than `max` bytes.
    pub(super) fn new(pieces: Box<dyn Pieces + 'a>, reader: Reader, max: usize) -> Self {
        Self { pieces, reader, max, bytes: Vec::new(), piece: Piece::Whole, number: 0, through: 0 }
    }

    /// Where the records came from, once they were read.
    pub(super) fn pieces(&self) -> &dyn Pieces {
        &*self.pieces
    }

    /// The record as it is written.
    fn parsed(&self) -> Result<Option<Map<String, Value>>, String> {
        if let Piece::Refused(why) = &self.piece {
            return Err(why.clone());
        }
        let text = str::from_utf8(&self.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        match serde_json::from_str(text).map_err(|error| told(&error))? {
            Value::Object(record) => Ok(Some(record)),
            _ => Err("it is no object".to_owned()),
        }
    }
}

impl Lines for Records<'_> {
    fn advance(&mut self) -> Result<bool, Error> {
        let Some((piece, read)) = self.pieces.next(&mut self.bytes, self.max).map_err(Error::Transfer)?
        else {
            return Ok(false);
        };
        self.piece = piece;
        self.number += 1;
        self.through += read;
        let is_header = |record: &Map<String, Value>| {
            record.get("record").is_some_and(|kind| kind == "header") && record.contains_key("perihelion")
        };
        if self.number == 1 && self.parsed().ok().flatten().is_some_and(|record| is_header(&record)) {
            let detail = "it is an export of Perihelion itself, which is to be imported".to_owned();
            return Err(Error::Import { line: 1, detail });
        }
        Ok(true)
    }

    fn read(&mut self) -> Result<Option<Line>, String> {
        let Some(record) = self.parsed()? else { return Ok(None) };
        let line = self.reader.read(record, self.pieces.category())?;
        Ok(Some(Line::Memory(Box::new(line))))
    }

    fn place(&self) -> (u64, u64) {
        (self.number, self.through)
    }

    fn len(&self) -> usize {
        self.bytes.len()
    }
}
