//! `memory_restore`: back from the trash.

use schemars::JsonSchema;
use serde::Deserialize;

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Bring back a memory that was forgotten by mistake. memory_list with `forgotten` shows \
what can be restored.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Restore {
    id: String,
}

pub(crate) fn restore(desk: &Desk<'_>, asked: Restore) -> Result<MemoryView, Refusal> {
    let id = desk.id("id", &asked.id)?;
    // Asked twice, it is restored once: a model that repeats itself gets the same answer.
    let memory = match desk.engine.look_before_change(desk.reach(), id)? {
        Some(memory) if memory.trashed_at.is_none() => memory,
        _ => desk.engine.restore(desk.reach(), id)?,
    };
    Ok(MemoryView::of(memory, &desk.scope))
}
