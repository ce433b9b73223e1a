//! Which memories the others lead to: PageRank.

use peri_types::MemoryId;

use crate::order::{Order, Rows};
use crate::{Direction, Graph};

/// How ranks are computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRankSettings {
    /// How likely the walker follows an edge instead of jumping anywhere. What is outside 0 to 1 is taken as
    /// the nearer of the two, and what is no number as 0. Default 0.85.
    pub damping: f64,
    /// It is done when all ranks together move by less than this in a round. Default 1e-9.
    pub tolerance: f64,
    /// It is done after so many rounds in any case. Each round multiplies the error by `damping` at most,
    /// so with the other defaults the default of 200 is more than any graph needs.
    pub iterations_max: usize,
}

impl Default for PageRankSettings {
    fn default() -> Self {
        Self { damping: 0.85, tolerance: 1e-9, iterations_max: 200 }
    }
}

impl Graph {
    /// The rank of every memory, the highest first and equal ones by id. Ranks sum to 1.
    ///
    /// A walker who stands on a memory follows its outgoing edges in proportion to their weights, or jumps
    /// anywhere; from one without outgoing edges it always jumps. The rank is how often it is where.
    pub fn pagerank(&self, settings: &PageRankSettings) -> Vec<(MemoryId, f64)> {
        let order = Order::of(self);
        let sources = order.rows(self, Direction::Incoming);
        let ranks = settle(&sources, settings);
        let mut ranked: Vec<(MemoryId, f64)> = order.ids.into_iter().zip(ranks).collect();
        ranked.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        ranked
    }
}

/// Lets ranks flow along the edges until they hardly move. Each row lists the sources of a memory.
fn settle(sources: &Rows, settings: &PageRankSettings) -> Vec<f64> {
    let count = sources.len();
    let damping = if settings.damping.is_nan() { 0.0 } else { settings.damping.clamp(0.0, 1.0) };
    let outgoing = outgoing_weights(sources);
    let even = 1.0 / count as f64;
    let mut ranks = vec![even; count];
    let mut shares = vec![0.0; count];
    for _ in 0..settings.iterations_max {
        let mut stranded = 0.0;
        for ((share, rank), weight) in shares.iter_mut().zip(&ranks).zip(&outgoing) {
            if *weight > 0.0 {
                *share = rank / weight;
            } else {
                stranded += rank;
            }
        }
        let base = (1.0 - damping) * even + damping * stranded * even;
        let mut moved = 0.0;
        for (at, rank) in ranks.iter_mut().enumerate() {
            let flow: f64 =
                sources.row(at).iter().map(|(source, weight)| shares[*source as usize] * weight).sum();
            let next = base + damping * flow;
            moved += (next - *rank).abs();
            *rank = next;
        }
        if moved < settings.tolerance {
            break;
        }
    }
    ranks
}

/// The weight that leaves each memory in all.
fn outgoing_weights(sources: &Rows) -> Vec<f64> {
    let mut weights = vec![0.0; sources.len()];
    for at in 0..sources.len() {
        for (source, weight) in sources.row(at) {
            weights[*source as usize] += weight;
        }
    }
    weights
}
