//! Edges between the memories of a namespace.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::connection::{Connection, Row};
use peri_types::{ChangeNumber, Edge, EdgeType, Happening, MemoryId, Namespace, Timestamp};
use rusqlite::params;

use super::apply::Ledger;
use super::trouble::Trouble;
use super::{read, row};
use crate::{EdgeChanges, EdgeKey, Missing, SourceEdges, StoreError, Written};

/// Where edges of one source end, and of which type they are.
type Ends = Vec<(MemoryId, EdgeType)>;

/// A memory that edges are drawn from.
struct Source {
    /// What the edges call it.
    given: MemoryId,
    id: MemoryId,
    /// When the first of them was drawn.
    at: Timestamp,
    /// The edges that it has.
    own: Vec<Edge>,
    /// Those that were drawn.
    drawn: Ends,
}

impl Ledger<'_> {
    pub(super) fn link(
        &mut self,
        path: &Namespace,
        edges: &[Edge],
        max: usize,
        missing: Missing,
    ) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(path)?;
        let mut admitted = 0;
        let mut sources: Vec<Source> = Vec::new();
        for edge in edges {
            let known = sources.iter().position(|source| source.given == edge.source);
            let at = match known {
                Some(at) => at,
                None => {
                    let Some(id) = self.end(namespace, path, edge.source, missing)? else { continue };
                    let (given, at, drawn) = (edge.source, edge.created_at, Vec::new());
                    let own = outgoing(self.connection, namespace, id)?;
                    sources.push(Source { given, id, at, own, drawn });
                    sources.len() - 1
                }
            };
            let source = &mut sources[at];
            let Some(target) = self.end(namespace, path, edge.target, missing)? else { continue };
            if target == source.id {
                continue;
            }
            let edge = Edge { source: source.id, target, ..*edge };
            if self.admit(namespace, &edge, max, &mut source.own)? {
                if source.drawn.is_empty() {
                    source.at = edge.created_at;
                }
                source.drawn.push((target, edge.edge_type));
            }
        }
        for Source { given: _, id: source, at, own, mut drawn } in sources {
            if drawn.is_empty() {
                continue;
            }
            // A later edge of the same call may have taken the place of an earlier one.
            drawn.retain(|key| own.iter().any(|edge| (edge.target, edge.edge_type) == *key));
            admitted += drawn.len() as u64;
            self.mark_edges_changed(namespace, source)?;
            let targets = drawn.into_iter().map(|(target, _)| target).collect();
            self.tell(Some(path), at, &Happening::Linked { source, targets })?;
        }
        Ok(Written::Linked(admitted))
    }

    /// The memory at an end, by the id that its namespace knows it by. What may be left out may also lie in the trash: its
    /// edges come back with it.
    fn end(
        &self,
        namespace: i64,
        path: &Namespace,
        id: MemoryId,
        missing: Missing,
    ) -> Result<Option<MemoryId>, Trouble> {
        let mut alive = self.connection.prepare_cached(
            "SELECT 1 FROM memories WHERE namespace_id = ?1 AND id = ?2 AND (?3 OR trashed_at IS NULL)",
        )?;
        let in_trash = missing == Missing::Skipped;
        for id in [id, id.within(path)] {
            if alive.exists(params![namespace, id.as_bytes(), in_trash])? {
                return Ok(Some(id));
            }
        }
        match missing {
            Missing::Refused => Err(StoreError::NotFound { id }.into()),
            Missing::Skipped => Ok(None),
        }
    }

    /// Draws an edge or replaces it, whatever the number of the others.
    pub(super) fn put_edge(&self, namespace: i64, edge: &Edge) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "INSERT INTO edges (namespace_id, source, type, target, weight, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (namespace_id, source, type, target) DO UPDATE SET weight = excluded.weight,
                 created_at = excluded.created_at",
            )?
            .execute(params![
                namespace,
                edge.source.as_bytes(),
                edge.edge_type.code(),
                edge.target.as_bytes(),
                edge.weight,
                edge.created_at.as_millisecond(),
            ])?;
        Ok(())
    }

    /// Draws an edge unless it would be the first to leave. One that takes the place of its like lets nobody leave. The
    /// edges that the source has, by and by, are given along.
    fn admit(&self, namespace: i64, new: &Edge, max: usize, own: &mut Vec<Edge>) -> Result<bool, Trouble> {
        let is_same = |edge: &Edge| (edge.target, edge.edge_type) == (new.target, new.edge_type);
        if !own.iter().any(is_same) {
            let surplus = (own.len() + 1).saturating_sub(max);
            if own.iter().filter(|edge| leaving_order(edge, new).is_lt()).count() < surplus {
                return Ok(false);
            }
            own.sort_by(leaving_order);
            let mut delete = self.connection.prepare_cached(
                "DELETE FROM edges WHERE namespace_id = ?1 AND source = ?2 AND type = ?3 AND target = ?4",
            )?;
            for edge in &own[..surplus] {
                let (kind, target) = (edge.edge_type.code(), edge.target);
                delete.execute(params![namespace, edge.source.as_bytes(), kind, target.as_bytes()])?;
            }
            own.drain(..surplus);
        }
        self.put_edge(namespace, new)?;
        own.retain(|edge| !is_same(edge));
        // As it would be read again.
        own.push(Edge { created_at: row::time(new.created_at.as_millisecond())?, ..*new });
        Ok(true)
    }

    pub(super) fn unlink(
        &mut self,
        path: &Namespace,
        source: MemoryId,
        target: MemoryId,
        edge_type: Option<EdgeType>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let removed = self
            .connection
            .prepare_cached(
                "DELETE FROM edges WHERE namespace_id = ?1 AND source = ?2 AND target = ?3
                 AND (type = ?4 OR CAST(?4 AS INTEGER) IS NULL)",
            )?
            .execute(params![
                namespace,
                source.as_bytes(),
                target.as_bytes(),
                edge_type.map(EdgeType::code)
            ])?;
        if removed > 0 {
            self.mark_edges_changed(namespace, source)?;
            self.tell(Some(path), at, &Happening::Unlinked { source, targets: vec![target] })?;
        }
        Ok(Written::Unlinked(removed as u64))
    }

    pub(super) fn mark_linked(&mut self, path: &Namespace, ids: &[MemoryId]) -> Result<Written, Trouble> {
        let namespace = self.namespace_number(path)?;
        let mut update = self
            .connection
            .prepare_cached("UPDATE memories SET linked = 1 WHERE namespace_id = ?1 AND id = ?2")?;
        for id in ids {
            update.execute(params![namespace, id.as_bytes()])?;
        }
        Ok(Written::Done)
    }

    /// Graphs in memory must read a memory's outgoing edges again.
    pub(super) fn mark_edges_changed(&mut self, namespace: i64, source: MemoryId) -> Result<(), Trouble> {
        let change = self.next_change(namespace)?;
        self.connection
            .prepare_cached(
                "INSERT INTO edge_changes (namespace_id, source, change) VALUES (?1, ?2, ?3)
                 ON CONFLICT (namespace_id, source) DO UPDATE SET change = excluded.change",
            )?
            .execute(params![namespace, source.as_bytes(), change.0])?;
        Ok(())
    }

    /// A memory that came or went takes its edges along, in both directions.
    pub(super) fn touch_edges(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        for source in self.sources_touching(namespace, id)? {
            self.mark_edges_changed(namespace, source)?;
        }
        Ok(())
    }

    pub(super) fn drop_edges(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        let sources = self.sources_touching(namespace, id)?;
        for sql in DROP_EDGES {
            self.connection.prepare_cached(sql)?.execute(params![namespace, id.as_bytes()])?;
        }
        for source in sources {
            self.mark_edges_changed(namespace, source)?;
        }
        Ok(())
    }

    /// The memories with an edge from or to this one.
    fn sources_touching(&self, namespace: i64, id: MemoryId) -> Result<Vec<MemoryId>, Trouble> {
        let mut select = self.connection.prepare_cached(SOURCES_TOUCHING)?;
        let sources = select.query_all(params![namespace, id.as_bytes()], |row| row.get(0))?;
        Ok(sources.into_iter().map(row::id).collect())
    }
}

