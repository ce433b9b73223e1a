//! What reading a learning file has found.

/// How a file ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// With its mark.
    #[default]
    Whole,
    /// After a whole line, without the mark: it was cut there, or whoever wrote it writes no mark.
    NoMark,
    /// Within a line: it was cut, and what there is of the line is lost.
    CutLine,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineProblem {
    /// Its number, the opening mark being line 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What reading a learning file has found. Lines that could not be read are in none of the lists of the file: they
/// stay in the file on the disk, and nowhere else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// How many records were taken in, those included that a later one replaced.
    pub records: usize,
    /// How many of them replaced an earlier one with the same key.
    pub replaced: usize,
    /// How many are of types that we do not know; they are kept.
    pub foreign: usize,
    /// How many fields we do not know; they are kept.
    pub unknown_fields: usize,
    /// How many lines could not be read and were skipped.
    pub skipped: usize,
    /// The first of these lines.
    pub problems: Vec<LineProblem>,
    /// How the file ended.
    pub ending: Ending,
    /// How many bytes stand behind the mark at the end; they were not read.
    pub bytes_after_end: u64,
}

impl ReadReport {
    /// Whether everything that the file holds was taken in.
    pub fn is_whole(&self) -> bool {
        self.skipped == 0 && self.ending != Ending::CutLine && self.bytes_after_end == 0
    }
}
