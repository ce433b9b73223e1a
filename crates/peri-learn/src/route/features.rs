//! What the model sees of a task: its terms and pairs of terms, each hashed into a bucket.

use peri_text::{QueryTerm, TermClass, analyze_query};

use super::table::{self, Match};

/// How many buckets terms are hashed into. Two that share one are told apart by the others of their tasks.
pub(super) const BUCKETS: usize = 1 << 14;
/// How many buckets one task can fill. What comes later in a very long task does not count.
pub(super) const BUCKETS_MAX: usize = 320;
/// How much of a text is read from its beginning and from its end; a long one has its request there, and what was pasted
/// in between.
const HEAD_BYTES: usize = 6 * 1024;
const TAIL_BYTES: usize = 2 * 1024;

/// One feature of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// A term, by its place.
    Term(u16),
    /// Two terms that follow each other, by the place of the first.
    Pair(u16),
    /// The beginning of a long word.
    Stump(u16),
    /// The term a task begins with.
    First(u16),
}

/// A task as the model sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    /// The terms, distinct, in order.
    pub terms: Vec<QueryTerm>,
    /// What each bucket stands for.
    pub features: Vec<Feature>,
    /// Distinct buckets, terms before pairs.
    pub buckets: Vec<u16>,
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
        terms.truncate(BUCKETS_MAX);
        let mut features = Self { terms, matched, ..Self::default() };
        features.gather();
        features
    }

    fn gather(&mut self) {
        let places = || 0..u16::try_from(self.terms.len()).unwrap_or(u16::MAX);
        let mut all: Vec<Feature> = places().map(Feature::Term).collect();
        let words = all.len();
        all.extend(places().skip(1).map(|second| Feature::Pair(second - 1)));
        all.extend(places().map(Feature::Stump));
        all.extend(places().take(1).map(Feature::First));
        for (at, feature) in all.into_iter().enumerate() {
            let Some(bucket) = self.bucket(feature) else { continue };
            if self.buckets.len() < BUCKETS_MAX && !self.buckets.contains(&bucket) {
                self.buckets.push(bucket);
                self.features.push(feature);
                self.words += usize::from(at < words);
            }
        }
    }

    fn bucket(&self, feature: Feature) -> Option<u16> {
        let text = |at: u16| self.terms.get(usize::from(at)).map_or("", |term| &term.text);
        Some(match feature {
            Feature::Term(at) => hashed(b't', text(at), ""),
            Feature::Pair(at) => hashed(b'p', text(at), text(at + 1)),
            Feature::Stump(at) => hashed(b's', stump(text(at))?, ""),
            Feature::First(at) => hashed(b'f', text(at), ""),
        })
    }

    /// The feature in words for people.
    pub(super) fn name(&self, at: usize) -> String {
        let surface = |at: u16| self.terms.get(usize::from(at)).map_or("", |term| &term.surface);
        match self.features.get(at) {
            Some(Feature::Pair(at)) => joined(surface(*at), surface(at + 1)),
            Some(Feature::Term(at) | Feature::Stump(at) | Feature::First(at)) => surface(*at).to_owned(),
            None => String::new(),
        }
    }
}

/// "write tests" for two words, "테스트" for two overlapping pairs of characters.
fn joined(first: &str, second: &str) -> String {
    let shared = first.chars().next_back().zip(second.chars().next());
    match shared {
        Some((a, b)) if a == b && !a.is_ascii() => {
            first.chars().chain(second.chars().skip(1)).collect()
        }
        _ => format!("{first} {second}"),
    }
}

const STUMP_BYTES: usize = 5;

/// The first letters of a longer English word: "optimise" and "optimization" share them, although their stems differ.
fn stump(term: &str) -> Option<&str> {
    (term.len() > STUMP_BYTES && term.bytes().all(|byte| byte.is_ascii_lowercase())).then(|| &term[..STUMP_BYTES])
}

/// FNV-1a, which is the same on every machine and in every version.
fn hashed(kind: u8, first: &str, second: &str) -> u16 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    };
    eat(kind);
    first.bytes().for_each(&mut eat);
    eat(0);
    second.bytes().for_each(&mut eat);
    let folded = hash ^ (hash >> 32);
    (folded % BUCKETS as u64) as u16
}

/// The parts of a text that are read: all of an ordinary one, both ends of a long one.
fn ends(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= HEAD_BYTES + TAIL_BYTES {
        return text.into();
    }
    let head = (0..=HEAD_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let tail = (text.len() - TAIL_BYTES..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
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
            assert_eq!(features.buckets.len(), features.features.len());
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

    #[test]
    fn overlapping_pairs_of_characters_are_joined_for_people() {
        assert_eq!(joined("테스", "스트"), "테스트");
        assert_eq!(joined("write", "tests"), "write tests");
    }
}
