//! The handing over of notes: each is given once.

use std::collections::{BTreeMap, BTreeSet};

use peri_types::{Namespace, Timestamp};

use super::{Notes, Plan};
use crate::item::{Item, ItemId};
use crate::record::{Listed, RecordMeta, from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key, Text};
use crate::{NotesError, Record, Session};

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

impl Notes {
    /// The notes of a session that its agent was not given yet. They count as given from now on.
    pub fn take_new(&self, namespace: &Namespace, session: &Session) -> Result<Vec<Item>, NotesError> {
        let key = Key::new(Collection::NewItems, session);
        self.commit(namespace, session.as_str(), || {
            // What people wrote is put on the list first. The notes are read after the list, so that none is missing.
            self.record(namespace, session)?;
            let text = self.shelf.read(namespace, &key)?;
            let (Some(text), Some(record)) = (text, self.record(namespace, session)?) else {
                return Ok(Plan::nothing(Vec::new()));
            };
            let new: Option<Listed> = from_json("list of new notes", session.as_str(), Some(&text))?;
            let new = new.unwrap_or_default().items;
            Ok(Plan {
                changes: vec![Change::Remove { key: key.clone() }],
                expected: vec![(key.clone(), Expected::Version(text.version))],
                answer: chosen(&record, |id| new.contains(&id)),
            })
        })
    }

    /// The notes of the session that was observed last, other than one, that no session was given yet. They count as
    /// given from now on, so that of several who ask at once only one gets them. Nothing of other namespaces is seen.
    pub fn take_undelivered(
        &self,
        namespace: &Namespace,
        except: &Session,
    ) -> Result<Option<Handover>, NotesError> {
        self.commit(namespace, except.as_str(), || {
            let delivered: BTreeMap<Session, Text> =
                self.by_session(namespace, Collection::Delivered)?.collect();
            for meta in self.last_observed_first(namespace)? {
                let text = delivered.get(&meta.session);
                let Some(given) = given(&meta.session, text) else { continue };
                if meta.session == *except || meta.details.ids().all(|id| given.contains(&id)) {
                    continue;
                }
                if let Some(plan) = self.handing_over(namespace, &meta.session, text, &given)? {
                    return Ok(plan);
                }
            }
            Ok(Plan::nothing(None))
        })
    }

    /// What hands over the notes of a session that were not given; none if there are none.
    fn handing_over(
        &self,
        namespace: &Namespace,
        session: &Session,
        delivered: Option<&Text>,
        given: &BTreeSet<ItemId>,
    ) -> Result<Option<Plan<Option<Handover>>>, NotesError> {
        let Some(record) = self.record(namespace, session)? else { return Ok(None) };
        let items = chosen(&record, |id| !given.contains(&id));
        if items.is_empty() {
            return Ok(None);
        }
        let key = Key::new(Collection::Delivered, session);
        let all = Listed { items: given.iter().copied().chain(items.iter().map(|item| item.id)).collect() };
        Ok(Some(Plan {
            changes: vec![Change::Put { key: key.clone(), text: to_json(&all) }],
            expected: vec![(key, Expected::unchanged(delivered))],
            answer: Some(Handover { session: session.clone(), observed_at: record.observed_at, items }),
        }))
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

    fn by_session(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<impl Iterator<Item = (Session, Text)>, NotesError> {
        let documents = self.shelf.documents(namespace, collection)?;
        Ok(documents.into_iter().map(|(key, text)| (key.session().clone(), text)))
    }
}

/// The notes of a session that were handed over; none if the list of them cannot be read, so that none is given twice.
fn given(session: &Session, delivered: Option<&Text>) -> Option<BTreeSet<ItemId>> {
    match from_json::<Listed>("list of notes that were handed over", session.as_str(), delivered) {
        Ok(listed) => Some(listed.unwrap_or_default().items),
        Err(error) => {
            tracing::warn!(%error, "the notes of a session cannot be handed over");
            None
        }
    }
}

fn chosen(record: &Record, is_chosen: impl Fn(ItemId) -> bool) -> Vec<Item> {
    record.sheet.items().filter(|item| is_chosen(item.id)).cloned().collect()
}
