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
    code_bytes: usize,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(vectors: &'a Vectors, query: &'a [f32]) -> Self {
        let quantiser = vectors.quantiser.as_ref();
        let code_bytes = quantiser.map_or(0, |quantiser| quantiser.code_bytes());
        Self { vectors, query, coded: quantiser.map(|quantiser| quantiser.query(query)), code_bytes }
    }

    /// How near a document seems. The number is good for comparing with others of the same probe only.
    #[inline]
    pub(crate) fn glance(&self, doc: u32) -> Near {
        let Some(coded) = &self.coded else { return self.look(doc) };
        let mut score = [0];
        coded.scores(&self.vectors.codes[doc as usize * self.code_bytes..], &mut score);
        Near { cosine: score[0] as f32, doc }
    }

    /// How near a document is.
    pub(crate) fn look(&self, doc: u32) -> Near {
        Near { cosine: kernel::dot(self.query, self.vectors.row(doc as usize)), doc }
    }

    /// Asks for what [`Probe::glance`] will read.
    #[inline]
    pub(crate) fn prefetch(&self, doc: u32) {
        let doc = doc as usize;
        match self.coded {
            Some(_) => kernel::prefetch(&self.vectors.codes[doc * self.code_bytes..][..self.code_bytes]),
            None => kernel::prefetch(self.vectors.row(doc)),
        }
    }

    /// What was found at a glance, looked at and best first.
    pub(crate) fn look_at_all(&self, mut found: Vec<Near>) -> Vec<Near> {
        found.iter().for_each(|near| kernel::prefetch(self.vectors.row(near.doc as usize)));
        found.iter_mut().for_each(|near| *near = self.look(near.doc));
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }
}
