//! What the index is told of a memory.

use jiff::civil::Date;
use peri_embed::StaticEngine;
use peri_index::{Entry, Index};
use peri_text::Analysis;
use peri_types::{Kind, Layer, Memory, MemoryId};

use crate::rank::dates::{day_number, day_of};
use crate::rank::question::alias_key;

/// Changes when the same memory would be indexed differently, so that saved indexes are built anew.
pub(crate) const VERSION: u32 = peri_text::ANALYSIS_VERSION * 1000 + 3;

/// Set in an entry's flags when the memory asks something.
pub(crate) const ASKS: u8 = 1;
/// Set when it holds a time: a number, or a word such as "yesterday".
pub(crate) const HOLDS_TIME: u8 = 2;
/// Set when it is written without spaces between words, so that its length means something else.
pub(crate) const UNSPACED: u8 = 4;

/// How many times an alias counts: it is what the memory is about, not merely a word in it.
const ALIAS_COUNT: u16 = 2;

/// A date that stands within so many bytes of the beginning is taken for the memory's own.
const LEADING_DATE_BYTES: usize = 24;

/// Everything that an index is told of a memory, apart from its vector.
pub(crate) struct Told {
    pub(crate) id: MemoryId,
    pub(crate) at: i64,
    pub(crate) day: Option<i32>,
    pub(crate) layer: Layer,
    pub(crate) kind: Kind,
    pub(crate) pinned: bool,
    pub(crate) importance: f32,
    pub(crate) expires_at: Option<i64>,
    pub(crate) superseded: bool,
    pub(crate) session: Option<String>,
    pub(crate) speaker: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) terms: Vec<(String, u16)>,
    pub(crate) tokens: Vec<u16>,
    pub(crate) length: u32,
    pub(crate) flags: u8,
}

/// Enters a memory into an index, or replaces what the index had of it.
pub(crate) fn put(index: &mut Index, lexicon: &StaticEngine, memory: &Memory, vector: Option<&[f32]>) {
    Told::of(lexicon, memory).enter(index, vector);
}

impl Told {
    /// What is told of a memory.
    pub(crate) fn of(lexicon: &StaticEngine, memory: &Memory) -> Self {
        Self::analysed(lexicon, memory, peri_text::analyze(&memory.content))
    }

    /// The same of a memory whose content was analysed.
    pub(crate) fn analysed(lexicon: &StaticEngine, memory: &Memory, mut analysis: Analysis) -> Self {
        let facets = &memory.facets;
        let flags = flags_of(&memory.content, &analysis);
        add_aliases(&mut analysis.terms, &facets.aliases);
        let circumstances = facets.context.circumstances().map(|one| peri_index::circumstance_tag(&one));
        Self {
            id: memory.id,
            at: memory.at().as_millisecond(),
            day: day(memory),
            layer: memory.layer,
            kind: memory.kind,
            pinned: facets.pinned,
            importance: memory.importance.value(),
            expires_at: unseen_from(memory),
            superseded: facets.superseded_by.is_some(),
            session: facets.session.clone(),
            speaker: facets.speaker.clone(),
            tags: facets.tags.iter().cloned().chain(circumstances).collect(),
            terms: analysis.terms,
            tokens: lexicon.whole_words(&memory.content, peri_text::is_stop_word),
            length: analysis.length,
            flags,
        }
    }

    /// Enters it into an index, or replaces what the index had of the memory.
    pub(crate) fn enter(&self, index: &mut Index, vector: Option<&[f32]>) {
        index.upsert(&Entry {
            id: self.id,
            at: self.at,
            day: self.day,
            layer: self.layer,
            kind: self.kind,
            pinned: self.pinned,
            importance: self.importance,
            expires_at: self.expires_at,
            superseded: self.superseded,
            session: self.session.as_deref(),
            speaker: self.speaker.as_deref(),
            tags: &self.tags,
            terms: &self.terms,
            tokens: &self.tokens,
            length: self.length,
            flags: self.flags,
            vector,
        });
    }
}

/// From when on a memory is not seen, unless the past is asked for: it expires, or no longer holds.
fn unseen_from(memory: &Memory) -> Option<i64> {
    let facets = &memory.facets;
    let ends = [facets.expires_at, facets.valid_until];
    ends.into_iter().flatten().min().map(|at| at.as_millisecond())
}

/// The day a memory speaks of: when it was said to have happened, or the date it begins with, or, for a turn
/// of a conversation, when it was stored. A plain fact that gives no date has no day.
fn day(memory: &Memory) -> Option<i32> {
    let facets = &memory.facets;
    let told = facets.occurred_at.map(day_of);
    let stored = facets.session.as_ref().map(|_| day_of(memory.created_at));
    told.or_else(|| leading_day(&memory.content)).or(stored)
}

fn leading_day(content: &str) -> Option<i32> {
    let mut end = content.len().min(LEADING_DATE_BYTES);
    while !content.is_char_boundary(end) {
        end -= 1;
    }
    let mention = peri_text::date_mentions(&content[..end]).into_iter().next()?;
    Date::new(mention.year?, mention.month?, mention.day?).ok().map(day_number)
}

fn flags_of(content: &str, analysis: &Analysis) -> u8 {
    let mut flags = 0;
    if content.contains(['?', '？']) {
        flags |= ASKS;
    }
    if analysis.has_time_word || analysis.has_number {
        flags |= HOLDS_TIME;
    }
    let wide =
        content.chars().filter(|c| matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')).count();
    if wide * 3 > content.chars().count() {
        flags |= UNSPACED;
    }
    flags
}

/// Aliases are found word by word and, under a key of their own, as a whole.
fn add_aliases(terms: &mut Vec<(String, u16)>, aliases: &[String]) {
    for alias in aliases {
        for (term, count) in peri_text::analyze(alias).terms {
            add_term(terms, term, count.saturating_mul(ALIAS_COUNT));
        }
        if let Some(key) = alias_key(alias) {
            add_term(terms, key, 1);
        }
    }
}

/// Joins a further term into a sorted list.
fn add_term(terms: &mut Vec<(String, u16)>, term: String, count: u16) {
    match terms.binary_search_by(|(own, _)| own.as_str().cmp(&term)) {
        Ok(at) => terms[at].1 = terms[at].1.saturating_add(count),
        Err(at) => terms.insert(at, (term, count)),
    }
}
