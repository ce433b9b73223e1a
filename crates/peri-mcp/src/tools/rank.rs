//! `graph_rank`: the most central memories.

use perihelion::PageRankSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::Mention;
use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str =
    "The memories that the others lead to, the most central first: what a namespace is about.";

const LIMIT: usize = 20;
const LIMIT_MAX: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HowMany {
    /// 20 when left out
    #[schemars(range(min = 1, max = 200))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Ranking {
    memories: Vec<Ranked>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Ranked {
    #[serde(flatten)]
    memory: Mention,
    /// Its share of all attention.
    rank: f64,
}

pub(crate) fn rank(desk: &Desk<'_>, asked: HowMany) -> Result<Ranking, Refusal> {
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    let ranks = desk.engine.pagerank(desk.namespace()?, &PageRankSettings::default())?;
    let ranked = ranks.into_iter().take(limit).map(|(id, rank)| {
        Ok(Ranked { memory: Mention::look_up(desk, id)?, rank: (rank * 10_000.0).round() / 10_000.0 })
    });
    Ok(Ranking { memories: ranked.collect::<Result<_, Refusal>>()? })
}
