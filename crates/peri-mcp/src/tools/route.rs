//! `task_route`: who should take a task.

use perihelion::RouteRequest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::{Match, thousandths};
use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "Before handing a task to another agent: which one should take it, how sure that is and \
why, by how earlier tasks ended, with strategies that worked for such tasks.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[schemars(length(min = 1, max = 65_536))]
    task: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Route {
    agent: String,
    /// The probability that this is right.
    confidence: f64,
    reasons: Vec<String>,
    alternatives: Vec<Other>,
    domain: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<Match>,
    /// From how many outcomes was learned.
    outcomes: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Other {
    agent: String,
    confidence: f64,
}

pub(crate) fn route(desk: &Desk<'_>, asked: Ask) -> Result<Route, Refusal> {
    bounds::text("task", &asked.task)?;
    let request = RouteRequest { task: asked.task, namespace: desk.namespace()?.clone() };
    let routed = desk.engine.route_task(&request)?;
    let other =
        |one: perihelion::Alternative| Other { agent: one.agent, confidence: thousandths(one.confidence) };
    Ok(Route {
        agent: routed.agent,
        confidence: thousandths(routed.confidence),
        reasons: routed.reasons,
        alternatives: routed.alternatives.into_iter().map(other).collect(),
        domain: routed.domain,
        patterns: routed.patterns.into_iter().map(Match::of).collect(),
        outcomes: routed.outcomes,
        degraded: routed.degraded,
    })
}
