//! Snapshots of an index, and vectors in base64.

use peri_index::{Index, Superseded, View};
use peri_types::{Filter, Timestamp};

use crate::given;

/// Snapshots: with a hash that fits, whatever is inside is refused or can be searched and written again.
pub(crate) fn index_snapshot(data: &[u8]) {
    // Chance does not find a hash that fits; a forger does.
    let mut bytes = data.to_vec();
    if bytes.len() >= 32 {
        let end = bytes.len() - 32;
        let hash = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(hash.as_bytes());
    }
    let mut index = match Index::decode(&bytes) {
        Ok(index) => index,
        Err(error) => return given::is_for_people(&error),
    };
    let view = View { now: Timestamp::UNIX_EPOCH, superseded: Superseded::Included };
    let mask = index.mask(&Filter::default(), view);
    if let Some(space) = index.space() {
        let query = vec![0.5; space.dimensions as usize];
        index.nearest(&query, &mask, 20);
    }
    drop(index.gather(&["every", "word3"], &mask).top(20));
    index.similar_terms("wo", |_| true);
    index.compact();
    assert!(Index::decode(&index.encode()).is_ok(), "what was read can be written");
}

/// Vectors in base64: what is read is written as the same numbers.
pub(crate) fn base64(data: &[u8]) {
    let text = given::text(data);
    if let Some(vector) = peri_embed::base64::decode(&text) {
        assert!(vector.len() <= text.len());
        let again =
            peri_embed::base64::decode(&peri_embed::base64::encode(&vector)).expect("what we wrote reads");
        let bits = |vector: &[f32]| vector.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&again), bits(&vector));
    }
}
