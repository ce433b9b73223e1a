//! A text as it looks: what is written in other letters to be read as the same compares as the same.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::visible::is_ignorable;

/// Signs of a text as they look, in lower case: without those that nobody sees and without marks on letters, compatible
/// forms as plain ones, and letters of other scripts as the Latin ones that they are taken for.
pub fn likeness(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(alike)
}

/// One sign as it looks; nothing if it is not seen by itself.
pub fn alike(c: char) -> impl Iterator<Item = char> {
    let is_seen = !is_ignorable(c);
    let plain = std::iter::once(c).filter(move |_| is_seen).nfkd();
    plain.filter(|c| !is_combining_mark(*c) && !is_ignorable(*c)).flat_map(char::to_lowercase).map(latin)
}

/// The Latin letter or plain sign that one of another script is taken for, in lower case.
pub(crate) fn latin(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' | 'ᴀ' => 'a',
        'в' | 'ᴃ' | 'ʙ' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ᴅ' => 'd',
        'е' | 'ε' | 'ҽ' | 'ᴇ' => 'e',
        'ꜰ' => 'f',
        'ɡ' | 'ɢ' => 'g',
        'һ' | 'н' | 'հ' | 'ʜ' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' | 'ɪ' => 'i',
        'ј' | 'ϳ' | 'ᴊ' => 'j',
        'к' | 'κ' | 'ᴋ' => 'k',
        'ӏ' | 'ʟ' | '\u{2223}' => 'l',
        'м' | 'ᴍ' => 'm',
        'ո' | 'η' | 'ɴ' => 'n',
        'о' | 'ο' | 'օ' | 'σ' | 'ᴏ' => 'o',
        'р' | 'ρ' | 'ᴘ' => 'p',
        'ԛ' => 'q',
        'г' | 'ʀ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ս' | 'ᴜ' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ԝ' | 'ѡ' | 'ᴡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' | 'ʏ' => 'y',
        'ᴢ' => 'z',
        '\u{2010}'..='\u{2015}'
        | '\u{2212}'
        | '\u{fe58}'
        | '\u{fe63}'
        | '\u{ff0d}'
        | '\u{30fc}'
        | '\u{2043}' => '-',
        '\u{2215}' | '\u{2044}' | '\u{29f8}' | '\u{2571}' => '/',
        '\u{29f5}' | '\u{2216}' | '\u{29f9}' => '\\',
        '\u{2c2}' | '\u{1438}' | '\u{276e}' | '\u{2329}' | '\u{3008}' | '\u{27e8}' | '\u{276c}'
        | '\u{29fc}' => '<',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_alike_compares_alike() {
        for text in [
            "perihelion-memory",
            "PERIHELION-Memory",
            "ｐｅｒｉｈｅｌｉｏｎ-ｍｅｍｏｒｙ",
            "𝐩𝐞𝐫𝐢𝐡𝐞𝐥𝐢𝐨𝐧-𝐦𝐞𝐦𝐨𝐫𝐲",
            "pеrihеlion\u{2011}mеmory",
            "peri\u{200b}helion\u{ad}-memo\u{345}ry\u{301}",
            "ⓟⓔⓡⓘⓗⓔⓛⓘⓞⓝ\u{2010}memory",
        ] {
            assert_eq!(likeness(text).collect::<String>(), "perihelion-memory", "{text:?}");
        }
        assert_eq!(likeness("수달 文字").collect::<String>(), "수달 文字".nfkd().collect::<String>());
    }
}
