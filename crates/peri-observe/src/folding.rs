//! A sentence as the rules read it: one spelling for each sign, with where it was written.

use std::ops::Range;

/// Stands for signs that the rules must not read, such as quoted words.
pub(crate) const MASK: char = '\u{1}';

/// Quotations up to so many signs are names and terms, not what somebody else said.
const NAME_SIGNS_MAX: usize = 14;

/// A folded text.
pub(crate) struct Folded {
    /// The signs in lower case.
    pub(crate) signs: Vec<char>,
    /// Where each sign begins in the text, in bytes, and the end of the text.
    offsets: Vec<usize>,
}

impl Folded {
    /// Folds a text and hides what it quotes.
    pub(crate) fn new(text: &str) -> Self {
        let mut folded = Self { signs: Vec::with_capacity(text.len()), offsets: Vec::new() };
        folded.offsets.reserve(text.len() + 1);
        for (at, original) in text.char_indices() {
            let sign = simplify(original);
            if sign == ' ' && folded.signs.last().is_none_or(|before| *before == ' ') {
                continue;
            }
            folded.signs.push(sign);
            folded.offsets.push(at);
        }
        folded.offsets.push(text.len());
        folded.hide_quotations();
        folded
    }

    /// Where signs stand in the text, in bytes.
    pub(crate) fn bytes(&self, signs: &Range<usize>) -> Range<usize> {
        let end =
            if signs.end > signs.start { self.end_of(signs.end - 1) } else { self.offsets[signs.start] };
        self.offsets[signs.start]..end
    }

    fn end_of(&self, sign: usize) -> usize {
        self.offsets[sign + 1]
    }

    fn hide_quotations(&mut self) {
        let mut at = 0;
        while at < self.signs.len() {
            let Some(closing) = closing_of(self.signs[at]) else {
                at += 1;
                continue;
            };
            let end = self.signs[at + 1..].iter().position(|sign| *sign == closing).map(|end| at + 1 + end);
            let Some(end) = end else { return };
            if end - at - 1 > NAME_SIGNS_MAX || self.is_cjk_saying(at + 1..end) {
                self.signs[at..=end].fill(MASK);
            }
            at = end + 1;
        }
    }

    /// Whether a quotation in Korean or Chinese is longer than a name.
    fn is_cjk_saying(&self, range: Range<usize>) -> bool {
        self.signs[range].iter().filter(|sign| is_cjk(**sign)).count() > 6
    }
}

fn closing_of(opening: char) -> Option<char> {
    match opening {
        '"' => Some('"'),
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        '«' => Some('»'),
        _ => None,
    }
}

fn simplify(sign: char) -> char {
    match sign {
        'a'..='z' | '0'..='9' => sign,
        'A'..='Z' => sign.to_ascii_lowercase(),
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        '、' => ',',
        '。' => '.',
        '—' | '–' => '-',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(sign) - 0xfee0).unwrap_or(sign).to_ascii_lowercase()
        }
        _ if sign.is_whitespace() || sign.is_control() => ' ',
        _ => sign.to_lowercase().next().unwrap_or(sign),
    }
}

/// Whether a sign is a Chinese character.
pub(crate) fn is_han(sign: char) -> bool {
    matches!(sign, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Whether a sign is a Korean syllable.
pub(crate) fn is_hangul(sign: char) -> bool {
    matches!(sign, '\u{ac00}'..='\u{d7a3}')
}

fn is_cjk(sign: char) -> bool {
    is_han(sign) || is_hangul(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(text: &str) -> String {
        Folded::new(text).signs.into_iter().collect()
    }

    #[test]
    fn long_quotations_are_hidden_and_names_are_not() {
        assert!(!signs("They wrote \"we decided to drop Windows\" there").contains("decided"));
        assert!(!signs("博客上写着“我们决定停止支持”。").contains("决定"));
        assert!(signs("the \"Blue Team\" owns it").contains("blue team"));
        assert!(signs("an open \" quote stays").contains("quote"));
    }

    #[test]
    fn signs_lead_back_to_the_bytes_they_came_from() {
        let text = "Ａb  “x” 확인’s";
        let folded = Folded::new(text);
        let whole = folded.bytes(&(0..folded.signs.len()));
        assert_eq!(&text[whole], text);
        assert_eq!(&text[folded.bytes(&(0..1))], "Ａ");
    }
}
