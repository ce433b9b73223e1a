//! What a reader sees of a text is all there is: signs that nobody sees, and those that steer a terminal or turn a line
//! around, are taken out of whatever people and models are given. A stored text is never changed by this.
//!
//! Some of these signs belong to words and pictures: joiners in Persian, in the scripts of India and inside emoji, the
//! selectors of emoji and of Han characters, the fillers of old Korean, the tags of three flags. They stay where they do
//! their work, and go elsewhere.

use std::borrow::Cow;

const JOINER: char = '\u{200d}';
const NON_JOINER: char = '\u{200c}';
const BLACK_FLAG: char = '\u{1f3f4}';
/// England, Scotland and Wales, the flags that are written with tags.
const TAGGED_FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// Whether a character cannot be seen, or turns around what stands after it, wherever it stands.
pub fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{17b4}' | '\u{17b5}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}')
}

/// Whether a character has no shape of its own but may change that of another.
pub(crate) fn is_ignorable(c: char) -> bool {
    is_unseen(c) || is_selector(c) || is_filler(c) || is_mongolian(c) || matches!(c, JOINER | NON_JOINER)
}

/// The text as people and models are given it. A control character becomes a sign that can be seen; a new line and a tab
/// stay. Seen once more it stays as it is.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let after = rest.as_str();
        let (before, next) = (shown.chars().next_back(), after.chars().next());
        match c {
            '\r' if next == Some('\n') => {}
            // It would take the reader back to the beginning of the line; the others begin another one.
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push('\n'),
            '\u{e0067}' if before == Some(BLACK_FLAG) => {
                if let Some(tags) = TAGGED_FLAGS.iter().find(|tags| is_rest(tags, after)) {
                    shown.push_str(tags);
                    rest = after[tags.len() - c.len_utf8()..].chars();
                }
            }
            _ if is_unseen(c) => {}
            _ if is_selector(c) => keep(&mut shown, c, before.is_some_and(|before| selects(before, c, next))),
            JOINER | NON_JOINER => keep(&mut shown, c, before.is_some_and(|before| joins(before, c, after))),
            _ if is_mongolian(c) => keep(&mut shown, c, before.is_some_and(is_mongolian_letter)),
            _ if is_filler(c) && !(before.is_some_and(is_jamo) || next.is_some_and(is_jamo)) => {
                shown.push(' ')
            }
            '\u{2800}' if !(before.is_some_and(is_braille) || next.is_some_and(is_braille)) => {
                shown.push(' ')
            }
            _ if c.is_control() && c != '\n' && c != '\t' => shown.push('\u{fffd}'),
            _ => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn keep(shown: &mut String, c: char, is_kept: bool) {
    if is_kept {
        shown.push(c);
    }
}

/// Whether a character is shown whatever stands beside it.
fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control() || matches!(c, '\n' | '\t');
    }
    let is_special = c.is_control() || is_ignorable(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{2800}');
    !is_special
}

/// Whether what follows the first tag of a flag is its rest.
fn is_rest(tags: &str, after: &str) -> bool {
    let mut tags = tags.chars();
    tags.next();
    after.starts_with(tags.as_str())
}

pub(crate) fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// A selector picks the form of the sign before it. A second one picks nothing: a row of them is a message that is not for
/// people.
fn selects(before: char, selector: char, next: Option<char>) -> bool {
    match selector {
        '\u{e0100}'..='\u{e01ef}' => is_han(before),
        // A key of a telephone.
        '\u{fe0f}' if before.is_ascii() => {
            matches!(before, '0'..='9' | '#' | '*') && next == Some('\u{20e3}')
        }
        _ => !before.is_ascii() && !before.is_whitespace() && !is_ignorable(before) && before != '\u{fffd}',
    }
}

/// A joiner stands between two emoji, or after a letter of a script whose letters change their shapes.
fn joins(before: char, joiner: char, after: &str) -> bool {
    let is_between = joiner == JOINER && (is_pictured(before) || is_selector(before) || is_tag_end(before));
    (is_between && after.chars().next().is_some_and(is_pictured)) || is_shaped(before)
}

