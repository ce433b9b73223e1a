//! Which documents a walk has been to.
//!
//! A bit a document: of a hundred thousand they fit into the fastest cache, where a stamp a document would not. They
//! are cleared by the list of what was visited, which is short.

use std::cell::RefCell;

/// The documents of one walk, in the order in which they were first seen.
#[derive(Default)]
pub(crate) struct Visited {
    bits: Vec<u64>,
    seen: Vec<u32>,
}

thread_local! {
    static KEPT: RefCell<Option<Visited>> = const { RefCell::new(None) };
}

impl Visited {
    /// The thread's set, with nothing visited.
    pub(crate) fn take(documents: usize) -> Self {
        let mut visited = KEPT.with_borrow_mut(Option::take).unwrap_or_default();
        let words = documents.div_ceil(64);
        if visited.bits.len() < words {
            visited.bits.resize(words, 0);
        }
        visited
    }

    /// Notes a visit, if it is the first.
    #[inline]
    pub(crate) fn enter(&mut self, doc: u32) {
        let (word, bit) = (&mut self.bits[doc as usize / 64], 1 << (doc % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.seen.push(doc);
        }
    }

    /// How many were visited.
    pub(crate) fn count(&self) -> usize {
        self.seen.len()
    }

    /// Those that were visited after so many.
    pub(crate) fn after(&self, count: usize) -> &[u32] {
        &self.seen[count..]
    }

    /// Keeps the set for the thread's next walk.
    pub(crate) fn give_back(mut self) {
        for doc in self.seen.drain(..) {
            self.bits[doc as usize / 64] = 0;
        }
        KEPT.set(Some(self));
    }
}
