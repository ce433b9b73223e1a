//! Cuts a text into the pieces within which bytes are merged, as the pattern of `o200k_base` does.
//!
//! The pattern has seven alternatives, of which the first that fits is taken:
//! words that end in small letters, words in capitals (both with one leading mark and an English contraction behind),
//! up to three digits, marks with one space before and line ends behind, line ends with space before, and space.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// What the pattern tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A capital: may only begin a word.
    Upper,
    /// A small letter: may only end a word.
    Lower,
    /// A letter without case: may do both.
    Either,
    /// A mark on a letter: does both as well, and may also lead a word.
    Mark,
    Digit,
    LineEnd,
    Space,
    Other,
}

impl Kind {
    fn begins(self) -> bool {
        matches!(self, Self::Upper | Self::Either | Self::Mark)
    }

    fn ends(self) -> bool {
        matches!(self, Self::Lower | Self::Either | Self::Mark)
    }

    /// Neither letter, digit nor line end.
    fn leads(self) -> bool {
        matches!(self, Self::Mark | Self::Space | Self::Other)
    }

    /// Neither letter, digit nor any space.
    fn is_sign(self) -> bool {
        matches!(self, Self::Mark | Self::Other)
    }

    fn is_space(self) -> bool {
        matches!(self, Self::Space | Self::LineEnd)
    }
}

fn kind(c: char) -> Kind {
    match c {
        'a'..='z' => Kind::Lower,
        'A'..='Z' => Kind::Upper,
        '0'..='9' => Kind::Digit,
        '\n' | '\r' => Kind::LineEnd,
        ' ' | '\t' | '\x0B' | '\x0C' => Kind::Space,
        _ if c.is_ascii() => Kind::Other,
        '가'..='힣' | '一'..='鿿' | 'ぁ'..='ゖ' => Kind::Either,
        _ if c.is_whitespace() => Kind::Space,
        _ => by_category(c.general_category()),
    }
}

fn by_category(category: GeneralCategory) -> Kind {
    use GeneralCategory as Category;
    match category {
        Category::UppercaseLetter | Category::TitlecaseLetter => Kind::Upper,
        Category::LowercaseLetter => Kind::Lower,
        Category::ModifierLetter | Category::OtherLetter => Kind::Either,
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Kind::Mark,
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Kind::Digit,
        _ => Kind::Other,
    }
}

/// The pieces of a text, which together are the text.
pub(crate) struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Pieces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = self.rest.chars().next()?;
        let end = piece(self.rest, first);
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(piece)
    }
}

/// Where the first piece of a text ends that begins with this character.
fn piece(text: &str, first: char) -> usize {
    let kind = kind(first);
    let behind = if kind.leads() { Some(first.len_utf8()) } else { None };
    let word = behind
        .and_then(|at| small_word(text, at))
        .or_else(|| small_word(text, 0))
        .or_else(|| behind.and_then(|at| capital_word(text, at)))
        .or_else(|| capital_word(text, 0));
    if let Some(end) = word {
        return end + contraction(&text[end..]);
    }
    match kind {
        Kind::Digit => run(text, 0, 3, |kind| kind == Kind::Digit),
        _ if first == ' ' && starts(text, 1, Kind::is_sign) => signs(text, 1),
        _ if kind.is_sign() => signs(text, 0),
        _ => spaces(text),
    }
}

/// A word that ends in small letters. If only capitals follow the last letter that may end a word, it ends there.
fn small_word(text: &str, start: usize) -> Option<usize> {
    let mut last = None;
    let mut at = start;
    for c in text[start..].chars() {
        let kind = kind(c);
        if !kind.begins() {
            break;
        }
        at += c.len_utf8();
        if kind.ends() {
            last = Some(at);
        }
    }
    if starts(text, at, |kind| kind == Kind::Lower) {
        return Some(run(text, at, usize::MAX, Kind::ends));
    }
    last
}

/// A word in capitals; those with small letters behind are words that end in small letters.
fn capital_word(text: &str, start: usize) -> Option<usize> {
    let end = run(text, start, usize::MAX, Kind::begins);
    (end > start).then_some(end)
}

/// The length of an English contraction at the beginning of a text. The long s counts as an s.
fn contraction(text: &str) -> usize {
    let Some(behind) = text.strip_prefix('\'') else { return 0 };
    let mut letters = behind.chars();
    let first = letters.next().map(|c| (c.to_ascii_lowercase(), c.len_utf8()));
    let second = letters.next().map(|c| c.to_ascii_lowercase());
    match (first, second) {
        (Some(('s' | 't' | 'm' | 'd' | 'ſ', length)), _) => 1 + length,
        (Some(('r' | 'v', _)), Some('e')) | (Some(('l', _)), Some('l')) => 3,
        _ => 0,
    }
}

/// Signs, with the line ends and slashes behind them.
fn signs(text: &str, start: usize) -> usize {
    let end = run(text, start, usize::MAX, Kind::is_sign);
    let behind = text[end..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count();
    end + behind
}

/// Space up to its last line end; without one all but the last, which leads what follows, if something does.
fn spaces(text: &str) -> usize {
    let end = run(text, 0, usize::MAX, Kind::is_space);
    if let Some(last) = text[..end].rfind(['\r', '\n']) {
        return last + 1;
    }
    let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
    if end == text.len() || end == last { end } else { end - last }
}

fn starts(text: &str, at: usize, wanted: impl Fn(Kind) -> bool) -> bool {
    text[at..].chars().next().is_some_and(|c| wanted(kind(c)))
}

/// The end of the run of wanted characters from `start`, at most so many.
fn run(text: &str, start: usize, most: usize, wanted: impl Fn(Kind) -> bool) -> usize {
    let found = text[start..].chars().take(most).take_while(|c| wanted(kind(*c)));
    start + found.map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_the_pattern_cuts_them() {
        for (text, pieces) in [
            ("Hello World", &["Hello", " World"][..]),
            ("don't WE'LL", &["don't", " WE'LL"]),
            ("HTTPServer日本ABC", &["HTTPServer日本", "ABC"]),
            ("a  b\n\n c", &["a", " ", " b", "\n\n", " c"]),
            ("12345", &["123", "45"]),
            ("x = [1];\r\n//", &["x", " =", " [", "1", "];\r\n//"]),
            ("안녕하세요 세계!", &["안녕하세요", " 세계", "!"]),
            ("   ", &["   "]),
            ("", &[]),
        ] {
            assert_eq!(Pieces::new(text).collect::<Vec<_>>(), pieces, "{text:?}");
        }
    }
}
