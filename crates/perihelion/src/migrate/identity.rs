//! Ids for what another store kept: the same record gets the same id however often it is read.

use peri_types::{MemoryId, Namespace, Timestamp};

/// What tells a record from every other of its store.
pub(super) enum Key<'a> {
    /// What the store called it.
    Id(&'a str),
    /// What it says, where it has no name: the content, the session and the speaker.
    Said([&'a str; 3]),
}

/// The id of a record: its own if that is a UUID, otherwise one that follows from the namespace, the key and the time.
pub(super) fn id(namespace: &Namespace, key: &Key<'_>, at: Option<Timestamp>) -> MemoryId {
    if let Key::Id(own) = key
        && let Ok(own) = own.parse::<MemoryId>()
        && own.as_bytes() != [0; 16].as_slice()
    {
        return own;
    }
    let parts: Vec<&str> = match key {
        Key::Id(own) => vec!["id", own],
        Key::Said(said) => ["said"].into_iter().chain(said.iter().copied()).collect(),
    };
    let hash = digest(["migrate", namespace.as_str()].into_iter().chain(parts));
    let millis = at.map_or(0, Timestamp::as_millisecond).clamp(0, (1 << 48) - 1);
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
    bytes[6..].copy_from_slice(&hash.as_bytes()[..10]);
    bytes[6] = 0x70 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    MemoryId::from_bytes(bytes)
}

/// A digest of a list of texts, in which the borders between them count.
fn digest<'a>(parts: impl Iterator<Item = &'a str>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(namespace: &str, key: Key<'_>, millis: Option<i64>) -> MemoryId {
        let at = millis.map(|millis| Timestamp::from_millisecond(millis).unwrap());
        id(&namespace.parse().unwrap(), &key, at)
    }

    #[test]
    fn an_id_follows_from_where_and_what_and_when() {
        let own = of("a", Key::Id("기억-1"), Some(1_700_000_000_000));
        assert_eq!(own, of("a", Key::Id("기억-1"), Some(1_700_000_000_000)));
        for other in [
            of("b", Key::Id("기억-1"), Some(1_700_000_000_000)),
            of("a", Key::Id("기억-2"), Some(1_700_000_000_000)),
            of("a", Key::Id("기억-1"), None),
            of("a", Key::Said(["기억-1", "", ""]), Some(1_700_000_000_000)),
        ] {
            assert_ne!(own, other);
        }
        assert_ne!(of("a", Key::Said(["ab", "c", ""]), None), of("a", Key::Said(["a", "bc", ""]), None));
        let text = own.to_string();
        assert_eq!(&text[14..15], "7", "{text}");
        assert!(of("a", Key::Id("z"), Some(1_600_000_000_000)) < own, "ids sort by time");
    }

    #[test]
    fn a_uuid_stays_what_it_is_unless_it_is_nil() {
        let uuid = "6f1d9c1e-0a8b-4c58-9d5e-3f0f3ddc1a11";
        assert_eq!(of("a", Key::Id(uuid), None).to_string(), uuid);
        let nil = "00000000-0000-0000-0000-000000000000";
        assert_ne!(of("a", Key::Id(nil), None).to_string(), nil);
    }
}
