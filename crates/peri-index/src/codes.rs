//! Four bits a dimension: a small stand-in for each vector, to find the few worth comparing exactly.
//!
//! One bit does not do for static text vectors. On 19,410 embedded pieces of LoCoMo (static-minilm-256, 400
//! questions) the share of the exact best 100 found among the best 400 by code was .61 for centred signs,
//! .74 with the query in full precision, .92 with a length correction as well, .958 for two bits, .9964 for
//! three and .9999 for four; among the best 200 by four-bit code it was .9968.
//!
//! Where all are compared, that is done first with two bits, which are looked up for 32 documents at once, and the four
//! decide among the best few hundred: of 10,000 and 100,000 vectors the same are found in half the time.

use crate::kernel::{self, CODE_BYTES, HALVES};

/// How many standard deviations one of the sixteen steps spans, so that they reach 2.7 to either side. It
/// gave the recall above; other widths were not tried for four bits.
const STEP: f32 = 0.34;

/// Which of four steps one of the sixteen belongs to. The inner two are 1.02 standard deviations wide, about what loses
/// least of a normal distribution; the outer two take the rest.
const ROUGH: [u8; 16] = [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3];
/// The highest of the four.
const ROUGH_MOST: i32 = 3;
/// What half a byte adds to a score is computed to such a part of one.
const ENTRY_PARTS: i32 = 256;

/// Maps vectors to codes: per dimension a centre and a width, learned from a sample.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Quantiser {
    /// Where the first of the sixteen steps begins, per dimension.
    pub(crate) low: Vec<f32>,
    /// How wide a step is, per dimension.
    pub(crate) step: Vec<f32>,
    /// How many vectors there were when it was learned; it is learned again when there are many more.
    pub(crate) learned_at: usize,
}

/// A query prepared for comparison with codes.
pub(crate) struct CodedQuery(Vec<i8>);

/// A query prepared for comparison with rough codes: what each half of each of their bytes adds to a score.
pub(crate) struct RoughQuery(Vec<u8>);

impl Quantiser {
    /// Learns from a sample of vectors, given one at a time to `visit` by the caller's walk.
    pub(crate) fn learn(dimensions: usize, learned_at: usize, sample: &[Vec<f32>]) -> Self {
        let count = sample.len().max(1) as f32;
        let mut mean = vec![0.0; dimensions];
        let mut spread = vec![0.0; dimensions];
        for vector in sample {
            mean.iter_mut().zip(vector).for_each(|(mean, value)| *mean += value / count);
        }
        for vector in sample {
            for ((spread, mean), value) in spread.iter_mut().zip(&mean).zip(vector) {
                *spread += (value - mean) * (value - mean) / count;
            }
        }
        let step: Vec<f32> = spread.iter().map(|spread| (spread.sqrt() * STEP).max(1e-6)).collect();
        let low = mean.iter().zip(&step).map(|(mean, step)| mean - 8.0 * step).collect();
        Self { low, step, learned_at }
    }

    /// Bytes of one code.
    pub(crate) fn code_bytes(&self) -> usize {
        code_bytes(self.low.len())
    }

    /// Writes a vector's code where there are zeros.
    pub(crate) fn encode(&self, vector: &[f32], code: &mut [u8]) {
        let bytes = self.code_bytes();
        for (at, ((value, low), step)) in vector.iter().zip(&self.low).zip(&self.step).enumerate() {
            let number = ((value - low) / step).clamp(0.0, 15.0) as u8;
            if at < bytes { code[at] |= number } else { code[at - bytes] |= number << 4 }
        }
    }

    /// A query in the form that codes are compared with: scores order documents as the products with the
    /// decoded vectors would, up to the rounding of the query to eight bits.
    pub(crate) fn query(&self, query: &[f32]) -> CodedQuery {
        let scaled: Vec<f32> = query.iter().zip(&self.step).map(|(value, step)| value * step).collect();
        let largest = scaled.iter().fold(f32::MIN_POSITIVE, |most, value| most.max(value.abs()));
        let mut coded = vec![0; self.code_bytes() * 2];
        let scale = 127.0 / largest;
        for (to, value) in coded.iter_mut().zip(scaled) {
            // Away from zero at halves, as `round` does; that one is a call for every number.
            *to = (value * scale + 0.5_f32.copysign(value)) as i8;
        }
        CodedQuery(coded)
    }

