//! How words and where they occur reach the tables.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use super::super::documents;
use super::super::postings::{self, Block, Class, Gathered, Occurrence};
use super::{Change, Feeder, hex, written};
use crate::sql::trouble::Trouble;

/// Merged runs of at least this level leave out documents that are there no longer.
const SIFTED_FROM: u8 = 2;

/// A word that was changed.
struct Touched {
    spills: u64,
    latest: Vec<u8>,
}

impl Feeder<'_> {
    /// Counts the words and notes where they occur; the numbers of those that came.
    pub(super) fn put_terms(&mut self) -> Result<HashMap<String, i64>, Trouble> {
        let former = std::mem::take(&mut self.tally.former);
        let mut touched = self.change_former(former)?;
        let mut terms: Vec<(String, Change)> = std::mem::take(&mut self.tally.terms).into_iter().collect();
        // In an order, so that two who feed two namespaces never wait for each other.
        terms.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut rows = Vec::with_capacity(terms.len());
        for (term, change) in &terms {
            let number = self.next_number();
            let latest = hex(&latest(&change.occurrences));
            rows.push(json!({"t": term, "n": number, "c": change.documents, "l": latest}));
        }
        let sql = format!(
            "INSERT INTO {} (namespace_id, term, number, documents, spills, latest)
             SELECT {}, t, n, c, 0, decode(l, 'hex')
             FROM json_to_recordset(CAST(?1 AS json)) AS x(t text, n bigint, c bigint, l text)
             ON CONFLICT (namespace_id, term) DO UPDATE SET documents = documents + excluded.documents,
                latest = latest || excluded.latest
             RETURNING term, number, spills, CASE WHEN octet_length(latest) > {} THEN latest END",
            self.tables.terms(),
            self.tables.number,
            postings::SPILLED_FROM
        );
        let mut numbers = HashMap::with_capacity(rows.len());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let changed: Vec<(String, i64, u64, Option<Vec<u8>>)> = statement
            .query_all([written(&rows)?], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        for (term, number, spills, latest) in changed {
            numbers.insert(term, number);
            touched.extend(latest.map(|latest| (number, Touched { spills, latest })));
        }
        self.spill(touched)?;
        Ok(numbers)
    }

    /// Takes back what former versions brought; the words whose latest occurrences are many.
    fn change_former(&self, former: HashMap<i64, Change>) -> Result<HashMap<i64, Touched>, Trouble> {
        if former.is_empty() {
            return Ok(HashMap::new());
        }
        let mut former: Vec<(i64, Change)> = former.into_iter().collect();
        former.sort_unstable_by_key(|one| one.0);
        let rows: Vec<Value> = former
            .iter()
            .map(|(number, change)| {
                json!({"n": number, "c": change.documents, "l": hex(&latest(&change.occurrences))})
            })
            .collect();
        let sql = format!(
            "UPDATE {} AS w SET documents = w.documents + x.c, latest = w.latest || decode(x.l, 'hex')
             FROM json_to_recordset(CAST(?1 AS json)) AS x(n bigint, c bigint, l text)
             WHERE w.namespace_id = {} AND w.number = x.n
             RETURNING w.number, w.spills, CASE WHEN octet_length(w.latest) > {} THEN w.latest END",
            self.tables.terms(),
            self.tables.number,
            postings::SPILLED_FROM
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let changed: Vec<(i64, u64, Option<Vec<u8>>)> =
            statement.query_all([written(&rows)?], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let many = |(number, spills, latest): (i64, u64, Option<Vec<u8>>)| {
            latest.map(|latest| (number, Touched { spills, latest }))
        };
        Ok(changed.into_iter().filter_map(many).collect())
    }

    /// Moves the latest occurrences of words into blocks, and merges runs of blocks where they are many.
    fn spill(&mut self, touched: HashMap<i64, Touched>) -> Result<(), Trouble> {
        if touched.is_empty() {
            return Ok(());
        }
        let mut gathered: HashMap<i64, Gathered> = HashMap::new();
        let mut levels: HashMap<i64, u8> = HashMap::new();
        for (number, one) in &touched {
            let latest = gathered.entry(*number).or_default().add_latest(&one.latest);
            latest.ok_or_else(|| malformed("the latest occurrences of a word"))?;
            levels.insert(*number, postings::level_of(one.spills + 1));
        }
        self.take_runs(&levels, &mut gathered)?;
        let mut rows = Vec::new();
        for (term, occurrences) in gathered {
            let level = levels[&term];
            for Block { class, top, data } in occurrences.into_blocks() {
                let number = self.next_number();
                rows.push(
                    json!({"c": class.code(), "t": term, "p": top, "n": number, "l": level, "d": hex(&data)}),
                );
            }
        }
        let sql = format!(
            "INSERT INTO {} (namespace_id, class, term, top, number, level, data)
             SELECT {}, c, t, p, n, l, decode(d, 'hex') FROM json_to_recordset(CAST(?1 AS json))
             AS x(c smallint, t bigint, p smallint, n bigint, l smallint, d text)",
            self.tables.blocks(),
            self.tables.number
        );
        self.insert(&sql, &rows)?;
        let sql = format!(
            "UPDATE {} SET latest = '', spills = spills + 1 WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
            self.tables.terms(),
            self.tables.number
        );
        self.connection.execute(&sql, [documents::numbers(touched.keys().copied())])?;
        Ok(())
    }

    /// Takes the runs out that are to be merged.
    fn take_runs(
        &self,
        levels: &HashMap<i64, u8>,
        gathered: &mut HashMap<i64, Gathered>,
    ) -> Result<(), Trouble> {
        let merged: Vec<Value> = levels
            .iter()
            .filter(|(_, level)| **level > 0)
            .flat_map(|(term, level)| {
                Class::ALL.map(|class| json!({"c": class.code(), "t": term, "l": level}))
            })
            .collect();
        if merged.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "DELETE FROM {} AS b USING json_to_recordset(CAST(?1 AS json)) AS x(c smallint, t bigint, l smallint)
             WHERE b.namespace_id = {} AND b.class = x.c AND b.term = x.t AND b.level < x.l
             RETURNING b.class, b.term, b.data",
            self.tables.blocks(),
            self.tables.number
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let blocks: Vec<(i64, i64, Vec<u8>)> =
            statement.query_all([written(&merged)?], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for (class, term, data) in blocks {
            let class = Class::of_code(class).ok_or_else(|| malformed("the class of a block"))?;
            let added = gathered.entry(term).or_default().add_block(class, &data);
            added.ok_or_else(|| malformed("a block of occurrences"))?;
        }
        let sifted = levels.iter().filter(|(_, level)| **level >= SIFTED_FROM);
        for (term, _) in sifted {
            if let Some(gathered) = gathered.get_mut(term) {
                self.sift(gathered)?;
            }
        }
        Ok(())
    }

    /// Leaves out the documents that are there no longer.
    fn sift(&self, gathered: &mut Gathered) -> Result<(), Trouble> {
        let sql = format!(
            "SELECT number FROM {} WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
            self.tables.documents(),
            self.tables.number
        );
        let wanted = documents::numbers(gathered.documents.iter().map(|(document, _)| *document));
        let mut statement = self.connection.prepare_cached(&sql)?;
        let there: HashSet<i64> = statement.query_all([wanted], |row| row.get(0))?.into_iter().collect();
        let stays = |document: &i64| there.contains(document) || self.coming.contains(document);
        gathered.documents.retain(|(document, _)| stays(document));
        Ok(())
    }
}

fn latest(occurrences: &[Occurrence]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(occurrences.len() * 10);
    occurrences.iter().for_each(|one| one.append_to(&mut bytes));
    bytes
}

fn malformed(what: &str) -> Trouble {
    Trouble::Malformed(what.to_owned())
}
