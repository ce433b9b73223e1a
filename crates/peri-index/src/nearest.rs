//! Finding what lies near a query's vector.

use crate::best::Best;
use crate::probe::Probe;
use crate::vectors::{cosine_of_sum, unit};
use crate::{Doc, Index, Mask, kernel};
use half::f16;

/// Reading a vector at a random place is taken to cost as much as comparing so many codes that lie side by
/// side: an estimate from their sizes and from ten nanoseconds a code, not a measurement of its own.
const CODES_PER_VECTOR: usize = 8;
/// How many candidates the codes must give for each wanted result, and at least; see `codes.rs` for the
/// recall that this reaches.
const CANDIDATES_PER_RESULT: usize = 3;
const CANDIDATES_MIN: usize = 200;
/// Codes compared at a time: as many as a word of the mask has bits.
const BLOCK: usize = 64;

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

fn candidates_for(k: usize) -> usize {
    k.saturating_mul(CANDIDATES_PER_RESULT).max(CANDIDATES_MIN)
}

impl Index {
    /// The `k` documents of the mask whose vectors are nearest to the query, with their cosines, best first.
    /// A query of another dimension, without length or with a value that is not finite finds nothing.
    pub fn nearest(&self, query: &[f32], mask: &Mask, k: usize) -> Vec<(Doc, f32)> {
        let Some(query) = unit(query, self.vectors.dimensions) else { return Vec::new() };
        let k = k.min(mask.count());
        if k == 0 {
            return Vec::new();
        }
        let mut best = Best::new(k);
        match self.plan(mask, k) {
            Plan::Exact => self.scan_exactly(&query, mask, &mut best),
            Plan::Codes => self.scan_codes(&query, mask, k, 0, &mut best),
            Plan::Graph => {
                self.walk_graph(&query, mask, k, &mut best);
                self.scan_codes(&query, mask, k, self.graph.covered, &mut best);
            }
        }
        best.finish()
    }

    /// Chooses the cheapest way by how many vectors it would read. The walk is charged for the documents it
    /// passes without being allowed to keep them, so that selective masks are scanned.
    fn plan(&self, mask: &Mask, k: usize) -> Plan {
        let documents = self.vectors.len();
        let exact = mask.count();
        if self.vectors.quantiser.is_none() {
            return Plan::Exact;
        }
        let rescored = candidates_for(k);
        let codes = documents / CODES_PER_VECTOR + rescored;
        let tail = (documents - self.graph.covered) / CODES_PER_VECTOR + rescored;
        let passed = self.ef(k) * documents / mask.count().max(1);
        let graph = tail + passed * self.graph.m;
        if self.graph.entry.is_some() && graph < exact.min(codes) {
            Plan::Graph
        } else if exact <= codes {
            Plan::Exact
        } else {
            Plan::Codes
        }
    }

    fn ef(&self, k: usize) -> usize {
        self.settings.ef_search.max(k.saturating_mul(2))
    }

    fn walk_graph(&self, query: &[f32], mask: &Mask, k: usize, best: &mut Best<f32>) {
        let accept = |doc: u32| mask.bits.get(doc as usize);
        for near in self.graph.search(&Probe::new(&self.vectors, query), self.ef(k), accept) {
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
    fn scan_codes(&self, query: &[f32], mask: &Mask, k: usize, start: usize, best: &mut Best<f32>) {
        let vectors = &self.vectors;
        let Some(quantiser) = &vectors.quantiser else { return };
        let (coded, bytes) = (quantiser.query(query), quantiser.code_bytes());
        let mut candidates = Best::new(candidates_for(k));
        let mut scores = [0; BLOCK];
        for word in start / BLOCK..vectors.len().div_ceil(BLOCK) {
            let from = word * BLOCK;
            let within = |words: &[u64]| words.get(word).copied().unwrap_or(0);
            let mut wanted = within(mask.bits.words()) & within(vectors.present.words());
            if from < start {
                wanted &= u64::MAX << (start - from);
            }
            if wanted == 0 {
                continue;
            }
            let scores = &mut scores[..BLOCK.min(vectors.len() - from)];
            coded.scores(&vectors.codes[from * bytes..], scores);
            while wanted != 0 {
                let at = wanted.trailing_zeros() as usize;
                candidates.push(scores[at], from + at);
                wanted &= wanted - 1;
            }
        }
        for (doc, _) in candidates.finish() {
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
