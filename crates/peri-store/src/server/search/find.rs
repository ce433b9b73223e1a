//! Finding the documents that may matter.

use std::collections::HashSet;

use rusqlite::types::Value;

use super::Extension;
use super::documents::{numbers, stretch_millis};
use super::feed::vector_text;
use super::occurrences;
use super::tables::Tables;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;
use crate::{Found, Known, KnownTerm, SearchFilter, Wanted, Words};

/// Documents are tried against a filter so many at a time, the best first, and so many times at most.
const TRIED: usize = 2000;
const TRIES: usize = 25;

/// A slip of the finger adds, loses or changes few letters.
const SLIP_LETTERS: usize = 2;

/// At most so many known words are compared with one slip, and so many speakers with a question.
const SIMILAR_MAX: usize = 2000;
const SPEAKERS_MAX: usize = 10_000;

/// How many neighbours a walk over the index of vectors keeps in sight, at least; the server's own bound is 1000.
const IN_SIGHT_MIN: usize = 100;
const IN_SIGHT_MAX: usize = 1000;

pub(super) fn look_up(connection: &Connection, tables: &Tables, words: &Words) -> Result<Known, Trouble> {
    let number = tables.number;
    let sql = format!(
        "SELECT w.term, w.number, w.documents FROM json_array_elements_text(CAST(?1 AS json)) AS x(t)
         JOIN {} w ON w.namespace_id = {number} AND w.term = x.t COLLATE \"C\" WHERE w.documents > 0",
        tables.terms()
    );
    let asked = serde_json::Value::from(words.terms.clone()).to_string();
    let terms = connection.prepare_cached(&sql)?.query_all([asked], |row| {
        Ok(KnownTerm { text: row.get(0)?, number: row.get(1)?, documents: row.get(2)? })
    })?;
    let mut similar = Vec::new();
    for slip in &words.slips {
        similar.extend(similar_to(connection, tables, slip)?);
    }
    Ok(Known { terms, similar })
}

pub(super) fn speakers(connection: &Connection, tables: &Tables) -> Result<Vec<String>, Trouble> {
    let sql = format!(
        "SELECT name FROM {} WHERE namespace_id = {} AND documents > 0 ORDER BY number LIMIT {SPEAKERS_MAX}",
        tables.of("speakers"),
        tables.number
    );
    connection.prepare_cached(&sql)?.query_all(rusqlite::params![], |row| row.get(0))
}

/// The known words that share their first two letters with a slip and are about as long.
fn similar_to(connection: &Connection, tables: &Tables, slip: &str) -> Result<Vec<String>, Trouble> {
    let beginning: String = slip.chars().take(2).collect();
    // Byte by byte, every text that begins so lies before the beginning followed by the last character of all.
    let end = format!("{beginning}\u{10ffff}");
    let letters = slip.chars().count();
    let sql = format!(
        "SELECT term FROM {} WHERE namespace_id = {} AND term >= ?1 AND term <= ?2 AND documents > 0
         AND char_length(term) BETWEEN {} AND {} ORDER BY number LIMIT {SIMILAR_MAX}",
        tables.terms(),
        tables.number,
        letters.saturating_sub(SLIP_LETTERS),
        letters + SLIP_LETTERS
    );
    connection.prepare(&sql)?.query_all([beginning, end], |row| row.get(0))
}

pub(super) fn find(
    connection: &Connection,
    tables: &Tables,
    wanted: &Wanted,
    extension: Extension,
) -> Result<Found, Trouble> {
    let conditions = Conditions::of(&wanted.filter);
    if let Some(few) = few(connection, tables, wanted, &conditions)? {
        return Ok(Found { few: Some(few), ..Found::default() });
    }
    let occurring = occurrences::read(connection, tables, &wanted.terms)?;
    let best = occurrences::best(&occurring, &wanted.terms, best_of(wanted, &conditions));
    Ok(Found {
        by_words: let_through(connection, tables, wanted, &conditions, best)?,
        occurrences: occurring.into_iter().map(occurrences::Occurring::told).collect(),
        nearest: nearest(connection, tables, wanted, &conditions, extension)?,
        few: None,
    })
}

