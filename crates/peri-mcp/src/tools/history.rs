//! `memory_history`: how a memory came to be what it is.

use perihelion::{MemoryId, Merge, Version};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::{MemoryView, Mention};
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "How one memory came to be: what it said before, what it replaced, what replaced it, and \
what was merged. Use it when two statements disagree or a change is in doubt.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfOne {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Past {
    #[serde(flatten)]
    memory: MemoryView,
    version: u32,
    forgotten: bool,
    /// What it said before, the earliest first.
    versions: Vec<Version>,
    /// What took its place, and what took the place of that.
    replaced_by: Vec<Mention>,
    /// What it took the place of, the latest first.
    replaces: Vec<Mention>,
    merges: Vec<Merged>,
}

/// One memory put aside for another; memory_split undoes it.
#[derive(Debug, Serialize, JsonSchema)]
struct Merged {
    absorbed: MemoryId,
    survivor: MemoryId,
    #[schemars(with = "String")]
    at: perihelion::Timestamp,
}

impl From<Merge> for Merged {
    fn from(merge: Merge) -> Self {
        Self { absorbed: merge.absorbed, survivor: merge.survivor, at: merge.at }
    }
}

pub(crate) fn history(desk: &Desk<'_>, asked: OfOne) -> Result<Past, Refusal> {
    let history = desk.engine.history(desk.reach(), desk.id("id", &asked.id)?)?;
    Ok(Past {
        version: history.memory.version,
        forgotten: history.memory.trashed_at.is_some(),
        versions: history.versions,
        replaced_by: history.replaced_by.iter().map(Mention::of).collect(),
        replaces: history.replaces.iter().map(Mention::of).collect(),
        merges: history.merges.into_iter().map(Merged::from).collect(),
        memory: MemoryView::of(history.memory, &desk.scope),
    })
}
