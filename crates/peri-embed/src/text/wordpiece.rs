//! Cuts words into the pieces that a vocabulary holds: each time the longest that fits.

use std::ops::ControlFlow;

use super::language::{CommonWords, Tally};
use super::words::{Folding, for_each_word};
use super::{TokenId, Vocabulary};

/// A longer word is no word; the reference tokeniser gives up on it too.
const WORD_CHARACTERS_MAX: usize = 100;

/// Which texts a vocabulary may be used on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    /// English only; other texts are recognised by their coverage.
    English,
    /// Whatever the vocabulary has pieces for.
    Any,
}

/// A tokeniser: vocabulary, folding and language rule.
pub(crate) struct WordPiece {
    vocabulary: Vocabulary,
    common: CommonWords,
    unknown: TokenId,
    folding: Folding,
    languages: Languages,
}

/// A text as an engine sees it.
pub(crate) struct Reading {
    /// Its tokens, unknown ones included, up to the limit asked for.
    pub tokens: Vec<TokenId>,
    /// How much of what was read lies in known words.
    pub tally: Tally,
    /// Holds a known token that is more than punctuation.
    says_something: bool,
}

impl WordPiece {
    pub(crate) fn new(
        vocabulary: Vocabulary,
        unknown: TokenId,
        folding: Folding,
        languages: Languages,
    ) -> Self {
        let common = CommonWords::of(&vocabulary);
        Self { vocabulary, common, unknown, folding, languages }
    }

    pub(crate) fn unknown(&self) -> TokenId {
        self.unknown
    }

    /// Reads a text until it ends or `tokens_max` tokens are found.
    pub(crate) fn read(&self, text: &str, tokens_max: usize) -> Reading {
        let mut tokens = Vec::with_capacity((text.len() / 4 + 1).min(tokens_max));
        let mut tally = Tally::default();
        let mut says_something = false;
        // Breaking off is the answer too: the limit was reached.
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) =
            for_each_word(text, self.folding, |word, shape| {
                let before = tokens.len();
                self.push_pieces(word, &mut tokens);
                let known = tokens[before] != self.unknown;
                let whole = (known && tokens.len() == before + 1).then(|| tokens[before]);
                tally.add(word, shape, whole, &self.common);
                says_something |= known && !shape.is_wordless();
                if tokens.len() < tokens_max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        tokens.truncate(tokens_max);
        Reading { tokens, tally, says_something }
    }

    /// Calls `each` on the words that the vocabulary holds whole, folded, with their tokens.
    pub(crate) fn for_each_whole_word(&self, text: &str, mut each: impl FnMut(&str, TokenId)) {
        let mut tokens = Vec::new();
        let (ControlFlow::Continue(()) | ControlFlow::Break(())) =
            for_each_word(text, self.folding, |word, shape| {
                tokens.clear();
                self.push_pieces(word, &mut tokens);
                if tokens.len() == 1 && tokens[0] != self.unknown && !shape.is_wordless() {
                    each(word, tokens[0]);
                }
                ControlFlow::Continue(())
            });
    }

    /// Whether an engine with this vocabulary may vote on the text.
    pub(crate) fn understands(&self, reading: &Reading) -> bool {
        let language_known = match self.languages {
            Languages::English => reading.tally.is_english(),
            Languages::Any => true,
        };
        reading.says_something && language_known
    }

    /// Adds at least one token: the word's pieces, or the unknown token if any part of it has none.
    fn push_pieces(&self, word: &str, tokens: &mut Vec<TokenId>) {
        let before = tokens.len();
        let bytes = word.as_bytes();
        let too_long = bytes.len() > WORD_CHARACTERS_MAX && word.chars().count() > WORD_CHARACTERS_MAX;
        let mut start = 0;
        while start < bytes.len() && !too_long {
            let Some((id, length)) = self.vocabulary.longest_prefix(&bytes[start..], start > 0) else {
                break;
            };
            tokens.push(id);
            start += length;
        }
        if start < bytes.len() {
            tokens.truncate(before);
            tokens.push(self.unknown);
        }
    }
}
