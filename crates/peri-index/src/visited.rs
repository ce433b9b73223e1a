//! Which documents a walk has been to, without clearing anything between walks.

use std::cell::RefCell;

/// A stamp per document; it has been visited if its stamp is this walk's.
#[derive(Default)]
pub(crate) struct Visited {
    stamps: Vec<u32>,
    walk: u32,
}

thread_local! {
    static KEPT: RefCell<Option<Visited>> = const { RefCell::new(None) };
}

impl Visited {
    /// The thread's set, with nothing visited.
    pub(crate) fn take(documents: usize) -> Self {
        let mut visited = KEPT.with_borrow_mut(Option::take).unwrap_or_default();
        if visited.stamps.len() < documents {
            visited.stamps.resize(documents, 0);
        }
        visited.walk = visited.walk.wrapping_add(1);
        if visited.walk == 0 {
            visited.stamps.fill(0);
            visited.walk = 1;
        }
        visited
    }

    /// Notes a visit; whether it was the first.
    #[inline]
    pub(crate) fn enter(&mut self, doc: usize) -> bool {
        let first = self.stamps[doc] != self.walk;
        self.stamps[doc] = self.walk;
        first
    }

    /// Keeps the set for the thread's next walk.
    pub(crate) fn give_back(self) {
        KEPT.set(Some(self));
    }
}
