//! `session_start` and `session_end`: the frame of a conversation.

use perihelion::{MemoryId, Timestamp};
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
}

pub(crate) fn start(desk: &Desk<'_>, asked: Start) -> Result<Started, Refusal> {
    let name = asked.session.unwrap_or_else(|| {
        let now = desk.engine.options().clock.now();
        format!("session-{}", MemoryId::generate(now))
    });
    let session = desk.engine.start_session(desk.namespace()?, &name)?;
    Ok(Started { session: session.name, started_at: session.started_at })
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
