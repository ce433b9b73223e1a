//! Finds the phrases of the tables in a sentence.
//!
//! At each place the longest phrase counts. What a phrase of small talk or a negated marker covers is not
//! read again, so that "not important" does not also count as "important".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::phrases::{self, Meaning};

/// A phrase of the tables in a sentence.
pub(super) struct Found {
    /// What the phrase means.
    pub(super) meaning: Meaning,
    /// How clearly, from 0 to 1.
    pub(super) strength: f32,
    /// The signs of the sentence it covers.
    pub(super) span: Range<usize>,
}

/// A phrase, ready to be compared.
struct Phrase {
    signs: Vec<char>,
    meaning: Meaning,
    strength: f32,
    /// May begin inside a word: written with a leading `*`.
    begins_anywhere: bool,
    /// May end inside a word: written with a trailing `*`.
    ends_anywhere: bool,
    /// Only where a clause begins: written with a leading `^`.
    opens_clause: bool,
    /// Only where a clause ends: written with a trailing `$`.
    closes_clause: bool,
}

static PHRASES: LazyLock<HashMap<char, Vec<Phrase>>> = LazyLock::new(|| {
    let mut by_first: HashMap<char, Vec<Phrase>> = HashMap::new();
    for (meaning, strength, text) in phrases::all() {
        let phrase = Phrase::new(text, meaning, strength);
        by_first.entry(phrase.signs[0]).or_default().push(phrase);
    }
    // The first that fits is then the longest, and evidence goes before a word that means nothing by itself.
    let order = |phrase: &Phrase| (usize::MAX - phrase.signs.len(), phrase.meaning == Meaning::Light);
    by_first.values_mut().for_each(|some| some.sort_by_key(order));
    by_first
});

impl Phrase {
    fn new(text: &str, meaning: Meaning, strength: f32) -> Self {
        let bare = text.trim_start_matches(['*', '^']).trim_end_matches(['*', '$']);
        let signs: Vec<char> = bare.chars().collect();
        assert!(!signs.is_empty(), "a phrase of the tables holds at least one sign");
        Self {
            begins_anywhere: text.starts_with('*') || is_han(signs[0]),
            ends_anywhere: text.ends_with('*') || signs.last().copied().is_some_and(is_han),
            opens_clause: text.starts_with('^'),
            closes_clause: text.ends_with('$'),
            signs,
            meaning,
            strength,
        }
    }

    /// How many signs it covers at this place, if it stands there.
    fn fits(&self, sentence: &[char], at: usize) -> Option<usize> {
        let before = at.checked_sub(1).map(|place| sentence[place]);
        if !self.begins_anywhere && before.is_some_and(|sign| is_joined(sign, self.signs[0])) {
            return None;
        }
        if self.opens_clause && !opens_clause(sentence, at) {
            return None;
        }
        let mut place = at;
        for &sign in &self.signs {
            match sentence.get(place) {
                Some(&here) if here == sign => place += 1,
                // Korean and Chinese writers leave spaces out.
                _ if sign == ' ' && !sentence[place - 1].is_ascii() => {}
                _ => return None,
            }
        }
        let after = sentence.get(place).copied();
        let last = sentence[place - 1];
        if !self.ends_anywhere && after.is_some_and(|sign| is_joined(last, sign)) {
            return None;
        }
        if self.closes_clause && !after.is_none_or(ends_clause) {
            return None;
        }
        // A phrase that may end inside a word stands for the whole word.
        while self.ends_anywhere
            && !is_han(last)
            && sentence.get(place).is_some_and(|sign| is_joined(last, *sign))
        {
            place += 1;
        }
        Some(place - at)
    }
}

/// Every phrase in a sentence, in order.
pub(super) fn find(sentence: &[char]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut closed_until = 0;
    for at in 0..sentence.len() {
        if at < closed_until {
            continue;
        }
        let Some(some) = PHRASES.get(&sentence[at]) else { continue };
        let hit = some.iter().find_map(|phrase| phrase.fits(sentence, at).map(|length| (phrase, length)));
        let Some((phrase, length)) = hit else { continue };
        let span = at..at + length;
        if phrase.meaning.closes() {
            closed_until = span.end;
        }
        found.push(Found { meaning: phrase.meaning, strength: phrase.strength, span });
    }
    found
}

/// Whether a sign is a Chinese character.
pub(super) fn is_han(sign: char) -> bool {
    matches!(sign, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether a sign is a single Korean letter, as in laughter and in short replies.
pub(super) fn is_jamo(sign: char) -> bool {
    matches!(sign, '\u{3131}'..='\u{318e}')
}

/// Whether two neighbouring signs belong to the same word. A change of script parts words, because Korean
/// particles and Chinese text follow foreign words without a space.
pub(super) fn is_joined(left: char, right: char) -> bool {
    let kind = |sign: char| match sign {
        '\'' => Some(0),
        _ if is_han(sign) => None,
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => Some(1),
        _ if is_jamo(sign) => Some(2),
        _ if sign.is_alphanumeric() => Some(0),
        _ => None,
    };
    kind(left).is_some() && kind(left) == kind(right)
}

/// Whether a clause begins at this place.
pub(super) fn opens_clause(sentence: &[char], at: usize) -> bool {
    let mut before = sentence[..at].iter().rev().take(3);
    before.find(|sign| **sign != ' ').is_none_or(|sign| ends_clause(*sign))
}

fn ends_clause(sign: char) -> bool {
    !sign.is_alphanumeric() && !matches!(sign, ' ' | '\'' | '-' | '_' | '/' | '%')
}
