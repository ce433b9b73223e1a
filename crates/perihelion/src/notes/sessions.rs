//! Notes as people look at them: which sessions there are, what was noted in one, and how it went.

use std::collections::BTreeMap;

use peri_notes::{Item, Place, Progress};
use peri_store::JournalQuery;
use peri_types::{EntryId, JournalEntry, Namespace, Priority, Scope, Timestamp};
use serde::Serialize;

use super::context::origin;
use crate::Error;
use crate::engine::Perihelion;

/// A session that notes were made of, or will be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionOverview {
    /// Its name.
    pub session: String,
    /// Whose it is, if somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// When the first note was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// When it was last observed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// How often it was observed.
    pub observations: u64,
    /// How many notes it has...
    pub notes: usize,
    /// ...with how many tokens.
    pub tokens: usize,
    /// How many messages wait to be observed.
    pub pending: usize,
    /// How many could not be observed, however often it was tried. They are kept.
    pub aside: usize,
    /// What went wrong and is tried again, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<String>,
}

/// The notes of a session, or the durable ones of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotesView {
    /// Of which session; none for the durable ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// When they were last changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_at: Option<Timestamp>,
    /// How many tokens they have.
    pub tokens: usize,
    /// The notes, in their order.
    pub notes: Vec<NoteView>,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoteView {
    /// Its id.
    pub id: String,
    /// How much it matters.
    pub priority: Priority,
    /// Whether what it asks for is done.
    pub done: bool,
    /// What it says.
    pub text: String,
    /// What kind of thing it is, in a word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The day it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub date: Option<jiff::civil::Date>,
    /// When it was made.
    pub made_at: Timestamp,
    /// Who made it.
    pub source: String,
    /// What it was made from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
}

/// Something that was said in a session, and what was noted of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spoken {
    /// What was said.
    pub entry: JournalEntry,
    /// The notes that were made of it.
    pub notes: Vec<NoteView>,
}

impl Perihelion {
    /// The sessions of a namespace that have notes or wait for them, the one observed last first.
    pub fn note_sessions(&self, namespace: &Namespace) -> Result<Vec<SessionOverview>, Error> {
        let notes = self.core.notes()?;
        let mut all = Vec::new();
        for own in notes.overview(namespace)? {
            let troubles = match own.troubles {
                0 => BTreeMap::new(),
                _ => notes.troubles(namespace, Place::Session(&own.session))?,
            };
            all.push(SessionOverview {
                session: own.session.to_string(),
                user: own.user,
                created_at: own.created_at,
                observed_at: own.observed_at,
                observations: own.observations,
                notes: own.notes,
                tokens: own.tokens,
                pending: own.pending,
                aside: own.aside,
                troubles: troubles.into_iter().map(|(step, own)| format!("{step}: {}", own.error)).collect(),
            });
        }
        all.sort_by(|a, b| b.observed_at.cmp(&a.observed_at).then_with(|| a.session.cmp(&b.session)));
        Ok(all)
    }

    /// The namespaces of a scope that have notes, or something that will become some.
    pub fn note_namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, Error> {
        let mut all = self.core.notes()?.namespaces()?;
        all.retain(|namespace| scope.contains(namespace));
        Ok(all)
    }

    /// The notes of a session; none if there are none.
    pub fn session_notes(&self, namespace: &Namespace, session: &str) -> Result<Option<NotesView>, Error> {
        let session = self.core.session_named(session)?;
        let record = self.core.notes()?.record(namespace, &session)?;
        Ok(record.map(|record| NotesView {
            session: Some(session.to_string()),
            changed_at: Some(record.observed_at),
            tokens: record.tokens,
            notes: record.sheet.items().map(NoteView::of).collect(),
        }))
    }

    /// The durable notes of a namespace.
    pub fn durable_notes(&self, namespace: &Namespace) -> Result<NotesView, Error> {
        let digest = self.core.notes()?.digest(namespace)?;
        Ok(NotesView {
            session: None,
            changed_at: digest.saved_at,
            tokens: digest.tokens,
            notes: digest.sheet.items().map(NoteView::of).collect(),
        })
    }

    /// What was said in a session, in order, each with what was noted of it. At most so many of the latest.
    pub fn replay_session(
        &self,
        namespace: &Namespace,
        session: &str,
        limit: usize,
    ) -> Result<Vec<Spoken>, Error> {
        let items: Vec<Item> =
            match self.core.notes()?.record(namespace, &self.core.session_named(session)?)? {
                Some(record) => record.sheet.items().cloned().collect(),
                None => Vec::new(),
            };
        let query = JournalQuery {
            scope: Scope::Exact(namespace.clone()),
            session: Some(session.to_owned()),
            limit,
            ..JournalQuery::default()
        };
        let mut entries = self.journal(&query)?.entries;
        entries.sort_by_key(JournalEntry::position);
        let made_of = |id: EntryId| {
            let cites = |item: &&Item| item.origins.contains(&peri_notes::Origin::Entry(id));
            items.iter().filter(cites).map(NoteView::of).collect()
        };
        Ok(entries.into_iter().map(|entry| Spoken { notes: made_of(entry.id), entry }).collect())
    }

    /// Destroys the notes of a session and what waits to become some. The memories that were made of them stay.
    pub fn forget_notes(&self, namespace: &Namespace, session: &str) -> Result<(), Error> {
        let session = self.core.session_named(session)?;
        Ok(self.core.notes()?.forget(namespace, &session)?)
    }
}

impl NoteView {
    pub(crate) fn of(item: &Item) -> Self {
        Self {
            id: item.id.to_string(),
            priority: item.priority,
            done: item.progress == Progress::Done,
            text: item.text.clone(),
            kind: item.kind.clone(),
            date: item.date,
            made_at: item.made_at,
            source: serde_json::to_value(item.source)
                .ok()
                .and_then(|name| name.as_str().map(ToOwned::to_owned))
                .unwrap_or_default(),
            origins: item.origins.iter().map(origin).collect(),
        }
    }
}
