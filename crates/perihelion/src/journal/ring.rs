//! The latest entries in memory, and all that the store does not hold yet.
//!
//! What the store has confirmed is kept up to a number, for when it cannot be read. What it has not confirmed is never
//! pushed out by others: it is the only place where this process sees it.

use std::collections::{BTreeMap, HashMap, HashSet};

use peri_types::{EntryId, JournalEntry, JournalPosition, Namespace, Scope, Timestamp};

/// At most so many queued entries are seen before they reach the store: about a day of a busy agent.
const WAITING_MAX: usize = 100_000;

/// Where an entry is besides here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Nowhere yet: it is being written.
    UnderWay = 0,
    /// In the store.
    Stored,
    /// On this machine's disk, waiting for the store.
    Queued,
}

/// What tells entries apart: ids are given by callers, who know nothing of each other's namespaces.
pub(super) type Key = (Namespace, EntryId);

pub(super) fn key(entry: &JournalEntry) -> Key {
    (entry.namespace.clone(), entry.id)
}

/// The keys of entries.
pub(super) fn keys(entries: &[JournalEntry]) -> impl Iterator<Item = Key> {
    entries.iter().map(key)
}

struct Slot {
    entry: JournalEntry,
    place: Place,
}

/// The entries, by time and then by id.
pub(crate) struct Ring {
    capacity: usize,
    slots: BTreeMap<(JournalPosition, Namespace), Slot>,
    positions: HashMap<Key, JournalPosition>,
    /// How many are in each place.
    counts: [usize; 3],
    /// Whether queued entries had to leave, so that a reader cannot see them until they reach the store.
    crowded: bool,
}

impl Ring {
    pub(super) fn new(capacity: usize) -> Self {
        let (slots, positions) = (BTreeMap::new(), HashMap::new());
        Self { capacity, slots, positions, counts: [0; 3], crowded: false }
    }

    /// Takes entries that are about to be written. One whose id is here already stays as it is.
    pub(super) fn begin(&mut self, entries: &[JournalEntry]) {
        for entry in entries {
            if self.positions.contains_key(&key(entry)) {
                continue;
            }
            self.positions.insert(key(entry), entry.position());
            let slot = Slot { entry: entry.clone(), place: Place::UnderWay };
            self.slots.insert((entry.position(), entry.namespace.clone()), slot);
            self.counts[Place::UnderWay as usize] += 1;
        }
    }

    /// Notes where entries are now.
    pub(super) fn settle(&mut self, keys: impl IntoIterator<Item = Key>, place: Place) {
        for key in keys {
            let Some(position) = self.positions.get(&key) else { continue };
            let Some(slot) = self.slots.get_mut(&(*position, key.0)) else { continue };
            let before = std::mem::replace(&mut slot.place, place);
            self.counts[before as usize] -= 1;
            self.counts[place as usize] += 1;
        }
        self.make_room();
    }

    /// Takes out entries whose write failed. One that was here before it, stored or queued, stays.
    pub(super) fn take_back(&mut self, keys: impl IntoIterator<Item = Key>) {
        let under_way = |(namespace, id): &Key| {
            let position = self.positions.get(&(namespace.clone(), *id));
            let slot = position.and_then(|position| self.slots.get(&(*position, namespace.clone())));
            slot.is_some_and(|slot| slot.place == Place::UnderWay)
        };
        let refused: Vec<Key> = keys.into_iter().filter(under_way).collect();
        self.remove(refused);
    }

    /// Takes entries out.
    pub(super) fn remove(&mut self, keys: impl IntoIterator<Item = Key>) {
        for key in keys {
            let Some(position) = self.positions.remove(&key) else { continue };
            if let Some(slot) = self.slots.remove(&(position, key.0)) {
                self.counts[slot.place as usize] -= 1;
            }
        }
    }

    /// Takes out what is stored and happened before a time.
    pub(super) fn drop_before(&mut self, scope: &Scope, before: Timestamp) {
        let old = |slot: &&Slot| {
            slot.place == Place::Stored && slot.entry.at < before && scope.contains(&slot.entry.namespace)
        };
        let old: Vec<Key> = self.slots.values().filter(old).map(|slot| key(&slot.entry)).collect();
        self.remove(old);
    }

