//! Everything that only looks.

use std::sync::LazyLock;

use super::connection::{Connection, Dialect, Optional};
use peri_types::{
    ChangeNumber, Fingerprint, Kind, Layer, Memory, MemoryId, Namespace, Scope, SpaceId, Timestamp, Version,
};
use rusqlite::params;
use rusqlite::types::Value;

use super::trouble::Trouble;
use super::{edges, row};
use crate::{Change, Lease, ListQuery, NamespaceStats, Order, Page, Trashed, vectors};

/// One memory and its namespace's number, if it lies in the scope. One that several namespaces of it hold is none.
pub(super) fn find(
    connection: &Connection,
    scope: &Scope,
    id: MemoryId,
) -> Result<Option<(i64, Memory)>, Trouble> {
    static EXACTLY: LazyLock<String> =
        LazyLock::new(|| format!("{} WHERE n.path = ?2 AND m.id = ?1", row::MEMORY));
    static ANYWHERE: LazyLock<String> = LazyLock::new(|| format!("{} WHERE m.id = ?1", row::MEMORY));
    let exact = matches!(scope, Scope::Exact(_));
    let mut statement = connection.prepare_cached(if exact { &EXACTLY } else { &ANYWHERE })?;
    let mut rows = match scope {
        Scope::Exact(path) => statement.query(params![id.as_bytes(), path.as_str()])?,
        _ => statement.query(params![id.as_bytes()])?,
    };
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let memory = row::memory(row)?;
        if scope.contains(&memory.namespace) {
            found.push((memory.namespace.clone(), (row.get(row::NAMESPACE_ID)?, memory)));
        }
    }
    super::ids::only(id, found)
}

pub(super) fn get(connection: &Connection, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, Trouble> {
    // One transaction for all: beginning one costs as much as finding a memory.
    let _moment = if ids.len() > 1 { super::connection::moment(connection)? } else { None };
    let mut memories = Vec::with_capacity(ids.len());
    for id in ids {
        memories.extend(find(connection, scope, *id)?.map(|(_, memory)| memory));
    }
    Ok(memories)
}

/// A namespace's number, if it exists.
pub(crate) fn namespace_number(connection: &Connection, path: &Namespace) -> Result<Option<i64>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT id FROM namespaces WHERE path = ?1")?;
    statement.query_row([path.as_str()], |row| row.get(0)).optional()
}

/// The namespace with a number.
pub(super) fn path_of(connection: &Connection, number: i64) -> Result<Namespace, Trouble> {
    let mut statement = connection.prepare_cached("SELECT path FROM namespaces WHERE id = ?1")?;
    statement.query_row([number], |row| row.get::<String>(0))?.parse().map_err(row::malformed)
}

pub(super) fn namespace_numbers(
    connection: &Connection,
    scope: &Scope,
) -> Result<Vec<(i64, Namespace)>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT id, path FROM namespaces ORDER BY path")?;
    let mut rows = statement.query(params![])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let path: Namespace = row.get::<String>(1)?.parse().map_err(row::malformed)?;
        if scope.contains(&path) {
            found.push((row.get(0)?, path));
        }
    }
    Ok(found)
}

pub(super) fn list(connection: &Connection, query: &ListQuery) -> Result<Page, Trouble> {
    let mut conditions = Conditions::new(connection.dialect());
    if !conditions.add_scope(connection, &query.scope)? {
        return Ok(Page { memories: Vec::new(), next: None });
    }
    conditions.add_query(query);
    let mut statement = connection.prepare(&listing(query, &conditions))?;
    let mut rows = statement.query(Vec::from_iter(conditions.values))?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        memories.push(row::memory(row)?);
    }
    let more = memories.len() > query.limit;
    memories.truncate(query.limit);
    let next = if more { memories.last().map(|memory| memory.id) } else { None };
    Ok(Page { memories, next })
}

