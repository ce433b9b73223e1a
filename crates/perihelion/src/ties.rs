//! How a new memory stands to those that are there: what it is linked to, what it repeats, what it replaces.
//!
//! A small call looks before it writes, so that everything is stored together. What came in a large batch, or
//! while the index could not be read, is looked at by the chores.

use peri_index::{Doc, Index, Superseded, View};
use peri_store::{Embedding, ListQuery, Missing, Order, Write};
use peri_text::{Analysis, Statement, Verdict, relate};
use peri_types::{
    Edge, EdgeType, Filter, Happening, Kind, Layer, Memory, MemoryId, Namespace, Scope, Timestamp,
};

use crate::Error;
use crate::chores::Afterwards;
use crate::engine::Core;
use crate::pool::Need;
use crate::reindex::Sense;

/// So many of the nearest, and of the best by words, are looked at.
const NEAREST: usize = 12;
const BEST_BY_WORDS: usize = 8;

/// So many of a memory's rarest words are looked up if its meaning is known too.
const RARE_WORDS: usize = 4;

/// The closest so many are read and compared, sentence against sentence.
const COMPARED: usize = 8;

/// Below this cosine two statements are hardly about the same thing, unless they share most words.
const RELATED_COSINE_MIN: f32 = 0.55;

/// Texts that share at least this part of their words are linked although their meaning is not known.
const SHARED_WORDS_MIN: f32 = 0.5;

/// Chores look at so many memories at a time, and in one round at most at so many.
const PAGE: usize = 256;
const PER_ROUND: usize = 1024;

/// Held by the process that looks for links.
const LINKS_LEASE: &str = "links";

/// How a new memory stands to others.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Ties {
    /// What it is linked to, the closest first.
    pub(crate) edges: Vec<Edge>,
    /// The memory that it says once more, in other words.
    pub(crate) repeats: Option<MemoryId>,
    /// Pairs of which the first, older one no longer holds and the second does.
    pub(crate) replaced: Vec<(MemoryId, MemoryId)>,
    /// What it cannot be true together with.
    pub(crate) contradicts: Vec<MemoryId>,
}

impl Ties {
    /// Leaves everything but what is repeated or replaced to the chores.
    pub(crate) fn leave_links(&mut self) {
        self.edges.clear();
        self.contradicts.clear();
    }

    /// The changes that make them so.
    pub(crate) fn writes(&self, core: &Core, memory: &Memory, at: Timestamp) -> Vec<Write> {
        let namespace = || memory.namespace.clone();
        let mut writes = Vec::new();
        if !self.edges.is_empty() {
            let (edges, max) = (self.edges.clone(), core.options.graph.edges_max);
            writes.push(Write::Link { namespace: namespace(), edges, max, missing: Missing::Skipped });
        }
        for (older, newer) in &self.replaced {
            let (older, newer) = (*older, *newer);
            writes.push(Write::Supersede { namespace: namespace(), older, newer, at });
        }
        if let Some(survivor) = self.repeats {
            writes.push(Write::Merge { namespace: namespace(), survivor, absorbed: memory.id, at });
        }
        for second in &self.contradicts {
            let what = Happening::Contradicted { first: memory.id, second: *second };
            writes.push(Write::Tell(peri_store::Told { namespace: Some(namespace()), at, what }));
        }
        writes
    }
}

/// Among which memories to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Among {
    /// All that are there: the memory itself is not yet.
    All,
    /// Those that were there before it, so that looking late finds what looking at once would have.
    Earlier,
}

/// A memory that may have to do with the new one.
struct Candidate {
    doc: Doc,
    cosine: Option<f32>,
    shared_words: f32,
}

