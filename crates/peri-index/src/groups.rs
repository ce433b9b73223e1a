//! A query's words added up over groups of documents: conversations, or days.

use std::collections::HashMap;

use crate::census::GroupTally;
use crate::gather::Rows;
use crate::matches::inverse_frequency;

/// The rows of a query's matches added up by group.
pub(crate) struct GroupRows {
    /// Per group: 0, or one more than the number of its row.
    slots: Vec<u32>,
    counts: Vec<u32>,
    width: usize,
    /// The words of groups that are known as a whole.
    words: HashMap<u32, u64>,
    /// How rare each term is among the groups; a word of every conversation tells none apart.
    pub(crate) idf: Vec<f32>,
}

impl GroupRows {
    /// Adds up the rows by `group_of` a document.
    pub(crate) fn add_up(rows: &Rows, width: usize, groups: usize, group_of: &[u32]) -> Self {
        let mut own = Self {
            slots: vec![0; groups],
            counts: Vec::new(),
            width,
            words: HashMap::new(),
            idf: Vec::new(),
        };
        for (number, &doc) in rows.docs.iter().enumerate() {
            let Some(slot) = own.slots.get_mut(group_of[doc as usize] as usize) else { continue };
            if *slot == 0 {
                own.counts.resize(own.counts.len() + width, 0);
                *slot = (own.counts.len() / width) as u32;
            }
            let sums = &mut own.counts[(*slot as usize - 1) * width..][..width];
            rows.terms(number).for_each(|(term, times)| sums[term] += times);
        }
        own
    }

    /// The rows of groups that are known as a whole; those of the others are added up.
    pub(crate) fn replaced<'a>(
        mut self,
        terms: &[&str],
        whole: impl Fn(u32) -> Option<&'a GroupTally>,
    ) -> Self {
        for group in 0..self.slots.len() {
            let Some(tally) = whole(group as u32) else { continue };
            self.words.insert(group as u32, tally.words);
            if self.slots[group] == 0 {
                self.counts.resize(self.counts.len() + self.width, 0);
                self.slots[group] = (self.counts.len() / self.width.max(1)) as u32;
            }
            let row = &mut self.counts[(self.slots[group] as usize - 1) * self.width..][..self.width];
            let count = |term: &&str| tally.counts.get(*term).copied().unwrap_or(0);
            row.iter_mut().zip(terms).for_each(|(times, term)| *times = (*times).max(count(term)));
        }
        self
    }

    /// The same with how rare each term is, where `occupied` groups hold anything at all, and so many of them each
    /// term if that is known of more groups than these.
    pub(crate) fn weighed(mut self, occupied: usize, whole: Option<Vec<u32>>) -> Self {
        let holding = whole.unwrap_or_else(|| self.holding());
        self.idf = holding.into_iter().map(|holding| inverse_frequency(occupied, holding)).collect();
        self
    }

    fn holding(&self) -> Vec<u32> {
        let mut holding = vec![0_u32; self.width];
        for row in self.counts.chunks_exact(self.width.max(1)) {
            holding.iter_mut().zip(row).for_each(|(holding, &times)| *holding += u32::from(times > 0));
        }
        holding
    }

    /// The words of a group of which so many are here.
    pub(crate) fn words(&self, group: u32, here: u64) -> f32 {
        self.words.get(&group).map_or(here, |whole| here.max(*whole)) as f32
    }

    /// How often each term occurs in a group; None if none does.
    pub(crate) fn counts(&self, group: u32) -> Option<&[u32]> {
        let slot = self.slots.get(group as usize).copied().filter(|&slot| slot > 0)? as usize;
        Some(&self.counts[(slot - 1) * self.width..][..self.width])
    }
}
