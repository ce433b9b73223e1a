//! `session_start` and `session_end`: the frame of a conversation.

use perihelion::{Error, MemoryId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;

pub(crate) const START_WHEN: &str =
    "Begin a conversation, once, at its start. Pass the returned `session` to the other tools.";
pub(crate) const END_WHEN: &str = "End a conversation: what it was about is summed up and kept.";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Start {
    /// Made up when left out
    #[schemars(length(min = 1, max = 256))]
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Started {
    session: String,
    #[schemars(with = "String")]
    started_at: Timestamp,
    /// Only if it waits until the store can be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Queued,
}

pub(crate) fn start(desk: &Desk<'_>, asked: Start) -> Result<Started, Refusal> {
    let name = asked.session.unwrap_or_else(|| {
        let now = desk.engine.options().clock.now();
        format!("session-{}", MemoryId::generate(now))
    });
    match desk.engine.start_session(desk.namespace()?, &name) {
        Ok(session) => Ok(Started { session: session.name, started_at: session.started_at, outcome: None }),
        // Whoever had its name made up could not end it otherwise.
        Err(Error::Queued) => {
            let started_at = desk.engine.options().clock.now();
            Ok(Started { session: name, started_at, outcome: Some(Outcome::Queued) })
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    session: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Ended {
    session: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    ended_at: Option<Timestamp>,
    /// The memory that sums it up, if there was something to sum up.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<MemoryId>,
}

pub(crate) fn end(desk: &Desk<'_>, asked: End) -> Result<Ended, Refusal> {
    let session = desk.engine.end_session(desk.namespace()?, &asked.session)?;
    Ok(Ended { session: session.name, ended_at: session.ended_at, summary: session.summary })
}
