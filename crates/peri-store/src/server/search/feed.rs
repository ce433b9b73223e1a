//! How changes reach the tables that are searched.
//!
//! Whoever feeds holds the row of the namespace's state, so that two who feed at once take turns, and the second finds
//! its changes made. A document keeps its number as long as its words and its vector stay what they were. What a former
//! version brought to the numbers of the namespace is taken back before the new one is counted.

mod words;

use std::collections::{HashMap, HashSet};

use peri_types::{ChangeNumber, MemoryId};
use rusqlite::params;
use serde_json::{Value, json};

use super::documents::{self, NO_DAY, OF_DAY, SESSION};
use super::postings::{self, Occurrence};
use super::tables::Tables;
use crate::sql::connection::{Connection, Optional as _};
use crate::sql::trouble::Trouble;
use crate::{Document, Feed, Numbered, SearchRecipe, SearchState, Terms, Totals};

/// How much each further occurrence of a word counts, how much the length of a document does, and what length is usual:
/// the constants of BM25. Within one word they order documents, whatever the average length comes to be.
const K1: f32 = 1.2;
const B: f32 = 0.75;
const USUAL_LENGTH: f32 = 16.0;

/// Whether a state is read to be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    Yes,
    No,
}

/// A namespace's state, with what only a feed needs of it.
pub(super) struct Held {
    pub(super) state: SearchState,
    next_number: i64,
}

/// How much a word counts in a document of this length, from 1 to 255.
pub(super) fn impact(times: u16, length: u32) -> u8 {
    let times = f32::from(times);
    let norm = K1 * (1.0 - B + B * length as f32 / USUAL_LENGTH);
    (255.0 * times / (times + norm)).round().max(1.0) as u8
}

pub(super) fn state(connection: &Connection, number: i64, hold: Hold) -> Result<Option<Held>, Trouble> {
    let sql = format!(
        "SELECT recipe, dimensions, fed, mark, indexed, next_number, documents, words, sessions, session_words, days,
         day_words, vectors, vector_sum FROM sought_state WHERE namespace_id = ?1{}",
        if hold == Hold::Yes { " FOR UPDATE" } else { "" }
    );
    let held = connection.prepare_cached(&sql)?.query_row([number], |row| {
        let sum: Vec<u8> = row.get(13)?;
        let totals = Totals {
            documents: row.get(6)?,
            words: row.get(7)?,
            sessions: (row.get(8)?, row.get(9)?),
            days: (row.get(10)?, row.get(11)?),
            vectors: row.get(12)?,
            vector_sum: sum.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect(),
        };
        let state = SearchState {
            recipe: SearchRecipe { name: row.get(0)?, dimensions: row.get(1)? },
            fed: ChangeNumber(row.get(2)?),
            mark: row.get(3)?,
            is_indexed: row.get::<i64>(4)? != 0,
            totals,
        };
        Ok(Held { state, next_number: row.get(5)? })
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
    /// By name: in how many more documents, and where.
    terms: HashMap<String, Change>,
    /// By number, of words that former versions held.
    former: HashMap<i64, Change>,
    /// Documents and words of conversations and days.
    groups: HashMap<(String, i32), (i64, i64)>,
    speakers: HashMap<String, i64>,
}

/// How what is known of a word changes.
#[derive(Default)]
struct Change {
    documents: i64,
    occurrences: Vec<Occurrence>,
}

struct Feeder<'c> {
    connection: &'c Connection,
    tables: Tables,
    held: Held,
    tally: Tally,
    /// The numbers of the documents that are to be entered.
    coming: HashSet<i64>,
}

/// A document that is to be entered.
struct Coming<'a> {
    number: i64,
    digest: [u8; DIGEST_BYTES],
    document: &'a Document,
    terms: &'a Terms,
    /// Its former version, if its words and its vector stay.
    stays: Option<&'a Numbered>,
}

const DIGEST_BYTES: usize = 16;

