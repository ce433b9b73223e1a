//! A navigable small-world graph over the vectors, for namespaces too large to scan.
//!
//! It covers a prefix of the documents: adding one never waits for it, and a background chore extends it in
//! slices. Documents that die stay in it as waypoints until the index is compacted.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::kernel;
use crate::probe::Probe;
use crate::table::NONE;
use crate::vectors::Vectors;
use crate::visited::Visited;

/// How vectors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorSettings {
    /// Up to so many documents are scanned; more of them are worth a graph.
    ///
    /// Measured with `examples/vector_speed.rs` (2 shared cores with AVX-512, mixtures of LoCoMo vectors, 256
    /// dimensions; microseconds of processor time a query and recall, best 10 / best 100). The recall is
    /// generous: a result counts as right if its cosine lies within .001 of the last wanted one, and the
    /// queries are further mixtures, not questions.
    ///
    /// | documents | codes | graph | linking |
    /// |---|---|---|---|
    /// | 20,000 | 192, 1.000 / 280, 1.000 | 166, .991 / 227, 1.000 | 3.5 s |
    /// | 50,000 | 499, 1.000 / 560, 1.000 | 140, .993 / 332, .981 | 9.8 s |
    /// | 100,000 | 1018, 1.000 / 1200, 1.000 | 292, .990 / 472, .981 | 27.8 s |
    ///
    /// The graph is faster from about 20,000 on, but half a millisecond is no burden and the scan misses
    /// nothing, so it stays until 50,000. In tight clusters smaller than what is wanted the graph does worse:
    /// .89 to .94 of the best 100 among 2,000 random clusters.
    pub flat_max: usize,
    /// Links of a document on the upper levels of the graph; twice as many on the lowest.
    pub m: usize,
    /// Candidates weighed when a document is linked.
    pub ef_construction: usize,
    /// Candidates weighed when the graph is searched; at least as many as results are wanted.
    pub ef_search: usize,
}

impl Default for VectorSettings {
    fn default() -> Self {
        Self { flat_max: 50_000, m: 16, ef_construction: 100, ef_search: 128 }
    }
}

/// A document and its cosine with what is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Near {
    pub(crate) cosine: f32,
    pub(crate) doc: u32,
}

