//! What is kept of a memory in the tables that are searched.

use peri_store::Document;
use peri_types::{Kind, Layer};
use serde::{Deserialize, Serialize};

use crate::entry::Told;

/// Stands before what a memory is filed under, among its words. No word begins with it.
const KEY: char = '\u{2}';

/// What the database keeps without looking at it.
#[derive(Serialize, Deserialize)]
struct Packed {
    #[serde(rename = "i")]
    importance: f32,
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    #[serde(rename = "f")]
    flags: u8,
    #[serde(rename = "t")]
    tokens: Vec<u16>,
}

/// The key of a tag, or of a circumstance as an index is told of it.
pub(super) fn key(tag: &str) -> String {
    // Texts of the database hold any character but this one.
    format!("{KEY}{}", tag.replace('\0', "\u{fffd}"))
}

/// A memory as the database searches it.
pub(super) fn document(told: Told, vector: Option<Vec<f32>>) -> Document {
    let packed = Packed {
        importance: told.importance,
        expires_at: told.expires_at,
        flags: told.flags,
        tokens: told.tokens,
    };
    let mut terms = told.terms;
    terms.retain(|(term, times)| *times > 0 && !term.contains('\0'));
    terms.extend(told.tags.iter().map(|tag| (key(tag), 1)));
    // A word counts once, with its first number.
    let mut seen = std::collections::HashSet::new();
    terms.retain(|(term, _)| seen.insert(term.clone()));
    Document {
        id: told.id,
        number: 0,
        at: told.at,
        day: told.day,
        layer: told.layer.code(),
        kind: told.kind.code(),
        pinned: told.pinned,
        superseded: told.superseded,
        session: told.session,
        speaker: told.speaker,
        length: told.length,
        terms,
        packed: serde_json::to_string(&packed).expect("numbers can be written"),
        vector,
    }
}

/// The memory that a document stands for; none if a later release wrote what this one cannot read.
pub(super) fn told(document: Document) -> Option<(Told, Option<Vec<f32>>)> {
    let packed: Packed = serde_json::from_str(&document.packed).ok()?;
    let (keys, terms): (Vec<_>, Vec<_>) =
        document.terms.into_iter().partition(|(term, _)| term.starts_with(KEY));
    let told = Told {
        id: document.id,
        at: document.at,
        day: document.day,
        layer: Layer::from_code(document.layer)?,
        kind: Kind::from_code(document.kind)?,
        pinned: document.pinned,
        importance: packed.importance,
        expires_at: packed.expires_at,
        superseded: document.superseded,
        session: document.session,
        speaker: document.speaker,
        tags: keys.iter().map(|(key, _)| key[KEY.len_utf8()..].to_owned()).collect(),
        terms,
        tokens: packed.tokens,
        length: document.length,
        flags: packed.flags,
    };
    Some((told, document.vector))
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
            expires_at: Some(i64::MAX),
            superseded: true,
            session: Some("경주 여행".to_owned()),
            speaker: None,
            tags: vec!["咖啡".to_owned(), "\u{1}with=나".to_owned(), "nul\0".to_owned()],
            terms: vec![("river".to_owned(), 2), ("咖啡".to_owned(), 1)],
            tokens: vec![7, 65_535],
            length: 3,
            flags: 5,
        };
        let document = document(told_first, Some(vec![0.5]));
        let (told, vector) = told(document.clone()).unwrap();
        assert_eq!(told.tags, ["咖啡", "\u{1}with=나", "nul\u{fffd}"]);
        assert_eq!(told.terms, [("river".to_owned(), 2), ("咖啡".to_owned(), 1)]);
        assert_eq!((told.tokens, told.flags, told.expires_at), (vec![7, 65_535], 5, Some(i64::MAX)));
        assert_eq!(
            (told.importance, told.session.as_deref(), vector),
            (0.3, Some("경주 여행"), Some(vec![0.5]))
        );
        assert!(super::told(Document { packed: "{}".to_owned(), ..document }).is_none());
    }
}
