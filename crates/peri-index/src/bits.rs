//! Sets of documents as one bit each, and the masks that searches take.

use std::sync::Arc;

use crate::Doc;

/// A growing set of small numbers that knows how many it holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    len: usize,
    ones: usize,
}

impl Bits {
    /// A set over `len` numbers that holds none of them.
    pub(crate) fn empty(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len, ones: 0 }
    }

    /// A set read back from its words; bits past `len` are dropped. None if the number of words is wrong.
    pub(crate) fn from_words(mut words: Vec<u64>, len: usize) -> Option<Self> {
        if words.len() != len.div_ceil(64) {
            return None;
        }
        if let (Some(last), 1..) = (words.last_mut(), len % 64) {
            *last &= (1 << (len % 64)) - 1;
        }
        let ones = words.iter().map(|word| word.count_ones() as usize).sum();
        Some(Self { words, len, ones })
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many numbers the set ranges over, held or not.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many numbers it holds.
    pub(crate) fn ones(&self) -> usize {
        self.ones
    }

    pub(crate) fn push(&mut self, held: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.len += 1;
        if held {
            self.insert(self.len - 1);
        }
    }

    /// Whether it holds `at`; numbers out of range are simply not held.
    pub(crate) fn get(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    pub(crate) fn insert(&mut self, at: usize) {
        let bit = 1 << (at % 64);
        if at < self.len && self.words[at / 64] & bit == 0 {
            self.words[at / 64] |= bit;
            self.ones += 1;
        }
    }

    pub(crate) fn remove(&mut self, at: usize) {
        let bit = 1 << (at % 64);
        if at < self.len && self.words[at / 64] & bit != 0 {
            self.words[at / 64] &= !bit;
            self.ones -= 1;
        }
    }

    /// The numbers it holds, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors((word != 0).then_some(word), |rest| {
                let rest = rest & (rest - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |rest| at * 64 + rest.trailing_zeros() as usize)
        })
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

/// The documents that a search may return. It belongs to the state of the index it was made from: after a
/// change, documents added since are not in it.
#[derive(Debug, Clone)]
pub struct Mask {
    pub(crate) bits: Arc<Bits>,
}

impl Mask {
    pub(crate) fn new(bits: Bits) -> Self {
        Self { bits: Arc::new(bits) }
    }

    /// A mask of exactly these documents, for callers who know them already.
    pub fn of(docs: impl IntoIterator<Item = Doc>) -> Self {
        let mut docs: Vec<usize> = docs.into_iter().map(Doc::index).collect();
        docs.sort_unstable();
        let mut bits = Bits::empty(docs.last().map_or(0, |last| last + 1));
        docs.into_iter().for_each(|doc| bits.insert(doc));
        Self::new(bits)
    }

    /// How many documents it lets through.
    pub fn count(&self) -> usize {
        self.bits.ones()
    }

    /// Whether it lets nothing through.
    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Whether it lets this document through.
    pub fn contains(&self, doc: Doc) -> bool {
        self.bits.get(doc.index())
    }

    /// The documents it lets through, in the order they were added to the index.
    pub fn iter(&self) -> impl Iterator<Item = Doc> + '_ {
        self.bits.iter().map(Doc::at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_counts_what_it_holds() {
        let mut bits = Bits::default();
        (0..200).for_each(|n| bits.push(n % 3 == 0));
        bits.remove(3);
        bits.remove(3);
        bits.insert(4);
        bits.insert(999);
        let held: Vec<_> = bits.iter().collect();
        assert_eq!(held.len(), bits.ones());
        assert_eq!(held[..4], [0, 4, 6, 9]);
        assert!(bits.get(198) && !bits.get(3) && !bits.get(100_000));
        assert_eq!(Bits::from_words(bits.words().to_vec(), 200), Some(bits));
        assert_eq!(Bits::from_words(vec![u64::MAX], 3).map(|bits| bits.ones()), Some(3));
        assert_eq!(Bits::from_words(vec![0; 2], 3), None);
    }
}
