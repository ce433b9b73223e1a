//! Code within a line, between backticks.

use std::collections::HashMap;

/// Where the code of a text begins and ends, found in one go.
pub(super) struct Spans(HashMap<usize, usize>);

impl Spans {
    /// Looks through a text.
    pub(super) fn of(text: &str) -> Self {
        let (mut runs, mut at) = (Vec::new(), 0);
        while let Some(found) = text[at..].find('`') {
            let start = at + found;
            let length = text[start..].bytes().take_while(|byte| *byte == b'`').count();
            runs.push((start, length));
            at = start + length;
        }
        // Code ends with as many marks as it begins with; marks that nothing answers stand for themselves.
        let mut next: HashMap<usize, usize> = HashMap::new();
        let ends = runs.iter().rev().map(|(start, length)| {
            let closing = next.insert(*length, *start);
            (*start, closing.unwrap_or(*start) + length)
        });
        Self(ends.collect())
    }

    /// Where the code, or else the marks, are over that begin here.
    pub(super) fn end(&self, at: usize) -> usize {
        self.0.get(&at).copied().unwrap_or(at + 1)
    }
}

/// A text without its code; a mark stands in the place of each.
pub(super) fn without(text: &str) -> String {
    let (mut plain, mut at, spans) = (String::with_capacity(text.len()), 0, Spans::of(text));
    while let Some(found) = text[at..].find('`') {
        plain.push_str(&text[at..at + found]);
        plain.push('`');
        at = spans.end(at + found);
    }
    plain.push_str(&text[at..]);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_with_as_many_marks_as_it_begins_with() {
        for (text, plain) in [
            ("a `b` c", "a ` c"),
            ("`` ` `` 가 `나", "` 가 `나"),
            ("```x``y```", "`"),
            ("`a ``b` c", "` c"),
            ("no code", "no code"),
        ] {
            assert_eq!(without(text), plain);
        }
    }
}
