//! Identifiers: every one is a type of its own.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::Namespace;

/// A memory's identity: a UUID of version 7, so that ids sort by the time they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemoryId(Uuid);

/// Text that is not a memory's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not a memory id (they look like 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a)")]
pub struct InvalidId {
    /// What was given.
    pub given: String,
}

impl MemoryId {
    /// A fresh id. Ids given by one process within one millisecond still sort in the order they were given.
    pub fn generate(now: Timestamp) -> Self {
        let seconds = u64::try_from(now.as_second()).unwrap_or(0);
        let nanos = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
        Self(Uuid::new_v7(uuid::Timestamp::from_unix(CONTEXT, seconds, nanos)))
    }

    /// The sixteen bytes that stores and indexes keep.
    pub fn as_bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }

    /// The id with these bytes.
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Uuid::from_bytes(bytes))
    }

    /// The id that a memory gets in a namespace if another namespace holds this one already. It follows from the two, so
    /// that whoever brings the memory again finds it, and sorts by the same time.
    pub fn within(self, namespace: &Namespace) -> Self {
        Self::from_bytes(within(self.as_bytes(), namespace))
    }
}

/// The bytes of an identity in place of one that another namespace holds: a UUID of version 7 of the same time.
pub(crate) fn within(id: &[u8; 16], namespace: &Namespace) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"id within a namespace\0").update(id).update(namespace.as_str().as_bytes());
    let mut bytes = *id;
    bytes[6..].copy_from_slice(&hasher.finalize().as_bytes()[..10]);
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    bytes
}

/// Keeps a counter beside the clock so that ids of one millisecond are ordered.
#[derive(Clone, Copy)]
struct SharedContext;
const CONTEXT: SharedContext = SharedContext;
static ORDER: std::sync::Mutex<Option<uuid::ContextV7>> = std::sync::Mutex::new(None);

impl uuid::ClockSequence for SharedContext {
    type Output = u64;

    fn generate_sequence(&self, seconds: u64, nanos: u32) -> u64 {
        self.generate_timestamp_sequence(seconds, nanos).0
    }

    fn generate_timestamp_sequence(&self, seconds: u64, nanos: u32) -> (u64, u64, u32) {
        let mut order = ORDER.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        order.get_or_insert_with(uuid::ContextV7::new).generate_timestamp_sequence(seconds, nanos)
    }

    fn usable_bits(&self) -> usize {
        uuid::ContextV7::new().usable_bits()
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for MemoryId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        Uuid::parse_str(text.trim()).map(Self).map_err(|_| InvalidId { given: text.to_owned() })
    }
}

/// The number of a committed change. Each write takes the next one; an index that has applied every
/// change up to a number knows that it lacks only what has a higher one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ChangeNumber(pub u64);

impl fmt::Display for ChangeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What makes two statements the same one within a namespace: the content, who said it, and, where they
/// were given, the session and the time. "I ran 5 km today" on two days is two memories; the same fact
/// told twice without a session or a time is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub [u8; 16]);

impl Fingerprint {
    /// The fingerprint of a statement. Absent and empty parts are told apart by their length prefix.
    pub fn of(
        content: &str,
        speaker: Option<&str>,
        session: Option<&str>,
        occurred_at: Option<Timestamp>,
    ) -> Self {
        let at = occurred_at.map(|at| at.as_millisecond().to_string());
        Self::of_all(&[Some(content), speaker, session, at.as_deref()])
    }

    /// The fingerprint of what a session's working memory holds under a key.
    pub fn of_key(session: Option<&str>, key: &str) -> Self {
        Self::of_all(&[Some("working"), session, Some(key), None, None, None])
    }

    /// The fingerprint of what was put aside: nothing else says the same.
    pub(crate) fn of_aside(id: MemoryId) -> Self {
        let id = id.to_string();
        Self::of_all(&[Some("aside"), Some(&id), None, None, None, None, None])
    }

    /// The fingerprint of a list of texts. Lists of different lengths never have the same.
    pub(crate) fn of_all(parts: &[Option<&str>]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let length = part.map_or(u64::MAX, |text| text.len() as u64);
            hasher.update(&length.to_le_bytes());
            hasher.update(part.unwrap_or_default().as_bytes());
        }
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_in_the_order_they_were_given() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let ids: Vec<_> = (0..10_000).map(|_| MemoryId::generate(now)).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[7].to_string().parse::<MemoryId>(), Ok(ids[7]));
        assert_eq!(MemoryId::from_bytes(*ids[3].as_bytes()), ids[3]);
    }

    #[test]
    fn an_id_within_a_namespace_follows_from_both_and_keeps_its_time() {
        let id = MemoryId::generate(Timestamp::from_second(1_700_000_000).unwrap());
        let [one, other] = ["team/a", "team/b"].map(|path| id.within(&path.parse().unwrap()));
        assert_eq!(one, id.within(&"team/a".parse().unwrap()));
        assert!(one != other && one != id && other != id);
        assert_eq!(one.as_bytes()[..6], id.as_bytes()[..6]);
        assert_eq!(one.to_string().as_bytes()[14], b'7');
    }

    #[test]
    fn a_fingerprint_tells_parts_apart() {
        let at = Timestamp::from_second(5).ok();
        let plain = Fingerprint::of("ab", None, None, None);
        assert_eq!(plain, Fingerprint::of("ab", None, None, None));
        for other in [
            Fingerprint::of("a", Some("b"), None, None),
            Fingerprint::of("ab", Some(""), None, None),
            Fingerprint::of("ab", None, Some(""), None),
            Fingerprint::of("ab", None, None, at),
        ] {
            assert_ne!(plain, other);
        }
    }
}
