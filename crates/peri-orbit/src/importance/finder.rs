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

/// A phrase that may end inside a word stands for the rest of the word, up to so many signs.
const ENDING_MAX: usize = 24;

/// Phrases by their first signs.
#[derive(Default)]
struct Shelf {
    phrases: HashMap<[char; KEY], Vec<&'static Phrase>>,
    openings: Openings,
}

/// With which two signs phrases of ASCII begin, as a bit for each. Most places of a text are passed over by one look
/// at it, which halves the time that judging takes.
struct Openings([u128; 128]);

impl Default for Openings {
    fn default() -> Self {
        Self([0; 128])
    }
}

impl Openings {
    fn add(&mut self, [first, second, ..]: [char; KEY]) {
        if first.is_ascii() {
            // A phrase that goes on with another script is let through like one that ends there.
            let second = if second.is_ascii() { second } else { FILL };
            self.0[first as usize] |= 1 << (second as u32);
        }
    }

    /// Whether a phrase may begin so. Of other scripts every one may.
    fn may_begin(&self, [first, second, ..]: [char; KEY]) -> bool {
        if !first.is_ascii() {
            return true;
        }
        let second = if second.is_ascii() { second } else { FILL };
        self.0[first as usize] & (1 | 1 << (second as u32)) != 0
    }
}

/// So many signs of a phrase decide where it is looked up; shorter ones are filled up with [`FILL`].
const KEY: usize = 3;
const FILL: char = '\0';

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let mut phrases: Vec<Phrase> =
        phrases::all().map(|(meaning, strength, text)| Phrase::new(text, meaning, strength)).collect();
    // The first that fits is then the longest, and evidence goes before a word that means nothing by itself.
    phrases.sort_by_key(|phrase| (usize::MAX - phrase.signs.len(), phrase.meaning == Meaning::Light));
    phrases
});
/// Every phrase, for places where a word begins.
static AT_START: LazyLock<Shelf> = LazyLock::new(|| shelve(PHRASES.iter()));
/// The phrases that may begin inside a word.
static INSIDE: LazyLock<Shelf> =
    LazyLock::new(|| shelve(PHRASES.iter().filter(|phrase| phrase.begins_anywhere)));

fn shelve(phrases: impl Iterator<Item = &'static Phrase>) -> Shelf {
    let mut shelf = Shelf::default();
    for phrase in phrases {
        let mut keys = vec![key(&phrase.signs)];
        if !phrase.signs[0].is_ascii() {
            // Where the text may leave out a space, it can begin with other signs.
            let without: Vec<char> = phrase.signs.iter().copied().filter(|sign| *sign != ' ').collect();
            keys.push(key(&without));
        }
        keys.dedup();
        for key in keys {
            shelf.openings.add(key);
            shelf.phrases.entry(key).or_default().push(phrase);
        }
    }
    shelf
}

fn key(signs: &[char]) -> [char; KEY] {
    std::array::from_fn(|place| signs.get(place).copied().unwrap_or(FILL))
}

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
        if self.ends_anywhere && !is_han(last) {
            let ending = sentence[place..].iter().take(ENDING_MAX);
            place += ending.take_while(|sign| is_joined(last, **sign)).count();
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
        let Some((phrase, length)) = longest(sentence, at) else { continue };
        let span = at..at + length;
        if phrase.meaning.closes() {
            closed_until = span.end;
        }
        found.push(Found { meaning: phrase.meaning, strength: phrase.strength, span });
    }
    found
}

/// The longest phrase at a place, and how many signs it covers.
fn longest(sentence: &[char], at: usize) -> Option<(&'static Phrase, usize)> {
    let is_inside = at > 0 && is_joined(sentence[at - 1], sentence[at]);
    let shelf: &Shelf = if is_inside { &INSIDE } else { &AT_START };
    let mut signs = key(&sentence[at..]);
    if !shelf.openings.may_begin(signs) {
        return None;
    }
    // Longer phrases lie under all signs of the key, the shortest under the first alone.
    (0..KEY).rev().find_map(|place| {
        let some = shelf.phrases.get(&signs);
        signs[place] = FILL;
        some?.iter().find_map(|phrase| phrase.fits(sentence, at).map(|length| (*phrase, length)))
    })
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
    if left.is_ascii() && right.is_ascii() {
        // Asked at every sign, and nearly always of such.
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '\'';
        return is_part(left) && is_part(right);
    }
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
