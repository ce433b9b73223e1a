//! Conversations: which documents belong to each, in the order they were said.

use std::cmp::Ordering;
use std::ops::Deref;
use std::slice;
use std::sync::OnceLock;

use crate::Doc;
use crate::days::NO_DAY;
use crate::names::Names;
use crate::table::{NONE, Table};
use crate::vectors::Vectors;

/// Sessions shorter than this are summed when asked; keeping a sum each would double the index's size
/// where every memory is a session of its own.
const SUM_KEPT_FROM: usize = 4;

/// Stands between a session's name and its day in the table of names.
const DAY_MARK: char = '\u{1f}';

/// A document and those around it in its conversation, in the order they were said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window<'a> {
    /// It belongs to no conversation.
    Alone(Doc),
    /// It and those around it.
    Among(&'a [Doc]),
}

impl Deref for Window<'_> {
    type Target = [Doc];

    fn deref(&self) -> &[Doc] {
        match self {
            Self::Alone(doc) => slice::from_ref(doc),
            Self::Among(docs) => docs,
        }
    }
}

/// One conversation's living documents and what they add up to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Session {
    /// Ordered by (at, id).
    pub(crate) docs: Vec<Doc>,
    /// Words of all its documents.
    pub(crate) length: u64,
    /// The sum of their vectors, made when first asked for and kept up to date from then on.
    sum: OnceLock<Vec<f32>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Sessions {
    pub(crate) names: Names,
    pub(crate) all: Vec<Session>,
    /// Each document's place in its session. An insertion in the middle moves those after it, which costs
    /// as many writes; appending, the common case, costs one.
    position: Vec<u32>,
    /// Sessions with at least one document.
    occupied: usize,
    /// Words of all sessions together.
    words_total: u64,
}

impl Sessions {
    /// The number of a session on a day, given now if it has none. A channel that runs for months is taken
    /// apart, so that its parts stand as conversations beside those of an hour.
    pub(crate) fn intern(&mut self, name: Option<&str>, day: Option<i32>) -> u32 {
        let Some(name) = name else { return NONE };
        let number = self.names.intern(&format!("{name}{DAY_MARK}{}", day.unwrap_or(NO_DAY)));
        if number as usize == self.all.len() {
            self.all.push(Session::default());
        }
        number
    }

    /// The name that a session was given, without its day.
    pub(crate) fn name(&self, number: u32) -> &str {
        let name = self.names.get(number);
        name.rsplit_once(DAY_MARK).map_or(name, |(name, _)| name)
    }

    /// The name that a session was given, and its day.
    pub(crate) fn key(&self, number: u32) -> (&str, Option<i32>) {
        let name = self.names.get(number);
        let day = |text: &str| text.parse().ok().filter(|day| *day != NO_DAY);
        name.rsplit_once(DAY_MARK).map_or((name, None), |(name, text)| (name, day(text)))
    }

    /// The numbers of a name on all its days.
    pub(crate) fn numbers_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = u32> + 'a {
        (0..self.names.len() as u32).filter(move |&number| self.name(number) == name)
    }

    /// How many sessions have at least one document.
    pub(crate) fn occupied(&self) -> usize {
        self.occupied
    }

    /// The average length of a session, in words; never zero.
    pub(crate) fn average_length(&self) -> f32 {
        (self.words_total as f32 / self.occupied.max(1) as f32).max(1e-3)
    }

    /// The session of a living document.
    pub(crate) fn of(&self, table: &Table, doc: Doc) -> Option<&Session> {
        let number = *table.session.get(doc.index())?;
        self.all.get(number as usize).filter(|_| table.alive.get(doc.index()))
    }

    /// Where a living document stands in its session.
    pub(crate) fn position(&self, doc: Doc) -> usize {
        self.position[doc.index()] as usize
    }

    /// Enters a document that the table and the vectors hold already.
    pub(crate) fn insert(&mut self, table: &Table, vectors: &Vectors, doc: Doc) {
        self.position.resize(table.len(), 0);
        let Some(session) = self.all.get_mut(table.session[doc.index()] as usize) else { return };
        let place = session.docs.partition_point(|&other| order(table, other, doc).is_lt());
        session.docs.insert(place, doc);
        session.length += u64::from(table.length[doc.index()]);
        self.words_total += u64::from(table.length[doc.index()]);
        self.occupied += usize::from(session.docs.len() == 1);
        if let Some(sum) = session.sum.get_mut() {
            vectors.add_to(sum, doc, 1.0);
        }
        for (at, member) in session.docs.iter().enumerate().skip(place) {
            self.position[member.index()] = at as u32;
        }
    }

    /// Takes a document out, before or after the table marks it dead.
    pub(crate) fn remove(&mut self, table: &Table, vectors: &Vectors, doc: Doc) {
        let Some(session) = self.all.get_mut(table.session[doc.index()] as usize) else { return };
        let place = self.position[doc.index()] as usize;
        if session.docs.get(place) != Some(&doc) {
            return;
        }
        session.docs.remove(place);
        session.length -= u64::from(table.length[doc.index()]);
        self.words_total -= u64::from(table.length[doc.index()]);
        self.occupied -= usize::from(session.docs.is_empty());
        if let Some(sum) = session.sum.get_mut() {
            vectors.add_to(sum, doc, -1.0);
        }
        for (at, member) in session.docs.iter().enumerate().skip(place) {
            self.position[member.index()] = at as u32;
        }
    }

    /// The sessions of a whole table: one sort each instead of many insertions. Every number in the table's
    /// column must have a name.
    pub(crate) fn of_table(names: Names, table: &Table) -> Self {
        let all = (0..names.len()).map(|_| Session::default()).collect();
        let mut sessions = Self { names, all, ..Self::default() };
        sessions.fill(table);
        sessions
    }

    fn fill(&mut self, table: &Table) {
        self.position = vec![0; table.len()];
        for doc in table.alive.iter() {
            if let Some(session) = self.all.get_mut(table.session[doc] as usize) {
                session.docs.push(Doc::at(doc));
                session.length += u64::from(table.length[doc]);
            }
        }
        for session in &mut self.all {
            if !session.docs.is_sorted_by(|&a, &b| order(table, a, b).is_le()) {
                session.docs.sort_unstable_by(|&a, &b| order(table, a, b));
            }
            for (at, member) in session.docs.iter().enumerate() {
                self.position[member.index()] = at as u32;
            }
        }
        self.occupied = self.all.iter().filter(|session| !session.docs.is_empty()).count();
        self.words_total = self.all.iter().map(|session| session.length).sum();
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let session = |one: &Session| {
            one.docs.capacity() * 4 + one.sum.get().map_or(0, |sum| sum.capacity() * 4) + size_of::<Session>()
        };
        self.names.memory_bytes() + self.position.capacity() * 4 + self.all.iter().map(session).sum::<usize>()
    }
}

impl Session {
    /// Calls `with` on the sum of the session's vectors.
    pub(crate) fn with_sum<T>(&self, vectors: &Vectors, with: impl FnOnce(&[f32]) -> T) -> T {
        if self.docs.len() < SUM_KEPT_FROM {
            return with(&vectors.sum_of(&self.docs));
        }
        with(self.sum.get_or_init(|| vectors.sum_of(&self.docs)))
    }
}

/// By time, then by id, so that the order never depends on when something was indexed.
fn order(table: &Table, a: Doc, b: Doc) -> Ordering {
    let key = |doc: Doc| (table.at[doc.index()], table.ids[doc.index()], doc);
    key(a).cmp(&key(b))
}
