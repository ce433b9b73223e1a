//! Notes become memories: each note one memory, which follows it; what notes took the place of is superseded.
//!
//! The notes know what the memories were told, so that whatever breaks off is made up for, once.

use peri_notes::{Item, Notes, Origin, Progress, Replaced, Session, Told, Untold};
use peri_store::Write;
use peri_types::{Importance, Kind, Layer, Memory, MemoryId, Namespace, Priority, Scope, folded_words};
use serde_json::{Map, Value};

use super::{Recallable, identity};
use crate::engine::Perihelion;
use crate::{Error, Outcome, Recall, Remember, Revise};

/// What memories of notes say about where they come from.
pub(crate) const SOURCE: &str = "notes";

/// How the memory of something begins that is done.
pub(super) const DONE: &str = "Done: ";

/// What observers call tasks.
const OPEN_TASK: &str = "open task";
const COMPLETED: &str = "completed task";

/// So many memories are looked at to find the one that a note took the place of.
const LOOKED_AT: usize = 8;

/// So many are looked at to find those that state the value which a note replaced.
const VALUES_LOOKED_AT: usize = 20;

/// A memory is taken for what a note calls the old state if it holds at least this share of the words, and the other way
/// round. Less would hide what still holds.
const SHARED_MIN: f64 = 0.75;

impl Perihelion {
    /// Tells the memories what was noted in a session, or in all of a namespace, and what is no longer so.
    pub(super) fn tell_memories(
        &self,
        namespace: &Namespace,
        session: Option<&Session>,
    ) -> Result<(), Error> {
        if self.core.options.notes.recallable == Recallable::No || self.core.store.is_read_only() {
            return Ok(());
        }
        let notes = self.core.notes()?;
        let _one_at_a_time = self.core.scribe.telling.lock();
        let sessions = match session {
            Some(session) => vec![session.clone()],
            None => notes.sessions(namespace)?,
        };
        for session in &sessions {
            self.tell_session(notes, namespace, session)?;
        }
        self.supersede_replaced(notes, namespace)
    }

    fn tell_session(&self, notes: &Notes, namespace: &Namespace, session: &Session) -> Result<(), Error> {
        for untold in notes.untold(namespace, session)? {
            if let Some(memory) = self.tell_note(namespace, session, &untold)? {
                notes.tell(
                    namespace,
                    session,
                    &[Told { item: untold.item.id, version: untold.version.clone(), memory }],
                )?;
            }
        }
        Ok(())
    }

    /// Makes a note a memory, or revises the one it is; by which id that is known. None if it is to be tried again.
    fn tell_note(
        &self,
        namespace: &Namespace,
        session: &Session,
        untold: &Untold,
    ) -> Result<Option<MemoryId>, Error> {
        let item = &untold.item;
        let scope = Scope::Exact(namespace.clone());
        let before = untold.before.as_ref().map(|told| told.memory);
        let known = before.unwrap_or_else(|| memory_id(namespace, session, item));
        if let Some(memory) = self.core.store.get(&scope, &[known])?.pop() {
            let id = self.follow_note(&memory, item)?;
            // Whoever was broken off after remembering it comes here.
            self.complete_elsewhere(namespace, item, id)?;
            return Ok(Some(id));
        }
        if before.is_some() {
            // Somebody purged it, who does not want to see it again.
            return Ok(Some(known));
        }
        let request = request(namespace, session, item, known);
        let receipt = self.remember(request)?;
        if receipt.outcome == Outcome::Queued {
            return Ok(None);
        }
        self.complete_elsewhere(namespace, item, receipt.id)?;
        Ok(Some(receipt.id))
    }

