//! Keeps the best few of many scored documents.

use std::cmp::Ordering;

use crate::Doc;

/// Collects candidates and, whenever it holds twice as many as wanted, drops the worse half. Most of a long
/// scan is then refused by one comparison.
pub(crate) struct Best<S> {
    wanted: usize,
    held: Vec<(S, u32)>,
    /// What a candidate must reach once enough are held.
    bar: Option<S>,
}

impl<S: Score> Best<S> {
    pub(crate) fn new(wanted: usize) -> Self {
        Self { wanted, held: Vec::new(), bar: None }
    }

    #[inline]
    pub(crate) fn push(&mut self, score: S, doc: usize) {
        if self.bar.is_none_or(|bar| score >= bar) && self.wanted > 0 {
            self.held.push((score, doc as u32));
            if self.held.len() >= self.wanted * 2 + 64 {
                self.cut();
            }
        }
    }

    /// Whether nothing with such a score, or a lower one, is taken any more.
    #[inline]
    pub(crate) fn refuses(&self, score: S) -> bool {
        self.bar.is_some_and(|bar| score < bar)
    }

    /// The best, best first; equal scores in the order the documents were added to the index.
    pub(crate) fn finish(mut self) -> Vec<(Doc, S)> {
        if self.held.len() > self.wanted {
            self.cut();
        }
        self.held.sort_unstable_by(better);
        self.held.into_iter().map(|(score, doc)| (Doc(doc), score)).collect()
    }

    fn cut(&mut self) {
        let (_, worst, _) = self.held.select_nth_unstable_by(self.wanted - 1, better);
        self.bar = Some(worst.0);
        self.held.truncate(self.wanted);
    }
}

/// A number that documents are ordered by. The order is total even for NaN, which a damaged vector could
/// bring about: sorting by a partial order may panic.
pub(crate) trait Score: Copy + PartialOrd {
    fn order(&self, other: &Self) -> Ordering;
}

impl Score for f32 {
    fn order(&self, other: &Self) -> Ordering {
        self.total_cmp(other)
    }
}

impl Score for i32 {
    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// Higher scores first, then lower numbers.
fn better<S: Score>(a: &(S, u32), b: &(S, u32)) -> Ordering {
    b.0.order(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_ties_keep_their_order() {
        let mut best = Best::new(70);
        (0..5000_i32).for_each(|doc| best.push((doc * 37) % 50, doc as usize));
        let found = best.finish();
        assert_eq!(found.len(), 70);
        assert!(found.iter().all(|&(_, score)| score == 49));
        assert!(found.is_sorted());
        assert!(Best::<i32>::new(0).finish().is_empty());
    }
}
