//! Append: writing down what happened. A receipt means that it is durable: in the store, or flushed into the queue. What
//! is neither is refused as [`Error::NotKept`].

use peri_store::Write;
use peri_types::{
    EntryId, JournalDirection, JournalEntry, JournalStatus, MemoryId, Namespace, Timestamp, TurnId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ring::{Place, keys};
use crate::deadlines::Awaited;
use crate::engine::{Core, Perihelion};
use crate::redact::{redact_fields, redact_text, redact_value};
use crate::{Claim, Error, RedactedSecret, Redaction};

/// What an entry is called whose kind nobody gives.
const USUAL_KIND: &str = "message";

/// What to write down. All of it may be left out, but an entry should say something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct NewEntry {
    /// Where it belongs.
    pub namespace: Namespace,
    /// The conversation it belongs to.
    pub session: Option<String>,
    /// Who said or did it.
    pub actor: Option<String>,
    /// What sort of thing it is; a `message` unless said otherwise.
    pub kind: Option<String>,
    /// Whether it came to the agent or from it.
    pub direction: Option<JournalDirection>,
    /// How it went.
    pub status: Option<JournalStatus>,
    /// The turn it is part of.
    pub turn: Option<TurnId>,
    /// When it happened; now unless said otherwise.
    pub at: Option<Timestamp>,
    /// What was said.
    pub text: String,
    /// The whole of what was observed, as it came.
    pub body: Option<Value>,
    /// What the gate decided, such as its action, scene, score and reasons.
    pub gate: Option<Value>,
    /// Whether its text is remembered too, as an episode.
    pub remember: bool,
    /// Anything else.
    pub metadata: Map<String, Value>,
    /// Its id, where it has one already. Appending the same id again changes nothing.
    pub id: Option<EntryId>,
}

impl NewEntry {
    /// Something that was said.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same in another namespace.
    pub fn in_namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = namespace;
        self
    }

    /// The same, said by somebody in a session.
    pub fn said(mut self, session: impl Into<String>, actor: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self.actor = Some(actor.into());
        self
    }

    /// The same, and its text remembered too.
    pub fn remembered(mut self) -> Self {
        self.remember = true;
        self
    }
}

/// What became of something that was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// It is in the store.
    Stored,
    /// It is on this machine's disk and goes to the store by itself.
    Queued,
}

/// What became of an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Appended {
    /// The entry.
    pub id: EntryId,
    /// Where it is.
    pub namespace: Namespace,
    /// What became of it.
    pub state: Kept,
    /// The memory of its text, if that is remembered too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    /// Secrets that were taken out before anything was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<RedactedSecret>,
}

impl Perihelion {
    /// Writes down what happened. When it returns, the entry is in the store or flushed into the queue. If neither takes
    /// it, nothing is kept and the answer is [`Error::NotKept`]: the caller has to send it again.
    pub fn append(&self, new: NewEntry) -> Result<Appended, Error> {
        let mut appended = self.append_all(vec![new])?;
        appended.pop().ok_or(Error::Store(peri_store::StoreError::Closed))
    }

    /// Writes down several things, together. If one is malformed or too large, or if they cannot be kept, none is.
    pub fn append_all(&self, new: Vec<NewEntry>) -> Result<Vec<Appended>, Error> {
        self.core.awaited(Awaited::Receipt, || self.core.append_all(None, new))
    }

    /// The same, once for a request: whoever makes it again gets the first receipts.
    ///
    /// # Errors
    /// Also [`Error::MadeBefore`], if another process made it meanwhile.
    pub fn append_all_once(&self, claim: Option<&Claim>, new: Vec<NewEntry>) -> Result<Vec<Appended>, Error> {
        self.core.awaited(Awaited::Receipt, || self.core.append_all(claim, new))
    }
}

impl Core {
    /// Writes down several things, together.
    pub(crate) fn append_all(
        &self,
        claim: Option<&Claim>,
        new: Vec<NewEntry>,
    ) -> Result<Vec<Appended>, Error> {
        new.iter().try_for_each(|entry| self.check_new_entry(entry))?;
        if let Some(made) = Claim::made(claim)? {
            return Ok(made);
        }
        let now = self.now();
        let (entries, redacted): (Vec<_>, Vec<_>) =
            new.into_iter().map(|entry| self.entry_of(entry, now)).unzip();
        let receipt = |(entry, redacted): (&JournalEntry, _)| Appended {
            id: entry.id,
            state: Kept::Stored,
            memory: entry.remember.then(|| entry.id.memory()),
            namespace: entry.namespace.clone(),
            redacted,
        };
        let mut receipts: Vec<Appended> = entries.iter().zip(redacted).map(receipt).collect();
        let claim = self.claiming(claim, &receipts)?;
        let state = self.keep_entries(&entries, claim)?;
        receipts.iter_mut().for_each(|receipt| receipt.state = state);
        Ok(receipts)
    }

    /// The entry that a request asks for, with secrets taken out.
    fn entry_of(&self, new: NewEntry, now: Timestamp) -> (JournalEntry, Vec<RedactedSecret>) {
        // Of an entry without words there is nothing to remember.
        let remember = new.remember && !new.text.trim().is_empty();
        let mut entry = JournalEntry {
            id: new.id.unwrap_or_else(|| EntryId::generate(now)),
            namespace: new.namespace,
            at: new.at.map_or(now, whole_millis),
            created_at: now,
            session: new.session,
            actor: new.actor,
            kind: new.kind.unwrap_or_else(|| USUAL_KIND.to_owned()),
            direction: new.direction,
            status: new.status,
            turn: new.turn,
            text: new.text,
            body: new.body.filter(|body| !body.is_null()),
            gate: new.gate.filter(|gate| !gate.is_null()),
            remember,
            metadata: new.metadata,
        };
        let mut found = Vec::new();
        if self.options.redaction == Redaction::On {
            redact_entry(&mut entry, &mut found);
        }
        (entry, found)
    }

    /// Shows entries to readers while they are written, and takes them back if they cannot be kept.
    fn keep_entries(&self, entries: &[JournalEntry], claim: Option<Write>) -> Result<Kept, Error> {
        self.journal.ring.lock().begin(entries);
        match self.write_entries(entries, claim) {
            Ok(Written::All(place)) => {
                self.journal.ring.lock().settle(keys(entries), place);
                self.nudge();
                Ok(if place == Place::Queued { Kept::Queued } else { Kept::Stored })
            }
            Ok(Written::SomeKnown) => {
                // The store has them as they were written first, which is what readers should see.
                self.journal.ring.lock().remove(keys(entries));
                Ok(Kept::Stored)
            }
            Err(error) => {
                self.journal.ring.lock().take_back(keys(entries));
                Err(error.or_not_kept())
            }
        }
    }
}

/// What a write of entries came to.
pub(super) enum Written {
    /// All of them are there.
    All(Place),
    /// Some were in the store before, perhaps with another content.
    SomeKnown,
}

/// A time as the store keeps it.
pub(super) fn whole_millis(time: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(time.as_millisecond()).unwrap_or(time)
}

/// Takes the secrets out of an entry.
pub(crate) fn redact_entry(entry: &mut JournalEntry, found: &mut Vec<RedactedSecret>) {
    redact_text(&mut entry.text, found);
    redact_text(&mut entry.kind, found);
    [&mut entry.session, &mut entry.actor].into_iter().flatten().for_each(|label| redact_text(label, found));
    [&mut entry.body, &mut entry.gate].into_iter().flatten().for_each(|value| redact_value(value, found));
    redact_fields(&mut entry.metadata, found);
}
