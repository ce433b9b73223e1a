//! Words that mean nearly the same: the best likeness between a question's words and those of a text.
//!
//! This is independent of sentence vectors and works with any engine beside it: a text is kept as the tokens
//! of its whole words, and a word's likeness to a token is the cosine of their rows in the bundled table.
//! Likenesses are computed once for each token that occurs among the texts compared.

use crate::kernel;
use crate::{StaticEngine, TokenId};

impl StaticEngine {
    /// The tokens of a text's words that the vocabulary holds whole, each once, without those that `skip`
    /// names. In a language that the table does not know there are few or none.
    pub fn whole_words(&self, text: &str, skip: impl Fn(&str) -> bool) -> Vec<u16> {
        let mut tokens: Vec<u16> = Vec::new();
        self.reader.for_each_whole_word(text, |word, token| {
            // The vocabulary also holds single characters of scripts that the table knows nothing about.
            if let Ok(token) = u16::try_from(token.0)
                && word.is_ascii()
                && !skip(word)
            {
                tokens.push(token);
            }
        });
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    /// Whether the vocabulary holds a word whole, so that it is hardly a slip of the finger.
    pub fn is_word(&self, word: &str) -> bool {
        let mut whole = false;
        self.reader.for_each_whole_word(word, |own, _| whole |= own.len() == word.len());
        whole
    }

    /// Prepares to compare these words with texts.
    pub fn similarities(&self, words: &[&str]) -> Similarities<'_> {
        let rows = words.iter().map(|word| self.word_row(word)).collect();
        Similarities {
            engine: self,
            words: rows,
            slots: vec![0; self.asset.rows.len() / self.asset.dimensions.max(1)],
            values: Vec::new(),
            best: vec![0.0; words.len()],
        }
    }

    /// A word's direction: the mean of its pieces' rows, as whole numbers with its length.
    fn word_row(&self, word: &str) -> Option<(Vec<i8>, f32)> {
        let reading = self.reader.read(word, 16);
        if !self.reader.understands(&reading) {
            return None;
        }
        let mut sum = vec![0.0_f32; self.asset.dimensions];
        for token in self.known(reading.tokens) {
            let row = self.row(token)?;
            kernel::add_scaled(self.level, &mut sum, row.values, row.scale);
        }
        let largest = sum.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
        if largest <= 0.0 {
            return None;
        }
        let values: Vec<i8> = sum.iter().map(|value| (value / largest * 127.0).round() as i8).collect();
        let length = self.length(&values);
        Some((values, length))
    }
}

/// A question's words, ready to be compared with any number of texts.
pub struct Similarities<'a> {
    engine: &'a StaticEngine,
    words: Vec<Option<(Vec<i8>, f32)>>,
    /// For each token: 0, or one more than the number of its row in `values`.
    slots: Vec<u16>,
    values: Vec<f32>,
    best: Vec<f32>,
}

impl Similarities<'_> {
    /// For each word, its cosine with the most similar of a text's words; 0 where nothing is similar.
    pub fn best(&mut self, tokens: &[u16]) -> &[f32] {
        self.best.fill(0.0);
        for &token in tokens {
            let Some(start) = self.row_of(token) else { continue };
            let row = &self.values[start..start + self.words.len()];
            self.best.iter_mut().zip(row).for_each(|(best, value)| *best = best.max(*value));
        }
        &self.best
    }

    /// Where the likenesses of a token begin, computed if they are not there yet.
    fn row_of(&mut self, token: u16) -> Option<usize> {
        let slot = self.slots.get(usize::from(token)).copied()?;
        if slot > 0 {
            return Some((usize::from(slot) - 1) * self.words.len());
        }
        let row = self.engine.row(TokenId(u32::from(token)))?;
        let length = self.engine.length(row.values);
        let start = self.values.len();
        let level = self.engine.level;
        self.values.extend(self.words.iter().map(|word| match word {
            Some((values, own)) if length > 0.0 => {
                kernel::dot_whole(level, values, row.values) as f32 / (own * length)
            }
            _ => 0.0,
        }));
        let slot = u16::try_from(start / self.words.len().max(1) + 1).ok()?;
        self.slots[usize::from(token)] = slot;
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_nearer_than_far_ones_and_equal_ones_are_one() {
        let engine = StaticEngine::bundled().unwrap();
        let mut similar = engine.similarities(&["doctor", "river"]);
        let text = engine.whole_words("The physician walked along the stream", |word| word == "the");
        let best = similar.best(&text).to_vec();
        assert!(best.iter().all(|value| *value > 0.4), "{best:?}");
        let far = engine.whole_words("quarterly invoice", |_| false);
        assert!(similar.best(&far).iter().all(|value| *value < 0.4));
        let same = engine.whole_words("doctor", |_| false);
        assert!(similar.best(&same)[0] > 0.999);
        assert!(similar.best(&[]).iter().all(|value| *value == 0.0));
    }

    #[test]
    fn words_are_told_from_slips() {
        let engine = StaticEngine::bundled().unwrap();
        assert!(["live", "mango", "error"].iter().all(|word| engine.is_word(word)));
        assert!(["eror", "typscript", "two words", ""].iter().all(|word| !engine.is_word(word)));
    }

    #[test]
    fn a_language_that_the_table_does_not_know_has_no_words() {
        let engine = StaticEngine::bundled().unwrap();
        assert!(engine.whole_words("강남역에서 만났다 今天天气很好", |_| false).is_empty());
        let mut similar = engine.similarities(&["만났다"]);
        let text = engine.whole_words("we met at the station", |_| false);
        assert!(similar.best(&text).iter().all(|value| *value == 0.0));
    }
}
