//! Source code with its comments and texts told apart from the rest.
//!
//! One pass by hand-written rules, not a grammar: what is inside a comment or a text is known well enough to count
//! lines and to find declarations, and a slip such as a quote in a regular expression ends with its line in most
//! languages.

mod syntax;
mod words;

use serde::{Deserialize, Serialize};

pub(crate) use words::{is_word, is_word_start, words};

use crate::language::Language;
use syntax::{Syntax, syntax};

/// Lines of a file, by what is on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// Lines with code, or with text in a document.
    pub code: usize,
    /// Lines with comments alone.
    pub comment: usize,
    /// Lines with nothing.
    pub blank: usize,
}

impl Lines {
    /// All of them.
    pub fn total(self) -> usize {
        self.code + self.comment + self.blank
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.code += other.code;
        self.comment += other.comment;
        self.blank += other.blank;
    }
}

/// A source with a copy in which comments are spaces and the inside of texts is underscores. Both have the same
/// length, byte for byte, and the same lines.
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) code: String,
}

/// One line of a source.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    pub(crate) code: &'a str,
}

impl Source {
    pub(crate) fn new(text: String, language: Language) -> Self {
        let code = Masker { text: text.as_bytes(), syntax: syntax(language), code: Vec::new(), at: 0 }.mask();
        let code = String::from_utf8(code).expect("only whole stretches between ASCII marks are replaced");
        Self { text, code }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let pairs = self.text.split('\n').zip(self.code.split('\n'));
        let ends = self.text.is_empty() || self.text.ends_with('\n');
        let count = self.text.bytes().filter(|byte| *byte == b'\n').count() + usize::from(!ends);
        pairs.take(count).enumerate().map(|(at, (text, code))| Line { number: at + 1, text, code })
    }

    pub(crate) fn count(&self) -> Lines {
        let mut lines = Lines::default();
        for line in self.lines() {
            if line.text.trim().is_empty() {
                lines.blank += 1;
            } else if line.code.trim().is_empty() {
                lines.comment += 1;
            } else {
                lines.code += 1;
            }
        }
        lines
    }
}

struct Masker<'a> {
    text: &'a [u8],
    syntax: Syntax,
    code: Vec<u8>,
    at: usize,
}

