//! What a walk over the graph compares documents with.

use crate::codes::CodedQuery;
use crate::graph::Near;
use crate::kernel;
use crate::vectors::Vectors;

/// A query ready for many comparisons. A walk compares codes where there are any: a code is a quarter of a
/// vector's bytes, and a walk waits for memory more than it computes. What it finds is then compared exactly.
pub(crate) struct Probe<'a> {
    vectors: &'a Vectors,
    query: &'a [f32],
    coded: Option<CodedQuery>,
}

/// Documents that are glanced at together: as many as one usually links to.
const GLANCES: usize = 32;
/// Vectors that are asked for before the first is compared: each is read from far away in memory.
pub(crate) const ROWS_AHEAD: usize = 4;

impl<'a> Probe<'a> {
    pub(crate) fn new(vectors: &'a Vectors, query: &'a [f32]) -> Self {
        Self { vectors, query, coded: vectors.quantiser.as_ref().map(|quantiser| quantiser.query(query)) }
    }

    /// How near documents seem, in their order. The numbers are good for comparing with others of the same probe
    /// only.
    pub(crate) fn glance(&self, docs: &[u32], scores: &mut Vec<f32>) {
        scores.clear();
        let Some(coded) = &self.coded else {
            docs.iter().for_each(|&doc| kernel::prefetch(self.vectors.row(doc as usize)));
            scores.extend(docs.iter().map(|&doc| self.look(doc).cosine));
            return;
        };
        let mut part = [0; GLANCES];
        for docs in docs.chunks(GLANCES) {
            let part = &mut part[..docs.len()];
            coded.scores_at(&self.vectors.codes, docs, part);
            scores.extend(part.iter().map(|&score| score as f32));
        }
    }

    /// How near a document is.
    pub(crate) fn look(&self, doc: u32) -> Near {
        Near { cosine: kernel::dot(self.query, self.vectors.row(doc as usize)), doc }
    }

    /// What was found at a glance, looked at and best first.
    pub(crate) fn look_at_all(&self, mut found: Vec<Near>) -> Vec<Near> {
        let row = |near: &Near| self.vectors.row(near.doc as usize);
        found.iter().take(ROWS_AHEAD).for_each(|near| kernel::prefetch(row(near)));
        for at in 0..found.len() {
            found.get(at + ROWS_AHEAD).into_iter().for_each(|near| kernel::prefetch(row(near)));
            found[at] = self.look(found[at].doc);
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }
}
