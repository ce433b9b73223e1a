//! Which language a text is in, by its script.

use crate::folding::{is_han, is_hangul};

/// The languages that have rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Korean,
    Chinese,
}

/// The language of a text; names and identifiers in Latin letters do not make it English.
pub(crate) fn language(text: &str) -> Language {
    let (mut hangul, mut han, mut latin) = (0usize, 0usize, 0usize);
    for sign in text.chars() {
        if is_hangul(sign) {
            hangul += 1;
        } else if is_han(sign) {
            han += 1;
        } else {
            latin += usize::from(sign.is_alphabetic());
        }
    }
    if hangul + han == 0 || latin > 6 * (hangul + han) {
        Language::English
    } else if hangul >= han {
        Language::Korean
    } else {
        Language::Chinese
    }
}
