//! The notes of a session and the digest of a namespace, as documents.

use std::collections::BTreeSet;

use peri_types::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::item::{ItemId, Owner};
use crate::sheet::{Details, Sheet};
use crate::{NotesError, Session, Text};

/// The notes of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Of which session.
    pub session: Session,
    /// The notes.
    pub sheet: Sheet,
    /// Whose session it is, if somebody said so.
    pub user: Option<String>,
    /// When the first note was made.
    pub created_at: Timestamp,
    /// When the session was last observed.
    pub observed_at: Timestamp,
    /// How often it was observed.
    pub observations: u64,
    /// How often its notes were condensed.
    pub reflections: u64,
    /// How many tokens its notes have.
    pub tokens: usize,
}

/// The durable, compacted notes of a namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// The notes.
    pub sheet: Sheet,
    /// When they were last changed; none if there are none yet.
    pub saved_at: Option<Timestamp>,
    /// When they were last condensed.
    pub compacted_at: Option<Timestamp>,
    /// How many tokens they have.
    pub tokens: usize,
}

/// What the second document of a session's notes holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordMeta {
    pub(crate) session: Session,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) observed_at: Timestamp,
    pub(crate) observations: u64,
    reflections: u64,
    pub(crate) tokens: usize,
    #[serde(flatten)]
    pub(crate) details: Details,
}

/// What the second document of a digest holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DigestMeta {
    saved_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compacted_at: Option<Timestamp>,
    pub(crate) tokens: usize,
    #[serde(flatten)]
    details: Details,
}

/// A list of notes, as the documents for handing over keep it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) items: BTreeSet<ItemId>,
}

impl Record {
    /// No notes yet.
    pub(crate) fn new(session: &Session, now: Timestamp) -> Self {
        Self {
            session: session.clone(),
            sheet: Sheet::new(Owner::Session),
            user: None,
            created_at: now,
            observed_at: now,
            observations: 0,
            reflections: 0,
            tokens: 0,
        }
    }

    /// What the two documents say; none if neither is there.
    pub(crate) fn read(
        session: &Session,
        markdown: Option<&Text>,
        meta: Option<&Text>,
        now: Timestamp,
    ) -> Result<Option<Self>, NotesError> {
        if markdown.is_none() && meta.is_none() {
            return Ok(None);
        }
        let meta: Option<RecordMeta> = from_json("details of the notes", session.as_str(), meta)?;
        let mut record = Self::new(session, now);
        let mut details = Details::default();
        if let Some(meta) = meta {
            details = meta.details;
            record.user = meta.user;
            (record.created_at, record.observed_at) = (meta.created_at, meta.observed_at);
            (record.observations, record.reflections) = (meta.observations, meta.reflections);
        }
        let text = markdown.map_or("", |text| &text.text);
        record.sheet = Sheet::read(Owner::Session, text, &details, now);
        Ok(Some(record))
    }

    pub(crate) fn meta(&self) -> String {
        to_json(&RecordMeta {
            session: self.session.clone(),
            user: self.user.clone(),
            created_at: self.created_at,
            observed_at: self.observed_at,
            observations: self.observations,
            reflections: self.reflections,
            tokens: self.tokens,
            details: self.sheet.details(),
        })
    }

    pub(crate) fn ids(&self) -> BTreeSet<ItemId> {
        self.sheet.items().map(|item| item.id).collect()
    }
}

impl Digest {
    /// What the two documents say; an empty digest if neither is there.
    pub(crate) fn read(
        markdown: Option<&Text>,
        meta: Option<&Text>,
        now: Timestamp,
    ) -> Result<Self, NotesError> {
        let meta: Option<DigestMeta> = from_json("details of the digest", "the namespace", meta)?;
        let (saved_at, compacted_at) =
            meta.as_ref().map_or((None, None), |meta| (Some(meta.saved_at), meta.compacted_at));
        let details = meta.map(|meta| meta.details).unwrap_or_default();
        let text = markdown.map_or("", |text| &text.text);
        let sheet = Sheet::read(Owner::Digest, text, &details, now);
        Ok(Self { sheet, saved_at, compacted_at, tokens: 0 })
    }

    pub(crate) fn meta(&self, now: Timestamp) -> String {
        to_json(&DigestMeta {
            saved_at: self.saved_at.unwrap_or(now),
            compacted_at: self.compacted_at,
            tokens: self.tokens,
            details: self.sheet.details(),
        })
    }
}

/// What a JSON document says; none if it is not there.
pub(crate) fn from_json<T: DeserializeOwned>(
    what: &'static str,
    name: &str,
    text: Option<&Text>,
) -> Result<Option<T>, NotesError> {
    let Some(text) = text else { return Ok(None) };
    let refused = |error: serde_json::Error| NotesError::Unreadable {
        what,
        name: name.to_owned(),
        detail: error.to_string(),
    };
    serde_json::from_str(&text.text).map(Some).map_err(refused)
}

/// A document in JSON that people can read.
pub(crate) fn to_json<T: Serialize>(value: &T) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("plain values with text as keys become JSON");
    text.push('\n');
    text
}
