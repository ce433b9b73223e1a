//! Finding what lies near a query's vector.

use crate::best::Best;
use crate::codes::{CodedQuery, Quantiser};
use crate::kernel::ROUGH_TOGETHER;
use crate::probe::{Probe, ROWS_AHEAD};
use crate::vectors::{Vectors, cosine_of_sum, unit};
use crate::{Doc, Index, Mask, VectorSettings, kernel};
use half::f16;

/// Reading a vector at a random place is taken to cost as much as comparing so many codes that lie side by side: three
/// nanoseconds each, all that a scan does besides included (`examples/vector_speed.rs`, 10,000 vectors of 256 numbers).
const CODES_PER_VECTOR: usize = 16;
/// What a walk takes for each document that it holds, in vectors read at a random place: half a microsecond, in which 160
/// codes are compared.
const VECTORS_PER_STEP: usize = 10;
/// How many candidates the codes must give for each wanted result, and at least; see `codes.rs` for the
/// recall that this reaches.
const CANDIDATES_PER_RESULT: usize = 3;
const CANDIDATES_MIN: usize = 64;
/// After a walk with an effort that is told, half of what it held is compared exactly, and at least this and twice the
/// wanted results: of the ten nearest of 10,000 vectors .999 were among the best 24 by code.
const COMPARED_MORE: usize = 12;
/// Codes compared at a time: as many as a word of the mask has bits.
const BLOCK: usize = 64;
/// Scores looked at together.
const PART: usize = 16;
/// Rough codes are compared first where there are at least so many documents.
const ROUGH_FROM: usize = 4096;
/// By rough code, so many times as many pass as are compared exactly, and at least this.
const ROUGH_PER_COMPARED: usize = 8;
const ROUGH_MIN: usize = 384;
/// One in so many documents is looked at to learn which rough score lets so many pass.
const SAMPLE_EVERY: usize = 32;

/// How a query's cosines with the namespace are spread.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SimilarityStats {
    /// The mean of the sampled cosines.
    pub mean: f32,
    /// Their standard deviation.
    pub deviation: f32,
    /// How many were sampled.
    pub count: usize,
}

/// How hard a search looks: finding less takes less time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effort {
    /// As [`VectorSettings`](crate::VectorSettings) say: what recall uses, since a memory that is not found is worse than
    /// a tenth of a millisecond.
    #[default]
    Usual,
    /// So many candidates are weighed, and at least as many as results are wanted.
    Candidates(usize),
}

/// The ways to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    /// Compare all vectors of the mask.
    Exact,
    /// Compare all codes, then the vectors of the best.
    Codes,
    /// Walk the graph, and compare the codes of what it does not cover yet.
    Graph,
}

impl Effort {
    /// How many documents are held on a walk over the graph.
    fn held(self, settings: &VectorSettings, k: usize) -> usize {
        match self {
            Self::Usual => settings.ef_search.max(k.saturating_mul(2)),
            Self::Candidates(count) => count.max(k),
        }
    }

    /// How many of the best by code are compared exactly after all codes were compared.
    fn compared(self, k: usize) -> usize {
        match self {
            Self::Usual => k.saturating_mul(CANDIDATES_PER_RESULT).max(CANDIDATES_MIN),
            Self::Candidates(count) => count.max(k),
        }
    }

    /// How many are compared exactly after a walk that held so many.
    fn compared_of(self, held: usize, k: usize) -> usize {
        match self {
            Self::Usual => self.compared(k),
            Self::Candidates(_) => (held / 2).max(k.saturating_mul(2).saturating_add(COMPARED_MORE)),
        }
    }
}

/// All codes of a mask from a document on, and a query to compare them with.
struct CodeScan<'a> {
    vectors: &'a Vectors,
    quantiser: &'a Quantiser,
    query: &'a [f32],
    mask: &'a Mask,
    start: usize,
}