/// Left to the planner, all edges of the namespace would be looked through for those that lead to a memory.
pub(super) const DROP_EDGES: [&str; 2] = [
    "DELETE FROM edges WHERE namespace_id = ?1 AND source = ?2",
    "DELETE FROM edges INDEXED BY edges_by_target WHERE namespace_id = ?1 AND target = ?2",
];

pub(super) const SOURCES_TOUCHING: &str = "SELECT source FROM edges WHERE namespace_id = ?1 AND source = ?2
    UNION SELECT source FROM edges INDEXED BY edges_by_target WHERE namespace_id = ?1 AND target = ?2";

/// Those that leave first are the least: the lightest, and of equally heavy ones the oldest.
fn leaving_order(a: &Edge, b: &Edge) -> Ordering {
    let by_age = a.created_at.cmp(&b.created_at).then(b.target.cmp(&a.target));
    a.weight.total_cmp(&b.weight).then(by_age).then(b.edge_type.cmp(&a.edge_type))
}

const EDGE: &str = "SELECT e.source, e.target, e.type, e.weight, e.created_at FROM edges e";

fn edge(row: Row<'_>) -> Result<Edge, Trouble> {
    Ok(Edge {
        source: row::id(row.get(0)?),
        target: row::id(row.get(1)?),
        edge_type: EdgeType::from_code(row.get(2)?).ok_or_else(|| row::malformed("unknown type of edge"))?,
        weight: row.get(3)?,
        created_at: row::time(row.get(4)?)?,
    })
}

