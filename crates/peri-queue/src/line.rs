//! Lines that tell whether they are whole: a checksum, a blank, and JSON.

use std::io::BufRead;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Characters of a checksum: eight bytes in hexadecimal digits.
const CHECKSUM_CHARS: usize = 16;

/// The line that holds a value, with its end.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    let json = serde_json::to_vec(value).expect("what queues keep is plain JSON");
    let mut line = Vec::with_capacity(CHECKSUM_CHARS + 2 + json.len());
    line.extend_from_slice(checksum(&json).as_bytes());
    line.push(b' ');
    line.extend_from_slice(&json);
    line.push(b'\n');
    line
}

/// The value of a line, or none if the line is not what was written.
pub(crate) fn decode<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let line = line.strip_suffix(b"\n")?;
    let (sum, json) = line.split_at_checked(CHECKSUM_CHARS)?;
    let json = json.strip_prefix(b" ")?;
    if checksum(json).as_bytes() != sum {
        return None;
    }
    serde_json::from_slice(json).ok()
}

fn checksum(json: &[u8]) -> String {
    blake3::hash(json).to_hex()[..CHECKSUM_CHARS].to_owned()
}

/// A line of a file and where it begins.
pub(crate) struct Line<'a> {
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
}

impl Line<'_> {
    /// Whether it was cut short.
    pub(crate) fn is_torn(&self) -> bool {
        !self.bytes.ends_with(b"\n")
    }
}

/// Goes through lines until there are no more or `each` says that it is enough.
pub(crate) fn each_line(
    mut reader: impl BufRead,
    from: u64,
    mut each: impl FnMut(Line<'_>) -> std::ops::ControlFlow<()>,
) -> std::io::Result<()> {
    let (mut offset, mut bytes) = (from, Vec::new());
    loop {
        bytes.clear();
        let length = reader.read_until(b'\n', &mut bytes)?;
        if length == 0 || each(Line { offset, bytes: &bytes }).is_break() {
            return Ok(());
        }
        offset += length as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_line_reads_back_as_it_was_written(text in any::<String>(), number: u64) {
            let line = encode(&(number, &text));
            prop_assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
            prop_assert_eq!(decode::<(u64, String)>(&line), Some((number, text)));
        }

        #[test]
        fn a_line_with_any_other_byte_or_length_is_not_taken(text in ".{0,30}", at: usize, by in 1_u8..) {
            let whole = encode(&text);
            let mut garbled = whole.clone();
            let at = at % garbled.len();
            garbled[at] ^= by;
            prop_assert_eq!(decode::<String>(&garbled), None);
            prop_assert_eq!(decode::<String>(&whole[..at]), None);
        }
    }

    #[test]
    fn korean_and_chinese_and_what_is_no_text_at_all() {
        for text in ["저장소에 닿지 않는다\n", "数据库无法访问", "\0"] {
            assert_eq!(decode::<String>(&encode(&text)).as_deref(), Some(text));
        }
        for garbage in [&b""[..], b"\n", b" \n", b"0123456789abcdef\n", &[0xff; 40]] {
            assert_eq!(decode::<String>(garbage), None);
        }
    }
}