    /// What the store may not hold, the latest first.
    pub(super) fn waiting<'a>(
        &'a self,
        asked: impl Fn(&JournalEntry) -> bool + 'a,
    ) -> impl Iterator<Item = &'a JournalEntry> {
        let waits = |slot: &&Slot| slot.place != Place::Stored;
        self.slots.values().rev().filter(waits).map(|slot| &slot.entry).filter(move |entry| asked(entry))
    }

    /// Everything here, the latest first.
    pub(super) fn all<'a>(
        &'a self,
        asked: impl Fn(&JournalEntry) -> bool + 'a,
    ) -> impl Iterator<Item = &'a JournalEntry> {
        self.slots.values().rev().map(|slot| &slot.entry).filter(move |entry| asked(entry))
    }

    /// The earliest entries that are in one place.
    pub(super) fn in_place(&self, place: Place, limit: usize) -> Vec<JournalEntry> {
        let there = self.slots.values().filter(|slot| slot.place == place);
        there.take(limit).map(|slot| slot.entry.clone()).collect()
    }

    pub(super) fn count(&self, place: Place) -> usize {
        self.counts[place as usize]
    }

    /// How many entries of a scope are in one place.
    pub(super) fn count_in(&self, place: Place, scope: &Scope) -> usize {
        if self.count(place) == 0 {
            return 0;
        }
        let there = |slot: &&Slot| slot.place == place && scope.contains(&slot.entry.namespace);
        self.slots.values().filter(there).count()
    }

    /// Whether queued entries are not seen until they reach the store.
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Lets the earliest leave that are stored, beyond the capacity, and the earliest queued ones beyond theirs.
    fn make_room(&mut self) {
        while self.count(Place::Stored) > self.capacity {
            self.remove_earliest(Place::Stored);
        }
        self.crowded &= self.count(Place::Queued) > 0;
        while self.count(Place::Queued) > WAITING_MAX {
            self.crowded = true;
            self.remove_earliest(Place::Queued);
        }
    }

    fn remove_earliest(&mut self, place: Place) {
        let earliest = self.slots.values().find(|slot| slot.place == place).map(|slot| key(&slot.entry));
        self.remove(earliest);
    }
}

/// The latest of two lists that are each in order, the latest first, without those that are in both.
pub(super) fn merged(
    waiting: Vec<JournalEntry>,
    stored: Vec<JournalEntry>,
    limit: usize,
) -> Vec<JournalEntry> {
    let known: HashSet<Key> = keys(&stored).collect();
    let mut all = stored;
    all.extend(waiting.into_iter().filter(|entry| !known.contains(&key(entry))));
    all.sort_by_key(|entry| std::cmp::Reverse(entry.position()));
    all.truncate(limit);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u8, second: i64) -> JournalEntry {
        let at = Timestamp::from_second(second).unwrap();
        JournalEntry {
            id: EntryId::from_bytes([number; 16]),
            namespace: Namespace::default(),
            at,
            created_at: at,
            session: None,
            actor: None,
            kind: "message".to_owned(),
            direction: None,
            status: None,
            turn: None,
            text: format!("번호 {number}"),
            body: None,
            gate: None,
            remember: false,
            metadata: serde_json::Map::new(),
        }
    }

    fn ids<'a>(entries: impl IntoIterator<Item = &'a JournalEntry>) -> Vec<u8> {
        entries.into_iter().map(|entry| entry.id.as_bytes()[0]).collect()
    }

    #[test]
    fn what_the_store_does_not_hold_is_never_pushed_out_by_what_it_does() {
        let mut ring = Ring::new(2);
        let entries: Vec<_> = (0..6).map(|number| entry(number, i64::from(number))).collect();
        ring.begin(&entries);
        ring.settle(keys(&entries[..2]), Place::Queued);
        ring.settle(keys(&entries[2..]), Place::Stored);
        assert_eq!(ids(ring.all(|_| true)), [5, 4, 1, 0]);
        assert_eq!(ids(ring.waiting(|_| true)), [1, 0]);
        ring.settle(keys(&entries[..2]), Place::Stored);
        assert_eq!(ids(ring.all(|_| true)), [5, 4]);
        assert_eq!((ring.count(Place::Queued), ring.waiting(|_| true).count()), (0, 0));
    }

    #[test]
    fn an_id_that_is_here_already_stays_as_it_is() {
        let mut ring = Ring::new(10);
        let first = entry(1, 10);
        ring.begin(std::slice::from_ref(&first));
        ring.settle([key(&first)], Place::Stored);
        ring.begin(&[JournalEntry { text: "다른 말".to_owned(), ..entry(1, 20) }]);
        assert_eq!(ring.all(|_| true).collect::<Vec<_>>(), [&first]);
        ring.remove([key(&first), key(&first)]);
        assert_eq!(ring.all(|_| true).count(), 0);
    }

    #[test]
    fn what_is_refused_leaves_and_what_was_here_before_stays() {
        let mut ring = Ring::new(10);
        let (kept, refused) = (entry(1, 10), entry(2, 20));
        ring.begin(std::slice::from_ref(&kept));
        ring.settle([key(&kept)], Place::Queued);
        ring.begin(&[kept.clone(), refused.clone()]);
        ring.take_back(keys(&[kept.clone(), refused]));
        assert_eq!(ring.all(|_| true).collect::<Vec<_>>(), [&kept]);
    }

    #[test]
    fn the_same_id_in_another_namespace_is_another_entry() {
        let mut ring = Ring::new(10);
        let own = entry(1, 10);
        let foreign = JournalEntry { namespace: "team/他".parse().unwrap(), ..own.clone() };
        ring.begin(&[own.clone(), foreign.clone()]);
        ring.settle([key(&own)], Place::Queued);
        ring.settle([key(&foreign)], Place::Stored);
        assert_eq!(ring.in_place(Place::Queued, 10), [own]);
        ring.remove([key(&foreign)]);
        assert_eq!(ring.count(Place::Queued), 1);
    }

    #[test]
    fn two_lists_become_one_without_gaps_or_repetitions() {
        let waiting = vec![entry(4, 40), entry(2, 20)];
        let stored = vec![entry(5, 50), entry(4, 40), entry(3, 30), entry(1, 10)];
        let all = merged(waiting, stored, 4);
        assert_eq!(ids(&all), [5, 4, 3, 2]);
    }
}
