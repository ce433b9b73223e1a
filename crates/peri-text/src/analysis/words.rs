//! Single words: stop words, stems, numbers, and the pieces of `parseConfig` and `HTTPServer`.

use std::ops::Range;

use super::TermClass;
use super::lexicon::{self, TimeWord};
use super::scan::{Scanner, Sink, truncated};
use crate::stem::stemmed;

/// More pieces than this, or more switches between letters and digits than [`SWITCHES_MAX`], and a
/// token is a hash or an encoded blob whose pieces nobody searches for.
const PIECES_MAX: usize = 8;
const SWITCHES_MAX: usize = 2;

/// How a part is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Plain,
    Number,
    /// Letters and digits together, or capitals inside.
    Mixed,
}

impl<'a, S: Sink> Scanner<'a, S> {
    /// Emits one part of a compound; `alone` says that the part is the whole compound.
    pub(super) fn part(&mut self, range: Range<usize>, alone: bool) {
        let text = &self.text[range.clone()];
        match shape(text) {
            Shape::Plain => self.word(range),
            Shape::Number => self.number(range),
            Shape::Mixed => self.mixed(range, alone),
        }
    }

    fn word(&mut self, range: Range<usize>) {
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, &self.text[range.clone()]);
        self.length = self.length.saturating_add(1);
        self.note_time(&lower);
        self.dates_at_word(range, &lower);
        self.emit_word(&lower);
        self.lower = lower;
    }

    /// Emits a lower-cased word, stemmed unless it is a stop word or not English letters.
    fn emit_word(&mut self, lower: &str) {
        if !S::TERMS {
            return;
        }
        if lexicon::is_stop_word(lower) {
            self.emit(lower, TermClass::StopWord, lower);
        } else if lower.len() > 2 && lower.bytes().all(|byte| byte.is_ascii_lowercase()) {
            // Cutting first bounds the stemmer's work on hostile input.
            let word = truncated(lower);
            if may_have_ending(word) {
                stemmed(word, |stem| self.sink.term(stem, TermClass::Word, lower));
            } else {
                self.sink.term(word, TermClass::Word, lower);
            }
        } else {
            self.emit(lower, TermClass::Word, lower);
        }
    }

    fn number(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        self.signals.has_number = true;
        self.length = self.length.saturating_add(1);
        self.emit(text, TermClass::Number, text);
        self.dates_at_number(range.clone(), range.end);
    }

    fn mixed(&mut self, range: Range<usize>, alone: bool) {
        self.whole(range.clone(), TermClass::Identifier);
        self.length = self.length.saturating_add(1);
        let text = &self.text[range.clone()];
        if let Some(digits) = ordinal_digits(text) {
            self.signals.has_number = true;
            let number = range.start..range.start + digits;
            self.emit(&self.text[number.clone()], TermClass::Number, &self.text[number.clone()]);
            return self.dates_at_number(number, range.end);
        }
        let has_digit = text.chars().any(char::is_numeric);
        self.signals.has_number |= has_digit && alone;
        if !has_digit {
            // "YouTube" must be found by "youtube", which a query stems.
            self.stem_beside(range.clone());
        }
        self.pieces(range);
    }

    fn stem_beside(&mut self, range: Range<usize>) {
        if !S::TERMS {
            return;
        }
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, &self.text[range]);
        if lower.bytes().all(|byte| byte.is_ascii_lowercase()) {
            stemmed(truncated(&lower), |stem| {
                if stem != truncated(&lower) {
                    self.sink.term(stem, TermClass::Word, &lower);
                }
            });
        }
        self.lower = lower;
    }

    fn pieces(&mut self, range: Range<usize>) {
        if !S::TERMS {
            return;
        }
        let text = &self.text[range];
        let borders = borders(text);
        let starts = || std::iter::once(0).chain(borders.iter().copied());
        let is_digit = |at: usize| text[at..].starts_with(char::is_numeric);
        let switches = starts().zip(borders.iter()).filter(|(a, b)| is_digit(*a) != is_digit(**b)).count();
        if borders.len() >= PIECES_MAX || switches > SWITCHES_MAX {
            return;
        }
        let pieces: Vec<&str> = starts()
            .zip(borders.iter().copied().chain([text.len()]))
            .map(|(start, end)| &text[start..end])
            .collect();
        let is_worded = pieces.iter().any(|piece| is_letters(piece) && piece.len() > 1);
        let digits_min = if is_worded { 1 } else { 3 };
        for piece in pieces {
            let class_min = if is_letters(piece) { 2 } else { digits_min };
            if piece.len() >= class_min {
                self.piece(piece);
            }
        }
    }

    fn piece(&mut self, piece: &str) {
        if !is_letters(piece) {
            return self.emit(piece, TermClass::Number, piece);
        }
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, piece);
        self.emit_word(&lower);
        self.lower = lower;
    }

    fn note_time(&mut self, lower: &str) {
        let sense = lexicon::time_word(lower);
        self.signals.has_time_word |=
            sense == Some(TimeWord::Alone) || (sense == Some(TimeWord::Unit) && self.time_pointer);
        self.time_pointer = sense == Some(TimeWord::Pointer);
    }

    /// Remembers a capitalised word inside a sentence. The parts of the compound must be known.
    pub(super) fn note_name(&mut self, first: usize) {
        let is_capital = self.char_at(first).is_some_and(char::is_uppercase);
        if !is_capital || self.sentence_start {
            return;
        }
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, truncated(&self.text[self.parts[0].clone()]));
        if lower.len() > 1 && !lexicon::is_stop_word(&lower) {
            self.sink.name(&lower);
        }
        self.lower = lower;
    }
}

