//! Where sentences end.

use std::ops::Range;

/// Longer sentences, in bytes, are no prose that anybody spoke.
const SENTENCE_BYTES_MAX: usize = 1000;

/// Words before a full stop that do not end a sentence.
const SHORTENED: &[&str] =
    &["dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "approx", "etc", "a.m", "p.m"];

/// The sentences of a part of a text, in bytes of the text.
pub(super) fn split(text: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = within.start;
    let mut signs = text[within.clone()].char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        let at = within.start + at;
        let next = signs.peek().map(|(_, next)| *next);
        let ends = match sign {
            '。' | '！' | '？' => true,
            '!' | '?' | '…' => next.is_none_or(|next| !next.is_ascii_alphanumeric()),
            '.' => next.is_none_or(char::is_whitespace) && !is_shortened(&text[start..at], &text[at + 1..]),
            _ => false,
        };
        let goes_on = next.is_some_and(|next| {
            matches!(next, '.' | '!' | '?' | '。' | '！' | '？' | '…' | '"' | '”' | '’' | ')' | '）' | '」')
        });
        let ends_quoted = matches!(sign, '"' | '”' | ')' | '）')
            && closes_sentence(&text[start..at])
            && next.is_none_or(char::is_whitespace);
        if ends && !goes_on || ends_quoted {
            push(&mut found, text, start..at + sign.len_utf8());
            start = at + sign.len_utf8();
        }
    }
    push(&mut found, text, start..within.end);
    found
}

fn closes_sentence(before: &str) -> bool {
    before.ends_with(['.', '!', '?', '。', '！', '？'])
}

fn is_shortened(before: &str, after: &str) -> bool {
    let word = before.rsplit([' ', '(', ',']).next().unwrap_or(before);
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let is_number = !word.is_empty()
        && word.len() <= 2
        && word.bytes().all(|byte| byte.is_ascii_digit())
        && word.len() == before.trim().len();
    // "No. 5" goes on, "No. We agreed." does not.
    let is_numbered =
        word.eq_ignore_ascii_case("no") && after.trim_start().starts_with(|sign: char| sign.is_ascii_digit());
    is_initial || is_number || is_numbered || SHORTENED.contains(&word.to_ascii_lowercase().as_str())
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let sentence = &text[range.clone()];
    let from = range.start + sentence.len() - sentence.trim_start().len();
    let to = from + sentence.trim().len();
    let holds_words = text[from..to].chars().any(char::is_alphanumeric);
    if holds_words && to - from <= SENTENCE_BYTES_MAX {
        found.push(from..to);
    }
}
