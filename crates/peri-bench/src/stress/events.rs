//! What the audit log says became of memories.

use std::collections::HashSet;

use perihelion::{Happening, Layer, LogQuery, MemoryId, Perihelion};

use super::account::Counts;
use crate::Outcome;

/// What the log tells.
#[derive(Default)]
pub(super) struct Told {
    /// Memories that were destroyed.
    pub(super) destroyed: HashSet<MemoryId>,
    /// Memories that were moved to the trash, by somebody or by a chore, alone or with what they became.
    pub(super) trashed: HashSet<MemoryId>,
    /// Memories that were put aside for what they became.
    pub(super) promoted: HashSet<MemoryId>,
    /// How many events of each kind there were.
    pub(super) counts: Counts,
}

/// Reads the whole log.
pub(super) fn read(engine: &Perihelion) -> Outcome<Told> {
    let page = engine.events(&LogQuery { limit: usize::MAX, ..LogQuery::default() })?;
    let mut told = Told::default();
    if page.skipped_lines > 0 {
        return Err(format!("{} lines of the audit log cannot be read", page.skipped_lines).into());
    }
    // What a memory was promoted from goes to the trash and leaves it with that memory, which is told once.
    let mut sources: std::collections::HashMap<MemoryId, Vec<MemoryId>> = std::collections::HashMap::new();
    for event in &page.events {
        *told.counts.entry(event.what.kind().as_str().to_owned()).or_default() += 1;
        let trashed = match &event.what {
            Happening::Forgotten { id }
            | Happening::AutoForgotten { id, .. }
            | Happening::Outlived { id, .. }
            | Happening::CleanedUp { id, .. } => Some(*id),
            Happening::Expired { id, layer: Layer::Working } | Happening::Evicted { id } => {
                told.destroyed.insert(*id);
                None
            }
            Happening::Expired { id, .. } => Some(*id),
            Happening::Purged { ids, .. } => {
                told.destroyed.extend(ids);
                None
            }
            Happening::LayerPromoted { id, sources: from, .. } => {
                told.promoted.extend(from);
                sources.entry(*id).or_default().extend(from);
                None
            }
            Happening::PromotionUndone { id, .. } => Some(*id),
            _ => None,
        };
        let Some(id) = trashed else { continue };
        told.trashed.insert(id);
        told.trashed.extend(sources.get(&id).into_iter().flatten());
    }
    Ok(told)
}
