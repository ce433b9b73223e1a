//! What was kept in one namespace is joined with what is kept in another.

use std::collections::BTreeMap;

use peri_types::Namespace;
use serde::{Serialize, de::DeserializeOwned};

use super::Renamed;
use super::held::Held;
use crate::item::{ItemId, Origin};
use crate::log::{Candidate, Dropped, Replaced};
use crate::notes::delivery::Delivered;
use crate::notes::given::Given;
use crate::notes::told::Tellings;
use crate::notes::{Notes, Place, Plan, Trouble};
use crate::record::{Digest, Listed, Record, from_json, to_json};
use crate::sheet::Sheet;
use crate::shelf::{Change, Collection, Expected, Key, Text};
use crate::{NotesError, Session};

/// A plan to join, and what notes are called then.
type Joining = Plan<Renamed>;

impl Notes {
    /// What joins a session or a digest of another namespace with what is kept here.
    pub(super) fn joining(
        &self,
        to: &Namespace,
        place: Place<'_>,
        held: &Held,
        renamed: &BTreeMap<Session, Renamed>,
    ) -> Result<Joining, NotesError> {
        let own = self.held(to, place)?;
        match place {
            Place::Session(_) if own.is_empty() => Ok(copying(held)),
            Place::Session(session) => self.joining_session(session, &own, held),
            Place::Digest => self.joining_digest(to, &own, held, renamed),
        }
    }

    fn joining_session(&self, session: &Session, own: &Held, held: &Held) -> Result<Joining, NotesError> {
        let now = self.clock.now();
        let read = |held: &Held| {
            let text = |collection| held.document(collection);
            Record::read(session, text(Collection::Observations), text(Collection::Meta), now)
        };
        let (ours, theirs) = (read(own)?, read(held)?);
        let has_notes = ours.is_some() || theirs.is_some();
        let mut record = ours.unwrap_or_else(|| Record::new(session, now));
        let mut ids = match theirs {
            Some(theirs) => join_records(&mut record, theirs),
            None => Renamed::new(),
        };
        let mut plan = Plan::nothing(Renamed::new());
        let mut joining = Documents { session, own, held, plan: &mut plan };
        join_documents(&mut joining, &mut record.sheet, &mut ids)?;
        join_logs(held, &mut record.sheet, &mut ids, &mut plan);
        if has_notes {
            record.tokens = self.count(&record.sheet);
            put(&mut plan, Key::new(Collection::Observations, session), own, record.sheet.to_markdown());
            put(&mut plan, Key::new(Collection::Meta, session), own, record.meta());
        }
        plan.answer = ids;
        Ok(plan)
    }

    fn joining_digest(
        &self,
        to: &Namespace,
        own: &Held,
        held: &Held,
        renamed: &BTreeMap<Session, Renamed>,
    ) -> Result<Joining, NotesError> {
        let now = self.clock.now();
        let read = |held: &Held| {
            let text = |collection| held.document(collection);
            Digest::read(text(Collection::Persistent), text(Collection::PersistentMeta), now)
        };
        let (mut digest, mut theirs) = (read(own)?, read(held)?);
        theirs.sheet.each_item(|item| item.origins.iter_mut().for_each(|origin| rename(origin, renamed)));
        let mut plan = Plan::nothing(Renamed::new());
        let old = own.document(Collection::Persistent);
        let of_digest = [Collection::Persistent, Collection::PersistentMeta];
        let has_digest = of_digest.iter().any(|kept| held.document(*kept).is_some());
        let mut ids = Renamed::new();
        if digest.sheet.is_empty() && old.is_none() {
            digest = Digest { saved_at: digest.saved_at.max(theirs.saved_at), ..theirs };
        } else {
            ids = digest.sheet.join(&theirs.sheet);
            digest.saved_at = digest.saved_at.max(theirs.saved_at);
            digest.compacted_at = digest.compacted_at.max(theirs.compacted_at);
        }
        let told = (Collection::PersistentTold, Collection::PersistentTrouble);
        let is_joined = old.is_some();
        join_told(&mut plan, digest_key(told.0), (own, held), |id| {
            if is_joined { digest.sheet.called(&mut ids, id) } else { id }
        })?;
        join_troubles(&mut plan, digest_key(told.1), (own, held))?;
        if has_digest {
            digest.tokens = self.count(&digest.sheet);
            let text = digest.sheet.to_markdown();
            if let Some(old) = old.filter(|old| old.text != text) {
                let key = self.free_archive(to, now)?;
                plan.expected.push((key.clone(), Expected::Absent));
                plan.changes.push(Change::Put { key, text: old.text.clone() });
            }
            put(&mut plan, digest_key(Collection::Persistent), own, text);
            put(&mut plan, digest_key(Collection::PersistentMeta), own, digest.meta(now));
        }
        keep_archives(&mut plan, own, held);
        Ok(plan)
    }
}

