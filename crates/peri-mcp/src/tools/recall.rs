//! `memory_recall`: find what matters to a question.

use perihelion::{Filter, Hit, Kind, PatternMatch, Recall, Recalled, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::MemoryView;
use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, circumstances, page, when};

pub(crate) const WHEN: &str = "Find what is known about a question or topic, by meaning and words, best first. Call \
it before answering from memory. An empty list means that nothing relevant is known.";

/// Results on a page unless the call says otherwise.
const LIMIT: usize = 10;
/// Most results on a page.
const LIMIT_MAX: usize = 100;
/// An offered strategy is told in so many characters; pattern_search has the rest.
const STRATEGY_CHARS: usize = 300;
/// No answer is longer than this, whatever is configured.
const SKIP_MAX: usize = 100_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[schemars(length(min = 1, max = 65_536))]
    query: String,
    /// 10 when left out
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
    /// Of content, in all
    #[schemars(range(min = 1))]
    max_tokens: Option<usize>,
    kind: Option<Kind>,
    /// All of them
    #[serde(default)]
    tags: Vec<String>,
    session: Option<String>,
    #[serde(default)]
    context: Vec<String>,
    since: Option<String>,
    /// A day is included whole
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
    /// Strategies that worked, in a few words each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    patterns: Vec<String>,
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
    let limit = bounds::count("limit", asked.limit, LIMIT, LIMIT_MAX)?;
    if asked.max_tokens == Some(0) {
        return Err(Refusal::argument("max_tokens", "0 is less than 1"));
    }
    let cursor = asked.cursor.as_deref().map(Cursor::read).transpose()?;
    let asked_at = desk.engine.options().clock.now();
    let (since, until) = (
        when::optional("since", asked.since.as_deref())?,
        when::optional_end("until", asked.until.as_deref())?,
    );
    when::in_order(since, until)?;
    let session = asked.session.clone();
    let mut recall = Recall::new(asked.query).in_scope(desk.scope.clone());
    recall.filter = Filter {
        kinds: asked.kind.into_iter().collect(),
        tags: asked.tags,
        session: asked.session,
        context: circumstances::read(&asked.context)?,
        since,
        until,
        ..Filter::default()
    };
    recall.as_of = when::optional("as_of", asked.as_of.as_deref())?;
    let skip = cursor.map_or(0, |cursor| cursor.skip);
    let mut recalled = search(desk, &mut recall, cursor, skip + limit + 1)?;
    let hits = &recalled.hits;
    let began = cursor.map_or_else(|| first_page(asked_at, hits), |cursor| cursor.began);
    let next = (hits.len() > skip + limit).then_some(Cursor { skip: skip + limit, began });
    let next_cursor = next.map(Cursor::write);
    let mut found = Found {
        memories: Vec::new(),
        next_cursor,
        over_budget: 0,
        patterns: std::mem::take(&mut recalled.patterns).iter().map(brief).collect(),
        degraded: std::mem::take(&mut recalled.degraded),
    };
    let (mut tokens, mut begun) = (0, Vec::new());
    let hits: Vec<Hit> = std::mem::take(&mut recalled.hits).into_iter().skip(skip).take(limit).collect();
    for (at, hit) in hits.into_iter().enumerate() {
        if asked.max_tokens.is_some_and(|max| tokens + hit.tokens > max) {
            found.over_budget += 1;
            continue;
        }
        tokens += hit.tokens;
        let score = (f64::from(hit.score) * 1000.0).round() / 1000.0;
        found.memories.push(Match { score, memory: MemoryView::of(hit.memory.clone(), &desk.scope) });
        recalled.hits.push(hit);
        begun.push(at);
    }
    let here = page::that_fit(&found.memories)?;
    if let Some(next) = begun.get(here) {
        found.memories.truncate(here);
        recalled.hits.truncate(here);
        found.over_budget = next - here;
        found.next_cursor = Some(Cursor { skip: skip + next, began }.write());
    }
    // Only what this page hands out counts as used.
    desk.engine.note_recall(&recall, &recalled);
    if let Some(session) = session {
        let texts: Vec<String> = recalled.hits.iter().map(|hit| hit.memory.content.clone()).collect();
        desk.note_handed_out(&session, &texts, &mut found.degraded);
    }
    Ok(found)
}

/// A pattern in a few words, with the id by which it is named when it was followed.
fn brief(one: &PatternMatch) -> String {
    let mut strategy: String = one.pattern.strategy.chars().take(STRATEGY_CHARS).collect();
    if strategy.len() < one.pattern.strategy.len() {
        strategy.push('…');
    }
    format!("{strategy} (pattern {})", one.pattern.id)
}

/// The best results up to the end of a page and one more, which tells whether there is a next one. What was stored
/// after the first page was asked for is left out: it would push others from one page to the next.
fn search(
    desk: &Desk<'_>,
    recall: &mut Recall,
    page: Option<Cursor>,
    wanted: usize,
) -> Result<Recalled, Refusal> {
    let most = desk.engine.options().limits.results_max;
    let wanted = wanted.min(most);
    let mut asked = wanted;
    loop {
        recall.limit = Some(asked);
        let mut recalled = desk.engine.search(recall)?;
        let whole = recalled.hits.len() < asked || asked == most;
        recalled.hits.retain(|hit| page.is_none_or(|page| hit.memory.created_at <= page.began));
        if whole || recalled.hits.len() >= wanted {
            return Ok(recalled);
        }
        asked = (asked + wanted - recalled.hits.len()).min(most);
    }
}

/// The time that later pages are told to look back to. Another machine's clock may be ahead of this one's.
fn first_page(asked_at: Timestamp, hits: &[Hit]) -> Timestamp {
    hits.iter().map(|hit| hit.memory.created_at).fold(asked_at, Timestamp::max)
}

/// Where a page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    /// How many results the pages before it held.
    skip: usize,
    /// When the first page was asked for, in whole milliseconds.
    began: Timestamp,
}

impl Cursor {
    fn write(self) -> String {
        format!("r{}-{:x}", self.skip, self.began.as_millisecond())
    }

    fn read(text: &str) -> Result<Self, Refusal> {
        let parts = text.trim().strip_prefix('r').and_then(|rest| rest.split_once('-'));
        let cursor = parts.and_then(|(skip, began)| {
            let began = Timestamp::from_millisecond(i64::from_str_radix(began, 16).ok()?).ok()?;
            Some(Self { skip: skip.parse().ok().filter(|skip| *skip <= SKIP_MAX)?, began })
        });
        cursor.ok_or_else(|| {
            Refusal::argument(
                "cursor",
                "not one that an earlier answer gave; leave it out for the first page",
            )
        })
    }
}
