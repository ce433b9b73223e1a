//! What the model sees of a task: its terms and the one it begins with, each hashed into a bucket.
//!
//! Pairs of terms, beginnings of words and longer runs of characters were tried as well. Cross-validated on the training
//! part of `bench/routing`, they made routes worse or no better: a thousand tasks are too few to learn them.

use peri_text::{QueryTerm, TermClass, analyze_query};

use super::table::{self, Match};

/// How many buckets terms are hashed into. Two that share one are told apart by the others of their tasks.
pub(super) const BUCKETS: usize = 1 << 14;
/// How many buckets one task can fill. What comes later in a very long task does not count.
pub(super) const BUCKETS_MAX: usize = 256;
/// How much of a text is read from its beginning and from its end; a long one has its request there, and what was pasted
/// in between.
const HEAD_BYTES: usize = 6 * 1024;
const TAIL_BYTES: usize = 2 * 1024;

/// A task as the model sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    /// The terms, distinct, in order.
    pub terms: Vec<QueryTerm>,
    /// Distinct buckets: those of the terms, then that of the term it begins with.
    pub buckets: Vec<u16>,
    /// The place of the term that each bucket stands for.
    places: Vec<usize>,
    /// How many of the buckets are of terms.
    pub words: usize,
    /// The keywords of the table.
    pub matched: Vec<Match>,
}

impl Features {
    pub(super) fn of(text: &str) -> Self {
        let mut terms = analyze_query(&ends(text));
        terms.retain(|term| !matches!(term.class, TermClass::Number | TermClass::Date));
        let matched = table::matches(&terms);
        terms.truncate(BUCKETS_MAX - 1);
        let mut features = Self { terms, matched, ..Self::default() };
        features.gather();
        features
    }

    fn gather(&mut self) {
        let mut is_taken = vec![false; BUCKETS];
        for (place, term) in self.terms.iter().enumerate() {
            let bucket = hashed(b't', &term.text);
            if !std::mem::replace(&mut is_taken[usize::from(bucket)], true) {
                self.buckets.push(bucket);
                self.places.push(place);
            }
        }
        self.words = self.buckets.len();
        let first = self.terms.first().map(|term| hashed(b'f', &term.text));
        if let Some(bucket) = first.filter(|bucket| !is_taken[usize::from(*bucket)]) {
            self.buckets.push(bucket);
            self.places.push(0);
        }
    }

    /// The word that the bucket at this place stands for, as it was written.
    pub(super) fn name(&self, at: usize) -> &str {
        let term = self.places.get(at).and_then(|place| self.terms.get(*place));
        term.map_or("", |term| &term.surface)
    }
}

/// FNV-1a, which is the same on every machine and in every version.
fn hashed(kind: u8, term: &str) -> u16 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    eat(kind);
    term.bytes().for_each(&mut eat);
    let folded = hash ^ (hash >> 32);
    (folded % BUCKETS as u64) as u16
}

/// The parts of a text that are read: all of an ordinary one, both ends of a long one.
fn ends(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text.into();
    }
    let head = (0..=HEAD_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail =
        (text.len() - TAIL_BYTES..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    format!("{}\n{}", &text[..head], &text[tail..]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_distinct_bounded_and_named() {
        let long = "가나다 refactor the Parser를 고쳐 ".repeat(4_000);
        for text in ["", "?", "write tests for parseConfig()", "帮我写单元测试", &long] {
            let features = Features::of(text);
            assert!(features.buckets.len() <= BUCKETS_MAX && features.words <= features.buckets.len());
            assert_eq!(features.buckets.len(), features.places.len());
            let distinct: std::collections::HashSet<&u16> = features.buckets.iter().collect();
            assert_eq!(distinct.len(), features.buckets.len(), "{text}");
            assert!((0..features.buckets.len()).all(|at| !features.name(at).trim().is_empty()));
        }
    }

    #[test]
    fn the_end_of_a_long_text_is_read_and_its_middle_is_not() {
        let text = format!("{}middle {} refactor", "aa ".repeat(3_000), "봄 ".repeat(3_000));
        let features = Features::of(&text);
        let has = |word: &str| features.terms.iter().any(|term| term.text == word);
        assert!(has("refactor") && !has("middl"));
    }
}
