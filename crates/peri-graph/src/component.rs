//! Which memories are connected at all.

use peri_types::MemoryId;

use crate::order::{Order, groups};
use crate::{Direction, Graph};

/// Sets that can be joined, named by one of their members.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    /// As many sets as members.
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The name of a member's set.
    pub(crate) fn name(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.0[at as usize] != at {
            // Halving the way each time keeps it short.
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins two sets under one of their names.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.name(a), self.name(b));
        self.0[a as usize] = b;
    }
}

impl Graph {
    /// Memories that are connected, whichever way the edges point, grouped: the largest group first, members
    /// by id. A memory without edges is alone.
    pub fn components(&self) -> Vec<Vec<MemoryId>> {
        let order = Order::of(self);
        let mut sets = Sets::new(self.numbers_end());
        for (_, number) in self.numbered() {
            for (_, half) in self.around(number, Direction::Outgoing) {
                sets.join(number, half.other);
            }
        }
        let names: Vec<u32> = order.numbers.iter().map(|number| sets.name(*number)).collect();
        groups(&order.ids, &names)
    }
}
