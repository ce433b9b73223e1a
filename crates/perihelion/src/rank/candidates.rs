//! Which memories are worth weighing: by word, by meaning, by name, by date, and by what they stand next to.

use std::collections::HashSet;

use peri_index::{Doc, Index, Mask, Matches};

use super::links::Links;
use super::question::Question;
use super::{Stage, Stages};

/// The best so many by words.
const BEST: usize = 200;
/// The best so many by meaning: fewer, since walking to the far ones costs more than they bring.
const NEAREST: usize = 150;
/// In a namespace of more than so many memories, where walking to them costs most, only so many.
const LARGE: usize = 20_000;
const NEAREST_OF_MANY: usize = 100;
/// The best so many of each bring their neighbours along.
const WITH_NEIGHBOURS: usize = 25;
/// The best so many of each bring along what they are linked to.
const WITH_LINKS: usize = 5;
/// Neighbours on either side.
const NEIGHBOURS: i32 = 2;
/// The best so many sessions bring their turns along, each at most so many.
const SESSIONS: usize = 8;
const TURNS_PER_SESSION: usize = 64;
/// A day that the question names brings at most so many memories along, and a stretch of days at most so many.
const PER_DAY: usize = 300;
const PER_STRETCH: usize = 1500;

/// Collects candidates of one index, each once and only those that the filter lets through.
pub(super) struct Candidates<'a> {
    index: &'a Index,
    mask: &'a Mask,
    seen: HashSet<Doc>,
    docs: Vec<Doc>,
}

impl<'a> Candidates<'a> {
    /// The candidates for a question.
    pub(super) fn gather(
        index: &'a Index,
        mask: &'a Mask,
        question: &Question,
        words: &Matches<'_>,
        names: &Matches<'_>,
        links: &Links<'_>,
    ) -> Vec<Doc> {
        let mut candidates =
            Self { index, mask, seen: HashSet::with_capacity(1024), docs: Vec::with_capacity(1024) };
        let stages = question.stages;
        let mut leaders = Vec::new();
        if stages.has(Stage::Words) {
            candidates.take(names.top(BEST).into_iter().map(|(doc, _)| doc));
            leaders.push(words.top(BEST));
        }
        if let Some(vector) = &question.vector {
            leaders.push(index.nearest(
                vector,
                mask,
                if index.documents() > LARGE { NEAREST_OF_MANY } else { NEAREST },
            ));
        }
        for best in &leaders {
            candidates.take(best.iter().map(|(doc, _)| *doc));
        }
        for (doc, _) in leaders.iter().flat_map(|best| best.iter().take(WITH_NEIGHBOURS)) {
            candidates.take_neighbours(*doc, stages);
        }
        for (doc, _) in leaders.iter().flat_map(|best| best.iter().take(WITH_LINKS)) {
            candidates.take(links.of(*doc).into_iter().map(|(doc, _)| doc));
        }
        if stages.has(Stage::Session) && stages.has(Stage::Words) {
            candidates.take_sessions(words);
        }
        if !question.days.is_empty() {
            candidates.take_dated(question, words);
        }
        candidates.docs
    }

    fn take(&mut self, docs: impl Iterator<Item = Doc>) {
        for doc in docs {
            if self.mask.contains(doc) && self.seen.insert(doc) {
                self.docs.push(doc);
            }
        }
    }

    fn take_neighbours(&mut self, doc: Doc, stages: Stages) {
        if stages.has(Stage::Neighbours) {
            let index = self.index;
            self.take((-NEIGHBOURS..=NEIGHBOURS).filter_map(|offset| index.neighbour(doc, offset)));
        }
    }

    /// What was said on a day that the question names, and the best by words of the time it names.
    fn take_dated(&mut self, question: &Question, words: &Matches<'_>) {
        let (index, mask, days) = (self.index, self.mask, &question.days);
        for stretch in days.candidate_stretches() {
            let per_day = PER_STRETCH.checked_div(stretch.days().unsigned_abs() as usize);
            self.take(days.own_docs(index, stretch, per_day.unwrap_or(PER_DAY).min(PER_DAY)));
            self.take(days.stored_docs(index, mask, stretch).take(PER_DAY));
        }
        let agrees = |doc| days.agreement(index, doc) > 0.0;
        self.take(words.top_where(BEST, agrees).into_iter().map(|(doc, _)| doc));
    }

    fn take_sessions(&mut self, words: &Matches<'_>) {
        let index = self.index;
        for (doc, _) in words.top_sessions(SESSIONS) {
            self.take(index.session_docs(doc).iter().take(TURNS_PER_SESSION).copied());
        }
    }
}