pub(super) fn outgoing(
    connection: &Connection,
    namespace: i64,
    source: MemoryId,
) -> Result<Vec<Edge>, Trouble> {
    static SQL: LazyLock<String> =
        LazyLock::new(|| format!("{EDGE} WHERE e.namespace_id = ?1 AND e.source = ?2"));
    let mut statement = connection.prepare_cached(&SQL)?;
    let mut rows = statement.query(params![namespace, source.as_bytes()])?;
    let mut edges = Vec::new();
    while let Some(row) = rows.next()? {
        edges.push(edge(row)?);
    }
    Ok(edges)
}

/// Says that neither end of the edge `e` lies in the trash of the namespace `?1`. The trash is listed once, since it
/// is small; asking for each edge would cost more than reading the edges.
const BOTH_ALIVE: &str = "e.source NOT IN (SELECT t.id FROM memories t WHERE t.trashed_at IS NOT NULL
        AND t.namespace_id = (SELECT id FROM namespaces WHERE path = ?1))
    AND e.target NOT IN (SELECT t.id FROM memories t WHERE t.trashed_at IS NOT NULL
        AND t.namespace_id = (SELECT id FROM namespaces WHERE path = ?1))";

pub(super) fn changes(
    connection: &Connection,
    path: &Namespace,
    after: ChangeNumber,
) -> Result<EdgeChanges, Trouble> {
    // One snapshot, so that the head is that of the edges.
    let _moment = super::connection::moment(connection)?;
    let head = read::head(connection, path)?;
    if head <= after {
        return Ok(EdgeChanges { sources: Vec::new(), head });
    }
    let sql = format!(
        "SELECT c.source, e.target, e.type, e.weight, e.created_at FROM edge_changes c
         LEFT JOIN edges e ON e.namespace_id = c.namespace_id AND e.source = c.source AND {BOTH_ALIVE}
         WHERE c.namespace_id = (SELECT id FROM namespaces WHERE path = ?1) AND c.change > ?2
         ORDER BY c.source, e.type, e.target"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![path.as_str(), after.0])?;
    let mut sources: Vec<SourceEdges> = Vec::new();
    while let Some(row) = rows.next()? {
        let source = row::id(row.get(0)?);
        if sources.last().is_none_or(|last| last.source != source) {
            sources.push(SourceEdges { source, edges: Vec::new() });
        }
        if !row.is_null(1)? {
            let edge = edge(row)?;
            if let Some(last) = sources.last_mut() {
                last.edges.push(edge);
            }
        }
    }
    Ok(EdgeChanges { sources, head })
}

pub(super) fn of(connection: &Connection, path: &Namespace, id: MemoryId) -> Result<Vec<Edge>, Trouble> {
    // Without the hint the planner reads all edges of the namespace to find those that end here.
    let select = |hint: &str, end: &str| {
        format!(
            "{EDGE} {hint} WHERE e.namespace_id = (SELECT id FROM namespaces WHERE path = ?1) AND e.{end} = ?2
             AND NOT EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = e.namespace_id
                 AND t.id = e.source AND t.trashed_at IS NOT NULL)
             AND NOT EXISTS (SELECT 1 FROM memories t WHERE t.namespace_id = e.namespace_id
                 AND t.id = e.target AND t.trashed_at IS NOT NULL)"
        )
    };
    let (outgoing, incoming) = (select("", "source"), select("INDEXED BY edges_by_target", "target"));
    let sql = format!("{outgoing} UNION {incoming} ORDER BY 4 DESC, 1, 2, 3");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![path.as_str(), id.as_bytes()])?;
    let mut edges = Vec::new();
    while let Some(row) = rows.next()? {
        edges.push(edge(row)?);
    }
    Ok(edges)
}

