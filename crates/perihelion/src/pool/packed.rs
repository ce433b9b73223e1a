//! What is kept of a memory in the tables that are searched.

use std::collections::HashSet;

use peri_store::{Document, Terms};
use peri_types::{Kind, Layer};

use crate::entry::Told;

/// Stands before what a memory is filed under, among its words. No word begins with it.
const KEY: char = '\u{2}';

/// The version of what is packed, and the bytes before the tokens.
const VERSION: u8 = 1;
const HEAD_BYTES: usize = 14;

/// Stands for "never expires".
const NEVER: i64 = i64::MAX;

/// The key of a tag, or of a circumstance as an index is told of it.
pub(super) fn key(tag: &str) -> String {
    // Texts of the database hold any character but this one.
    format!("{KEY}{}", tag.replace('\0', "\u{fffd}"))
}

/// Whether a word is what a memory is filed under.
pub(super) fn is_key(term: &str) -> bool {
    term.starts_with(KEY)
}

/// A memory as the database searches it.
pub(super) fn document(told: Told, vector: Option<Vec<f32>>) -> (Document, Terms) {
    let packed = pack(&told);
    let mut terms = told.terms;
    terms.retain(|(term, times)| *times > 0 && !term.contains('\0'));
    let keys: Vec<String> = told.tags.iter().map(|tag| key(tag)).collect();
    terms.extend(keys.iter().map(|key| (key.clone(), 1)));
    // A word counts once, with its first number.
    let mut seen = HashSet::new();
    terms.retain(|(term, _)| seen.insert(term.clone()));
    let document = Document {
        id: told.id,
        at: told.at,
        day: told.day,
        layer: told.layer.code(),
        kind: told.kind.code(),
        pinned: told.pinned,
        superseded: told.superseded,
        session: told.session,
        speaker: told.speaker,
        length: told.length,
        keys,
        packed,
        vector,
    };
    (document, terms)
}

/// The memory that a document stands for, with some of its words; none if a later release wrote what this one cannot
/// read.
pub(super) fn told(document: Document, terms: Terms) -> Option<(Told, Option<Vec<f32>>)> {
    let (importance, expires_at, flags, tokens) = unpack(&document.packed)?;
    let told = Told {
        id: document.id,
        at: document.at,
        day: document.day,
        layer: Layer::from_code(document.layer)?,
        kind: Kind::from_code(document.kind)?,
        pinned: document.pinned,
        importance,
        expires_at,
        superseded: document.superseded,
        session: document.session,
        speaker: document.speaker,
        tags: document.keys.iter().filter_map(|key| key.strip_prefix(KEY)).map(ToOwned::to_owned).collect(),
        terms,
        tokens,
        length: document.length,
        flags,
    };
    Some((told, document.vector))
}

/// What the database keeps without looking at it.
fn pack(told: &Told) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES + 2 * told.tokens.len());
    bytes.push(VERSION);
    bytes.push(told.flags);
    bytes.extend(told.importance.to_le_bytes());
    bytes.extend(told.expires_at.unwrap_or(NEVER).to_le_bytes());
    bytes.extend(told.tokens.iter().flat_map(|token| token.to_le_bytes()));
    bytes
}

fn unpack(bytes: &[u8]) -> Option<(f32, Option<i64>, u8, Vec<u16>)> {
    let (head, tokens) = bytes.split_first_chunk::<HEAD_BYTES>()?;
    let [VERSION, flags, ..] = *head else { return None };
    let importance = f32::from_le_bytes(head[2..6].try_into().ok()?);
    let expires_at = i64::from_le_bytes(head[6..14].try_into().ok()?);
    let tokens = tokens.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    Some((importance, (expires_at != NEVER).then_some(expires_at), flags, tokens))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use peri_types::{MemoryId, Timestamp};

    use super::*;

    #[test]
    fn what_was_packed_reads_back_as_it_was() {
        let told_first = Told {
            id: MemoryId::generate(Timestamp::UNIX_EPOCH),
            at: -5,
            day: Some(-1),
            layer: Layer::Episodic,
            kind: Kind::Fact,
            pinned: true,
            importance: 0.3,
            expires_at: Some(i64::MAX - 1),
            superseded: true,
            session: Some("경주 여행".to_owned()),
            speaker: None,
            tags: vec!["咖啡".to_owned(), "\u{1}with=나".to_owned(), "nul\0".to_owned()],
            terms: vec![("river".to_owned(), 2), ("咖啡".to_owned(), 1)],
            tokens: vec![7, 65_535],
            length: 3,
            flags: 5,
        };
        let (document, terms) = document(told_first, Some(vec![0.5]));
        let words = terms.iter().filter(|(term, _)| !term.starts_with(KEY)).cloned().collect();
        assert_eq!(terms.len(), 5, "what it is filed under is looked up like a word");
        let (told, vector) = told(document.clone(), words).unwrap();
        assert_eq!(told.tags, ["咖啡", "\u{1}with=나", "nul\u{fffd}"]);
        assert_eq!(told.terms, [("river".to_owned(), 2), ("咖啡".to_owned(), 1)]);
        assert_eq!((told.tokens, told.flags, told.expires_at), (vec![7, 65_535], 5, Some(i64::MAX - 1)));
        assert_eq!(
            (told.importance, told.session.as_deref(), vector),
            (0.3, Some("경주 여행"), Some(vec![0.5]))
        );
        for packed in [Vec::new(), vec![9; 20], vec![VERSION; 5]] {
            assert!(super::told(Document { packed, ..document.clone() }, Vec::new()).is_none());
        }
    }
}
