//! `memory_purge`: destroy what lies in the trash.

use std::time::Duration;

use perihelion::{Destroyed, StoreError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, when};

pub(crate) const WHEN: &str = "Destroy forgotten memories for good, by id or all that were forgotten before a time. \
There is no way back: only when somebody asks for it.";

const IDS_MAX: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Purge {
    #[serde(default)]
    #[schemars(length(max = 500))]
    ids: Vec<String>,
    /// Everything in the trash here, instead of ids
    #[serde(default)]
    all: bool,
    /// With `all`: only what was forgotten before 2026-11-15 or an RFC 3339 time
    before: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Purged {
    purged: u64,
    /// What still holds their words: tell whoever asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    still_held: Vec<String>,
}

impl From<Destroyed> for Purged {
    fn from(destroyed: Destroyed) -> Self {
        let still_held = destroyed.still_held.into_iter().map(|held| held.detail).collect();
        Self { purged: destroyed.memories, still_held }
    }
}

pub(crate) fn purge(desk: &Desk<'_>, asked: Purge) -> Result<Purged, Refusal> {
    bounds::few("ids", &asked.ids, IDS_MAX)?;
    match (asked.all, asked.ids.is_empty()) {
        (true, false) => return Err(Refusal::argument("all", "give `ids` or `all`, not both")),
        (false, true) => return Err(Refusal::argument("ids", "name what to destroy, or say `all`")),
        (false, false) if asked.before.is_some() => {
            return Err(Refusal::argument("before", "that goes with `all`, not with `ids`"));
        }
        _ => {}
    }
    if asked.all { everything(desk, asked.before.as_deref()) } else { these(desk, &asked.ids) }
}

fn everything(desk: &Desk<'_>, before: Option<&str>) -> Result<Purged, Refusal> {
    // The store compares in whole milliseconds; what was forgotten just now is meant too.
    let now = desk.engine.options().clock.now() + Duration::from_millis(1);
    let before = when::optional("before", before)?.unwrap_or(now);
    Ok(desk.engine.purge_trashed(desk.reach(), before)?.told_within(&desk.caller.scope).into())
}

/// All of them are destroyed, or none: first it is made sure that every one lies in the trash.
fn these(desk: &Desk<'_>, ids: &[String]) -> Result<Purged, Refusal> {
    let mut ids = desk.ids("ids", ids)?;
    ids.sort_unstable();
    ids.dedup();
    for id in &ids {
        if desk.engine.get(desk.reach(), *id)?.trashed_at.is_none() {
            return Err(perihelion::Error::Store(StoreError::NotTrashed { id: *id }).into());
        }
    }
    let mut all = Destroyed::default();
    for id in &ids {
        let Destroyed { memories, still_held } = desk.engine.purge(desk.reach(), *id)?;
        all = Destroyed { memories: all.memories + memories, still_held };
    }
    Ok(all.told_within(&desk.caller.scope).into())
}
