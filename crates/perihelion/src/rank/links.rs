//! What the best memories are linked to.
//!
//! Links that were found by likeness bring candidates, which are weighed like all others. A link that somebody
//! drew says more: the memory that it leads to belongs to the answer although it shares nothing with the
//! question. It comes right after the one it is linked from, never before a better match. In the same way a memory
//! that is no longer current leads to the one that took its place: who asks for the old one is told the new.

use std::collections::HashMap;

use peri_graph::{Direction, EdgeTypes};
use peri_index::{Doc, Index, Mask};
use peri_types::{EdgeType, MemoryId};

use super::features;
use super::weigh::{Evidence, Weighed};
use crate::graphs::Linked;

/// From this weight on, an edge was drawn rather than found.
const DRAWN_MIN: f32 = 0.95;

/// The best so many results bring along what was linked to them by hand...
const LIFTING: usize = 5;
/// ...so far below themselves in the sum of features.
const BELOW: f32 = 0.5;

/// Chains of replacements are followed so far.
const CHAIN_MAX: usize = 16;

/// At most so many links of one memory are followed.
const LINKS_MAX: usize = 20;

/// The links of an index's memories, as far as a question may see them.
pub(super) struct Links<'a> {
    pub(super) index: &'a Index,
    pub(super) mask: &'a Mask,
    pub(super) graph: Option<&'a Linked<'a>>,
}

impl Links<'_> {
    /// What a memory is linked to, either way, with the weight of the link, the heaviest first.
    pub(super) fn of(&self, doc: Doc) -> Vec<(Doc, f32)> {
        self.along(doc, Direction::Both)
    }

    fn along(&self, doc: Doc, direction: Direction) -> Vec<(Doc, f32)> {
        let (Some(graph), Some(facts)) = (self.graph, self.index.facts(doc)) else { return Vec::new() };
        // What was replaced, or cannot be true at the same time, does not help to answer.
        let types = EdgeTypes::only(&[EdgeType::RelatedTo, EdgeType::DerivedFrom, EdgeType::Sequence]);
        let mut found: Vec<(Doc, f32)> = graph
            .links(facts.id, direction, types)
            .into_iter()
            .filter_map(|link| {
                let other = if link.source == facts.id { link.target } else { link.source };
                Some((self.index.doc_of(other)?, link.weight))
            })
            .filter(|(doc, _)| self.mask.contains(*doc))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(LINKS_MAX);
        found
    }

    /// Brings what was linked by hand to the best results right below them.
    pub(super) fn lift(&self, weighed: &mut Vec<Weighed>) {
        if self.graph.is_none() {
            return;
        }
        let best: Vec<(Doc, f32)> = weighed.iter().take(LIFTING).map(|one| (one.doc, one.sum)).collect();
        for (doc, sum) in best {
            let drawn = self.along(doc, Direction::Outgoing).into_iter();
            for (other, _) in drawn.filter(|(_, weight)| *weight >= DRAWN_MIN) {
                self.lift_one(weighed, other, sum - BELOW);
            }
        }
        weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.doc.cmp(&b.doc)));
    }

    /// Brings what took the place of relevant memories to where those would be. They are given as they were
    /// weighed, the best first.
    pub(super) fn redirect(&self, weighed: &mut Vec<Weighed>, replaced: &[Weighed]) {
        let old: Vec<&Weighed> = replaced.iter().take(LIFTING).collect();
        let current = self.current(old.iter().filter_map(|one| Some(self.index.facts(one.doc)?.id)));
        for old in old {
            let id = self.index.facts(old.doc).map(|facts| facts.id);
            if let Some(current) = id.and_then(|id| current.get(&id)) {
                self.lift_one(weighed, *current, old.sum - BELOW);
            }
        }
        weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.doc.cmp(&b.doc)));
    }

    /// What took the place of memories, and what took the place of that, up to the one that is current.
    fn current(&self, old: impl Iterator<Item = MemoryId>) -> HashMap<MemoryId, Doc> {
        let mut found = HashMap::new();
        let mut waiting: Vec<(MemoryId, MemoryId)> = old.map(|id| (id, id)).collect();
        for _ in 0..CHAIN_MAX {
            let ends: Vec<MemoryId> = waiting.iter().map(|(_, at)| *at).collect();
            let newer = self.graph.map_or_else(HashMap::new, |graph| graph.successors(&ends));
            waiting = waiting.into_iter().filter_map(|(old, at)| Some((old, *newer.get(&at)?))).collect();
            waiting.retain(|(old, at)| match self.index.doc_of(*at) {
                Some(doc) if self.mask.contains(doc) => {
                    found.insert(*old, doc);
                    false
                }
                _ => true,
            });
            if waiting.is_empty() {
                break;
            }
        }
        found
    }

    fn lift_one(&self, weighed: &mut Vec<Weighed>, doc: Doc, lifted: f32) {
        match weighed.iter_mut().find(|one| one.doc == doc) {
            Some(one) if one.sum < lifted => {
                one.lift += lifted - one.sum;
                one.sum = lifted;
            }
            Some(_) => {}
            None => weighed.push(Weighed {
                doc,
                values: [0.0; features::COUNT],
                sum: lifted,
                lift: lifted,
                is_turn: self.index.in_session(doc),
                evidence: Evidence::default(),
            }),
        }
    }
}
