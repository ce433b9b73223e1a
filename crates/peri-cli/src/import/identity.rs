//! Ids for what other systems kept: the same record gets the same id however often it is read.

use perihelion::{MemoryId, Namespace, Timestamp};

/// What tells one imported record from every other.
pub(super) struct Origin<'a> {
    /// The system that kept it.
    pub(super) system: &'a str,
    /// Where it goes. The same record in two namespaces is two memories.
    pub(super) namespace: &'a Namespace,
    /// What the system calls it, or what stands for that.
    pub(super) key: &'a str,
    /// Which part of the record it is, from 0, where the record is cut into parts.
    pub(super) part: u16,
}

impl Origin<'_> {
    /// The id, laid out as a UUID of version 7: the time, the part, and a digest of the rest. So ids sort by the
    /// record's own time, and the parts of one record in their order. Without a time it sorts before all others.
    pub(super) fn id(&self, at: Option<Timestamp>) -> MemoryId {
        let millis = at.map_or(0, Timestamp::as_millisecond).clamp(0, (1 << 48) - 1);
        let part = self.part.to_be_bytes();
        let texts = [self.system, self.namespace.as_str(), self.key];
        let hash = digest(texts.map(str::as_bytes).iter().copied().chain([&part[..]]));
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&millis.to_be_bytes()[2..]);
        bytes[6] = 0x70 | (part[0] & 0x0f);
        bytes[7] = part[1];
        bytes[8..].copy_from_slice(&hash.as_bytes()[..8]);
        bytes[8] = 0x80 | (bytes[8] & 0x3f);
        MemoryId::from_bytes(bytes)
    }
}

/// A key for a record that its system gave none.
pub(super) fn key_of(parts: &[&str]) -> String {
    digest(parts.iter().map(|part| part.as_bytes())).to_hex()[..32].to_owned()
}

/// A digest of a list of texts, in which the borders between them count.
fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(system: &str, namespace: &str, key: &str, part: u16, millis: Option<i64>) -> MemoryId {
        let namespace = namespace.parse().unwrap();
        let at = millis.map(|millis| Timestamp::from_millisecond(millis).unwrap());
        Origin { system, namespace: &namespace, key, part }.id(at)
    }

    #[test]
    fn an_id_depends_on_every_part_of_where_it_came_from_and_on_nothing_else() {
        let own = id("mem0", "a", "1", 0, Some(1_700_000_000_000));
        assert_eq!(own, id("mem0", "a", "1", 0, Some(1_700_000_000_000)));
        let others = [
            id("claude", "a", "1", 0, Some(1_700_000_000_000)),
            id("mem0", "b", "1", 0, Some(1_700_000_000_000)),
            id("mem0", "a", "2", 0, Some(1_700_000_000_000)),
            id("mem0", "a", "1", 1, Some(1_700_000_000_000)),
        ];
        assert!(others.iter().all(|other| *other != own), "{own} {others:?}");
        assert_ne!(key_of(&["ab", "c"]), key_of(&["a", "bc"]));
    }

    #[test]
    fn ids_are_of_version_7_and_sort_by_time_and_part() {
        let sorted = [
            id("mem0", "a", "z", 0, None),
            id("mem0", "a", "y", 0, Some(1_700_000_000_000)),
            id("mem0", "a", "y", 1, Some(1_700_000_000_000)),
            id("mem0", "a", "y", 300, Some(1_700_000_000_000)),
            id("mem0", "a", "x", 0, Some(1_700_000_000_001)),
        ];
        assert!(sorted.is_sorted(), "{sorted:?}");
        for id in sorted {
            let text = id.to_string();
            assert_eq!(&text[14..15], "7", "{text}");
            assert!(matches!(&text[19..20], "8" | "9" | "a" | "b"), "{text}");
        }
        let before = id("mem0", "a", "x", 0, Some(-5));
        assert!(
            before.to_string().starts_with("00000000-0000-7"),
            "a time before 1970 counts as none: {before}"
        );
    }
}
