//! What the index knows of each document besides its words and its vector: one column per field.

use std::sync::Arc;

use peri_types::{Kind, Layer, MemoryId};

use crate::bits::Bits;
use crate::days::NO_DAY;
use crate::hash::{HashIndex, hash_bytes};
use crate::names::Names;
use crate::tokens::Tokens;

/// Stands for "no session", "no speaker" in the columns.
pub(crate) const NONE: u32 = u32::MAX;
/// Stands for "never expires".
pub(crate) const NEVER: i64 = i64::MAX;

/// A document's number inside one index. A memory that changes gets a new one; numbers are given in
/// ascending order and mean nothing outside the index, nor after it was compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Doc(pub(crate) u32);

impl Doc {
    pub(crate) fn at(index: usize) -> Self {
        Self(index as u32)
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the index is told of a memory.
#[derive(Debug, Clone)]
pub struct Entry<'a> {
    /// Whose entry it is; one with the same id replaces the earlier one.
    pub id: MemoryId,
    /// When it was said, in milliseconds since 1970.
    pub at: i64,
    /// The day it belongs to, counted from 1970. A conversation that goes on for days is one for each.
    pub day: Option<i32>,
    /// Its lifetime policy.
    pub layer: Layer,
    /// What it is.
    pub kind: Kind,
    /// Whether it is kept near for good.
    pub pinned: bool,
    /// How much it was said to matter, 0 to 1.
    pub importance: f32,
    /// From when on it must not be seen, in milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// Whether another memory took its place.
    pub superseded: bool,
    /// The conversation it belongs to.
    pub session: Option<&'a str>,
    /// Who said it.
    pub speaker: Option<&'a str>,
    /// What it is filed under.
    pub tags: &'a [String],
    /// Its analysed words, each once, with how often it occurs.
    pub terms: &'a [(String, u16)],
    /// Its word tokens, which the index keeps for the ranking without looking at them.
    pub tokens: &'a [u16],
    /// Its length in words, for length normalisation.
    pub length: u32,
    /// Signals for the ranking that the index keeps without looking at them.
    pub flags: u8,
    /// Its vector in the index's space. It is scaled to length one; a vector of another dimension, of
    /// length zero or with a value that is not finite counts as none.
    pub vector: Option<&'a [f32]>,
}

/// What the index remembers of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facts {
    /// Whose it is.
    pub id: MemoryId,
    /// When it was said, in milliseconds since 1970.
    pub at: i64,
    /// Its lifetime policy.
    pub layer: Layer,
    /// What it is.
    pub kind: Kind,
    /// Whether it is kept near for good.
    pub pinned: bool,
    /// How much it was said to matter, 0 to 1.
    pub importance: f32,
    /// From when on it must not be seen.
    pub expires_at: Option<i64>,
    /// Whether another memory took its place.
    pub superseded: bool,
    /// Its length in words.
    pub length: u32,
    /// The caller's own signals.
    pub flags: u8,
}

/// The columns. All vectors have one item per document ever added, dead ones included.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) ids: Vec<MemoryId>,
    pub(crate) at: Vec<i64>,
    pub(crate) expires_at: Vec<i64>,
    pub(crate) importance: Vec<f32>,
    pub(crate) length: Vec<u32>,
    /// The day, or [`NO_DAY`].
    pub(crate) day: Vec<i32>,
    pub(crate) session: Vec<u32>,
    pub(crate) speaker: Vec<u32>,
    pub(crate) layer: Vec<u8>,
    pub(crate) kind: Vec<u8>,
    pub(crate) flags: Vec<u8>,
    pub(crate) tokens: Tokens,
    pub(crate) pinned: Bits,
    /// Not removed nor replaced. Shared with masks, so that "no filter" costs nothing.
    pub(crate) alive: Arc<Bits>,
    /// Alive and not superseded.
    pub(crate) current: Arc<Bits>,
    pub(crate) speakers: Names,
    pub(crate) tags: Names,
    /// Each tag's documents, ascending, dead ones included.
    pub(crate) tag_docs: Vec<Vec<u32>>,
    /// Documents that can expire, some of them dead; usually few, so that expiry is checked on these alone.
    pub(crate) expiring: Vec<u32>,
    /// Words of all living documents together.
    pub(crate) words_total: u64,
    pub(crate) index: HashIndex,
}

impl Table {
    /// How many documents were ever added.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// How many of them are dead.
    pub(crate) fn dead(&self) -> usize {
        self.len() - self.alive.ones()
    }

    /// The living document of a memory.
    pub(crate) fn find(&self, id: MemoryId) -> Option<Doc> {
        let found = self.index.find(hash_id(id), |doc| self.ids[doc as usize] == id)?;
        self.alive.get(found as usize).then_some(Doc(found))
    }