    /// What is done in one session completes the open task of another: it takes its place.
    fn complete_elsewhere(&self, namespace: &Namespace, item: &Item, newer: MemoryId) -> Result<(), Error> {
        if item.progress == Progress::Open && item.kind.as_deref() != Some(COMPLETED) {
            return Ok(());
        }
        let query: String = item.text.chars().take(2_000).collect();
        let recall = Recall::new(query).in_scope(Scope::Exact(namespace.clone())).limit(LOOKED_AT);
        let done = topic_of(&item.text, &[]);
        let is_completed = |memory: &Memory| {
            let task = topic_of(&memory.content, &[]);
            let shared = task.iter().filter(|word| done.contains(word)).count();
            memory.id != newer && is_open_task(memory) && shared >= 2 && shared * 2 >= task.len()
        };
        let hits = self.find(&recall)?.hits.into_iter().map(|hit| hit.memory);
        let supersede = |older: Memory| {
            let (namespace, at) = (namespace.clone(), item.made_at);
            Write::Supersede { namespace, older: older.id, newer, at }
        };
        let writes: Vec<Write> = hits.filter(is_completed).map(supersede).collect();
        if !writes.is_empty() {
            self.core.store.write(writes)?;
            self.core.publish();
        }
        Ok(())
    }

    /// Brings a memory up to date with its note. What a person forgot stays forgotten.
    fn follow_note(&self, memory: &Memory, item: &Item) -> Result<MemoryId, Error> {
        let (content, importance) = (content(item), importance(item.priority));
        let says_so = memory.content == content && memory.importance == importance;
        if says_so || memory.trashed_at.is_some() || memory.facets.superseded_by.is_some() {
            return Ok(memory.id);
        }
        let changes = Revise { content: Some(content), importance: Some(importance), ..Revise::default() };
        let scope = Scope::Exact(memory.namespace.clone());
        match self.revise(&scope, memory.id, changes) {
            Ok(_) | Err(Error::Queued) => Ok(memory.id),
            Err(error) => Err(error),
        }
    }

    /// Supersedes what notes took the place of, where a memory says just that.
    fn supersede_replaced(&self, notes: &Notes, namespace: &Namespace) -> Result<(), Error> {
        for (session, batch) in notes.replaced(namespace)? {
            for replaced in &batch.entries {
                self.supersede_one(namespace, replaced)?;
            }
            let _cleared = notes.clear_replaced(namespace, &session, &batch.mark)?;
        }
        Ok(())
    }

    fn supersede_one(&self, namespace: &Namespace, replaced: &Replaced) -> Result<(), Error> {
        let Some(newer) = self.memory_saying(namespace, &replaced.new)? else { return Ok(()) };
        let mut older: Vec<Memory> = self.memory_saying(namespace, &replaced.old)?.into_iter().collect();
        older.extend(self.memories_with_value(namespace, replaced)?);
        older.retain(|older| older.id != newer.id && older.at() <= newer.at());
        older.dedup_by_key(|older| older.id);
        let supersede = |older: Memory| {
            let (namespace, at) = (namespace.clone(), replaced.at);
            Write::Supersede { namespace, older: older.id, newer: newer.id, at }
        };
        let writes: Vec<Write> = older.into_iter().map(supersede).collect();
        if !writes.is_empty() {
            self.core.store.write(writes)?;
            self.core.publish();
        }
        Ok(())
    }

    /// The memories of notes about the same thing that state the old value, where a note gives a new one.
    fn memories_with_value(&self, namespace: &Namespace, replaced: &Replaced) -> Result<Vec<Memory>, Error> {
        let query: String = replaced.new.chars().take(2_000).collect();
        let recall = Recall::new(query).in_scope(Scope::Exact(namespace.clone())).limit(VALUES_LOOKED_AT);
        let hits = self.find(&recall)?.hits.into_iter().map(|hit| hit.memory);
        Ok(hits
            .filter(|memory| memory.facets.source.as_deref() == Some(SOURCE))
            .filter(|memory| states_old_value(&memory.content, replaced))
            .collect())
    }

    /// The memory that says just this, in nearly the same words.
    fn memory_saying(&self, namespace: &Namespace, text: &str) -> Result<Option<Memory>, Error> {
        let words = folded_words(text);
        if words.is_empty() {
            return Ok(None);
        }
        let query: String = text.chars().take(2_000).collect();
        let recall = Recall::new(query).in_scope(Scope::Exact(namespace.clone())).limit(LOOKED_AT);
        let hits = self.find(&recall)?.hits.into_iter().map(|hit| hit.memory);
        Ok(hits.into_iter().find(|memory| share_words(&words, &folded_words(&memory.content))))
    }
}

