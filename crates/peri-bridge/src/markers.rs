//! The section that belongs to Perihelion in a file that belongs to somebody else.
//!
//! It stands between two comments on lines of their own. The first one carries a digest of what was written between them,
//! so that an edit is known as one on every machine.

use std::fmt;
use std::ops::Range;

use crate::fences::{Fences, Place};

/// How every marker begins.
const MARK: &str = "<!-- perihelion:";
/// What a person reads who finds the section.
const NOTICE: &str = "written by `peri bridge`; edits are taken over by `peri bridge sync`";
/// The heading of the section.
pub(crate) const HEADING: &str = "Remembered by Perihelion";
/// The lines of a section besides what it shows: two markers, the heading and the blank line below it.
pub(crate) const FRAME_LINES: usize = 4;

/// Where the section is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// All of it, its markers included, without the newline behind it.
    pub(crate) range: Range<usize>,
    /// What stands between the markers.
    pub(crate) body: Range<usize>,
    /// The digest in the first marker; empty if somebody took it out.
    pub(crate) digest: String,
}

/// What is wrong with the markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The section begins and never ends.
    NoEnd {
        /// The line where it begins, from 1.
        line: usize,
    },
    /// The section ends and never begins.
    NoBegin {
        /// The line where it ends, from 1.
        line: usize,
    },
    /// The section begins again before it ends.
    Nested {
        /// The line where it begins again, from 1.
        line: usize,
    },
    /// There is a second section.
    Twice {
        /// The line where the second one begins, from 1.
        line: usize,
    },
    /// A marker is neither the first nor the last one.
    Unknown {
        /// Its line, from 1.
        line: usize,
    },
    /// The file ends within a block of code, and a section at its end would be a part of it.
    OpenCode,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEnd { line } => write!(f, "the section that begins on line {line} has no end"),
            Self::NoBegin { line } => write!(f, "the section that ends on line {line} has no beginning"),
            Self::Nested { line } => write!(f, "on line {line} a section begins within the section"),
            Self::Twice { line } => write!(f, "on line {line} a second section begins"),
            Self::Unknown { line } => write!(f, "the marker on line {line} cannot be read"),
            Self::OpenCode => f.write_str("the file ends within a block of code that is never closed"),
        }
    }
}

impl Damage {
    /// What to do about it.
    pub(crate) fn remedy(self) -> &'static str {
        match self {
            Self::NoEnd { .. } => {
                "add the line <!-- perihelion:end --> where the section should end, or delete the line where it begins"
            }
            Self::NoBegin { .. } => {
                "add the line <!-- perihelion:begin --> where the section should begin, or delete the line where it ends"
            }
            Self::Nested { .. } | Self::Twice { .. } => {
                "keep one section with one begin and one end line, and delete the other markers"
            }
            Self::Unknown { .. } => {
                "the lines are <!-- perihelion:begin --> and <!-- perihelion:end -->; mend it or delete it"
            }
            Self::OpenCode => "close the block of code with a line of ``` or ~~~",
        }
    }
}

/// A line that is a marker.
enum Marker<'a> {
    Begin(&'a str),
    End,
    Unknown,
}

/// Finds the section; none if there is none.
pub(crate) fn find(text: &str) -> Result<Option<Section>, Damage> {
    let (mut found, mut begun): (Option<Section>, Option<(usize, Section)>) = (None, None);
    let (mut at, mut fences) = (bom_of(text).len(), Fences::default());
    for (number, line) in text[at..].split_inclusive('\n').enumerate() {
        let (start, line_number) = (at, number + 1);
        at += line.len();
        let end = start + line.trim_end_matches(['\n', '\r']).len();
        let is_text = fences.next(line) == Place::Text;
        match marker(line).filter(|_| is_text) {
            None => {}
            Some(Marker::Unknown) => return Err(Damage::Unknown { line: line_number }),
            Some(Marker::Begin(_)) if begun.is_some() => return Err(Damage::Nested { line: line_number }),
            Some(Marker::Begin(_)) if found.is_some() => return Err(Damage::Twice { line: line_number }),
            Some(Marker::Begin(digest)) => {
                let digest = digest.to_owned();
                begun = Some((line_number, Section { range: start..end, body: at..at, digest }));
            }
            Some(Marker::End) => {
                let (_, mut section) = begun.take().ok_or(Damage::NoBegin { line: line_number })?;
                section.range.end = end;
                section.body.end = start;
                found = Some(section);
            }
        }
    }
    match begun {
        Some((line, _)) => Err(Damage::NoEnd { line }),
        None => Ok(found),
    }
}

fn marker(line: &str) -> Option<Marker<'_>> {
    let rest = line.trim().strip_prefix(MARK)?;
    let Some(rest) = rest.strip_suffix("-->").filter(|rest| !rest.contains("-->")) else {
        return Some(Marker::Unknown);
    };
    let mut words = rest.split_whitespace();
    Some(match words.next() {
        Some("begin") => Marker::Begin(words.next().unwrap_or_default()),
        Some("end") => Marker::End,
        _ => Marker::Unknown,
    })
}

