//! One level of the search for communities: a weighted graph whose nodes are memories or groups of them.

use std::collections::VecDeque;

use crate::component::Sets;
use crate::order::Rows;

pub(crate) struct Level {
    /// Neighbours of each node and the weight between them, both ways alike, the node itself apart.
    rows: Rows,
    /// Twice the weight inside each node.
    inside: Vec<f64>,
    /// The weight of all edge ends at each node.
    strengths: Vec<f64>,
    /// The weight of all edge ends.
    total: f64,
}

impl Level {
    /// The level at which every node is one memory.
    pub(crate) fn new(rows: Rows) -> Self {
        let inside = vec![0.0; rows.len()];
        Self::with_inside(rows, inside)
    }

    fn with_inside(rows: Rows, inside: Vec<f64>) -> Self {
        let outside = |at| rows.row(at).iter().map(|(_, weight)| weight).sum::<f64>();
        let strengths: Vec<f64> = (0..rows.len()).map(|at| inside[at] + outside(at)).collect();
        let total = strengths.iter().sum();
        Self { rows, inside, strengths, total }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The modularity when every node is a group of its own.
    pub(crate) fn modularity(&self) -> f64 {
        if self.total == 0.0 {
            return 0.0;
        }
        let share = |(inside, strength): (&f64, &f64)| inside / self.total - (strength / self.total).powi(2);
        self.inside.iter().zip(&self.strengths).map(share).sum()
    }

    /// The group of each node after all have moved to where they gain most.
    pub(crate) fn gather(&self, random: &mut Random) -> Vec<u32> {
        let mut gathering = Gathering::new(self, random);
        while let Some(node) = gathering.waiting.pop_front() {
            gathering.is_waiting[node as usize] = false;
            gathering.place(node);
        }
        gathering.group_of
    }

    /// Splits groups into their connected parts and numbers these from 0. Returns their count too.
    pub(crate) fn split(&self, group_of: &[u32]) -> (Vec<u32>, usize) {
        let mut sets = Sets::new(self.len());
        for node in 0..self.len() {
            for (other, _) in self.rows.row(node) {
                if group_of[node] == group_of[*other as usize] {
                    sets.join(node as u32, *other);
                }
            }
        }
        let mut numbers = vec![u32::MAX; self.len()];
        let mut count = 0;
        let parts = (0..self.len() as u32).map(|node| {
            let number = &mut numbers[sets.name(node) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *number
        });
        let parts = parts.collect();
        (parts, count as usize)
    }

    /// The level above: each group becomes one node.
    pub(crate) fn merge(&self, group_of: &[u32], count: usize) -> Self {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (node, group) in group_of.iter().enumerate() {
            members[*group as usize].push(node as u32);
        }
        let mut rows = Rows::with_capacity(count, count);
        let mut inside = vec![0.0; count];
        let mut pull = Pull::new(count);
        for (group, nodes) in members.iter().enumerate() {
            for node in nodes {
                inside[group] += self.inside[*node as usize];
                for (other, weight) in self.rows.row(*node as usize) {
                    pull.add(group_of[*other as usize], *weight);
                }
            }
            inside[group] += pull.of(group as u32);
            pull.touched.sort_unstable();
            for other in pull.touched.iter().filter(|other| **other != group as u32) {
                rows.add(*other, pull.of(*other));
            }
            rows.end_row();
            pull.clear();
        }
        Self::with_inside(rows, inside)
    }
}

/// Nodes on their way to the groups that suit them.
struct Gathering<'level> {
    level: &'level Level,
    group_of: Vec<u32>,
    /// The weight of all edge ends in each group.
    totals: Vec<f64>,
    /// Nodes whose surroundings have changed since they were last looked at.
    waiting: VecDeque<u32>,
    is_waiting: Vec<bool>,
    pull: Pull,
}

impl<'level> Gathering<'level> {
    fn new(level: &'level Level, random: &mut Random) -> Self {
        let count = level.len();
        let mut order: Vec<u32> = (0..count as u32).collect();
        random.shuffle(&mut order);
        Self {
            level,
            group_of: (0..count as u32).collect(),
            totals: level.strengths.clone(),
            waiting: order.into(),
            is_waiting: vec![true; count],
            pull: Pull::new(count),
        }
    }

    /// Moves a node to the best group around it and wakes those neighbours that are not in that group.
    fn place(&mut self, node: u32) {
        let own = self.group_of[node as usize];
        let best = self.best_group(node);
        if best == own {
            return;
        }
        let strength = self.level.strengths[node as usize];
        self.totals[own as usize] -= strength;
        self.totals[best as usize] += strength;
        self.group_of[node as usize] = best;
        for (other, _) in self.level.rows.row(node as usize) {
            let at = *other as usize;
            if self.group_of[at] != best && !self.is_waiting[at] {
                self.is_waiting[at] = true;
                self.waiting.push_back(*other);
            }
        }
    }

    /// The group where a node gains most: its own unless another is better by more than rounding.
    fn best_group(&mut self, node: u32) -> u32 {
        let own = self.group_of[node as usize];
        let strength = self.level.strengths[node as usize];
        for (other, weight) in self.level.rows.row(node as usize) {
            self.pull.add(self.group_of[*other as usize], *weight);
        }
        let chance = strength / self.level.total;
        let rounding = strength * 1e-10;
        let stay = self.pull.of(own) - chance * (self.totals[own as usize] - strength);
        let mut best = (own, stay);
        for group in self.pull.touched.iter().filter(|group| **group != own) {
            let gain = self.pull.of(*group) - chance * self.totals[*group as usize];
            if gain > best.1 + rounding {
                best = (*group, gain);
            }
        }
        self.pull.clear();
        best.0
    }
}

/// The weight between one node and each group, kept in an array that is cleared by touched entries only.
struct Pull {
    weights: Vec<f64>,
    touched: Vec<u32>,
}

impl Pull {
    fn new(groups: usize) -> Self {
        Self { weights: vec![0.0; groups], touched: Vec::new() }
    }

    fn add(&mut self, group: u32, weight: f64) {
        let sum = &mut self.weights[group as usize];
        // Weights are above 0, so a sum of 0 means that the group was not met yet.
        if *sum == 0.0 {
            self.touched.push(group);
        }
        *sum += weight;
    }

    fn of(&self, group: u32) -> f64 {
        self.weights[group as usize]
    }

    fn clear(&mut self) {
        for group in self.touched.drain(..) {
            self.weights[group as usize] = 0.0;
        }
    }
}

/// A small generator (splitmix64): the same seed gives the same order on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn shuffle(&mut self, items: &mut [u32]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}
