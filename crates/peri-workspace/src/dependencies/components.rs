//! Circles in a graph, and what lies below what.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Groups of nodes that reach each other, after Tarjan, each group after all that it leads to. A node in no circle is a
/// group by itself. Without recursion, since chains of imports may be long.
pub(super) fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        edges,
        order: vec![None; edges.len()],
        low: vec![0; edges.len()],
        on_stack: vec![false; edges.len()],
        stack: Vec::new(),
        found: Vec::new(),
        next: 0,
    };
    for node in 0..edges.len() {
        if search.order[node].is_none() {
            search.from(node);
        }
    }
    search.found
}

struct Search<'a> {
    edges: &'a [Vec<usize>],
    /// When a node was first seen.
    order: Vec<Option<usize>>,
    /// The earliest node on the stack that it reaches.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    found: Vec<Vec<usize>>,
    next: usize,
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        self.enter(start);
        let mut calls = vec![(start, 0)];
        while let Some((node, edge)) = calls.pop() {
            let Some(target) = self.edges[node].get(edge).copied() else {
                self.leave(node);
                if let Some((above, _)) = calls.last() {
                    self.low[*above] = self.low[*above].min(self.low[node]);
                }
                continue;
            };
            calls.push((node, edge + 1));
            match self.order[target] {
                None => {
                    self.enter(target);
                    calls.push((target, 0));
                }
                Some(order) if self.on_stack[target] => self.low[node] = self.low[node].min(order),
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, node: usize) {
        self.order[node] = Some(self.next);
        self.low[node] = self.next;
        self.next += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn leave(&mut self, node: usize) {
        if self.order[node] != Some(self.low[node]) {
            return;
        }
        let start =
            self.stack.iter().rposition(|other| *other == node).expect("a node leaves the stack once");
        let mut group = self.stack.split_off(start);
        group.iter().for_each(|member| self.on_stack[*member] = false);
        group.sort_unstable();
        self.found.push(group);
    }
}

/// One of the shortest circles through some node of a group, looked for from at most a hundred of them.
pub(super) fn shortest_circle(edges: &[Vec<usize>], group: &[usize]) -> Vec<usize> {
    const STARTS_MAX: usize = 100;
    let members: BTreeSet<usize> = group.iter().copied().collect();
    let circles = group.iter().take(STARTS_MAX).filter_map(|start| circle(edges, &members, *start));
    circles.min_by_key(Vec::len).unwrap_or_default()
}

/// The shortest way from a node back to itself.
fn circle(edges: &[Vec<usize>], members: &BTreeSet<usize>, start: usize) -> Option<Vec<usize>> {
    let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for target in edges[node].iter().filter(|target| members.contains(target)) {
            if *target == start {
                let mut way = vec![node];
                while let Some(before) =
                    way.last().filter(|node| **node != start).and_then(|node| came_from.get(node))
                {
                    way.push(*before);
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(target) {
                came_from.insert(*target, node);
                waiting.push_back(*target);
            }
        }
    }
    None
}

/// How many steps lie below each node; all of a circle are on the same layer.
pub(super) fn layers(edges: &[Vec<usize>], components: &[Vec<usize>]) -> Vec<usize> {
    let mut group_of = vec![0; edges.len()];
    for (group, members) in components.iter().enumerate() {
        members.iter().for_each(|member| group_of[*member] = group);
    }
    let mut heights = vec![0; components.len()];
    for (group, members) in components.iter().enumerate() {
        let targets = members.iter().flat_map(|member| &edges[*member]).map(|target| group_of[*target]);
        // Groups come after all that they lead to, so the heights below are known.
        let below = targets.filter(|target| *target != group).map(|target| heights[target] + 1);
        heights[group] = below.max().unwrap_or(0);
    }
    group_of.into_iter().map(|group| heights[group]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn circles_are_found_and_layers_counted() {
        // 0 → 1 ⇄ 2 → 3, and 4 by itself.
        let edges = vec![vec![1], vec![2], vec![1, 3], vec![], vec![]];
        let found = components(&edges);
        assert!(found.contains(&vec![1, 2]) && found.len() == 4);
        assert_eq!(layers(&edges, &found), [2, 1, 1, 0, 0]);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_does_not_exhaust_the_stack() {
        let edges: Vec<Vec<usize>> =
            (0..100_000).map(|at| if at < 99_999 { vec![at + 1] } else { vec![0] }).collect();
        assert_eq!(components(&edges).len(), 1);
    }

    fn reaches(edges: &[Vec<usize>], from: usize, to: usize) -> bool {
        let (mut seen, mut waiting) = (vec![false; edges.len()], vec![from]);
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                waiting.extend(&edges[node]);
            }
        }
        seen[to]
    }

    proptest! {
        #[test]
        fn two_nodes_share_a_group_exactly_if_each_reaches_the_other(
            edges in (1_usize..9).prop_flat_map(|count| {
                prop::collection::vec(prop::collection::vec(0..count, 0..4), count)
            })
        ) {
            let found = components(&edges);
            let group = |node: usize| found.iter().position(|group| group.contains(&node));
            let heights = layers(&edges, &found);
            for group in found.iter().filter(|group| group.len() > 1) {
                let way = shortest_circle(&edges, group);
                prop_assert!(way.len() >= 2 || edges[way[0]].contains(&way[0]));
                for (at, node) in way.iter().enumerate() {
                    prop_assert!(edges[*node].contains(&way[(at + 1) % way.len()]));
                }
            }
            for a in 0..edges.len() {
                for b in 0..edges.len() {
                    let both = reaches(&edges, a, b) && reaches(&edges, b, a);
                    prop_assert_eq!(group(a) == group(b), both);
                    if !both && edges[a].contains(&b) {
                        prop_assert!(heights[a] > heights[b]);
                    }
                }
            }
        }
    }
}