pub(super) fn listing(query: &ListQuery, conditions: &Conditions) -> String {
    let select = if query.as_kept { row::MEMORY_AS_KEPT } else { row::MEMORY };
    let direction = if query.order == Order::NewestFirst { "DESC" } else { "ASC" };
    format!(
        "{} WHERE {} ORDER BY m.id {direction} LIMIT {}",
        index_for(query).map_or_else(|| select.to_owned(), |index| row::by_index(select, index)),
        conditions.sql.join(" AND "),
        query.limit.saturating_add(1)
    )
}

/// The index that holds what is asked for and little else. Without being told, SQLite reads the whole namespace.
fn index_for(query: &ListQuery) -> Option<&'static str> {
    match query.trashed {
        Trashed::Only => query.trashed_before.map(|_| "memories_in_trash"),
        Trashed::Without if query.superseded_by.is_some() => Some("memories_superseded"),
        Trashed::Without if query.unlinked => Some("memories_unlinked"),
        Trashed::Without if query.unembedded => Some("memories_unembedded"),
        Trashed::Without => None,
    }
}

/// A WHERE clause as it grows.
pub(super) struct Conditions {
    dialect: Dialect,
    pub(super) sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, sql: Vec::new(), values: Vec::new() }
    }

    fn add(&mut self, sql: &str, value: impl Into<Value>) {
        self.sql.push(sql.to_owned());
        self.values.push(value.into());
    }

    /// `false` when the scope holds no namespace, so that there is nothing to ask.
    fn add_scope(&mut self, connection: &Connection, scope: &Scope) -> Result<bool, Trouble> {
        let numbers = namespace_numbers(connection, scope)?;
        let list = numbers.iter().map(|(number, _)| number.to_string()).collect::<Vec<_>>().join(", ");
        self.sql.push(format!("m.namespace_id IN ({list})"));
        Ok(!numbers.is_empty())
    }

    pub(super) fn add_query(&mut self, query: &ListQuery) {
        let trashed =
            if query.trashed == Trashed::Only { "m.trashed_at IS NOT NULL" } else { "m.trashed_at IS NULL" };
        self.sql.push(trashed.to_owned());
        if let Some(before) = query.trashed_before {
            // What was imported has lain here for as long as it has been here.
            self.add("m.trashed_at < ?", before.as_millisecond());
            self.add("coalesce(m.arrived_at < ?, true)", before.as_millisecond());
        }
        if query.unembedded {
            self.sql.push("m.embedding = 0".to_owned());
        }
        if let Some(space) = &query.lacking {
            self.add_lacking(space);
        }
        if query.unlinked {
            self.sql.push("m.linked = 0".to_owned());
        }
        if query.superseded_by.is_none() && !query.as_kept && query.trashed == Trashed::Without {
            // What was promoted is seen as what it became.
            self.sql.push("m.promoted_to IS NULL".to_owned());
        }
        if let Some(newer) = query.superseded_by {
            self.add("m.superseded_by = ?", newer.as_bytes().to_vec());
        }
        if let Some(entry) = query.entry {
            self.add("m.entry = ?", entry.as_bytes().to_vec());
        }
        self.add_codes("m.zone", query.zones.iter().map(|zone| zone.code()));
        if let Some(now) = query.now {
            // What has expired lies in the trash to be seen there; from working memory it is gone.
            let seen = match query.trashed {
                Trashed::Without => "(m.expires_at IS NULL OR m.expires_at > ?)",
                Trashed::Only => "(m.layer <> 0 OR m.expires_at IS NULL OR m.expires_at > ?)",
            };
            self.add(seen, now.as_millisecond());
        }
        if let Some(after) = query.after {
            let comparison = if query.order == Order::NewestFirst { "m.id < ?" } else { "m.id > ?" };
            self.add(comparison, after.as_bytes().to_vec());
        }
        self.add_filter(&query.filter);
    }

    fn add_lacking(&mut self, space: &SpaceId) {
        self.sql.push(
            "NOT EXISTS (SELECT 1 FROM vectors v JOIN spaces w ON w.id = v.space_id
             WHERE v.namespace_id = m.namespace_id AND v.id = m.id AND w.model = ? AND w.dimensions = ?)"
                .to_owned(),
        );
        self.values.extend([Value::from(space.model.clone()), Value::from(i64::from(space.dimensions))]);
    }

    fn add_filter(&mut self, filter: &peri_types::Filter) {
        self.add_codes("m.layer", filter.layers.iter().map(|layer| layer.code()));
        self.add_codes("m.kind", filter.kinds.iter().map(|kind| kind.code()));
        for tag in &filter.tags {
            self.add(
                match self.dialect {
                    Dialect::Sqlite => "EXISTS (SELECT 1 FROM json_each(m.tags) WHERE value = ?)",
                    Dialect::Postgres => "jsonb_exists(CAST(m.tags AS jsonb), ?)",
                    Dialect::Mysql => "JSON_CONTAINS(m.tags, JSON_QUOTE(?))",
                },
                tag.clone(),
            );
        }
        if let Some(since) = filter.since_millis() {
            self.add("coalesce(m.occurred_at, m.created_at) >= ?", since);
        }
        if let Some(until) = filter.until_millis() {
            self.add("coalesce(m.occurred_at, m.created_at) < ?", until);
        }
        if let Some(session) = &filter.session {
            self.add("m.session = ?", session.clone());
        }
        if let Some(speaker) = &filter.speaker {
            self.add("m.speaker = ?", speaker.clone());
        }
        for asked in &filter.context {
            self.add_circumstance(asked);
        }
        if let Some(pinned) = filter.pinned {
            self.add("m.pinned = ?", i64::from(pinned));
        }
    }

    fn add_circumstance(&mut self, asked: &peri_types::Circumstance) {
        let (side, name, value) = (asked.aspect.as_str(), asked.name.clone(), asked.value.clone());
        let (sql, values) = match self.dialect {
            Dialect::Sqlite => (
                "EXISTS (SELECT 1 FROM json_each(m.context, ?) WHERE key = ? AND value = ?)",
                vec![format!("$.{side}"), name, value],
            ),
            // It cannot take out a value that holds the one character which its texts cannot.
            Dialect::Postgres => (
                "CASE WHEN strpos(m.context, '\\u0000') = 0
                 THEN CAST(m.context AS json) -> ? ->> ? = ? ELSE false END",
                vec![side.to_owned(), name, value],
            ),
            Dialect::Mysql => (
                "JSON_CONTAINS(m.context, JSON_QUOTE(?), ?)",
                vec![value, format!("$.{side}.{}", serde_json::Value::from(name))],
            ),
        };
        self.sql.push(sql.to_owned());
        self.values.extend(values.into_iter().map(Value::from));
    }

    fn add_codes(&mut self, column: &str, codes: impl Iterator<Item = u8>) {
        let list = codes.map(|code| code.to_string()).collect::<Vec<_>>().join(", ");
        if !list.is_empty() {
            self.sql.push(format!("{column} IN ({list})"));
        }
    }
}

