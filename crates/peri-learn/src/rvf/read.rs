//! Reading a learning file.

use std::io::Read;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::adapter::{AdapterRecord, EwcRecord};
use super::entry::{Entry, Foreign, Record};
use super::error::RvfError;
use super::file::{CLOSING, OPENING, RvfFile};
use super::limits::RvfLimits;
use super::lines::{Ended, Line, Lines};
use super::pattern::PatternRecord;
use super::report::{Ending, LineProblem, ReadReport};
use super::shelf::Shelf;
use super::trajectory::TrajectoryRecord;

/// How much of a wrong beginning is shown.
const SHOWN: usize = 16;

impl RvfFile {
    /// Reads a learning file. Lines that cannot be read are skipped and reported, and a file that was cut is read up
    /// to its last whole line; only another kind of file, or one beyond the limits, is an error.
    pub fn read(input: impl Read, limits: &RvfLimits) -> Result<(Self, ReadReport), RvfError> {
        let mut reader = Reader {
            lines: Lines::new(input),
            limits,
            file: Self::default(),
            report: ReadReport::default(),
            number: 0,
        };
        reader.opening()?;
        reader.records()?;
        Ok((reader.file, reader.report))
    }
}

struct Reader<'a, R> {
    lines: Lines<R>,
    limits: &'a RvfLimits,
    file: RvfFile,
    report: ReadReport,
    number: u64,
}

/// What every line says.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, rename = "data")]
    _data: IgnoredAny,
}

impl<R: Read> Reader<'_, R> {
    fn next(&mut self, line_max: u64) -> Result<Option<Line>, RvfError> {
        self.number += 1;
        let line = self.lines.next(line_max, self.limits.bytes_max);
        let line = line.map_err(|source| RvfError::Io { doing: "read", source })?;
        if self.lines.bytes() > self.limits.bytes_max {
            return Err(RvfError::TooLarge { bytes_max: self.limits.bytes_max });
        }
        Ok(line)
    }

    fn opening(&mut self) -> Result<(), RvfError> {
        let found = match self.next(SHOWN as u64)? {
            Some(Line::Whole(line, _)) if trimmed(&line) == OPENING.as_bytes() => return Ok(()),
            Some(Line::Whole(line, _)) => String::from_utf8_lossy(&line).into_owned(),
            Some(Line::TooLong(_)) => "a long line".to_owned(),
            None => String::new(),
        };
        Err(RvfError::NotALearningFile { found })
    }

    fn records(&mut self) -> Result<(), RvfError> {
        self.report.ending = Ending::NoMark;
        while let Some(line) = self.next(self.limits.line_bytes_max)? {
            match line {
                Line::Whole(line, ended) => {
                    let line = trimmed(&line);
                    if line == CLOSING.as_bytes() {
                        self.report.ending = Ending::Whole;
                        return self.after_end();
                    }
                    self.take(line, ended)?;
                }
                Line::TooLong(ended) => {
                    let reason = format!("it is longer than {} bytes", self.limits.line_bytes_max);
                    self.skip(reason, ended);
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, line: &[u8], ended: Ended) -> Result<(), RvfError> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        if self.report.records >= self.limits.records_max {
            return Err(RvfError::TooManyRecords { records_max: self.limits.records_max });
        }
        let outcome = std::str::from_utf8(line)
            .map_err(|error| format!("it is not text: {error}"))
            .and_then(|line| add(line, &mut self.file, &mut self.report));
        match outcome {
            Ok(()) => self.report.records += 1,
            Err(reason) => self.skip(reason, ended),
        }
        Ok(())
    }

    /// Notes that a line is not taken in. The last line of a file that was cut is expected to be broken.
    fn skip(&mut self, reason: String, ended: Ended) {
        if ended == Ended::Cut {
            self.report.ending = Ending::CutLine;
        } else {
            self.report.skipped += 1;
        }
        if self.report.problems.len() < self.limits.problems_max {
            self.report.problems.push(LineProblem { line: self.number, reason });
        }
    }

    fn after_end(&mut self) -> Result<(), RvfError> {
        let end = self.lines.bytes();
        let mut has_content = false;
        while let Some(line) = self.next(self.limits.line_bytes_max)? {
            has_content |= !matches!(line, Line::Whole(line, _) if line.iter().all(u8::is_ascii_whitespace));
        }
        self.report.bytes_after_end = if has_content { self.lines.bytes() - end } else { 0 };
        Ok(())
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Adds the record of a line to a file.
fn add(line: &str, file: &mut RvfFile, report: &mut ReadReport) -> Result<(), String> {
    let head: Head = serde_json::from_str(line).map_err(|error| explained(&error))?;
    match head.kind.as_str() {
        PatternRecord::KIND => put(read(line)?, &mut file.patterns, report),
        TrajectoryRecord::KIND => put(read(line)?, &mut file.trajectories, report),
        EwcRecord::KIND => put(read(line)?, &mut file.ewc, report),
        // Others write adapters in shapes of their own.
        AdapterRecord::KIND => match Entry::read(line) {
            Ok(entry) => put(sound(entry)?, &mut file.adapters, report),
            Err(_) => keep(head.kind, line, file, report),
        },
        _ => keep(head.kind, line, file, report),
    }
    Ok(())
}

fn read<T: Record>(line: &str) -> Result<Entry<T>, String> {
    Entry::read(line).map_err(|error| explained(&error)).and_then(sound)
}

fn sound<T: Record>(entry: Entry<T>) -> Result<Entry<T>, String> {
    entry.record.fault().map_or(Ok(entry), Err)
}

fn put<T: Record>(entry: Entry<T>, shelf: &mut Shelf<T>, report: &mut ReadReport) {
    report.unknown_fields += entry.unknown_fields();
    report.replaced += usize::from(shelf.put(entry).is_some());
}

fn keep(kind: String, line: &str, file: &mut RvfFile, report: &mut ReadReport) {
    report.foreign += 1;
    file.others.push(Foreign { kind, line: line.to_owned() });
}

/// Whether a record of a foreign type will be read back as what it is.
pub(super) fn is_record(foreign: &Foreign) -> bool {
    let head = serde_json::from_str::<Head>(&foreign.line);
    !foreign.line.contains(['\n', '\r']) && head.is_ok_and(|head| head.kind == foreign.kind)
}

/// What a parser says, without the line number it counts for itself.
fn explained(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    let column = error.column();
    format!("{} (column {column})", &text[..end])
}
