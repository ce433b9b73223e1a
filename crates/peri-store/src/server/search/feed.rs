//! How changes reach the tables that are searched.
//!
//! Whoever feeds holds the row of the namespace's state, so that two who feed at once take turns, and the second finds
//! its changes made. A document keeps its number when it changes. What a former version brought to the numbers of the
//! namespace is taken back before the new one is counted.

use std::collections::HashMap;

use peri_types::{ChangeNumber, MemoryId};
use rusqlite::params;
use serde_json::{Value, json};

use super::documents;
use super::tables::Tables;
use crate::sql::connection::{Connection, Optional as _};
use crate::sql::trouble::Trouble;
use crate::{Document, Feed, SearchRecipe, SearchState, Totals};

/// How much each further occurrence of a word counts, how much the length of a document does, and what length is usual:
/// the constants of BM25. Within one word they order documents, whatever the average length comes to be.
const K1: f32 = 1.2;
const B: f32 = 0.75;
const USUAL_LENGTH: f32 = 16.0;

/// Stands for "no session" where days are counted.
const OF_DAY: &str = "";

/// Whether a state is read to be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    Yes,
    No,
}

/// A namespace's state, with what only a feed needs of it.
pub(super) struct Held {
    pub(super) state: SearchState,
    next_document: i64,
    next_term: i64,
}

/// How much a word counts in a document of this length, to a thousand.
pub(super) fn impact(times: u16, length: u32) -> u16 {
    let times = f32::from(times);
    let norm = K1 * (1.0 - B + B * length as f32 / USUAL_LENGTH);
    (1000.0 * times / (times + norm)).round() as u16
}

pub(super) fn state(connection: &Connection, number: i64, hold: Hold) -> Result<Option<Held>, Trouble> {
    let sql = format!(
        "SELECT recipe, dimensions, fed, mark, indexed, next_document, next_term, documents, words, sessions,
         session_words, days, day_words, vectors, vector_sum FROM search_state WHERE namespace_id = ?1{}",
        if hold == Hold::Yes { " FOR UPDATE" } else { "" }
    );
    let held = connection.prepare_cached(&sql)?.query_row([number], |row| {
        let sum: Vec<u8> = row.get(14)?;
        let totals = Totals {
            documents: row.get(7)?,
            words: row.get(8)?,
            sessions: (row.get(9)?, row.get(10)?),
            days: (row.get(11)?, row.get(12)?),
            vectors: row.get(13)?,
            vector_sum: sum.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
        };
        let state = SearchState {
            recipe: SearchRecipe { name: row.get(0)?, dimensions: row.get(1)? },
            fed: ChangeNumber(row.get(2)?),
            mark: row.get(3)?,
            is_indexed: row.get::<i64>(4)? != 0,
            totals,
        };
        Ok(Held { state, next_document: row.get(5)?, next_term: row.get(6)? })
    });
    held.optional()
}

/// Makes changes and notes how far they go; `false` if others have been made meanwhile.
pub(super) fn feed(connection: &Connection, number: i64, feed: &Feed) -> Result<bool, Trouble> {
    // What is lost in a power cut is fed again.
    let transaction = connection.begin("BEGIN; SET LOCAL synchronous_commit = off")?;
    let Some(held) = state(connection, number, Hold::Yes)? else { return Ok(false) };
    if held.state.recipe != feed.recipe || held.state.fed != feed.after {
        return Ok(false);
    }
    let tables = Tables { number, dimensions: feed.recipe.dimensions };
    Feeder::new(connection, tables, held).make(feed)?;
    transaction.commit()?;
    Ok(true)
}

/// How the numbers of a namespace change.
#[derive(Default)]
struct Tally {
    terms: Counts<String>,
    groups: Counts<(String, i32)>,
    speakers: Counts<String>,
}

/// Differences by name, in the order the names came.
struct Counts<K> {
    order: Vec<K>,
    by_name: HashMap<K, i64>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self { order: Vec::new(), by_name: HashMap::new() }
    }
}

impl<K: Clone + Eq + std::hash::Hash> Counts<K> {
    fn add(&mut self, name: K, difference: i64) {
        *self.by_name.entry(name.clone()).or_insert_with(|| {
            self.order.push(name);
            0
        }) += difference;
    }

