//! Between rows and records.

use super::connection::Row;
use peri_types::{
    ChangeNumber, EntryId, Facets, Importance, Kind, Layer, Memory, MemoryId, SpaceId, Timestamp, TrashedBy,
    Zone,
};
use rusqlite::{ToSql, params};
use serde::de::DeserializeOwned;

use super::apply::{Ledger, written};
use super::trouble::Trouble;
use crate::{Embedding, Links, vectors};

/// What the column `embedding` says: it waits for a vector, it has one in its space, it will not have one.
const WAITS: u8 = 0;
const EMBEDDED: u8 = 1;
const NEVER: u8 = 2;

macro_rules! columns {
    ($superseded_by:expr, $valid_until:expr) => {
        concat!(
            "m.id, n.path, m.content, m.layer, m.kind, m.importance, m.pinned, m.tags, m.aliases,
    m.session, m.speaker, m.source, m.occurred_at, m.expires_at, ",
            $superseded_by,
            ", m.metadata, m.created_at,
    m.updated_at, m.version, m.trashed_at, s.model, s.dimensions, m.change, m.zone, m.valid_from, ",
            $valid_until,
            ", m.key, m.context, m.data, m.promoted_from, m.promotion_undone, m.promoted_to, m.entry, m.trashed_by"
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

/// The same select, with the memories found by an index. It is advice for SQLite, whose planner knows nothing of how many
/// memories there are and takes the order of the table.
pub(super) fn by_index(select: &str, index: &str) -> String {
    select.replacen("FROM memories m ", &format!("FROM memories m INDEXED BY {index} "), 1)
}

/// The column after those of [`MEMORY`]'s record: the namespace's number.
pub(super) const NAMESPACE_ID: usize = 34;

/// The record in a row that was selected by [`MEMORY`].
pub(super) fn memory(row: Row<'_>) -> Result<Memory, Trouble> {
    let space = match (row.get::<Option<String>>(20)?, row.get::<Option<u32>>(21)?) {
        (Some(model), Some(dimensions)) => Some(SpaceId { model, dimensions }),
        _ => None,
    };
    Ok(Memory {
        id: id(row.get(0)?),
        namespace: row.get::<String>(1)?.parse().map_err(malformed)?,
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
        trashed_by: row.get::<Option<u8>>(33)?.and_then(TrashedBy::from_code),
        space,
        change: ChangeNumber(row.get(22)?),
    })
}

fn facets(row: Row<'_>) -> Result<Facets, Trouble> {
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
        superseded_by: row.get::<Option<[u8; 16]>>(14)?.map(id),
        metadata: json(row.get(15)?)?,
        key: row.get(26)?,
        context: json(row.get(27)?)?,
        data: json(row.get(28)?)?,
        promoted_from: row.get::<Option<u8>>(29)?.map(layer).transpose()?,
        promotion_undone: row.get(30)?,
        promoted_to: row.get::<Option<[u8; 16]>>(31)?.map(id),
        entry: row.get::<Option<[u8; 16]>>(32)?.map(EntryId::from_bytes),
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

macro_rules! insert_memory {
    ($on_conflict:expr) => {
        concat!(
            "INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, tags,
             aliases, expires_at, valid_from, metadata, updated_at, version, trashed_at, change, context, data,
             promotion_undone, promoted_to, trashed_by, session, speaker, source, occurred_at, created_at, superseded_by,
             valid_until, zone, linked, key, promoted_from, embedding, space_id, arrived_at, entry) VALUES
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
             ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37)",
            $on_conflict
        )
    };
}

/// What is written of a new memory besides its record.
struct Beside {
    links: Links,
    embedding: u8,
    space: Option<i64>,
    arrived_at: Option<Timestamp>,
}

impl Ledger<'_> {
    /// Writes a new memory with its meaning under a new change number, unless its id is taken or another outside the
    /// trash makes its statement. Whether it was written is the answer.
    pub(super) fn insert_if_new(
        &mut self,
        namespace: i64,
        memory: &mut Memory,
        embedding: &Embedding,
        links: Links,
        arrived_at: Option<Timestamp>,
    ) -> Result<bool, Trouble> {
        let (state, space) = match embedding {
            Embedding::Ready(vector) if self.answers(&vector.space)? => {
                (EMBEDDED, Some(self.known_space(&vector.space)?))
            }
            Embedding::NotApplicable(space) if self.answers(space)? => (NEVER, None),
            // The engine in use is another one meanwhile, and will be asked.
            Embedding::Pending | Embedding::Ready(_) | Embedding::NotApplicable(_) => (WAITS, None),
        };
        memory.change = self.coming_change();
        let beside = Beside { links, embedding: state, space, arrived_at };
        if self.insert_record(insert_memory!(" ON CONFLICT DO NOTHING"), namespace, memory, &beside)? == 0 {
            return Ok(false);
        }
        memory.change = self.next_change(namespace)?;
        memory.space = match (embedding, space) {
            (Embedding::Ready(vector), Some(space)) => {
                self.put_vector(namespace, memory.id, space, &vector.values)?;
                Some(vector.space.clone())
            }
            _ => None,
        };
        Ok(true)
    }

    /// Writes a new memory that waits for its meaning.
    pub(super) fn insert(&self, namespace: i64, memory: &Memory, links: Links) -> Result<(), Trouble> {
        let beside = Beside { links, embedding: WAITS, space: None, arrived_at: None };
        self.insert_record(insert_memory!(""), namespace, memory, &beside)?;
        Ok(())
    }

    fn insert_record(
        &self,
        sql: &str,
        namespace: i64,
        memory: &Memory,
        beside: &Beside,
    ) -> Result<usize, Trouble> {
        let facets = &memory.facets;
        self.write_record(
            sql,
            namespace,
            memory,
            params![
                facets.session,
                facets.speaker,
                facets.source,
                facets.occurred_at.map(Timestamp::as_millisecond),
                memory.created_at.as_millisecond(),
                facets.superseded_by.as_ref().map(MemoryId::as_bytes),
                facets.valid_until.map(Timestamp::as_millisecond),
                memory.zone.code(),
                beside.links == Links::Sought,
                facets.key,
                facets.promoted_from.map(Layer::code),
                beside.embedding,
                beside.space,
                beside.arrived_at.map(Timestamp::as_millisecond),
                facets.entry.as_ref().map(EntryId::as_bytes),
            ],
        )
    }

    /// Writes a changed record under a new change number. Vectors are not touched, nor are what took its place
    /// and until when it held: those are read in the light of other memories.
    pub(super) fn update(&mut self, namespace: i64, memory: &mut Memory) -> Result<(), Trouble> {
        memory.change = self.next_change(namespace)?;
        self.write_record(
            "UPDATE memories SET content = ?3, fingerprint = ?4, layer = ?5, kind = ?6, importance = ?7, pinned = ?8,
             tags = ?9, aliases = ?10, expires_at = ?11, valid_from = ?12, metadata = ?13, updated_at = ?14,
             version = ?15, trashed_at = ?16, change = ?17, context = ?18, data = ?19, promotion_undone = ?20,
             promoted_to = ?21, trashed_by = ?22 WHERE namespace_id = ?1 AND id = ?2",
            namespace,
            memory,
            &[],
        )?;
        Ok(())
    }

    /// Executes a statement that takes a record: what it is found by and what may change of it as ?1 to ?22,
    /// and after them what never changes, if the statement wants it. How many rows it wrote is the answer.
    fn write_record(
        &self,
        sql: &str,
        namespace: i64,
        memory: &Memory,
        unchanging: &[&dyn ToSql],
    ) -> Result<usize, Trouble> {
        let facets = &memory.facets;
        let changing = params![
            namespace,
            memory.id.as_bytes(),
            memory.content,
            memory.fingerprint().0,
            memory.layer.code(),
            memory.kind.code(),
            f64::from(memory.importance),
            facets.pinned,
            list(&facets.tags)?,
            list(&facets.aliases)?,
            facets.expires_at.map(Timestamp::as_millisecond),
            facets.valid_from.map(Timestamp::as_millisecond),
            if facets.metadata.is_empty() { None } else { Some(written(&facets.metadata)?) },
            memory.updated_at.as_millisecond(),
            memory.version,
            memory.trashed_at.map(Timestamp::as_millisecond),
            memory.change.0,
            if facets.context.is_empty() { None } else { Some(written(&facets.context)?) },
            facets.data.as_ref().map(written).transpose()?,
            facets.promotion_undone,
            facets.promoted_to.as_ref().map(MemoryId::as_bytes),
            memory.trashed_by.map(TrashedBy::code),
        ];
        let parameters = Vec::from_iter(changing.iter().chain(unchanging));
        self.connection.prepare_cached(sql)?.execute(parameters)
    }

    /// Writes what is known of a memory's meaning.
    pub(super) fn set_embedding(
        &mut self,
        namespace: i64,
        memory: &mut Memory,
        embedding: &Embedding,
    ) -> Result<(), Trouble> {
        let (state, space) = match embedding {
            Embedding::Ready(vector) if self.answers(&vector.space)? => {
                let space = self.space_number(&vector.space)?;
                self.put_vector(namespace, memory.id, space, &vector.values)?;
                memory.space = Some(vector.space.clone());
                (EMBEDDED, Some(space))
            }
            Embedding::NotApplicable(space) if self.answers(space)? => (NEVER, None),
            Embedding::Pending | Embedding::Ready(_) | Embedding::NotApplicable(_) => (WAITS, None),
        };
        if space.is_none() {
            memory.space = None;
        }
        self.connection
            .prepare_cached(
                "UPDATE memories SET embedding = ?3, space_id = ?4 WHERE namespace_id = ?1 AND id = ?2",
            )?
            .execute(params![namespace, memory.id.as_bytes(), state, space])?;
        Ok(())
    }

    pub(super) fn put_vector(
        &self,
        namespace: i64,
        id: MemoryId,
        space: i64,
        values: &[f32],
    ) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO vectors (namespace_id, id, space_id, value) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (namespace_id, id, space_id) DO UPDATE SET value = excluded.value",
            )?
            .execute(params![namespace, id.as_bytes(), space, vectors::encode(values)])?;
        Ok(())
    }
}

fn list(labels: &[String]) -> Result<Option<String>, Trouble> {
    if labels.is_empty() { Ok(None) } else { written(labels).map(Some) }
}