fn is_tag_end(c: char) -> bool {
    c == '\u{e007f}'
}

fn is_pictured(c: char) -> bool {
    matches!(c, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{27bf}' | '\u{2934}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Letters of Arabic, Syriac, N'Ko, Mongolian, the scripts of India, Tibet and South-East Asia.
fn is_shaped(c: char) -> bool {
    matches!(c,
        '\u{620}'..='\u{8ff}'
        | '\u{900}'..='\u{fff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{11fff}'
        | '\u{1e900}'..='\u{1e95f}')
        && !is_ignorable(c)
}

fn is_mongolian(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180f}')
}

fn is_mongolian_letter(c: char) -> bool {
    matches!(c, '\u{1820}'..='\u{18aa}')
}

/// Blanks that count as letters.
fn is_filler(c: char) -> bool {
    matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

/// Parts of Korean syllables.
fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}' | '\u{d7b0}'..='\u{d7fb}') && !is_filler(c)
}

fn is_braille(c: char) -> bool {
    matches!(c, '\u{2801}'..='\u{28ff}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3007}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_shown_holds_nothing_that_is_not_seen() {
        for (text, expected) in [
            ("plain 글자 文字\n\ttwo", "plain 글자 文字\n\ttwo"),
            ("a\u{1b}[31mred\u{7}", "a\u{fffd}[31mred\u{fffd}"),
            ("real\rfake", "real\nfake"),
            ("win\r\ndows\u{85}x\u{2028}y\u{2029}", "win\ndows\nx\ny\n"),
            ("\u{202e}turned\u{202c} \u{2066}x\u{2069}", "turned x"),
            ("\u{200e}left\u{200f} \u{61c}", "left "),
            ("a\u{200b}b\u{2060}c\u{feff}d\u{34f}e\u{1bca0}", "abcde"),
            ("tag\u{e0041}\u{e007f}", "tag"),
            ("a\u{200d}b\u{200c}", "ab"),
            ("<\u{fe0f}/x \u{fe0f}", "</x "),
            ("blank\u{3164}letter\u{115f}\u{2800}", "blank letter  "),
            ("😀\u{e0101}\u{e0102}\u{fe01}", "😀\u{fe01}"),
            ("\u{9b}2J", "\u{fffd}2J"),
            ("\u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e007f}", "\u{1f3f4}"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn signs_that_words_and_pictures_are_made_with_stay() {
        for text in [
            "❤\u{fe0f} 👩\u{200d}👩\u{200d}👧 葛\u{e0100} 1\u{fe0f}\u{20e3} ☺\u{fe0e}",
            "👩🏽\u{200d}🚀 🏳\u{fe0f}\u{200d}🌈 👁\u{fe0f}\u{200d}🗨\u{fe0f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} flag",
            "می\u{200c}خواهم ه\u{200d}",
            "क्\u{200d}ष ক্\u{200c}ষ ශ්\u{200d}රී",
            "ᠮᠣᠩᠭᠣᠯ\u{180e}ᠠ\u{180b}",
            "\u{1102}\u{1160}\u{11ab} \u{115f}\u{1161}",
            "⠓⠊\u{2800}⠽⠕⠥",
            "أحب القهوة, ไทย, 한국어, ελληνικά",
        ] {
            assert_eq!(visible(text), text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_shown_the_same_again(text in "\\PC{0,40}|[\\x00-\\x9f\\u{200b}-\\u{206f}\\u{e0000}-\\u{e01ff}a-c\\u{1100}-\\u{1170}\\u{2800}-\\u{2802}\\u{3164}\\u{fe00}-\\u{fe0f}😀葛م🏴]{0,40}") {
            let shown = visible(&text).into_owned();
            prop_assert_eq!(visible(&shown), shown.as_str());
            let is_tag = |c: char| matches!(c, '\u{e0020}'..='\u{e007f}');
            prop_assert!(!shown.chars().any(|c| is_unseen(c) && !is_tag(c)));
            prop_assert!(!shown.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')));
        }
    }
}
