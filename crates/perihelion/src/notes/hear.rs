//! Hear: what was said in a conversation is kept, and becomes notes when there is enough of it.

use peri_companion::{Event, Stepped, Turned, When};
use peri_notes::{Message, Session, Speaker};
use peri_types::{EntryId, JournalDirection, Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use super::TurnsKept;
use crate::engine::{Core, Perihelion};
use crate::journal::NewEntry;
use crate::queue::Intent;
use crate::redact::redact_text;
use crate::{Error, Redaction};

/// What was said in a conversation. A turn that is told again is kept once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Hear {
    /// Where it belongs.
    pub namespace: Namespace,
    /// The conversation.
    pub session: String,
    /// Whose conversation it is.
    pub user: Option<String>,
    /// What was said, in order.
    pub messages: Vec<Said>,
    /// What the agent was given from memory for it, which is not to be learned again.
    pub handed_out: Vec<String>,
}

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Said {
    /// Who said it.
    pub role: SaidBy,
    /// What was said.
    pub text: String,
    /// When; now unless said otherwise. Whoever tells a turn again gives the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SaidBy {
    /// The person.
    User,
    /// The agent.
    Assistant,
    /// Whoever instructs the agent.
    System,
    /// A tool. It is not observed.
    Tool,
}

/// When what was said becomes notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observe {
    /// Once there is enough of it.
    Due,
    /// At once, as at the end of a session.
    Now,
    /// Later, by whoever does the chores.
    Later,
}

/// What became of what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HeardReceipt {
    /// Where it is.
    pub namespace: Namespace,
    /// The conversation.
    pub session: String,
    /// What became of it.
    pub outcome: HeardOutcome,
    /// How many messages are kept that were not before.
    pub kept: usize,
    /// How many were kept before.
    pub repeated: usize,
    /// How many secrets were taken out.
    pub redacted: usize,
    /// What was done with the notes at once, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<serde_json::Value>"))]
    pub steps: Vec<Event>,
    /// Why nothing could be done with the notes at once. The messages wait, and are observed later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// What became of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HeardOutcome {
    /// It is kept with the notes.
    Kept,
    /// The store cannot be reached. It is kept on this machine and goes to the notes when it can be.
    Queued,
}

impl From<SaidBy> for Speaker {
    fn from(by: SaidBy) -> Self {
        match by {
            SaidBy::User => Self::User,
            SaidBy::Assistant => Self::Assistant,
            SaidBy::System => Self::System,
            SaidBy::Tool => Self::Tool,
        }
    }
}

impl Said {
    /// Something that somebody said at a time.
    pub fn new(role: SaidBy, text: impl Into<String>, at: Timestamp) -> Self {
        Self { role, text: text.into(), at: Some(at) }
    }
}

impl SaidBy {
    const fn actor(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Tool => "tool",
        }
    }

    const fn direction(self) -> JournalDirection {
        match self {
            Self::Assistant => JournalDirection::Outbound,
            Self::User | Self::System | Self::Tool => JournalDirection::Inbound,
        }
    }
}

impl Perihelion {
    /// Keeps what was said, durably, and makes notes of it when that is due. Only what is malformed is an error, and a
    /// place for notes that can neither be written nor waited for.
    pub fn hear(&self, heard: Hear, observe: Observe) -> Result<HeardReceipt, Error> {
        let core = &self.core;
        let session = core.session_named(&heard.session)?;
        let (heard, redacted) = core.fit(heard)?;
        let mut receipt = HeardReceipt {
            namespace: heard.namespace.clone(),
            session: heard.session.clone(),
            outcome: HeardOutcome::Kept,
            kept: 0,
            repeated: 0,
            redacted,
            steps: Vec::new(),
            trouble: None,
        };
        match core.keep_or_queue(&heard, &session) {
            Ok(turned) => (receipt.kept, receipt.repeated) = (turned.kept, turned.repeated),
            Err(Error::Queued) => {
                receipt.outcome = HeardOutcome::Queued;
                return Ok(receipt);
            }
            Err(error) => return Err(error),
        }
        let when = match observe {
            Observe::Due => When::Due,
            Observe::Now => When::Now,
            Observe::Later => {
                core.nudge_notes();
                return Ok(receipt);
            }
        };
        match self.step_session(&heard.namespace, &session, when) {
            Ok(Stepped { events, .. }) => receipt.steps = events,
            Err(error) => receipt.trouble = Some(crate::failures::with_causes(&error)),
        }
        Ok(receipt)
    }

    /// Keeps what waited for the store.
    pub(crate) fn make_heard(&self, heard: &Hear) -> Result<(), Error> {
        let session = self.core.session_named(&heard.session)?;
        self.core.keep_heard(heard, &session).map_err(super::as_store_error)?;
        self.core.nudge_notes();
        Ok(())
    }
}