    fn iter(&self) -> impl Iterator<Item = (&K, i64)> {
        self.order.iter().map(|name| (name, self.by_name[name]))
    }
}

struct Feeder<'c> {
    connection: &'c Connection,
    tables: Tables,
    held: Held,
    tally: Tally,
}

/// What a document adds to the numbers, or takes from them.
#[derive(Clone, Copy)]
enum Sign {
    Comes,
    Goes,
}

impl Sign {
    fn of(self, number: i64) -> i64 {
        match self {
            Self::Comes => number,
            Self::Goes => -number,
        }
    }

    fn change(self, total: &mut u64, by: u64) {
        *total = match self {
            Self::Comes => total.saturating_add(by),
            Self::Goes => total.saturating_sub(by),
        };
    }
}

impl<'c> Feeder<'c> {
    fn new(connection: &'c Connection, tables: Tables, held: Held) -> Self {
        Self { connection, tables, held, tally: Tally::default() }
    }

    fn make(mut self, feed: &Feed) -> Result<(), Trouble> {
        let ids = feed.documents.iter().map(|document| document.id).chain(feed.gone.iter().copied());
        let former = documents::by_ids(self.connection, &self.tables, &ids.collect::<Vec<_>>())?;
        let numbers: HashMap<MemoryId, i64> =
            former.iter().map(|document| (document.id, document.number)).collect();
        for document in &former {
            self.count(document, Sign::Goes);
        }
        self.take_away(&former)?;
        let coming: Vec<(i64, &Document)> = feed
            .documents
            .iter()
            .map(|document| {
                (numbers.get(&document.id).copied().unwrap_or_else(|| self.next_document()), document)
            })
            .collect();
        for (_, document) in &coming {
            self.count(document, Sign::Comes);
        }
        let terms = self.put_terms()?;
        self.put_documents(&coming)?;
        self.put_postings(&coming, &terms)?;
        self.put_vectors(&coming)?;
        self.put_groups()?;
        self.put_speakers()?;
        self.put_state(feed)
    }

    fn next_document(&mut self) -> i64 {
        self.held.next_document += 1;
        self.held.next_document - 1
    }

    /// Counts a document in the numbers of the namespace.
    fn count(&mut self, document: &Document, sign: Sign) {
        let (totals, tally) = (&mut self.held.state.totals, &mut self.tally);
        let words = u64::from(document.length);
        sign.change(&mut totals.documents, 1);
        sign.change(&mut totals.words, words);
        for (term, _) in &document.terms {
            tally.terms.add(term.clone(), sign.of(1));
        }
        if let Some(session) = &document.session {
            sign.change(&mut totals.sessions.1, words);
            tally.groups.add((format!("s{session}"), document.day.unwrap_or(i32::MIN)), sign.of(1));
        }
        if let Some(day) = document.day {
            sign.change(&mut totals.days.1, words);
            tally.groups.add((OF_DAY.to_owned(), day), sign.of(1));
        }
        if let Some(speaker) = &document.speaker {
            tally.speakers.add(speaker.clone(), sign.of(1));
        }
        if let Some(vector) = usable(document, self.tables.dimensions) {
            sign.change(&mut totals.vectors, 1);
            totals.vector_sum.resize(vector.len(), 0.0);
            let factor = sign.of(1) as f64;
            totals
                .vector_sum
                .iter_mut()
                .zip(&vector)
                .for_each(|(sum, value)| *sum += factor * f64::from(*value));
        }
    }

    /// Takes former versions out of the tables, but not out of the numbers.
    fn take_away(&self, former: &[Document]) -> Result<(), Trouble> {
        if former.is_empty() {
            return Ok(());
        }
        let (tables, number) = (&self.tables, self.tables.number);
        let postings: Vec<Value> = former
            .iter()
            .flat_map(|document| {
                document.terms.iter().map(|(term, times)| {
                    json!({"t": term, "i": impact(*times, document.length), "d": document.number})
                })
            })
            .collect();
        self.connection.execute(
            &format!(
                "DELETE FROM {} p USING json_to_recordset(CAST(?1 AS json)) AS x(t text, i smallint, d bigint), {} w
                 WHERE w.namespace_id = {number} AND w.term = x.t AND p.namespace_id = {number} AND p.term = w.number
                 AND p.impact = x.i AND p.document = x.d",
                tables.postings(),
                tables.of("terms")
            ),
            [written(&postings)?],
        )?;
        let numbers = documents::numbers(former.iter().map(|document| document.number));
        for table in [Some(tables.documents()), tables.vectors()].into_iter().flatten() {
            let sql = format!(
                "DELETE FROM {table} WHERE namespace_id = {number} AND number = ANY(CAST(?1 AS bigint[]))"
            );
            self.connection.execute(&sql, [&numbers])?;
        }
        Ok(())
    }

