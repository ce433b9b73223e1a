//! The forward pass over a batch of texts of different lengths, without padding.
//!
//! The tokens of all texts stand one after the other in one matrix, so that every product with weights
//! is one large one; only attention looks at where a text begins and ends.

use std::ops::Range;

use fearless_simd::{Level, dispatch};

use super::config::{Config, Pooling};
use super::weights::{Layer, Norm, Weights};
use crate::kernel::{erf, exp, sum_of};
use crate::text::TokenId;

/// What a forward pass needs to know beside the texts.
pub(crate) struct Encoder {
    pub config: Config,
    pub weights: Weights,
    pub pooling: Pooling,
    pub level: Level,
}

/// Buffers of one pass, kept from layer to layer.
#[derive(Default)]
struct Buffers {
    mixed: Vec<f32>,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    blocks: Vec<f32>,
    keys: Vec<f32>,
    scores: Vec<f32>,
}

impl Encoder {
    /// One vector a text, not yet of length one. Each text has at least one token and no more than there
    /// are positions.
    pub(crate) fn encode(&self, texts: &[Vec<TokenId>]) -> Vec<Vec<f32>> {
        let mut spans = Vec::with_capacity(texts.len());
        let mut x = Vec::new();
        for text in texts {
            let start = x.len() / self.config.hidden_size;
            self.look_up(text, &mut x);
            spans.push(start..start + text.len());
        }
        self.norm(&mut x, &self.weights.norm);
        let mut buffers = Buffers::default();
        for layer in &self.weights.layers {
            self.layer(layer, &mut x, &spans, &mut buffers);
        }
        spans.into_iter().map(|span| self.pool(&x, span)).collect()
    }

    fn look_up(&self, text: &[TokenId], x: &mut Vec<f32>) {
        let size = self.config.hidden_size;
        for (token, position) in text.iter().zip(self.weights.positions.chunks_exact(size)) {
            let word = &self.weights.words[token.0 as usize * size..][..size];
            x.extend(word.iter().zip(position).map(|(word, position)| word + position));
        }
    }

    fn layer(&self, layer: &Layer, x: &mut [f32], spans: &[Range<usize>], buffers: &mut Buffers) {
        layer.attention.apply(x, &mut buffers.wide, &mut buffers.blocks);
        buffers.mixed.clear();
        buffers.mixed.resize(x.len(), 0.0);
        for span in spans {
            self.attend(span.clone(), buffers);
        }
        layer.attention_output.apply(&buffers.mixed, &mut buffers.narrow, &mut buffers.blocks);
        self.add_and_norm(x, &buffers.narrow, &layer.attention_norm);
        layer.inner.apply(x, &mut buffers.wide, &mut buffers.blocks);
        self.gelu(&mut buffers.wide);
        layer.output.apply(&buffers.wide, &mut buffers.narrow, &mut buffers.blocks);
        self.add_and_norm(x, &buffers.narrow, &layer.output_norm);
    }

    /// Attention within one text: `wide` holds query, key and value of each token side by side.
    fn attend(&self, span: Range<usize>, buffers: &mut Buffers) {
        let size = self.config.hidden_size;
        let width = size / self.config.num_attention_heads;
        let tokens = &buffers.wide[span.start * 3 * size..span.end * 3 * size];
        let mixed = &mut buffers.mixed[span.start * size..span.end * size];
        let count = span.len();
        buffers.keys.resize(width * count, 0.0);
        buffers.scores.resize(count, 0.0);
        let (keys, scores) = (&mut buffers.keys[..width * count], &mut buffers.scores[..count]);
        for head in (0..size).step_by(width) {
            for (token, line) in tokens.chunks_exact(3 * size).enumerate() {
                for (dimension, key) in line[size + head..][..width].iter().enumerate() {
                    keys[dimension * count + token] = *key;
                }
            }
            dispatch!(self.level, _simd => {
                for (line, target) in tokens.chunks_exact(3 * size).zip(mixed.chunks_exact_mut(size)) {
                    weigh(&line[head..][..width], keys, scores);
                    blend(tokens, 3 * size, 2 * size + head, scores, &mut target[head..][..width]);
                }
            });
        }
    }

    fn add_and_norm(&self, x: &mut [f32], more: &[f32], norm: &Norm) {
        for (value, more) in x.iter_mut().zip(more) {
            *value += more;
        }
        self.norm(x, norm);
    }

    fn norm(&self, x: &mut [f32], norm: &Norm) {
        let size = self.config.hidden_size;
        let epsilon = self.config.layer_norm_eps;
        dispatch!(self.level, _simd => {
            for row in x.chunks_exact_mut(size) {
                let mean = sum_of(row, |value| value) / size as f32;
                let variance = sum_of(row, |value| (value - mean) * (value - mean)) / size as f32;
                let factor = 1.0 / (variance + epsilon).sqrt();
                for ((value, weight), bias) in row.iter_mut().zip(&norm.weight).zip(&norm.bias) {
                    *value = (*value - mean) * factor * weight + bias;
                }
            }
        });
    }

    fn gelu(&self, x: &mut [f32]) {
        dispatch!(self.level, _simd => {
            for value in x.iter_mut() {
                *value *= 0.5 * (1.0 + erf(*value * std::f32::consts::FRAC_1_SQRT_2));
            }
        });
    }

    fn pool(&self, x: &[f32], span: Range<usize>) -> Vec<f32> {
        let size = self.config.hidden_size;
        let mut rows = x[span.start * size..span.end * size].chunks_exact(size);
        let mut pooled = rows.next().map(<[f32]>::to_vec).unwrap_or_default();
        if self.pooling == Pooling::Mean {
            for row in rows {
                for (sum, value) in pooled.iter_mut().zip(row) {
                    *sum += value;
                }
            }
        }
        pooled
    }
}

/// How much a query attends to each key: softmax of the scaled products. `keys` holds all keys' first
/// dimension, then all keys' second one, and so on.
#[inline(always)]
fn weigh(query: &[f32], keys: &[f32], scores: &mut [f32]) {
    scores.fill(0.0);
    let factor = 1.0 / (query.len() as f32).sqrt();
    for (value, keys) in query.iter().zip(keys.chunks_exact(scores.len())) {
        let value = value * factor;
        for (score, key) in scores.iter_mut().zip(keys) {
            *score += value * key;
        }
    }
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in scores.iter_mut() {
        *score = exp(*score - largest);
    }
    let share = 1.0 / sum_of(scores, |score| score);
    for score in scores.iter_mut() {
        *score *= share;
    }
}

/// The mean of the values, which begin at `from` in every `stride`, weighed by the scores.
#[inline(always)]
fn blend(tokens: &[f32], stride: usize, from: usize, scores: &[f32], target: &mut [f32]) {
    for (line, score) in tokens.chunks_exact(stride).zip(scores) {
        for (sum, value) in target.iter_mut().zip(&line[from..]) {
            *sum += score * value;
        }
    }
}
