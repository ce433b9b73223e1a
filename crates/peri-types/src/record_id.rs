//! Ids of records that are not memories: UUIDs of version 7 like theirs, each a type of its own.

/// Text that is not the id of what was asked for. Fix the id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not the id of a {what} (they look like 0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a)")]
pub struct InvalidRecordId {
    /// What it should be the id of.
    pub what: &'static str,
    /// What was given.
    pub given: String,
}

macro_rules! identity {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name($crate::MemoryId);

        impl $name {
            /// A fresh id. Ids of one process sort in the order they were given.
            pub fn generate(now: jiff::Timestamp) -> Self {
                Self($crate::MemoryId::generate(now))
            }

            /// The sixteen bytes that stores keep.
            pub fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// The id with these bytes.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self($crate::MemoryId::from_bytes(bytes))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::InvalidRecordId;

            fn from_str(text: &str) -> Result<Self, $crate::InvalidRecordId> {
                let refused = |_| $crate::InvalidRecordId { what: $what, given: text.to_owned() };
                text.parse().map(Self).map_err(refused)
            }
        }
    };
}

pub(crate) use identity;
