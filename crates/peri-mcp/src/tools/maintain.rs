//! `memory_maintain`: the chores, by hand.

use perihelion::Scope;
use schemars::JsonSchema;
use serde::Serialize;

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Do the chores of the whole store now: vectors that are missing, links, zones, saved \
indexes, and purging what has lain in the trash for too long. They happen by themselves.";

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Maintained {
    purged: u64,
    /// How many memories still have no vector.
    unembedded: u64,
    index_bytes: u64,
}

pub(crate) fn maintain(desk: &Desk<'_>, _asked: Nothing) -> Result<Maintained, Refusal> {
    // The chores look after every namespace, so whoever may not look everywhere may not ask for them.
    if desk.scope != Scope::All {
        return Err(Refusal::argument("namespace", "the chores are for everything; this needs a key for *"));
    }
    let before = desk.engine.stats(&Scope::All)?;
    desk.engine.maintain()?;
    let after = desk.engine.stats(&Scope::All)?;
    Ok(Maintained {
        purged: before.trashed.saturating_sub(after.trashed),
        unembedded: after.unembedded,
        index_bytes: after.index_bytes,
    })
}