impl Core {
    /// How memories that are about to be stored stand to those that are there. An index that cannot be read
    /// leaves it to the chores.
    pub(crate) fn ties(
        &self,
        memories: &[Memory],
        embeddings: &[Embedding],
        sense: &Sense,
    ) -> Option<Vec<Ties>> {
        let found = memories.iter().zip(embeddings).map(|(memory, embedding)| {
            let vector = match embedding {
                Embedding::Ready(vector) => Some(vector.values.as_slice()),
                _ => None,
            };
            self.ties_of(memory, vector, Among::All, sense)
        });
        match found.collect::<Result<Vec<_>, Error>>() {
            Ok(ties) => Some(ties),
            Err(error) => {
                tracing::warn!(%error, "links of new memories will be looked for later");
                None
            }
        }
    }

    fn ties_of(
        &self,
        memory: &Memory,
        vector: Option<&[f32]>,
        among: Among,
        sense: &Sense,
    ) -> Result<Ties, Error> {
        let settings = (&self.options.graph, &self.options.consolidation);
        if !settings.0.auto_link && !settings.1.merge && !settings.1.supersede {
            return Ok(Ties::default());
        }
        if memory.layer == Layer::Working {
            // What is held for a while is neither linked to what is known nor told to replace it.
            return Ok(Ties::default());
        }
        // An index in memory has all of them.
        let are_sought = self.store.searcher().is_some() && (is_statement(memory) || vector.is_none());
        let words: Vec<String> = if are_sought {
            peri_text::analyze(&memory.content).terms.into_iter().map(|(term, _)| term).collect()
        } else {
            Vec::new()
        };
        let shelf = self.shelf(sense, &memory.namespace, &Need::Likeness(&words, vector))?;
        let (candidates, ids) = {
            let index = shelf.read();
            let analysis =
                (is_statement(memory) || vector.is_none()).then(|| peri_text::analyze(&memory.content));
            let candidates = candidates(&index, memory, vector, analysis.as_ref(), self.now());
            if let Some(analysis) = analysis.filter(|_| among == Among::All) {
                sense.indexes.analyses().keep(&memory.content, analysis);
            }
            let id_of = |one: &Candidate| {
                index.facts(one.doc).filter(|facts| facts.layer != Layer::Working).map(|facts| facts.id)
            };
            let ids: Vec<Option<MemoryId>> = candidates.iter().map(id_of).collect();
            (candidates, ids)
        };
        let near: Vec<(Candidate, MemoryId)> =
            candidates.into_iter().zip(ids).filter_map(|(one, id)| Some((one, id?))).collect();
        let near: Vec<_> =
            near.into_iter().filter(|(_, id)| among == Among::All || *id < memory.id).collect();
        let mut ties = Ties { edges: self.links(memory, &near), ..Ties::default() };
        if is_statement(memory) && memory.facets.superseded_by.is_none() {
            self.compare(memory, &near, &mut ties)?;
        }
        Ok(ties)
    }