/// How many of the best are looked at.
fn best_of(wanted: &Wanted, conditions: &Conditions) -> usize {
    if conditions.is_empty() { wanted.best } else { TRIED * TRIES }
}

/// Those of the best that the filter lets through.
fn let_through(
    connection: &Connection,
    tables: &Tables,
    wanted: &Wanted,
    conditions: &Conditions,
    mut best: Vec<i64>,
) -> Result<Vec<i64>, Trouble> {
    if conditions.is_empty() {
        best.truncate(wanted.best);
        return Ok(best);
    }
    let mut through = Vec::new();
    for some in best.chunks(TRIED) {
        let passed = passing(connection, tables, conditions, some)?;
        through.extend(some.iter().copied().filter(|number| passed.contains(number)));
        if through.len() >= wanted.best {
            break;
        }
    }
    through.truncate(wanted.best);
    Ok(through)
}

/// Those of some documents that meet a condition.
fn passing(
    connection: &Connection,
    tables: &Tables,
    conditions: &Conditions,
    some: &[i64],
) -> Result<HashSet<i64>, Trouble> {
    let (condition, values) = conditions.after(vec![Value::from(numbers(some.iter().copied()))]);
    let sql = format!(
        "SELECT d.number FROM {} d WHERE d.namespace_id = {} AND d.number = ANY(CAST(?1 AS bigint[])){condition}",
        tables.documents(),
        tables.number
    );
    let passed: Vec<i64> = connection.prepare_cached(&sql)?.query_all(values, |row| row.get(0))?;
    Ok(passed.into_iter().collect())
}

/// A condition on documents `d`, as it grows. Its values follow those that a statement has itself.
struct Conditions {
    sql: Vec<String>,
    values: Vec<Value>,
}

impl Conditions {
    fn of(filter: &SearchFilter) -> Self {
        let mut own = Self { sql: Vec::new(), values: Vec::new() };
        own.add_codes("layer", &filter.layers);
        own.add_codes("kind", &filter.kinds);
        own.add_number("d.at >= ", filter.since);
        own.add_number("d.at < ", filter.until);
        own.add_number("d.pinned = ", filter.pinned.map(i64::from));
        own.add_text("d.session = ?", filter.session.clone());
        own.add_text("d.speaker = ?", filter.speaker.clone());
        for key in &filter.keys {
            own.add_text("strpos(d.keys, ?) > 0", Some(serde_json::Value::from(key.as_str()).to_string()));
        }
        if !filter.days.is_empty() {
            let parts: Vec<String> = filter.days.iter().map(|stretch| of_stretch(*stretch)).collect();
            own.sql.push(format!("({})", parts.join(" OR ")));
        }
        own
    }

    fn add_codes(&mut self, column: &str, codes: &[u8]) {
        if !codes.is_empty() {
            let list: Vec<String> = codes.iter().map(ToString::to_string).collect();
            self.sql.push(format!("d.{column} IN ({})", list.join(", ")));
        }
    }

    fn add_number(&mut self, condition: &str, number: Option<i64>) {
        self.sql.extend(number.map(|number| format!("{condition}{number}")));
    }

    fn add_text(&mut self, condition: &str, text: Option<String>) {
        if let Some(text) = text {
            self.sql.push(condition.to_owned());
            self.values.push(Value::from(text));
        }
    }

    fn is_empty(&self) -> bool {
        self.sql.is_empty()
    }

    /// The condition, and all values of a statement that has these before it.
    fn after(&self, own: Vec<Value>) -> (String, Vec<Value>) {
        let mut sql = String::new();
        let mut place = own.len();
        for one in &self.sql {
            place += one.matches('?').count();
            sql += &format!(" AND {}", one.replace('?', &format!("?{place}")));
        }
        (sql, own.into_iter().chain(self.values.iter().cloned()).collect())
    }
}

fn of_stretch((first, last): (i32, i32)) -> String {
    let (from, until) = stretch_millis(first, last);
    format!("d.day BETWEEN {first} AND {last} OR (d.day IS NULL AND d.at >= {from} AND d.at < {until})")
}

