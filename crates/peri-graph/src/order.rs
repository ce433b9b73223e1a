//! Memories in the order of their ids.
//!
//! The graph's own numbers tell when a memory came. Ranks and communities are sums of fractions, and sums
//! depend on their order; taking ids instead of numbers gives the same edges the same answer to the last bit.

use peri_types::MemoryId;

use crate::{Direction, Graph};

pub(crate) struct Order {
    /// The memories, lowest id first.
    pub(crate) ids: Vec<MemoryId>,
    /// The graph's number of each.
    pub(crate) numbers: Vec<u32>,
    /// The place in `ids` for each of the graph's numbers.
    places: Vec<u32>,
}

/// For each memory, its neighbours and the weights between them, in one array.
pub(crate) struct Rows {
    begins: Vec<usize>,
    cells: Vec<(u32, f64)>,
}

impl Order {
    pub(crate) fn of(graph: &Graph) -> Self {
        let mut numbered: Vec<(MemoryId, u32)> = graph.numbered().collect();
        numbered.sort_unstable();
        let mut places = vec![0; graph.numbers_end()];
        for (place, (_, number)) in numbered.iter().enumerate() {
            places[*number as usize] = place as u32;
        }
        let (ids, numbers) = numbered.into_iter().unzip();
        Self { ids, numbers, places }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The neighbours of each memory in a direction, each once. Edges between the same two add up.
    pub(crate) fn rows(&self, graph: &Graph, direction: Direction) -> Rows {
        let mut rows = Rows::with_capacity(self.len(), graph.edge_count());
        let mut row = Vec::new();
        for number in &self.numbers {
            row.clear();
            row.extend(graph.around(*number, direction).map(|(way, half)| {
                (self.places[half.other as usize], way, half.edge_type, f64::from(half.weight))
            }));
            row.sort_unstable_by_key(|(place, way, edge_type, _)| (*place, *way, *edge_type));
            for (place, _, _, weight) in &row {
                rows.add(*place, *weight);
            }
            rows.end_row();
        }
        rows
    }
}

impl Rows {
    pub(crate) fn with_capacity(rows: usize, cells: usize) -> Self {
        let mut begins = Vec::with_capacity(rows + 1);
        begins.push(0);
        Self { begins, cells: Vec::with_capacity(cells) }
    }

    /// Adds a cell to the row at hand, or to the row's last cell if that has the same neighbour.
    pub(crate) fn add(&mut self, neighbour: u32, weight: f64) {
        let begin = self.begins.last().copied().unwrap_or_default();
        match self.cells[begin..].last_mut() {
            Some((last, sum)) if *last == neighbour => *sum += weight,
            _ => self.cells.push((neighbour, weight)),
        }
    }

    pub(crate) fn end_row(&mut self) {
        self.begins.push(self.cells.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    pub(crate) fn row(&self, at: usize) -> &[(u32, f64)] {
        &self.cells[self.begins[at]..self.begins[at + 1]]
    }
}

/// Memories by their group, the largest group first, members by id.
pub(crate) fn groups(ids: &[MemoryId], group_of: &[u32]) -> Vec<Vec<MemoryId>> {
    let count = group_of.iter().max().map_or(0, |most| *most as usize + 1);
    let mut groups = vec![Vec::new(); count];
    for (id, group) in ids.iter().zip(group_of) {
        groups[*group as usize].push(*id);
    }
    groups.retain(|group| !group.is_empty());
    // The largest first; members come by id, so the first tells groups of one size apart.
    groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.first().cmp(&b.first())));
    groups
}