/// Puts everything where nothing is yet.
fn copying(held: &Held) -> Joining {
    let mut plan = Plan::nothing(Renamed::new());
    for (key, text) in &held.documents {
        plan.expected.push((key.clone(), Expected::Absent));
        plan.changes.push(Change::Put { key: key.clone(), text: text.text.clone() });
    }
    for (key, lines) in &held.logs {
        plan.changes.push(Change::Append { key: key.clone(), lines: lines.clone() });
    }
    plan
}

fn join_records(record: &mut Record, theirs: Record) -> Renamed {
    record.user = record.user.take().or(theirs.user);
    record.created_at = record.created_at.min(theirs.created_at);
    // That of a record that is only begun here says nothing.
    let is_new = record.sheet.is_empty() && record.observations == 0;
    record.observed_at = if is_new { theirs.observed_at } else { record.observed_at.max(theirs.observed_at) };
    record.observations += theirs.observations;
    record.reflections += theirs.reflections;
    record.sheet.join(&theirs.sheet)
}

/// What is joined of a session's documents.
struct Documents<'a> {
    session: &'a Session,
    own: &'a Held,
    held: &'a Held,
    plan: &'a mut Joining,
}

impl Documents<'_> {
    /// Joins two documents of a collection, if there is one to be joined.
    fn join<T: DeserializeOwned + Serialize + Default>(
        &mut self,
        collection: Collection,
        join: impl FnOnce(&mut T, T),
    ) -> Result<(), NotesError> {
        let Some(theirs) = self.held.document(collection) else { return Ok(()) };
        let read = |text: Option<&Text>| from_json(collection.as_str(), self.session.as_str(), text);
        let mut ours: T = read(self.own.document(collection))?.unwrap_or_default();
        let theirs: Option<T> = read(Some(theirs))?;
        join(&mut ours, theirs.unwrap_or_default());
        put(self.plan, Key::new(collection, self.session), self.own, to_json(&ours));
        Ok(())
    }
}

fn join_documents(
    joining: &mut Documents<'_>,
    sheet: &mut Sheet,
    ids: &mut Renamed,
) -> Result<(), NotesError> {
    joining.join(Collection::NewItems, |ours: &mut Listed, theirs| {
        ours.items.extend(theirs.items.into_iter().map(|id| sheet.called(ids, id)));
    })?;
    joining.join(Collection::Delivered, |ours: &mut Delivered, theirs| {
        ours.items.extend(theirs.items.into_iter().map(|id| sheet.called(ids, id)));
    })?;
    joining.join(Collection::Given, join_given)?;
    let (session, both) = (joining.session, (joining.own, joining.held));
    join_told(joining.plan, Key::new(Collection::Told, session), both, |id| sheet.called(ids, id))?;
    join_troubles(joining.plan, Key::new(Collection::Trouble, session), both)?;
    if let Some(flag) = joining.held.document(Collection::Inject)
        && joining.own.document(Collection::Inject).is_none()
    {
        let key = Key::new(Collection::Inject, session);
        put(joining.plan, key, joining.own, flag.text.clone());
    }
    Ok(())
}

/// What is lent there comes back here.
fn join_given(ours: &mut Given, theirs: Given) {
    ours.user = ours.user.take().or(theirs.user);
    ours.began_at = ours.began_at.max(theirs.began_at);
    ours.digest_at = ours.digest_at.max(theirs.digest_at);
    ours.loans = ours.loans.max(theirs.loans);
    ours.began_on.splice(0..0, theirs.began_on);
    ours.raised_on.splice(0..0, theirs.raised_on);
}

