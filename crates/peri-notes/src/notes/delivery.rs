//! The notes of one session that are given to another: each once.

use std::collections::{BTreeMap, BTreeSet};

use peri_types::{Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use super::{LoanId, Notes, Plan};
use crate::item::{Item, ItemId};
use crate::record::{RecordMeta, from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key, Text};
use crate::{NotesError, Session};

/// Notes of one session that are given to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The session they are of.
    pub session: Session,
    /// When it was last observed.
    pub observed_at: Timestamp,
    /// The notes that were not handed over before.
    pub items: Vec<Item>,
}

/// The document of a session about which of its notes were handed over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Delivered {
    /// Those that were.
    pub(super) items: BTreeSet<ItemId>,
    /// Those that are lent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) lent: Vec<Lent>,
}

/// Notes that are lent to another session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lent {
    pub(super) to: Session,
    pub(super) loan: LoanId,
    pub(super) until: Timestamp,
    pub(super) items: BTreeSet<ItemId>,
}

/// What was handed over of each session, and what is to be changed about it.
pub(super) struct Deliveries {
    sessions: BTreeMap<Session, One>,
}

/// What was handed over of one session; none if that cannot be read, so that nothing is given twice.
struct One {
    text: Option<Text>,
    delivered: Option<Delivered>,
}

impl Deliveries {
    pub(super) fn read(texts: BTreeMap<Session, Text>) -> Self {
        let one = |(session, text): (Session, Text)| {
            let delivered = match delivered(&session, Some(&text)) {
                Ok(delivered) => Some(delivered),
                Err(error) => {
                    tracing::warn!(%error, "the notes of a session cannot be handed over");
                    None
                }
            };
            (session, One { text: Some(text), delivered })
        };
        Self { sessions: texts.into_iter().map(one).collect() }
    }

    /// Takes back what is lent to a session.
    pub(super) fn take_back(&mut self, session: &Session) {
        for delivered in self.sessions.values_mut().filter_map(|one| one.delivered.as_mut()) {
            delivered.lent.retain(|lent| lent.to != *session);
        }
    }

    fn of(&mut self, session: &Session) -> Option<&mut Delivered> {
        let empty = || One { text: None, delivered: Some(Delivered::default()) };
        self.sessions.entry(session.clone()).or_insert_with(empty).delivered.as_mut()
    }

    /// Adds to a plan what keeps everything that was changed.
    pub(super) fn keep<T>(self, plan: &mut Plan<T>) {
        for (session, One { text, delivered }) in self.sessions {
            let Some(delivered) = delivered else { continue };
            if text.is_none() && delivered == Delivered::default() {
                continue;
            }
            plan.keep_delivered(&session, text.as_ref(), &delivered);
        }
    }
}

impl Delivered {
    /// The notes that others are not to be lent now.
    fn taken(&self, now: Timestamp) -> BTreeSet<ItemId> {
        let held = self.lent.iter().filter(|lent| lent.until > now).flat_map(|lent| &lent.items);
        self.items.iter().chain(held).copied().collect()
    }
}

impl Notes {
    /// Lends the notes of the session that was observed last, other than the borrower, that no session was given and
    /// none is lent. Nothing of other namespaces is seen.
    pub(super) fn lend_handover(
        &self,
        namespace: &Namespace,
        (to, loan, until): (&Session, &LoanId, Timestamp),
        deliveries: &mut Deliveries,
    ) -> Result<Option<Handover>, NotesError> {
        let now = self.clock.now();
        for meta in self.last_observed_first(namespace)? {
            let Some(delivered) = deliveries.of(&meta.session) else { continue };
            let taken = delivered.taken(now);
            if meta.session == *to || meta.details.ids().all(|id| taken.contains(&id)) {
                continue;
            }
            let Some(record) = self.record(namespace, &meta.session)? else { continue };
            let items: Vec<Item> =
                record.sheet.items().filter(|item| !taken.contains(&item.id)).cloned().collect();
            if items.is_empty() {
                continue;
            }
            let ids: BTreeSet<ItemId> = items.iter().map(|item| item.id).collect();
            // Whatever lease is over for any of these is over: whoever held it comes too late.
            delivered.lent.retain(|lent| lent.items.is_disjoint(&ids));
            delivered.lent.push(Lent { to: to.clone(), loan: loan.clone(), until, items: ids });
            return Ok(Some(Handover { session: meta.session, observed_at: record.observed_at, items }));
        }
        Ok(None)
    }

    /// What is known of the sessions of a namespace, the one that was observed last first. One whose details cannot be
    /// read does not keep the others from being handed over.
    fn last_observed_first(&self, namespace: &Namespace) -> Result<Vec<RecordMeta>, NotesError> {
        let mut metas = Vec::new();
        for (session, text) in self.by_session(namespace, Collection::Meta)? {
            match from_json::<RecordMeta>("details of the notes", session.as_str(), Some(&text)) {
                Ok(meta) => metas.extend(meta.filter(|meta| meta.session == session)),
                Err(error) => tracing::warn!(%error, "the notes of a session cannot be handed over"),
            }
        }
        metas.sort_by(|one, other| {
            other.observed_at.cmp(&one.observed_at).then_with(|| one.session.cmp(&other.session))
        });
        Ok(metas)
    }

    /// Every document of a collection, by session.
    pub(super) fn by_session(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<impl Iterator<Item = (Session, Text)>, NotesError> {
        let documents = self.shelf.documents(namespace, collection)?;
        Ok(documents.into_iter().map(|(key, text)| (key.session().clone(), text)))
    }
}

impl<T> Plan<T> {
    /// Keeps which notes of a session were handed over, in the place of what was read.
    pub(super) fn keep_delivered(&mut self, session: &Session, before: Option<&Text>, delivered: &Delivered) {
        let (key, text) = (Key::new(Collection::Delivered, session), to_json(delivered));
        if before.is_some_and(|before| before.text == text) {
            return;
        }
        self.expected.push((key.clone(), Expected::unchanged(before)));
        self.changes.push(Change::Put { key, text });
    }
}

/// Which notes of a session were handed over.
pub(super) fn delivered(session: &Session, text: Option<&Text>) -> Result<Delivered, NotesError> {
    let delivered = from_json("list of notes that were handed over", session.as_str(), text)?;
    Ok(delivered.unwrap_or_default())
}