pub(super) fn versions(
    connection: &Connection,
    path: &Namespace,
    id: MemoryId,
) -> Result<Vec<Version>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT v.version, v.content, v.since, v.until FROM versions v JOIN namespaces n ON n.id = v.namespace_id
         WHERE n.path = ?1 AND v.id = ?2 ORDER BY v.version",
    )?;
    let mut rows = statement.query(params![path.as_str(), id.as_bytes()])?;
    let mut versions = Vec::new();
    while let Some(row) = rows.next()? {
        let (since, until) = (row::time(row.get(2)?)?, row::time(row.get(3)?)?);
        versions.push(Version { version: row.get(0)?, content: row.get(1)?, since, until });
    }
    Ok(versions)
}

pub(super) fn head(connection: &Connection, path: &Namespace) -> Result<ChangeNumber, Trouble> {
    let mut statement = connection.prepare_cached("SELECT change FROM namespaces WHERE path = ?1")?;
    let head = statement.query_row([path.as_str()], |row| row.get(0)).optional()?;
    Ok(ChangeNumber(head.unwrap_or(0)))
}

pub(crate) fn lineage(connection: &Connection, at: ChangeNumber) -> Result<String, Trouble> {
    let sql = "SELECT mark FROM lineage WHERE change <= ?1 ORDER BY change DESC, number DESC LIMIT 1";
    let mark = connection.prepare_cached(sql)?.query_row([at.0], |row| row.get(0)).optional()?;
    Ok(mark.unwrap_or_default())
}