fn join_told(
    plan: &mut Joining,
    key: Key,
    (own, held): (&Held, &Held),
    mut called: impl FnMut(ItemId) -> ItemId,
) -> Result<(), NotesError> {
    let Some(theirs) = held.document(key.collection()) else { return Ok(()) };
    let read = |text: Option<&Text>| from_json("list of what the memories were told", key.name(), text);
    let mut ours: Tellings = read(own.document(key.collection()))?.unwrap_or_default();
    let theirs: Option<Tellings> = read(Some(theirs))?;
    for (id, telling) in theirs.unwrap_or_default().items {
        ours.items.entry(called(id)).or_insert(telling);
    }
    put(plan, key, own, to_json(&ours));
    Ok(())
}

fn join_troubles(plan: &mut Joining, key: Key, (own, held): (&Held, &Held)) -> Result<(), NotesError> {
    let Some(theirs) = held.document(key.collection()) else { return Ok(()) };
    let read = |text: Option<&Text>| from_json("list of troubles", key.name(), text);
    let mut ours: BTreeMap<String, Trouble> = read(own.document(key.collection()))?.unwrap_or_default();
    let theirs: Option<BTreeMap<String, Trouble>> = read(Some(theirs))?;
    for (step, trouble) in theirs.unwrap_or_default() {
        ours.entry(step).or_insert(trouble);
    }
    put(plan, key, own, to_json(&ours));
    Ok(())
}

/// Adds the lines of logs, in which notes are called as they are here.
fn join_logs(held: &Held, sheet: &mut Sheet, ids: &mut Renamed, plan: &mut Joining) {
    for (key, lines) in &held.logs {
        let mut called = |id: ItemId| sheet.called(ids, id);
        let mut line = |line: &String| match key.collection() {
            Collection::Candidates => retold(line, |own: &mut Candidate| {
                own.items.iter_mut().for_each(|id| *id = called(*id));
            }),
            Collection::Replaced => retold(line, |own: &mut Replaced| {
                own.item = own.item.map(&mut called);
            }),
            Collection::Dropped => retold(line, |own: &mut Dropped| own.item.id = called(own.item.id)),
            _ => line.clone(),
        };
        let lines = lines.iter().map(&mut line).collect();
        plan.changes.push(Change::Append { key: key.clone(), lines });
    }
}

/// A line with a change made to what it says; as it is if it cannot be read.
fn retold<T: DeserializeOwned + Serialize>(line: &str, change: impl FnOnce(&mut T)) -> String {
    let Ok(mut entry) = serde_json::from_str::<T>(line) else { return line.to_owned() };
    change(&mut entry);
    serde_json::to_string(&entry).expect("plain values become JSON")
}

/// What a note of a session is called since the session was moved.
fn rename(origin: &mut Origin, renamed: &BTreeMap<Session, Renamed>) {
    if let Origin::Note { session, id } = origin
        && let Some(called) = renamed.get(session).and_then(|ids| ids.get(id))
    {
        *id = *called;
    }
}

/// Keeps the earlier digests, under another name where there is one of theirs already.
fn keep_archives(plan: &mut Joining, own: &Held, held: &Held) {
    let taken: Vec<Key> = plan.changes.iter().map(|change| change.key().clone()).collect();
    let archives = held.documents.iter().filter(|(key, _)| key.collection() == Collection::Archive);
    for (key, text) in archives {
        let names = (1..).map(|number| match number {
            1 => key.clone(),
            _ => Key::named(Collection::Archive, &format!("{}-{number:03}", key.name()))
                .expect("a name with a number is a name"),
        });
        let is_usable = |name: &Key| {
            !taken.contains(name) && own.documents.get(name).is_none_or(|own| own.text == text.text)
        };
        let name = names.into_iter().find(is_usable).expect("there are more numbers than archives");
        put(plan, name, own, text.text.clone());
    }
}

fn digest_key(collection: Collection) -> Key {
    Place::Digest.key_in(collection, collection)
}

/// Adds a document to a plan, in the place of what was read.
fn put(plan: &mut Joining, key: Key, own: &Held, text: String) {
    let before = own.documents.get(&key);
    plan.expected.push((key.clone(), Expected::unchanged(before)));
    if before.is_none_or(|before| before.text != text) {
        plan.changes.push(Change::Put { key, text });
    }
}
