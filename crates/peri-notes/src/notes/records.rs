//! The notes of sessions.

use std::collections::BTreeSet;

use peri_types::{Namespace, Timestamp};

use super::logs::written;
use super::{Batch, Notes, Place, Plan};
use crate::item::{Draft, Item, ItemId, Owner, tidied};
use crate::record::{Listed, Record, from_json, to_json};
use crate::sheet::Sheet;
use crate::shelf::{Change, Collection, Expected, Key, Mark, Shape, Text};
use crate::{Candidate, Dropped, Message, NotesError, Replaced, Session};

/// Who revised notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reviser {
    /// Whoever watches the conversation.
    #[default]
    Observer,
    /// Whoever condenses the notes.
    Reflector,
}

/// What an observer or a reflector made of a session's notes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Revision {
    /// Who made it.
    pub by: Reviser,
    /// The notes it was made from, as they were then.
    pub base: Vec<Item>,
    /// The notes as they shall be: those that keep their id are revised or left, those without are new, those that are
    /// missing go. If there are none, all stay.
    pub drafts: Vec<Draft>,
    /// What is proposed for the digest.
    pub candidates: Vec<Candidate>,
    /// The pending messages that were observed, which are cleared with it.
    pub observed: Option<Mark>,
    /// What the memories have to be told is no longer so.
    pub replaced: Vec<Replaced>,
    /// How often the notes had been condensed when they were read. If they were since, nothing is done.
    pub reflections: Option<u64>,
    /// The step that went well again if it was in trouble; see [`Notes::troubles`].
    pub step: Option<&'static str>,
}

/// What became of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revised {
    /// It is saved, together with the notes that people changed meanwhile.
    Saved(Box<Record>),
    /// Somebody else has observed the same messages. Nothing was done.
    AlreadyObserved,
    /// Somebody else has condensed the notes. Nothing was done.
    AlreadyCondensed,
}

/// The documents of a session's notes as they were read.
struct Documents {
    markdown: Option<Text>,
    meta: Option<Text>,
    new: Option<Text>,
}

impl Notes {
    /// The sessions of a namespace that have notes, sorted.
    pub fn sessions(&self, namespace: &Namespace) -> Result<Vec<Session>, NotesError> {
        let mut found = BTreeSet::new();
        for collection in [Collection::Meta, Collection::Observations] {
            found.extend(self.shelf.list(namespace, collection)?.iter().map(|key| key.session().clone()));
        }
        Ok(found.into_iter().collect())
    }

    /// The notes of a session; none if there are none yet. Notes that a person wrote with an editor get their ids.
    pub fn record(&self, namespace: &Namespace, session: &Session) -> Result<Option<Record>, NotesError> {
        self.commit(namespace, session.as_str(), || {
            let documents = self.documents_of(namespace, session)?;
            let Some(record) = self.read(session, &documents)? else { return Ok(Plan::nothing(None)) };
            let known = known(session, &documents)?;
            if record.ids().is_subset(&known) {
                return Ok(Plan::nothing(Some(record)));
            }
            let plan = self.saving(session, &documents, record)?;
            Ok(Plan { changes: plan.changes, expected: plan.expected, answer: Some(plan.answer) })
        })
    }

    /// Changes the notes of a session, which are empty if there were none. The change is made again on what is there
    /// then if somebody else was faster.
    pub fn update(
        &self,
        namespace: &Namespace,
        session: &Session,
        mut change: impl FnMut(&mut Record, Timestamp),
    ) -> Result<Record, NotesError> {
        self.commit(namespace, session.as_str(), || {
            let now = self.clock.now();
            let documents = self.documents_of(namespace, session)?;
            let known = self.read(session, &documents)?;
            let is_known = known.is_some();
            let before = known.map_or_else(|| self.begun(namespace, session, now), Ok)?;
            let mut record = before.clone();
            change(&mut record, now);
            if !is_known && record == before {
                return Ok(Plan::nothing(record));
            }
            self.saving(session, &documents, record)
        })
    }

