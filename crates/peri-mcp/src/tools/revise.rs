//! `memory_revise`: change one memory and keep what it said before.

use perihelion::{Importance, Kind, Layer, Memory, MemoryId, Revise, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{circumstances, when};

pub(crate) const WHEN: &str = "Correct or complete one memory by id: its words, or what is said about it. What it said \
before stays in its history. When the world changed rather than the memory being wrong, use memory_store instead.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    id: String,
    #[schemars(length(min = 1, max = 262_144))]
    content: Option<String>,
    kind: Option<Kind>,
    layer: Option<Layer>,
    #[schemars(range(min = 0, max = 1))]
    importance: Option<f64>,
    /// In place of all it has
    #[schemars(length(max = 64))]
    tags: Option<Vec<String>>,
    /// In place of all it has
    #[schemars(length(max = 64))]
    aliases: Option<Vec<String>>,
    /// Never decays
    pinned: Option<bool>,
    /// From when on it must not be seen: 2026-11-15, RFC 3339, or none
    expires_at: Option<String>,
    /// From when on it holds, or none
    valid_from: Option<String>,
    /// Until when it holds, a day included whole, or none
    valid_until: Option<String>,
    /// The id of what takes its place, or none
    superseded_by: Option<String>,
    /// In place of all it has, such as spatial.place=office
    context: Option<Vec<String>>,
    /// Another structure, or null; words that were made from it follow
    #[serde(default, deserialize_with = "given")]
    data: Option<Option<Value>>,
    /// Refuse if it has another version by now
    expected_version: Option<u32>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Changed {
    #[serde(flatten)]
    memory: MemoryView,
    importance: f64,
    version: u32,
    pinned: bool,
    /// How many secrets were taken out before it was stored.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
}

/// Tells null from what is left out.
fn given<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Option<Value>>, D::Error> {
    Option::deserialize(reader).map(Some)
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(crate) fn revise(desk: &Desk<'_>, asked: Change) -> Result<Changed, Refusal> {
    let id = desk.id("id", &asked.id)?;
    let request = request(desk, id, asked)?;
    if request == (Revise { expected_version: request.expected_version, ..Revise::default() }) {
        return Err(Refusal::new("nothing to change was given"));
    }
    // What has expired is not seen, and so not changed either.
    let memory = desk.engine.look_before_change(desk.reach(), id)?;
    check_validity(memory.as_ref(), &request)?;
    let revised = desk.engine.revise(desk.reach(), id, request)?;
    let memory = revised.memory;
    Ok(Changed {
        importance: memory.importance.into(),
        version: memory.version,
        pinned: memory.facets.pinned,
        redacted: revised.redacted.iter().map(|secret| secret.count).sum(),
        memory: MemoryView::of(memory, &desk.scope),
    })
}

fn request(desk: &Desk<'_>, id: MemoryId, asked: Change) -> Result<Revise, Refusal> {
    let importance = asked.importance.map(Importance::new).transpose();
    let successor = |text: &str| successor(desk, id, text);
    Ok(Revise {
        content: asked.content,
        kind: asked.kind,
        layer: asked.layer,
        importance: importance.map_err(|error| Refusal::argument("importance", error))?,
        tags: asked.tags,
        aliases: asked.aliases,
        pinned: asked.pinned,
        expires_at: unless(asked.expires_at, |text| when::moment("expires_at", text))?,
        valid_from: unless(asked.valid_from, |text| when::moment("valid_from", text))?,
        valid_until: unless(asked.valid_until, |text| when::end("valid_until", text))?,
        superseded_by: unless(asked.superseded_by, successor)?,
        context: asked.context.as_deref().map(circumstances::together).transpose()?,
        data: asked.data,
        expected_version: asked.expected_version,
        ..Revise::default()
    })
}

/// A value, or `none` for taking away the one it has.
fn unless<T>(
    text: Option<String>,
    read: impl FnOnce(&str) -> Result<T, Refusal>,
) -> Result<Option<Option<T>>, Refusal> {
    match text.as_deref().map(str::trim) {
        None => Ok(None),
        Some("none") => Ok(Some(None)),
        Some(text) => read(text).map(|value| Some(Some(value))),
    }
}

/// What takes a memory's place must be there, be another one, and be seen itself. Otherwise nothing would be
/// recalled in its place, and nobody would notice.
fn successor(desk: &Desk<'_>, id: MemoryId, text: &str) -> Result<MemoryId, Refusal> {
    let successor = desk.id("superseded_by", text)?;
    let memory = desk.engine.look_before_change(desk.reach(), successor)?;
    if successor == id {
        return Err(Refusal::argument("superseded_by", "a memory cannot take its own place"));
    }
    if memory.is_some_and(|memory| memory.trashed_at.is_some()) {
        return Err(Refusal::argument("superseded_by", "that memory is forgotten; restore it first"));
    }
    Ok(successor)
}

/// A memory that ends to hold before it begins to would never be seen, and nobody would know why.
/// Of a memory that cannot be looked at, only what is given counts.
fn check_validity(memory: Option<&Memory>, request: &Revise) -> Result<(), Refusal> {
    if request.valid_from.is_none() && request.valid_until.is_none() {
        return Ok(());
    }
    let known = memory.map(|memory| &memory.facets);
    let from = request.valid_from.unwrap_or(known.and_then(|facets| facets.valid_from));
    let from: Timestamp = from.or_else(|| memory.map(Memory::at)).unwrap_or(Timestamp::MIN);
    match request.valid_until.unwrap_or(known.and_then(|facets| facets.valid_until)) {
        Some(until) if until <= from => Err(Refusal::argument(
            "valid_until",
            format!("it would hold until {until} and only from {from} on"),
        )),
        _ => Ok(()),
    }
}
