//! `memory_import`: many statements at once, together or not at all.

use perihelion::{ErrorKind, Memory, MemoryId, Outcome, Remember};
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
    remember.id = memory.id;
    remember.facets.occurred_at = memory.at;
    // Ids are looked for only here: whether one is taken elsewhere is nobody's business, and no hindrance.
    if let Some(known) = memory.id.map(|id| here(desk, id)).transpose()?.flatten() {
        // An id that is taken stays with what has it; the content decides whether it is the same.
        remember.id = None;
        if known.content == remember.content && memory.at == Some(known.at()) {
            // An export tells when a memory was stored where nobody said when it happened. Coming home, that must
            // not make another statement of it.
            remember.facets.occurred_at = known.facets.occurred_at;
        }
    }
    remember.kind = memory.kind;
    remember.importance = memory.importance;
    remember.facets.session = memory.session;
    remember.facets.speaker = memory.speaker;
    Ok(remember)
}

/// The memory that has an id where the call works, if one has.
fn here(desk: &Desk<'_>, id: MemoryId) -> Result<Option<Memory>, Refusal> {
    match desk.engine.get(desk.reach(), id) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
