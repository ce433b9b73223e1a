//! The pieces of words that a model knows, found by hash without building anything first.

use std::borrow::Cow;

/// The number of a piece in an engine's vocabulary; it means nothing to another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TokenId(pub u32);

/// A piece longer than this is never found. Real ones are far shorter.
const PIECE_BYTES_MAX: usize = 128;

/// What stands before a piece that continues a word.
const CONTINUED: &[u8] = b"##";

/// Pieces and an open-addressing table over them, in the layout of the bundled asset: the same code
/// serves bytes compiled into the program and a vocabulary read from a file.
pub(crate) struct Vocabulary {
    /// Where each piece starts in `strings`, and where the last one ends.
    offsets: Cow<'static, [u8]>,
    /// Eight bits of the hash above the id plus one; zero is free. A power of two of them.
    slots: Cow<'static, [u8]>,
    strings: Cow<'static, [u8]>,
    longest: usize,
}

impl Vocabulary {
    /// Sections that were laid out before. They must fit each other; [`crate::asset`] checks it.
    pub(crate) fn from_sections(
        offsets: &'static [u8],
        slots: &'static [u8],
        strings: &'static [u8],
    ) -> Self {
        Self::new(Cow::Borrowed(offsets), Cow::Borrowed(slots), Cow::Borrowed(strings))
    }

    /// Lays out pieces, whose ids are their places in the list.
    pub(crate) fn from_pieces(pieces: &[String]) -> Self {
        let count = (pieces.len() * 2).next_power_of_two().max(2);
        let mut slots = vec![0u32; count];
        let mut ends = vec![0u32];
        let mut strings = Vec::new();
        for (id, piece) in pieces.iter().enumerate() {
            let hash = hash_from(HASH_START, piece.as_bytes());
            let mut at = first_slot(hash, count);
            while slots[at] != 0 {
                at = (at + 1) % count;
            }
            slots[at] = (hash & TAG) | (id as u32 + 1);
            strings.extend_from_slice(piece.as_bytes());
            ends.push(strings.len() as u32);
        }
        let bytes = |numbers: Vec<u32>| numbers.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>();
        Self::new(Cow::Owned(bytes(ends)), Cow::Owned(bytes(slots)), Cow::Owned(strings))
    }

    fn new(offsets: Cow<'static, [u8]>, slots: Cow<'static, [u8]>, strings: Cow<'static, [u8]>) -> Self {
        let mut vocabulary = Self { offsets, slots, strings, longest: 0 };
        let longest = (0..vocabulary.len()).map(|id| vocabulary.piece(id).len()).max().unwrap_or(0);
        vocabulary.longest = longest.min(PIECE_BYTES_MAX);
        vocabulary
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() / 4 - 1
    }

    /// The id of exactly this piece.
    pub(crate) fn find(&self, piece: &str) -> Option<TokenId> {
        self.probe(hash_from(HASH_START, piece.as_bytes()), b"", piece.as_bytes())
    }

    /// The longest piece that `rest`, which is not empty, begins with, and its length in bytes.
    pub(crate) fn longest_prefix(&self, rest: &[u8], continued: bool) -> Option<(TokenId, usize)> {
        let prefix = if continued { CONTINUED } else { b"" };
        let limit = rest.len().min(self.longest.saturating_sub(prefix.len()));
        let mut hashes = [0u32; PIECE_BYTES_MAX];
        let mut hash = hash_from(HASH_START, prefix);
        for (kept, byte) in hashes.iter_mut().zip(&rest[..limit]) {
            hash = hash_step(hash, *byte);
            *kept = hash;
        }
        // A cut inside a character needs no check: no piece ends there, so none is equal.
        (1..=limit)
            .rev()
            .find_map(|length| Some((self.probe(hashes[length - 1], prefix, &rest[..length])?, length)))
    }

    fn probe(&self, hash: u32, prefix: &[u8], rest: &[u8]) -> Option<TokenId> {
        let count = self.slots.len() / 4;
        let mut at = first_slot(hash, count);
        // The table is at most half full, but a damaged one might not be: never go round twice.
        for _ in 0..count {
            let slot = number(&self.slots, at);
            if slot == 0 {
                return None;
            }
            let id = (slot & !TAG).wrapping_sub(1);
            if slot & TAG == hash & TAG && self.piece(id as usize).strip_prefix(prefix) == Some(rest) {
                return Some(TokenId(id));
            }
            at = (at + 1) & (count - 1);
        }
        None
    }

    fn piece(&self, id: usize) -> &[u8] {
        let (start, end) =
            (number(&self.offsets, id) as usize, number(&self.offsets, id.wrapping_add(1)) as usize);
        self.strings.get(start..end).unwrap_or_default()
    }
}

const TAG: u32 = 0xFF00_0000;
const HASH_START: u32 = 0x811C_9DC5;

/// One step of FNV-1a: whoever packs the asset does the same.
#[inline]
fn hash_step(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

fn hash_from(start: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(start, |hash, byte| hash_step(hash, *byte))
}

/// FNV's low bits alone spread badly, so some of the high ones join them.
fn first_slot(hash: u32, count: usize) -> usize {
    (hash ^ (hash >> 15)) as usize & (count - 1)
}

/// The little-endian number at this place of a section; zero beyond its end.
#[inline]
pub(crate) fn number(section: &[u8], at: usize) -> u32 {
    section.as_chunks::<4>().0.get(at).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_piece_wins_and_continuations_are_told_apart() {
        let pieces = ["[UNK]", "un", "unhappy", "##happy", "##h", "happy", "é"].map(str::to_owned);
        let vocabulary = Vocabulary::from_pieces(&pieces);
        assert_eq!(vocabulary.len(), 7);
        for (id, piece) in pieces.iter().enumerate() {
            assert_eq!(vocabulary.find(piece), Some(TokenId(id as u32)));
        }
        assert_eq!(vocabulary.longest_prefix(b"unhappyx", false), Some((TokenId(2), 7)));
        assert_eq!(vocabulary.longest_prefix(b"happy", true), Some((TokenId(3), 5)));
        assert_eq!(vocabulary.longest_prefix(b"happy", false), Some((TokenId(5), 5)));
        assert_eq!(vocabulary.longest_prefix(b"x", true), None);
        assert_eq!(vocabulary.find("unh"), None);
    }
}
