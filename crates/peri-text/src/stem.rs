//! English stems. Making one takes thousands of instructions, and a few hundred words are most of what is said, so each
//! thread keeps those it made lately.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};

/// So many stems are kept, each in the one place that its word leads to: twenty kilobytes.
const KEPT: usize = 512;

/// Longer words are rare, and stemmed anew each time.
const KEPT_BYTES_MAX: usize = 19;

thread_local! {
    static LATELY: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// A word with its stem.
#[derive(Clone, Copy, Default)]
struct Kept {
    word: Short,
    stem: Short,
}

/// A short text in place; none where it is empty.
#[derive(Clone, Copy, Default)]
struct Short {
    bytes: [u8; KEPT_BYTES_MAX],
    length: u8,
}

impl Short {
    fn of(text: &str) -> Option<Self> {
        let mut bytes = [0; KEPT_BYTES_MAX];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: u8::try_from(text.len()).ok()? })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// Hands on the stem of a lower-cased English word.
pub(crate) fn stemmed<T>(word: &str, hand_on: impl FnOnce(&str) -> T) -> T {
    match kept(word) {
        Some(stem) => hand_on(std::str::from_utf8(stem.bytes()).unwrap_or(word)),
        None => hand_on(&Stemmer::create(Algorithm::English).stem(word)),
    }
}

/// The stem of a word, unless one of the two is too long to be kept.
fn kept(word: &str) -> Option<Short> {
    let own = Short::of(word)?;
    LATELY.with_borrow_mut(|lately| {
        if lately.is_empty() {
            lately.resize(KEPT, Kept::default());
        }
        let place = &mut lately[place(word)];
        if place.word.bytes() != word.as_bytes() {
            let stem = Short::of(&Stemmer::create(Algorithm::English).stem(word))?;
            *place = Kept { word: own, stem };
        }
        Some(place.stem)
    })
}

fn place(word: &str) -> usize {
    let spread = word.bytes().fold(0xcbf2_9ce4_8422_2325, |spread: u64, byte| {
        (spread ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (spread ^ spread >> 32) as usize % KEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 5_000, ..Default::default() })]
        #[test]
        fn a_stem_is_the_same_whether_it_was_made_before_or_not(words in proptest::collection::vec("[a-z]{1,24}", 1..40)) {
            let stemmer = Stemmer::create(Algorithm::English);
            for word in words.iter().chain(&words) {
                proptest::prop_assert_eq!(stemmed(word, str::to_owned), stemmer.stem(word));
            }
        }
    }

    #[test]
    fn two_words_of_one_place_do_not_get_each_others_stem() {
        let words: Vec<String> = (0..3 * KEPT).map(|number| format!("w{}ings", letters(number))).collect();
        let stemmer = Stemmer::create(Algorithm::English);
        let mut places: Vec<_> = words.iter().map(|word| place(word)).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.len() < words.len() && places.len() > KEPT / 2, "{}", places.len());
        for word in words.iter().chain(words.iter().rev()) {
            assert_eq!(stemmed(word, str::to_owned), stemmer.stem(word));
        }
        assert_eq!(stemmed("", str::to_owned), "");
    }

    fn letters(mut number: usize) -> String {
        let mut text = String::new();
        while number > 0 {
            text.push(char::from(b'a' + u8::try_from(number % 26).expect("below 26")));
            number /= 26;
        }
        text
    }
}
