//! `memory_feedback`: which results of a recall were of use.

use perihelion::{Feedback, FeedbackReceipt, MemoryId, Namespace, Scope};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::bounds;
use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const WHEN: &str = "After answering with what memory_recall gave: tell which results were of use and which \
were not, so that useful ones stay near.";

const RESULTS_MAX: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judgement {
    /// What was asked
    #[schemars(length(min = 1, max = 65_536))]
    query: String,
    /// Ids of results that were of use
    #[serde(default)]
    #[schemars(length(max = 100))]
    used: Vec<String>,
    /// Ids of results that were not
    #[serde(default)]
    #[schemars(length(max = 100))]
    unused: Vec<String>,
    session: Option<String>,
}

pub(crate) fn feedback(desk: &Desk<'_>, asked: Judgement) -> Result<FeedbackReceipt, Refusal> {
    desk.engine.options().limits.check_query(&asked.query)?;
    bounds::few("used", &asked.used, RESULTS_MAX)?;
    bounds::few("unused", &asked.unused, RESULTS_MAX)?;
    let used = desk.ids("used", &asked.used)?;
    let unused = desk.ids("unused", &asked.unused)?;
    if let Some(both) = used.iter().find(|id| unused.contains(id)) {
        return Err(Refusal::argument("unused", format!("{both} cannot have been of use and not")));
    }
    let scope = scope_of(desk, used.iter().chain(&unused))?;
    let request = Feedback { query: asked.query, used, unused, session: asked.session };
    Ok(desk.engine.feedback_within(&scope, &request)?)
}

/// The namespace that all results are of: what is learned from them holds there. If that cannot be told now, it is found
/// out where the call reaches, once it is made.
fn scope_of<'a>(desk: &Desk<'_>, results: impl Iterator<Item = &'a MemoryId>) -> Result<Scope, Refusal> {
    let mut found: Option<Namespace> = None;
    for id in results {
        let Some(memory) = desk.engine.look_before_change(desk.reach(), *id)? else {
            return Ok(desk.reach().clone());
        };
        let own = memory.namespace;
        match &found {
            Some(first) if *first != own => {
                let message =
                    format!("the results are of {first} and {own}; give feedback for each by itself");
                return Err(Refusal::new(message));
            }
            _ => found = Some(own),
        }
    }
    let named = found.map(Scope::Exact);
    named.ok_or_else(|| Refusal::new("name at least one result in `used` or `unused`"))
}
