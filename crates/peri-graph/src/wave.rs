//! A wave that spreads from memories over their edges, one level at a time.
//!
//! All of a level is reached before the next one begins, so each memory is met at its least depth, and its
//! strength is the best of all ways that are that short.

use std::cmp::Ordering;
use std::ops::Range;

use crate::graph::{Half, Way};
use crate::{Direction, EdgeTypes, Graph, Link};

pub(crate) struct Wave<'graph> {
    graph: &'graph Graph,
    direction: Direction,
    types: EdgeTypes,
    /// For each number, one more than its place in `reached`; 0 while it is not reached. A large array of
    /// zeros costs nothing until it is touched.
    places: Vec<u32>,
    reached: Vec<Reached>,
    /// The places of the outermost level.
    level: Range<usize>,
}

/// A memory that the wave has come to.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) number: u32,
    /// The product of the weights on the way.
    pub(crate) strength: f64,
    /// None for those where the wave began.
    via: Option<Via>,
}

/// The last step on the way to a memory, seen from where it was made.
#[derive(Clone, Copy)]
struct Via {
    from: u32,
    way: Way,
    half: Half,
}

impl<'graph> Wave<'graph> {
    /// A wave at its beginning: the starts are reached, each once.
    pub(crate) fn new(
        graph: &'graph Graph,
        starts: impl Iterator<Item = u32>,
        direction: Direction,
        types: EdgeTypes,
    ) -> Self {
        let places = vec![0; graph.numbers_end()];
        let mut wave = Self { graph, direction, types, places, reached: Vec::new(), level: 0..0 };
        for number in starts {
            if wave.places[number as usize] == 0 {
                wave.reached.push(Reached { number, strength: 1.0, via: None });
                wave.places[number as usize] = wave.reached.len() as u32;
            }
        }
        wave.level = 0..wave.reached.len();
        wave
    }

    /// Goes one level further; what it returns is empty when there is nothing left to reach.
    pub(crate) fn advance(&mut self) -> &[Reached] {
        let former = self.level.clone();
        let begin = self.reached.len();
        for place in former {
            let Reached { number: from, strength, .. } = self.reached[place];
            for (way, half) in self.graph.around(from, self.direction) {
                if self.types.contains(half.edge_type) {
                    let strength = strength * f64::from(half.weight);
                    let via = Some(Via { from, way, half });
                    self.meet(begin, Reached { number: half.other, strength, via });
                }
            }
        }
        self.level = begin..self.reached.len();
        self.outermost()
    }

    /// Notes a way to a memory unless there is a shorter or a better one. The new level starts at `begin`.
    fn meet(&mut self, begin: usize, met: Reached) {
        let place = &mut self.places[met.number as usize];
        if *place == 0 {
            self.reached.push(met);
            *place = self.reached.len() as u32;
            return;
        }
        let known = *place as usize - 1;
        if known >= begin && self.compare(&met, &self.reached[known]).is_lt() {
            self.reached[known] = met;
        }
    }

    /// The better of two ways to the same memory is the lesser: the stronger one, and among equals one that
    /// does not depend on the order of lists.
    fn compare(&self, a: &Reached, b: &Reached) -> Ordering {
        let tie =
            |reached: &Reached| reached.via.map(|via| (self.graph.id(via.from), via.half.edge_type, via.way));
        b.strength.total_cmp(&a.strength).then_with(|| tie(a).cmp(&tie(b)))
    }

    /// The level reached last.
    pub(crate) fn outermost(&self) -> &[Reached] {
        &self.reached[self.level.clone()]
    }

    /// How many edges the next level will look at.
    pub(crate) fn effort(&self) -> usize {
        let degree = |reached: &Reached| self.graph.around(reached.number, self.direction).count();
        self.outermost().iter().map(degree).sum()
    }

    /// What the wave knows of a memory, if it has come to it.
    pub(crate) fn find(&self, number: u32) -> Option<&Reached> {
        (self.places[number as usize] as usize).checked_sub(1).map(|place| &self.reached[place])
    }

    /// The last edge on the way to a memory; none where the wave began.
    pub(crate) fn last_link(&self, reached: &Reached) -> Option<Link> {
        reached.via.map(|via| self.graph.link(via.from, via.way, via.half))
    }

    /// The edges between a memory and where the wave began, the nearest to the memory first, each with the
    /// number of its further end.
    pub(crate) fn way_back(&self, number: u32) -> Vec<(Link, u32)> {
        let mut links = Vec::new();
        let mut at = self.find(number);
        while let Some((link, via)) = at.and_then(|reached| self.last_link(reached).zip(reached.via)) {
            links.push((link, via.from));
            at = self.find(via.from);
        }
        links
    }
}
