//! `learning_stats`: what has been learned, in numbers.

use perihelion::LearnedInfo;
use schemars::JsonSchema;
use serde::Serialize;

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "How much has been learned here: patterns, recorded tasks, and whether routing and \
questions go by what was learned.";

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Learned {
    /// Patterns that have to prove themselves.
    short_term: u64,
    /// Patterns that have.
    long_term: u64,
    retired: u64,
    trajectories: u64,
    /// Those that nothing was drawn from yet.
    undistilled: u64,
    learned: Vec<Set>,
}

/// A router or an adapter that was learned.
#[derive(Debug, Serialize, JsonSchema)]
struct Set {
    name: String,
    set: u64,
    at: String,
    reason: String,
    active: bool,
    #[serde(rename = "in")]
    namespace: String,
}

impl Set {
    fn of(info: LearnedInfo) -> Self {
        let LearnedInfo { namespace, name, set, at, reason, active } = info;
        Self { name, set, at: at.to_string(), reason, active, namespace: namespace.to_string() }
    }
}

pub(crate) fn stats(desk: &Desk<'_>, _asked: Nothing) -> Result<Learned, Refusal> {
    let overview = desk.engine.learning(&desk.scope)?;
    Ok(Learned {
        short_term: overview.short_term,
        long_term: overview.long_term,
        retired: overview.retired,
        trajectories: overview.trajectories,
        undistilled: overview.undistilled,
        learned: overview.learned.into_iter().map(Set::of).collect(),
    })
}