    /// The edges to what is close enough.
    fn links(&self, memory: &Memory, near: &[(Candidate, MemoryId)]) -> Vec<Edge> {
        let settings = &self.options.graph;
        if !settings.auto_link {
            return Vec::new();
        }
        let weight = |one: &Candidate| match one.cosine {
            Some(cosine) => (cosine >= settings.link_cosine_min).then_some(cosine),
            None => (one.shared_words >= SHARED_WORDS_MIN).then_some(one.shared_words),
        };
        let created_at = self.now();
        let edge = |(one, target): &(Candidate, MemoryId)| {
            // Just below one: a link that was found is not as sure as one that was told.
            let weight = weight(one)?.min(0.94);
            let (source, edge_type) = (memory.id, EdgeType::RelatedTo);
            Some(Edge { source, target: *target, edge_type, weight, created_at })
        };
        let mut edges: Vec<Edge> = near.iter().filter_map(edge).collect();
        edges.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.target.cmp(&b.target)));
        edges.truncate(settings.links_per_memory);
        edges
    }

    /// Finds what the memory repeats, replaces or contradicts.
    fn compare(&self, memory: &Memory, near: &[(Candidate, MemoryId)], ties: &mut Ties) -> Result<(), Error> {
        let settings = &self.options.consolidation;
        let mut close: Vec<&(Candidate, MemoryId)> = near
            .iter()
            .filter(|(one, _)| {
                one.cosine.is_some_and(|cosine| cosine >= RELATED_COSINE_MIN)
                    || one.shared_words >= SHARED_WORDS_MIN
            })
            .collect();
        let likeness = |one: &Candidate| one.cosine.unwrap_or(0.0).max(one.shared_words);
        close.sort_by(|(a, _), (b, _)| likeness(b).total_cmp(&likeness(a)));
        close.truncate(COMPARED);
        let ids: Vec<MemoryId> = close.iter().map(|(_, id)| *id).collect();
        let others = self.store.get(&Scope::Exact(memory.namespace.clone()), &ids)?;
        let own = memory.fingerprint();
        for (one, id) in close {
            let Some(other) = others.iter().find(|other| other.id == *id) else { continue };
            if !is_statement(other) || !other.is_visible(self.now()) || other.id == memory.id {
                continue;
            }
            if other.fingerprint() == own {
                // It will be joined to this very one, which has ties of its own.
                *ties = Ties::default();
                return Ok(());
            }
            let (newer, older) =
                if memory.valid_from() >= other.valid_from() { (memory, other) } else { (other, memory) };
            let verdict = self.verdict(&statement(newer), &statement(older));
            let near_enough = one.cosine.is_none_or(|cosine| cosine >= settings.merge_cosine_min);
            match verdict {
                Verdict::Same if settings.merge && near_enough => ties.repeats = ties.repeats.or(Some(*id)),
                Verdict::Replaces if settings.supersede => ties.replaced.push((older.id, newer.id)),
                Verdict::Contradicts => {
                    ties.contradicts.push(*id);
                    let (source, edge_type) = (memory.id, EdgeType::Contradicts);
                    let (target, created_at) = (*id, self.now());
                    ties.edges.push(Edge { source, target, edge_type, weight: 0.95, created_at });
                }
                Verdict::Same | Verdict::Replaces | Verdict::Unrelated => {}
            }
        }
        Ok(())
    }

    fn verdict(&self, newer: &Statement<'_>, older: &Statement<'_>) -> Verdict {
        // Nobody waits for what another has read: it is read again.
        let known = self.comparison.try_lock();
        known.map_or_else(|| relate(newer, older), |mut known| known.relate(newer, older)).verdict
    }

    /// The same as [`Core::tie_pending`], but of several processes only one looks at a time.
    pub(crate) fn tie_pending_in_turn(&self, go_on: &dyn Fn() -> bool) -> Result<bool, Error> {
        let query = ListQuery { unlinked: true, limit: 1, ..ListQuery::default() };
        if self.store.list(&query)?.memories.is_empty() {
            return Ok(false);
        }
        // What somebody else is at is left.
        let mut left = true;
        self.in_turn(LINKS_LEASE, Afterwards::GivenBack, go_on, |go_on| {
            left = self.tie_pending(go_on)?;
            Ok(())
        })?;
        Ok(left)
    }

    /// Looks for the links of memories for which nobody has yet; whether some are left.
    pub(crate) fn tie_pending(&self, go_on: &dyn Fn() -> bool) -> Result<bool, Error> {
        let mut query =
            ListQuery { unlinked: true, order: Order::OldestFirst, limit: PAGE, ..ListQuery::default() };
        let sense = self.sense();
        let mut left = PER_ROUND;
        while go_on() && left > 0 {
            let page = self.store.list(&query)?.memories;
            if page.is_empty() {
                return Ok(false);
            }
            let mut writes = Vec::new();
            for memory in &page {
                if !go_on() {
                    break;
                }
                let vector = self.vector_of(&memory.namespace, memory.id, &sense)?;
                let ties = self.ties_of(memory, vector.as_deref(), Among::Earlier, &sense)?;
                writes.extend(ties.writes(self, memory, self.now()));
                let namespace = memory.namespace.clone();
                writes.push(Write::MarkLinked { namespace, ids: vec![memory.id] });
            }
            // Together, since each call waits for the disk. What no longer fits by then is skipped.
            self.store.write(writes)?;
            left = left.saturating_sub(page.len());
            query.after = None;
        }
        Ok(left == 0)
    }

    /// A memory's vector in the space that answers, if it has one.
    pub(crate) fn vector_of(
        &self,
        namespace: &Namespace,
        id: MemoryId,
        sense: &Sense,
    ) -> Result<Option<Vec<f32>>, Error> {
        let shelf = self.shelf(sense, namespace, &Need::Memories(&[id]))?;
        let index = shelf.read();
        Ok(index.doc_of(id).and_then(|doc| index.vector(doc)))
    }
}

