//! `memory_promote` and `memory_undo_promotion`: memories of one layer become one of a longer-lived layer, and back.

use perihelion::{Layer, MemoryId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::{MemoryView, Mention};
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Make one longer-lived memory out of working memory or episodes that turned out to \
matter; the first gives the words. They are put aside for it.";

pub(crate) const UNDO_WHEN: &str = "Bring back what a memory was promoted from, when that was a mistake.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Promote {
    #[schemars(length(min = 1, max = 20))]
    ids: Vec<String>,
    /// The next longer one when left out
    to: Option<Layer>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PromotedView {
    #[serde(flatten)]
    memory: MemoryView,
    layer: Layer,
    sources: Vec<MemoryId>,
}

/// At most so many memories become one: as many edges as a memory may have.
const SOURCES_MAX: usize = 20;

pub(crate) fn promote(desk: &Desk<'_>, asked: Promote) -> Result<PromotedView, Refusal> {
    let count = asked.ids.len();
    if !(1..=SOURCES_MAX).contains(&count) {
        return Err(Refusal::argument("ids", format!("{count} is not between 1 and {SOURCES_MAX}")));
    }
    let ids = desk.ids("ids", &asked.ids)?;
    let promoted = desk.engine.promote(desk.reach(), &ids, asked.to)?;
    Ok(PromotedView {
        layer: promoted.memory.layer,
        sources: promoted.sources,
        memory: MemoryView::of(promoted.memory, &desk.scope),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct UndoneView {
    /// What stands for itself again.
    sources: Vec<Mention>,
}

pub(crate) fn undo(desk: &Desk<'_>, asked: Undo) -> Result<UndoneView, Refusal> {
    let undone = desk.engine.undo_promotion(desk.reach(), desk.id("id", &asked.id)?)?;
    Ok(UndoneView { sources: undone.sources.iter().map(Mention::of).collect() })
}
