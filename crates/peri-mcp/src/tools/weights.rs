//! `memory_weights` and `memory_weights_rollback`: what feedback made of the memory function.

use perihelion::LearnedWeights;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const SHOW_WHEN: &str = "How much frequency, freshness, importance and context count for how near memories \
are here, and what feedback changed about it.";
pub(crate) const ROLLBACK_WHEN: &str = "Go back to an earlier set of weights, by its number in memory_weights; 0 is \
the configured one. Only when somebody asks for it.";

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Sets {
    /// The number of the set that holds.
    holds: u64,
    sets: Vec<LearnedWeights>,
}

pub(crate) fn show(desk: &Desk<'_>, _asked: Nothing) -> Result<Sets, Refusal> {
    let sets = desk.engine.weights(desk.namespace()?)?;
    Ok(Sets { holds: sets.last().map_or(0, |set| set.number), sets })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BackTo {
    number: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Taken {
    holds: u64,
    set: LearnedWeights,
}

pub(crate) fn rollback(desk: &Desk<'_>, asked: BackTo) -> Result<Taken, Refusal> {
    let set = desk.engine.rollback_weights(desk.namespace()?, asked.number)?;
    Ok(Taken { holds: set.number, set })
}