/// Whether a memory states something by itself, rather than being a turn of a conversation, a summary or a piece of
/// a document. What is part of a knowledge graph, or comes from a file, stands for itself too, and only whoever keeps
/// the graph or the file may say that it no longer holds.
fn is_statement(memory: &Memory) -> bool {
    let facets = &memory.facets;
    let told = facets.session.is_none() && facets.speaker.is_none();
    let stands_alone = memory.part().is_none() && memory.document().is_none();
    told && stands_alone && !matches!(memory.kind, Kind::Episode | Kind::Summary | Kind::Document)
}

fn statement(memory: &Memory) -> Statement<'_> {
    Statement { kind: Some(memory.kind), ..Statement::new(&memory.content) }
}

/// Those near in meaning, and, if the words are told, those that share the rarest of them.
fn candidates(
    index: &Index,
    memory: &Memory,
    vector: Option<&[f32]>,
    words: Option<&Analysis>,
    now: Timestamp,
) -> Vec<Candidate> {
    let mask = index.mask(&Filter::default(), View { now, superseded: Superseded::LeftOut });
    let own = index.doc_of(memory.id);
    let nearest = vector.map_or_else(Vec::new, |vector| index.nearest(vector, &mask, NEAREST + 1));
    let mut found: Vec<Candidate> = nearest
        .into_iter()
        .filter(|(doc, _)| Some(*doc) != own)
        .map(|(doc, cosine)| Candidate { doc, cosine: Some(cosine), shared_words: 0.0 })
        .collect();
    if let Some(analysis) = words {
        let mut terms: Vec<&str> = analysis.terms.iter().map(|(term, _)| term.as_str()).collect();
        // Rare words tell most and cost least; with a meaning to go by, a few of them are enough.
        let looked_up = if vector.is_some() { RARE_WORDS } else { peri_index::TERMS_MAX };
        terms.retain(|term| index.frequency(term) > 0);
        terms.sort_by_cached_key(|term| index.frequency(term));
        let all = if vector.is_some() { looked_up.min(terms.len()) as u32 } else { analysis.length };
        terms.truncate(looked_up);
        let words = index.gather(&terms, &mask);
        for (doc, _) in words.top(BEST_BY_WORDS) {
            if Some(doc) == own {
                continue;
            }
            let shared = (0..terms.len().min(peri_index::TERMS_MAX))
                .filter(|at| words.tf(doc, *at) > 0)
                .count() as f32;
            let longer = if vector.is_some() { all } else { all.max(index.length(doc)) }.max(1) as f32;
            let shared_words = (shared / longer).min(1.0);
            match found.iter_mut().find(|one| one.doc == doc) {
                Some(one) => one.shared_words = shared_words,
                None => {
                    let cosine = vector.and_then(|vector| index.cosine(vector, doc));
                    found.push(Candidate { doc, cosine, shared_words });
                }
            }
        }
    }
    found
}
