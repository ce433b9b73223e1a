//! `memory_import`: many statements at once, together or not at all.

use perihelion::{MemoryId, Outcome, Remember};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::export::Portable;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Store many memories at once, such as a page of memory_export. All are stored or none; \
repeating it makes no copies.";

const MEMORIES_MAX: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    #[schemars(length(min = 1, max = 500))]
    memories: Vec<Portable>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ImportedAll {
    stored: usize,
    /// How many were there already.
    merged: usize,
    ids: Vec<MemoryId>,
}

pub(crate) fn import(desk: &Desk<'_>, asked: Import) -> Result<ImportedAll, Refusal> {
    let count = asked.memories.len();
    if !(1..=MEMORIES_MAX).contains(&count) {
        return Err(Refusal::argument("memories", format!("{count} is not between 1 and {MEMORIES_MAX}")));
    }
    let namespace = desk.namespace()?;
    let requests =
        asked.memories.into_iter().map(|memory| remember(memory, desk)).collect::<Result<Vec<_>, _>>()?;
    let requests = requests.into_iter().map(|request| request.in_namespace(namespace.clone())).collect();
    let receipts = desk.engine.remember_all(requests)?;
    let stored = receipts.iter().filter(|receipt| receipt.outcome == Outcome::Stored).count();
    Ok(ImportedAll {
        stored,
        merged: receipts.len() - stored,
        ids: receipts.into_iter().map(|receipt| receipt.id).collect(),
    })
}

fn remember(memory: Portable, desk: &Desk<'_>) -> Result<Remember, Refusal> {
    let mut remember = Remember::new(memory.content).tags(memory.tags);
    // An id that is taken here stays with what has it; the content decides whether it is the same.
    if let Some(id) = memory.id {
        let taken = desk.engine.get(&perihelion::Scope::All, id).is_ok();
        remember.id = (!taken).then_some(id);
    }
    remember.kind = memory.kind;
    remember.importance = memory.importance;
    remember.facets.session = memory.session;
    remember.facets.speaker = memory.speaker;
    remember.facets.occurred_at = memory.at;
    Ok(remember)
}
