//! `graph_communities`: which memories belong together.

use perihelion::MemoryId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::Mention;
use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Groups of memories that are linked among each other more than with the rest, the \
largest first: the topics of a namespace.";

const LIMIT: usize = 10;
const LIMIT_MAX: usize = 50;
const MEMBERS: usize = 5;
const MEMBERS_MAX: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HowMany {
    /// Groups; 10 when left out
    #[schemars(range(min = 1, max = 50))]
    limit: Option<usize>,
    /// Members shown of each; 5 when left out
    #[schemars(range(min = 1, max = 50))]
    members: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Groups {
    /// How many groups there are in all.
    count: usize,
    /// From 0, where the groups say nothing, to almost 1.
    modularity: f64,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Group {
    size: usize,
    memories: Vec<Mention>,
}

pub(crate) fn communities(desk: &Desk<'_>, asked: HowMany) -> Result<Groups, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let members = bounds::count("members", asked.members, MEMBERS, MEMBERS_MAX)?;
    let found = desk.engine.communities(desk.namespace()?)?;
    let together: Vec<Vec<MemoryId>> = found.groups.into_iter().filter(|group| group.len() > 1).collect();
    let count = together.len();
    let groups = together.into_iter().take(limit).map(|group| {
        let memories = group.iter().take(members).map(|id| Mention::look_up(desk, *id));
        Ok(Group { size: group.len(), memories: memories.collect::<Result<_, Refusal>>()? })
    });
    let groups = groups.collect::<Result<_, Refusal>>()?;
    Ok(Groups { count, modularity: (found.modularity * 1000.0).round() / 1000.0, groups })
}
