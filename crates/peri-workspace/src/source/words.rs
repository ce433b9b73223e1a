//! Names in code.

/// Whether a character can begin a name.
pub(crate) fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a character can be part of a name.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The names in a stretch of code, one after the other. Numbers are passed over.
pub(crate) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_word(c)).filter(|word| word.starts_with(is_word_start))
}