/// Appends `text` in lower case, with typographic apostrophes made plain.
pub(super) fn push_lower(out: &mut String, text: &str) {
    if text.is_ascii() {
        out.push_str(text);
        let start = out.len() - text.len();
        return out[start..].make_ascii_lowercase();
    }
    for c in text.chars() {
        match c {
            '’' => out.push('\''),
            _ => out.extend(c.to_lowercase()),
        }
    }
}

/// Whether a word ends as words do that the English stemmer changes. The stemmer is the dearest part
/// of an analysis, and this spares it about half of the words.
pub(crate) fn may_have_ending(word: &str) -> bool {
    matches!(
        word.as_bytes(),
        [.., b's' | b'y' | b'e' | b'i']
            | [.., b'e', b'd' | b'r']
            | [.., b'i', b'c']
            | [.., b'i', b'n', b'g']
            | [.., b'i', b's', b'm']
            | [.., b'i', b'o', b'n']
            | [.., b'a' | b'e', b'n', b't']
            | [.., b't', b'o', b'r']
            | [.., b'a' | b'l', b'l']
            | [.., b'f', b'u', b'l']
    )
}

fn shape(text: &str) -> Shape {
    let bytes = text.as_bytes();
    // Most words are lower-case after their first letter, so that is asked first.
    if bytes[0].is_ascii_alphabetic() && bytes[1..].iter().all(u8::is_ascii_lowercase) {
        return Shape::Plain;
    }
    let (mut letters, mut digits) = (false, false);
    for c in text.chars() {
        let digit = c.is_numeric();
        digits |= digit;
        letters |= !digit;
    }
    match (letters, digits) {
        (false, true) => Shape::Number,
        (true, true) => Shape::Mixed,
        _ if borders(text).is_empty() => Shape::Plain,
        _ => Shape::Mixed,
    }
}

/// Byte offsets where a new piece begins: `parse|Config`, `HTTP|Server`, `utf|8`.
fn borders(text: &str) -> Vec<usize> {
    let mut borders = Vec::new();
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        if let Some(last) = before
            && (last.is_numeric() != c.is_numeric() || is_capital_border(last, &text[at..]))
        {
            borders.push(at);
        }
        before = Some(c);
    }
    borders
}

fn is_capital_border(last: char, rest: &str) -> bool {
    let mut chars = rest.chars();
    let (Some(c), next) = (chars.next(), chars.next()) else { return false };
    if !c.is_uppercase() {
        return false;
    }
    // "APIs" and "URLs" are plurals, not an identifier that ends in "Is" or "Ls".
    let is_plural = next == Some('s') && chars.next().is_none();
    last.is_lowercase() || (last.is_uppercase() && next.is_some_and(char::is_lowercase) && !is_plural)
}

fn is_letters(piece: &str) -> bool {
    !piece.starts_with(char::is_numeric)
}

/// The number of digits in "1st", "22nd" or "25th".
fn ordinal_digits(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_ordinal =
        digits > 0 && ["st", "nd", "rd", "th"].iter().any(|end| text[digits..].eq_ignore_ascii_case(end));
    is_ordinal.then_some(digits)
}

#[cfg(test)]
mod tests {
    use rust_stemmers::{Algorithm, Stemmer};

    use super::may_have_ending;

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 20_000, ..Default::default() })]
        #[test]
        fn the_shortcut_never_skips_a_word_the_stemmer_changes(
            start in "[a-z]{0,9}",
            end in "(s|ed|ing|ly|ness|ful|al|ation|er|or|ic|ment|ent|ism|ion|ll|eed|bl|at|iz|y|[a-z]{1,3})",
        ) {
            let word = start + &end;
            let stem = Stemmer::create(Algorithm::English).stem(&word).into_owned();
            // The stemmer writes "y" as "Y" while it works; only its result counts.
            proptest::prop_assert!(may_have_ending(&word) || stem == word, "{} {}", word, stem);
        }
    }
}
