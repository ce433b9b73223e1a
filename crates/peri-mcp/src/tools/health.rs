//! `memory_health`: whether memory works.

use schemars::JsonSchema;
use serde::Serialize;

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str =
    "Whether memory works, and what somebody should look at. Call it when other tools fail.";

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct State {
    healthy: bool,
    read_only: bool,
    warnings: Vec<String>,
    problems: Vec<String>,
}

pub(crate) fn health(desk: &Desk<'_>, _asked: Nothing) -> Result<State, Refusal> {
    let health = desk.engine.health();
    Ok(State {
        healthy: health.healthy,
        read_only: health.read_only,
        warnings: health.warnings,
        problems: health.problems,
    })
}
