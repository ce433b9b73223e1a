//! `notes_hear`, `notes_get`: what is said in a session, and what was noted of it.

use perihelion::companion::Event;
use perihelion::{
    Hear, HeardOutcome, NoteView, NotesView, Observe, Said, SaidBy, SessionOverview, Timestamp,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::{bounds, when};

pub(crate) const HEAR_WHEN: &str = "Tell what was said in a turn, word by word: notes are made of it when there is \
enough, and what lasts becomes memories. Call it after a turn if nothing else listens. To keep one statement, use \
memory_store.";

pub(crate) const GET_WHEN: &str = "Read the notes of a session, or without one the durable notes that hold beyond \
sessions, and which sessions have notes.";

/// So many messages are taken in one call.
const MESSAGES_MAX: usize = 100;
/// So many sessions are listed.
const SESSIONS_MAX: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heard {
    #[schemars(length(min = 1, max = 256))]
    session: String,
    #[schemars(length(min = 1, max = 100))]
    messages: Vec<Message>,
    /// Whose session it is
    user: Option<String>,
    #[serde(default)]
    observe: ObserveWhen,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Message {
    role: SaidBy,
    text: String,
    /// A day or RFC 3339; now when left out
    at: Option<String>,
}

/// When notes are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ObserveWhen {
    /// When there is enough.
    #[default]
    Due,
    /// At once.
    Now,
    /// Later.
    Later,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Receipt {
    session: String,
    outcome: HeardOutcome,
    /// How many messages are kept that were not before.
    kept: usize,
    #[serde(skip_serializing_if = "is_zero")]
    repeated: usize,
    /// How many secrets were taken out.
    #[serde(skip_serializing_if = "is_zero")]
    redacted: usize,
    /// How many notes were made at once.
    #[serde(skip_serializing_if = "is_zero")]
    noted: usize,
    /// Why none were; they are made later.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

pub(crate) fn hear(desk: &Desk<'_>, asked: Heard) -> Result<Receipt, Refusal> {
    if asked.messages.is_empty() {
        return Err(Refusal::argument("messages", "say at least one"));
    }
    bounds::few("messages", &asked.messages, MESSAGES_MAX)?;
    let messages = asked.messages.into_iter().map(Message::said).collect::<Result<_, _>>()?;
    let heard = Hear {
        namespace: desk.namespace()?.clone(),
        session: asked.session,
        user: asked.user,
        messages,
        handed_out: Vec::new(),
    };
    let when = match asked.observe {
        ObserveWhen::Due => Observe::Due,
        ObserveWhen::Now => Observe::Now,
        ObserveWhen::Later => Observe::Later,
    };
    let receipt = desk.engine.hear(heard, when)?;
    let noted = receipt.steps.iter().map(|step| match step {
        Event::Observed { new, .. } => new.len(),
        _ => 0,
    });
    Ok(Receipt {
        noted: noted.sum(),
        session: receipt.session,
        outcome: receipt.outcome,
        kept: receipt.kept,
        repeated: receipt.repeated,
        redacted: receipt.redacted,
        trouble: receipt.trouble,
    })
}

impl Message {
    fn said(self) -> Result<Said, Refusal> {
        let at = when::optional("at", self.at.as_deref())?;
        Ok(Said { role: self.role, text: self.text, at })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    #[schemars(length(min = 1, max = 256))]
    session: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Noted {
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    changed_at: Option<Timestamp>,
    tokens: usize,
    notes: Vec<Note>,
    /// Those that have notes or wait for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sessions: Vec<SessionView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Note {
    id: String,
    priority: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    done: bool,
    text: String,
    /// The day it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    origins: Vec<String>,
}

impl From<NoteView> for Note {
    fn from(note: NoteView) -> Self {
        let NoteView { id, priority, done, text, date, origins, .. } = note;
        let priority = priority.as_str();
        Self { id, priority, done, text, date: date.map(|date| date.to_string()), origins }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct SessionView {
    session: String,
    notes: usize,
    /// How many messages wait to be observed.
    #[serde(skip_serializing_if = "is_zero")]
    pending: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    observed_at: Option<Timestamp>,
}

impl From<SessionOverview> for SessionView {
    fn from(own: SessionOverview) -> Self {
        let SessionOverview { session, notes, pending, observed_at, .. } = own;
        Self { session, notes, pending, observed_at }
    }
}

pub(crate) fn get(desk: &Desk<'_>, asked: Get) -> Result<Noted, Refusal> {
    let namespace = desk.namespace()?;
    let (view, sessions) = match &asked.session {
        Some(session) => (desk.engine.session_notes(namespace, session)?, Vec::new()),
        None => (Some(desk.engine.durable_notes(namespace)?), desk.engine.note_sessions(namespace)?),
    };
    let nothing = NotesView { session: asked.session, changed_at: None, tokens: 0, notes: Vec::new() };
    let NotesView { session, changed_at, tokens, notes } = view.unwrap_or(nothing);
    Ok(Noted {
        session,
        changed_at,
        tokens,
        notes: notes.into_iter().map(Note::from).collect(),
        sessions: sessions.into_iter().take(SESSIONS_MAX).map(SessionView::from).collect(),
    })
}
