//! Bytes as text, for sealed lines: base64 with the alphabet for addresses, without padding.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text of some bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().zip([16, 8, 0]).fold(0_u32, |word, (byte, shift)| word | u32::from(*byte) << shift);
        for at in 0..=chunk.len() {
            let index = word >> (18 - 6 * at) & 63;
            text.push(char::from(ALPHABET[index as usize]));
        }
    }
    text
}

/// The bytes of a text; none if it is not one that [`encode`] makes.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        let mut word = 0_u32;
        for (at, character) in chunk.iter().enumerate() {
            word |= u32::from(value(*character)?) << (18 - 6 * at);
        }
        let whole = match chunk.len() {
            4 => 3,
            3 if word & 0xff == 0 => 2,
            2 if word & 0xffff == 0 => 1,
            _ => return None,
        };
        bytes.extend_from_slice(&word.to_be_bytes()[1..=whole]);
    }
    Some(bytes)
}

fn value(character: u8) -> Option<u8> {
    match character {
        b'A'..=b'Z' => Some(character - b'A'),
        b'a'..=b'z' => Some(character - b'a' + 26),
        b'0'..=b'9' => Some(character - b'0' + 52),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn it_is_the_base64_that_others_know() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
            ("기억", "6riw7Ja1"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), text);
        }
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
        for text in ["A", "Zh", "Zm9", "Z=", "Zg==", "a b", "ä"] {
            assert!(text == "Zm9" || decode(text.as_bytes()).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_decoded(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }

        #[test]
        fn what_is_decoded_was_encoded_so(text in "[A-Za-z0-9_-]{0,40}") {
            if let Some(bytes) = decode(text.as_bytes()) {
                prop_assert_eq!(encode(&bytes), text);
            }
        }
    }
}
