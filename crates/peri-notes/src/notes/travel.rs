//! Notes that are carried elsewhere: taken off one shelf as parcels, and put on another.
//!
//! A parcel is everything that is kept of one session, or of one digest, so that it arrives whole or not at all. Left
//! behind is what means something only where it is: what is lent to an agent at the moment, and the marks of moves from
//! one namespace to another.

mod join;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use peri_types::Namespace;
use serde::{Deserialize, Serialize};

pub use written::InvalidParcel;

use self::written::Written;
use super::delivery::Delivered;
use super::given::Given;
use super::moving::Held;
use super::{ATTEMPTS_MAX, Notes, Place, Plan};
use crate::record::{from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key, Mark, Text};
use crate::{NotesError, Session};

/// Everything that is kept of a session, or of the digest of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Parcel {
    session: Option<Session>,
    documents: BTreeMap<Key, String>,
    logs: BTreeMap<Key, Vec<String>>,
}

/// What becomes of what is kept already where a parcel arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// It stays, and what it lacks is added. Notes are the same if they say the same.
    Join,
    /// The parcel takes its place. A digest that is replaced goes to the archive, which stays.
    Replace,
}

/// What became of a parcel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpacked {
    /// Nothing was kept of the session, or of the digest, before.
    New,
    /// What was kept was changed.
    Changed,
    /// It is here already. Nothing was changed.
    Known,
}

impl Parcel {
    /// Of which session; none for the digest.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty() && self.logs.is_empty()
    }

    /// How many bytes its documents and logs have.
    pub fn bytes(&self) -> u64 {
        let documents = self.documents.values().map(String::len).sum::<usize>();
        let logs = self.logs.values().flatten().map(|line| line.len() + 1).sum::<usize>();
        (documents + logs) as u64
    }

    /// Changes every text in it: the documents, and each line of the logs.
    pub fn each_text(&mut self, mut change: impl FnMut(&mut String)) {
        self.documents.values_mut().for_each(&mut change);
        self.logs.values_mut().flatten().for_each(&mut change);
    }

    /// Its notes, as far as they can be read: what each says, by its id.
    pub fn notes(&self) -> BTreeMap<String, String> {
        let sheet = self.sheet();
        sheet
            .iter()
            .flat_map(|sheet| sheet.items())
            .map(|item| (item.id.to_string(), item.text.clone()))
            .collect()
    }

    fn place(&self) -> Place<'_> {
        self.session.as_ref().map_or(Place::Digest, Place::Session)
    }

    fn document(&self, collection: Collection) -> Option<Text> {
        let found = self.documents.iter().find(|(key, _)| key.collection() == collection);
        found.map(|(_, text)| Text::new(text.clone()))
    }

    fn log(&self, collection: Collection) -> &[String] {
        let found = self.logs.iter().find(|(key, _)| key.collection() == collection);
        found.map_or(&[], |(_, lines)| lines)
    }

    /// The same without what is lent at the moment. What cannot be read is left as it is.
    fn without_loan(mut self) -> Self {
        for (key, text) in &mut self.documents {
            let own = Text::new(text.clone());
            match key.collection() {
                Collection::Given => {
                    let given =
                        from_json::<Given>("list of what the agent was given", key.name(), Some(&own));
                    if let Ok(Some(given @ Given { loan: Some(_), .. })) = given {
                        *text = to_json(&Given { loan: None, ..given });
                    }
                }
                Collection::Delivered => {
                    let given =
                        from_json::<Delivered>("list of what was handed over", key.name(), Some(&own));
                    if let Ok(Some(mut delivered)) = given
                        && !delivered.lent.is_empty()
                    {
                        delivered.lent.clear();
                        *text = to_json(&delivered);
                    }
                }
                _ => {}
            }
        }
        self
    }

    fn of(session: Option<&Session>, held: &Held) -> Self {
        let documents = held.documents.iter().map(|(key, text)| (key.clone(), text.text.clone()));
        Self { session: session.cloned(), documents: documents.collect(), logs: held.logs.clone() }
    }
}

