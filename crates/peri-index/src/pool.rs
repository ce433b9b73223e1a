//! What a walk over the graph has found, and from where it still has to go on.

use crate::graph::Near;

#[derive(Debug, Clone, Copy)]
struct Found {
    near: Near,
    /// Its links have not been followed yet.
    open: bool,
    /// It may be returned; others are waypoints.
    accepted: bool,
}

/// The best so many documents that may be returned and the waypoints among them, best first. One sorted array
/// serves as both heaps of the usual algorithm: it is short, so that making room in it costs less than two heaps.
pub(crate) struct Pool {
    wanted: usize,
    accepted: usize,
    found: Vec<Found>,
    /// Nothing before this place is open.
    open_from: usize,
    /// What a document must be better than once enough are held.
    bar: f32,
}

impl Pool {
    pub(crate) fn new(wanted: usize) -> Self {
        let wanted = wanted.max(1);
        let found = Vec::with_capacity(wanted.saturating_add(1).min(4096));
        Self { wanted, accepted: 0, found, open_from: 0, bar: f32::NEG_INFINITY }
    }

    /// Whether a document as near as this would be taken.
    #[inline]
    pub(crate) fn takes(&self, cosine: f32) -> bool {
        cosine > self.bar
    }

    /// Takes a document that [`Pool::takes`] lets in.
    pub(crate) fn push(&mut self, near: Near, accepted: bool) {
        let at = self.found.partition_point(|other| other.near.cosine >= near.cosine);
        self.found.insert(at, Found { near, open: true, accepted });
        self.open_from = self.open_from.min(at);
        if accepted {
            self.accepted += 1;
            if self.accepted > self.wanted {
                self.drop_worst();
            }
            if self.accepted == self.wanted {
                self.drop_waypoints();
            }
        }
    }

    /// Drops the worst document that may be returned and what is worse.
    fn drop_worst(&mut self) {
        self.drop_waypoints();
        self.found.pop();
        self.accepted -= 1;
    }

    /// Drops the waypoints that are worse than everything that may be returned.
    fn drop_waypoints(&mut self) {
        while self.found.pop_if(|worst| !worst.accepted).is_some() {}
        self.bar = self.found.last().map_or(f32::NEG_INFINITY, |worst| worst.near.cosine);
    }

    /// The best document whose links were not followed yet; they count as followed from now on.
    pub(crate) fn follow(&mut self) -> Option<u32> {
        let at = self.open_from + self.found.get(self.open_from..)?.iter().position(|one| one.open)?;
        self.open_from = at + 1;
        let next = &mut self.found[at];
        next.open = false;
        Some(next.near.doc)
    }

    /// What would be followed next if nothing better came.
    pub(crate) fn next(&self) -> Option<u32> {
        self.found.get(self.open_from..)?.iter().find(|one| one.open).map(|one| one.near.doc)
    }

    /// What may be returned, best first.
    pub(crate) fn finish(self) -> Vec<Near> {
        self.found.into_iter().filter(|one| one.accepted).map(|one| one.near).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(cosine: f32, doc: u32) -> Near {
        Near { cosine, doc }
    }

    fn offer(pool: &mut Pool, one: Near, accepted: bool) {
        if pool.takes(one.cosine) {
            pool.push(one, accepted);
        }
    }

    #[test]
    fn it_holds_the_best_that_may_be_returned_whatever_else_comes() {
        let mut pool = Pool::new(3);
        for doc in 0..1000_u32 {
            offer(&mut pool, near((doc * 37 % 1000) as f32, doc), doc % 2 == 0);
        }
        let cosines: Vec<f32> = pool.finish().iter().map(|one| one.cosine).collect();
        assert_eq!(cosines, [998.0, 996.0, 994.0]);
    }

    #[test]
    fn the_best_open_one_is_followed_and_each_once() {
        let mut pool = Pool::new(2);
        for (doc, accepted) in [(1, true), (5, false), (3, true), (2, true), (4, false)] {
            offer(&mut pool, near(doc as f32, doc), accepted);
        }
        assert_eq!(pool.next(), Some(5));
        let order: Vec<u32> = std::iter::from_fn(|| pool.follow()).collect();
        // The first one is worse than two that may be returned.
        assert_eq!(order, [5, 4, 3, 2]);
        offer(&mut pool, near(9.0, 9), true);
        assert_eq!((pool.follow(), pool.follow()), (Some(9), None));
    }

    #[test]
    fn numbers_that_are_none_are_not_taken() {
        let mut pool = Pool::new(2);
        offer(&mut pool, near(f32::NAN, 1), true);
        assert!(pool.finish().is_empty());
    }
}
