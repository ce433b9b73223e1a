//! Documents read back.

use peri_types::MemoryId;

use super::postings;
use super::tables::Tables;
use crate::sql::connection::{Connection, Row};
use crate::sql::trouble::Trouble;
use crate::{Conversation, Document, Numbered, Reading};

/// Stands for "no session" where days are counted, before the name of a session, and for "no day".
pub(super) const OF_DAY: &str = "";
pub(super) const SESSION: char = 's';
pub(super) const NO_DAY: i32 = i32::MIN;

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
) -> Result<Vec<Numbered>, Trouble> {
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
) -> Result<Vec<Numbered>, Trouble> {
    match reading {
        Reading::Numbers(wanted) => by_numbers(connection, tables, wanted),
        Reading::Ids(wanted) => by_ids(connection, tables, wanted),
        Reading::Conversations(wanted, each) => of_conversations(connection, tables, wanted, *each),
        Reading::Neighbours(wanted, reach) => neighbours(connection, tables, wanted, *reach),
        Reading::Linked(wanted, max) => linked(connection, tables, wanted, *max),
        Reading::Days(stretches, each) => of_days(connection, tables, stretches, *each),
    }
}

fn by_numbers(connection: &Connection, tables: &Tables, wanted: &[i64]) -> Result<Vec<Numbered>, Trouble> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!("{} AND d.number = ANY(CAST(?1 AS bigint[]))", select(tables));
    connection.prepare_cached(&sql)?.query_all([numbers(wanted.iter().copied())], document)
}

fn of_conversations(
    connection: &Connection,
    tables: &Tables,
    wanted: &[i64],
    each: usize,
) -> Result<Vec<Numbered>, Trouble> {
    let found = format!(
        "SELECT c.number FROM unnest(CAST(?1 AS bigint[])) AS s(conversation)
         CROSS JOIN LATERAL (SELECT number FROM {} WHERE namespace_id = {} AND conversation = s.conversation
            ORDER BY at, id LIMIT {each}) AS c",
        tables.documents(),
        tables.number
    );
    of_found(connection, tables, &found, &numbers(wanted.iter().copied()))
}

/// Those before and after in the same conversation on the same day, in the order (at, id).
fn neighbours(
    connection: &Connection,
    tables: &Tables,
    wanted: &[i64],
    reach: usize,
) -> Result<Vec<Numbered>, Trouble> {
    let (documents, number) = (tables.documents(), tables.number);
    let side = |comparison: &str, direction: &str| {
        format!(
            "SELECT n.number FROM {documents} c CROSS JOIN LATERAL (SELECT number FROM {documents}
             WHERE namespace_id = {number} AND conversation = c.conversation AND (at, id) {comparison} (c.at, c.id)
             ORDER BY at {direction}, id {direction} LIMIT {reach}) AS n
             WHERE c.namespace_id = {number} AND c.conversation IS NOT NULL AND c.number = ANY(CAST(?1 AS bigint[]))"
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
) -> Result<Vec<Numbered>, Trouble> {
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
) -> Result<Vec<Numbered>, Trouble> {
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
) -> Result<Vec<Numbered>, Trouble> {
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
         d.terms, d.packed, {vector}, d.conversation, d.keys FROM {} d {join} WHERE d.namespace_id = {}",
        tables.documents(),
        tables.number
    )
}

fn document(row: Row<'_>) -> Result<Numbered, Trouble> {
    let (terms, vector): (Vec<u8>, Option<Vec<u8>>) = (row.get(11)?, row.get(13)?);
    let keys: Option<String> = row.get(15)?;
    let keys = keys.map(|keys| serde_json::from_str(&keys)).transpose();
    let malformed = || Trouble::Malformed("the words of a document that is searched".to_owned());
    let document = Document {
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
        keys: keys.map_err(|error| Trouble::Malformed(error.to_string()))?.unwrap_or_default(),
        packed: row.get(12)?,
        vector: vector.map(|bytes| halves(&bytes)),
    };
    let terms = postings::unpack_terms(&terms).ok_or_else(malformed)?;
    Ok(Numbered { number: row.get(0)?, conversation: row.get(14)?, terms, document })
}

pub(super) fn conversations(
    connection: &Connection,
    tables: &Tables,
    wanted: &[i64],
) -> Result<Vec<Conversation>, Trouble> {
    let sql = format!(
        "SELECT number, name, day, words FROM {} WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
        tables.of("groups"),
        tables.number
    );
    connection.prepare_cached(&sql)?.query_all([numbers(wanted.iter().copied())], |row| {
        let (name, day): (String, i32) = (row.get(1)?, row.get(2)?);
        let name = name.strip_prefix(SESSION).unwrap_or_default().to_owned();
        Ok(Conversation {
            number: row.get(0)?,
            name,
            day: (day != NO_DAY).then_some(day),
            words: row.get(3)?,
        })
    })
}

pub(super) fn words_of_days(
    connection: &Connection,
    tables: &Tables,
    days: &[i32],
) -> Result<Vec<(i32, u64)>, Trouble> {
    let sql = format!(
        "SELECT day, words FROM {} WHERE namespace_id = {} AND name = '{OF_DAY}' AND day = ANY(CAST(?1 AS bigint[]))",
        tables.of("groups"),
        tables.number
    );
    let days = numbers(days.iter().map(|day| i64::from(*day)));
    connection.prepare_cached(&sql)?.query_all([days], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The numbers of a vector as the server sends it: the greater byte of each comes first.
fn halves(bytes: &[u8]) -> Vec<f32> {
    let pairs = bytes.get(VECTOR_HEAD_BYTES..).unwrap_or_default().as_chunks().0;
    pairs.iter().map(|pair| half::f16::from_be_bytes(*pair).to_f32()).collect()
}
