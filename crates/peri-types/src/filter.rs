//! Which memories a question is about.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Circumstance, Kind, Layer, Memory};

/// Conditions that a memory must meet. An empty list or `None` asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Filter {
    /// One of these layers.
    pub layers: Vec<Layer>,
    /// One of these kinds.
    pub kinds: Vec<Kind>,
    /// All of these tags.
    pub tags: Vec<String>,
    /// Said or happened at this time or later.
    pub since: Option<Timestamp>,
    /// Said or happened before this time.
    pub until: Option<Timestamp>,
    /// Of one session.
    pub session: Option<String>,
    /// Said by this speaker.
    pub speaker: Option<String>,
    /// Pinned, or not pinned.
    pub pinned: Option<bool>,
    /// Under all of these circumstances, such as `spatial.place=office`.
    pub context: Vec<Circumstance>,
}

impl Filter {
    /// The first whole millisecond that `since` lets through: stores and indexes keep whole milliseconds.
    pub fn since_millis(&self) -> Option<i64> {
        self.since.map(first_millis)
    }

    /// The first whole millisecond that `until` does not let through.
    pub fn until_millis(&self) -> Option<i64> {
        self.until.map(first_millis)
    }

    /// Whether the filter lets every memory through.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a memory meets every condition. Stores and indexes answer the same question their own way;
    /// this is the definition they are tested against.
    pub fn matches(&self, memory: &Memory) -> bool {
        let facets = &memory.facets;
        (self.layers.is_empty() || self.layers.contains(&memory.layer))
            && (self.kinds.is_empty() || self.kinds.contains(&memory.kind))
            && self.tags.iter().all(|tag| facets.tags.contains(tag))
            && self.since.is_none_or(|since| memory.at() >= since)
            && self.until.is_none_or(|until| memory.at() < until)
            && (self.session.is_none() || self.session == facets.session)
            && (self.speaker.is_none() || self.speaker == facets.speaker)
            && self.pinned.is_none_or(|pinned| pinned == facets.pinned)
            && self
                .context
                .iter()
                .all(|asked| facets.context.aspect(asked.aspect).get(&asked.name) == Some(&asked.value))
    }
}

/// The first whole millisecond at or after a time. A whole one lies before the time exactly if it lies before
/// this.
fn first_millis(time: Timestamp) -> i64 {
    // What lies before 1970 was cut off towards it, and so is rounded up already.
    time.as_millisecond() + i64::from(time.subsec_nanosecond() % 1_000_000 > 0)
}
