//! Interned text: each distinct string once, in one arena, known by a number.

use crate::hash::{HashIndex, hash_bytes};

/// Strings and their numbers, in the order they were first seen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    arena: String,
    /// Where each string ends in the arena; it begins where the one before it ends.
    ends: Vec<u32>,
    index: HashIndex,
}

impl Names {
    /// Names read back from their parts; None where the parts do not fit together.
    pub(crate) fn from_parts(arena: Vec<u8>, ends: Vec<u32>) -> Option<Self> {
        let arena = String::from_utf8(arena).ok()?;
        let whole = ends.last().map_or(0, |&end| end as usize) == arena.len();
        let sound = ends.is_sorted() && ends.iter().all(|&end| arena.is_char_boundary(end as usize));
        if !whole || !sound {
            return None;
        }
        let mut names = Self { arena, index: HashIndex::with_capacity(ends.len()), ends };
        let distinct = (0..names.len() as u32).all(|number| names.enter(number));
        distinct.then_some(names)
    }

    pub(crate) fn arena(&self) -> &str {
        &self.arena
    }

    pub(crate) fn ends(&self) -> &[u32] {
        &self.ends
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text with this number; empty for a number never given.
    pub(crate) fn get(&self, number: u32) -> &str {
        text_of(&self.arena, &self.ends, number)
    }

    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        self.index.find(hash_bytes(text.as_bytes()), |number| self.get(number) == text)
    }

    /// The number of a text, given now if it has none.
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.find(text) {
            return number;
        }
        self.arena.push_str(text);
        self.ends.push(u32::try_from(self.arena.len()).expect("an index holds less than 4 GiB of names"));
        let number = self.ends.len() as u32 - 1;
        self.enter(number);
        number
    }

    /// Makes a text findable; false if it was there already.
    fn enter(&mut self, number: u32) -> bool {
        let (arena, ends) = (&self.arena, &self.ends);
        let text = text_of(arena, ends, number);
        let hash_of = |other| hash_bytes(text_of(arena, ends, other).as_bytes());
        self.index.put(
            hash_bytes(text.as_bytes()),
            number,
            |other| text_of(arena, ends, other) == text,
            hash_of,
        )
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.arena.capacity() + self.ends.capacity() * 4 + self.index.memory_bytes()
    }
}

fn text_of<'a>(arena: &'a str, ends: &[u32], number: u32) -> &'a str {
    let at = number as usize;
    let start = if at == 0 { 0 } else { ends.get(at - 1).copied().unwrap_or(0) };
    let end = ends.get(at).copied().unwrap_or(start);
    arena.get(start as usize..end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_keeps_its_number() {
        let mut names = Names::default();
        let words = ["", "경주", "coffee", "", "coffee", "coffees"];
        let numbers: Vec<_> = words.iter().map(|word| names.intern(word)).collect();
        assert_eq!(numbers, [0, 1, 2, 0, 2, 3]);
        assert_eq!((names.get(1), names.get(3), names.get(9)), ("경주", "coffees", ""));
        let copy = Names::from_parts(names.arena().into(), names.ends().to_vec()).unwrap();
        assert_eq!((copy.find("coffee"), copy.find("tea")), (Some(2), None));
        assert!(Names::from_parts(names.arena().into(), vec![0, 2]).is_none());
        assert!(Names::from_parts("aa".into(), vec![1, 2]).is_none(), "no text has two numbers");
    }
}