/// What a document adds to the numbers, or takes from them.
#[derive(Clone, Copy, PartialEq, Eq)]
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
        Self { connection, tables, held, tally: Tally::default(), coming: HashSet::new() }
    }

    fn make(mut self, feed: &Feed) -> Result<(), Trouble> {
        let ids = feed.documents.iter().map(|(document, _)| document.id).chain(feed.gone.iter().copied());
        let former = documents::by_ids(self.connection, &self.tables, &ids.collect::<Vec<_>>())?;
        let digests = self.digests(&former)?;
        let known: HashMap<MemoryId, &Numbered> = former.iter().map(|one| (one.document.id, one)).collect();
        let mut coming = Vec::with_capacity(feed.documents.len());
        for (document, terms) in &feed.documents {
            let digest = digest(document, terms);
            let same = |one: &&&Numbered| digests.get(&one.number).is_some_and(|held| *held == digest);
            let stays = known.get(&document.id).filter(same).copied();
            let number = stays.map_or_else(|| self.next_number(), |one| one.number);
            coming.push(Coming { number, digest, document, terms, stays });
        }
        for one in &former {
            self.count(&one.document, Sign::Goes);
        }
        coming.iter().for_each(|one| self.count(one.document, Sign::Comes));
        self.coming = coming.iter().map(|one| one.number).collect();
        self.take_away(&former)?;
        let groups = self.put_groups()?;
        self.note_former(&former);
        for one in coming.iter().filter(|one| one.stays.is_none()) {
            self.note(one, &groups);
        }
        let terms = self.put_terms()?;
        self.put_documents(&coming, &terms, &groups)?;
        self.put_vectors(&coming)?;
        self.put_speakers()?;
        self.put_state(feed)
    }

    fn next_number(&mut self) -> i64 {
        self.held.next_number += 1;
        self.held.next_number - 1
    }

    fn digests(&self, former: &[Numbered]) -> Result<HashMap<i64, Vec<u8>>, Trouble> {
        if former.is_empty() {
            return Ok(HashMap::new());
        }
        let sql = format!(
            "SELECT number, digest FROM {} WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
            self.tables.documents(),
            self.tables.number
        );
        let numbers = documents::numbers(former.iter().map(|one| one.number));
        let rows = self
            .connection
            .prepare_cached(&sql)?
            .query_all([numbers], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.into_iter().collect())
    }

    /// Counts a document in the numbers of the namespace.
    fn count(&mut self, document: &Document, sign: Sign) {
        let (totals, tally) = (&mut self.held.state.totals, &mut self.tally);
        let words = u64::from(document.length);
        let mut count_in = |group: (String, i32)| {
            let (documents, of_words) = tally.groups.entry(group).or_default();
            *documents += sign.of(1);
            *of_words += sign.of(i64::from(document.length));
        };
        sign.change(&mut totals.documents, 1);
        sign.change(&mut totals.words, words);
        if let Some(group) = conversation_of(document) {
            sign.change(&mut totals.sessions.1, words);
            count_in(group);
        }
        if let Some(day) = document.day {
            sign.change(&mut totals.days.1, words);
            count_in((OF_DAY.to_owned(), day));
        }
        if let Some(speaker) = &document.speaker {
            *tally.speakers.entry(speaker.clone()).or_default() += sign.of(1);
        }
        if let Some(vector) = usable(document, self.tables.dimensions) {
            sign.change(&mut totals.vectors, 1);
            totals.vector_sum.resize(vector.len(), 0.0);
            let factor = sign.of(1) as f64;
            let sums = totals.vector_sum.iter_mut().zip(&vector);
            sums.for_each(|(sum, value)| *sum += factor * f64::from(*value));
        }
    }

    /// Notes that words occur no longer where former versions held them.
    fn note_former(&mut self, former: &[Numbered]) {
        for one in former.iter().filter(|one| !self.coming.contains(&one.number)) {
            for (term, times) in &one.terms {
                let change = self.tally.former.entry(*term).or_default();
                change.documents -= 1;
                change.occurrences.push(Occurrence {
                    document: one.number,
                    impact: None,
                    times: *times,
                    conversation: one.conversation,
                    day: one.document.day,
                });
            }
        }
    }

    /// Notes where the words of a document occur.
    fn note(&mut self, one: &Coming<'_>, groups: &HashMap<(String, i32), i64>) {
        let conversation = conversation_of(one.document).and_then(|group| groups.get(&group).copied());
        for (term, times) in one.terms {
            let change = self.tally.terms.entry(term.clone()).or_default();
            change.documents += 1;
            change.occurrences.push(Occurrence {
                document: one.number,
                impact: Some(impact(*times, one.document.length)),
                times: *times,
                conversation,
                day: one.document.day,
            });
        }
    }

    /// Takes former versions out of the tables, but not out of the numbers.
    fn take_away(&self, former: &[Numbered]) -> Result<(), Trouble> {
        if former.is_empty() {
            return Ok(());
        }
        let (tables, number) = (&self.tables, self.tables.number);
        let all = documents::numbers(former.iter().map(|one| one.number));
        let leaving = former.iter().map(|one| one.number).filter(|number| !self.coming.contains(number));
        let leaving = documents::numbers(leaving);
        for (table, numbers) in [(Some(tables.documents()), &all), (tables.vectors(), &leaving)] {
            let Some(table) = table else { continue };
            let sql = format!(
                "DELETE FROM {table} WHERE namespace_id = {number} AND number = ANY(CAST(?1 AS bigint[]))"
            );
            self.connection.execute(&sql, [numbers])?;
        }
        Ok(())
    }

    fn put_documents(
        &self,
        coming: &[Coming<'_>],
        numbers: &HashMap<String, i64>,
        groups: &HashMap<(String, i32), i64>,
    ) -> Result<(), Trouble> {
        let mut rows = Vec::with_capacity(coming.len());
        for one in coming {
            let document = one.document;
            let terms = match one.stays {
                Some(former) => former.terms.clone(),
                None => {
                    let number = |(term, times): &(String, u16)| Some((*numbers.get(term)?, *times));
                    one.terms.iter().map(number).collect::<Option<_>>().ok_or(Trouble::NoRow)?
                }
            };
            let keys = (!document.keys.is_empty()).then(|| written(&document.keys)).transpose()?;
            rows.push(json!({
                "n": one.number,
                "id": documents::hex(document.id),
                "x": hex(&one.digest),
                "at": document.at,
                "day": document.day,
                "layer": document.layer,
                "kind": document.kind,
                "pinned": u8::from(document.pinned),
                "superseded": u8::from(document.superseded),
                "session": document.session,
                "conversation": conversation_of(document).and_then(|group| groups.get(&group)),
                "speaker": document.speaker,
                "length": document.length,
                "keys": keys,
                "terms": hex(&postings::pack_terms(terms)),
                "packed": hex(&document.packed),
            }));
        }
        let sql = format!(
            "INSERT INTO {} (namespace_id, number, id, digest, at, day, layer, kind, pinned, superseded, session,
             conversation, speaker, length, keys, terms, packed)
             SELECT {}, n, decode(id, 'hex'), decode(x, 'hex'), at, day, layer, kind, pinned, superseded, session,
             conversation, speaker, length, keys, decode(terms, 'hex'), decode(packed, 'hex')
             FROM json_to_recordset(CAST(?1 AS json)) AS x(n bigint, id text, x text, at bigint, day bigint,
             layer smallint, kind smallint, pinned smallint, superseded smallint, session text, conversation bigint,
             speaker text, length bigint, keys text, terms text, packed text)",
            self.tables.documents(),
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    fn put_vectors(&self, coming: &[Coming<'_>]) -> Result<(), Trouble> {
        let Some(table) = self.tables.vectors() else { return Ok(()) };
        let entered = coming.iter().filter(|one| one.stays.is_none());
        let vectors =
            entered.filter_map(|one| Some((one.number, usable(one.document, self.tables.dimensions)?)));
        let rows: Vec<Value> =
            vectors.map(|(number, vector)| json!({"n": number, "v": vector_text(&vector)})).collect();
        let sql = format!(
            "INSERT INTO {table} (namespace_id, number, value) SELECT {}, n, CAST(v AS halfvec)
             FROM json_to_recordset(CAST(?1 AS json)) AS x(n bigint, v text)",
            self.tables.number
        );
        self.insert(&sql, &rows)
    }

    /// Counts conversations and days, and how many of them hold anything; their numbers.
    fn put_groups(&mut self) -> Result<HashMap<(String, i32), i64>, Trouble> {
        let mut changed: Vec<((String, i32), (i64, i64))> =
            std::mem::take(&mut self.tally.groups).into_iter().collect();
        changed.sort_unstable();
        let mut rows = Vec::with_capacity(changed.len());
        for ((name, day), (count, words)) in &changed {
            rows.push(json!({"g": name, "y": day, "n": self.next_number(), "c": count, "w": words}));
        }
        let sql = format!(
            "INSERT INTO {} (namespace_id, name, day, number, documents, words)
             SELECT {}, g, y, n, c, w
             FROM json_to_recordset(CAST(?1 AS json)) AS x(g text, y bigint, n bigint, c bigint, w bigint)
             ON CONFLICT (namespace_id, name, day) DO UPDATE SET documents = documents + excluded.documents,
                words = words + excluded.words
             RETURNING name, day, documents, number",
            self.tables.of("groups"),
            self.tables.number
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let counts: Vec<(String, i32, i64, i64)> = statement
            .query_all([written(&rows)?], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        let differences: HashMap<(String, i32), (i64, i64)> = changed.into_iter().collect();
        let (totals, mut numbers) = (&mut self.held.state.totals, HashMap::new());
        for (name, day, now, number) in counts {
            let group = (name, day);
            let before = now - differences.get(&group).map_or(0, |(count, _)| *count);
            let total = if group.0 == OF_DAY { &mut totals.days.0 } else { &mut totals.sessions.0 };
            match (before > 0, now > 0) {
                (false, true) => Sign::Comes.change(total, 1),
                (true, false) => Sign::Goes.change(total, 1),
                _ => {}
            }
            numbers.insert(group, number);
        }
        Ok(numbers)
    }

    fn put_speakers(&mut self) -> Result<(), Trouble> {
        let mut speakers: Vec<(String, i64)> = std::mem::take(&mut self.tally.speakers).into_iter().collect();
        speakers.sort_unstable();
        let mut rows = Vec::with_capacity(speakers.len());
        for (name, count) in &speakers {
            rows.push(json!({"s": name, "n": self.next_number(), "c": count}));
        }
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
                "UPDATE sought_state SET fed = ?2, mark = ?3, next_number = ?4, documents = ?5, words = ?6,
                 sessions = ?7, session_words = ?8, days = ?9, day_words = ?10, vectors = ?11, vector_sum = ?12
                 WHERE namespace_id = ?1",
            )?
            .execute(params![
                self.tables.number,
                feed.upto.0,
                feed.mark,
                self.held.next_number,
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

/// The conversation of a document on its day, as groups are called.
fn conversation_of(document: &Document) -> Option<(String, i32)> {
    let session = document.session.as_ref()?;
    Some((format!("{SESSION}{session}"), document.day.unwrap_or(NO_DAY)))
}

/// Tells whether what is searched of a document has stayed the same: its words, where they count, and its vector.
fn digest(document: &Document, terms: &Terms) -> [u8; DIGEST_BYTES] {
    let mut hasher = blake3::Hasher::new();
    for (term, times) in terms {
        hasher
            .update(&(term.len() as u64).to_le_bytes())
            .update(term.as_bytes())
            .update(&times.to_le_bytes());
    }
    hasher.update(&document.length.to_le_bytes()).update(&document.day.unwrap_or(NO_DAY).to_le_bytes());
    hasher.update(document.session.as_deref().unwrap_or("\0").as_bytes());
    for value in document.vector.iter().flatten() {
        hasher.update(&value.to_le_bytes());
    }
    let mut digest = [0; DIGEST_BYTES];
    digest.copy_from_slice(&hasher.finalize().as_bytes()[..DIGEST_BYTES]);
    digest
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
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