pub(super) fn changes(
    connection: &Connection,
    path: &Namespace,
    space: Option<&SpaceId>,
    after: ChangeNumber,
    limit: usize,
) -> Result<Vec<Change>, Trouble> {
    // One snapshot for both tables, so that a purge between two reads cannot hide a change.
    let _moment = super::connection::moment(connection)?;
    let mut changes = puts(connection, path, space, after, limit)?;
    changes.extend(burials(connection, path, after, limit)?);
    changes.sort_by_key(Change::number);
    // Past the limit one table may have been cut short where the other was not.
    changes.truncate(limit);
    Ok(changes)
}

fn puts(
    connection: &Connection,
    path: &Namespace,
    space: Option<&SpaceId>,
    after: ChangeNumber,
    limit: usize,
) -> Result<Vec<Change>, Trouble> {
    static SQL: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{} LEFT JOIN spaces w ON w.model = ?3 AND w.dimensions = ?4
         LEFT JOIN vectors v ON v.namespace_id = m.namespace_id AND v.id = m.id AND v.space_id = w.id
         WHERE m.namespace_id = (SELECT id FROM namespaces WHERE path = ?1) AND m.change > ?2
         ORDER BY m.change LIMIT ?5",
            row::MEMORY_AND_VECTOR
        )
    });
    let mut statement = connection.prepare_cached(&SQL)?;
    let (model, dimensions) = space.map_or(("", 0), |space| (space.model.as_str(), space.dimensions));
    let mut rows = statement.query(params![path.as_str(), after.0, model, dimensions, limit])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let memory = Box::new(row::memory(row)?);
        changes.push(if memory.trashed_at.is_some() {
            Change::Gone { id: memory.id, change: memory.change }
        } else {
            let bytes: Option<Vec<u8>> = row.get(row::NAMESPACE_ID + 1)?;
            // An empty one says that there is none.
            let bytes = bytes.filter(|bytes| !bytes.is_empty());
            Change::Put { memory, vector: bytes.map(|bytes| vectors::decode(&bytes)) }
        });
    }
    Ok(changes)
}

fn burials(
    connection: &Connection,
    path: &Namespace,
    after: ChangeNumber,
    limit: usize,
) -> Result<Vec<Change>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT t.id, t.change FROM tombstones t JOIN namespaces n ON n.id = t.namespace_id
         WHERE n.path = ?1 AND t.change > ?2 ORDER BY t.change LIMIT ?3",
    )?;
    let mut rows = statement.query(params![path.as_str(), after.0, limit])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        changes.push(Change::Gone { id: row::id(row.get(0)?), change: ChangeNumber(row.get(1)?) });
    }
    Ok(changes)
}

pub(super) fn stats(connection: &Connection, scope: &Scope) -> Result<Vec<NamespaceStats>, Trouble> {
    let _moment = super::connection::moment(connection)?;
    let numbers = namespace_numbers(connection, scope)?;
    numbers.into_iter().map(|(number, namespace)| namespace_stats(connection, number, namespace)).collect()
}

