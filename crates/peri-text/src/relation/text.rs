//! One spelling of a text, its language and its sentences.

use unicode_normalization::UnicodeNormalization;

/// The languages that have rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Korean,
    Chinese,
    /// Japanese, and texts without a letter.
    Other,
}

/// Marks at the end that do not change what a text says. A question mark does.
const QUIET_ENDS: &[char] = &['.', '!', ',', ';', ':', '…', '。', '、', '"', '\'', '`', ')', ']', '*', '~'];

/// Lower case, compatible characters unified, single spaces, plain quotes, no marks at the end.
pub(super) fn normalize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    if text.is_ascii() {
        // Most English texts are, and their characters have one spelling already.
        text.chars().for_each(|c| push(&mut out, c.to_ascii_lowercase()));
    } else {
        text.nfkc().flat_map(char::to_lowercase).for_each(|c| push(&mut out, c));
    }
    let end = out.trim_end_matches(|c: char| c.is_whitespace() || QUIET_ENDS.contains(&c)).len();
    out.truncate(end);
    let start = out.len() - out.trim_start_matches(|c: char| c.is_whitespace() || "\"'`*-".contains(c)).len();
    // A minus before a number is a part of it.
    let start = if out[..start].ends_with('-') && out[start..].starts_with(|c: char| c.is_ascii_digit()) {
        start - 1
    } else {
        start
    };
    out.split_off(start)
}

fn push(out: &mut String, c: char) {
    match c {
        '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{2060}' | '\u{feff}' => {}
        '’' | '‘' | '´' => out.push('\''),
        '“' | '”' | '「' | '」' | '『' | '』' => out.push('"'),
        '–' | '—' => out.push_str(" - "),
        '\n' | '\r' => push_break(out),
        c if c.is_whitespace() || c.is_control() => push_space(out),
        c => out.push(c),
    }
}

fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with([' ', '\n']) {
        out.push(' ');
    }
}

/// A line break separates sentences, so it outlives the spaces around it.
fn push_break(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// The language of a text, by its script: identifiers and names in Latin letters do not make it English.
pub(super) fn language(text: &str) -> Language {
    let (mut hangul, mut han, mut latin) = (0usize, 0usize, 0usize);
    for c in text.chars() {
        match c as u32 {
            0xAC00..=0xD7A3 | 0x1100..=0x11FF | 0x3131..=0x318E => hangul += 1,
            0x3041..=0x309F | 0x30A1..=0x30FF => return Language::Other,
            0x4E00..=0x9FFF | 0x3400..=0x4DBF => han += 1,
            _ => latin += usize::from(c.is_alphabetic()),
        }
    }
    match (hangul, han) {
        (0, 0) if latin > 0 => Language::English,
        (0, 0) => Language::Other,
        // A quoted word or a name does not make an English text Korean.
        _ if latin > 4 * (hangul + han) => Language::English,
        _ if hangul > 0 => Language::Korean,
        _ => Language::Chinese,
    }
}

/// Whether a normalised text speaks of its speaker or its listener, who are others when somebody else speaks.
pub(super) fn is_personal(text: &str) -> bool {
    #[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "i", "i'm", "i've", "i'll", "i'd", "im", "my", "mine", "me", "myself", "we", "we're", "we've", "our",
    "ours", "us", "you", "you're", "you've", "your", "yours",
];
    #[rustfmt::skip]
const KOREAN: &[&str] = &[
    "나", "나는", "난", "내", "내가", "저", "저는", "전", "제", "제가", "우리", "우리는", "저희", "너",
    "너는", "넌", "네", "당신",
];
    text.contains(['我', '咱', '你', '您'])
        || text
            .split([' ', '\n', '.', ',', '!', '?'])
            .any(|word| ENGLISH.contains(&word) || KOREAN.contains(&word))
}

/// The sentences of a normalised text, each with its closing mark.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '?' | '!' | ';' | '\n' => true,
            '.' => next.is_none_or(char::is_whitespace) && !is_abbreviation(&text[start..at]),
            _ => false,
        };
        if ends {
            push_sentence(&mut found, &text[start..at + c.len_utf8()]);
            start = at + c.len_utf8();
        }
    }
    push_sentence(&mut found, &text[start..]);
    found
}

fn push_sentence<'a>(found: &mut Vec<&'a str>, sentence: &'a str) {
    let sentence = sentence.trim();
    if sentence.chars().any(|c| c.is_alphanumeric() || !(c.is_ascii() || "。、…".contains(c))) {
        found.push(sentence);
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '\n', '(']).next().unwrap_or(before);
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    is_initial
        || matches!(
            word,
            "mr" | "mrs" | "ms" | "dr" | "st" | "vs" | "e.g" | "i.e" | "etc" | "no" | "a.m" | "p.m"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_equal_texts() {
        for (text, expected) in [
            ("  Ana  lives\there. ", "ana lives here"),
            ("ＡＰＩ８０８０。", "api8080"),
            ("Don’t!", "don't"),
            ("a.\n\n b", "a.\nb"),
            ("really?", "really?"),
            ("- a note", "a note"),
            ("-5 degrees", "-5 degrees"),
            ("", ""),
            ("...", ""),
        ] {
            assert_eq!(normalize(text), expected, "{text:?}");
            assert_eq!(normalize(expected), expected, "{expected:?}");
        }
    }

    #[test]
    fn sentences_end_at_marks_and_not_inside_numbers_and_names() {
        for (text, expected) in [
            ("version 1.5 is out. see the notes", vec!["version 1.5 is out.", "see the notes"]),
            ("dr. who left; he is gone", vec!["dr. who left;", "he is gone"]),
            ("小明住在北京。他喜欢茶", vec!["小明住在北京。", "他喜欢茶"]),
            ("one\ntwo", vec!["one", "two"]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    #[test]
    fn the_script_tells_the_language() {
        for (text, expected) in [
            ("ana lives here", Language::English),
            ("api는 8080 포트에서 실행된다", Language::Korean),
            ("api运行在8080端口", Language::Chinese),
            ("これはペンです", Language::Other),
            ("123", Language::Other),
            ("the word 안녕 means hello in korean", Language::English),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }
}
