//! One spelling for every way a character can be written, with case kept for the scanner.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Applies NFKC and folds the accents of Latin letters; marks of other scripts stay.
///
/// Text that is already in that form, which is nearly all English, Korean, Chinese and Japanese, is
/// returned untouched.
pub(super) fn normalize(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(is_settled) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (settled, unsettled) = split_unsettled(rest);
        out.push_str(settled);
        let end = segment_len(unsettled);
        fold_segment(&mut out, &unsettled[..end]);
        rest = &unsettled[end..];
    }
    Cow::Owned(out)
}

/// Splits before the character that the first unsettled one may combine with.
fn split_unsettled(text: &str) -> (&str, &str) {
    let first = text.find(|c| !is_settled(c)).unwrap_or(text.len());
    if first == text.len() {
        return (text, "");
    }
    let base = text[..first].chars().next_back().map_or(0, char::len_utf8);
    text.split_at(first - base)
}

/// The length up to the next settled character behind an unsettled one, where nothing combines.
fn segment_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    chars.next();
    let mut seen = text.chars().next().is_some_and(|c| !is_settled(c));
    for (at, c) in chars {
        if seen && is_settled(c) {
            return at;
        }
        seen |= !is_settled(c);
    }
    text.len()
}

fn fold_segment(out: &mut String, segment: &str) {
    let mut latin_base = false;
    let folded = segment.nfkd().filter(move |&c| {
        if is_combining_mark(c) && !is_emoji_mark(c) {
            return !latin_base;
        }
        latin_base = is_latin(c);
        !is_invisible(c)
    });
    for c in folded.nfc() {
        push_folded(out, c);
    }
}

/// Characters that normalisation is known to leave alone and that do not combine with neighbours.
fn is_settled(c: char) -> bool {
    matches!(c as u32,
        0..=0x7F
        | 0xAC00..=0xD7A3
        | 0x4E00..=0x9FFF
        | 0x3001..=0x3029
        | 0x3041..=0x3096
        | 0x30A1..=0x30FA
        | 0x30FC
        | 0x2013..=0x2014
        | 0x2018..=0x201D
        | 0x1F300..=0x1FAFF)
}

fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c as u32, 0xC0..=0x24F | 0x1E00..=0x1EFF | 0x250..=0x2AF)
}

fn is_emoji_mark(c: char) -> bool {
    matches!(c as u32, 0xFE00..=0xFE0F | 0x20E3)
}

/// Soft hyphens, zero-width spaces and non-joiners only say how to draw a word. The zero-width joiner
/// stays because it holds emoji together.
fn is_invisible(c: char) -> bool {
    matches!(c as u32, 0xAD | 0x200B | 0x200C | 0x2060 | 0xFEFF)
}

/// Letters whose everyday plain spelling Unicode does not offer as a decomposition.
fn push_folded(out: &mut String, c: char) {
    let plain = match c {
        'ß' => "ss",
        'ẞ' => "SS",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        'ø' => "o",
        'Ø' => "O",
        'đ' => "d",
        'Đ' => "D",
        'ł' => "l",
        'Ł' => "L",
        'ı' => "i",
        // Final sigma is a matter of position, not of spelling.
        'ς' => "σ",
        _ => return out.push(c),
    };
    out.push_str(plain);
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(normalize(text), expected, "{text:?}");
        assert_eq!(normalize(expected), expected, "normalising twice changes {expected:?}");
    }

    #[test]
    fn one_spelling_for_equal_text() {
        check("plain ASCII", "plain ASCII");
        check("café CAFÉ cafe\u{301}", "cafe CAFE cafe");
        check("ＡＢＣ１２３", "ABC123");
        check("ｶﾞ", "ガ");
        check("ガ か\u{3099}", "ガ が");
        check("\u{1112}\u{1161}\u{11ab}글", "한글");
        check("Straße Øre Łódź İzmir", "Strasse Ore Lodz Izmir");
        check("й и\u{306}", "й й");
        check("soft\u{ad}hyphen zero\u{200b}width", "softhyphen zerowidth");
        check("किताब", "किताब");
        check("a\u{302a}", "a");
    }

    proptest::proptest! {
        #[test]
        fn normalising_in_segments_is_normalising_at_once(text in "([a-z가カか漢éﬁ\u{301}\u{3099}\u{1100}\u{1161}\u{11a8}й\u{306}]|\\PC){0,12}") {
            let mut whole = String::new();
            super::fold_segment(&mut whole, &text);
            proptest::prop_assert_eq!(normalize(&text), whole);
        }
    }
}
