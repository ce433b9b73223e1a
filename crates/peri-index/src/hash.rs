//! A hash index that keeps numbers only; what they stand for lives in the caller's arrays.
//!
//! The standard map would keep a second copy of every id and term. Here a slot costs four bytes, and a
//! hundred thousand entries are indexed in a few milliseconds when a snapshot is loaded.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

const EMPTY: u32 = u32::MAX;

/// Differs in every process, so that nobody can craft ids or words that all fall into one slot.
static SEED: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0_u8));

/// Hashes a key, eight bytes at a time, by folding wide multiplications.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut state = *SEED ^ bytes.len() as u64;
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        state = fold(state ^ u64::from_le_bytes(chunk.try_into().expect("chunks have eight bytes")));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(state ^ u64::from_le_bytes(last))
}

fn fold(value: u64) -> u64 {
    let wide = u128::from(value ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93_u128;
    (wide as u64) ^ ((wide >> 64) as u64)
}

/// Open addressing with linear probing; entries are replaced, never taken out.
#[derive(Debug, Clone, Default)]
pub(crate) struct HashIndex {
    slots: Vec<u32>,
    len: usize,
}

impl HashIndex {
    /// An index with room for `count` entries.
    pub(crate) fn with_capacity(count: usize) -> Self {
        let size = (count + count / 2 + 1).next_power_of_two().max(16);
        Self { slots: vec![EMPTY; size], len: 0 }
    }

    /// The entry with this hash for which `is_it` holds.
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.slot_of(hash, is_it)];
        (slot != EMPTY).then_some(slot)
    }

    /// Puts `value` in the place of the entry for which `is_it` holds, or adds it; whether it was added.
    /// `hash_of` gives the hash of an entry already present; growing needs it.
    pub(crate) fn put(
        &mut self,
        hash: u64,
        value: u32,
        is_it: impl Fn(u32) -> bool,
        hash_of: impl Fn(u32) -> u64,
    ) -> bool {
        if self.len * 3 >= self.slots.len() * 2 {
            self.grow(hash_of);
        }
        let slot = self.slot_of(hash, is_it);
        let added = self.slots[slot] == EMPTY;
        self.len += usize::from(added);
        self.slots[slot] = value;
        added
    }

    /// The slot of the wanted entry, or the empty one where it belongs. A third of the slots stays empty,
    /// so the walk ends.
    fn slot_of(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 20) as usize & mask;
        while self.slots[slot] != EMPTY && !is_it(self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u64) {
        let mut larger = Self::with_capacity((self.len + 8) * 2);
        for &value in self.slots.iter().filter(|&&value| value != EMPTY) {
            let slot = larger.slot_of(hash_of(value), |_| false);
            larger.slots[slot] = value;
        }
        larger.len = self.len;
        *self = larger;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.slots.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_and_replaced() {
        let keys: Vec<String> = (0..5000).map(|n| format!("key {}", n % 4000)).collect();
        let mut index = HashIndex::default();
        for (at, key) in keys.iter().enumerate() {
            let hash_of = |value: u32| hash_bytes(keys[value as usize].as_bytes());
            index.put(hash_bytes(key.as_bytes()), at as u32, |value| keys[value as usize] == *key, hash_of);
        }
        let find = |key: &str| index.find(hash_bytes(key.as_bytes()), |value| keys[value as usize] == key);
        assert_eq!(index.len, 4000);
        assert_eq!(find("key 7"), Some(4007));
        assert_eq!(find("key 3999"), Some(3999));
        assert_eq!(find("key 4000"), None);
    }
}