    /// Appends a document. Its session is entered by the caller, who knows the session's number.
    pub(crate) fn push(&mut self, entry: &Entry<'_>, session: u32) -> Doc {
        let doc = u32::try_from(self.len()).ok().filter(|&doc| doc != NONE);
        let doc = doc.expect("an index holds fewer than four thousand million documents");
        self.ids.push(entry.id);
        self.at.push(entry.at);
        self.expires_at.push(entry.expires_at.unwrap_or(NEVER));
        self.importance.push(entry.importance);
        self.length.push(entry.length);
        self.day.push(entry.day.unwrap_or(NO_DAY));
        self.tokens.push(entry.tokens);
        self.session.push(session);
        self.speaker.push(entry.speaker.map_or(NONE, |name| self.speakers.intern(name)));
        self.layer.push(entry.layer.code());
        self.kind.push(entry.kind.code());
        self.flags.push(entry.flags);
        self.pinned.push(entry.pinned);
        Arc::make_mut(&mut self.alive).push(true);
        Arc::make_mut(&mut self.current).push(!entry.superseded);
        self.words_total += u64::from(entry.length);
        self.push_tags(doc, entry.tags);
        if entry.expires_at.is_some() {
            self.push_expiring(doc);
        }
        self.enter_id(doc);
        Doc(doc)
    }

    fn push_tags(&mut self, doc: u32, tags: &[String]) {
        for tag in tags {
            let number = self.tags.intern(tag) as usize;
            if number == self.tag_docs.len() {
                self.tag_docs.push(Vec::new());
            }
            if self.tag_docs[number].last() != Some(&doc) {
                self.tag_docs[number].push(doc);
            }
        }
    }

    /// Dead documents leave the list when it would have to grow, so that neither killing nor asking ever
    /// pays for more than a small multiple of the living.
    fn push_expiring(&mut self, doc: u32) {
        if self.expiring.len() == self.expiring.capacity() {
            let alive = &self.alive;
            self.expiring.retain(|&expiring| alive.get(expiring as usize));
        }
        self.expiring.push(doc);
    }

    /// Marks a document dead. It keeps its row until the index is compacted.
    pub(crate) fn kill(&mut self, doc: Doc) {
        if self.alive.get(doc.index()) {
            Arc::make_mut(&mut self.alive).remove(doc.index());
            Arc::make_mut(&mut self.current).remove(doc.index());
            self.words_total -= u64::from(self.length[doc.index()]);
        }
    }

    pub(crate) fn facts(&self, doc: Doc) -> Option<Facts> {
        let at = doc.index();
        Some(Facts {
            id: *self.ids.get(at)?,
            at: self.at[at],
            layer: Layer::from_code(self.layer[at])?,
            kind: Kind::from_code(self.kind[at])?,
            pinned: self.pinned.get(at),
            importance: self.importance[at],
            expires_at: (self.expires_at[at] != NEVER).then_some(self.expires_at[at]),
            superseded: self.alive.get(at) && !self.current.get(at),
            length: self.length[at],
            flags: self.flags[at],
        })
    }

    /// Indexes the ids anew; for tables put together from their parts.
    pub(crate) fn index_ids(&mut self) {
        self.index = HashIndex::with_capacity(self.len());
        (0..self.len() as u32).for_each(|doc| self.enter_id(doc));
    }

    fn enter_id(&mut self, doc: u32) {
        let (ids, id) = (&self.ids, self.ids[doc as usize]);
        let hash_of = |other: u32| hash_id(ids[other as usize]);
        self.index.put(hash_id(id), doc, |other| ids[other as usize] == id, hash_of);
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let columns = self.ids.capacity() * 16
            + (self.at.capacity() + self.expires_at.capacity()) * 8
            + (self.importance.capacity() + self.length.capacity()) * 4
            + self.tokens.memory_bytes()
            + self.day.capacity() * 4
            + (self.session.capacity() + self.speaker.capacity() + self.expiring.capacity()) * 4
            + self.layer.capacity()
            + self.kind.capacity()
            + self.flags.capacity();
        let sets = self.pinned.memory_bytes() + self.alive.memory_bytes() + self.current.memory_bytes();
        let tags: usize = self.tag_docs.iter().map(|docs| docs.capacity() * 4 + 24).sum();
        columns
            + sets
            + tags
            + self.speakers.memory_bytes()
            + self.tags.memory_bytes()
            + self.index.memory_bytes()
    }
}

fn hash_id(id: MemoryId) -> u64 {
    hash_bytes(id.as_bytes())
}
