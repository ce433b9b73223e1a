//! Records of one type, in the order in which they came, each key once.

use std::collections::HashMap;

use super::entry::{Entry, Record};

/// Records of one type. Putting a record whose key is there replaces the former one in its place.
#[derive(Debug, Clone)]
pub struct Shelf<T> {
    entries: Vec<Entry<T>>,
    places: HashMap<String, usize>,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: HashMap::new() }
    }
}

impl<T: PartialEq> PartialEq for Shelf<T> {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl<T> Shelf<T> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All of them, oldest first.
    pub fn entries(&self) -> &[Entry<T>] {
        &self.entries
    }

    /// The records alone, oldest first.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &T> {
        self.entries.iter().map(|entry| &entry.record)
    }
}

impl<T: Record> Shelf<T> {
    /// The one with this key.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.places.get(key).map(|place| &self.entries[*place].record)
    }

    /// Puts one in; gives back the one it replaces.
    pub fn put(&mut self, entry: Entry<T>) -> Option<Entry<T>> {
        let key = entry.record.key().into_owned();
        match self.places.get(&key) {
            Some(place) => Some(std::mem::replace(&mut self.entries[*place], entry)),
            None => {
                self.places.insert(key, self.entries.len());
                self.entries.push(entry);
                None
            }
        }
    }

    /// Puts a record in; unknown fields of the one it replaces stay.
    pub fn put_record(&mut self, record: T) {
        let key = record.key().into_owned();
        match self.places.get(&key) {
            Some(place) => self.entries[*place].record = record,
            None => drop(self.put(Entry::new(record))),
        }
    }
}
