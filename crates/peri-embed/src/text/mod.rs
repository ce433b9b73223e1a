//! From a text to tokens: words, pieces of words, and whether the language is a known one.

pub(crate) mod language;
mod vocabulary;
mod wordpiece;
mod words;

pub use vocabulary::TokenId;
pub(crate) use vocabulary::Vocabulary;
pub(crate) use wordpiece::{Languages, WordPiece};
pub(crate) use words::Folding;
