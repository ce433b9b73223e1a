//! Cutting a long body into parts that are worth recalling by themselves: at its headings, and where there are none, at
//! its paragraphs. Where a cut falls depends on what is near it alone, so that an edit moves no other.

use std::collections::HashMap;
use std::ops::Range;

use crate::marks::Heading;

/// Up to so many characters a body is one memory.
const WHOLE_CHARS: usize = 2000;
/// Longer sections are cut at their smaller headings, and then at their paragraphs.
const SECTION_CHARS: usize = 4000;
/// Sections begin at headings of these levels; those of longer ones at all.
const SECTION_LEVEL: usize = 2;
/// The longest name of a part, in bytes: the source of a memory has room for it behind the path.
const ANCHOR_BYTES_MAX: usize = 40;

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// Where it stands, without blank space around it.
    pub(crate) range: Range<usize>,
    /// What its heading says; empty before the first.
    pub(crate) heading: String,
    /// What tells it from the others of the document; empty if it is all there is.
    pub(crate) anchor: String,
}

/// The parts of a body, in order; none of a blank one.
pub(crate) fn split(body: &str, headings: &[Heading]) -> Vec<Section> {
    let whole = trimmed(body, 0..body.len());
    if whole.is_empty() {
        return Vec::new();
    }
    if body[whole.clone()].chars().count() <= WHOLE_CHARS {
        let heading = headings.first().map(|one| one.text.clone()).unwrap_or_default();
        return vec![Section { range: whole, heading, anchor: String::new() }];
    }
    let mut sections = Vec::new();
    for section in cut(body, 0..body.len(), headings, SECTION_LEVEL) {
        if body[section.clone()].chars().count() <= SECTION_CHARS {
            sections.push(section);
            continue;
        }
        for smaller in cut(body, section, headings, usize::MAX) {
            sections.extend(paragraphs(body, smaller));
        }
    }
    named(body, sections, headings)
}

/// Cuts a range before each heading of a level or a higher one. A heading without a text stays with what follows it.
fn cut(body: &str, range: Range<usize>, headings: &[Heading], level: usize) -> Vec<Range<usize>> {
    let (mut cuts, mut from) = (Vec::new(), range.start);
    for heading in headings.iter().filter(|one| one.level <= level && range.contains(&one.at)) {
        let says = body[from..heading.at]
            .lines()
            .any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
        if says {
            cuts.push(from..heading.at);
            from = heading.at;
        }
    }
    cuts.push(from..range.end);
    cuts
}

/// Cuts what is still too long at blank lines, else at the ends of lines, else anywhere.
fn paragraphs(body: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let (mut pieces, mut from) = (Vec::new(), range.start);
    while let Some((far, _)) = body[from..range.end].char_indices().nth(SECTION_CHARS) {
        let window = &body[from..from + far];
        let at =
            window.rfind("\n\n").or_else(|| window.rfind('\n')).filter(|at| *at > 0).map_or(far, |at| at + 1);
        pieces.push(from..from + at);
        from += at;
    }
    pieces.push(from..range.end);
    pieces
}

fn named(body: &str, ranges: Vec<Range<usize>>, headings: &[Heading]) -> Vec<Section> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut sections = Vec::new();
    for range in ranges {
        let bound = range.end.min(range.start + 1);
        let above = headings[..headings.partition_point(|one| one.at < bound)].last();
        let heading = above.map(|one| one.text.clone()).unwrap_or_default();
        let range = trimmed(body, range);
        if range.is_empty() {
            continue;
        }
        let name = if heading.is_empty() { "…".to_owned() } else { cut_label(&heading) };
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        let anchor = if *count == 1 { name } else { format!("{name} ({count})") };
        sections.push(Section { range, heading, anchor });
    }
    sections
}

fn cut_label(text: &str) -> String {
    let mut end = text.len().min(ANCHOR_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].trim().to_owned()
}

fn trimmed(body: &str, range: Range<usize>) -> Range<usize> {
    let text = &body[range.clone()];
    let start = range.start + (text.len() - text.trim_start().len());
    let end = range.start + text.trim_end().len();
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::marks::Marks;

    fn anchors(body: &str) -> Vec<(String, usize)> {
        let sections = split(body, &Marks::of(body).headings);
        sections.into_iter().map(|one| (one.anchor, body[one.range].chars().count())).collect()
    }

    #[test]
    fn a_short_body_is_one_part_and_a_blank_one_none() {
        assert_eq!(anchors(" \n\t\n"), []);
        assert_eq!(anchors("\n# 커피\n\n드립이 좋다.\n"), [(String::new(), 13)]);
    }

    #[test]
    fn a_long_body_is_cut_at_its_headings_and_says_them() {
        let long = "말 ".repeat(800);
        let body =
            format!("# 제목\n\n{long}\n## 하나\n{long}\n### small\n{long}\n## 하나\n{long}\n## empty\n");
        let names: Vec<_> = anchors(&body).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["제목", "하나", "하나 (2)", "empty"]);
    }

    #[test]
    fn text_without_headings_is_cut_at_paragraphs_and_at_last_anywhere() {
        let body = format!("{}\n\n{}", "a".repeat(3000), "b".repeat(3000));
        assert_eq!(anchors(&body), [("…".to_owned(), 3000), ("… (2)".to_owned(), 3000)]);
        let body = "字".repeat(9000);
        assert_eq!(anchors(&body).iter().map(|(_, chars)| chars).sum::<usize>(), 9000);
    }

    proptest! {
        #[test]
        fn the_parts_hold_everything_in_order(lines in prop::collection::vec("(#{1,3} )?[a-z가-힣 ]{0,200}", 0..120)) {
            let body = lines.join("\n");
            let sections = split(&body, &Marks::of(&body).headings);
            let held: String = sections.iter().map(|one| &body[one.range.clone()]).collect();
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(squeezed(&held), squeezed(&body));
            let mut names: Vec<_> = sections.iter().map(|one| &one.anchor).collect();
            names.sort();
            names.dedup();
            prop_assert_eq!(names.len(), sections.len());
        }
    }
}
