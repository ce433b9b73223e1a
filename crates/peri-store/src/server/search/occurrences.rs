//! Where the words of a question occur.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::documents::numbers;
use super::postings::{BLOCK, Class, Gathered};
use super::tables::Tables;
use crate::sql::connection::Connection;
use crate::sql::trouble::Trouble;
use crate::{KnownTerm, Occurrences};

/// So many documents of one word are looked at, and of all words of a question together: those of the rarest words
/// first, and of each those in which it counts most.
const PER_TERM_MAX: usize = 60_000;
const ALTOGETHER_MAX: usize = 150_000;

/// A word is looked at in so many documents even when the others have taken all there was.
const PER_TERM_MIN: usize = 4 * BLOCK;

/// So many blocks of conversations and of days.
const GROUP_BLOCKS_MAX: usize = 120;

/// A run that is not full leaves a block that is not full either.
const BLOCKS_MORE: usize = 24;

/// Where one word occurs.
pub(super) struct Occurring {
    gathered: Gathered,
    is_whole: bool,
}

impl Occurring {
    pub(super) fn documents(&self) -> impl Iterator<Item = i64> {
        self.gathered.documents.iter().map(|(document, _)| *document)
    }

    /// What is told of it outside.
    pub(super) fn told(self) -> Occurrences {
        let Gathered { conversations, days, .. } = self.gathered;
        let times = |times: i64| u32::try_from(times).ok().filter(|times| *times > 0);
        Occurrences {
            conversations: conversations
                .into_iter()
                .filter_map(|(one, of)| Some((one, times(of)?)))
                .collect(),
            days: days
                .into_iter()
                .filter_map(|(day, of)| Some((i32::try_from(day).ok()?, times(of)?)))
                .collect(),
            is_whole: self.is_whole,
        }
    }
}

/// How many documents of each word are looked at.
fn allowances(terms: &[(KnownTerm, f32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_unstable_by_key(|at| terms[*at].0.documents);
    let (mut left, mut allowed) = (ALTOGETHER_MAX, vec![0; terms.len()]);
    for at in order {
        let wanted = (terms[at].0.documents as usize).min(PER_TERM_MAX);
        allowed[at] = wanted.min(left.max(PER_TERM_MIN));
        left = left.saturating_sub(allowed[at]);
    }
    allowed
}

/// Where words occur, in the order they were given.
pub(super) fn read(
    connection: &Connection,
    tables: &Tables,
    terms: &[(KnownTerm, f32)],
) -> Result<Vec<Occurring>, Trouble> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let allowed = allowances(terms);
    let places: HashMap<i64, usize> =
        terms.iter().enumerate().map(|(at, (term, _))| (term.number, at)).collect();
    let whole = |at: usize| allowed[at] >= terms[at].0.documents as usize;
    let mut occurring: Vec<Occurring> =
        (0..terms.len()).map(|at| Occurring { gathered: Gathered::default(), is_whole: whole(at) }).collect();
    let malformed = || Trouble::Malformed("the occurrences of a word".to_owned());
    let wanted = numbers(terms.iter().map(|(term, _)| term.number));
    let sql = format!(
        "SELECT number, latest FROM {} WHERE namespace_id = {} AND number = ANY(CAST(?1 AS bigint[]))",
        tables.terms(),
        tables.number
    );
    let latest: Vec<(i64, Vec<u8>)> =
        connection.prepare_cached(&sql)?.query_all([&wanted], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (number, bytes) in latest {
        if let Some(at) = places.get(&number) {
            occurring[*at].gathered.add_latest(&bytes).ok_or_else(malformed)?;
        }
    }
    let blocks = allowed.iter().enumerate().map(|(at, documents)| {
        (documents.div_ceil(BLOCK) + if whole(at) { WHOLE_MORE } else { BLOCKS_MORE }) as i64
    });
    for (class, term, data) in blocks_of(connection, tables, &wanted, &numbers(blocks))? {
        let class = Class::of_code(class).ok_or_else(malformed)?;
        if let Some(at) = places.get(&term) {
            occurring[*at].gathered.add_block(class, &data).ok_or_else(malformed)?;
        }
    }
    Ok(occurring)
}

/// Blocks of words that are looked at as a whole, however they are spread over runs.
const WHOLE_MORE: usize = 10_000;

fn blocks_of(
    connection: &Connection,
    tables: &Tables,
    terms: &str,
    documents: &str,
) -> Result<Vec<(i64, i64, Vec<u8>)>, Trouble> {
    let (blocks, number) = (tables.blocks(), tables.number);
    let sql = format!(
        "SELECT b.class, b.term, b.data
         FROM unnest(CAST(?1 AS bigint[]), CAST(?2 AS bigint[])) AS t(number, blocks)
         CROSS JOIN LATERAL (
            (SELECT class, term, data FROM {blocks} WHERE namespace_id = {number} AND class = {} AND term = t.number
             ORDER BY top DESC, number DESC LIMIT t.blocks)
            UNION ALL
            (SELECT class, term, data FROM {blocks} WHERE namespace_id = {number} AND class = {} AND term = t.number
             LIMIT {GROUP_BLOCKS_MAX})
            UNION ALL
            (SELECT class, term, data FROM {blocks} WHERE namespace_id = {number} AND class = {} AND term = t.number
             LIMIT {GROUP_BLOCKS_MAX})) AS b",
        Class::Documents.code(),
        Class::Conversations.code(),
        Class::Days.code()
    );
    connection
        .prepare_cached(&sql)?
        .query_all([terms, documents], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// The best documents by all words together, the best first.
pub(super) fn best(occurring: &[Occurring], terms: &[(KnownTerm, f32)], count: usize) -> Vec<i64> {
    let all: usize = occurring.iter().map(|one| one.gathered.documents.len()).sum();
    let mut sums: HashMap<i64, f32, BuildHasherDefault<Spread>> = HashMap::default();
    sums.reserve(all);
    for (one, (_, weight)) in occurring.iter().zip(terms) {
        for (document, impact) in &one.gathered.documents {
            *sums.entry(*document).or_default() += weight * f32::from(*impact);
        }
    }
    let mut sums: Vec<(i64, f32)> = sums.into_iter().collect();
    let better = |a: &(i64, f32), b: &(i64, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
    if sums.len() > count && count > 0 {
        sums.select_nth_unstable_by(count - 1, better);
    }
    sums.truncate(count);
    sums.sort_unstable_by(better);
    sums.into_iter().map(|(document, _)| document).collect()
}

/// Spreads numbers that follow each other; nobody chooses them to do harm.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(documents: u32) -> (KnownTerm, f32) {
        (KnownTerm { text: String::new(), number: i64::from(documents), documents }, 1.0)
    }

    #[test]
    fn the_rarest_words_are_looked_at_first_and_none_is_left_out() {
        let terms = [term(1_000_000), term(50_000), term(3), term(59_000), term(40_000)];
        assert_eq!(allowances(&terms), [PER_TERM_MIN, 50_000, 3, 59_000, 40_000]);
        assert_eq!(allowances(&[term(1_000_000)]), [PER_TERM_MAX]);
    }

    #[test]
    fn what_holds_several_words_comes_before_what_holds_one() {
        let occurring = [[(1, 100), (2, 90)], [(2, 80), (3, 120)]].map(|documents| Occurring {
            gathered: Gathered { documents: documents.to_vec(), ..Gathered::default() },
            is_whole: true,
        });
        let terms = [term(2), term(2)];
        assert_eq!(best(&occurring, &terms, 10), [2, 3, 1]);
        assert_eq!(best(&occurring, &terms, 1), [2]);
    }
}
