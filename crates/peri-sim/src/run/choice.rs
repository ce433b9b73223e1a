//! What processes are told to do.

use std::collections::BTreeSet;

use crate::ledger::Ledger;
use crate::order::Order;
use crate::random::Random;

/// Chooses for one round. No memory is given to two processes, since nobody could say then what should become of it.
pub(super) struct Choice {
    round: u64,
    live: Vec<(String, String)>,
    trashed: Vec<String>,
    taken: BTreeSet<String>,
}

impl Choice {
    pub(super) fn new(ledger: &Ledger, round: u64) -> Self {
        let live = ledger.settled(false).into_iter();
        let live = live.filter_map(|id| ledger.key(&id).map(|key| (id.clone(), key.to_owned()))).collect();
        Self { round, live, trashed: ledger.settled(true), taken: BTreeSet::new() }
    }

    pub(super) fn order(&mut self, random: &mut Random, process: usize) -> Order {
        let key = format!("r{}p{process}", self.round);
        let many = |size: u64, of: &str| (0..size).map(|part| format!("{key}{of}{part}")).collect();
        match random.below(40) {
            0..10 => Order::Remember { key },
            10..14 => Order::Batch { keys: many(2 + random.below(6), "b") },
            14 => Order::Batch { keys: many(70, "b") },
            15..18 => self.live(random).map_or(Order::Drain, |(id, _)| Order::Revise { id, key }),
            18..21 => self.live(random).map_or(Order::Maintain, |(id, _)| Order::Forget { id }),
            21 | 22 => self.trashed(random).map_or(Order::Drain, |id| Order::Restore { id }),
            23 => self.trashed(random).map_or(Order::Reorbit, |id| Order::Purge { id }),
            24..28 => self.live(random).map_or(Order::Maintain, |(_, key)| Order::Recall { key }),
            28 => Order::Import { keys: many(1 + random.below(5), "i") },
            29 => Order::Reorbit,
            30 => Order::Consolidate,
            31 | 32 => Order::Drain,
            33 => Order::Backup,
            34 => Order::Snapshot,
            35 => Order::Append { key },
            36 => Order::Learn { key },
            37 => Order::Hear { key },
            38 => Order::Close,
            _ => Order::Maintain,
        }
    }

    fn live(&mut self, random: &mut Random) -> Option<(String, String)> {
        let (id, key) = random.pick(&self.live)?.clone();
        self.taken.insert(id.clone()).then_some((id, key))
    }

    fn trashed(&mut self, random: &mut Random) -> Option<String> {
        let id = random.pick(&self.trashed)?.clone();
        self.taken.insert(id.clone()).then_some(id)
    }
}
