//! What was said on the same day, whatever the conversation.

use std::collections::HashMap;

use crate::Doc;
use crate::table::{NONE, Table};

/// Stands for "no day" in the table's column.
pub(crate) const NO_DAY: i32 = i32::MIN;

/// One day's living documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Day {
    /// Ascending by number.
    pub(crate) docs: Vec<Doc>,
    /// Words of all of them.
    pub(crate) length: u64,
}

/// The days that documents belong to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Days {
    numbers: HashMap<i32, u32>,
    pub(crate) all: Vec<Day>,
    /// Each document's day by its number here, or [`NONE`].
    pub(crate) of: Vec<u32>,
    occupied: usize,
    words_total: u64,
}

impl Days {
    /// The days of a whole table.
    pub(crate) fn of_table(table: &Table) -> Self {
        let mut days = Self::default();
        table.alive.iter().for_each(|doc| days.insert(table, Doc::at(doc)));
        days.of.resize(table.len(), NONE);
        days
    }

    /// Enters a document that the table holds already.
    pub(crate) fn insert(&mut self, table: &Table, doc: Doc) {
        self.of.resize(doc.index() + 1, NONE);
        let day = table.day[doc.index()];
        if day == NO_DAY {
            return;
        }
        let number = *self.numbers.entry(day).or_insert(self.all.len() as u32);
        if number as usize == self.all.len() {
            self.all.push(Day::default());
        }
        self.of[doc.index()] = number;
        let words = u64::from(table.length[doc.index()]);
        let day = &mut self.all[number as usize];
        day.docs.push(doc);
        day.length += words;
        self.words_total += words;
        self.occupied += usize::from(day.docs.len() == 1);
    }

    /// Takes a document out.
    pub(crate) fn remove(&mut self, table: &Table, doc: Doc) {
        let Some(day) = self.all.get_mut(self.of[doc.index()] as usize) else { return };
        let Ok(place) = day.docs.binary_search(&doc) else { return };
        day.docs.remove(place);
        let words = u64::from(table.length[doc.index()]);
        day.length -= words;
        self.words_total -= words;
        self.occupied -= usize::from(day.docs.is_empty());
    }

    /// The day that has this number here.
    pub(crate) fn day(&self, number: u32) -> Option<i32> {
        self.numbers.iter().find(|(_, other)| **other == number).map(|(day, _)| *day)
    }

    /// A day's documents.
    pub(crate) fn docs(&self, day: i32) -> &[Doc] {
        self.numbers.get(&day).map_or(&[], |&number| &self.all[number as usize].docs)
    }

    /// How many days have at least one document.
    pub(crate) fn occupied(&self) -> usize {
        self.occupied
    }

    /// The average length of a day, in words; never zero.
    pub(crate) fn average_length(&self) -> f32 {
        (self.words_total as f32 / self.occupied.max(1) as f32).max(1e-3)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let day = |day: &Day| size_of::<Day>() + day.docs.capacity() * 4;
        self.of.capacity() * 4 + self.numbers.capacity() * 12 + self.all.iter().map(day).sum::<usize>()
    }
}
