//! What is read of documents, for the fuzz targets alone.

use std::ops::Range;

use jiff::tz::TimeZone;
use perihelion::Limits;

use crate::Key;
use crate::document::Reader;

/// The parts of a document of knowledge with where they stand and how many tags, aliases and links each has, and what could not be
/// understood.
pub fn document(text: &str) -> (Vec<(Range<usize>, usize)>, Vec<String>) {
    let limits = Limits::default();
    let reader = Reader { limits: &limits, time_zone: &TimeZone::UTC };
    let key = Key::parse("facts/tea").unwrap_or_else(|error| unreachable!("a plain key: {error}"));
    let read = reader.read(&key, text);
    let parts = read.parts.into_iter().map(|part| {
        let labels = part.said.tags.len() + part.said.aliases.len() + part.links.len();
        (part.range, labels)
    });
    (parts.collect(), read.problems)
}
