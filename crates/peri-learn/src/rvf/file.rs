//! A learning file in memory.

use super::adapter::{AdapterRecord, EwcRecord};
use super::entry::Foreign;
use super::pattern::PatternRecord;
use super::shelf::Shelf;
use super::trajectory::TrajectoryRecord;

/// The mark at the beginning.
pub(super) const OPENING: &str = "RVLS";
/// The mark at the end.
pub(super) const CLOSING: &str = "REND";

/// Everything that a learning file holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RvfFile {
    /// Strategies that worked.
    pub patterns: Shelf<PatternRecord>,
    /// Tasks as they were done.
    pub trajectories: Shelf<TrajectoryRecord>,
    /// What protects earlier tasks: one state for each adapter, a single one without a name in files of others.
    pub ewc: Shelf<EwcRecord>,
    /// Weights of adapters.
    pub adapters: Shelf<AdapterRecord>,
    /// Records of types that we do not know, in their order.
    pub others: Vec<Foreign>,
}

impl RvfFile {
    /// How many records there are.
    pub fn len(&self) -> usize {
        let known = self.patterns.len() + self.trajectories.len() + self.ewc.len() + self.adapters.len();
        known + self.others.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
