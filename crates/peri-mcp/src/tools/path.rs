//! `graph_path`: how two memories are connected.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::link;
use super::view::Mention;
use super::walk::Via;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "The shortest chain of links between two memories, whichever way they point: why two things belong together.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Between {
    from: String,
    to: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Way {
    /// False: no links lead from one to the other.
    found: bool,
    /// The memories on the way, both ends included.
    memories: Vec<Mention>,
    /// The links between them, one fewer than the memories.
    links: Vec<Via>,
}

pub(crate) fn path(desk: &Desk<'_>, asked: Between) -> Result<Way, Refusal> {
    let (from, to) = link::ends(desk, &asked.from, &asked.to)?;
    for (argument, memory) in [("from", &from), ("to", &to)] {
        if memory.trashed_at.is_some() {
            return Err(Refusal::argument(
                argument,
                "that memory is forgotten, and has no links until restored",
            ));
        }
    }
    let Some(path) = desk.engine.path(&from.namespace, from.id, to.id)? else {
        return Ok(Way { found: false, memories: Vec::new(), links: Vec::new() });
    };
    let memories = path.nodes.into_iter().map(|id| Mention::look_up(desk, id));
    Ok(Way {
        found: true,
        memories: memories.collect::<Result<_, Refusal>>()?,
        links: path.links.into_iter().map(Via::from).collect(),
    })
}
