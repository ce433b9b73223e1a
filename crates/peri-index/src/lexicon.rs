//! Words and where they occur.
//!
//! A term's documents are kept as differences in a variable number of bytes, and how often it occurs only
//! where that is more than once: one and a half to two bytes an occurrence. What a snapshot brought lies in
//! one arena; what came later lies in a small array per term and simply goes on where the arena stops.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::names::Names;

/// What is known of a term besides its text and its place in the arena.
#[derive(Debug, Clone, Default)]
pub(crate) struct Term {
    /// Documents it occurs in, dead ones included.
    pub(crate) count: u32,
    /// The last of them.
    pub(crate) last: u32,
    /// Its occurrences since the arena was made.
    pub(crate) tail: Vec<u8>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Lexicon {
    pub(crate) names: Names,
    pub(crate) terms: Vec<Term>,
    pub(crate) arena: Vec<u8>,
    /// Where each term's bytes end in the arena; terms that came later have none.
    pub(crate) arena_ends: Vec<u32>,
    /// Terms by their first two characters; made when first asked for.
    pub(crate) by_prefix: OnceLock<HashMap<[char; 2], Vec<u32>>>,
}

impl Lexicon {
    /// Enters a document's terms. Documents must come in ascending order; a term given twice counts once,
    /// with its first number.
    pub(crate) fn add(&mut self, doc: u32, terms: &[(String, u16)]) {
        for (text, times) in terms.iter().filter(|(_, times)| *times > 0) {
            let number = self.names.intern(text);
            if number as usize == self.terms.len() {
                self.terms.push(Term::default());
                if let Some(buckets) = self.by_prefix.get_mut() {
                    buckets.entry(prefix_of(text)).or_default().push(number);
                }
            }
            let term = &mut self.terms[number as usize];
            if term.count == 0 || term.last < doc {
                write_posting(&mut term.tail, doc - term.last, (*times).min(255) as u8);
                (term.count, term.last) = (term.count + 1, doc);
            }
        }
    }

    /// A term's bytes, in two parts that read as one.
    pub(crate) fn parts(&self, term: u32) -> [&[u8]; 2] {
        let at = term as usize;
        let end = self.arena_ends.get(at).map_or(0, |&end| end as usize);
        let start = if at == 0 || end == 0 { 0 } else { self.arena_ends[at - 1] as usize };
        [self.arena.get(start..end).unwrap_or_default(), self.terms.get(at).map_or(&[], |term| &term.tail)]
    }

    /// Calls `visit` with each document of a term and how often it occurs there, in ascending order.
    pub(crate) fn for_each(&self, term: u32, mut visit: impl FnMut(u32, u8)) {
        let mut doc = 0_u32;
        for mut bytes in self.parts(term) {
            while let Some((delta, times)) = read_posting(&mut bytes) {
                doc = doc.wrapping_add(delta);
                visit(doc, times);
            }
        }
    }

    /// Whether a term occurs in a document for which `alive` holds.
    pub(crate) fn occurs(&self, term: u32, alive: impl Fn(u32) -> bool) -> bool {
        let mut doc = 0_u32;
        self.parts(term).into_iter().any(|mut bytes| {
            while let Some((delta, _)) = read_posting(&mut bytes) {
                doc = doc.wrapping_add(delta);
                if alive(doc) {
                    return true;
                }
            }
            false
        })
    }

    /// The terms that share the first two characters of a text, in the order they were first seen.
    pub(crate) fn sharing_prefix(&self, text: &str) -> &[u32] {
        let buckets = self.by_prefix.get_or_init(|| {
            let mut buckets: HashMap<_, Vec<u32>> = HashMap::new();
            for number in 0..self.names.len() as u32 {
                buckets.entry(prefix_of(self.names.get(number))).or_default().push(number);
            }
            buckets
        });
        buckets.get(&prefix_of(text)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let tails: usize = self.terms.iter().map(|term| term.tail.capacity()).sum();
        let buckets = self.by_prefix.get().map_or(0, |buckets| buckets.len() * 48 + self.terms.len() * 8);
        self.names.memory_bytes()
            + self.terms.capacity() * size_of::<Term>()
            + tails
            + self.arena.capacity()
            + self.arena_ends.capacity() * 4
            + buckets
    }
}

/// A text of one character shares its bucket with nothing but itself.
fn prefix_of(text: &str) -> [char; 2] {
    let mut chars = text.chars();
    [chars.next().unwrap_or('\0'), chars.next().unwrap_or('\0')]
}

/// Writes the distance from the document before and how often the term occurs.
pub(crate) fn write_posting(bytes: &mut Vec<u8>, delta: u32, times: u8) {
    let mut value = u64::from(delta) << 1 | u64::from(times > 1);
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    if times > 1 {
        bytes.push(times);
    }
}

/// Reads what [`write_posting`] wrote and moves on; None at the end, or where the bytes make no sense.
#[inline]
pub(crate) fn read_posting(bytes: &mut &[u8]) -> Option<(u32, u8)> {
    let (&first, mut rest) = bytes.split_first()?;
    let mut value = u64::from(first & 127);
    let (mut more, mut shift) = (first >= 128, 7);
    while more {
        let (&next, after) = rest.split_first()?;
        value |= u64::from(next & 127) << shift;
        (more, shift, rest) = (next >= 128 && shift < 28, shift + 7, after);
    }
    let mut times = 1;
    if value & 1 == 1 {
        let (&given, after) = rest.split_first()?;
        (times, rest) = (given, after);
    }
    *bytes = rest;
    Some(((value >> 1) as u32, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_read_back_as_written() {
        let written = [(0, 1), (1, 1), (63, 2), (64, 255), (1_000_000, 3), (u32::MAX, 1), (u32::MAX, 9)];
        let mut bytes = Vec::new();
        written.iter().for_each(|&(delta, times)| write_posting(&mut bytes, delta, times));
        let mut rest = bytes.as_slice();
        let read: Vec<_> = std::iter::from_fn(|| read_posting(&mut rest)).collect();
        assert_eq!(read, written);
        assert_eq!(bytes[..2], [0, 2], "a single occurrence nearby takes one byte");
    }

    #[test]
    fn terms_are_found_by_their_beginning_even_when_they_come_later() {
        let mut lexicon = Lexicon::default();
        let terms = |words: &[&str]| words.iter().map(|&word| (word.to_owned(), 1)).collect::<Vec<_>>();
        lexicon.add(0, &terms(&["caroline", "cat", "dog", "c", "경주"]));
        assert_eq!(lexicon.sharing_prefix("carolyn"), [0, 1]);
        lexicon.add(1, &terms(&["carol", "cat"]));
        assert_eq!(lexicon.sharing_prefix("ca"), [0, 1, 5]);
        assert_eq!(lexicon.sharing_prefix("경주마"), [4]);
        assert_eq!(lexicon.sharing_prefix("c"), [3]);
        let mut cats = Vec::new();
        lexicon.for_each(1, |doc, times| cats.push((doc, times)));
        assert_eq!(cats, [(0, 1), (1, 1)]);
    }
}