impl Eq for Near {}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cosine.total_cmp(&other.cosine).then(other.doc.cmp(&self.doc))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The links. Every array is determined by which documents are covered, except the links themselves.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    pub(crate) m: usize,
    /// Documents below this number have been linked (or passed over, for want of a vector).
    pub(crate) covered: usize,
    /// Where a search begins; None while nothing is linked.
    pub(crate) entry: Option<u32>,
    /// Links of the lowest level, `2 m` for each covered document, filled up with [`NONE`].
    pub(crate) base: Vec<u32>,
    /// Links of the upper levels, `m` for each level of each covered document.
    pub(crate) upper: Vec<u32>,
    /// Where a document's upper links begin.
    upper_at: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(m: usize) -> Self {
        Self { m: m.max(2), ..Self::default() }
    }

    /// A graph read back from its parts; None where they do not fit together.
    pub(crate) fn from_parts(m: usize, entry: u32, base: Vec<u32>, upper: Vec<u32>) -> Option<Self> {
        let covered = base.len().checked_div(m.checked_mul(2)?)?;
        let mut graph =
            Self { m, covered, entry: (entry != NONE).then_some(entry), base, upper, upper_at: Vec::new() };
        let mut start = 0_usize;
        for doc in 0..covered as u32 {
            graph.upper_at.push(u32::try_from(start).ok()?);
            start += graph.level(doc) * m;
        }
        let known = |&link: &u32| link == NONE || (link as usize) < covered;
        let sound = m >= 2
            && graph.base.len() == covered * m * 2
            && graph.upper.len() == start
            && graph.entry.is_none_or(|entry| (entry as usize) < covered)
            && graph.base.iter().chain(&graph.upper).all(known);
        sound.then_some(graph)
    }

    /// A document's highest level. It depends on the number alone, so that a graph built in any slices, or
    /// built again, is the same graph.
    fn level(&self, doc: u32) -> usize {
        let mut hash = (u64::from(doc) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ (hash >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let uniform = ((hash ^ (hash >> 32)) >> 11) as f64 / (1_u64 << 53) as f64;
        let level = -(uniform.max(1e-12)).ln() / (self.m as f64).ln();
        (level as usize).min(8)
    }

    /// The links of a document on a level it reaches; none on others.
    fn links(&self, doc: u32, level: usize) -> &[u32] {
        let (doc, m) = (doc as usize, self.m);
        let links = match level {
            0 => self.base.get(doc * m * 2..(doc + 1) * m * 2),
            _ if level > self.level(doc as u32) => None,
            _ => self
                .upper_at
                .get(doc)
                .and_then(|&at| self.upper.get(at as usize + (level - 1) * m..)?.get(..m)),
        };
        let links = links.unwrap_or_default();
        &links[..links.iter().position(|&link| link == NONE).unwrap_or(links.len())]
    }

    fn set_links(&mut self, doc: u32, level: usize, links: &[u32]) {
        let (at, m) = (doc as usize, self.m);
        let place = match level {
            0 => &mut self.base[at * m * 2..(at + 1) * m * 2],
            _ => &mut self.upper[self.upper_at[at] as usize + (level - 1) * m..][..m],
        };
        place.fill(NONE);
        place[..links.len()].copy_from_slice(links);
    }

    fn links_max(&self, level: usize) -> usize {
        if level == 0 { self.m * 2 } else { self.m }
    }

    /// Covers the next document; `wanted` says whether it is worth linking at all.
    pub(crate) fn cover_next(&mut self, vectors: &Vectors, ef: usize, wanted: bool) {
        let doc = self.covered as u32;
        let level = self.level(doc);
        self.covered += 1;
        self.base.resize(self.covered * self.m * 2, NONE);
        self.upper_at.push(self.upper.len() as u32);
        self.upper.resize(self.upper.len() + level * self.m, NONE);
        if wanted {
            self.link(vectors, doc, level, ef);
        }
    }

    fn link(&mut self, vectors: &Vectors, doc: u32, level: usize, ef: usize) {
        let Some(entry) = self.entry else {
            self.entry = Some(doc);
            return;
        };
        let query = vectors.values(doc as usize);
        let probe = Probe::new(vectors, &query);
        let top = self.level(entry);
        let mut start = vec![self.descend(&probe, entry, level)];
        for at in (0..=level.min(top)).rev() {
            let found = self.search_level(&probe, &start, ef, at, |_| true);
            start.clone_from(&found);
            let chosen = choose(vectors, &probe.look_at_all(found), self.m);
            self.set_links(doc, at, &chosen);
            for &other in &chosen {
                self.link_back(vectors, other, doc, at);
            }
        }
        if level > top {
            self.entry = Some(doc);
        }
    }

    /// Adds a link; where there is no room, the best-spread of the links stay.
    fn link_back(&mut self, vectors: &Vectors, from: u32, to: u32, level: usize) {
        let mut links = self.links(from, level).to_vec();
        links.push(to);
        if links.len() > self.links_max(level) {
            let centre = vectors.row(from as usize);
            let cosine = |doc: u32| kernel::dot_halves(centre, vectors.row(doc as usize));
            let mut near: Vec<Near> = links.iter().map(|&doc| Near { cosine: cosine(doc), doc }).collect();
            near.sort_unstable_by(|a, b| b.cmp(a));
            links = choose(vectors, &near, self.links_max(level));
        }
        self.set_links(from, level, &links);
    }

    /// Walks greedily down to just above `level`.
    fn descend(&self, probe: &Probe<'_>, entry: u32, level: usize) -> Near {
        let mut best = probe.glance(entry);
        for at in (level + 1..=self.level(entry)).rev() {
            loop {
                let links = self.links(best.doc, at).iter();
                match links.map(|&doc| probe.glance(doc)).max().filter(|&next| next > best) {
                    Some(next) => best = next,
                    None => break,
                }
            }
        }
        best
    }

    /// The best documents that the graph leads to, best first, with their cosines; only those that `accept`
    /// takes, though the way may lead over others.
    pub(crate) fn search(&self, probe: &Probe<'_>, ef: usize, accept: impl Fn(u32) -> bool) -> Vec<Near> {
        let Some(entry) = self.entry else { return Vec::new() };
        let start = [self.descend(probe, entry, 0)];
        probe.look_at_all(self.search_level(probe, &start, ef, 0, accept))
    }

    fn search_level(
        &self,
        probe: &Probe<'_>,
        start: &[Near],
        ef: usize,
        level: usize,
        accept: impl Fn(u32) -> bool,
    ) -> Vec<Near> {
        let mut visited = Visited::take(self.covered);
        let mut open: BinaryHeap<Near> = start.iter().copied().collect();
        let mut found: BinaryHeap<Reverse<Near>> = BinaryHeap::with_capacity(ef + 1);
        for &first in start {
            visited.enter(first.doc as usize);
            offer(&mut found, first, ef, accept(first.doc));
        }
        let mut fresh = Vec::with_capacity(self.m * 2);
        while let Some(current) = open.pop() {
            if found.len() >= ef && found.peek().is_some_and(|worst| current < worst.0) {
                break;
            }
            fresh.clear();
            fresh.extend(self.links(current.doc, level).iter().filter(|&&doc| visited.enter(doc as usize)));
            fresh.iter().for_each(|&doc: &u32| probe.prefetch(doc));
            for &doc in &fresh {
                let next = probe.glance(doc);
                if found.len() < ef || found.peek().is_some_and(|worst| next > worst.0) {
                    open.push(next);
                    offer(&mut found, next, ef, accept(doc));
                }
            }
        }
        visited.give_back();
        found.into_sorted_vec().into_iter().map(|Reverse(near)| near).collect()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        (self.base.capacity() + self.upper.capacity() + self.upper_at.capacity()) * 4
    }
}

fn offer(found: &mut BinaryHeap<Reverse<Near>>, near: Near, ef: usize, accepted: bool) {
    if accepted {
        found.push(Reverse(near));
        if found.len() > ef {
            found.pop();
        }
    }
}

/// Chooses links among candidates (best first) that lead in different directions: one that lies nearer to
/// a chosen one than to the centre is passed over, and comes in only if there is room left.
fn choose(vectors: &Vectors, candidates: &[Near], wanted: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::with_capacity(wanted);
    let mut passed_over = Vec::new();
    for candidate in candidates {
        if chosen.len() == wanted {
            break;
        }
        let own = vectors.row(candidate.doc as usize);
        let shadowed = chosen
            .iter()
            .any(|&other| kernel::dot_halves(own, vectors.row(other as usize)) > candidate.cosine);
        if shadowed { passed_over.push(candidate.doc) } else { chosen.push(candidate.doc) }
    }
    let room = wanted - chosen.len();
    chosen.extend(passed_over.into_iter().take(room));
    chosen
}
