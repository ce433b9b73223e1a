//! Finds the phrases of the tables in a sentence.
//!
//! At each place the longest phrase counts. What a phrase of small talk or a negated marker covers is not
//! read again, so that "not important" does not also count as "important".

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
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
#[derive(Clone)]
struct Phrase {
    /// Where its signs lie among those of its shelf.
    signs: Range<usize>,
    meaning: Meaning,
    strength: f32,
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
struct Shelf {
    signs: Vec<char>,
    /// Those of the same key side by side, the longest first.
    phrases: Vec<Phrase>,
    places: HashMap<u64, Range<usize>, BuildHasherDefault<Spread>>,
    openings: Openings,
    /// So many signs of a phrase, at most, are compared by its key alone.
    compared: usize,
}

/// Spreads keys over a map. Nobody outside chooses what is in it, so it need not withstand anybody, and it is asked some
/// sixty times a sentence.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write_u64(&mut self, key: u64) {
        let product = u128::from(key) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(self.0 << 8 | u64::from(*byte)));
    }

    fn finish(&self) -> u64 {
        self.0
    }
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

/// What phrases begin with. A text of one script needs the phrases of no other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Ascii,
    Other,
}

/// The phrases of a script.
struct Shelves {
    /// Every one, for places where a word begins.
    at_start: Shelf,
    /// Those that may begin inside a word, written with a leading `*` or in Chinese.
    inside: Shelf,
}

static ASCII: LazyLock<Shelves> = LazyLock::new(|| Shelves::new(Script::Ascii));
static OTHER: LazyLock<Shelves> = LazyLock::new(|| Shelves::new(Script::Other));

impl Script {
    fn of(sign: char) -> Self {
        if sign.is_ascii() { Self::Ascii } else { Self::Other }
    }

    fn shelves(self) -> &'static Shelves {
        match self {
            Self::Ascii => &ASCII,
            Self::Other => &OTHER,
        }
    }
}

impl Shelves {
    fn new(script: Script) -> Self {
        let (mut at_start, mut inside) = (Stock::default(), Stock::default());
        for (meaning, strength, text) in phrases::all() {
            let bare = text.trim_start_matches(['*', '^']).trim_end_matches(['*', '$']);
            assert!(!bare.is_empty(), "a phrase of the tables holds at least one sign");
            if !bare.starts_with(|first| Script::of(first) == script) {
                continue;
            }
            at_start.add(text, bare, meaning, strength);
            if text.starts_with('*') || bare.starts_with(is_han) {
                inside.add(text, bare, meaning, strength);
            }
        }
        Self { at_start: Shelf::new(script, at_start), inside: Shelf::new(script, inside) }
    }
}

/// What comes onto a shelf.
#[derive(Default)]
struct Stock {
    signs: Vec<char>,
    phrases: Vec<Phrase>,
}

impl Stock {
    /// Adds a phrase of the tables: as it is written there, and without its marks.
    fn add(&mut self, text: &str, bare: &str, meaning: Meaning, strength: f32) {
        let start = self.signs.len();
        self.signs.extend(bare.chars());
        self.phrases.push(Phrase {
            signs: start..self.signs.len(),
            meaning,
            strength,
            ends_anywhere: text.ends_with('*') || bare.ends_with(is_han),
            opens_clause: text.starts_with('^'),
            closes_clause: text.ends_with('$'),
        });
    }
}

impl Shelf {
    fn new(script: Script, Stock { signs, phrases }: Stock) -> Self {
        let mut openings = Openings::default();
        let mut keyed: Vec<(u64, Phrase)> = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            let own = &signs[phrase.signs.clone()];
            let key = key_of(own.iter().copied());
            openings.add(key);
            if script == Script::Other {
                // Where the text may leave out a space, it can begin with other signs.
                let without = key_of(own.iter().copied().filter(|sign| *sign != ' '));
                if without != key {
                    keyed.push((packed(without), phrase.clone()));
                }
            }
            keyed.push((packed(key), phrase));
        }
        // The first that fits is then the longest, and evidence goes before a word that means nothing by itself.
        keyed.sort_by_key(|(key, phrase)| {
            (*key, usize::MAX - phrase.signs.len(), phrase.meaning == Meaning::Light)
        });
        let mut places = HashMap::default();
        let mut start = 0;
        for same in keyed.chunk_by(|one, next| one.0 == next.0) {
            places.insert(same[0].0, start..start + same.len());
            start += same.len();
        }
        let phrases = keyed.into_iter().map(|(_, phrase)| phrase).collect();
        // Only other scripts leave spaces out.
        let compared = if script == Script::Ascii { KEY } else { 0 };
        Self { signs, phrases, places, openings, compared }
    }

    /// The longest phrase at a place of a sentence, and how many signs it covers.
    fn longest(&self, sentence: &[char], at: usize) -> Option<(&Phrase, usize)> {
        let mut signs = key_of(sentence[at..].iter().copied());
        if !self.openings.may_begin(signs) {
            return None;
        }
        // Longer phrases lie under all signs of the key, the shortest under the first alone.
        (0..KEY).rev().find_map(|place| {
            let some = self.places.get(&packed(signs));
            signs[place] = FILL;
            let some = &self.phrases[some?.clone()];
            some.iter().find_map(|phrase| self.fits(phrase, sentence, at).map(|length| (phrase, length)))
        })
    }

    /// How many signs a phrase covers at a place that its key stands at, if it stands there.
    fn fits(&self, phrase: &Phrase, sentence: &[char], at: usize) -> Option<usize> {
        let signs = &self.signs[phrase.signs.clone()];
        let compared = self.compared.min(signs.len());
        let mut place = at + compared;
        for &sign in &signs[compared..] {
            match sentence.get(place) {
                Some(&here) if here == sign => place += 1,
                // Korean and Chinese writers leave spaces out.
                _ if sign == ' ' && !sentence[place - 1].is_ascii() => {}
                _ => return None,
            }
        }
        if phrase.opens_clause && !opens_clause(sentence, at) {
            return None;
        }
        let after = sentence.get(place).copied();
        let last = sentence[place - 1];
        if !phrase.ends_anywhere && after.is_some_and(|sign| is_joined(last, sign)) {
            return None;
        }
        if phrase.closes_clause && !after.is_none_or(ends_clause) {
            return None;
        }
        // A phrase that may end inside a word stands for the whole word.
        if phrase.ends_anywhere && !is_han(last) {
            let ending = sentence[place..].iter().take(ENDING_MAX);
            place += ending.take_while(|sign| is_joined(last, **sign)).count();
        }
        Some(place - at)
    }
}

fn key_of(mut signs: impl Iterator<Item = char>) -> [char; KEY] {
    std::array::from_fn(|_| signs.next().unwrap_or(FILL))
}

/// A key as one number: a sign takes no more than 21 bits.
fn packed(key: [char; KEY]) -> u64 {
    key.iter().fold(0, |packed, sign| packed << 21 | u64::from(u32::from(*sign)))
}

/// Every phrase in a sentence, in order.
pub(super) fn find(sentence: &[char]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut closed_until = 0;
    for at in 0..sentence.len() {
        if at < closed_until {
            continue;
        }
        let is_inside = at > 0 && is_joined(sentence[at - 1], sentence[at]);
        let shelves = Script::of(sentence[at]).shelves();
        let shelf = if is_inside { &shelves.inside } else { &shelves.at_start };
        let Some((phrase, length)) = shelf.longest(sentence, at) else { continue };
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