    /// Saves what an observer or a reflector made, all at once: the notes, what is new of them, the candidates, and that
    /// the messages were observed. What people changed since the base was read stays.
    pub fn revise(
        &self,
        namespace: &Namespace,
        session: &Session,
        revision: &Revision,
    ) -> Result<Revised, NotesError> {
        let pending = Key::new(Collection::Pending, session);
        self.commit(namespace, session.as_str(), || {
            let now = self.clock.now();
            let documents = self.documents_of(namespace, session)?;
            let record = self.read(session, &documents)?;
            let mut record = record.map_or_else(|| self.begun(namespace, session, now), Ok)?;
            if revision.reflections.is_some_and(|reflections| reflections != record.reflections) {
                return Ok(Plan::nothing(Revised::AlreadyCondensed));
            }
            let before = record.sheet.clone();
            record.sheet.merge(&revision.base, revision.drafts.clone(), now);
            let dropped = dropped(&before, &record.sheet, now);
            match revision.by {
                Reviser::Observer => {
                    (record.observed_at, record.observations) = (now, record.observations + 1)
                }
                Reviser::Reflector => record.reflections += 1,
            }
            let Plan { mut changes, mut expected, answer } = self.saving(session, &documents, record)?;
            let logs = [
                (Collection::Dropped, written(&dropped)),
                (Collection::Candidates, written(&linked(&revision.candidates, &answer.sheet))),
                (Collection::Replaced, written(&revision.replaced)),
            ];
            for (collection, lines) in logs.into_iter().filter(|(_, lines)| !lines.is_empty()) {
                changes.push(Change::Append { key: Key::new(collection, session), lines });
            }
            if let Some(mark) = &revision.observed {
                let Some((cleared, held)) = self.clearing::<Message>(namespace, &pending, mark)? else {
                    return Ok(Plan::nothing(Revised::AlreadyObserved));
                };
                changes.extend(cleared);
                expected.push(held);
            }
            if let Some(step) = revision.step {
                let (change, held) = self.soothing(namespace, Place::Session(session), step)?;
                changes.extend(change);
                expected.push(held);
            }
            Ok(Plan { changes, expected, answer: Revised::Saved(Box::new(answer)) })
        })
    }

    /// What observers and reflectors dropped or reworded of a session's notes, the oldest first.
    pub fn dropped(&self, namespace: &Namespace, session: &Session) -> Result<Batch<Dropped>, NotesError> {
        self.batch(namespace, &Key::new(Collection::Dropped, session))
    }

    /// Removes everything that is kept of a session. Notes that were taken into the digest stay there.
    pub fn forget(&self, namespace: &Namespace, session: &Session) -> Result<(), NotesError> {
        // The mark of a session that is being moved tells that it was, so that it does not come back.
        let of_sessions = |collection: &&Collection| {
            collection.owner() == Owner::Session && **collection != Collection::Moving
        };
        let change = |collection: &Collection| {
            let key = Key::new(*collection, session);
            match collection.shape() {
                Shape::Document => Change::Remove { key },
                Shape::Log => Change::Clear { key },
            }
        };
        let changes: Vec<Change> = Collection::ALL.iter().filter(of_sessions).map(change).collect();
        self.commit(namespace, session.as_str(), || {
            Ok(Plan { changes: changes.clone(), expected: Vec::new(), answer: () })
        })
    }

    /// No notes yet of a session, which may have told whose it is when it began.
    fn begun(&self, namespace: &Namespace, session: &Session, now: Timestamp) -> Result<Record, NotesError> {
        let (_, given) = self.read_given(namespace, session)?;
        Ok(Record { user: given.user, ..Record::new(session, now) })
    }

    /// What keeps with the notes of a session, if there are any, whose it is.
    pub(super) fn naming(
        &self,
        namespace: &Namespace,
        session: &Session,
        user: &str,
    ) -> Result<Plan<()>, NotesError> {
        let documents = self.documents_of(namespace, session)?;
        let record = self.read(session, &documents)?;
        let Some(mut record) = record.filter(|record| record.user.as_deref() != Some(user)) else {
            return Ok(Plan::nothing(()));
        };
        record.user = Some(user.to_owned());
        let Plan { changes, expected, .. } = self.saving(session, &documents, record)?;
        Ok(Plan { changes, expected, answer: () })
    }

