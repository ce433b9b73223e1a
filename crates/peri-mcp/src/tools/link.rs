//! `graph_link` and `graph_unlink`: edges drawn and taken away by hand.

use perihelion::{EdgeType, Memory, MemoryId, NewEdge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const LINK_WHEN: &str = "Say how one memory stands to another, when the words alone do not show it: recall \
follows such links from `from` to `to`.";
pub(crate) const UNLINK_WHEN: &str =
    "Take the links from one memory to another away. Links have a direction.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLink {
    from: String,
    to: String,
    /// related_to when left out
    r#type: Option<EdgeType>,
    /// Above 0; 1 when left out
    #[schemars(range(max = 1))]
    weight: Option<f32>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Linked {
    /// False: the memory keeps stronger links already, and no more than so many.
    linked: bool,
    from: MemoryId,
    to: MemoryId,
    r#type: EdgeType,
    weight: f32,
}

pub(crate) fn link(desk: &Desk<'_>, asked: NewLink) -> Result<Linked, Refusal> {
    let edge_type = asked.r#type.unwrap_or(EdgeType::RelatedTo);
    let weight = asked.weight.unwrap_or(1.0);
    if !(weight > 0.0 && weight <= 1.0) {
        return Err(Refusal::argument("weight", format!("{weight} is not above 0 and at most 1")));
    }
    let (from, to) = ends_to_change(desk, &asked.from, &asked.to)?;
    let edge = NewEdge { source: from, target: to, edge_type, weight };
    let linked = desk.engine.link(desk.reach(), &edge)?;
    Ok(Linked { linked, from, to, r#type: edge_type, weight })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OldLink {
    from: String,
    to: String,
    /// Every type when left out
    r#type: Option<EdgeType>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Unlinked {
    /// How many links there were.
    unlinked: u64,
    from: MemoryId,
    to: MemoryId,
}

pub(crate) fn unlink(desk: &Desk<'_>, asked: OldLink) -> Result<Unlinked, Refusal> {
    let (from, to) = ends_to_change(desk, &asked.from, &asked.to)?;
    let unlinked = desk.engine.unlink(desk.reach(), from, to, asked.r#type)?;
    Ok(Unlinked { unlinked, from, to })
}

/// The ids of both memories, once it is known that both are there and in one namespace, as far as that can be told now.
fn ends_to_change(desk: &Desk<'_>, from: &str, to: &str) -> Result<(MemoryId, MemoryId), Refusal> {
    let (from, to) = (desk.id("from", from)?, desk.id("to", to)?);
    let first = desk.engine.look_before_change(desk.reach(), from)?;
    let second = desk.engine.look_before_change(desk.reach(), to)?;
    if let (Some(first), Some(second)) = (first, second) {
        check_together(&first, &second)?;
    }
    Ok((from, to))
}

/// Both memories, once it is known that both are there and in one namespace.
pub(super) fn ends(desk: &Desk<'_>, from: &str, to: &str) -> Result<(Memory, Memory), Refusal> {
    let from = desk.engine.get(desk.reach(), desk.id("from", from)?)?;
    let to = desk.engine.get(desk.reach(), desk.id("to", to)?)?;
    check_together(&from, &to)?;
    Ok((from, to))
}

fn check_together(from: &Memory, to: &Memory) -> Result<(), Refusal> {
    if from.namespace == to.namespace {
        return Ok(());
    }
    let (one, other) = (&from.namespace, &to.namespace);
    Err(Refusal::argument(
        "to",
        format!("one is in {one}, the other in {other}, and links never leave theirs"),
    ))
}
