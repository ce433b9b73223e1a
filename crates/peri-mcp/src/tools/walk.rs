//! `graph_walk`: what can be reached from a memory.

use perihelion::{Direction, EdgeType, EdgeTypes, Link, MemoryId, Step, Walk};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::Mention;
use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "What a memory is linked to, the nearest and strongest first. Use it to gather what \
belongs to something that memory_recall found.";

const LIMIT: usize = 50;
const LIMIT_MAX: usize = 200;
const DEPTH_MAX: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    id: String,
    /// How many links away; 1 when left out
    #[schemars(range(min = 1, max = 5))]
    depth: Option<usize>,
    /// both when left out
    direction: Option<Way>,
    /// Every type when left out
    #[serde(default)]
    types: Vec<EdgeType>,
    /// 50 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

/// Which way links are followed.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    Out,
    In,
    Both,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Reached {
    memories: Vec<Neighbour>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Neighbour {
    #[serde(flatten)]
    memory: Mention,
    depth: usize,
    /// The product of the weights on the way.
    strength: f64,
    /// The last link on the way.
    via: Via,
}

/// A link as models see it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Via {
    from: MemoryId,
    to: MemoryId,
    r#type: EdgeType,
    weight: f32,
}

impl std::convert::From<Link> for Via {
    fn from(link: Link) -> Self {
        Self { from: link.source, to: link.target, r#type: link.edge_type, weight: link.weight }
    }
}

pub(crate) fn walk(desk: &Desk<'_>, asked: From) -> Result<Reached, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let depth_max = bounds::count("depth", asked.depth, 1, DEPTH_MAX)?;
    let memory = desk.engine.get(desk.reach(), desk.id("id", &asked.id)?)?;
    let direction = match asked.direction.unwrap_or(Way::Both) {
        Way::Out => Direction::Outgoing,
        Way::In => Direction::Incoming,
        Way::Both => Direction::Both,
    };
    let types = if asked.types.is_empty() { EdgeTypes::ALL } else { EdgeTypes::only(&asked.types) };
    let starts = [memory.id];
    let walk = Walk { direction, depth_max, limit, types, ..Walk::from(&starts) };
    let steps = desk.engine.walk(&memory.namespace, &walk)?;
    let neighbour = |step: Step| {
        Ok(Neighbour {
            memory: Mention::look_up(desk, step.id)?,
            depth: step.depth,
            strength: (step.strength * 1000.0).round() / 1000.0,
            via: step.via.into(),
        })
    };
    Ok(Reached { memories: steps.into_iter().map(neighbour).collect::<Result<_, Refusal>>()? })
}