    fn documents_of(&self, namespace: &Namespace, session: &Session) -> Result<Documents, NotesError> {
        let read = |collection| self.shelf.read(namespace, &Key::new(collection, session));
        Ok(Documents {
            markdown: read(Collection::Observations)?,
            meta: read(Collection::Meta)?,
            new: read(Collection::NewItems)?,
        })
    }

    fn read(&self, session: &Session, documents: &Documents) -> Result<Option<Record>, NotesError> {
        let Documents { markdown, meta, .. } = documents;
        let record = Record::read(session, markdown.as_ref(), meta.as_ref(), self.clock.now())?;
        Ok(record.map(|mut record| {
            record.tokens = self.count(&record.sheet);
            record
        }))
    }

    /// What saves a record in the place of the documents that it was made from.
    fn saving(
        &self,
        session: &Session,
        documents: &Documents,
        mut record: Record,
    ) -> Result<Plan<Record>, NotesError> {
        record.tokens = self.count(&record.sheet);
        let known = known(session, documents)?;
        let new = new_items(session, documents, &record, &known)?;
        let markdown = Some(record.sheet.to_markdown());
        let texts = [
            (
                Collection::Observations,
                &documents.markdown,
                markdown.filter(|text| documents.markdown.is_some() || !text.is_empty()),
            ),
            (Collection::Meta, &documents.meta, Some(record.meta())),
            (Collection::NewItems, &documents.new, (!new.items.is_empty()).then(|| to_json(&new))),
        ];
        let mut plan = Plan::nothing(record);
        for (collection, before, after) in texts {
            let key = Key::new(collection, session);
            plan.expected.push((key.clone(), Expected::unchanged(before.as_ref())));
            if before.as_ref().map(|text| &text.text) != after.as_ref() {
                plan.changes.push(match after {
                    Some(text) => Change::Put { key, text },
                    None => Change::Remove { key },
                });
            }
        }
        Ok(plan)
    }
}

/// Candidates with the notes that say the same, where nobody said from which they were made.
fn linked(candidates: &[Candidate], sheet: &Sheet) -> Vec<Candidate> {
    let link = |candidate: &Candidate| {
        let text = tidied(&candidate.text);
        let same = sheet.items().filter(|item| item.text == text).map(|item| item.id);
        let items = if candidate.items.is_empty() { same.collect() } else { candidate.items.clone() };
        Candidate { items, ..candidate.clone() }
    };
    candidates.iter().map(link).collect()
}

/// The notes that are gone from a sheet, or say something else.
fn dropped(before: &Sheet, after: &Sheet, now: Timestamp) -> Vec<Dropped> {
    let stays = |item: &&Item| after.item(item.id).is_some_and(|left| left.text == item.text);
    before.items().filter(|item| !stays(item)).map(|item| Dropped { at: now, item: item.clone() }).collect()
}

/// The notes that were there when the record was last saved.
fn known(session: &Session, documents: &Documents) -> Result<BTreeSet<ItemId>, NotesError> {
    let meta = from_json("details of the notes", session.as_str(), documents.meta.as_ref())?;
    Ok(meta.map(|meta: crate::record::RecordMeta| meta.details.ids().collect()).unwrap_or_default())
}

/// The notes that the agent was not given yet, with those that have come.
fn new_items(
    session: &Session,
    documents: &Documents,
    record: &Record,
    known: &BTreeSet<ItemId>,
) -> Result<Listed, NotesError> {
    let before: Option<Listed> = from_json("list of new notes", session.as_str(), documents.new.as_ref())?;
    let mut items = before.unwrap_or_default().items;
    let ids = record.ids();
    items.extend(ids.difference(known));
    items.retain(|id| ids.contains(id));
    Ok(Listed { items })
}