    /// Counts the words, and gives numbers to new ones.
    fn put_terms(&mut self) -> Result<HashMap<String, i64>, Trouble> {
        let first = self.held.next_term;
        let rows: Vec<Value> = self
            .tally
            .terms
            .iter()
            .zip(first..)
            .map(|((term, count), number)| json!({"t": term, "n": number, "c": count}))
            .collect();
        self.held.next_term += rows.len() as i64;
        let sql = format!(
            "INSERT INTO {} (namespace_id, term, number, documents)
             SELECT {}, t, n, c FROM json_to_recordset(CAST(?1 AS json)) AS x(t text, n bigint, c bigint)
             ON CONFLICT (namespace_id, term) DO UPDATE SET documents = documents + excluded.documents
             RETURNING term, number",
            self.tables.of("terms"),
            self.tables.number
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let numbers = statement.query_all([written(&rows)?], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(numbers.into_iter().collect())
    }

    fn put_documents(&self, coming: &[(i64, &Document)]) -> Result<(), Trouble> {
        let mut rows = Vec::with_capacity(coming.len());
        for (number, document) in coming {
            rows.push(json!({
                "n": number,
                "id": documents::hex(document.id),
                "at": document.at,
                "day": document.day,
                "layer": document.layer,
                "kind": document.kind,
                "pinned": u8::from(document.pinned),
                "superseded": u8::from(document.superseded),
                "session": document.session,
                "speaker": document.speaker,
                "length": document.length,
                "terms": written(&document.terms)?,
                "packed": document.packed,
            }));
        }
        let sql = format!(
            "INSERT INTO {} (namespace_id, number, id, at, day, layer, kind, pinned, superseded, session, speaker,
             length, terms, packed)
             SELECT {}, n, decode(id, 'hex'), at, day, layer, kind, pinned, superseded, session, speaker, length, terms,
             packed FROM json_to_recordset(CAST(?1 AS json)) AS x(n bigint, id text, at bigint, day bigint,
             layer smallint, kind smallint, pinned smallint, superseded smallint, session text, speaker text,
             length bigint, terms text, packed text)",
            self.tables.documents(),
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    fn put_postings(&self, coming: &[(i64, &Document)], terms: &HashMap<String, i64>) -> Result<(), Trouble> {
        let mut rows = Vec::new();
        for (number, document) in coming {
            for (term, times) in &document.terms {
                let term = terms.get(term).ok_or(Trouble::NoRow)?;
                rows.push((term, impact(*times, document.length), number));
            }
        }
        // Neighbours in the index are written one after the other.
        rows.sort_unstable_by_key(|(term, impact, number)| (**term, u16::MAX - impact, **number));
        let rows: Vec<Value> = rows
            .into_iter()
            .map(|(term, impact, number)| json!({"t": term, "i": impact, "d": number}))
            .collect();
        let sql = format!(
            "INSERT INTO {} (namespace_id, term, document, impact) SELECT {}, t, d, i
             FROM json_to_recordset(CAST(?1 AS json)) AS x(t bigint, d bigint, i smallint)",
            self.tables.postings(),
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    fn put_vectors(&self, coming: &[(i64, &Document)]) -> Result<(), Trouble> {
        let Some(table) = self.tables.vectors() else { return Ok(()) };
        let vectors = coming
            .iter()
            .filter_map(|(number, document)| Some((number, usable(document, self.tables.dimensions)?)));
        let rows: Vec<Value> =
            vectors.map(|(number, vector)| json!({"n": number, "v": vector_text(&vector)})).collect();
        let sql = format!(
            "INSERT INTO {table} (namespace_id, number, value) SELECT {}, n, CAST(v AS halfvec)
             FROM json_to_recordset(CAST(?1 AS json)) AS x(n bigint, v text)",
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    /// Counts conversations and days, and how many of them hold anything.
    fn put_groups(&mut self) -> Result<(), Trouble> {
        let changed: Vec<(&(String, i32), i64)> =
            self.tally.groups.iter().filter(|(_, count)| *count != 0).collect();
        let rows: Vec<Value> =
            changed.iter().map(|((name, day), count)| json!({"g": name, "y": day, "c": count})).collect();
        let sql = format!(
            "INSERT INTO {} (namespace_id, name, day, documents)
             SELECT {}, g, y, c FROM json_to_recordset(CAST(?1 AS json)) AS x(g text, y bigint, c bigint)
             ON CONFLICT (namespace_id, name, day) DO UPDATE SET documents = documents + excluded.documents
             RETURNING name, day, documents",
            self.tables.of("groups"),
            self.tables.number
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let counts: Vec<(String, i32, i64)> =
            statement.query_all([written(&rows)?], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let totals = &mut self.held.state.totals;
        for (name, day, now) in counts {
            let group = (name, day);
            let before = now - self.tally.groups.by_name.get(&group).copied().unwrap_or(0);
            let total = if group.0 == OF_DAY { &mut totals.days.0 } else { &mut totals.sessions.0 };
            match (before > 0, now > 0) {
                (false, true) => Sign::Comes.change(total, 1),
                (true, false) => Sign::Goes.change(total, 1),
                _ => {}
            }
        }
        Ok(())
    }

    fn put_speakers(&mut self) -> Result<(), Trouble> {
        let first = self.held.next_term;
        let rows: Vec<Value> = self
            .tally
            .speakers
            .iter()
            .zip(first..)
            .map(|((name, count), number)| json!({"s": name, "n": number, "c": count}))
            .collect();
        self.held.next_term += rows.len() as i64;
        let sql = format!(
            "INSERT INTO {} (namespace_id, name, number, documents)
             SELECT {}, s, n, c FROM json_to_recordset(CAST(?1 AS json)) AS x(s text, n bigint, c bigint)
             ON CONFLICT (namespace_id, name) DO UPDATE SET documents = documents + excluded.documents",
            self.tables.of("speakers"),
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    fn put_state(&self, feed: &Feed) -> Result<(), Trouble> {
        let totals = &self.held.state.totals;
        let sum: Vec<u8> = totals.vector_sum.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.connection
            .prepare_cached(
                "UPDATE search_state SET fed = ?2, mark = ?3, next_document = ?4, next_term = ?5, documents = ?6,
                 words = ?7, sessions = ?8, session_words = ?9, days = ?10, day_words = ?11, vectors = ?12,
                 vector_sum = ?13 WHERE namespace_id = ?1",
            )?
            .execute(params![
                self.tables.number,
                feed.upto.0,
                feed.mark,
                self.held.next_document,
                self.held.next_term,
                totals.documents,
                totals.words,
                totals.sessions.0,
                totals.sessions.1,
                totals.days.0,
                totals.days.1,
                totals.vectors,
                sum,
            ])?;
        Ok(())
    }

    fn insert(&self, sql: &str, rows: &[Value]) -> Result<(), Trouble> {
        if !rows.is_empty() {
            self.connection.prepare_cached(sql)?.execute([written(rows)?])?;
        }
        Ok(())
    }
}

/// A document's vector of length one, if it has one of the right dimension.
fn usable(document: &Document, dimensions: u32) -> Option<Vec<f32>> {
    let vector = document.vector.as_ref()?;
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let fits = vector.len() == dimensions as usize && dimensions > 0 && length.is_finite() && length > 0.0;
    fits.then(|| vector.iter().map(|value| value / length).collect())
}

/// A vector as the server reads it. Six places tell all that half precision keeps of what counts.
pub(super) fn vector_text(vector: &[f32]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(vector.len() * 10 + 2);
    text.push('[');
    for (at, value) in vector.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(text, "{comma}{value:.6}").expect("a text takes any number");
    }
    text.push(']');
    text
}

fn written(rows: &(impl serde::Serialize + ?Sized)) -> Result<String, Trouble> {
    serde_json::to_string(rows).map_err(|error| Trouble::Malformed(error.to_string()))
}
