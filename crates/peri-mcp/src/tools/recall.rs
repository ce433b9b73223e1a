//! `memory_recall`: find what matters to a question.

use perihelion::{Filter, Kind, Recall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::when;

pub(crate) const WHEN: &str = "Find what is known about a question or topic, by meaning and words, best first. Call \
it before answering from memory. An empty list means that nothing relevant is known.";

/// Results on a page unless the call says otherwise.
const LIMIT: usize = 10;
/// Most results on a page.
const LIMIT_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[schemars(length(min = 1, max = 65_536))]
    query: String,
    /// 10 when left out
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// At most so many tokens of content
    #[schemars(range(min = 1))]
    max_tokens: Option<usize>,
    kind: Option<Kind>,
    /// All of them
    #[serde(default)]
    tags: Vec<String>,
    session: Option<String>,
    since: Option<String>,
    until: Option<String>,
    /// What was true then
    as_of: Option<String>,
    cursor: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Found {
    memories: Vec<Match>,
    /// For the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// How many relevant ones did not fit into `max_tokens`.
    #[serde(skip_serializing_if = "is_zero")]
    over_budget: usize,
    /// What did not take part in the answer although it should.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Match {
    score: f64,
    #[serde(flatten)]
    memory: MemoryView,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(crate) fn recall(desk: &Desk<'_>, asked: Ask) -> Result<Found, Refusal> {
    let limit = asked.limit.unwrap_or(LIMIT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Refusal::argument("limit", format!("{limit} is not between 1 and {LIMIT_MAX}")));
    }
    let skip = asked.cursor.as_deref().map_or(Ok(0), offset)?;
    let mut recall = Recall::new(asked.query).in_scope(desk.scope.clone());
    // One more than wanted tells whether there is a next page.
    recall.limit = Some((skip + limit + 1).min(desk.engine.options().limits.results_max));
    recall.filter = Filter {
        kinds: asked.kind.into_iter().collect(),
        tags: asked.tags,
        session: asked.session,
        since: when::optional("since", asked.since.as_deref())?,
        until: when::optional("until", asked.until.as_deref())?,
        ..Filter::default()
    };
    recall.as_of = when::optional("as_of", asked.as_of.as_deref())?;
    let recalled = desk.engine.recall(&recall)?;
    let more = recalled.hits.len() > skip + limit;
    let mut found =
        Found { memories: Vec::new(), next_cursor: None, over_budget: 0, degraded: recalled.degraded };
    let mut tokens = 0;
    for hit in recalled.hits.into_iter().skip(skip).take(limit) {
        if asked.max_tokens.is_some_and(|max| tokens + hit.tokens > max) {
            found.over_budget += 1;
            continue;
        }
        tokens += hit.tokens;
        let score = (f64::from(hit.score) * 1000.0).round() / 1000.0;
        found.memories.push(Match { score, memory: MemoryView::of(hit.memory, &desk.scope) });
    }
    found.next_cursor = more.then(|| format!("r{}", skip + limit));
    Ok(found)
}

/// How many results the pages before this one held.
fn offset(cursor: &str) -> Result<usize, Refusal> {
    let offset = cursor.strip_prefix('r').and_then(|number| number.parse().ok());
    offset.filter(|offset| *offset <= 100_000).ok_or_else(|| {
        Refusal::argument("cursor", "not one that an earlier answer gave; leave it out for the first page")
    })
}
