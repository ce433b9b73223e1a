//! Documents read back.

use peri_types::MemoryId;

use super::tables::Tables;
use crate::sql::connection::{Connection, Row};
use crate::sql::trouble::Trouble;
use crate::{Document, Reading};

/// What stands before the numbers of a vector as the server sends it.
const VECTOR_HEAD_BYTES: usize = 4;

/// Numbers as the server reads an array.
pub(super) fn numbers(numbers: impl Iterator<Item = i64>) -> String {
    let list: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("{{{}}}", list.join(","))
}

pub(super) fn hex(id: MemoryId) -> String {
    id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ids as the server reads an array.
fn ids(ids: &[MemoryId]) -> String {
    let list: Vec<String> = ids.iter().map(|id| format!("\"\\\\x{}\"", hex(*id))).collect();
    format!("{{{}}}", list.join(","))
}

pub(super) fn by_ids(
    connection: &Connection,
    tables: &Tables,
    wanted: &[MemoryId],
) -> Result<Vec<Document>, Trouble> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("{} AND d.id = ANY(CAST(?1 AS bytea[]))", select(tables));
    connection.prepare_cached(&sql)?.query_all([ids(wanted)], document)
}

pub(super) fn read(
    connection: &Connection,
    tables: &Tables,
    reading: &Reading,
) -> Result<Vec<Document>, Trouble> {
    match reading {
        Reading::Numbers(wanted) => by_numbers(connection, tables, wanted),
        Reading::Ids(wanted) => by_ids(connection, tables, wanted),
        Reading::Sessions(wanted, each) => of_sessions(connection, tables, wanted, *each),
        Reading::Neighbours(wanted, reach) => neighbours(connection, tables, wanted, *reach),
        Reading::Linked(wanted, max) => linked(connection, tables, wanted, *max),
        Reading::Days(stretches, each) => of_days(connection, tables, stretches, *each),
    }
}

fn by_numbers(connection: &Connection, tables: &Tables, wanted: &[i64]) -> Result<Vec<Document>, Trouble> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("{} AND d.number = ANY(CAST(?1 AS bigint[]))", select(tables));
    connection.prepare_cached(&sql)?.query_all([numbers(wanted.iter().copied())], document)
}

fn of_sessions(
    connection: &Connection,
    tables: &Tables,
    wanted: &[(String, i32)],
    each: usize,
) -> Result<Vec<Document>, Trouble> {
    let rows: Vec<_> =
        wanted.iter().map(|(name, day)| serde_json::json!({"name": name, "day": day})).collect();
    let found = format!(
        "SELECT c.number FROM json_to_recordset(CAST(?1 AS json)) AS s(name text, day bigint)
         CROSS JOIN LATERAL (SELECT number FROM {} WHERE namespace_id = {} AND session = s.name AND day = s.day
            ORDER BY at, id LIMIT {each}) AS c",
        tables.documents(),
        tables.number
    );
    of_found(connection, tables, &found, &serde_json::Value::from(rows).to_string())
}

/// Those before and after in the same conversation on the same day, in the order (at, id).
fn neighbours(
    connection: &Connection,
    tables: &Tables,
    wanted: &[i64],
    reach: usize,
) -> Result<Vec<Document>, Trouble> {
    let (documents, number) = (tables.documents(), tables.number);
    let side = |comparison: &str, direction: &str| {
        format!(
            "SELECT n.number FROM {documents} c CROSS JOIN LATERAL (SELECT number FROM {documents}
             WHERE namespace_id = {number} AND session = c.session AND day = c.day AND (at, id) {comparison} (c.at, c.id)
             ORDER BY at {direction}, id {direction} LIMIT {reach}) AS n
             WHERE c.namespace_id = {number} AND c.number = ANY(CAST(?1 AS bigint[]))"
        )
    };
    let found = format!("{} UNION {}", side("<", "DESC"), side(">", "ASC"));
    of_found(connection, tables, &found, &numbers(wanted.iter().copied()))
}

