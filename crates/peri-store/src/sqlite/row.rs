//! Between rows and records.

use peri_types::{ChangeNumber, Facets, Importance, Kind, Layer, Memory, MemoryId, SpaceId, Timestamp, Zone};
use rusqlite::Row;
use serde::de::DeserializeOwned;

use super::error::Trouble;

macro_rules! columns {
    ($superseded_by:expr, $valid_until:expr) => {
        concat!(
            "m.id, n.path, m.content, m.layer, m.kind, m.importance, m.pinned, m.tags, m.aliases,
    m.session, m.speaker, m.source, m.occurred_at, m.expires_at, ",
            $superseded_by,
            ", m.metadata, m.created_at,
    m.updated_at, m.version, m.trashed_at, s.model, s.dimensions, m.change, m.zone, m.valid_from, ",
            $valid_until,
            ", m.key, m.context, m.data, m.promoted_from, m.promotion_undone"
        )
    };
}

macro_rules! columns_as_seen {
    () => {
        columns!(
            "CASE WHEN EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = m.namespace_id
                AND t.id = m.superseded_by AND t.trashed_at IS NOT NULL) THEN NULL ELSE m.superseded_by END",
            "coalesce(m.valid_until, (SELECT coalesce(t.valid_from, t.occurred_at, t.created_at) FROM memories t
                WHERE t.namespace_id = m.namespace_id AND t.id = m.superseded_by AND t.trashed_at IS NULL))"
        )
    };
}

macro_rules! tables {
    () => {
        "memories m JOIN namespaces n ON n.id = m.namespace_id LEFT JOIN spaces s ON s.id = m.space_id"
    };
}

/// The columns [`memory`] reads, and the tables they come from. While the memory that took its place lies in the
/// trash, a memory is current again. What was replaced held until its successor did, unless it says otherwise.
pub(super) const MEMORY: &str = concat!("SELECT ", columns_as_seen!(), ", m.namespace_id FROM ", tables!());

/// The same without regard to the memory that took its place.
pub(super) const MEMORY_AS_KEPT: &str =
    concat!("SELECT ", columns!("m.superseded_by", "m.valid_until"), ", m.namespace_id FROM ", tables!());

/// The same with the memory's vector `v` in the space `w`, which the statement must join, as a further column.
pub(super) const MEMORY_AND_VECTOR: &str =
    concat!("SELECT ", columns_as_seen!(), ", m.namespace_id, v.value FROM ", tables!());

/// The column after those of [`MEMORY`]'s record: the namespace's number.
pub(super) const NAMESPACE_ID: usize = 31;

/// The record in a row that was selected by [`MEMORY`].
pub(super) fn memory(row: &Row<'_>) -> Result<Memory, Trouble> {
    let space = match (row.get::<_, Option<String>>(20)?, row.get::<_, Option<u32>>(21)?) {
        (Some(model), Some(dimensions)) => Some(SpaceId { model, dimensions }),
        _ => None,
    };
    Ok(Memory {
        id: id(row.get(0)?),
        namespace: row.get::<_, String>(1)?.parse().map_err(malformed)?,
        content: row.get(2)?,
        layer: layer(row.get(3)?)?,
        kind: Kind::from_code(row.get(4)?).ok_or_else(|| malformed("unknown kind"))?,
        importance: Importance::new(row.get(5)?).map_err(malformed)?,
        zone: zone(row.get(23)?)?,
        facets: facets(row)?,
        created_at: time(row.get(16)?)?,
        updated_at: time(row.get(17)?)?,
        version: row.get(18)?,
        trashed_at: optional_time(row.get(19)?)?,
        space,
        change: ChangeNumber(row.get(22)?),
    })
}

fn facets(row: &Row<'_>) -> Result<Facets, Trouble> {
    Ok(Facets {
        pinned: row.get(6)?,
        tags: json(row.get(7)?)?,
        aliases: json(row.get(8)?)?,
        session: row.get(9)?,
        speaker: row.get(10)?,
        source: row.get(11)?,
        occurred_at: optional_time(row.get(12)?)?,
        expires_at: optional_time(row.get(13)?)?,
        valid_from: optional_time(row.get(24)?)?,
        valid_until: optional_time(row.get(25)?)?,
        superseded_by: row.get::<_, Option<[u8; 16]>>(14)?.map(id),
        metadata: json(row.get(15)?)?,
        key: row.get(26)?,
        context: json(row.get(27)?)?,
        data: json(row.get(28)?)?,
        promoted_from: row.get::<_, Option<u8>>(29)?.map(layer).transpose()?,
        promotion_undone: row.get(30)?,
    })
}

pub(super) fn id(bytes: [u8; 16]) -> MemoryId {
    MemoryId::from_bytes(bytes)
}

pub(super) fn time(millis: i64) -> Result<Timestamp, Trouble> {
    // The last moment that can be told has a fraction of a second less than the last that can be written.
    Timestamp::from_millisecond(millis.min(Timestamp::MAX.as_second() * 1000)).map_err(malformed)
}

pub(super) fn layer(code: u8) -> Result<Layer, Trouble> {
    Layer::from_code(code).ok_or_else(|| malformed("unknown layer"))
}

pub(super) fn zone(code: u8) -> Result<Zone, Trouble> {
    Zone::from_code(code).ok_or_else(|| malformed("unknown zone"))
}

pub(super) fn optional_time(millis: Option<i64>) -> Result<Option<Timestamp>, Trouble> {
    millis.map(time).transpose()
}

/// Lists and maps are kept as JSON, and as NULL when they are empty.
pub(super) fn json<T: DeserializeOwned + Default>(text: Option<String>) -> Result<T, Trouble> {
    text.map_or_else(|| Ok(T::default()), |text| serde_json::from_str(&text).map_err(malformed))
}

pub(super) fn malformed(why: impl ToString) -> Trouble {
    Trouble::Malformed(why.to_string())
}
