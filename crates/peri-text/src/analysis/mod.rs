//! One analysis for documents and queries, so that every storage backend searches the same terms.
//!
//! A text is normalised (NFKC, Latin accents folded), cut at script borders and turned into terms:
//! stemmed English words, whole identifiers beside their parts, overlapping character pairs for
//! Chinese, Japanese and Korean, emoji, numbers, and canonical dates such as `d:2025-01-25`.
//! The query side emits a subset of what the index side emits for the same text; the index side adds
//! the single characters of Han and Hangul runs, so that a query of one character finds them.
//! A single character never collides with a pair, so the two need no prefix to stay apart.

mod chars;
mod compound;
mod dates;
mod function_words;
mod lexicon;
mod mentions;
mod normalize;
mod scan;
mod words;

use std::collections::HashSet;

use scan::{Scanner, Sink};

pub use dates::date_terms;
pub use function_words::without_function_words;
pub use mentions::{DateMention, MonthPart, date_mentions};
pub(crate) use words::may_have_ending;

/// Changes whenever the same text would give other terms; stored terms of an older version must be
/// rebuilt before they are searched with queries of this one.
pub const ANALYSIS_VERSION: u32 = 1;

/// The longest term in bytes; longer tokens are cut on a character boundary, on both sides alike.
pub const TERM_BYTES_MAX: usize = 64;

/// What a text holds, for indexing and for ranking signals.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Distinct terms in byte order, each with how often it occurs (saturating).
    pub terms: Vec<(String, u16)>,
    /// The number of word tokens, for length normalisation; CJK runs count their pairs.
    pub length: u32,
    /// Whether the text ends as a question.
    pub is_question: bool,
    /// Whether the text holds a number.
    pub has_number: bool,
    /// Whether the text points at a time relative to now, such as "yesterday" or "지난주".
    pub has_time_word: bool,
    /// Lower-cased capitalised words that do not begin a sentence, distinct, in order.
    pub proper_names: Vec<String>,
}

/// What kind of thing a query term is; the engine weighs the kinds differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermClass {
    /// A word, stemmed when English.
    Word,
    /// A whole identifier, lower-cased and never stemmed.
    Identifier,
    /// A pair of Chinese, Japanese or Korean characters, or a run of one.
    Cjk,
    /// A number.
    Number,
    /// A canonical date term.
    Date,
    /// An emoji with its modifiers.
    Emoji,
    /// An English stop word; worth searching only when nothing else is left.
    StopWord,
}

/// One distinct term of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTerm {
    /// The term as the index holds it.
    pub text: String,
    /// What kind of term it is.
    pub class: TermClass,
    /// What was written, lower-cased but not stemmed; for dates, the whole phrase.
    pub surface: String,
}

/// Analyses a text that is to be stored.
pub fn analyze(text: &str) -> Analysis {
    let normal = normalize::normalize(text);
    let mut scanner = Scanner::new(&normal, IndexTerms::with_capacity(normal.len()));
    scanner.run();
    let signals = scanner.signals;
    let length = scanner.length;
    let IndexTerms { arena, spans, names } = scanner.sink;
    Analysis {
        terms: counted(&arena, spans),
        length,
        is_question: is_question(text),
        has_number: signals.has_number,
        has_time_word: signals.has_time_word || (!text.is_ascii() && lexicon::has_cjk_time_word(&normal)),
        proper_names: names,
    }
}

/// Analyses what somebody asks for: distinct terms in order of first occurrence.
pub fn analyze_query(text: &str) -> Vec<QueryTerm> {
    let normal = normalize::normalize(text);
    let mut scanner = Scanner::new(&normal, QueryTerms::default());
    scanner.run();
    scanner.sink.terms
}

/// One occurrence of a term in the buffer.
struct Span {
    /// The first eight bytes as a number, which settles most comparisons of the sort.
    order: u64,
    start: usize,
    end: usize,
}

fn leading_bytes(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
    u64::from_be_bytes(bytes)
}

/// Whether an English word says too little to be searched for; lower case is expected.
pub fn is_stop_word(word: &str) -> bool {
    lexicon::is_stop_word(word)
}

/// Collects terms end to end in one buffer: a string per occurrence would cost more than the analysis.
struct IndexTerms {
    arena: String,
    spans: Vec<Span>,
    names: Vec<String>,
}

impl IndexTerms {
    fn with_capacity(bytes: usize) -> Self {
        Self { arena: String::with_capacity(bytes), spans: Vec::with_capacity(bytes / 5), names: Vec::new() }
    }
}

impl Sink for IndexTerms {
    fn term(&mut self, text: &str, _class: TermClass, _surface: &str) {
        let start = self.arena.len();
        self.arena.push_str(text);
        self.spans.push(Span { order: leading_bytes(text), start, end: self.arena.len() });
    }

    fn single(&mut self, text: &str) {
        self.term(text, TermClass::Cjk, text);
    }

    fn name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }
}

#[derive(Default)]
struct QueryTerms {
    terms: Vec<QueryTerm>,
    seen: HashSet<String>,
}

impl Sink for QueryTerms {
    fn term(&mut self, text: &str, class: TermClass, surface: &str) {
        if self.seen.insert(text.to_owned()) {
            self.terms.push(QueryTerm { text: text.to_owned(), class, surface: surface.to_owned() });
        }
    }
}

fn counted(arena: &str, mut spans: Vec<Span>) -> Vec<(String, u16)> {
    spans.sort_unstable_by(|a, b| {
        a.order.cmp(&b.order).then_with(|| arena[a.start..a.end].cmp(&arena[b.start..b.end]))
    });
    let mut terms: Vec<(String, u16)> = Vec::with_capacity(spans.len());
    for Span { start, end, .. } in spans {
        let text = &arena[start..end];
        match terms.last_mut() {
            Some((last, count)) if last == text => *count = count.saturating_add(1),
            _ => terms.push((text.to_owned(), 1)),
        }
    }
    terms
}

/// A question mark at the end, or an ending that only questions have in Chinese, Korean and Japanese.
fn is_question(text: &str) -> bool {
    const MARKS: [char; 5] = ['?', '？', '؟', '⁇', '‽'];
    const ENDINGS: [&str; 7] = ["吗", "嗎", "니까", "까요", "나요", "ですか", "ますか"];
    let closing = |c: char| c.is_whitespace() || "\"'”’)]」』!！".contains(c);
    let end = text.trim_end_matches(closing);
    let bare = end.trim_end_matches(['.', '。', '~']);
    end.ends_with(MARKS) || ENDINGS.iter().any(|ending| bare.ends_with(ending))
}
