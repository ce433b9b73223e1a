//! What is kept once a parcel has arrived where something is kept already.
//!
//! What is here stays. A note that comes brings along what is known of it: whether its agent was given it, and what the
//! memories were told of it; of a note that is here, that is known here. So a parcel that arrives twice adds nothing the
//! second time.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use peri_types::Timestamp;
use serde::{Serialize, de::DeserializeOwned};

use super::Parcel;
use crate::item::{ItemId, Owner};
use crate::log::{Candidate, Dropped, Message, Replaced};
use crate::notes::delivery::Delivered;
use crate::notes::told::Tellings;
use crate::notes::turns::digest_of;
use crate::notes::{Notes, digest};
use crate::record::{Listed, to_json};
use crate::sheet::Brought;
use crate::shelf::{Collection, Key, Version};
use crate::{NotesError, Session};

impl Notes {
    /// What is here, with what a parcel holds beyond it.
    pub(super) fn joined(&self, own: &Parcel, theirs: &Parcel) -> Result<Parcel, NotesError> {
        match theirs.session() {
            Some(session) => self.joined_session(own, theirs, session),
            None => self.joined_digest(own, theirs),
        }
    }

    /// What a parcel holds, with the earlier digests that are here.
    pub(super) fn replaced_by(&self, own: &Parcel, theirs: &Parcel) -> Parcel {
        let mut wanted = theirs.clone();
        wanted.keep_archives(own);
        wanted.archive(own.document(Collection::Persistent).map(|text| text.text), self.clock.now());
        wanted
    }

    fn joined_session(&self, own: &Parcel, theirs: &Parcel, session: &Session) -> Result<Parcel, NotesError> {
        let now = self.clock.now();
        let mut joined = own.clone();
        let mut brought = Brought::default();
        match (own.record(session, now)?, theirs.record(session, now)?) {
            (_, None) => {}
            (None, Some(theirs_record)) => {
                joined.copy(theirs, &[Collection::Observations, Collection::Meta, Collection::Inject]);
                brought.added = theirs_record.ids();
                brought.ids = brought.added.iter().map(|id| (*id, *id)).collect();
            }
            (Some(before), Some(other)) => {
                let mut record = before.clone();
                let dropped = own.dropped();
                brought = record.sheet.bring(&other.sheet, |item| dropped.contains(&item.text));
                record.user = record.user.take().or(other.user);
                record.created_at = record.created_at.min(other.created_at);
                record.observed_at = record.observed_at.max(other.observed_at);
                record.observations = record.observations.max(other.observations);
                record.reflections = record.reflections.max(other.reflections);
                if record != before {
                    record.tokens = self.count(&record.sheet);
                    joined.put(Collection::Observations, record.sheet.to_markdown());
                    joined.put(Collection::Meta, record.meta());
                }
            }
        }
        joined.join_lists(theirs, &brought)?;
        joined.copy(theirs, &[Collection::Given, Collection::Trouble]);
        joined.join_logs(theirs, &brought);
        Ok(joined)
    }

    fn joined_digest(&self, own: &Parcel, theirs: &Parcel) -> Result<Parcel, NotesError> {
        let now = self.clock.now();
        let mut joined = own.clone();
        let mut brought = Brought::default();
        let old = own.document(Collection::Persistent).map(|text| text.text);
        if old.is_none() && own.document(Collection::PersistentMeta).is_none() {
            joined.copy(theirs, &[Collection::Persistent, Collection::PersistentMeta]);
            brought.added = theirs.digest(now)?.sheet.items().map(|item| item.id).collect();
            brought.ids = brought.added.iter().map(|id| (*id, *id)).collect();
        } else {
            let (before, other) = (own.digest(now)?, theirs.digest(now)?);
            let mut digest = before.clone();
            brought = digest.sheet.bring(&other.sheet, |_| false);
            digest.saved_at = digest.saved_at.max(other.saved_at);
            digest.compacted_at = digest.compacted_at.max(other.compacted_at);
            if digest != before {
                digest.tokens = self.count(&digest.sheet);
                joined.put(Collection::Persistent, digest.sheet.to_markdown());
                joined.put(Collection::PersistentMeta, digest.meta(now));
                joined.archive(old, now);
            }
        }
        joined.join_told(theirs, Collection::PersistentTold, &brought)?;
        joined.copy(theirs, &[Collection::PersistentTrouble]);
        joined.keep_archives(theirs);
        Ok(joined)
    }
}

impl Parcel {
    fn key_of(&self, collection: Collection) -> Key {
        self.place().key_in(collection, collection)
    }

    fn put(&mut self, collection: Collection, text: String) {
        self.documents.insert(self.key_of(collection), text);
    }

    /// Takes documents over that are not here.
    fn copy(&mut self, theirs: &Self, collections: &[Collection]) {
        for collection in collections {
            let key = self.key_of(*collection);
            if let Some(text) = theirs.documents.get(&key) {
                self.documents.entry(key).or_insert_with(|| text.clone());
            }
        }
    }

    /// The words of the notes that were dropped or reworded here, and are kept as such.
    fn dropped(&self) -> BTreeSet<String> {
        let lines = self.log(Collection::Dropped).iter();
        let read = lines.filter_map(|line| serde_json::from_str::<Dropped>(line).ok());
        read.map(|dropped| dropped.item.text).collect()
    }

