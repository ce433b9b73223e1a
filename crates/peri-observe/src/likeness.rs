//! Whether two texts say the same, by their words.

use std::collections::BTreeSet;

use peri_text::{TermClass, analyze_query};

/// So large a share of all words of two texts makes them say the same.
const SHARED_MIN: f32 = 0.6;
/// So large a share of the words of the shorter text makes it a part of the longer one.
const CONTAINED_MIN: f32 = 0.85;
/// A shorter text with fewer words than this is a part of many.
const CONTAINED_TERMS_MIN: usize = 3;

/// A text of so many words at most is short.
const SHORT_TERMS_MAX: usize = 5;

/// The words of a text, ready to be compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Likeness {
    terms: BTreeSet<String>,
    /// The same as numbers in order, which are compared much faster.
    marks: Vec<u64>,
    /// Numbers, dates and identifiers: texts that differ in them say different things.
    exact: BTreeSet<String>,
    is_negated: bool,
}

impl Likeness {
    /// Reads a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut likeness = Self { is_negated: is_negated(text), ..Self::default() };
        let bare = without_notes(text);
        for term in analyze_query(&bare) {
            match term.class {
                TermClass::StopWord | TermClass::Emoji => continue,
                TermClass::Number | TermClass::Date | TermClass::Identifier => {
                    likeness.exact.insert(term.text.clone());
                }
                TermClass::Word | TermClass::Cjk => {}
            }
            likeness.terms.insert(term.text);
        }
        likeness.marked()
    }

    fn marked(mut self) -> Self {
        self.marks = self.terms.iter().map(|term| mark(term)).collect();
        self.marks.sort_unstable();
        self
    }

    /// The words.
    pub(crate) fn terms(&self) -> &BTreeSet<String> {
        &self.terms
    }

    /// The same without some words.
    pub(crate) fn without(&self, words: &BTreeSet<String>) -> Self {
        let terms = self.terms.difference(words).cloned().collect();
        Self { terms, marks: Vec::new(), exact: self.exact.clone(), is_negated: self.is_negated }.marked()
    }

    /// How many words two texts share.
    pub(crate) fn shared(&self, other: &Self) -> usize {
        let (mut one, mut two, mut count) = (0, 0, 0);
        while one < self.marks.len() && two < other.marks.len() {
            let order = self.marks[one].cmp(&other.marks[two]);
            count += usize::from(order.is_eq());
            one += usize::from(order.is_le());
            two += usize::from(order.is_ge());
        }
        count
    }

    /// The share of all words that two texts have in common.
    pub(crate) fn overlap(&self, other: &Self) -> f32 {
        let all = self.terms.len() + other.terms.len() - self.shared(other);
        if all == 0 { 0.0 } else { self.shared(other) as f32 / all as f32 }
    }

    /// Whether two texts say the same.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        if self.is_negated != other.is_negated || !self.is_near(other) || self.exact != other.exact {
            return false;
        }
        let shorter = self.terms.len().min(other.terms.len());
        let is_part = shorter >= CONTAINED_TERMS_MIN
            && self.shared(other) as f32 >= CONTAINED_MIN * shorter as f32
            && self.terms.len().abs_diff(other.terms.len()) <= shorter;
        self.overlap(other) >= SHARED_MIN || is_part
    }

    /// Whether two texts share enough words to be read closely, which takes a thousand times longer.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let shorter = self.terms.len().min(other.terms.len());
        shorter > 0 && 2 * self.shared(other) >= shorter
    }

    /// Whether a text holds so few words that another one can speak of the same without sharing any.
    pub(crate) fn is_short(&self) -> bool {
        self.terms.len() <= SHORT_TERMS_MAX
    }

    /// Whether a text says nothing that the other one does not say.
    pub(crate) fn echoes(&self, other: &Self, contained_min: f32) -> bool {
        self.is_negated == other.is_negated
            && !self.terms.is_empty()
            && self.exact.is_subset(&other.exact)
            && self.shared(other) as f32 >= contained_min * self.terms.len() as f32
    }
}

/// A number for a word, by FNV-1a.
fn mark(term: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    term.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// A text without who speaks and without the days that were added in brackets.
fn without_notes(text: &str) -> String {
    let mut rest = text.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    for speaker in
        ["User's ", "User: ", "User ", "Assistant: ", "사용자: ", "用户：", "助手：", "어시스턴트: "]
    {
        rest = rest.strip_prefix(speaker).unwrap_or(rest);
    }
    let mut out = String::with_capacity(rest.len());
    while let Some(open) = rest.find('(') {
        let inside = &rest[open + 1..];
        let close = inside.find(')');
        let is_day = |note: &str| {
            (note.len() >= 7 || note.len() == 4)
                && note.bytes().all(|byte| byte.is_ascii_digit() || b"- to".contains(&byte))
        };
        match close {
            Some(close) if is_day(&inside[..close]) => {
                out.push_str(rest[..open].trim_end());
                rest = &inside[close + 1..];
            }
            _ => {
                out.push_str(&rest[..=open]);
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether a text denies something; two texts that differ in that say opposite things.
fn is_negated(text: &str) -> bool {
    let folded = text.to_lowercase().replace('’', "'");
    let words = [
        "not",
        "never",
        "no",
        "don't",
        "doesn't",
        "isn't",
        "can't",
        "cannot",
        "won't",
        "without",
        "aren't",
        "didn't",
        "shouldn't",
        "mustn't",
        "avoid",
        "stop",
    ];
    let latin = folded
        .split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '\''))
        .any(|word| words.contains(&word));
    let korean = ["지 마", "지 말", "지마", "않", " 안 ", " 못 ", "금지", "없"];
    latin
        || korean.iter().any(|word| folded.contains(word))
        || folded.contains(['不', '别', '没', '勿', '禁'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paraphrases_are_alike_and_opposites_are_not() {
        for (one, other, expected) in [
            ("I prefer short answers.", "User prefers short answers", true),
            ("Call the bank tomorrow (2026-03-11).", "Call the bank tomorrow", true),
            ("Use tabs for indentation.", "Don't use tabs for indentation.", false),
            ("The port is 8443.", "The port is 8080.", false),
            ("나는 짧은 답변이 좋아", "사용자: 나는 짧은 답변이 좋아.", true),
            ("legacy 폴더는 건드려도 된다", "legacy 폴더는 건드리지 마", false),
            ("我喜欢喝茶", "我不喜欢喝茶", false),
            ("Alpha", "Beta", false),
        ] {
            assert_eq!(Likeness::of(one).is_like(&Likeness::of(other)), expected, "{one} / {other}");
        }
    }
}
