//! Walks a normalised text once and hands each run to the part that knows it.

use std::ops::Range;

use super::chars::{CharClass, class_of, emoji_len};
use super::dates::{Date, DateState};
use super::{TERM_BYTES_MAX, TermClass};
use crate::boundary;

/// Where terms go: the index collects counts, a query collects distinct terms in order.
pub(super) trait Sink {
    /// Whether terms are wanted at all. Making them is most of a scan's work.
    const TERMS: bool = true;
    /// A term both sides hold.
    fn term(&mut self, text: &str, class: TermClass, surface: &str);
    /// A single CJK character of a longer run, which only the index holds.
    fn single(&mut self, _text: &str) {}
    /// A capitalised word inside a sentence, lower-cased.
    fn name(&mut self, _name: &str) {}
    /// A date at a byte range of the text.
    fn date(&mut self, _date: Date, _range: Range<usize>) {}
}

/// What was noticed on the way.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signals {
    pub has_number: bool,
    pub has_time_word: bool,
}

pub(super) struct Scanner<'a, S> {
    pub text: &'a str,
    pub sink: S,
    pub signals: Signals,
    pub length: u32,
    /// The parts of the identifier at hand, as byte ranges of `text`.
    pub parts: Vec<Range<usize>>,
    /// A buffer for lower-casing, kept to spare an allocation a word.
    pub lower: String,
    pub dates: DateState,
    /// Whether the next word begins a sentence.
    pub sentence_start: bool,
    /// Whether the word before was "last", "next" or the like.
    pub time_pointer: bool,
}

impl<'a, S: Sink> Scanner<'a, S> {
    pub fn new(text: &'a str, sink: S) -> Self {
        Self {
            text,
            sink,
            signals: Signals::default(),
            length: 0,
            parts: Vec::new(),
            lower: String::new(),
            dates: DateState::default(),
            sentence_start: true,
            time_pointer: false,
        }
    }

    pub fn run(&mut self) {
        let mut at = 0;
        while let Some(c) = self.char_at(at) {
            at = match class_of(c) {
                CharClass::Word => self.compound(at, at),
                CharClass::Connector => self.connector(at, c),
                CharClass::Han | CharClass::Kana => self.cjk_run(at, is_han_or_kana),
                CharClass::Hangul => self.cjk_run(at, |class| class == CharClass::Hangul),
                CharClass::Emoji => self.emoji(at),
                CharClass::SentenceEnd => {
                    self.sentence_start = true;
                    at + c.len_utf8()
                }
                CharClass::Other => at + c.len_utf8(),
            };
        }
    }

    pub fn char_at(&self, at: usize) -> Option<char> {
        match self.text.as_bytes().get(at) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.text[at..].chars().next(),
            None => None,
        }
    }

    /// Whether a character that can be part of a word starts at `at`.
    pub fn is_word_at(&self, at: usize) -> bool {
        self.char_at(at).is_some_and(|c| class_of(c) == CharClass::Word)
    }

    /// Hands a term on, cut to the longest length allowed.
    pub fn emit(&mut self, text: &str, class: TermClass, surface: &str) {
        self.sink.term(truncated(text), class, surface);
    }

    /// A connector outside an identifier: `.NET`, `@scope` and `#tag` start here, the rest separates.
    fn connector(&mut self, at: usize, c: char) -> usize {
        let next = at + c.len_utf8();
        let opens = match c {
            '.' => self.char_at(next).is_some_and(char::is_alphabetic) && self.is_word_at(next),
            '@' | '#' => self.is_word_at(next),
            _ => false,
        };
        if opens && self.is_free_before(at) {
            return self.compound(at, next);
        }
        if matches!(c, '.' | '?' | ':') {
            self.sentence_start = true;
        }
        next
    }

    fn is_free_before(&self, at: usize) -> bool {
        let before = self.text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '{' | '"' | '`' | '<' | ','))
    }

    fn emoji(&mut self, at: usize) -> usize {
        let end = at + emoji_len(&self.text[at..]);
        let cluster = &self.text[at..end];
        // The variation selector only asks for colour, and writers leave it out at will.
        if cluster.contains('\u{fe0f}') {
            let plain = cluster.replace('\u{fe0f}', "");
            self.emit(&plain, TermClass::Emoji, &plain);
        } else {
            self.emit(cluster, TermClass::Emoji, cluster);
        }
        self.length = self.length.saturating_add(1);
        end
    }

    /// A run without spaces: overlapping pairs, and for the index its Han and Hangul characters.
    fn cjk_run(&mut self, start: usize, belongs: fn(CharClass) -> bool) -> usize {
        let text = self.text;
        let mut before: Option<usize> = None;
        let mut end = start;
        let mut pairs = 0u32;
        for c in text[start..].chars() {
            let class = class_of(c);
            if !belongs(class) {
                break;
            }
            let at = end;
            end += c.len_utf8();
            if let Some(first) = before {
                self.emit(&text[first..end], TermClass::Cjk, &text[first..end]);
                if pairs == 0 {
                    self.single(first);
                }
                self.single(at);
                pairs += 1;
            }
            before = Some(at);
        }
        if pairs == 0 {
            self.emit(&text[start..end], TermClass::Cjk, &text[start..end]);
        }
        self.length = self.length.saturating_add(pairs.max(1));
        self.sentence_start = false;
        end
    }

    fn single(&mut self, at: usize) {
        if let Some(c) = self.char_at(at)
            && class_of(c) != CharClass::Kana
        {
            self.sink.single(&self.text[at..at + c.len_utf8()]);
        }
    }
}

fn is_han_or_kana(class: CharClass) -> bool {
    matches!(class, CharClass::Han | CharClass::Kana)
}

/// The longest prefix within the term limit that ends on a character boundary.
pub(super) fn truncated(text: &str) -> &str {
    &text[..boundary::floor(text, TERM_BYTES_MAX)]
}
