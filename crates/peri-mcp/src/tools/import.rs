//! `memory_import`: many statements at once, together or not at all.

use perihelion::{ErrorKind, Facets, Layer, Memory, MemoryId, ORDERS_MARK, Outcome, Remember, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::export::Portable;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{circumstances, seen};

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
    // Whoever sees but a part of the store is told the id that it gave, which leads there as well: whether another
    // namespace holds it is nobody's business.
    let in_part = desk.caller.scope != Scope::All;
    let (mut ids, mut requests, mut places) = (Vec::with_capacity(count), Vec::new(), Vec::new());
    for memory in asked.memories {
        let known = memory.id.map(|id| here(desk, id)).transpose()?.flatten();
        let memory = exact(memory, known.as_ref())?;
        let staying = known.as_ref().filter(|known| stays(desk, known, &memory)).map(|known| known.id);
        ids.push(staying.filter(|_| !in_part).or(memory.id));
        if staying.is_none() {
            places.push(ids.len() - 1);
            requests.push(remember(memory, known.as_ref())?.in_namespace(namespace.clone()));
        }
    }
    let receipts = desk.engine.remember_all(requests)?;
    let stored = receipts.iter().filter(|receipt| receipt.outcome == Outcome::Stored).count();
    for (place, receipt) in places.into_iter().zip(receipts) {
        let given = ids[place].filter(|given| in_part && receipt.id == given.within(&receipt.namespace));
        ids[place] = Some(given.unwrap_or(receipt.id));
    }
    Ok(ImportedAll { stored, merged: count - stored, ids: ids.into_iter().flatten().collect() })
}

/// A memory as it was before an export showed it to a model: what is here says the same exactly, and elsewhere the mark
/// goes. What was cut would lose its rest.
fn exact(mut memory: Portable, known: Option<&Memory>) -> Result<Portable, Refusal> {
    if let Some(known) = known.filter(|known| seen::content(&known.content) == memory.content) {
        memory.content.clone_from(&known.content);
    } else if seen::is_cut(&memory.content) {
        let why = "a content was cut by memory_export; take all of it from memory_get, or use `peri export`";
        return Err(Refusal::argument("memories", why));
    } else if let Some(bare) = memory.content.strip_prefix(ORDERS_MARK) {
        memory.content = bare.trim_start().to_owned();
    }
    Ok(memory)
}

/// What the engine is asked to remember, knowing what has its id already.
fn remember(memory: Portable, known: Option<&Memory>) -> Result<Remember, Refusal> {
    // An export tells when a memory was stored where nobody said when it happened. Coming home, that must not make
    // another statement of it.
    let home = known.filter(|known| is_same(known, &memory));
    Ok(Remember {
        content: memory.content,
        kind: memory.kind,
        layer: memory.layer,
        importance: memory.importance,
        facets: Facets {
            tags: memory.tags,
            aliases: memory.aliases,
            key: memory.key,
            session: memory.session,
            speaker: memory.speaker,
            source: memory.source,
            occurred_at: home.map_or(memory.at, |home| home.facets.occurred_at),
            expires_at: memory.expires_at,
            valid_from: memory.valid_from,
            valid_until: memory.valid_until,
            superseded_by: None,
            pinned: memory.pinned,
            context: circumstances::together(&memory.context)?,
            data: memory.data,
            metadata: memory.metadata,
            ..Facets::default()
        },
        // An id that is taken stays with what has it; the content decides whether it is the same.
        id: memory.id.filter(|_| known.is_none()),
        ..Remember::default()
    })
}

fn is_same(known: &Memory, memory: &Portable) -> bool {
    known.content == memory.content && memory.at.is_none_or(|at| at == known.at())
}

/// Whether a memory is here already and stays as it is: it no longer holds, and saying it again would make it hold
/// anew; or a working memory holds it under its key, and setting that again would change it.
fn stays(desk: &Desk<'_>, known: &Memory, memory: &Portable) -> bool {
    let now = desk.engine.options().clock.now();
    let is_held = known.layer == Layer::Working && known.facets.key.is_some();
    is_same(known, memory) && known.trashed_at.is_none() && (is_held || !known.is_visible(now))
}

/// The memory that has an id where the call works, if one has. Ids are looked for only there: whether one is taken
/// elsewhere is nobody's business, and no hindrance.
fn here(desk: &Desk<'_>, id: MemoryId) -> Result<Option<Memory>, Refusal> {
    match desk.engine.get(desk.reach(), id) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}
