//! Names of files that stand for any text.
//!
//! Small letters, digits, `-`, `_`, `.`, Korean syllables, Chinese characters and kana stay as they are; everything else
//! becomes `%` and the hexadecimal bytes. So names read back, differ on file systems that ignore case or the form of
//! Unicode, and cannot lead out of their folder. Long names are cut and end in `~` and a digest.

use unicode_normalization::UnicodeNormalization as _;

/// Longest name that is written in full, in bytes.
const BYTES_MAX: usize = 120;
/// How much of a longer one is kept to be recognised by.
const BEGINNING_MAX: usize = 60;
/// Names of devices, which some systems do not take for files whatever follows the first dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// The name of a file.
pub(super) struct FileName {
    pub(super) text: String,
    short: bool,
}

impl FileName {
    /// Whether it does not tell the whole text it stands for.
    pub(super) fn is_short(&self) -> bool {
        self.short
    }
}

/// The name of the file for a text.
pub(super) fn file_name(text: &str) -> FileName {
    let escaped = escaped(text, BYTES_MAX + 1);
    if escaped.len() <= BYTES_MAX {
        return FileName { text: escaped, short: false };
    }
    let digest = &blake3::hash(text.as_bytes()).to_hex()[..32];
    FileName { text: format!("{}~{digest}", self::escaped(text, BEGINNING_MAX)), short: true }
}

/// The text a file is named for; none if the name does not tell.
pub(super) fn read_back(name: &str) -> Option<String> {
    let name: String = name.nfc().collect();
    let text = unescaped(&name)?;
    is_for(&name, &text).then_some(text)
}

/// Whether it is the name of the file for a text.
pub(super) fn is_for(name: &str, text: &str) -> bool {
    name.nfc().eq(file_name(text).text.chars())
}

/// Whether some text may have this name without being told by it.
pub(super) fn is_short(name: &str) -> bool {
    name.contains('~')
}

/// The beginning of a text in its escaped form, up to about so many bytes.
fn escaped(text: &str, bytes_max: usize) -> String {
    let mut escaped = String::new();
    let device = is_device(text);
    for (at, c) in text.char_indices() {
        if escaped.len() >= bytes_max {
            break;
        }
        let hidden = at == 0 && (c == '.' || device);
        if stays(c) && !hidden {
            escaped.push(c);
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| escaped.push_str(&format!("%{byte:02x}")));
        }
    }
    escaped
}

fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default();
    let numbered = ["com", "lpt"].iter().filter_map(|port| stem.strip_prefix(port));
    DEVICES.contains(&stem) || numbered.into_iter().any(|number| number.len() == 1)
}

/// Whether a character stays as it is. None of these has another case, and each is its own composed form.
fn stays(c: char) -> bool {
    matches!(c, 'a'..='z' | '0'..='9' | '-' | '_' | '.')
        || matches!(c, '가'..='힣' | '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}')
        || matches!(c, 'ぁ'..='ゖ' | 'ァ'..='ヺ')
}

fn unescaped(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        if *first == b'%' {
            let digits = after.get(..2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a file system sees that ignores case and the form of Unicode.
    fn blurred(name: &str) -> String {
        name.nfd().flat_map(char::to_lowercase).collect::<String>().nfc().collect()
    }

    #[test]
    fn names_are_readable_and_stay_in_their_folder() {
        for (text, name) in [
            ("1770712345.123456", "1770712345.123456"),
            ("회의-3월", "회의-3월"),
            ("北京 会议", "北京%20会议"),
            ("team/agent", "team%2fagent"),
            ("..", "%2e."),
            (".hidden", "%2ehidden"),
            ("Standup", "%53tandup"),
            ("nul", "%6eul"),
            ("com1.log", "%63om1.log"),
            ("command", "command"),
            ("100%", "100%25"),
            ("C:\\x\n", "%43%3a%5cx%0a"),
        ] {
            assert_eq!(file_name(text).text, name);
            assert_eq!(read_back(name).as_deref(), Some(text));
            assert!(!file_name(text).is_short());
        }
    }

    #[test]
    fn names_of_strangers_are_not_read_back() {
        for name in ["My Notes", "a%2", "a%zz", "a%61", "%ff", "A", "x~y", "%+1", "é"] {
            assert_eq!(read_back(name), None, "{name}");
        }
    }

    #[test]
    fn a_file_system_that_takes_names_apart_changes_nothing() {
        let name = file_name("회의 がぎ").text;
        assert_eq!(read_back(&name.nfd().collect::<String>()).as_deref(), Some("회의 がぎ"));
    }

    proptest! {
        #[test]
        fn every_text_has_a_short_harmless_name_of_its_own(
            texts in proptest::collection::hash_set("\\PC{1,8}|[aAbB.]{1,3}|[가-힣]{1,300}|(é|\u{65}\u{301}|ㄱ|가|각|\u{1100}\u{1161}){1,3}|.{1,40}", 1..20)
        ) {
            let mut seen = std::collections::HashSet::new();
            for text in &texts {
                let name = file_name(text);
                prop_assert!(name.text.len() <= BYTES_MAX && !name.text.starts_with('.'));
                prop_assert!(!name.text.contains(['/', '\\', ':', '\0', '\n', ' ', '*', '?', '"', '<', '>', '|']));
                prop_assert!(is_for(&name.text, text));
                prop_assert_eq!(name.is_short(), is_short(&name.text));
                let told = (!name.is_short()).then(|| text.clone());
                prop_assert_eq!(read_back(&name.text), told);
                prop_assert!(seen.insert(blurred(&name.text)), "{} is taken", name.text);
            }
        }
    }
}