/// All documents that the filter lets through, if they are few.
fn few(
    connection: &Connection,
    tables: &Tables,
    wanted: &Wanted,
    conditions: &Conditions,
) -> Result<Option<Vec<i64>>, Trouble> {
    if conditions.is_empty() || wanted.few == 0 {
        return Ok(None);
    }
    // What documents are filed under is looked up like a word, and the rarest key narrows most.
    if let Some(key) = rarest(connection, tables, &wanted.filter.keys)? {
        if key.documents as usize > wanted.few {
            return Ok(None);
        }
        let occurring = occurrences::read(connection, tables, &[(key, 1.0)])?;
        let some: Vec<i64> = occurring.iter().flat_map(occurrences::Occurring::documents).collect();
        return Ok(Some(passing(connection, tables, conditions, &some)?.into_iter().collect()));
    }
    if !wanted.filter.keys.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let (condition, values) = conditions.after(Vec::new());
    let sql = format!(
        "SELECT d.number FROM {} d WHERE d.namespace_id = {}{condition} LIMIT {}",
        tables.documents(),
        tables.number,
        wanted.few + 1
    );
    let found: Vec<i64> = connection.prepare(&sql)?.query_all(values, |row| row.get(0))?;
    Ok((found.len() <= wanted.few).then_some(found))
}

/// The key that the fewest documents are filed under; none if one of them is unknown.
fn rarest(connection: &Connection, tables: &Tables, keys: &[String]) -> Result<Option<KnownTerm>, Trouble> {
    let words = Words { terms: keys.to_vec(), slips: Vec::new() };
    let known = if keys.is_empty() { Known::default() } else { look_up(connection, tables, &words)? };
    let distinct: HashSet<&String> = keys.iter().collect();
    if known.terms.len() < distinct.len() {
        return Ok(None);
    }
    Ok(known.terms.into_iter().min_by_key(|term| term.documents))
}

/// What words are called.
pub(super) fn names(
    connection: &Connection,
    tables: &Tables,
    terms: &[i64],
) -> Result<Vec<(i64, String)>, Trouble> {
    let sql = format!(
        "SELECT number, term FROM {} WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
        tables.terms(),
        tables.number
    );
    let wanted = numbers(terms.iter().copied());
    connection.prepare_cached(&sql)?.query_all([wanted], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn nearest(
    connection: &Connection,
    tables: &Tables,
    wanted: &Wanted,
    conditions: &Conditions,
    extension: Extension,
) -> Result<Vec<i64>, Trouble> {
    let fits = |vector: &&Vec<f32>| vector.len() == tables.dimensions as usize;
    let (Some(vector), Some(vectors)) = (wanted.vector.as_ref().filter(fits), tables.vectors()) else {
        return Ok(Vec::new());
    };
    if wanted.nearest == 0 {
        return Ok(Vec::new());
    }
    let number = tables.number;
    let (condition, values) = conditions.after(vec![Value::from(vector_text(vector))]);
    let join = if conditions.is_empty() {
        String::new()
    } else {
        format!("JOIN {} d ON d.namespace_id = {number} AND d.number = v.number", tables.documents())
    };
    let sql = format!(
        "SELECT v.number FROM {vectors} v {join} WHERE v.namespace_id = {number}{condition}
         ORDER BY v.value <#> CAST(?1 AS halfvec({})) LIMIT {}",
        tables.dimensions, wanted.nearest
    );
    let in_sight = (wanted.nearest * 3 / 2).clamp(IN_SIGHT_MIN, IN_SIGHT_MAX);
    let iterative = match extension {
        Extension::Iterative if !conditions.is_empty() => "; SET LOCAL hnsw.iterative_scan = relaxed_order",
        _ => "",
    };
    let moment =
        connection.begin(&format!("BEGIN READ ONLY; SET LOCAL hnsw.ef_search = {in_sight}{iterative}"))?;
    let found = connection.prepare_cached(&sql)?.query_all(values, |row| row.get(0))?;
    moment.commit()?;
    Ok(found)
}
