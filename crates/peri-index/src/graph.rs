//! A navigable small-world graph over the vectors, for namespaces too large to scan.
//!
//! It covers a prefix of the documents: adding one never waits for it, and a background chore extends it in
//! slices. Documents that die stay in it as waypoints until the index is compacted.

use std::cmp::Ordering;

use crate::kernel;
use crate::lines::Lines;
use crate::pool::Pool;
use crate::probe::Probe;
use crate::table::NONE;
use crate::vectors::Vectors;
use crate::visited::Visited;

/// How vectors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorSettings {
    /// Up to so many documents are scanned; more of them are worth a graph.
    ///
    /// Measured with `examples/vector_speed.rs` (2 cores with AVX2, mixtures of LoCoMo vectors, 256 dimensions;
    /// microseconds a query in the middle and recall, best 10 / best 100). The queries are further mixtures, not
    /// questions.
    ///
    /// | documents | codes | graph | linking |
    /// |---|---|---|---|
    /// | 10,000 | 39, 1.000 / 83, 1.000 | scanned, being faster | .8 s |
    /// | 100,000 | 238, 1.000 / 335, 1.000 | 99, .988 / 148, .983 | 10.2 s |
    ///
    /// The graph is faster from some 30,000 on, but a quarter of a millisecond is no burden and the scan misses
    /// nothing, so it stays until 100,000. In tight clusters smaller than what is wanted the graph does worse:
    /// .92 of the best 100 among 2,000 random clusters of 50.
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
        Self { flat_max: 100_000, m: 16, ef_construction: 100, ef_search: 160 }
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
    pub(crate) base: Lines<u32>,
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
    pub(crate) fn from_parts(m: usize, entry: u32, base: Lines<u32>, upper: Vec<u32>) -> Option<Self> {
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
        let links = self.links_place(doc, level);
        &links[..links.iter().position(|&link| link == NONE).unwrap_or(links.len())]
    }

    /// Where a document's links of a level stand, filled up with [`NONE`].
    fn links_place(&self, doc: u32, level: usize) -> &[u32] {
        let (at, m) = (doc as usize, self.m);
        if level == 0 {
            return self.base.get(at * m * 2..(at + 1) * m * 2).unwrap_or_default();
        }
        let start = self.upper_at.get(at).map_or(0, |&start| start as usize);
        let end = self.upper_at.get(at + 1).map_or(self.upper.len(), |&end| end as usize);
        self.upper.get(start + (level - 1) * m..end).and_then(|links| links.get(..m)).unwrap_or_default()
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

    /// How many are chosen when there are too many. The room that is left lets several more come in before there is
    /// a choice again, which takes most of the time of linking.
    fn links_kept(&self, level: usize) -> usize {
        self.links_max(level) * 3 / 4
    }

    /// Covers the next document; `wanted` says whether it is worth linking at all.
    pub(crate) fn cover_next(&mut self, vectors: &Vectors, ef: usize, wanted: bool) {
        let doc = self.covered as u32;
        let level = self.level(doc);
        self.covered += 1;
        self.base.grow(self.m * 2, NONE);
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
            let chosen = choose(vectors, &probe.look_at_all(found), self.links_kept(at));
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
            links = choose(vectors, &near, self.links_kept(level));
        }
        self.set_links(from, level, &links);
    }

    /// Walks greedily down to just above `level`.
    fn descend(&self, probe: &Probe<'_>, entry: u32, level: usize) -> Near {
        let mut scores = Vec::with_capacity(self.m);
        probe.glance(&[entry], &mut scores);
        let mut best = Near { cosine: scores[0], doc: entry };
        for at in (level + 1..=self.level(entry)).rev() {
            loop {
                let links = self.links(best.doc, at);
                probe.glance(links, &mut scores);
                let near = links.iter().zip(&scores).map(|(&doc, &cosine)| Near { cosine, doc });
                match near.max().filter(|next| *next > best) {
                    Some(next) => best = next,
                    None => break,
                }
            }
        }
        best
    }

    /// The best documents that the graph leads to, best first, with their cosines; only those that `accept`
    /// takes, though the way may lead over others.
    /// Of `ef` that are held on the way, so many are compared exactly.
    pub(crate) fn search(
        &self,
        probe: &Probe<'_>,
        ef: usize,
        compared: usize,
        accept: impl Fn(u32) -> bool,
    ) -> Vec<Near> {
        let Some(entry) = self.entry else { return Vec::new() };
        let start = [self.descend(probe, entry, 0)];
        let mut found = self.search_level(probe, &start, ef, 0, accept);
        found.truncate(compared);
        probe.look_at_all(found)
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
        let mut pool = Pool::new(ef);
        for &first in start {
            visited.enter(first.doc);
            if pool.takes(first.cosine) {
                pool.push(first, accept(first.doc));
            }
        }
        let mut scores = Vec::with_capacity(self.m * 2);
        while let Some(current) = pool.follow() {
            let known = visited.count();
            let links = self.links_place(current, level).iter();
            links.take_while(|&&doc| doc != NONE).for_each(|&doc| visited.enter(doc));
            let fresh = visited.after(known);
            // Most likely the way leads on from there, and its links come from far away in memory.
            pool.next().into_iter().for_each(|next| kernel::prefetch(self.links_place(next, level)));
            probe.glance(fresh, &mut scores);
            for (&doc, &cosine) in fresh.iter().zip(&scores) {
                if pool.takes(cosine) {
                    pool.push(Near { cosine, doc }, accept(doc));
                }
            }
        }
        visited.give_back();
        pool.finish()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.base.memory_bytes() + (self.upper.capacity() + self.upper_at.capacity()) * 4
    }
}

/// How much farther from the centre than from a chosen one a candidate must be to be passed over.
///
/// Measured by the documents that a walk visits until .95 / .99 of the ten nearest are found, read off a curve between
/// two efforts (10,000 vectors, 200 queries; sentences of LoCoMo, then clusters; counted by a build that is not part of
/// the repository): 406 / 1028 and 1777 / 3817 for a factor of 1 with the rest of the links filled up, 380 / 780 and
/// 1782 / 3882 without filling up, 339 / 683 and 1665 / 3685 for 1.1 with half as many links again. The best of seven
/// ways that were tried, on the same queries.
const SPREAD: f32 = 1.1;

/// Chooses links among candidates (best first) that lead in different directions: one that lies clearly nearer to a
/// chosen one than to the centre is passed over, since the way there leads over that one.
fn choose(vectors: &Vectors, candidates: &[Near], wanted: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = Vec::with_capacity(wanted);
    for candidate in candidates {
        if chosen.len() == wanted {
            break;
        }
        let (own, distance) = (vectors.row(candidate.doc as usize), 1.0 - candidate.cosine);
        let between = |&other: &u32| 1.0 - kernel::dot_halves(own, vectors.row(other as usize));
        if !chosen.iter().any(|other| between(other) * SPREAD < distance) {
            chosen.push(candidate.doc);
        }
    }
    chosen
}