fn linked(
    connection: &Connection,
    tables: &Tables,
    wanted: &[MemoryId],
    max: usize,
) -> Result<Vec<Document>, Trouble> {
    let number = tables.number;
    let found = format!(
        "SELECT l.number FROM {} l JOIN (SELECT target AS id FROM edges WHERE namespace_id = {number}
            AND source = ANY(CAST(?1 AS bytea[]))
         UNION SELECT source FROM edges WHERE namespace_id = {number} AND target = ANY(CAST(?1 AS bytea[]))) AS e
         ON e.id = l.id WHERE l.namespace_id = {number} LIMIT {max}",
        tables.documents()
    );
    of_found(connection, tables, &found, &ids(wanted))
}

fn of_days(
    connection: &Connection,
    tables: &Tables,
    stretches: &[(i32, i32)],
    each: usize,
) -> Result<Vec<Document>, Trouble> {
    let (documents, number) = (tables.documents(), tables.number);
    let mut parts = Vec::new();
    for (first, last) in stretches {
        let (from, until) = stretch_millis(*first, *last);
        parts.push(format!(
            "(SELECT number FROM {documents} WHERE namespace_id = {number} AND day BETWEEN {first} AND {last}
             ORDER BY day, number LIMIT {each})"
        ));
        parts.push(format!(
            "(SELECT number FROM {documents} WHERE namespace_id = {number} AND day IS NULL AND at >= {from}
             AND at < {until} ORDER BY at LIMIT {each})"
        ));
    }
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("{} AND d.number IN ({})", select(tables), parts.join(" UNION "));
    connection.prepare(&sql)?.query_all(rusqlite::params![], document)
}

/// A stretch of days with one more on either side, since whoever asks may live in any time zone.
pub(super) fn stretch_millis(first: i32, last: i32) -> (i64, i64) {
    const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;
    ((i64::from(first) - 1) * DAY_MILLIS, (i64::from(last) + 2) * DAY_MILLIS)
}

fn of_found(
    connection: &Connection,
    tables: &Tables,
    found: &str,
    parameter: &str,
) -> Result<Vec<Document>, Trouble> {
    let sql = format!("{} AND d.number IN ({found})", select(tables));
    connection.prepare_cached(&sql)?.query_all([parameter], document)
}

fn select(tables: &Tables) -> String {
    let (vector, join) = match tables.vectors() {
        Some(vectors) => (
            "halfvec_send(v.value)",
            format!("LEFT JOIN {vectors} v ON v.namespace_id = {} AND v.number = d.number", tables.number),
        ),
        None => ("NULL", String::new()),
    };
    format!(
        "SELECT d.number, d.id, d.at, d.day, d.layer, d.kind, d.pinned, d.superseded, d.session, d.speaker, d.length,
         d.terms, d.packed, {vector} FROM {} d {join} WHERE d.namespace_id = {}",
        tables.documents(),
        tables.number
    )
}

fn document(row: Row<'_>) -> Result<Document, Trouble> {
    let terms: String = row.get(11)?;
    let vector: Option<Vec<u8>> = row.get(13)?;
    Ok(Document {
        number: row.get(0)?,
        id: MemoryId::from_bytes(row.get(1)?),
        at: row.get(2)?,
        day: row.get(3)?,
        layer: row.get(4)?,
        kind: row.get(5)?,
        pinned: row.get::<i64>(6)? != 0,
        superseded: row.get::<i64>(7)? != 0,
        session: row.get(8)?,
        speaker: row.get(9)?,
        length: row.get(10)?,
        terms: serde_json::from_str(&terms).map_err(|error| Trouble::Malformed(error.to_string()))?,
        packed: row.get(12)?,
        vector: vector.map(|bytes| halves(&bytes)),
    })
}

/// The numbers of a vector as the server sends it: the greater byte of each comes first.
fn halves(bytes: &[u8]) -> Vec<f32> {
    let pairs = bytes.get(VECTOR_HEAD_BYTES..).unwrap_or_default().as_chunks().0;
    pairs.iter().map(|pair| half::f16::from_be_bytes(*pair).to_f32()).collect()
}