impl Core {
    /// The name of a session, if it can be one everywhere.
    pub(crate) fn session_named(&self, name: &str) -> Result<Session, Error> {
        self.options.limits.check_label("session", name)?;
        name.parse().map_err(|error| Error::Notes(peri_notes::NotesError::Session(error)))
    }

    /// What was said as it is kept: with times, without secrets, and nothing longer than a journal takes.
    fn fit(&self, mut heard: Hear) -> Result<(Hear, usize), Error> {
        let limits = &self.options.limits;
        heard.user.as_deref().map_or(Ok(()), |user| limits.check_label("user", user))?;
        let now = self.now();
        let mut found = Vec::new();
        heard.messages.retain(|said| !said.text.trim().is_empty());
        for (place, said) in heard.messages.iter_mut().enumerate() {
            // What has no time of its own keeps its order.
            let later = jiff::SignedDuration::from_millis(i64::try_from(place).unwrap_or(0));
            let at = said.at.unwrap_or_else(|| now.saturating_add(later).unwrap_or(now));
            said.at = Some(Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at));
            said.text.retain(|c| c != '\0');
            if self.options.redaction == Redaction::On {
                redact_text(&mut said.text, &mut found);
            }
            shorten(&mut said.text, limits.content_bytes_max);
        }
        heard.handed_out.retain(|text| !text.trim().is_empty());
        for text in &mut heard.handed_out {
            text.retain(|c| c != '\0');
            shorten(text, limits.content_bytes_max);
        }
        Ok((heard, found.len()))
    }

    /// Keeps what was said; [`Error::Queued`] if it waits for the store.
    fn keep_or_queue(&self, heard: &Hear, session: &Session) -> Result<Turned, Error> {
        if !self.keeps_notes_in_store() {
            return self.keep_heard(heard, session);
        }
        let wanted = || Ok(Intent::Hear { heard: Box::new(heard.clone()) });
        self.perform(wanted, "hear", |_| self.keep_heard(heard, session).map_err(super::as_store_error))
    }

    /// Writes what was said to the journal and to the notes. Doing so again changes nothing.
    fn keep_heard(&self, heard: &Hear, session: &Session) -> Result<Turned, Error> {
        let companion = self.companion()?;
        let said: Vec<(&Said, EntryId)> =
            heard.messages.iter().map(|said| (said, entry_id(heard, said))).collect();
        let messages: Vec<Message> = said
            .iter()
            .map(|(said, id)| Message {
                role: said.role.into(),
                text: said.text.clone(),
                at: said.at.unwrap_or_else(|| self.now()),
                entry: (self.options.notes.turns != TurnsKept::Nowhere).then_some(*id),
            })
            .collect();
        // The notes first: whoever is told that it was kept finds it there, and telling it again repeats nothing.
        let turned = companion.keep(&heard.namespace, session, &messages, &heard.handed_out)?;
        self.journal_heard(heard, &said)?;
        Ok(turned)
    }

    fn journal_heard(&self, heard: &Hear, said: &[(&Said, EntryId)]) -> Result<(), Error> {
        let remember = match self.options.notes.turns {
            TurnsKept::Nowhere => return Ok(()),
            TurnsKept::Journal => false,
            TurnsKept::Episodes => true,
        };
        let entries: Vec<NewEntry> = said
            .iter()
            .map(|(said, id)| NewEntry {
                namespace: heard.namespace.clone(),
                session: Some(heard.session.clone()),
                actor: Some(said.role.actor().to_owned()),
                direction: Some(said.role.direction()),
                at: said.at,
                remember: remember && matches!(said.role, SaidBy::User | SaidBy::Assistant),
                id: Some(*id),
                ..NewEntry::new(&said.text)
            })
            .collect();
        if !entries.is_empty() {
            // Whoever is refused sends it again: the ids follow from what was said, so that each is there once.
            self.append_all(None, entries)?;
        }
        Ok(())
    }
}

/// The id of the journal entry of a message: it follows from the message, so that telling it again makes it once.
fn entry_id(heard: &Hear, said: &Said) -> EntryId {
    let at = said.at.unwrap_or(Timestamp::UNIX_EPOCH);
    let mut hasher = blake3::Hasher::new();
    for part in [heard.namespace.as_str(), &heard.session, said.role.actor(), &said.text] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.update(&at.as_millisecond().to_le_bytes());
    EntryId::from_bytes(super::identity(at, &hasher))
}

/// Cuts the middle out of a text that is too long.
fn shorten(text: &mut String, bytes_max: usize) {
    const MARK: &str = "\n[…]\n";
    if text.len() <= bytes_max {
        return;
    }
    let half = bytes_max.saturating_sub(MARK.len()) / 2;
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let head = (0..=half).rev().find(is_boundary).unwrap_or(0);
    let tail = (text.len() - half..=text.len()).find(is_boundary).unwrap_or(text.len());
    *text = format!("{}{MARK}{}", &text[..head], &text[tail..]);
}
