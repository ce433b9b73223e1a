//! How many tokens a text has, exactly as `o200k_base` counts them, with nothing to load.
//!
//! [`count`] and [`truncate`] follow the vocabulary of OpenAI's newer models. Other models cut texts differently:
//! what must hold for every one of them goes by [`upper_bound`].
//!
//! The vocabulary lies in the program as a table that is looked up in place, so a process that counts one sentence
//! pays for one sentence. `examples/speed.rs` measures the first call and the throughput.
#![forbid(unsafe_code)]

mod merge;
mod pieces;
mod vocabulary;

use unicode_normalization::UnicodeNormalization as _;

use merge::Merger;
use pieces::Pieces;

/// The number of tokens of a text. Names of special tokens count as the text they are.
///
/// ```
/// assert_eq!(peri_tokens::count(""), 0);
/// assert_eq!(peri_tokens::count("The cat sat on the mat."), 7);
/// assert_eq!(peri_tokens::count("안녕하세요, 반갑습니다."), 7);
/// ```
pub fn count(text: &str) -> usize {
    let mut merger = Merger::default();
    Pieces::new(text).map(|piece| merger.count(piece.as_bytes())).sum()
}

/// The beginning of a text that has at most so many tokens, cut behind a whole token and a whole character.
///
/// ```
/// assert_eq!(peri_tokens::truncate("The cat sat on the mat.", 3), "The cat sat");
/// ```
pub fn truncate(text: &str, tokens_max: usize) -> &str {
    let mut merger = Merger::default();
    let mut ends = Vec::new();
    let mut at = 0;
    for piece in Pieces::new(text) {
        merger.ends(piece.as_bytes(), |end| ends.push(at + end));
        at += piece.len();
        if ends.len() > tokens_max {
            break;
        }
    }
    if ends.len() <= tokens_max {
        return text;
    }
    ends.truncate(tokens_max);
    // A beginning by itself may be cut otherwise than as part of the whole, so what remains is counted again.
    while let Some(end) = ends.pop() {
        if text.is_char_boundary(end) && count(&text[..end]) <= tokens_max {
            return &text[..end];
        }
    }
    ""
}

/// So many tokens at most has a text, whichever vocabulary a model has.
///
/// Vocabularies in use cover every byte, so none needs more tokens than there are bytes; some write characters in
/// their compatibility form first, which can be longer.
pub fn upper_bound(text: &str) -> usize {
    if text.is_ascii() {
        return text.len() + 1;
    }
    let composed: usize = text.nfkc().map(char::len_utf8).sum();
    let decomposed: usize = text.nfkd().map(char::len_utf8).sum();
    text.len().max(composed).max(decomposed) + 1
}