/// A text without the section, and with a blank line in its place.
pub(crate) fn outside(text: &str, section: Option<&Section>) -> String {
    let text_begins = bom_of(text).len();
    match section {
        None => text[text_begins..].to_owned(),
        Some(Section { range, .. }) => {
            format!("{}\n\n{}", &text[text_begins..range.start], &text[range.end..])
        }
    }
}

/// A text with the section that shows these lines, in its place or at the end. Everything else stays as it is.
pub(crate) fn put(text: &str, section: Option<&Section>, lines: &[String]) -> Result<String, Damage> {
    let newline = newline_of(text);
    let own = written(lines).replace('\n', newline);
    if let Some(Section { range, .. }) = section {
        return Ok(format!("{}{own}{}", &text[..range.start], &text[range.end..]));
    }
    let said = &text[bom_of(text).len()..];
    let mut fences = Fences::default();
    said.lines().for_each(|line| {
        fences.next(line);
    });
    if fences.is_open() {
        return Err(Damage::OpenCode);
    }
    let (before, after) = match said {
        "" => ("", newline),
        _ if said.ends_with("\n\n") || said.ends_with("\n\r\n") => ("", newline),
        _ if said.ends_with('\n') => (newline, newline),
        _ => (newline, ""),
    };
    let before = if after.is_empty() { before.repeat(2) } else { before.to_owned() };
    Ok(format!("{text}{before}{own}{after}"))
}

/// The section as it is written.
fn written(lines: &[String]) -> String {
    let shown: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    let digest = digest_of(lines);
    format!("{MARK}begin {digest} {NOTICE} -->\n## {HEADING}\n\n{shown}{MARK}end -->")
}

/// How many bytes a section takes without what it shows.
pub(crate) fn frame_bytes() -> usize {
    written(&[]).len()
}

/// What tells the lines of one section from those of another.
pub(crate) fn digest_of(lines: &[String]) -> String {
    blake3::hash(lines.join("\n").as_bytes()).to_hex()[..16].to_owned()
}

/// How the lines of a text end.
fn newline_of(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn bom_of(text: &str) -> &str {
    if text.starts_with('\u{feff}') { "\u{feff}" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn a_section_is_written_at_the_end_and_then_stays_where_it_is() {
        for (text, after) in [("", "\n"), ("# 규칙\n", "\n"), ("no newline", ""), ("a\r\n\r\n", "\r\n")] {
            let first = put(text, None, &lines(&["one"])).unwrap();
            assert!(
                first.starts_with(text) && first.ends_with(&format!("perihelion:end -->{after}")),
                "{first:?}"
            );
            let section = find(&first).unwrap().unwrap();
            assert_eq!(section.digest, digest_of(&lines(&["one"])));
            assert_eq!(put(&first, Some(&section), &lines(&["one"])).unwrap(), first);
            let moved = format!("{first}\nafter\n");
            let second = put(&moved, find(&moved).unwrap().as_ref(), &lines(&["两"])).unwrap();
            assert!(second.starts_with(text) && second.ends_with("\nafter\n") && second.contains("- 两"));
            assert!(!second.contains("- one"));
        }
    }

    #[test]
    fn lines_end_as_those_of_the_file_do() {
        let text = put("\u{feff}a\r\nb\r\n", None, &lines(&["x"])).unwrap();
        assert!(text.starts_with("\u{feff}a\r\nb\r\n\r\n<!--"));
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
        let only = put("\u{feff}", None, &lines(&["x"])).unwrap();
        assert_eq!(find(&only).unwrap().unwrap().range.start, 3);
    }

    #[test]
    fn damaged_markers_are_told_with_their_line() {
        let (begin, end) = ("<!-- perihelion:begin -->\n", "<!-- perihelion:end -->\n");
        for (text, damage) in [
            (format!("a\n{begin}b\n"), Damage::NoEnd { line: 2 }),
            (format!("a\n\n{end}"), Damage::NoBegin { line: 3 }),
            (format!("{begin}{begin}{end}"), Damage::Nested { line: 2 }),
            (format!("{begin}{end}{begin}{end}"), Damage::Twice { line: 3 }),
            (format!("{begin}{end}{end}"), Damage::NoBegin { line: 3 }),
            ("<!-- perihelion:start -->".to_owned(), Damage::Unknown { line: 1 }),
            (format!("{begin}<!-- perihelion:end"), Damage::Unknown { line: 2 }),
            (format!("{begin}```\n{end}"), Damage::NoEnd { line: 1 }),
        ] {
            assert_eq!(find(&text), Err(damage), "{text}");
            assert!(!damage.to_string().is_empty() && !damage.remedy().is_empty());
        }
    }

    #[test]
    fn markers_in_code_or_within_a_line_are_text() {
        let text = "```\n<!-- perihelion:begin -->\n```\nas in `<!-- perihelion:end -->`\n";
        assert_eq!(find(text), Ok(None));
        let unclosed = "```\n<!-- perihelion:begin -->\n";
        assert_eq!(find(unclosed), Ok(None));
        for unclosed in [unclosed.to_owned(), format!("\u{feff}{unclosed}")] {
            assert_eq!(put(&unclosed, None, &lines(&["x"])), Err(Damage::OpenCode));
        }
    }
}
