//! What kind of character each code point is to the scanner.

/// The classes the scanner tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Letters, digits and marks of alphabetic scripts.
    Word,
    /// Han characters.
    Han,
    /// Hiragana and Katakana.
    Kana,
    /// Hangul syllables.
    Hangul,
    /// The start of an emoji.
    Emoji,
    /// Punctuation that can hold an identifier together.
    Connector,
    /// Punctuation or a line break after which a sentence may begin.
    SentenceEnd,
    /// Everything else; it only separates.
    Other,
}

/// The class of one ASCII byte.
const fn ascii_class(byte: u8) -> CharClass {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => CharClass::Word,
        b'_' | b'-' | b'.' | b'/' | b'\\' | b'@' | b':' | b'+' | b'#' | b'\'' | b'&' | b'=' | b'?' | b'%'
        | b'~' | b',' => CharClass::Connector,
        b'!' | b'\n' | b'"' => CharClass::SentenceEnd,
        _ => CharClass::Other,
    }
}

const ASCII: [CharClass; 128] = {
    let mut table = [CharClass::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = ascii_class(byte as u8);
        byte += 1;
    }
    table
};

/// The class of a character.
pub(super) fn class_of(c: char) -> CharClass {
    match ASCII.get(c as usize) {
        Some(class) => *class,
        None => wide_class(c),
    }
}

fn wide_class(c: char) -> CharClass {
    match c as u32 {
        // A typographic apostrophe joins like the plain one.
        0x2019 => CharClass::Connector,
        0x3002 | 0x201C | 0x201D | 0x300C | 0x300E => CharClass::SentenceEnd,
        0xAC00..=0xD7A3 | 0x1100..=0x11FF | 0x3131..=0x318E => CharClass::Hangul,
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0xF900..=0xFAFF | 0x2_0000..=0x3_FFFF | 0x3005..=0x3007 => {
            CharClass::Han
        }
        0x3041..=0x309A | 0x309D..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF => {
            CharClass::Kana
        }
        code if is_emoji(code) => CharClass::Emoji,
        // Joiners and variation selectors mean something only inside an emoji.
        0x200C..=0x200D | 0xFE00..=0xFE0F => CharClass::Other,
        _ if c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c) => CharClass::Word,
        _ => CharClass::Other,
    }
}

fn is_emoji(code: u32) -> bool {
    matches!(code, 0x1F1E6..=0x1F1FF | 0x1F300..=0x1FAFF | 0x2600..=0x27BF | 0x2B50 | 0x2B55 | 0x2B1B..=0x2B1C
        | 0x231A..=0x231B | 0x23E9..=0x23FA | 0x1F004 | 0x1F0CF | 0x1F191..=0x1F19A)
}

/// The length in bytes of the emoji cluster at the start of `text`: a base with its variation
/// selectors, skin tones and tags, joined by zero-width joiners, or a pair of regional indicators.
pub(super) fn emoji_len(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let Some((_, first)) = chars.next() else { return 0 };
    let mut flag_open = is_regional(first);
    let mut joined = false;
    for (at, c) in chars {
        let code = c as u32;
        let extends = matches!(code, 0xFE0E..=0xFE0F | 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F | 0x20E3);
        if code == 0x200D {
            joined = true;
        } else if extends {
        } else if (joined && is_emoji(code)) || (flag_open && is_regional(c)) {
            joined = false;
            flag_open = false;
        } else {
            return at;
        }
    }
    text.len()
}

fn is_regional(c: char) -> bool {
    matches!(c as u32, 0x1F1E6..=0x1F1FF)
}
