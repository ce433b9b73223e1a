//! Numbers as short text: base64 of little-endian bytes.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes in base64, without padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for place in 0..=chunk.len() {
            let letter = (bits >> (18 - 6 * place)) & 63;
            text.push(char::from(LETTERS[letter as usize]));
        }
    }
    text
}

/// The bytes of a text in base64; `None` if it is not one.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for (place, letter) in chunk.iter().enumerate() {
            bits |= value_of(*letter)? << (18 - 6 * place);
        }
        let count = chunk.len().checked_sub(1).filter(|count| *count > 0)?;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

fn value_of(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Takes numbers from bytes. A number that is not finite counts as missing.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u16::from_le_bytes(*first))
    }

    pub(super) fn f32(&mut self) -> Option<f32> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(f32::from_le_bytes(*first)).filter(|value| value.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_read_back(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }

        #[test]
        fn foreign_text_is_refused_and_never_panics(text in ".{0,40}") {
            if let Some(bytes) = decode(&text) {
                prop_assert!(bytes.len() <= text.len());
            }
        }
    }
}
