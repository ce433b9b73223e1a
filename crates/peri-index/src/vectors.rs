//! The documents' vectors: all of them in half precision, and a code of each once there are many.

use half::f16;
use half::slice::{HalfBitsSliceExt, HalfFloatSliceExt};

use crate::Doc;
use crate::bits::Bits;
use crate::codes::{Quantiser, roughened};
use crate::kernel::{self, ROUGH_TOGETHER};
use crate::lines::Lines;

/// With fewer vectors than this, all of them are compared exactly; a guess at where codes begin to pay.
const CODES_FROM: usize = 4096;
/// The quantiser is learned again when there are so many times more vectors than it was learned from.
const LEARN_AGAIN: usize = 4;
/// How many vectors the quantiser is learned from.
const SAMPLE: usize = 4096;

/// One row per document; documents without a vector have a row of zeros.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vectors {
    pub(crate) dimensions: usize,
    /// Half-precision numbers as bits, row by row.
    pub(crate) matrix: Vec<u16>,
    /// Which documents have a vector.
    pub(crate) present: Bits,
    /// The sum of the vectors of all living documents.
    pub(crate) sum: Vec<f64>,
    pub(crate) quantiser: Option<Quantiser>,
    /// One code per document while there is a quantiser.
    pub(crate) codes: Lines<u8>,
    /// The rough form of each code, where that is compared faster: blocks of documents, and in a block the first bytes of
    /// all, then the second ones.
    pub(crate) rough: Lines<u8>,
}

impl Vectors {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { dimensions, sum: vec![0.0; dimensions], ..Self::default() }
    }

    /// How many documents there are rows for.
    pub(crate) fn len(&self) -> usize {
        self.present.len()
    }

    pub(crate) fn row(&self, doc: usize) -> &[u16] {
        &self.matrix[doc * self.dimensions..][..self.dimensions]
    }

    /// Appends a document's vector, scaled to length one, or the lack of one.
    pub(crate) fn push(&mut self, vector: Option<&[f32]>) {
        let unit = vector.and_then(|vector| unit(vector, self.dimensions));
        self.present.push(unit.is_some());
        if self.dimensions == 0 {
            return;
        }
        let values = unit.unwrap_or_else(|| vec![0.0; self.dimensions]);
        let mut halves = vec![f16::ZERO; self.dimensions];
        halves.convert_from_f32_slice(&values);
        reserve_some(&mut self.matrix, self.dimensions);
        self.matrix.extend(halves.iter().map(|half| half.to_bits()));
        self.add_to_sum(self.len() - 1, 1.0);
        if let Some(quantiser) = &self.quantiser {
            quantiser.encode(&values, self.codes.grow(quantiser.code_bytes(), 0));
            self.roughen(self.len() - 1);
        }
        let learned_at = self.quantiser.as_ref().map_or(CODES_FROM / LEARN_AGAIN, |known| known.learned_at);
        if self.present.ones() >= learned_at * LEARN_AGAIN {
            self.learn();
        }
    }

    /// Takes a document that died out of the sum of the living.
    pub(crate) fn forget(&mut self, doc: Doc) {
        self.add_to_sum(doc.index(), -1.0);
    }

    /// Adds all vectors up anew; all their documents must be alive.
    pub(crate) fn add_up(&mut self) {
        self.sum.fill(0.0);
        (0..self.len()).for_each(|doc| self.add_to_sum(doc, 1.0));
    }

    fn add_to_sum(&mut self, doc: usize, factor: f64) {
        if self.present.get(doc) {
            let values = self.values(doc);
            self.sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += f64::from(value) * factor);
        }
    }

    /// Learns the quantiser from an even sample and codes every vector anew.
    pub(crate) fn learn(&mut self) {
        let count = self.present.ones();
        let every = count.div_ceil(SAMPLE).max(1);
        let sample: Vec<Vec<f32>> = self.present.iter().step_by(every).map(|doc| self.values(doc)).collect();
        let quantiser = Quantiser::learn(self.dimensions, count, &sample);
        let mut codes = Lines::default();
        codes.make_room(quantiser.code_bytes() * self.len(), 0);
        for doc in 0..self.len() {
            quantiser.encode(&self.values(doc), codes.grow(quantiser.code_bytes(), 0));
        }
        self.codes = codes;
        self.quantiser = Some(quantiser);
        self.roughen_all();
    }

    /// Derives the rough form of all codes.
    pub(crate) fn roughen_all(&mut self) {
        self.rough = Lines::default();
        self.rough.make_room((self.codes.len() / 2).next_multiple_of(ROUGH_TOGETHER), 0);
        (0..self.len()).for_each(|doc| self.roughen(doc));
    }

    /// Derives the rough form of a document's code; those before it have theirs.
    fn roughen(&mut self, doc: usize) {
        let Some(quantiser) = self.quantiser.as_ref().filter(|_| kernel::is_rough_faster()) else { return };
        let bytes = quantiser.code_bytes();
        let block = bytes / 2 * ROUGH_TOGETHER;
        let lane = doc % ROUGH_TOGETHER;
        if lane == 0 {
            self.rough.grow(block, 0);
        }
        let from = doc / ROUGH_TOGETHER * block;
        let places = self.rough[from..][..block].iter_mut().skip(lane).step_by(ROUGH_TOGETHER);
        places.zip(roughened(&self.codes[doc * bytes..][..bytes])).for_each(|(to, byte)| *to = byte);
    }

    /// A document's vector in full precision.
    pub(crate) fn values(&self, doc: usize) -> Vec<f32> {
        self.row(doc).reinterpret_cast::<f16>().to_f32_vec()
    }

    /// The product of a query with a document's vector, if it has one.
    pub(crate) fn dot(&self, query: &[f32], doc: Doc) -> Option<f32> {
        self.present.get(doc.index()).then(|| kernel::dot(query, self.row(doc.index())))
    }

    /// Adds a document's vector, times `factor`, to a sum.
    pub(crate) fn add_to(&self, sum: &mut [f32], doc: Doc, factor: f32) {
        if self.present.get(doc.index()) {
            let values = self.values(doc.index());
            sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * factor);
        }
    }

    pub(crate) fn sum_of(&self, docs: &[Doc]) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        docs.iter().for_each(|&doc| self.add_to(&mut sum, doc, 1.0));
        sum
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let codes = self.codes.memory_bytes() + self.rough.memory_bytes();
        self.matrix.capacity() * 2 + codes + self.present.memory_bytes()
    }
}

/// The vector scaled to length one; None if it has another dimension, no length, or a value not finite.
pub(crate) fn unit(vector: &[f32], dimensions: usize) -> Option<Vec<f32>> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let usable = vector.len() == dimensions && length.is_finite() && length > 0.0;
    usable.then(|| vector.iter().map(|value| value / length).collect())
}

/// Cosine of a query of length one and a sum of vectors; 0 where the sum has no direction.
pub(crate) fn cosine_of_sum(query: &[f32], sum: &[f32]) -> f32 {
    let (dot, square) = query
        .iter()
        .zip(sum)
        .fold((0.0, 0.0), |(dot, square), (query, value)| (dot + query * value, square + value * value));
    if square > 1e-12 { dot / f32::sqrt(square) } else { 0.0 }
}

/// Makes room by an eighth at a time: doubling would leave half of the largest array unused.
fn reserve_some<T>(array: &mut Vec<T>, more: usize) {
    if array.capacity() - array.len() < more {
        array.reserve_exact((array.len() / 8).max(more * 64));
    }
}
