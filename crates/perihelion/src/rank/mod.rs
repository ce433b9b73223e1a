//! Ranking: which memories of an index matter to a question.
//!
//! [`Question`] is what is asked; `candidates` finds what is worth weighing; `weigh` measures each candidate's
//! `features`, `asked_days` its day among them; `floor` leaves out what is not relevant.

mod asked_days;
mod candidates;
pub(crate) mod dates;
pub(crate) mod features;
mod floor;
mod links;
pub(crate) mod question;
mod scout;
mod stage;
mod weigh;

use peri_embed::StaticEngine;
use peri_index::{Index, Matches, Superseded, View};
use peri_types::{Filter, MemoryId};

pub(crate) use asked_days::Moment;
pub(crate) use question::Question;
pub(crate) use scout::{Sought, scout};
pub use stage::{Stage, Stages};

use crate::graphs::Linked;
use crate::recall::{Explanation, Part};
use candidates::Candidates;
use features::Occasion;
use links::Links;
use question::Asked;
use weigh::{Scales, Weighed};

/// A memory and what speaks for it.
pub(crate) struct Ranked {
    pub(crate) id: MemoryId,
    pub(crate) sum: f32,
    /// How relevant it seems, from 0 to 1.
    pub(crate) score: f32,
    pub(crate) explanation: Explanation,
    /// The features, for fitting weights.
    pub(crate) values: features::Values,
}

/// What ranking one index gave.
pub(crate) struct Ranking {
    pub(crate) ranked: Vec<Ranked>,
    pub(crate) considered: usize,
    pub(crate) below_floor: usize,
}

/// What of an index may be seen, and what is known besides.
pub(crate) struct Sight<'a> {
    /// Conditions that every result must meet.
    pub(crate) filter: &'a Filter,
    /// Which time is looked at.
    pub(crate) view: View,
    /// How memories are linked, if that takes part.
    pub(crate) graph: Option<&'a Linked<'a>>,
}

/// The memories of an index that matter to a question, the best first, at most `limit`.
pub(crate) fn rank(
    index: &Index,
    lexicon: &StaticEngine,
    question: &Question,
    sight: &Sight<'_>,
    limit: usize,
) -> Ranking {
    let mask = index.mask(sight.filter, sight.view);
    let question = question.in_sight(index, &mask);
    let asked = question.asked_of(index, lexicon);
    let terms: Vec<&str> = asked.terms.iter().map(|term| term.text.as_str()).collect();
    let names: Vec<&str> =
        asked.names.iter().map(String::as_str).filter(|name| index.frequency(name) > 0).collect();
    let words = index.gather(&terms, &mask).weighted(&asked.weights);
    let names = index.gather(&names, &mask);
    let links = Links { index, mask: &mask, graph: sight.graph };
    let docs = Candidates::gather(index, &mask, question, &words, &names, &links);
    let surfaces: Vec<&str> = asked.terms.iter().map(|term| term.surface.as_str()).collect();
    let similar = question.has_engine.then(|| lexicon.similarities(&surfaces));
    let mut weighed = Scales::new(index, question, &asked, &words, &names, similar).weigh(&docs, limit);
    let (considered, weighed_in_full) = (docs.len(), weighed.len());
    floor::apply(question, &mut weighed);
    let below_floor = weighed_in_full - weighed.len();
    links.lift(&mut weighed);
    if sight.graph.is_some() && sight.view.superseded == Superseded::LeftOut {
        links.redirect(&mut weighed, &replaced(index, lexicon, question, &asked, sight, limit));
    }
    weighed.truncate(limit);
    let account =
        Account { index, question, asked: &asked, words: &words, occasion: question.occasion(&asked) };
    let ranked = weighed.into_iter().filter_map(|one| account.of(one)).collect();
    Ranking { ranked, considered, below_floor }
}

/// What would matter to the question if it were still current, the best first.
fn replaced(
    index: &Index,
    lexicon: &StaticEngine,
    question: &Question,
    asked: &Asked,
    sight: &Sight<'_>,
    limit: usize,
) -> Vec<Weighed> {
    let view = View { superseded: Superseded::Only, ..sight.view };
    let mask = index.mask(&Filter::default(), view);
    if mask.is_empty() {
        return Vec::new();
    }
    let terms: Vec<&str> = asked.terms.iter().map(|term| term.text.as_str()).collect();
    let names: Vec<&str> = asked.names.iter().map(String::as_str).collect();
    let words = index.gather(&terms, &mask).weighted(&asked.weights);
    let names = index.gather(&names, &mask);
    let links = Links { index, mask: &mask, graph: None };
    let docs = Candidates::gather(index, &mask, question, &words, &names, &links);
    let surfaces: Vec<&str> = asked.terms.iter().map(|term| term.surface.as_str()).collect();
    let similar = question.has_engine.then(|| lexicon.similarities(&surfaces));
    let mut weighed = Scales::new(index, question, asked, &words, &names, similar).weigh(&docs, limit);
    floor::apply(question, &mut weighed);
    weighed
}

/// Gives account of a result.
struct Account<'a> {
    index: &'a Index,
    question: &'a Question,
    asked: &'a Asked,
    words: &'a Matches<'a>,
    occasion: Occasion,
}

impl Account<'_> {
    /// What speaks for a memory; `None` if it has left the index.
    fn of(&self, one: Weighed) -> Option<Ranked> {
        let id = self.index.facts(one.doc)?.id;
        let matched = self.asked.terms.iter().enumerate().filter(|(at, _)| self.words.tf(one.doc, *at) > 0);
        let mut matched: Vec<String> = matched.map(|(_, term)| term.surface.clone()).collect();
        matched.dedup();
        let part = |stage| Part { stage, value: self.value_of(stage, &one) };
        let mut parts: Vec<Part> = Stage::ALL.into_iter().map(part).collect();
        parts.retain(|part| part.value != 0.0);
        parts.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let score = self.occasion.score(one.sum, &self.question.weights);
        Some(Ranked {
            id,
            sum: one.sum,
            score,
            explanation: Explanation { parts, matched },
            values: one.values,
        })
    }

    /// What a stage brought.
    fn value_of(&self, stage: Stage, one: &Weighed) -> f32 {
        if stage == Stage::Graph {
            return one.lift;
        }
        let own = (0..features::COUNT).filter(|at| features::stage_of(*at, one.is_turn) == stage);
        own.map(|at| self.question.weights[at] * one.values[at]).sum()
    }
}