pub(super) fn all(connection: &Connection, path: &Namespace) -> Result<Vec<Edge>, Trouble> {
    let sql = format!(
        "{EDGE} WHERE e.namespace_id = (SELECT id FROM namespaces WHERE path = ?1) ORDER BY e.source, e.type, e.target"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([path.as_str()])?;
    let mut edges = Vec::new();
    while let Some(row) = rows.next()? {
        edges.push(edge(row)?);
    }
    Ok(edges)
}

/// Edges after one of them, in the same order.
pub(super) fn after(
    connection: &Connection,
    path: &Namespace,
    after: Option<EdgeKey>,
    limit: usize,
) -> Result<Vec<Edge>, Trouble> {
    let Some(namespace) = read::namespace_number(connection, path)? else { return Ok(Vec::new()) };
    let beyond = if after.is_some() { "AND (e.source, e.type, e.target) > (?3, ?4, ?5)" } else { "" };
    let sql =
        format!("{EDGE} WHERE e.namespace_id = ?1 {beyond} ORDER BY e.source, e.type, e.target LIMIT ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = match after {
        Some((source, edge_type, target)) => {
            let key = params![namespace, limit, source.as_bytes(), edge_type.code(), target.as_bytes()];
            statement.query(key)?
        }
        None => statement.query(params![namespace, limit])?,
    };
    let mut edges = Vec::new();
    while let Some(row) = rows.next()? {
        edges.push(edge(row)?);
    }
    Ok(edges)
}

/// How many edges a namespace has between memories outside the trash.
pub(super) fn count(connection: &Connection, namespace: i64) -> Result<u64, Trouble> {
    let all: u64 = connection
        .prepare_cached("SELECT count(*) FROM edges WHERE namespace_id = ?1")?
        .query_row([namespace], |row| row.get(0))?;
    // In this order, since the trash is small; the planner would look up both ends of every edge.
    let gone: u64 = connection
        .prepare_cached(
            "SELECT count(*) FROM (
                SELECT e.source, e.type, e.target FROM memories t
                CROSS JOIN edges e ON e.namespace_id = t.namespace_id AND e.source = t.id
                WHERE t.namespace_id = ?1 AND t.trashed_at IS NOT NULL
                UNION SELECT e.source, e.type, e.target FROM memories t
                CROSS JOIN edges e INDEXED BY edges_by_target
                ON e.namespace_id = t.namespace_id AND e.target = t.id
                WHERE t.namespace_id = ?1 AND t.trashed_at IS NOT NULL) AS hidden",
        )?
        .query_row([namespace], |row| row.get(0))?;
    Ok(all - gone)
}
