//! Whether a word can be in a list at all. Most words are in none, and there are many lists.

/// What the words of a list begin with, and how long those are that begin so, as a bit for each length.
pub(super) struct Sieve([u32; 128]);

impl Sieve {
    pub(super) const fn of(words: &[&str]) -> Self {
        let mut sieve = [0; 128];
        let mut at = 0;
        while at < words.len() {
            add(&mut sieve, words[at]);
            at += 1;
        }
        Self(sieve)
    }

    /// Of the first words of pairs.
    pub(super) const fn of_pairs(pairs: &[(&str, &str)]) -> Self {
        let mut sieve = [0; 128];
        let mut at = 0;
        while at < pairs.len() {
            add(&mut sieve, pairs[at].0);
            at += 1;
        }
        Self(sieve)
    }

    /// Of the words that phrases begin with.
    pub(super) const fn of_phrases(phrases: &[(&[&str], &[&str])]) -> Self {
        let mut sieve = [0; 128];
        let mut at = 0;
        while at < phrases.len() {
            add(&mut sieve, phrases[at].0[0]);
            at += 1;
        }
        Self(sieve)
    }

    /// Whether a word may be in the list; false where it is not.
    pub(super) fn lets_through(&self, word: &str) -> bool {
        let first = word.bytes().next().unwrap_or_default();
        self.0.get(usize::from(first)).is_some_and(|lengths| lengths & length_bit(word) != 0)
    }
}

const fn add(sieve: &mut [u32; 128], word: &str) {
    let first = word.as_bytes()[0];
    assert!(first.is_ascii(), "the lists are English");
    sieve[first as usize] |= length_bit(word);
}

/// Long ones share a bit.
const fn length_bit(word: &str) -> u32 {
    1 << if word.len() < 31 { word.len() } else { 31 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_list_comes_through_and_most_else_does_not() {
        let long = "a".repeat(40);
        let sieve = Sieve::of(&["each", "tv", &long]);
        assert!(["each", "tv", &long, "else"].iter().all(|word| sieve.lets_through(word)));
        assert!(["", "eaches", "v", "하나", "television"].iter().all(|word| !sieve.lets_through(word)));
        assert!(Sieve::of_pairs(&[("mum", "mother")]).lets_through("mum"));
        assert!(!Sieve::of_pairs(&[("mum", "mother")]).lets_through("mother"));
        let phrases = Sieve::of_phrases(&[(&["no", "longer"], &["nolonger"])]);
        assert!(phrases.lets_through("no") && !phrases.lets_through("longer"));
    }
}
