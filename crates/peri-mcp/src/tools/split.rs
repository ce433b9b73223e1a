//! `memory_split`: a memory that was merged into another one stands for itself again.

use perihelion::MemoryId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Undo a merge: give the id of the memory that was put aside (`absorbed` in \
memory_history), and both stand for themselves again.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitOff {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Split {
    #[serde(flatten)]
    memory: MemoryView,
    /// What it had been merged into.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<MemoryId>,
}

pub(crate) fn split(desk: &Desk<'_>, asked: SplitOff) -> Result<Split, Refusal> {
    let id = desk.id("id", &asked.id)?;
    let history = desk.engine.unless_away(|engine| engine.history(desk.reach(), id))?;
    let memory = desk.engine.split(desk.reach(), id)?;
    let merges = history.map(|history| history.merges).unwrap_or_default();
    let from = merges.iter().find(|merge| merge.absorbed == id).map(|merge| merge.survivor);
    Ok(Split { memory: MemoryView::of(memory, &desk.scope), from })
}
