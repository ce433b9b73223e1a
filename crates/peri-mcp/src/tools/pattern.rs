//! `pattern_search` and `pattern_store`: strategies that worked.

use perihelion::{NewPattern, Pattern, PatternId, PatternMatch, PatternOutcome, PatternQuery, PatternTerm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const SEARCH_WHEN: &str = "Before a task: find strategies that worked for tasks like it, best first. When one \
is followed, name its id in trajectory_record.";
pub(crate) const STORE_WHEN: &str = "Keep a strategy that is known to work, such as the order of steps that solved \
something. One that says the same as a known one is joined into it. Put steps into backquotes.";

const LIMIT: usize = 5;
const LIMIT_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    /// The task
    #[schemars(length(min = 1, max = 65_536))]
    query: String,
    domain: Option<String>,
    /// 5 when left out
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    patterns: Vec<Match>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Match {
    score: f64,
    #[serde(flatten)]
    pattern: PatternView,
}

/// A pattern as models see it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PatternView {
    id: PatternId,
    strategy: String,
    domain: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// How well it works, from 0 to 1.
    quality: f64,
    uses: u32,
    term: PatternTerm,
}

impl PatternView {
    fn of(pattern: Pattern) -> Self {
        let Pattern { id, strategy, domain, agent, quality, uses, term, .. } = pattern;
        Self { id, strategy, domain, agent, quality: thousandths(quality), uses, term }
    }
}

impl Match {
    pub(super) fn of(one: PatternMatch) -> Self {
        Self { score: thousandths(one.score), pattern: PatternView::of(one.pattern) }
    }
}

/// A number as it is told.
pub(super) fn thousandths(number: f32) -> f64 {
    (f64::from(number) * 1000.0).round() / 1000.0
}

pub(crate) fn search(desk: &Desk<'_>, asked: Ask) -> Result<Found, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let scopes = vec![desk.scope.clone()];
    let query = PatternQuery { query: asked.query, scopes, domain: asked.domain, limit: Some(limit) };
    let found = desk.engine.search_patterns(&query)?;
    Ok(Found { patterns: found.matches.into_iter().map(Match::of).collect(), degraded: found.degraded })
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keep {
    #[schemars(length(min = 1, max = 65_536))]
    strategy: String,
    /// Such as security; found by its words when left out
    domain: Option<String>,
    /// Who should do it
    agent: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Kept {
    outcome: PatternOutcome,
    pattern: PatternView,
}

pub(crate) fn store(desk: &Desk<'_>, asked: Keep) -> Result<Kept, Refusal> {
    bounds::text("strategy", &asked.strategy)?;
    let new = NewPattern { domain: asked.domain, agent: asked.agent, ..NewPattern::new(asked.strategy) };
    let receipt = desk.engine.store_pattern(new.in_namespace(desk.namespace()?.clone()))?;
    Ok(Kept { outcome: receipt.outcome, pattern: PatternView::of(receipt.pattern) })
}
