//! What a query's words found, and how well it fits: documents, their surroundings, whole conversations.

use std::cell::OnceCell;
use std::mem;

use crate::best::Best;
use crate::census::TermCensus;
use crate::gather::Rows;
use crate::groups::GroupRows;
use crate::table::NONE;
use crate::{Doc, Index, Mask};

/// The two constants of BM25.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// How soon further occurrences of a word stop counting.
    pub k1: f32,
    /// How much a document's length counts, 0 to 1.
    pub b: f32,
}

impl Default for Bm25 {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

/// A word of the query, as the namespace knows it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QueryTerm {
    /// Living documents of the whole namespace that hold it.
    pub documents: u32,
    /// Its inverse document frequency in the whole namespace, whatever the mask.
    pub idf: f32,
    /// What its score is multiplied by; 1 unless [`Matches::weighted`] said otherwise.
    pub weight: f32,
}

/// The documents that hold at least one of the query's words. Ranking asks it as often as it likes; the
/// words were looked up once.
pub struct Matches<'a> {
    index: &'a Index,
    mask: Mask,
    rows: Rows,
    terms: Vec<QueryTerm>,
    bm25: Bm25,
    /// The terms, and what the whole namespace knows of each, if the index is a part of one.
    whole: Option<Vec<(String, TermCensus)>>,
    sessions: OnceCell<GroupRows>,
    days: OnceCell<GroupRows>,
}

/// How rare something is that so many of all hold.
pub(crate) fn inverse_frequency(all: usize, holding: u32) -> f32 {
    let (all, holding) = (all as f32, holding as f32);
    ((all - holding + 0.5) / (holding + 0.5)).ln_1p()
}

impl<'a> Matches<'a> {
    pub(crate) fn new(
        index: &'a Index,
        mask: Mask,
        rows: Rows,
        mut terms: Vec<QueryTerm>,
        whole: Option<Vec<(String, TermCensus)>>,
    ) -> Self {
        for term in &mut terms {
            term.idf = inverse_frequency(index.documents(), term.documents);
            term.weight = 1.0;
        }
        Self {
            index,
            mask,
            rows,
            terms,
            bm25: Bm25::default(),
            whole,
            sessions: OnceCell::new(),
            days: OnceCell::new(),
        }
    }

    /// The same with other constants.
    #[must_use]
    pub fn with_parameters(mut self, bm25: Bm25) -> Self {
        self.bm25 = bm25;
        self
    }

    /// The same with a weight per query term, for words that the query only suggests.
    #[must_use]
    pub fn weighted(mut self, weights: &[f32]) -> Self {
        self.terms.iter_mut().zip(weights).for_each(|(term, &weight)| term.weight = weight);
        self
    }

    /// The query's terms, in the order they were given.
    pub fn terms(&self) -> &[QueryTerm] {
        &self.terms
    }

    /// How many living documents hold a query term, inside the mask or not.
    pub fn touched(&self) -> usize {
        self.rows.docs.len()
    }

    /// How often a query term, by its place in the query, occurs in a document (at most 255).
    pub fn tf(&self, doc: Doc, term: usize) -> u8 {
        self.rows.get(doc.index()).and_then(|row| row.get(term)).copied().unwrap_or(0)
    }

    /// A document's score; 0 if it holds none of the words.
    pub fn bm25(&self, doc: Doc) -> f32 {
        let Some(row) = self.rows.get(doc.index()) else { return 0.0 };
        let counts = row.iter().map(|&times| u32::from(times));
        self.score(counts.enumerate(), self.document_length(doc))
    }

    /// The score of a document with so many of its conversation before and after it, taken as one document
    /// and measured against windows of as many documents; and, as a bit for each, which terms it holds.
    pub fn window(&self, doc: Doc, before: usize, after: usize) -> (f32, u32) {
        let members = self.index.window(doc, before, after);
        let mut counts = [0_u32; crate::TERMS_MAX];
        let mut words = 0.0;
        for &member in members.iter() {
            words += self.index.table.length[member.index()] as f32;
            if let Some(row) = self.rows.get(member.index()) {
                counts.iter_mut().zip(row).for_each(|(count, &times)| *count += u32::from(times));
            }
        }
        let counts = &counts[..self.terms.len()];
        let held =
            counts.iter().enumerate().fold(0, |held, (term, &times)| held | u32::from(times > 0) << term);
        let usual = self.index.average_length() * members.len() as f32;
        (self.score(counts.iter().copied().enumerate(), words / usual), held)
    }

    /// The score of a document's whole conversation, taken as one document among conversations: a word that
    /// most of them hold counts little. A document without a conversation stands for itself.
    pub fn session_bm25(&self, doc: Doc) -> f32 {
        match self.index.sessions.of(&self.index.table, doc) {
            Some(_) => self.score_session(self.index.table.session[doc.index()]),
            None => self.bm25(doc),
        }
    }

    /// The score of everything said on a document's day, taken as one document among days. A document
    /// without a day stands for itself.
    pub fn day_bm25(&self, doc: Doc) -> f32 {
        let days = &self.index.days;
        let number = days.of[doc.index()];
        let Some(day) = days.all.get(number as usize) else { return self.bm25(doc) };
        let (occupied, usual) = self.index.day_average();
        let rows = self.days.get_or_init(|| {
            let holding = self.holding(|term| term.days);
            GroupRows::add_up(&self.rows, self.terms.len(), days.all.len(), &days.of)
                .replaced(&self.texts(), |day| self.index.day_tally(day))
                .weighed(occupied, holding)
        });
        self.score_group(rows, number, rows.words(number, day.length) / usual)
    }