impl Notes {
    /// The sessions of a namespace of which anything is kept, sorted, and then the digest, which has no name.
    pub fn to_carry(&self, namespace: &Namespace) -> Result<Vec<Option<Session>>, NotesError> {
        let mut found: Vec<_> = self.kept_sessions(namespace)?.into_iter().map(Some).collect();
        found.push(None);
        Ok(found)
    }

    /// Everything that is kept of a session, or of the digest, as it is at one moment; none if nothing is.
    pub fn pack(
        &self,
        namespace: &Namespace,
        session: Option<&Session>,
    ) -> Result<Option<Parcel>, NotesError> {
        let place = session.map_or(Place::Digest, Place::Session);
        let mut before = None;
        for _ in 0..ATTEMPTS_MAX {
            let now = Parcel::of(session, &self.held(namespace, place)?);
            // What was the same when it was read a second time was so all at once in between.
            if before.as_ref() == Some(&now) {
                return Ok(Some(now.without_loan()).filter(|parcel| !parcel.is_empty()));
            }
            before = Some(now);
        }
        Err(NotesError::Contended { name: place.name(), attempts: ATTEMPTS_MAX })
    }

    /// Keeps what a parcel holds, all of it or nothing. To do so again changes nothing.
    pub fn unpack(
        &self,
        namespace: &Namespace,
        parcel: &Parcel,
        meeting: Meeting,
    ) -> Result<Unpacked, NotesError> {
        self.commit(namespace, &parcel.place().name(), || self.unpacking(namespace, parcel, meeting))
    }

    /// What would become of a parcel.
    pub fn would_unpack(
        &self,
        namespace: &Namespace,
        parcel: &Parcel,
        meeting: Meeting,
    ) -> Result<Unpacked, NotesError> {
        Ok(self.unpacking(namespace, parcel, meeting)?.answer)
    }

    fn unpacking(
        &self,
        namespace: &Namespace,
        parcel: &Parcel,
        meeting: Meeting,
    ) -> Result<Plan<Unpacked>, NotesError> {
        let own = Parcel::of(parcel.session(), &self.held(namespace, parcel.place())?);
        if parcel.is_empty() || own.clone().without_loan() == *parcel {
            return Ok(Plan::nothing(Unpacked::Known));
        }
        let wanted = match meeting {
            _ if own.is_empty() => parcel.clone(),
            Meeting::Join => self.joined(&own, parcel)?,
            Meeting::Replace => self.replaced_by(&own, parcel),
        };
        let mut plan = leading(&own, &wanted);
        plan.answer = match plan.changes.is_empty() {
            true => Unpacked::Known,
            false if own.is_empty() => Unpacked::New,
            false => Unpacked::Changed,
        };
        Ok(plan)
    }
}

/// What leads from what is kept to what is to be kept.
fn leading(own: &Parcel, wanted: &Parcel) -> Plan<Unpacked> {
    let mut plan = Plan::nothing(Unpacked::Known);
    for key in keys(&own.documents, &wanted.documents) {
        let (before, after) = (own.documents.get(key), wanted.documents.get(key));
        let read = before.map(|text| Text::new(text.clone()));
        plan.expected.push((key.clone(), Expected::unchanged(read.as_ref())));
        match after {
            Some(text) if before != after => {
                plan.changes.push(Change::Put { key: key.clone(), text: text.clone() });
            }
            None => plan.changes.push(Change::Remove { key: key.clone() }),
            Some(_) => {}
        }
    }
    for key in keys(&own.logs, &wanted.logs) {
        let lines = |parcel: &Parcel| parcel.logs.get(key).cloned().unwrap_or_default();
        let (before, after) = (lines(own), lines(wanted));
        plan.expected.push((key.clone(), Expected::Lines(Mark::of(&before))));
        let added = match after.strip_prefix(before.as_slice()) {
            Some(added) => added.to_vec(),
            None => {
                plan.changes.push(Change::Clear { key: key.clone() });
                after
            }
        };
        if !added.is_empty() {
            plan.changes.push(Change::Append { key: key.clone(), lines: added });
        }
    }
    plan
}

fn keys<'a, T>(one: &'a BTreeMap<Key, T>, other: &'a BTreeMap<Key, T>) -> BTreeSet<&'a Key> {
    one.keys().chain(other.keys()).collect()
}
