//! Reading a declaration word by word.

use crate::source::{is_word, is_word_start};

/// Takes a word off the front if it stands there by itself.
pub(super) fn word<'a>(text: &'a str, expected: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(expected)?;
    (!rest.starts_with(is_word)).then(|| rest.trim_start())
}

/// Takes any of these words off the front, as often as they come.
pub(super) fn skip<'a>(mut text: &'a str, modifiers: &[&str]) -> (&'a str, Vec<&'a str>) {
    let mut taken = Vec::new();
    while let Some((modifier, rest)) =
        modifiers.iter().find_map(|modifier| Some((*modifier, word(text, modifier)?)))
    {
        taken.push(&text[..modifier.len()]);
        text = rest;
    }
    (text, taken)
}

/// The name at the front, and what follows it.
pub(super) fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    (text.starts_with(is_word_start)).then(|| (&text[..end], text[end..].trim_start()))
}