    /// The share of the query's words, weighed by how rare they are, that a document holds: 0 to 1. Words
    /// nobody has used count as missing.
    pub fn coverage(&self, doc: Doc) -> f32 {
        let weight = |term: &QueryTerm| term.idf * term.weight;
        let all: f32 = self.terms.iter().map(weight).sum();
        let Some(row) = self.rows.get(doc.index()) else { return 0.0 };
        let held = self.terms.iter().zip(row).filter(|&(_, &times)| times > 0);
        if all > 0.0 { held.map(|(term, _)| weight(term)).sum::<f32>() / all } else { 0.0 }
    }

    /// The best documents of the mask with their scores, best first.
    pub fn top(&self, k: usize) -> Vec<(Doc, f32)> {
        self.top_where(k, |_| true)
    }

    /// The best documents of the mask that `accept` takes, with their scores, best first.
    pub fn top_where(&self, k: usize, accept: impl Fn(Doc) -> bool) -> Vec<(Doc, f32)> {
        let mut best = Best::new(k.min(self.rows.docs.len()));
        for (number, &doc) in self.rows.docs.iter().enumerate() {
            if self.mask.contains(Doc(doc)) && accept(Doc(doc)) {
                let score = self.score(self.rows.terms(number), self.document_length(Doc(doc)));
                best.push(score, doc as usize);
            }
        }
        best.finish()
    }

    /// The best conversations with their scores, best first, each by the best-matching of its documents that
    /// the mask holds. Documents without a conversation are left out.
    pub fn top_sessions(&self, k: usize) -> Vec<(Doc, f32)> {
        let mut leaders: Vec<(Doc, f32)> = vec![(Doc(NONE), f32::MIN); self.index.sessions.all.len()];
        for &doc in &self.rows.docs {
            let session = self.index.table.session[doc as usize];
            if let Some(leader) = leaders.get_mut(session as usize)
                && self.mask.contains(Doc(doc))
            {
                let score = self.bm25(Doc(doc));
                if score > leader.1 || (score == leader.1 && Doc(doc) < leader.0) {
                    *leader = (Doc(doc), score);
                }
            }
        }
        let mut best = Best::new(k.min(self.rows.docs.len()));
        for (session, leader) in leaders.iter().enumerate().filter(|(_, leader)| leader.0.0 != NONE) {
            best.push(self.score_session(session as u32), leader.0.index());
        }
        best.finish()
    }

    fn score_session(&self, session: u32) -> f32 {
        let sessions = &self.index.sessions;
        let (occupied, usual) = self.index.session_average();
        let rows = self.sessions.get_or_init(|| {
            let holding = self.holding(|term| term.sessions);
            let column = &self.index.table.session;
            GroupRows::add_up(&self.rows, self.terms.len(), sessions.all.len(), column)
                .replaced(&self.texts(), |session| self.index.session_tally(session))
                .weighed(occupied, holding)
        });
        let words = rows.words(session, sessions.all[session as usize].length);
        self.score_group(rows, session, words / usual)
    }

    /// How many groups of the whole namespace hold each term, if the index is a part of one.
    fn holding(&self, count: impl Fn(&TermCensus) -> u32) -> Option<Vec<u32>> {
        self.whole.as_ref().map(|terms| terms.iter().map(|(_, term)| count(term)).collect())
    }

    /// The terms, if the index is a part of a whole.
    fn texts(&self) -> Vec<&str> {
        self.whole.iter().flatten().map(|(text, _)| text.as_str()).collect()
    }

    fn score_group(&self, rows: &GroupRows, group: u32, length: f32) -> f32 {
        let Some(counts) = rows.counts(group) else { return 0.0 };
        let Bm25 { k1, b } = self.bm25;
        let norm = k1 * (1.0 - b + b * length);
        let terms = counts.iter().zip(&rows.idf).zip(&self.terms);
        let one = |((&times, idf), term): ((&u32, &f32), &QueryTerm)| {
            idf * term.weight * times as f32 * (k1 + 1.0) / (times as f32 + norm)
        };
        terms.map(one).sum()
    }

    /// A document's length as a multiple of the average.
    #[inline]
    fn document_length(&self, doc: Doc) -> f32 {
        self.index.table.length[doc.index()] as f32 / self.index.average_length()
    }

    /// BM25 of something with these terms (by their place in the query) and of this relative length.
    #[inline]
    fn score(&self, counts: impl Iterator<Item = (usize, u32)>, length: f32) -> f32 {
        let Bm25 { k1, b } = self.bm25;
        let norm = k1 * (1.0 - b + b * length);
        let mut score = 0.0;
        for (at, times) in counts {
            if times > 0 {
                let (term, times) = (&self.terms[at], times as f32);
                score += term.idf * term.weight * times * (k1 + 1.0) / (times + norm);
            }
        }
        score
    }
}

impl Drop for Matches<'_> {
    fn drop(&mut self) {
        mem::take(&mut self.rows).give_back();
    }
}