    /// Takes over what is known of the notes that came.
    fn join_lists(&mut self, theirs: &Self, brought: &Brought) -> Result<(), NotesError> {
        if let Some(listed) = theirs.read::<Listed>(Collection::NewItems)? {
            let mut own = self.read::<Listed>(Collection::NewItems)?.unwrap_or_default();
            let count = own.items.len();
            own.items.extend(came(listed.items, brought));
            if own.items.len() > count {
                self.put(Collection::NewItems, to_json(&own));
            }
        }
        if let Some(delivered) = theirs.read::<Delivered>(Collection::Delivered)? {
            let mut own = self.read::<Delivered>(Collection::Delivered)?.unwrap_or_default();
            let count = own.items.len();
            own.items.extend(came(delivered.items, brought));
            if own.items.len() > count {
                self.put(Collection::Delivered, to_json(&own));
            }
        }
        self.join_told(theirs, Collection::Told, brought)
    }

    fn join_told(
        &mut self,
        theirs: &Self,
        collection: Collection,
        brought: &Brought,
    ) -> Result<(), NotesError> {
        let Some(told) = theirs.read::<Tellings>(collection)? else { return Ok(()) };
        let mut own = self.read::<Tellings>(collection)?.unwrap_or_default();
        let count = own.items.len();
        for (id, telling) in told.items {
            if let Some(id) = came([id], brought).next() {
                own.items.entry(id).or_insert(telling);
            }
        }
        if own.items.len() > count {
            self.put(collection, to_json(&own));
        }
        Ok(())
    }

    /// Adds the lines of logs that are not here, in which notes are called as they are here. Messages that were heard
    /// here do not wait again.
    fn join_logs(&mut self, theirs: &Self, brought: &Brought) {
        let heard: BTreeSet<String> = self.log(Collection::Heard).iter().cloned().collect();
        let is_heard = |line: &String| {
            let message = serde_json::from_str::<Message>(line);
            message.is_ok_and(|message| heard.contains(&digest_of(&message)))
        };
        for (key, lines) in &theirs.logs {
            let collection = key.collection();
            let own = self.logs.entry(key.clone()).or_default();
            let mut here: BTreeMap<String, usize> = BTreeMap::new();
            for line in own.iter() {
                *here.entry(nameless(collection, line)).or_default() += 1;
            }
            for line in lines {
                let known = here.get_mut(&nameless(collection, line)).filter(|count| **count > 0);
                match known {
                    Some(count) => *count -= 1,
                    None if collection == Collection::Pending && is_heard(line) => {}
                    None => own.push(renamed(collection, line, |id| *brought.ids.get(&id).unwrap_or(&id))),
                }
            }
        }
        self.logs.retain(|_, lines| !lines.is_empty());
    }

    /// Takes over the earlier digests that are not here, under another name where the name is taken.
    fn keep_archives(&mut self, theirs: &Self) {
        for (key, text) in &theirs.documents {
            if key.collection() != Collection::Archive {
                continue;
            }
            let named = |name: &str| Key::named(Collection::Archive, name);
            let told_by_text = || {
                let name = format!("{}_{}", digest::NAME, Version::of(text).as_str());
                named(&name).expect("a version is a name")
            };
            let mut names = (1..).map(|number| match number {
                1 => key.clone(),
                // A name that is as long as any can be has no room for a number.
                _ => named(&format!("{}-{number:03}", key.name())).unwrap_or_else(|_| told_by_text()),
            });
            let is_usable = |name: &Key| self.documents.get(name).is_none_or(|own| own == text);
            let name = names.find(is_usable).expect("there are more numbers than archives");
            self.documents.insert(name, text.clone());
        }
    }

    /// Puts a digest in the archive that is no longer the one of the namespace, unless it is there.
    fn archive(&mut self, old: Option<String>, now: Timestamp) {
        let current = self.document(Collection::Persistent).map(|text| text.text);
        let Some(old) = old.filter(|old| !old.trim().is_empty() && current.as_ref() != Some(old)) else {
            return;
        };
        if self.session.is_some() || self.documents.values().any(|text| *text == old) {
            return;
        }
        let stamp = now.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d_%H-%M-%S.%3f").to_string();
        let mut names = (1..).map(|number| digest::archive_key(&stamp, number));
        let is_free = |key: &Key| !self.documents.contains_key(key);
        let name = names.find(is_free).expect("there are more numbers than archives");
        self.documents.insert(name, old);
    }
}

/// What the notes that came are called here; those that were here already are left out.
fn came<'a>(
    ids: impl IntoIterator<Item = ItemId> + 'a,
    brought: &'a Brought,
) -> impl Iterator<Item = ItemId> + 'a {
    let called = ids.into_iter().filter_map(|id| brought.ids.get(&id).copied());
    called.filter(|id| brought.added.contains(id))
}

/// A line of a log in which notes have other ids.
fn renamed(collection: Collection, line: &str, mut called: impl FnMut(ItemId) -> ItemId) -> String {
    match collection {
        Collection::Candidates => retold(line, |own: &mut Candidate| {
            own.items.iter_mut().for_each(|id| *id = called(*id));
        }),
        Collection::Replaced => retold(line, |own: &mut Replaced| own.item = own.item.map(&mut called)),
        Collection::Dropped => retold(line, |own: &mut Dropped| own.item.id = called(own.item.id)),
        _ => line.to_owned(),
    }
}

/// A line without the ids of notes, by which it is known again.
fn nameless(collection: Collection, line: &str) -> String {
    renamed(collection, line, |_| ItemId::new(Owner::Session, 0))
}

/// A line with a change made to what it says; as it is if nothing changes, or if it cannot be read.
fn retold<T: DeserializeOwned + Serialize>(line: &str, change: impl FnOnce(&mut T)) -> String {
    let Ok(mut entry) = serde_json::from_str::<T>(line) else { return line.to_owned() };
    change(&mut entry);
    serde_json::to_string(&entry).expect("plain values become JSON")
}
