//! Snapshots come back as they were, or not at all.

use peri_index::{Index, SnapshotError, Superseded, VectorSettings, View};
use peri_types::Filter;
use proptest::prelude::*;

use crate::{Note, Random, at, empty, id, text_like};

/// An index with something in every section.
fn rich(count: usize) -> Index {
    let mut index = empty(16);
    for (number, vector) in text_like(count, 16, 9).into_iter().enumerate() {
        Note {
            id: number as u128,
            at: number as i64 / 2,
            expires_at: (number % 5 == 0).then_some(1000),
            superseded: number % 7 == 0,
            session: (number % 3 > 0).then(|| format!("session {}", number % 11)),
            speaker: (number % 4 > 0).then(|| format!("speaker {}", number % 4)),
            tags: vec![format!("tag {}", number % 6)],
            terms: vec![(format!("word{}", number % 50), 1 + number as u16 % 3), ("every".to_owned(), 1)],
            vector: (number % 9 > 0).then_some(vector),
            ..Note::default()
        }
        .enter(&mut index);
    }
    (0..count as u128).step_by(10).for_each(|number| assert!(index.remove(id(number))));
    index.set_settings(VectorSettings { flat_max: 10, ..index.settings() });
    index.extend_graph(count / 2);
    index
}

/// The same bytes with a hash that fits, as a forger would make them.
fn forged(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 32;
    let hash = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(hash.as_bytes());
    bytes
}

/// Uses everything that a snapshot brought; a forged one may give any answer but must not panic.
fn exercise(mut index: Index) {
    let mask = index.mask(&Filter::default(), View { superseded: Superseded::Included, ..at(0) });
    index.nearest(&[0.5; 16], &mask, 20);
    let matches = index.gather(&["every", "word3"], &mask);
    for (doc, _) in matches.top(20).into_iter().chain(matches.top_sessions(5)) {
        matches.window(doc, 2, 2);
        index.session_cosine(&[0.5; 16], doc);
        index.neighbour(doc, -1);
    }
    drop(matches);
    let filter =
        Filter { tags: vec!["tag 3".to_owned()], session: Some("session 4".to_owned()), ..Filter::default() };
    index.mask(&filter, at(0));
    index.similar_terms("wo", |_| true);
    Note { id: 3, vector: Some(vec![1.0; 16]), session: Some("session 4".to_owned()), ..Note::default() }
        .enter(&mut index);
    index.extend_graph(5);
    index.compact();
    assert!(Index::decode(&index.encode()).is_ok());
}

#[test]
fn writing_reading_and_writing_again_gives_the_same_bytes() {
    for count in [0, 1, 300, 5000] {
        let bytes = rich(count).encode();
        let copy = Index::decode(&bytes).unwrap();
        assert_eq!(copy.encode(), bytes, "{count} documents");
        assert_eq!(copy.analysis_version(), 3);
        if count > 1 {
            exercise(copy);
        }
    }
}

#[test]
fn no_prefix_and_no_flipped_bit_is_accepted() {
    let bytes = rich(60).encode();
    for end in 0..bytes.len() {
        assert!(Index::decode(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(Index::decode(&damaged).is_err(), "flipped at {at}");
    }
    assert_eq!(Index::decode(b"").unwrap_err(), SnapshotError::NotASnapshot);
}

#[test]
fn a_large_one_is_read_from_a_file_piece_by_piece_and_no_damage_is_accepted() {
    let bytes = rich(12_000).encode();
    assert!(bytes.len() > 1 << 20, "large enough to be read in pieces");
    let from = |bytes: &[u8]| Index::decode_from(bytes, bytes.len() as u64);
    assert_eq!(from(&bytes).unwrap().encode(), bytes);
    let mut random = Random(5);
    let mut places = vec![0, 8, bytes.len() - 1];
    places.extend((0..40).map(|_| random.next() as usize % bytes.len()));
    for place in places {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(from(&damaged).is_err(), "flipped at {place}");
        assert!(from(&bytes[..place]).is_err(), "cut at {place}");
        assert!(Index::decode_from(&bytes[..place], bytes.len() as u64).is_err(), "ends early at {place}");
        damaged[place] = random.next() as u8;
        if let Ok(index) = from(&forged(damaged)) {
            exercise(index);
        }
    }
    assert!(from(&[&bytes[..], b"more"].concat()).is_err());
    assert_eq!(from(&vec![0; 2 << 20]).unwrap_err(), SnapshotError::NotASnapshot);
    let mut later = bytes;
    later[8] = 99;
    assert_eq!(from(&later).unwrap_err(), SnapshotError::OtherFormat { found: 99, expected: 1 });
}

#[test]
fn forged_snapshots_never_panic_nor_allocate_without_bound() {
    let bytes = rich(60).encode();
    let mut random = Random(11);
    for at in 8..bytes.len() - 32 {
        let mut damaged = bytes.clone();
        damaged[at] = [0, 255, 127, random.next() as u8][random.next() as usize % 4];
        if let Ok(index) = Index::decode(&forged(damaged)) {
            exercise(index);
        }
        if at % 16 == 0 {
            let mut cut = bytes[..at].to_vec();
            cut.extend([0; 32]);
            assert!(Index::decode(&forged(cut)).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn random_bytes_are_refused(body in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(Index::decode(&body).is_err());
        let mut framed = b"PERIIDX\0\x01\0\0\0".to_vec();
        framed.extend(body);
        framed.extend([0; 32]);
        prop_assert!(Index::decode(&forged(framed)).is_err());
    }
}

#[test]
fn the_dead_are_left_behind_when_they_are_many() {
    let mut index = rich(400);
    (0..200).for_each(|number| {
        index.remove(id(number));
    });
    assert!(index.wants_compaction());
    let copy = Index::decode(&index.encode()).unwrap();
    assert!(!copy.wants_compaction());
    assert_eq!(copy.len(), index.len());
    assert!(copy.memory_bytes() < index.memory_bytes());
    let filter = Filter::default();
    let (old, new) = (index.mask(&filter, at(500)), copy.mask(&filter, at(500)));
    let ids = |index: &Index, found: Vec<(peri_index::Doc, f32)>| -> Vec<_> {
        found.into_iter().filter_map(|(doc, score)| Some((index.facts(doc)?.id, score))).collect()
    };
    let terms = ["every", "word7"];
    assert_eq!(
        ids(&index, index.gather(&terms, &old).top(30)),
        ids(&copy, copy.gather(&terms, &new).top(30))
    );
}
