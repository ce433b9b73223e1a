//! Byte-pair merging of one piece: of all neighbours that form a token, the one of the lowest rank first, and of equal
//! ranks the leftmost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::rank;

/// Merges pieces one after the other; what it needs for one is used again for the next.
#[derive(Default)]
pub(crate) struct Merger {
    /// For the part that begins at a byte: where it ends, and where the part before it begins.
    end: Vec<usize>,
    before: Vec<usize>,
    /// Rank, beginning, middle and end of pairs that would form a token; some are out of date.
    pairs: BinaryHeap<Reverse<(u32, usize, usize, usize)>>,
}

impl Merger {
    /// The number of tokens of a piece.
    pub(crate) fn count(&mut self, piece: &[u8]) -> usize {
        let mut count = 0;
        self.ends(piece, |_| count += 1);
        count
    }

    /// Tells where each token of a piece ends.
    pub(crate) fn ends(&mut self, piece: &[u8], mut tell: impl FnMut(usize)) {
        if rank(piece).is_some() {
            return tell(piece.len());
        }
        self.merge(piece);
        let mut at = 0;
        while at < piece.len() {
            at = self.end[at];
            tell(at);
        }
    }

    /// Time grows with the length times its logarithm, so that a megabyte of one letter is no trap.
    fn merge(&mut self, piece: &[u8]) {
        self.end.clear();
        self.end.extend(1..=piece.len());
        self.before.clear();
        self.before.extend((0..piece.len()).map(|at| at.saturating_sub(1)));
        self.pairs.clear();
        for start in 0..piece.len().saturating_sub(1) {
            self.consider(piece, start);
        }
        while let Some(Reverse((_, start, middle, end))) = self.pairs.pop() {
            // A part that was swallowed ends nowhere; one that has grown ends elsewhere.
            if self.end[start] != middle || self.end[middle] != end {
                continue;
            }
            self.end[start] = end;
            self.end[middle] = 0;
            if end < piece.len() {
                self.before[end] = start;
                self.consider(piece, start);
            }
            if start > 0 {
                self.consider(piece, self.before[start]);
            }
        }
    }

    /// Remembers the part at `start` and its right neighbour if they form a token together.
    fn consider(&mut self, piece: &[u8], start: usize) {
        let middle = self.end[start];
        if middle >= piece.len() {
            return;
        }
        let end = self.end[middle];
        if let Some(rank) = rank(&piece[start..end]) {
            self.pairs.push(Reverse((rank, start, middle, end)));
        }
    }
}