impl CodeScan<'_> {
    /// The best by code. Where there are many, the rough codes say first which are worth it.
    fn best(&self, wanted: usize) -> Best<i32> {
        let coded = self.quantiser.query(self.query);
        match self.pass(wanted) {
            Some(passed) => self.best_of(&coded, &passed, wanted),
            None => self.best_of_all(&coded, wanted),
        }
    }

    fn best_of(&self, coded: &CodedQuery, docs: &[u32], wanted: usize) -> Best<i32> {
        let mut best = Best::new(wanted);
        let mut scores = [0; BLOCK];
        for docs in docs.chunks(BLOCK) {
            let scores = &mut scores[..docs.len()];
            coded.scores_at(&self.vectors.codes, docs, scores);
            docs.iter().zip(scores).for_each(|(&doc, score)| best.push(*score, doc as usize));
        }
        best
    }

    fn best_of_all(&self, coded: &CodedQuery, wanted: usize) -> Best<i32> {
        let mut best = Best::new(wanted);
        let mut scores = [0; BLOCK];
        let (count, bytes) = (self.vectors.len(), self.quantiser.code_bytes());
        for word in self.start / BLOCK..count.div_ceil(BLOCK) {
            let (from, wanted) = (word * BLOCK, self.wanted(word));
            if wanted == 0 {
                continue;
            }
            let scores = &mut scores[..BLOCK.min(count - from)];
            coded.scores(&self.vectors.codes[from * bytes..], scores);
            for (at, part) in scores.chunks(PART).enumerate() {
                if !best.refuses(most(part)) {
                    let bits = wanted >> (at * PART) & ((1 << PART) - 1);
                    each(bits, |place| best.push(part[place], from + at * PART + place));
                }
            }
        }
        best
    }

    /// Those that are good enough by rough code; None if there are too few documents for that, or too few passed.
    fn pass(&self, wanted: usize) -> Option<Vec<u32>> {
        if self.vectors.len() - self.start < ROUGH_FROM || self.vectors.rough.is_empty() {
            return None;
        }
        let first = self.start / BLOCK * BLOCK;
        let bytes = self.quantiser.code_bytes() / 2;
        let mut scores = vec![0; (self.vectors.len() - first).next_multiple_of(ROUGH_TOGETHER)];
        self.quantiser.rough_query(self.query).scores(&self.vectors.rough[first * bytes..], &mut scores);
        let bar = self.bar(&scores, first, wanted)?;
        let mut passed = Vec::with_capacity(wanted.saturating_mul(2 * ROUGH_PER_COMPARED).max(2 * ROUGH_MIN));
        let (blocks, _) = scores.as_chunks::<ROUGH_TOGETHER>();
        for (scores, from) in blocks.iter().zip((first..).step_by(ROUGH_TOGETHER)) {
            let good = u64::from(kernel::at_least(scores, bar));
            if good != 0 {
                let wanted = self.wanted(from / BLOCK) >> (from % BLOCK);
                each(good & wanted, |place| passed.push((from + place) as u32));
            }
        }
        (passed.len() >= wanted).then_some(passed)
    }

    /// The rough score that lets about as many pass as should, learned from a sample; None if that holds too few.
    fn bar(&self, scores: &[i16], first: usize, wanted: usize) -> Option<i16> {
        let rank = wanted.saturating_mul(ROUGH_PER_COMPARED).max(ROUGH_MIN).div_ceil(SAMPLE_EVERY);
        let docs = (self.start..self.vectors.len()).step_by(SAMPLE_EVERY);
        let known = docs.filter(|&doc| self.mask.bits.get(doc) && self.vectors.present.get(doc));
        let mut sample: Vec<i16> = known.map(|doc| scores[doc - first]).collect();
        if sample.len() < rank {
            return None;
        }
        let (_, bar, _) = sample.select_nth_unstable_by(rank - 1, |a, b| b.cmp(a));
        Some(*bar)
    }

    /// Which documents of a block are wanted.
    fn wanted(&self, word: usize) -> u64 {
        let within = |words: &[u64]| words.get(word).copied().unwrap_or(0);
        let wanted = within(self.mask.bits.words()) & within(self.vectors.present.words());
        wanted & (u64::MAX << self.start.saturating_sub(word * BLOCK).min(BLOCK - 1))
    }
}

/// The highest score of a part: most parts hold nothing that is good enough, and one look tells.
#[inline]
fn most<S: Copy + Ord>(part: &[S]) -> S {
    let first = part[0];
    part.iter().fold(first, |best, &score| best.max(score))
}

