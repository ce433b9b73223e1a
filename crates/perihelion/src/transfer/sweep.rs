//! The end of an import that replaces: what its namespaces hold beyond the file goes to the trash.

use peri_store::{GIVEN_ID, ListQuery, Order, Write};
use peri_types::{Memory, MemoryId, Namespace, Scope};

use super::import::{Effect, ImportOptions};
use super::outline::Outline;
use super::parts::{Taken, write_part};
use crate::Error;
use crate::engine::Core;

/// So many memories are looked at, and moved together.
const PAGE: usize = 512;

impl Taken {
    /// Moves to the trash what the file does not hold, or counts it if that is only rehearsed.
    pub(super) fn sweep(
        &mut self,
        core: &Core,
        options: &ImportOptions,
        outline: &Outline,
    ) -> Result<(), Error> {
        outline.namespaces.iter().try_for_each(|namespace| self.sweep_one(core, options, outline, namespace))
    }

    fn sweep_one(
        &mut self,
        core: &Core,
        options: &ImportOptions,
        outline: &Outline,
        namespace: &Namespace,
    ) -> Result<(), Error> {
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let mut query = ListQuery { scope: scope.clone(), order, limit: PAGE, ..ListQuery::default() };
        loop {
            let page = core.store.list(&query)?;
            let beyond: Vec<MemoryId> = page
                .memories
                .iter()
                // What was remembered while the import was under way cannot be in the file.
                .filter(|memory| memory.created_at <= self.state.started_at)
                .filter(|memory| {
                    let given = given_id(memory);
                    let in_file = [memory.id, given].iter().any(|id| outline.holds(namespace, *id));
                    !in_file && !self.has_rehearsed(namespace, memory.id)
                })
                .map(|memory| memory.id)
                .collect();
            match options.effect {
                Effect::Rehearsed => self.state.trashed += beyond.len() as u64,
                Effect::Written if beyond.is_empty() => {}
                Effect::Written => {
                    let at = core.now();
                    let forget = |id| Write::Forget { scope: scope.clone(), id, at };
                    write_part(core, options, beyond.into_iter().map(forget).collect(), &mut self.state)?;
                }
            }
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }

    fn has_rehearsed(&self, namespace: &Namespace, id: MemoryId) -> bool {
        self.rehearsal.as_ref().is_some_and(|placed| placed.has(namespace, id))
    }
}

/// The id that a memory came with.
fn given_id(memory: &Memory) -> MemoryId {
    let given = memory.facets.metadata.get(GIVEN_ID).and_then(|given| given.as_str());
    given.and_then(|given| given.parse().ok()).unwrap_or(memory.id)
}