    /// A query in the form that rough codes are compared with.
    pub(crate) fn rough_query(&self, query: &[f32]) -> RoughQuery {
        let bytes = self.code_bytes() / 2;
        let mut scaled = vec![0.0; bytes * 4];
        for ((to, value), step) in scaled.iter_mut().zip(query).zip(&self.step) {
            *to = value * step;
        }
        let (lower, upper) = scaled.split_at(2 * bytes);
        // The two dimensions of each half of a byte.
        let pairs = |half: &[f32]| -> Vec<(f32, f32)> {
            let (first, second) = half.split_at(bytes);
            first.iter().copied().zip(second.iter().copied()).collect()
        };
        let (lower, upper) = (pairs(lower), pairs(upper));
        let reach = |&(a, b): &(f32, f32)| a.abs() + b.abs();
        let largest = lower.iter().chain(&upper).map(reach).fold(f32::MIN_POSITIVE, f32::max);
        let scale = ENTRY_PARTS as f32 * entry_max(bytes) / (largest * ROUGH_MOST as f32);
        let mut table = vec![0; bytes * 2 * HALVES];
        let (rows, _) = table.as_chunks_mut::<{ 2 * HALVES }>();
        for ((row, lower), upper) in rows.iter_mut().zip(lower).zip(upper) {
            let (first, second) = row.split_at_mut(HALVES);
            enter(first, lower, scale);
            enter(second, upper, scale);
        }
        RoughQuery(table)
    }
}

/// Enters what each half of a byte adds: the numbers of two dimensions, counted from the least that they can add, so that
/// none is below zero.
fn enter(entries: &mut [u8], (a, b): (f32, f32), scale: f32) {
    let (a, b) = ((a * scale) as i32, (b * scale) as i32);
    let base = ENTRY_PARTS / 2 - ROUGH_MOST * (a.min(0) + b.min(0));
    let (fours, _) = entries.as_chunks_mut::<4>();
    for (four, second) in fours.iter_mut().zip(0..) {
        *four = [0, 1, 2, 3].map(|first| ((base + a * first + b * second) / ENTRY_PARTS) as u8);
    }
}

/// The most that half a byte may add: four fit into a byte, and all of a code into fifteen bits.
fn entry_max(bytes: usize) -> f32 {
    63.min(i16::MAX as usize / (2 * bytes.max(1))) as f32
}

impl RoughQuery {
    /// The scores of whole blocks of rough codes.
    pub(crate) fn scores(&self, blocks: &[u8], scores: &mut [i16]) {
        kernel::rough_scores(&self.0, blocks, scores);
    }
}

/// The rough form of a code, two bits a dimension, byte by byte.
pub(crate) fn roughened(code: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let (first, second) = code.split_at(code.len() / 2);
    first.iter().zip(second).map(|(&first, &second)| {
        let of = |number: u8| ROUGH[usize::from(number & 15)];
        of(first) | of(second) << 2 | of(first >> 4) << 4 | of(second >> 4) << 6
    })
}

impl CodedQuery {
    /// The scores of the codes that lie one after the other in `codes`.
    pub(crate) fn scores(&self, codes: &[u8], scores: &mut [i32]) {
        kernel::code_scores(&self.0, codes, scores);
    }

    /// The scores of the codes of some documents.
    pub(crate) fn scores_at(&self, codes: &[u8], docs: &[u32], scores: &mut [i32]) {
        kernel::code_scores_at(&self.0, codes, docs, scores);
    }
}

/// Bytes of one code of a vector with so many dimensions.
pub(crate) fn code_bytes(dimensions: usize) -> usize {
    dimensions.div_ceil(2).next_multiple_of(CODE_BYTES)
}
