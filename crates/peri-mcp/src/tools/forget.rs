//! `memory_forget`: to the trash.

use perihelion::MemoryId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Forget one memory that is wrong or no longer wanted. It can be restored for a time. Not \
needed when something changed: store the new statement instead.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Forget {
    id: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Forgotten {
    id: MemoryId,
    /// For how long it can be brought back.
    restorable_days: u64,
}

pub(crate) fn forget(desk: &Desk<'_>, asked: Forget) -> Result<Forgotten, Refusal> {
    let id = desk.id("id", &asked.id)?;
    // Asked twice, it is forgotten once: a model that repeats itself gets the same answer.
    let memory = desk.engine.look_before_change(desk.reach(), id)?;
    if memory.is_none_or(|memory| memory.trashed_at.is_none()) {
        desk.engine.forget(desk.reach(), id)?;
    }
    let restorable_days = desk.engine.options().trash_retention.as_secs() / (24 * 60 * 60);
    Ok(Forgotten { id, restorable_days })
}
