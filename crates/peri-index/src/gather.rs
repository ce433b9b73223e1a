//! One walk over the occurrences of a query's words.

use std::cell::RefCell;

use crate::census::TermCensus;
use crate::matches::{Matches, QueryTerm};
use crate::{Index, Mask};

/// Most words of one query; further ones are not looked up.
pub const TERMS_MAX: usize = 32;

/// When a query's words occur more often than this altogether, the commonest ones only add to documents
/// that rarer ones found. Such words say little, but would touch most of the namespace.
const OCCURRENCES_MAX: u64 = 100_000;

/// Most work areas a thread keeps for later queries.
const KEPT: usize = 2;

/// How often each query term occurs in each touched document.
#[derive(Default)]
pub(crate) struct Rows {
    /// Per document: 0, or one more than the number of its row. All 0 between queries.
    slots: Vec<u32>,
    /// The documents that have a row, in the order of rows.
    pub(crate) docs: Vec<u32>,
    /// The rows, one byte per term. Before the first lies one that nobody reads: documents without a row
    /// write there, so that the walk over common words has no branch. (No gain could be measured.)
    counts: Vec<u8>,
    /// Which terms a row holds, one bit each: most hold few, and scoring visits only those.
    present: Vec<u32>,
    pub(crate) width: usize,
}

thread_local! {
    /// Work areas of finished queries. Clearing one costs as much as the query touched, not as much as the
    /// namespace holds.
    static POOL: RefCell<Vec<Rows>> = const { RefCell::new(Vec::new()) };
}

impl Rows {
    fn take(documents: usize, width: usize) -> Self {
        let mut rows = POOL.with_borrow_mut(Vec::pop).unwrap_or_default();
        if rows.slots.len() < documents {
            rows.slots.resize(documents, 0);
        }
        rows.width = width;
        rows.counts.resize(width, 0);
        rows.present.push(0);
        rows
    }

    /// Clears the area and keeps it for the next query.
    pub(crate) fn give_back(mut self) {
        for &doc in &self.docs {
            self.slots[doc as usize] = 0;
        }
        self.docs.clear();
        self.counts.clear();
        self.present.clear();
        POOL.with_borrow_mut(|pool| {
            if pool.len() < KEPT {
                pool.push(self);
            }
        });
    }

    /// The row of a document, if a term touched it.
    #[inline]
    pub(crate) fn get(&self, doc: usize) -> Option<&[u8]> {
        let slot = *self.slots.get(doc)? as usize;
        (slot > 0).then(|| self.row(slot - 1))
    }

    /// The terms of the row with this number, by their place in the query, and how often each occurs.
    #[inline]
    pub(crate) fn terms(&self, number: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let row = self.row(number);
        let mut left = self.present[number + 1];
        std::iter::from_fn(move || {
            let term = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some((term, u32::from(row[term])))
        })
    }

    /// The row with this number.
    #[inline]
    pub(crate) fn row(&self, number: usize) -> &[u8] {
        &self.counts[(number + 1) * self.width..][..self.width]
    }

    #[inline]
    fn set(&mut self, doc: usize, term: usize, times: u8) {
        if self.slots[doc] == 0 {
            self.docs.push(doc as u32);
            self.counts.resize(self.counts.len() + self.width, 0);
            self.present.push(0);
            self.slots[doc] = self.docs.len() as u32;
        }
        self.set_touched(doc, term, times);
    }

    #[inline]
    fn set_touched(&mut self, doc: usize, term: usize, times: u8) {
        let row = self.slots[doc] as usize;
        self.counts[row * self.width + term] = times;
        self.present[row] |= 1 << term;
    }
}

impl Index {
    /// Looks up a query's analysed words (the first [`TERMS_MAX`] of them). What is found is ranked by the
    /// methods of [`Matches`]; they return documents of the mask only, but what surrounds those, such as the
    /// rest of a conversation, counts whether the mask holds it or not.
    pub fn gather(&self, terms: &[&str], mask: &Mask) -> Matches<'_> {
        let terms = &terms[..terms.len().min(TERMS_MAX)];
        let numbers: Vec<Option<u32>> = terms.iter().map(|term| self.lexicon.names.find(term)).collect();
        let occurrences =
            |at: usize| numbers[at].map_or(0, |number| u64::from(self.lexicon.terms[number as usize].count));
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by_key(|&at| occurrences(at));
        let mut rows = Rows::take(self.table.len(), terms.len());
        let mut found = vec![QueryTerm::default(); terms.len()];
        let mut walked = 0;
        for at in order {
            let Some(number) = numbers[at] else { continue };
            walked += occurrences(at);
            let add =
                if walked > OCCURRENCES_MAX && !rows.docs.is_empty() { Add::ToTouched } else { Add::All };
            found[at].documents = self.walk(number, at, add, &mut rows);
        }
        let census: Option<Vec<TermCensus>> = terms.iter().map(|term| self.census_of(term)).collect();
        for (found, whole) in found.iter_mut().zip(census.iter().flatten()) {
            found.documents = whole.documents;
        }
        let whole = census.map(|census| terms.iter().map(|term| (*term).to_owned()).zip(census).collect());
        Matches::new(self, mask.clone(), rows, found, whole)
    }

    /// Enters one term's occurrences into the rows; the number of living documents it occurs in.
    fn walk(&self, number: u32, at: usize, add: Add, rows: &mut Rows) -> u32 {
        let alive = &self.table.alive;
        let mut living = 0;
        self.lexicon.for_each(number, |doc, times| {
            let doc = doc as usize;
            if alive.get(doc) {
                living += 1;
                match add {
                    Add::All => rows.set(doc, at, times),
                    Add::ToTouched => rows.set_touched(doc, at, times),
                }
            }
        });
        living
    }

    /// The words of the namespace that share their first two characters with `beginning` and that `accept`
    /// takes, in the order they were first seen. Words of removed memories only are left out.
    pub fn similar_terms(&self, beginning: &str, accept: impl Fn(&str) -> bool) -> Vec<String> {
        if let Some(census) = &self.census {
            let begins_so = |known: &&String| known.chars().take(2).eq(beginning.chars().take(2));
            let known = census.similar.iter().filter(begins_so).filter(|known| accept(known.as_str()));
            return known.cloned().collect();
        }
        let alive = |doc: u32| self.table.alive.get(doc as usize);
        let candidates = self.lexicon.sharing_prefix(beginning).iter();
        let named = candidates.map(|&number| (number, self.lexicon.names.get(number)));
        named
            .filter(|&(number, name)| accept(name) && self.lexicon.occurs(number, alive))
            .map(|(_, name)| name.to_owned())
            .collect()
    }
}

/// Which documents a term's occurrences are entered for.
#[derive(Clone, Copy)]
enum Add {
    All,
    ToTouched,
}
