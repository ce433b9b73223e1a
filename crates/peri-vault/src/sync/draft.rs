//! What the memories of a document should say, and how they become so.

use perihelion::{Memory, MemoryId};

use super::Pass;
use super::look::{Current, entry_of};
use crate::VaultError;
use crate::document::{Document, Said};
use crate::key::Key;
use crate::metadata::{Entry, Kept, Outgoing, digest_of};

/// What is to be done to the memories.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) drafts: Vec<Draft>,
    pub(super) removals: Vec<Removal>,
}

impl Plan {
    pub(super) fn is_empty(&self) -> bool {
        self.drafts.is_empty() && self.removals.is_empty()
    }
}

/// A document whose memories are to follow it.
pub(super) struct Draft {
    pub(super) key: Key,
    /// The entry as it will be.
    pub(super) entry: Entry,
    /// The digest that the entry has until everything is done.
    pub(super) former_digest: String,
    pub(super) former_path: Option<Key>,
    pub(super) is_new: bool,
    pub(super) operations: Vec<Operation>,
    pub(super) forget: Vec<MemoryId>,
}

/// A document that is gone.
pub(super) struct Removal {
    pub(super) key: Key,
    pub(super) ids: Vec<MemoryId>,
}

/// A memory that is to say something.
pub(super) enum Operation {
    /// A new one, for the part with this number.
    Remember(usize, Box<Said>),
    /// One that is there.
    Revise(usize, Box<Memory>, Box<Said>),
}

impl Pass<'_> {
    /// The memories that a document should have, and how they become so.
    pub(super) fn draft(
        &self,
        mut one: Current,
        former: Option<Entry>,
        former_path: Option<Key>,
    ) -> Result<Draft, VaultError> {
        let text = self.text_of(&mut one)?;
        let document = self.read(&one.seen.key, &text);
        let is_new = former
            .as_ref()
            .is_none_or(|entry| entry.digest.is_empty() && entry.version == 0 && entry.memories.is_empty());
        let former = former.unwrap_or_default();
        let mut left: Vec<(Kept, Option<Memory>)> = Vec::new();
        for kept in former.memories {
            let memory = self.memory(kept.id)?.filter(|memory| memory.trashed_at.is_none());
            left.push((kept, memory));
        }
        left.retain(|(_, memory)| memory.is_some());
        let chosen = self.matched(&document, &mut left);
        let mut entry = Entry {
            version: former.version + 1,
            synced_at: Some(self.now),
            links: outgoing(&document),
            problems: document.problems.clone(),
            ..entry_of(&one)
        };
        let mut operations = Vec::new();
        for (number, (part, own)) in document.parts.into_iter().zip(chosen).enumerate() {
            let content = digest_of(&self.engine.redacted(&part.said.content));
            let (anchor, said) = (part.anchor, Box::new(part.said));
            let Some((kept, Some(memory))) = own else {
                let id = MemoryId::generate(self.now);
                entry.memories.push(Kept { id, version: 0, anchor, content, importance: 0.0 });
                operations.push(Operation::Remember(number, said));
                continue;
            };
            let (version, importance) = (memory.version, memory.importance.value());
            entry.memories.push(Kept { id: kept.id, version, anchor, content, importance });
            if !said.is_said_by(&memory, &|text| self.engine.redacted(text)) {
                operations.push(Operation::Revise(number, Box::new(memory), said));
            }
        }
        let (key, former_digest) = (one.seen.key, former.digest);
        let forget = left.into_iter().map(|(kept, _)| kept.id).collect();
        Ok(Draft { key, entry, former_digest, former_path, is_new, operations, forget })
    }

    /// For each part the memory that it had: by its name, else by what it says, else the next that is left.
    fn matched(
        &self,
        document: &Document,
        left: &mut Vec<(Kept, Option<Memory>)>,
    ) -> Vec<Option<(Kept, Option<Memory>)>> {
        let mut chosen: Vec<Option<(Kept, Option<Memory>)>> = document.parts.iter().map(|_| None).collect();
        let contents: Vec<String> =
            document.parts.iter().map(|part| digest_of(&self.engine.redacted(&part.said.content))).collect();
        for round in 0..3 {
            for (number, part) in
                document.parts.iter().enumerate().filter(|(at, _)| chosen[*at].is_none()).collect::<Vec<_>>()
            {
                let fits = |(kept, _): &(Kept, Option<Memory>)| match round {
                    0 => kept.anchor == part.anchor,
                    1 => kept.content == contents[number],
                    _ => true,
                };
                if let Some(at) = left.iter().position(fits) {
                    chosen[number] = Some(left.remove(at));
                }
            }
        }
        chosen
    }
}

fn outgoing(document: &Document) -> Vec<Outgoing> {
    let parts = document.parts.iter().enumerate();
    let links = parts.flat_map(|(part, own)| own.links.iter().map(move |link| (part, link)));
    let mut outgoing: Vec<Outgoing> = links
        .map(|(part, link)| Outgoing { part, target: link.target.clone(), heading: link.heading.clone() })
        .collect();
    outgoing.dedup();
    outgoing
}
