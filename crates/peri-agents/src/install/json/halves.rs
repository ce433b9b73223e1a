//! Escapes of half a character, such as `\ud83d` alone.
//!
//! Programs that cut texts by UTF-16 units write them, and read them again; the parser here refuses them. They are set
//! aside while a text is edited and put back as they were.

/// A text without halves, and what brings them back.
pub(in crate::install) struct Whole {
    pub(in crate::install) text: String,
    /// Stands for the `\u` of such an escape; a character for private use that the text does not have.
    mark: Option<char>,
}

impl Whole {
    pub(in crate::install) fn of(text: &str) -> Self {
        let halves = halves(text);
        let free = || ('\u{e000}'..='\u{f8ff}').rev().find(|letter| !text.contains(*letter));
        let Some(mark) = (!halves.is_empty()).then(free).flatten() else {
            return Self { text: text.to_owned(), mark: None };
        };
        let mut whole = String::with_capacity(text.len() + halves.len());
        let mut done = 0;
        for half in halves {
            whole.push_str(&text[done..half]);
            whole.push(mark);
            done = half + 2;
        }
        whole.push_str(&text[done..]);
        Self { text: whole, mark: Some(mark) }
    }

    pub(in crate::install) fn put_back(&self, text: &str) -> String {
        self.mark.map_or_else(|| text.to_owned(), |mark| text.replace(mark, r"\u"))
    }
}

/// Where the escapes of halves begin.
fn halves(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(bytes, at) {
            Some(0xd800..=0xdbff) if matches!(unit(bytes, at + 6), Some(0xdc00..=0xdfff)) => at += 12,
            Some(0xd800..=0xdfff) => {
                found.push(at);
                at += 6;
            }
            _ => at += 2,
        }
    }
    found
}

/// The number of an escape `\uXXXX`.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(br"\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_set_aside_and_come_back_while_whole_characters_stay() {
        for (text, halves) in [
            (r#"{"a":"\ud83d"}"#, 1),
            (r#"{"a":"\ud83d\ude00 \ude00\uD800x"}"#, 2),
            (r#"{"a":"\\ud83d \u00e9 \n"}"#, 0),
            ("{\"a\":\"\u{f8ff}\\udfff한\"}", 1),
            (r"\u12", 0),
            (r"\", 0),
        ] {
            let whole = Whole::of(text);
            assert_eq!(super::halves(text).len(), halves, "{text}");
            assert_eq!(super::halves(&whole.text).len(), 0, "{text}");
            assert_eq!(whole.put_back(&whole.text), text);
        }
    }
}
