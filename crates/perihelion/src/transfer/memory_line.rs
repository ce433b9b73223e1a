//! A memory with everything that belongs to it, as one line.

use peri_store::{Embedding, Links, Merge, WholeMemory};
use peri_types::{
    ChangeNumber, Context, EntryId, Facets, Importance, Kind, Layer, Memory, MemoryId, Namespace, Timestamp,
    TrashedBy, Vector, Version, Zone,
};
use serde::{Deserialize, Serialize};

use super::line::is_zero;

/// A memory with everything that belongs to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Flat", into = "Flat")]
pub(crate) struct MemoryLine {
    pub(crate) memory: Memory,
    pub(crate) versions: Vec<Version>,
    pub(crate) recalls: u64,
    pub(crate) last_used_at: Option<Timestamp>,
    pub(crate) merge: Option<Merge>,
    pub(crate) links: Links,
    /// The vector that came along. An export writes none.
    pub(crate) vector: Offered,
}

/// A vector that came along with a memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Offered {
    /// There was none.
    #[default]
    Nothing,
    /// Weights of terms, which are no place in a space.
    Sparse,
    /// One that cannot be of the space at work, or is damaged.
    Unusable,
    /// One of this space, as far as was said.
    Dense(Vector),
}

impl MemoryLine {
    /// The memory as a store takes it over.
    pub(super) fn with(self, embedding: Embedding) -> WholeMemory {
        let Self { memory, versions, recalls, last_used_at, merge, links, vector: _ } = self;
        WholeMemory { memory, versions, recalls, last_used_at, embedding, merge, links }
    }
}

/// The same without any nesting: reading nested parts that are written flat would go through a copy of the line.
#[derive(Serialize, Deserialize)]
struct Flat {
    id: MemoryId,
    namespace: Namespace,
    content: String,
    layer: Layer,
    kind: Kind,
    importance: Importance,
    #[serde(default)]
    zone: Zone,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<EntryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    occurred_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_until: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    superseded_by: Option<MemoryId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "Context::is_empty")]
    context: Context,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promoted_from: Option<Layer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    promoted_to: Option<MemoryId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    promotion_undone: bool,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    metadata: serde_json::Map<String, serde_json::Value>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trashed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trashed_by: Option<TrashedBy>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    versions: Vec<Version>,
    #[serde(default, skip_serializing_if = "is_zero")]
    recalls: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_used_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    merge: Option<Merge>,
    /// Its links have not been looked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unlinked: bool,
    /// Its vector, taken if it is of the space at work.
    #[serde(default, skip_serializing)]
    vector: Option<Vector>,
}

impl From<MemoryLine> for Flat {
    // Every field is named, so that a new one cannot be left out unnoticed. Which space its vector is in and which
    // change last touched it is this store's own affair.
    #[rustfmt::skip]
    fn from(line: MemoryLine) -> Self {
        let MemoryLine { memory, versions, recalls, last_used_at, merge, links, vector: _ } = line;
        let Memory {
            id, namespace, content, layer, kind, importance, zone, facets, created_at, updated_at, version,
            trashed_at, trashed_by, space: _, change: _,
        } = memory;
        let Facets {
            tags, aliases, session, speaker, source, entry, occurred_at, expires_at, valid_from, valid_until, superseded_by,
            pinned, key, context, data, promoted_from, promoted_to, promotion_undone, metadata,
        } = facets;
        let unlinked = links == Links::Later;
        Self {
            id, namespace, content, layer, kind, importance, zone,
            tags, aliases, session, speaker, source, entry, occurred_at, expires_at, valid_from, valid_until, superseded_by,
            pinned, key, context, data, promoted_from, promoted_to, promotion_undone, metadata,
            created_at, updated_at, version, trashed_at, trashed_by,
            versions, recalls, last_used_at, merge, unlinked, vector: None,
        }
    }
}

impl From<Flat> for MemoryLine {
    fn from(flat: Flat) -> Self {
        let facets = Facets {
            tags: flat.tags,
            aliases: flat.aliases,
            session: flat.session,
            speaker: flat.speaker,
            source: flat.source,
            entry: flat.entry,
            occurred_at: flat.occurred_at,
            expires_at: flat.expires_at,
            valid_from: flat.valid_from,
            valid_until: flat.valid_until,
            superseded_by: flat.superseded_by,
            pinned: flat.pinned,
            key: flat.key,
            context: flat.context,
            data: flat.data,
            promoted_from: flat.promoted_from,
            promoted_to: flat.promoted_to,
            promotion_undone: flat.promotion_undone,
            metadata: flat.metadata,
        };
        let memory = Memory {
            id: flat.id,
            namespace: flat.namespace,
            content: flat.content,
            layer: flat.layer,
            kind: flat.kind,
            importance: flat.importance,
            zone: flat.zone,
            facets,
            created_at: flat.created_at,
            updated_at: flat.updated_at,
            version: flat.version,
            trashed_at: flat.trashed_at,
            trashed_by: flat.trashed_by,
            space: None,
            change: ChangeNumber(0),
        };
        Self {
            memory,
            versions: flat.versions,
            recalls: flat.recalls,
            last_used_at: flat.last_used_at,
            merge: flat.merge,
            links: if flat.unlinked { Links::Later } else { Links::Sought },
            vector: flat.vector.map_or(Offered::Nothing, Offered::Dense),
        }
    }
}
