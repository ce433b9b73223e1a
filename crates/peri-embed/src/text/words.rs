//! Splits a text into words the way BERT's tokenisers do, so that the vocabulary's pieces fit.
//!
//! Control characters vanish, letters lose case and accents, and every punctuation mark and every Han
//! character is a word of its own. Texts such as "[CLS]" get no special meaning: what a user writes
//! never becomes a control token.

use std::ops::ControlFlow;

use unicode_normalization::char::decompose_canonical;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whether letters lose their case and accents, which must be as it was when the model was trained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folding {
    /// Lower case, no accents.
    Fold,
    /// As written.
    Keep,
}

/// What a word looked like before it was folded, as far as the language test asks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Letters of the Latin script.
    pub latin: u32,
    /// Letters of other scripts, those of East Asia counted [`EAST_ASIAN_WEIGHT`] times.
    pub other: u32,
    /// Holds a digit.
    pub digit: bool,
    /// Holds a lower-case letter.
    pub lower: bool,
    /// Holds an upper-case letter after the first character.
    pub inner_upper: bool,
}

impl Shape {
    /// Names made up for machines, such as `k8s` or `getUserById`, belong to no language.
    pub(crate) fn is_identifier(&self) -> bool {
        self.digit || (self.inner_upper && self.lower)
    }

    /// A punctuation mark or a symbol.
    pub(crate) fn is_wordless(&self) -> bool {
        self.latin + self.other == 0 && !self.digit
    }
}

/// A Han character, a kana or a Hangul syllable says about as much as this many Latin letters.
const EAST_ASIAN_WEIGHT: u32 = 3;

/// Calls `each` with every word, folded, and its shape, until it breaks off.
pub(crate) fn for_each_word<F>(text: &str, folding: Folding, each: F) -> ControlFlow<()>
where
    F: FnMut(&str, Shape) -> ControlFlow<()>,
{
    let mut splitter = Splitter { word: String::with_capacity(32), shape: Shape::default(), folding, each };
    for character in text.chars() {
        if character.is_ascii() {
            splitter.push_ascii(character)?;
        } else {
            splitter.push_other(character)?;
        }
    }
    splitter.end_word()
}

struct Splitter<F> {
    word: String,
    shape: Shape,
    folding: Folding,
    each: F,
}

impl<F: FnMut(&str, Shape) -> ControlFlow<()>> Splitter<F> {
    fn push_ascii(&mut self, character: char) -> ControlFlow<()> {
        match character {
            'a'..='z' => {
                self.shape.latin += 1;
                self.shape.lower = true;
                self.word.push(character);
            }
            'A'..='Z' => {
                self.shape.latin += 1;
                self.shape.inner_upper |= !self.word.is_empty();
                let fold = self.folding == Folding::Fold;
                self.word.push(if fold { character.to_ascii_lowercase() } else { character });
            }
            '0'..='9' => {
                self.shape.digit = true;
                self.word.push(character);
            }
            ' ' | '\t' | '\n' | '\r' => return self.end_word(),
            _ if character.is_ascii_punctuation() => return self.lone(character),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn push_other(&mut self, character: char) -> ControlFlow<()> {
        // First, because one control character (U+0085) is white space too and the reference removes it.
        if is_removed(character) {
            return ControlFlow::Continue(());
        }
        if character.is_whitespace() {
            return self.end_word();
        }
        let is_han = is_han(character);
        if is_han {
            self.end_word()?;
        }
        self.note_shape(character);
        match self.folding {
            Folding::Fold => self.push_folded(character)?,
            Folding::Keep => self.push_kept(character)?,
        }
        if is_han { self.end_word() } else { ControlFlow::Continue(()) }
    }

    fn push_folded(&mut self, character: char) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        decompose_canonical(character, |part| {
            if flow.is_break() || part.general_category() == GeneralCategory::NonspacingMark {
                return;
            }
            for lower in part.to_lowercase() {
                flow = self.push_kept(lower);
            }
        });
        flow
    }

    fn push_kept(&mut self, character: char) -> ControlFlow<()> {
        if is_punctuation(character) {
            return self.lone(character);
        }
        self.word.push(character);
        ControlFlow::Continue(())
    }

    fn note_shape(&mut self, character: char) {
        if character.is_numeric() {
            self.shape.digit = true;
        } else if character.is_alphabetic() {
            if is_latin(character) {
                self.shape.latin += 1;
            } else {
                self.shape.other += if character >= '\u{1100}' { EAST_ASIAN_WEIGHT } else { 1 };
            }
            self.shape.lower |= character.is_lowercase();
            self.shape.inner_upper |= character.is_uppercase() && !self.word.is_empty();
        }
    }

    fn lone(&mut self, character: char) -> ControlFlow<()> {
        self.end_word()?;
        self.word.push(character);
        self.end_word()
    }

    fn end_word(&mut self) -> ControlFlow<()> {
        let shape = std::mem::take(&mut self.shape);
        if self.word.is_empty() {
            return ControlFlow::Continue(());
        }
        let flow = (self.each)(&self.word, shape);
        self.word.clear();
        flow
    }
}

/// Control and format characters, private use, and the mark of a broken encoding.
fn is_removed(character: char) -> bool {
    character == '\u{fffd}'
        || matches!(
            character.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        )
}

fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation();
    }
    character.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// The blocks that BERT puts spaces around: Han, but neither kana nor Hangul.
fn is_han(character: char) -> bool {
    matches!(u32::from(character),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0xF900..=0xFAFF
        | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F | 0x2B740..=0x2B81F | 0x2B920..=0x2CEAF | 0x2F800..=0x2FA1F)
}

fn is_latin(character: char) -> bool {
    matches!(u32::from(character), 0xAA..=0x24F | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xFB00..=0xFB06)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let flow = for_each_word(text, Folding::Fold, |word, _| {
            found.push(word.to_owned());
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        found
    }

    #[test]
    fn case_accents_controls_and_punctuation_are_handled() {
        assert_eq!(words("Café-Bar\u{0}\u{200b}s!"), ["cafe", "-", "bars", "!"]);
        assert_eq!(words("证书 ok"), ["证", "书", "ok"]);
        assert!(words("\u{301}\u{200d} \u{feff}").is_empty());
    }

    #[test]
    fn shapes_tell_identifiers_from_words() {
        let shape = |text: &str| {
            let mut last = Shape::default();
            let flow = for_each_word(text, Folding::Fold, |_, shape| {
                last = shape;
                ControlFlow::Continue(())
            });
            assert!(flow.is_continue());
            last
        };
        for identifier in ["k8s", "getUserById", "RwLock", "x86"] {
            assert!(shape(identifier).is_identifier(), "{identifier}");
        }
        for word in ["Paris", "NASA", "hello", "Zürich"] {
            assert!(!shape(word).is_identifier(), "{word}");
        }
        assert_eq!(shape("한국").other, 2 * EAST_ASIAN_WEIGHT);
    }
}
