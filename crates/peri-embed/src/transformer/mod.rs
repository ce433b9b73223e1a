//! The larger engine: a BERT encoder read from a folder.

mod config;
mod forward;
mod linear;
mod weights;

use std::num::NonZeroUsize;
use std::path::Path;

use fearless_simd::Level;
use peri_types::SpaceId;

use self::config::{Config, Pooling, Tokeniser};
use self::forward::Encoder;
use self::weights::Weights;
use crate::engine::unit;
use crate::text::TokenId;
use crate::{EmbedError, Engine};

/// More of a text is not read, as all-MiniLM-L6-v2 was trained.
const TOKENS_MAX: usize = 256;

/// Texts computed together: enough for large products, few enough for the caches.
const TOKENS_PER_PASS: usize = 512;

/// A BERT encoder such as all-MiniLM-L6-v2, run on the processor.
///
/// The first 256 tokens of a text count. A model with the English vocabulary answers `None` for other
/// languages, by the rule that [`crate::StaticEngine`] follows; a model with another vocabulary answers
/// whenever it knows a token that is more than punctuation.
pub struct TransformerEngine {
    tokeniser: Tokeniser,
    encoder: Encoder,
    space: SpaceId,
    threads: NonZeroUsize,
    tokens_max: usize,
}

impl TransformerEngine {
    /// Reads `config.json`, `model.safetensors` and `vocab.txt` (or `tokenizer.json`) of a folder, and where
    /// they are there `tokenizer_config.json` and `1_Pooling/config.json`. Uses as many threads as the
    /// machine offers.
    pub fn load(folder: &Path) -> Result<Self, EmbedError> {
        let level = Level::new();
        let config = Config::read(folder)?;
        let tokeniser = Tokeniser::read(folder, &config)?;
        let pooling = Pooling::read(folder)?;
        let weights = Weights::read(folder, &config, level)?;
        let space = space(&config, &weights, pooling);
        let tokens_max = TOKENS_MAX.min(config.max_position_embeddings);
        let encoder = Encoder { config, weights, pooling, level };
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self { tokeniser, encoder, space, threads, tokens_max })
    }

    /// The same engine with at most this many threads for one call of [`Engine::embed`].
    #[must_use]
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// The share of a text's letters that lie in words which the vocabulary holds whole; of the part that
    /// is read, as [`crate::StaticEngine::coverage`].
    pub fn coverage(&self, text: &str) -> f32 {
        self.tokeniser.reader.read(text, self.tokens_max - 2).tally.coverage()
    }

    /// Whether the engine has a vector for the text.
    pub fn understands(&self, text: &str) -> bool {
        self.tokeniser.reader.understands(&self.tokeniser.reader.read(text, self.tokens_max - 2))
    }

    /// The text's tokens up to the limit, unknown ones included, without the two that stand around it.
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        self.tokeniser.reader.read(text, self.tokens_max - 2).tokens
    }

    /// The tokens that the encoder sees, or `None` if it must not vote.
    fn sequence(&self, text: &str) -> Option<Vec<TokenId>> {
        let reading = self.tokeniser.reader.read(text, self.tokens_max - 2);
        if !self.tokeniser.reader.understands(&reading) {
            return None;
        }
        let mut sequence = Vec::with_capacity(reading.tokens.len() + 2);
        sequence.push(self.tokeniser.first);
        sequence.extend(reading.tokens);
        sequence.push(self.tokeniser.last);
        Some(sequence)
    }

    /// Encodes sequences, in order, on as many threads as there is work for.
    fn encode(&self, sequences: &[Vec<TokenId>]) -> Vec<Vec<f32>> {
        let shares = split_by_tokens(sequences, self.threads.get());
        let encode = |share: &[Vec<TokenId>]| {
            let tokens: usize = share.iter().map(Vec::len).sum();
            let passes = split_by_tokens(share, tokens.div_ceil(TOKENS_PER_PASS));
            passes.into_iter().flat_map(|pass| self.encoder.encode(pass)).collect::<Vec<_>>()
        };
        if let [share] = shares[..] {
            return encode(share);
        }
        std::thread::scope(|scope| {
            let running: Vec<_> = shares.iter().map(|share| scope.spawn(move || encode(share))).collect();
            let finished = running.into_iter().map(|thread| thread.join());
            finished
                .flat_map(|vectors| vectors.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }
}

impl Engine for TransformerEngine {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let sequences: Vec<_> = texts.iter().map(|text| self.sequence(text)).collect();
        let understood: Vec<bool> = sequences.iter().map(Option::is_some).collect();
        let sequences: Vec<_> = sequences.into_iter().flatten().collect();
        let mut vectors = self.encode(&sequences).into_iter();
        let not_finite = || EmbedError::NotFinite { model: self.space.model.clone() };
        let answer = |vector| unit(vector).ok_or_else(not_finite);
        understood
            .into_iter()
            .map(|understood| understood.then(|| vectors.next()).flatten().map(answer).transpose())
            .collect()
    }
}

fn space(config: &Config, weights: &Weights, pooling: Pooling) -> SpaceId {
    let digest = weights.digest.to_hex();
    let pooling = match pooling {
        Pooling::Mean => "mean",
        Pooling::FirstToken => "first",
    };
    SpaceId {
        model: format!("{}-{pooling}@{}", config.name(), &digest[..12]),
        dimensions: u32::try_from(config.hidden_size).unwrap_or(u32::MAX),
    }
}

/// Cuts a list into at most `parts` runs with about as many tokens each; none is empty.
fn split_by_tokens(sequences: &[Vec<TokenId>], parts: usize) -> Vec<&[Vec<TokenId>]> {
    let total: usize = sequences.iter().map(Vec::len).sum();
    let target = total.div_ceil(parts.max(1)).max(1);
    let mut runs = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (at, sequence) in sequences.iter().enumerate() {
        tokens += sequence.len();
        if tokens >= target {
            runs.push(&sequences[start..=at]);
            (start, tokens) = (at + 1, 0);
        }
    }
    if start < sequences.len() {
        runs.push(&sequences[start..]);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_keeps_order_and_loses_nothing() {
        let sequences: Vec<Vec<TokenId>> =
            (1..40).map(|length| vec![TokenId(length); length as usize % 7 + 1]).collect();
        for parts in [0, 1, 2, 3, 8, 100] {
            let runs = split_by_tokens(&sequences, parts);
            assert!(runs.len() <= parts.max(1) && runs.iter().all(|run| !run.is_empty()), "{parts}");
            assert_eq!(runs.concat(), sequences);
        }
        assert!(split_by_tokens(&[], 4).is_empty());
    }
}