/// Whether a statement gives the value that a note replaced, and to the same thing: it must name the value as a whole, and
/// be about what the new statement is about.
fn states_old_value(content: &str, replaced: &Replaced) -> bool {
    let (content_folded, value) = (content.to_lowercase(), replaced.old.trim().to_lowercase());
    if value.is_empty() || !has_whole(&content_folded, &value) || content == replaced.new {
        return false;
    }
    let value_words = folded_words(&value);
    let own = topic_of(content, &value_words);
    topic_of(&replaced.new, &value_words).iter().any(|word| own.contains(word))
}

/// The words of a text that tell what it is about, each once.
fn topic_of(text: &str, without: &[String]) -> Vec<String> {
    let matters = |word: &String| {
        let is_long = word.chars().count() >= if word.is_ascii() { 4 } else { 2 };
        is_long && !without.contains(word) && !COMMON_WORDS.contains(&word.as_str())
    };
    let mut words: Vec<String> = folded_words(text).into_iter().filter(matters).collect();
    words.sort();
    words.dedup();
    words
}

/// Whether a memory is of a note about something that is still to be done.
fn is_open_task(memory: &Memory) -> bool {
    let kind = memory.facets.metadata.get("notes").and_then(|note| note.get("kind"));
    let is_task = kind.and_then(Value::as_str) == Some(OPEN_TASK);
    is_task && !memory.content.starts_with(DONE)
}

/// Whether a text holds another as a whole: not as a part of longer words of the Latin script.
fn has_whole(text: &str, part: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    text.match_indices(part).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_none_or(|c| !is_letter(c));
        let after = text[at + part.len()..].chars().next().is_none_or(|c| !is_letter(c));
        before && after
    })
}

/// Words that statements of any kind share.
const COMMON_WORDS: [&str; 26] = [
    "decided", "moved", "switched", "using", "from", "with", "instead", "that", "this", "will", "have",
    "there", "their", "into", "over", "should", "must", "never", "always", "prefer", "done", "does", "todo",
    "before", "after", "user",
];

/// Whether two statements have nearly the same words.
fn share_words(one: &[String], other: &[String]) -> bool {
    let shared = one.iter().filter(|word| other.contains(word)).count() as f64;
    let longer = one.len().max(other.len()) as f64;
    longer > 0.0 && shared / longer >= SHARED_MIN
}

/// What is remembered of a note.
fn request(namespace: &Namespace, session: &Session, item: &Item, id: MemoryId) -> Remember {
    let mut request = Remember::new(content(item)).in_namespace(namespace.clone()).kind(kind(item));
    request.layer = Some(Layer::LongTerm);
    request.importance = Some(importance(item.priority));
    request.id = Some(id);
    request.facets.source = Some(SOURCE.to_owned());
    request.facets.occurred_at = Some(item.made_at);
    request.facets.entry = item.origins.iter().find_map(|origin| match origin {
        Origin::Entry(entry) => Some(*entry),
        _ => None,
    });
    let mut note = Map::new();
    note.insert("session".to_owned(), Value::from(session.as_str()));
    note.insert("note".to_owned(), Value::from(item.id.to_string()));
    if let Some(kind) = &item.kind {
        note.insert("kind".to_owned(), Value::from(kind.as_str()));
    }
    request.facets.metadata.insert("notes".to_owned(), Value::Object(note));
    request
}

/// What the memory of a note says.
fn content(item: &Item) -> String {
    match item.progress {
        Progress::Open => item.text.clone(),
        Progress::Done => format!("{DONE}{}", item.text),
    }
}

fn kind(item: &Item) -> Kind {
    match item.kind.as_deref() {
        Some("decision" | "correction") => Kind::Decision,
        Some("preference") => Kind::Preference,
        Some("constraint") => Kind::Procedure,
        _ => Kind::Fact,
    }
}

fn importance(priority: Priority) -> Importance {
    let value = match priority {
        Priority::High => 0.8,
        Priority::Medium => 0.6,
        Priority::Low => 0.4,
    };
    Importance::new(value).unwrap_or_default()
}

/// The id of a note's memory: it follows from the note, so that telling it again makes it once.
fn memory_id(namespace: &Namespace, session: &Session, item: &Item) -> MemoryId {
    let mut hasher = blake3::Hasher::new();
    let id = item.id.to_string();
    for part in ["note", namespace.as_str(), session.as_str(), &id] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    MemoryId::from_bytes(identity(item.made_at, &hasher))
}
