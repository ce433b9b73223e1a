//! Which memories belong together: groups with many edges inside and few between them.

use peri_types::MemoryId;
use serde::Serialize;

use crate::level::{Level, Random};
use crate::order::{Order, groups};
use crate::{Direction, Graph};

/// The groups that the edges make of the memories.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Communities {
    /// Every memory in one group: the largest group first, members by id. A memory without edges is alone.
    pub groups: Vec<Vec<MemoryId>>,
    /// How much more weight lies inside the groups than chance would put there, from 0, where the
    /// groups say nothing, to almost 1.
    pub modularity: f64,
}

impl Graph {
    /// Groups memories so that modularity is high. Edges count by weight, whichever way they point.
    ///
    /// The method is Louvain's: memories move to the group that gains most until none gains, then groups are
    /// taken as single memories and the same is done with them. Groups that fall apart on the way are split,
    /// which never lowers modularity; so every group is connected. The seed sets the order in which memories
    /// are looked at; the same edges and the same seed give the same groups.
    pub fn communities(&self, seed: u64) -> Communities {
        let order = Order::of(self);
        let mut random = Random(seed);
        let mut group_of: Vec<u32> = (0..order.len() as u32).collect();
        let mut level = Level::new(order.rows(self, Direction::Both));
        loop {
            let (partition, count) = level.split(&level.gather(&mut random));
            group_of.iter_mut().for_each(|group| *group = partition[*group as usize]);
            if count == level.len() {
                break;
            }
            level = level.merge(&partition, count);
        }
        Communities { groups: groups(&order.ids, &group_of), modularity: level.modularity() }
    }
}
