//! What the sample's story is told in: one line of a file a deed.

use peri_types::{EdgeType, Importance, JournalDirection, JournalStatus, Kind, TaskOutcome, TrajectoryStep};
use serde::Deserialize;
use serde_json::Value;

use crate::{Remember, SaidBy};

/// A line of a file: when something was done, and what. Times are those of the engine's time zone, days are counted
/// back from today; the story ends yesterday, so that all of it is past.
#[derive(Debug, Deserialize)]
pub(super) struct Line {
    pub(super) day: u16,
    pub(super) time: String,
    #[serde(flatten)]
    pub(super) deed: Deed,
}

/// Something that somebody or the engine did.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Deed {
    Remember(Box<Told>),
    Append(Happened),
    Session { session: String },
    Talk(Talk),
    End { session: String },
    Turn(Worked),
    Hold(Held),
    Ask(Asked),
    Feedback(Judged),
    Link(Drawn),
    Revise(Revised),
    Forget { name: String },
    Task(Tried),
    Distil,
}

/// A statement, by a name under which other lines speak of it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Told {
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(flatten)]
    pub(super) request: Remember,
}

/// An entry of the journal.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Happened {
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) session: Option<String>,
    pub(super) actor: String,
    #[serde(default)]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) direction: Option<JournalDirection>,
    #[serde(default)]
    pub(super) status: Option<JournalStatus>,
    pub(super) text: String,
    #[serde(default)]
    pub(super) remember: bool,
}

/// What was said in a conversation, a minute apart, after the agent was given something from memory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Talk {
    pub(super) session: String,
    pub(super) user: String,
    #[serde(default)]
    pub(super) given: Vec<String>,
    pub(super) said: Vec<(SaidBy, String)>,
}

/// A turn of the agent with the tools that it called.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Worked {
    pub(super) session: String,
    pub(super) agent: String,
    pub(super) asked: String,
    pub(super) plan: String,
    pub(super) calls: Vec<Value>,
    pub(super) results: Vec<Value>,
    pub(super) answer: String,
    pub(super) status: JournalStatus,
    #[serde(default)]
    pub(super) error: Option<String>,
    pub(super) minutes: u16,
}

/// What working memory holds for some days.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Held {
    pub(super) session: String,
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) kind: Kind,
    pub(super) days: u16,
}

/// A question, asked again every so many days until a day.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    pub(super) query: String,
    #[serde(default)]
    pub(super) session: Option<String>,
    /// How many times in a row.
    #[serde(default = "once")]
    pub(super) times: u16,
    #[serde(default)]
    pub(super) every: Option<u16>,
    #[serde(default)]
    pub(super) until: u16,
}

fn once() -> u16 {
    1
}

/// Which results were of use.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Judged {
    pub(super) query: String,
    pub(super) used: Vec<String>,
    #[serde(default)]
    pub(super) unused: Vec<String>,
}

/// An edge drawn by hand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drawn {
    pub(super) source: String,
    #[serde(rename = "type")]
    pub(super) edge_type: EdgeType,
    pub(super) target: String,
    pub(super) weight: f32,
}

/// A memory put otherwise.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Revised {
    pub(super) name: String,
    #[serde(default)]
    pub(super) content: Option<String>,
    #[serde(default)]
    pub(super) importance: Option<Importance>,
}

/// A task and how it went.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tried {
    pub(super) task: String,
    pub(super) agent: String,
    #[serde(default)]
    pub(super) domain: Option<String>,
    pub(super) outcome: TaskOutcome,
    pub(super) steps: Vec<TrajectoryStep>,
    #[serde(default)]
    pub(super) minutes: u16,
}
