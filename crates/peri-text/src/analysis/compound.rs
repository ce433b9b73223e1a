//! Identifiers: `foo-bar`, `src/main.rs`, `C++`, addresses, URLs, version numbers, contractions.
//!
//! The whole is one term and its parts are ordinary terms, so both an exact and a partial query find it.

use std::ops::Range;

use super::TermClass;
use super::scan::{Scanner, Sink};
use super::words::push_lower;

impl<'a, S: Sink> Scanner<'a, S> {
    /// Reads the word or identifier that starts at `start`; its first letter is at `first`.
    pub(super) fn compound(&mut self, start: usize, first: usize) -> usize {
        self.parts.clear();
        let mut at = first;
        let mut is_url = false;
        let mut end = loop {
            let end = self.word_end(at);
            self.parts.push(at..end);
            let gap = self.connector_len(at, end, is_url);
            if gap == 0 {
                break end;
            }
            is_url |= self.text[end..end + gap].contains("://");
            at = end + gap;
        };
        end += self.trailing_len(end);
        self.note_name(first);
        if self.parts.len() == 1 && start == first && end == self.parts[0].end {
            self.part(start..end, true);
        } else {
            self.joined(start, end);
        }
        self.sentence_start = false;
        end
    }

    fn word_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        loop {
            while bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                at += 1;
            }
            match self.char_at(at) {
                Some(c) if !c.is_ascii() && self.is_word_at(at) => at += c.len_utf8(),
                _ => return at,
            }
        }
    }

    /// How many bytes of punctuation at `end` join the part before to a word after; 0 for none.
    fn connector_len(&self, part_start: usize, end: usize, is_url: bool) -> usize {
        let rest = &self.text[end..];
        let bytes = rest.as_bytes();
        let len = match bytes.first() {
            None => 0,
            Some(b'_') => bytes.iter().take_while(|byte| **byte == b'_').count(),
            Some(b':') if rest.starts_with("://") => 3,
            Some(b':') if rest.starts_with("::") => 2,
            Some(b',') if !is_url => usize::from(self.is_thousands(part_start, end)),
            Some(byte) if is_url => {
                let joins = |byte: &&u8| b"-./:@+#'?=&%~,_".contains(byte);
                if joins(&byte) { bytes.iter().take(4).take_while(joins).count() } else { 0 }
            }
            Some(b'-' | b'.' | b'/' | b'\\' | b'@' | b':' | b'+' | b'#' | b'\'') => 1,
            Some(_) if rest.starts_with('’') => '’'.len_utf8(),
            Some(_) => 0,
        };
        if len > 0 && self.is_word_at(end + len) { len } else { 0 }
    }

    /// Whether a comma at `end` groups digits as in "1,000,000".
    fn is_thousands(&self, part_start: usize, end: usize) -> bool {
        let bytes = self.text.as_bytes();
        let digits =
            |range: Range<usize>| bytes.get(range).is_some_and(|group| group.iter().all(u8::is_ascii_digit));
        digits(part_start..end)
            && end - part_start <= 3
            && digits(end + 1..end + 4)
            && !bytes.get(end + 4).is_some_and(u8::is_ascii_alphanumeric)
    }

    /// The `++` of C++ and the `#` of C#, when nothing follows that would make them operators.
    fn trailing_len(&self, end: usize) -> usize {
        let rest = &self.text[end..];
        let len = if rest.starts_with("++") { 2 } else { usize::from(rest.starts_with('#')) };
        if self.is_word_at(end + len) { 0 } else { len }
    }

    /// More than a single word: a grouped number, a contraction or an identifier.
    fn joined(&mut self, start: usize, end: usize) {
        let mut gaps = self.parts.windows(2).map(|pair| &self.text[pair[0].end..pair[1].start]);
        let has_gaps = self.parts.len() > 1 && start == self.parts[0].start;
        if has_gaps && gaps.clone().all(|gap| gap == ",") {
            return self.grouped_number(start, end);
        }
        if has_gaps && gaps.all(is_apostrophe) && self.contraction(start, end) {
            return;
        }
        self.dates_in_compound(start, end);
        self.identifier(start, end);
    }

    fn grouped_number(&mut self, start: usize, end: usize) {
        let plain = self.text[start..end].replace(',', "");
        self.signals.has_number = true;
        self.length = self.length.saturating_add(1);
        self.emit(&plain, TermClass::Number, &plain);
    }

    /// Handles "don't" and "Anna's"; says whether it was one.
    fn contraction(&mut self, start: usize, end: usize) -> bool {
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, &self.text[start..end]);
        let is_stop = super::lexicon::is_stop_word(&lower);
        if is_stop {
            self.emit(&lower, TermClass::StopWord, &lower);
            self.length = self.length.saturating_add(1);
        }
        self.lower = lower;
        if is_stop {
            return true;
        }
        let is_suffixed = self.parts.len() == 2 && is_clitic(&self.text[self.parts[1].clone()]);
        if is_suffixed {
            self.part(self.parts[0].clone(), true);
        }
        is_suffixed
    }

    fn identifier(&mut self, start: usize, end: usize) {
        let parts = std::mem::take(&mut self.parts);
        let decimal = parts.len() == 2 && self.is_decimal(start, end);
        self.whole(start..end, if decimal { TermClass::Number } else { TermClass::Identifier });
        self.groups(&parts, start..end);
        for (index, part) in parts.iter().enumerate() {
            let after_apostrophe = index > 0 && is_apostrophe(&self.text[parts[index - 1].end..part.start]);
            if !(after_apostrophe && is_clitic(&self.text[part.clone()])) {
                self.part(part.clone(), false);
            }
        }
        self.parts = parts;
    }

    fn is_decimal(&self, start: usize, end: usize) -> bool {
        let whole = &self.text[start..end];
        whole.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    }

    /// Emits a range lower-cased and unstemmed.
    pub(super) fn whole(&mut self, range: Range<usize>, class: TermClass) {
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        push_lower(&mut lower, &self.text[range]);
        self.emit(&lower, class, &lower);
        self.lower = lower;
    }

    /// Emits the identifiers inside a path or address: `main.rs` of `src/main.rs`, `1.2.3` of `v1.2.3`.
    fn groups(&mut self, parts: &[Range<usize>], whole: Range<usize>) {
        let mut first = 0;
        for last in 0..parts.len() {
            let ends = parts.get(last + 1).is_none_or(|next| {
                self.text[parts[last].end..next.start]
                    .contains(['/', '\\', '@', ':', '?', '=', '&', '#', ','])
            });
            if !ends {
                continue;
            }
            let range = parts[first].start..parts[last].end;
            if last > first {
                self.group(range, &whole);
            }
            first = last + 1;
        }
    }

    fn group(&mut self, range: Range<usize>, whole: &Range<usize>) {
        let bytes = &self.text.as_bytes()[range.clone()];
        let is_version = matches!(bytes, [b'v' | b'V', digit, ..] if digit.is_ascii_digit());
        if range != *whole {
            self.whole(range.clone(), TermClass::Identifier);
        }
        if is_version {
            self.whole(range.start + 1..range.end, TermClass::Identifier);
        }
    }
}

fn is_apostrophe(gap: &str) -> bool {
    matches!(gap, "'" | "’")
}

fn is_clitic(part: &str) -> bool {
    matches!(part, "s" | "S" | "t" | "T" | "ll" | "re" | "ve" | "d" | "m" | "LL" | "RE" | "VE" | "D" | "M")
}
