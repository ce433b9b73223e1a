//! Tokens of a sentence, with dates, clock times and amounts in one spelling.
//!
//! A date becomes `dt` with eight digits and a time `tm` with four, so that they stay one word and can be
//! told from other values.

use std::fmt::Write;

use crate::analysis::{DateMention, MonthPart, date_mentions};

/// A token as it was written, in lower case, with the mark before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Raw {
    pub(super) text: String,
    /// A comma stands before it.
    pub(super) comma: bool,
    /// A colon stands before it.
    pub(super) colon: bool,
}

/// The text with every date in one spelling.
pub(super) fn with_dates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for mention in date_mentions(text) {
        if mention.range.start < at {
            continue;
        }
        out.push_str(&text[at..mention.range.start]);
        push_date(&mut out, &mention);
        at = mention.range.end;
    }
    out.push_str(&text[at..]);
    out
}

fn push_date(out: &mut String, mention: &DateMention) {
    let (year, month, day) =
        (mention.year.unwrap_or(0), mention.month.unwrap_or(0), mention.day.unwrap_or(0));
    // A date inside a longer identifier must not run into it.
    if out.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        out.push(' ');
    }
    write!(out, "dt{year:04}{month:02}{day:02}").expect("a string takes any text");
    out.push_str(match mention.part {
        Some(MonthPart::Early) => "early",
        Some(MonthPart::Middle) => "middle",
        Some(MonthPart::Late) => "late",
        None => "",
    });
}

/// Whether a token is a date, and then its digits.
pub(super) fn date_digits(token: &str) -> Option<&str> {
    let digits = token.strip_prefix("dt")?.get(..8)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)
}

/// The clock time as a token.
pub(super) fn time(hour: u32, minute: u32) -> Option<String> {
    (hour < 24 && minute < 60).then(|| format!("tm{hour:02}{minute:02}"))
}

/// Whether a token is a clock time.
pub(super) fn is_time(token: &str) -> bool {
    token
        .strip_prefix("tm")
        .is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a token begins as a number does.
pub(super) fn is_number(token: &str) -> bool {
    token.trim_start_matches(['-', '+', '$', '€', '£', '¥', '#']).starts_with(|c: char| c.is_ascii_digit())
}

/// The tokens between spaces and marks. Marks inside a word, such as in `src/main.rs`, belong to it.
pub(super) fn split(text: &str) -> Vec<Raw> {
    let mut found: Vec<Raw> = Vec::new();
    let (mut comma, mut colon) = (false, false);
    for word in text.split_whitespace() {
        if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            // Most words: nothing to cut.
            found.push(Raw { text: word.to_owned(), comma, colon });
            (comma, colon) = (false, false);
            continue;
        }
        for piece in word.split(['"', '`', '(', ')', '[', ']', '{', '}', '…', '、', '。', ';', '!', '?'])
        {
            let bare = trimmed(piece);
            if !bare.is_empty() {
                let starts = |mark| piece.starts_with(mark);
                push_piece(&mut found, bare, comma || starts(','), colon || starts(':'));
                (comma, colon) = (false, false);
            }
            comma |= piece.ends_with(',');
            colon |= piece.ends_with(':');
        }
        // 、 lists like a comma.
        comma |= word.ends_with('、');
    }
    found
}

/// Cuts a piece at inner commas that do not group digits.
fn push_piece(found: &mut Vec<Raw>, piece: &str, mut comma: bool, colon: bool) {
    let mut colon = colon;
    if is_grouped(piece) {
        found.push(Raw { text: piece.replace(',', ""), comma, colon });
        return;
    }
    for part in piece.split(',') {
        let part = trimmed(part);
        if !part.is_empty() {
            found.push(Raw { text: part.to_owned(), comma, colon });
            colon = false;
        }
        comma = true;
    }
}

/// Whether commas group the digits of a number, as in 1,000,000.
fn is_grouped(piece: &str) -> bool {
    let mut groups = piece.split(',');
    let first = groups.next().unwrap_or_default().trim_start_matches(['$', '€', '£', '¥', '-']);
    let digits = |group: &str| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_digit());
    let mut rest = groups.peekable();
    rest.peek().is_some()
        && digits(first)
        && first.len() <= 3
        && rest.all(|group| group.len() == 3 && digits(group))
}

/// A word without the marks around it; `c++`, `c#`, `-5`, `.env` and `50%` keep theirs.
fn trimmed(word: &str) -> &str {
    let word = word.trim_end_matches(['.', ',', ':', '\'', '*', '_', '~', '-']);
    let start = word.trim_start_matches(['.', ',', ':', '\'', '*', '_', '~', '-']);
    let kept = &word[..word.len() - start.len()];
    let is_part = start.starts_with(|c: char| c.is_ascii_alphanumeric()) && kept.ends_with(['-', '.']);
    let is_negative = kept.ends_with('-') && start.starts_with(|c: char| c.is_ascii_digit());
    if is_part && (is_negative || kept.ends_with('.') || kept.ends_with("--")) {
        let mark = if kept.ends_with("--") { 2 } else { 1 };
        return &word[word.len() - start.len() - mark..];
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_keep_what_tells_them_apart_and_drop_the_marks_around() {
        for (text, expected) in [
            ("use c++, not c#", vec!["use", "c++", "not", "c#"]),
            ("see `src/main.rs`.", vec!["see", "src/main.rs"]),
            ("it costs $1,000,000 (or 50%)", vec!["it", "costs", "$1000000", "or", "50%"]),
            ("-5 and --all in .env", vec!["-5", "and", "--all", "in", ".env"]),
            ("a,b", vec!["a", "b"]),
            ("**bold**", vec!["bold"]),
        ] {
            let found: Vec<String> = split(text).into_iter().map(|raw| raw.text).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn dates_have_one_spelling() {
        for text in ["on march 4, 2025", "on 4 march 2025", "on 2025-03-04"] {
            assert_eq!(with_dates(text), "on dt20250304");
        }
        assert_eq!(with_dates("마감일은 3월 3일이다"), "마감일은 dt00000303이다");
        assert_eq!(date_digits("dt20250304"), Some("20250304"));
        assert_eq!(date_digits("dtx"), None);
    }
}