impl Masker<'_> {
    fn mask(mut self) -> Vec<u8> {
        self.code.reserve(self.text.len());
        while self.at < self.text.len() {
            if !(self.comment() || self.rust_text() || self.long_text() || self.short_text()) {
                self.code.push(self.text[self.at]);
                self.at += 1;
            }
        }
        self.code
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// Replaces everything up to `end` but line ends.
    fn fill(&mut self, end: usize, with: u8) {
        let end = end.min(self.text.len());
        let filled = self.text[self.at..end].iter().map(|byte| if *byte == b'\n' { b'\n' } else { with });
        self.code.extend(filled);
        self.at = end;
    }

    fn comment(&mut self) -> bool {
        if let Some((open, close)) =
            self.syntax.block.filter(|(open, _)| self.rest().starts_with(open.as_bytes()))
        {
            let end = self.block_end(open.as_bytes(), close.as_bytes());
            self.fill(end, b' ');
            return true;
        }
        let Some(mark) = self.syntax.line.iter().find(|mark| self.rest().starts_with(mark.as_bytes())) else {
            return false;
        };
        // In shells `$#` and `a#b` are no comments, and nobody writes one without a space before it elsewhere.
        let glued = *mark == "#" && self.at > 0 && !self.text[self.at - 1].is_ascii_whitespace();
        if glued {
            return false;
        }
        let end = self.line_end();
        self.fill(end, b' ');
        true
    }

    fn block_end(&self, open: &[u8], close: &[u8]) -> usize {
        let (mut depth, mut at) = (1_usize, self.at + open.len());
        while at < self.text.len() {
            if self.text[at..].starts_with(close) {
                depth -= 1;
                at += close.len();
                if depth == 0 {
                    return at;
                }
            } else if self.syntax.nests && self.text[at..].starts_with(open) {
                depth += 1;
                at += open.len();
            } else {
                at += 1;
            }
        }
        self.text.len()
    }

    fn line_end(&self) -> usize {
        self.at + self.rest().iter().position(|byte| *byte == b'\n').unwrap_or(self.rest().len())
    }

    /// A text that may go on over lines. One that begins a line by itself, as Python's do, is a comment.
    fn long_text(&mut self) -> bool {
        let Some(mark) = self.syntax.long_quotes.iter().find(|mark| self.rest().starts_with(mark.as_bytes()))
        else {
            return false;
        };
        let mark = mark.as_bytes();
        let mut at = self.at + mark.len();
        while at < self.text.len() && !self.text[at..].starts_with(mark) {
            at += if self.text[at] == b'\\' { 2 } else { 1 };
        }
        let start_of_line =
            self.text[..self.at].iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace);
        let ends_line = self.text.get(at + mark.len()).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        let is_comment = mark.len() == 3 && start_of_line && ends_line;
        self.quoted(at, mark.len(), if is_comment { b' ' } else { b'_' }, is_comment);
        true
    }

    fn short_text(&mut self) -> bool {
        let quote = self.text[self.at];
        if !self.syntax.quotes.contains(&quote) {
            return false;
        }
        let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b'\n');
        let mut at = self.at + 1;
        while !is_end(self.text.get(at)) && self.text[at] != quote {
            let escaped = self.text[at] == b'\\' && !is_end(self.text.get(at + 1));
            at += if escaped { 2 } else { 1 };
        }
        if is_end(self.text.get(at)) {
            // Nothing closes it on this line: an apostrophe in prose, or a text that goes on. The rest of the line
            // is left as it is; looking at it again for each quote would take forever on a hostile line.
            let at = at.min(self.text.len());
            self.code.extend_from_slice(&self.text[self.at..at]);
            self.at = at;
            return true;
        }
        self.quoted(at, 1, b'_', false);
        true
    }

    /// Replaces the inside of a text whose closing mark is at `close`, and the marks too if they are a comment's.
    fn quoted(&mut self, close: usize, mark_bytes: usize, with: u8, marks_too: bool) {
        let close = close.min(self.text.len());
        let end = (close + mark_bytes).min(self.text.len());
        if marks_too {
            return self.fill(end, with);
        }
        self.code.extend_from_slice(&self.text[self.at..self.at + mark_bytes]);
        self.at += mark_bytes;
        self.fill(close, with);
        self.code.extend_from_slice(&self.text[close..end]);
        self.at = end;
    }

    /// Rust's characters and raw texts; `'a` alone is a lifetime.
    fn rust_text(&mut self) -> bool {
        if !self.syntax.rust {
            return false;
        }
        match self.rest() {
            [b'\'', b'\\', _, more @ ..] => {
                let more = more.iter().take(12).position(|byte| *byte == b'\'');
                let Some(more) = more else { return false };
                self.quoted(self.at + 3 + more, 1, b'_', false);
                true
            }
            [b'\'', first, ..] => {
                let bytes = match first {
                    0..0x80 => 1,
                    0xF0.. => 4,
                    0xE0.. => 3,
                    _ => 2,
                };
                let is_char = *first != b'\'' && self.text.get(self.at + 1 + bytes) == Some(&b'\'');
                if is_char {
                    self.quoted(self.at + 1 + bytes, 1, b'_', false);
                }
                is_char
            }
            [b'r', b'"' | b'#', ..] => self.raw_text(),
            _ => false,
        }
    }

    fn raw_text(&mut self) -> bool {
        let glued = self.at > 0 && is_word_byte(self.text[self.at - 1]);
        let prefixed = matches!(self.text.get(self.at.wrapping_sub(1)), Some(b'b' | b'c'))
            && !self.at.checked_sub(2).is_some_and(|at| is_word_byte(self.text[at]));
        let hashes = self.rest()[1..].iter().take_while(|byte| **byte == b'#').count();
        if (glued && !prefixed) || self.rest().get(1 + hashes) != Some(&b'"') {
            return false;
        }
        let mut closing = vec![b'"'];
        closing.resize(1 + hashes, b'#');
        let start = self.at + 2 + hashes;
        let mut at = start;
        while at < self.text.len() && !self.text[at..].starts_with(&closing) {
            at += 1;
        }
        self.code.extend_from_slice(&self.text[self.at..start]);
        self.at = start;
        self.fill(at, b'_');
        let end = (at + closing.len()).min(self.text.len());
        self.code.extend_from_slice(&self.text[at.min(end)..end]);
        self.at = end;
        true
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn masked(text: &str, language: Language) -> String {
        Source::new(text.to_owned(), language).code
    }

    #[test]
    fn comments_and_texts_are_told_from_code() {
        for (language, text, code) in [
            (Language::Rust, "a // b\nc", "a     \nc"),
            (Language::Rust, "a /* b /* c */ \n */ d", "a              \n    d"),
            (Language::Rust, r#"f("a\"{b", x)"#, r#"f("_____", x)"#),
            (Language::Rust, r##"f(r#"a"b"#, br"c")"##, r##"f(r#"___"#, br"_")"##),
            (Language::Rust, "'가' '\\'' &'a str '\"'", "'___' '__' &'a str '_'"),
            (Language::Python, "x = '#' # c", "x = '_'    "),
            (Language::Python, "\"\"\"Doc\nmore\"\"\"\nx", "      \n       \nx"),
            (Language::Python, "x = \"\"\"a\n\"\"\"", "x = \"\"\"_\n\"\"\""),
            (Language::Shell, "n=$# # count", "n=$#        "),
            (Language::Shell, "echo it's {", "echo it's {"),
            (Language::JavaScript, "`a\n{${b}` // c", "`_\n_____`     "),
            (Language::Sql, "select 'x--' -- y", "select '___'     "),
            (Language::Html, "<p><!-- a\nb --></p>", "<p>      \n     </p>"),
        ] {
            assert_eq!(masked(text, language), code, "{text:?}");
        }
    }

    #[test]
    fn lines_are_counted_by_what_is_on_them() {
        let source = Source::new("//! Doc.\n\nfn a() {} // b\n/* c\n\n*/\n".to_owned(), Language::Rust);
        assert_eq!(source.count(), Lines { code: 1, comment: 3, blank: 2 });
        let document = Source::new("# 제목\n\n글".to_owned(), Language::Markdown);
        assert_eq!(document.count(), Lines { code: 2, comment: 0, blank: 1 });
        assert_eq!(Source::new(String::new(), Language::Rust).count().total(), 0);
    }

    proptest! {
        #[test]
        fn masking_keeps_length_and_lines(text in "[a-z'\"`#/*\\\\\nr(){}-가中\\[\\]<>!]{0,60}") {
            for language in [Language::Rust, Language::Python, Language::JavaScript, Language::Java, Language::Shell,
                Language::Sql, Language::Html, Language::Lua, Language::Php, Language::Text] {
                let source = Source::new(text.clone(), language);
                prop_assert_eq!(source.code.len(), text.len());
                let ends = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
                prop_assert_eq!(ends(&source.code), ends(&text));
                prop_assert_eq!(source.lines().count(), text.lines().count());
            }
        }
    }
}
