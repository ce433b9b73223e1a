//! Writing a learning file.

use std::io::Write;

use super::entry::{Entry, Foreign, Record};
use super::error::RvfError;
use super::file::{CLOSING, OPENING, RvfFile};
use super::limits::RvfLimits;
use super::read::is_record;
use super::shelf::Shelf;

impl RvfFile {
    /// Writes a learning file: patterns, trajectories, protection, adapters, then what we do not know. The same
    /// content always gives the same bytes. Whatever the limits would refuse on reading is refused here already.
    pub fn write(&self, output: &mut impl Write, limits: &RvfLimits) -> Result<(), RvfError> {
        if self.len() > limits.records_max {
            return Err(RvfError::TooManyRecords { records_max: limits.records_max });
        }
        let mut writer = Writer { output, limits, bytes: 0 };
        writer.line(OPENING)?;
        writer.shelf(&self.patterns)?;
        writer.shelf(&self.trajectories)?;
        writer.shelf(&self.ewc)?;
        writer.shelf(&self.adapters)?;
        for foreign in &self.others {
            writer.line(check_foreign(foreign, limits)?)?;
        }
        writer.line(CLOSING)
    }
}

/// Whether a record can be kept: it is sound and its line is not too long.
pub(super) fn check<T: Record + Clone>(entry: &Entry<T>, limits: &RvfLimits) -> Result<String, RvfError> {
    let key = || entry.record.key().into_owned();
    let refused = |reason: String| RvfError::Refused { kind: T::KIND, key: key(), reason };
    if let Some(reason) = entry.record.fault() {
        return Err(refused(reason));
    }
    let line = entry.line().map_err(|error| refused(error.to_string()))?;
    let (bytes, bytes_max) = (line.len() as u64, limits.line_bytes_max);
    if bytes > bytes_max {
        return Err(RvfError::RecordTooLarge { kind: T::KIND, key: key(), bytes, bytes_max });
    }
    Ok(line)
}

fn check_foreign<'a>(foreign: &'a Foreign, limits: &RvfLimits) -> Result<&'a str, RvfError> {
    let (bytes, bytes_max) = (foreign.line.len() as u64, limits.line_bytes_max);
    let key = || foreign.kind.clone();
    if bytes > bytes_max {
        return Err(RvfError::RecordTooLarge { kind: "foreign record", key: key(), bytes, bytes_max });
    }
    // Whatever else it holds, it must be one line that reads as a record of a foreign type again.
    if !is_record(foreign) {
        let reason = "it is not one line with a type".to_owned();
        return Err(RvfError::Refused { kind: "foreign record", key: key(), reason });
    }
    Ok(&foreign.line)
}

struct Writer<'a, W> {
    output: &'a mut W,
    limits: &'a RvfLimits,
    bytes: u64,
}

impl<W: Write> Writer<'_, W> {
    fn shelf<T: Record + Clone>(&mut self, shelf: &Shelf<T>) -> Result<(), RvfError> {
        shelf.entries().iter().try_for_each(|entry| self.line(&check(entry, self.limits)?))
    }

    fn line(&mut self, line: &str) -> Result<(), RvfError> {
        self.bytes += line.len() as u64 + 1;
        if self.bytes > self.limits.bytes_max {
            return Err(RvfError::TooLarge { bytes_max: self.limits.bytes_max });
        }
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.write_all(b"\n"));
        written.map_err(|source| RvfError::Io { doing: "written", source })
    }
}