fn namespace_stats(
    connection: &Connection,
    number: i64,
    namespace: Namespace,
) -> Result<NamespaceStats, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT layer, kind, trashed_at IS NOT NULL, embedding = 0, count(*), sum(octet_length(content)), zone,
         superseded_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = m.namespace_id
             AND t.id = m.superseded_by AND t.trashed_at IS NOT NULL)
         FROM memories m WHERE namespace_id = ?1 GROUP BY 1, 2, 3, 4, 7, 8",
    )?;
    let mut rows = statement.query([number])?;
    let head = head(connection, &namespace)?;
    let (kinds, layers) = (Vec::new(), Vec::new());
    let mut stats = NamespaceStats {
        namespace,
        memories: 0,
        trashed: 0,
        unembedded: 0,
        kinds,
        layers,
        content_bytes: 0,
        unlinked: unlinked(connection, number)?,
        zones: Vec::new(),
        edges: edges::count(connection, number)?,
        settled_at: settled_at(connection, number)?,
        head,
    };
    while let Some(row) = rows.next()? {
        let layer = Layer::from_code(row.get(0)?).ok_or_else(|| row::malformed("unknown layer"))?;
        let kind = Kind::from_code(row.get(1)?).ok_or_else(|| row::malformed("unknown kind"))?;
        let count: u64 = row.get(4)?;
        if row.get(2)? {
            stats.trashed += count;
            continue;
        }
        stats.memories += count;
        stats.unembedded += if row.get(3)? { count } else { 0 };
        stats.content_bytes += row.get::<u64>(5)?;
        add_to(&mut stats.kinds, kind, count);
        add_to(&mut stats.layers, layer, count);
        let superseded: bool = row.get(7)?;
        if !superseded {
            add_to(&mut stats.zones, row::zone(row.get(6)?)?, count);
        }
    }
    stats.zones.sort_by_key(|(zone, _)| *zone);
    stats.kinds.sort_by_key(|(kind, _)| *kind);
    stats.layers.sort_by_key(|(layer, _)| *layer);
    Ok(stats)
}

pub(super) const COUNT_UNLINKED: &str = "SELECT count(*) FROM memories INDEXED BY memories_unlinked
    WHERE namespace_id = ?1 AND linked = 0 AND trashed_at IS NULL";

fn unlinked(connection: &Connection, number: i64) -> Result<u64, Trouble> {
    connection.prepare_cached(COUNT_UNLINKED)?.query_row([number], |row| row.get(0))
}

pub(super) fn settled_at(connection: &Connection, number: i64) -> Result<Option<Timestamp>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT settled_at FROM namespaces WHERE id = ?1")?;
    row::optional_time(statement.query_row([number], |row| row.get(0))?)
}

fn add_to<K: PartialEq>(counts: &mut Vec<(K, u64)>, key: K, count: u64) {
    match counts.iter_mut().find(|(own, _)| *own == key) {
        Some((_, total)) => *total += count,
        None => counts.push((key, count)),
    }
}

/// The memory outside the trash that makes a statement.
pub(super) fn said_by(
    connection: &Connection,
    path: &Namespace,
    said: Fingerprint,
) -> Result<Option<MemoryId>, Trouble> {
    let mut statement = connection.prepare_cached(
        "SELECT m.id FROM memories m JOIN namespaces n ON n.id = m.namespace_id
         WHERE n.path = ?1 AND m.fingerprint = ?2 AND m.trashed_at IS NULL",
    )?;
    let found = statement.query_row(params![path.as_str(), said.0], |row| row.get(0)).optional()?;
    Ok(found.map(row::id))
}

/// Who holds a lease, run out or not.
pub(super) fn lease(connection: &Connection, name: &str) -> Result<Option<Lease>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT holder, expires_at FROM leases WHERE name = ?1")?;
    let found = statement.query_row([name], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    found.map(|(holder, at)| Ok(Lease { holder, expires_at: row::time(at)? })).transpose()
}