/// Visits the bits that are set.
#[inline]
fn each(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

impl Index {
    /// The `k` documents of the mask whose vectors are nearest to the query, with their cosines, best first.
    /// A query of another dimension, without length or with a value that is not finite finds nothing.
    pub fn nearest(&self, query: &[f32], mask: &Mask, k: usize) -> Vec<(Doc, f32)> {
        self.nearest_with(query, mask, k, Effort::Usual)
    }

    /// The same, looking as hard as told.
    pub fn nearest_with(&self, query: &[f32], mask: &Mask, k: usize, effort: Effort) -> Vec<(Doc, f32)> {
        let Some(query) = unit(query, self.vectors.dimensions) else { return Vec::new() };
        let k = k.min(mask.count());
        if k == 0 {
            return Vec::new();
        }
        let mut best = Best::new(k);
        match self.plan(mask, k, effort) {
            Plan::Exact => self.scan_exactly(&query, mask, &mut best),
            Plan::Codes => self.scan_codes(&query, mask, effort.compared(k), 0, &mut best),
            Plan::Graph => {
                self.walk_graph(&query, mask, k, effort, &mut best);
                self.scan_codes(&query, mask, effort.compared(k), self.graph.covered, &mut best);
            }
        }
        best.finish()
    }

    /// Chooses the cheapest way by how many vectors it would read. The walk is charged for the documents it
    /// passes without being allowed to keep them, so that selective masks are scanned.
    fn plan(&self, mask: &Mask, k: usize, effort: Effort) -> Plan {
        let documents = self.vectors.len();
        let exact = mask.count();
        if self.vectors.quantiser.is_none() {
            return Plan::Exact;
        }
        let compared = effort.compared(k);
        let codes = documents / CODES_PER_VECTOR + compared;
        let uncovered = documents - self.graph.covered;
        let tail = uncovered / CODES_PER_VECTOR + compared.min(uncovered);
        let passed = effort.held(&self.settings, k).saturating_mul(documents) / exact.max(1);
        let graph = tail + passed * VECTORS_PER_STEP;
        if self.graph.entry.is_some() && graph < exact.min(codes) {
            Plan::Graph
        } else if exact <= codes {
            Plan::Exact
        } else {
            Plan::Codes
        }
    }

    fn walk_graph(&self, query: &[f32], mask: &Mask, k: usize, effort: Effort, best: &mut Best<f32>) {
        let (probe, held) = (Probe::new(&self.vectors, query), effort.held(&self.settings, k));
        let compared = effort.compared_of(held, k);
        for near in self.graph.search(&probe, held, compared, |doc| mask.bits.get(doc as usize)) {
            best.push(near.cosine, near.doc as usize);
        }
    }

    /// Compares every vector of the mask.
    fn scan_exactly(&self, query: &[f32], mask: &Mask, best: &mut Best<f32>) {
        let vectors = &self.vectors;
        for doc in mask.bits.iter().filter(|&doc| vectors.present.get(doc)) {
            best.push(kernel::dot(query, vectors.row(doc)), doc);
        }
    }

    /// Compares every code from a document on, then the vectors of the best codes of the mask.
    fn scan_codes(&self, query: &[f32], mask: &Mask, compared: usize, start: usize, best: &mut Best<f32>) {
        let vectors = &self.vectors;
        if start >= vectors.len() {
            return;
        }
        let Some(quantiser) = &vectors.quantiser else { return };
        let scan = CodeScan { vectors, quantiser, query, mask, start };
        let candidates = scan.best(compared).finish();
        candidates.iter().take(ROWS_AHEAD).for_each(|(doc, _)| kernel::prefetch(vectors.row(doc.index())));
        for (at, (doc, _)) in candidates.iter().enumerate() {
            if let Some((later, _)) = candidates.get(at + ROWS_AHEAD) {
                kernel::prefetch(vectors.row(later.index()));
            }
            best.push(kernel::dot(query, vectors.row(doc.index())), doc.index());
        }
    }

    /// The cosine of a query and a document, if the document has a vector.
    pub fn cosine(&self, query: &[f32], doc: Doc) -> Option<f32> {
        self.vectors.dot(&unit(query, self.vectors.dimensions)?, doc)
    }

    /// The product of any vector of the right dimension with a document's vector, if it has one. For a vector
    /// of length one this is the cosine.
    pub fn dot(&self, vector: &[f32], doc: Doc) -> Option<f32> {
        self.vectors.dot(vector, doc).filter(|_| vector.len() == self.vectors.dimensions)
    }

    /// A document's vector, of length one; None if it has none.
    pub fn vector(&self, doc: Doc) -> Option<Vec<f32>> {
        let known = doc.index() < self.vectors.len() && self.vectors.present.get(doc.index());
        known.then(|| {
            self.vectors.row(doc.index()).iter().map(|bits| f16::from_bits(*bits).to_f32()).collect()
        })
    }

    /// The mean of all vectors, drawn towards zero as if there were `prior` further vectors of no length; None
    /// if there is no vector.
    pub fn mean_vector(&self, prior: f32) -> Option<Vec<f32>> {
        if let Some(census) = &self.census {
            let known = census.vectors > 0 && census.vector_sum.len() == self.vectors.dimensions;
            let scale = 1.0 / (census.vectors as f64 + f64::from(prior));
            return known.then(|| census.vector_sum.iter().map(|sum| (sum * scale) as f32).collect());
        }
        let words = self.vectors.present.words().iter().zip(self.table.alive.words());
        let count: u32 = words.map(|(present, alive)| (present & alive).count_ones()).sum();
        let scale = 1.0 / (f64::from(count) + f64::from(prior));
        (count > 0).then(|| self.vectors.sum.iter().map(|sum| (sum * scale) as f32).collect())
    }

    /// The cosine of a query and the sum of the vectors of a document and so many of its conversation before
    /// and after it; None if none of them has a vector.
    pub fn window_cosine(&self, query: &[f32], doc: Doc, before: usize, after: usize) -> Option<f32> {
        let members = self.window(doc, before, after);
        let present = |doc: &&Doc| self.vectors.present.get(doc.index());
        let rows: Vec<&[u16]> =
            members.iter().filter(present).map(|doc| self.vectors.row(doc.index())).collect();
        if rows.is_empty() || query.len() != self.vectors.dimensions {
            return None;
        }
        // All rows have length one, so that the square of their sum is their number and twice the products.
        let mut square = rows.len() as f32;
        for (at, row) in rows.iter().enumerate() {
            square += 2.0 * rows[..at].iter().map(|other| kernel::dot_halves(row, other)).sum::<f32>();
        }
        let dot: f32 = rows.iter().map(|row| kernel::dot(query, row)).sum();
        let length = query.iter().map(|value| value * value).sum::<f32>().sqrt();
        let scale = square.max(0.0).sqrt() * length;
        Some(if scale > 1e-6 { dot / scale } else { 0.0 })
    }

    /// The cosine of a query and the sum of the vectors of a document's whole conversation; a document
    /// without a conversation stands for itself.
    pub fn session_cosine(&self, query: &[f32], doc: Doc) -> Option<f32> {
        let query = unit(query, self.vectors.dimensions)?;
        match self.sessions.of(&self.table, doc) {
            Some(session) => Some(session.with_sum(&self.vectors, |sum| cosine_of_sum(&query, sum))),
            None => self.vectors.dot(&query, doc),
        }
    }

    /// Mean and spread of a query's cosines with at most `sample` documents, taken evenly over the
    /// namespace. A near document stands out by how many deviations it lies above the mean.
    pub fn similarity_stats(&self, query: &[f32], sample: usize) -> SimilarityStats {
        let Some(query) = unit(query, self.vectors.dimensions) else { return SimilarityStats::default() };
        let documents = self.vectors.len();
        let picks = (0..sample.min(documents)).map(|pick| pick * documents / sample.min(documents));
        let cosines: Vec<f32> = picks
            .filter(|&doc| self.table.alive.get(doc))
            .filter_map(|doc| self.vectors.dot(&query, Doc::at(doc)))
            .collect();
        let count = cosines.len();
        let mean = cosines.iter().sum::<f32>() / count.max(1) as f32;
        let variance =
            cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f32>() / count.max(1) as f32;
        SimilarityStats { mean, deviation: variance.sqrt(), count }
    }
}
