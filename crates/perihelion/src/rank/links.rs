//! What the best memories are linked to.
//!
//! Links that were found by likeness bring candidates, which are weighed like all others. A link that somebody
//! drew says more: the memory at its other end belongs to the answer although it shares nothing with the
//! question. It comes right after the one it is linked to, never before a better match.

use peri_graph::{Direction, EdgeTypes, Graph};
use peri_index::{Doc, Index, Mask};
use peri_types::EdgeType;

use super::features;
use super::weigh::{Evidence, Weighed};

/// From this weight on, an edge was drawn rather than found.
const DRAWN_MIN: f32 = 0.95;

/// The best so many results bring along what was linked to them by hand...
const LIFTING: usize = 5;
/// ...so far below themselves in the sum of features.
const BELOW: f32 = 0.5;

/// At most so many links of one memory are followed.
const LINKS_MAX: usize = 20;

/// The links of an index's memories, as far as a question may see them.
pub(super) struct Links<'a> {
    pub(super) index: &'a Index,
    pub(super) mask: &'a Mask,
    pub(super) graph: Option<&'a Graph>,
}

impl Links<'_> {
    /// What a memory is linked to, either way, with the weight of the link, the heaviest first.
    pub(super) fn of(&self, doc: Doc) -> Vec<(Doc, f32)> {
        let (Some(graph), Some(facts)) = (self.graph, self.index.facts(doc)) else { return Vec::new() };
        // What was replaced, or cannot be true at the same time, does not help to answer.
        let types = EdgeTypes::only(&[EdgeType::RelatedTo, EdgeType::DerivedFrom, EdgeType::Sequence]);
        let mut found: Vec<(Doc, f32)> = graph
            .links(facts.id, Direction::Both, types)
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
        if self.graph.is_none_or(|graph| graph.edge_count() == 0) {
            return;
        }
        let best: Vec<(Doc, f32)> = weighed.iter().take(LIFTING).map(|one| (one.doc, one.sum)).collect();
        for (doc, sum) in best {
            let lifted = sum - BELOW;
            for (other, _) in self.of(doc).into_iter().filter(|(_, weight)| *weight >= DRAWN_MIN) {
                match weighed.iter_mut().find(|one| one.doc == other) {
                    Some(one) if one.sum < lifted => {
                        one.lift += lifted - one.sum;
                        one.sum = lifted;
                    }
                    Some(_) => {}
                    None => weighed.push(Weighed {
                        doc: other,
                        values: [0.0; features::COUNT],
                        sum: lifted,
                        lift: lifted,
                        is_turn: self.index.in_session(other),
                        evidence: Evidence::default(),
                    }),
                }
            }
        }
        weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.doc.cmp(&b.doc)));
    }
}
