//! What two states of a store differ in, memory by memory, and session by session of the notes.
//!
//! Both sides are read page by page in the same order, so that nothing grows with the number of memories.

use std::collections::BTreeMap;

use peri_notes::Parcel;
use peri_store::{ListQuery, Order, Page, Store, StoreError, Trashed};
use peri_types::{Memory, MemoryId, Namespace, Scope};
use serde::Serialize;

use crate::{Error, NotesState};

/// Memories are read so many at a time.
const PAGE: usize = 256;

/// What became of a memory between two states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// It is only in the second.
    Added,
    /// It is only in the first.
    Removed,
    /// It says something else.
    Reworded,
    /// It says the same, and something about it is different.
    Altered,
    /// It lies in the trash in the second alone.
    Trashed,
    /// It lies in the trash in the first alone.
    Restored,
}

impl DifferenceKind {
    /// Every kind, in the order they are told.
    pub const ALL: [Self; 6] =
        [Self::Added, Self::Removed, Self::Reworded, Self::Altered, Self::Trashed, Self::Restored];

    /// The name used in the CLI and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Reworded => "reworded",
            Self::Altered => "altered",
            Self::Trashed => "trashed",
            Self::Restored => "restored",
        }
    }
}

/// One memory that is not the same in both states.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// What became of it.
    pub kind: DifferenceKind,
    /// Where it is.
    pub namespace: Namespace,
    /// Which one.
    pub id: MemoryId,
    /// What it says in the second state, or in the first if it is only there.
    pub content: String,
    /// The parts that are different, if it is in both.
    pub parts: Vec<&'static str>,
}

/// How many memories of a namespace became what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamespaceDifference {
    /// Which namespace.
    pub namespace: Namespace,
    /// How many were added.
    pub added: u64,
    /// How many were removed.
    pub removed: u64,
    /// How many say something else.
    pub reworded: u64,
    /// How many say the same, and are different otherwise.
    pub altered: u64,
    /// How many went to the trash.
    pub trashed: u64,
    /// How many came back from it.
    pub restored: u64,
}

impl NamespaceDifference {
    fn none(namespace: Namespace) -> Self {
        Self { namespace, added: 0, removed: 0, reworded: 0, altered: 0, trashed: 0, restored: 0 }
    }

    /// How many became this.
    pub fn of(&self, kind: DifferenceKind) -> u64 {
        match kind {
            DifferenceKind::Added => self.added,
            DifferenceKind::Removed => self.removed,
            DifferenceKind::Reworded => self.reworded,
            DifferenceKind::Altered => self.altered,
            DifferenceKind::Trashed => self.trashed,
            DifferenceKind::Restored => self.restored,
        }
    }

    /// How many are different at all.
    pub fn total(&self) -> u64 {
        DifferenceKind::ALL.into_iter().map(|kind| self.of(kind)).sum()
    }

    fn count(&mut self, kind: DifferenceKind) {
        *match kind {
            DifferenceKind::Added => &mut self.added,
            DifferenceKind::Removed => &mut self.removed,
            DifferenceKind::Reworded => &mut self.reworded,
            DifferenceKind::Altered => &mut self.altered,
            DifferenceKind::Trashed => &mut self.trashed,
            DifferenceKind::Restored => &mut self.restored,
        } += 1;
    }
}

/// Compares two states and tells every difference, by namespace and id; how many there are is the answer, without the
/// namespaces that are the same. Zones and vectors are left out, since they follow from the rest.
pub fn compare(
    first: &dyn Store,
    second: &dyn Store,
    found: &mut dyn FnMut(Difference),
) -> Result<Vec<NamespaceDifference>, StoreError> {
    let mut namespaces = first.namespaces(&Scope::All)?;
    namespaces.extend(second.namespaces(&Scope::All)?);
    namespaces.sort();
    namespaces.dedup();
    let mut counts = Vec::new();
    for namespace in namespaces {
        let mut count = NamespaceDifference::none(namespace.clone());
        let mut told = |difference: Difference| {
            count.count(difference.kind);
            found(difference);
        };
        compare_namespace(Side::new(first, &namespace)?, Side::new(second, &namespace)?, &mut told)?;
        if count.total() > 0 {
            counts.push(count);
        }
    }
    Ok(counts)
}

/// What became of the notes of a session, or of the digest of a namespace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotesDifference {
    /// Where they are.
    pub namespace: Namespace,
    /// Of which session; none for the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How many notes are only in the second state.
    pub added: u64,
    /// How many are only in the first.
    pub removed: u64,
    /// How many say something else.
    pub reworded: u64,
}

/// Tells of which sessions and digests something is different, and how many notes are. Where none is, something about
/// them is different, such as what waits to be observed.
pub fn compare_notes(first: &NotesState, second: &NotesState) -> Result<Vec<NotesDifference>, Error> {
    let mut namespaces = first.namespaces()?;
    namespaces.extend(second.namespaces()?);
    namespaces.sort();
    namespaces.dedup();
    let mut found = Vec::new();
    for namespace in namespaces {
        let (mut old, new) = (first.of(&namespace)?, second.of(&namespace)?);
        let mut both: BTreeMap<_, _> = new.into_iter().map(|(of, own)| (of, (None, Some(own)))).collect();
        while let Some((of, own)) = old.pop_first() {
            both.entry(of).or_insert((None, None)).0 = Some(own);
        }
        for (session, (old, new)) in both.into_iter().filter(|(_, (old, new))| old != new) {
            let session = session.map(|session| session.to_string());
            found.push(notes_difference(namespace.clone(), session, old.as_ref(), new.as_ref()));
        }
    }
    Ok(found)
}

fn notes_difference(
    namespace: Namespace,
    session: Option<String>,
    old: Option<&Parcel>,
    new: Option<&Parcel>,
) -> NotesDifference {
    let notes = |parcel: Option<&Parcel>| parcel.map(Parcel::notes).unwrap_or_default();
    let (old, new) = (notes(old), notes(new));
    let count = |wanted: &dyn Fn(&String) -> bool, of: &BTreeMap<String, String>| {
        of.keys().filter(|id| wanted(id)).count() as u64
    };
    NotesDifference {
        namespace,
        session,
        added: count(&|id| !old.contains_key(id), &new),
        removed: count(&|id| !new.contains_key(id), &old),
        reworded: count(&|id| old.get(id).is_some_and(|text| new.get(id) != Some(text)), &new),
    }
}

fn compare_namespace(
    mut first: Side<'_>,
    mut second: Side<'_>,
    found: &mut dyn FnMut(Difference),
) -> Result<(), StoreError> {
    loop {
        let (old, new) = match (first.peek(), second.peek()) {
            (None, None) => return Ok(()),
            (Some(_), None) => (first.take()?, None),
            (None, Some(_)) => (None, second.take()?),
            (Some(old), Some(new)) if old < new => (first.take()?, None),
            (Some(old), Some(new)) if new < old => (None, second.take()?),
            _ => (first.take()?, second.take()?),
        };
        if let Some(difference) = difference(old, new) {
            found(difference);
        }
    }
}

fn difference(old: Option<Memory>, new: Option<Memory>) -> Option<Difference> {
    let (kind, memory, parts) = match (old, new) {
        (Some(old), Some(new)) => {
            let parts = parts(&old, &new);
            let kind = match (old.trashed_at.is_some(), new.trashed_at.is_some()) {
                (false, true) => DifferenceKind::Trashed,
                (true, false) => DifferenceKind::Restored,
                _ if parts.is_empty() => return None,
                _ if parts.contains(&"content") => DifferenceKind::Reworded,
                _ => DifferenceKind::Altered,
            };
            (kind, new, parts)
        }
        (Some(old), None) => (DifferenceKind::Removed, old, Vec::new()),
        (None, Some(new)) => (DifferenceKind::Added, new, Vec::new()),
        (None, None) => return None,
    };
    Some(Difference { kind, namespace: memory.namespace, id: memory.id, content: memory.content, parts })
}

/// The parts in which two states of a memory differ.
fn parts(old: &Memory, new: &Memory) -> Vec<&'static str> {
    let (a, b) = (&old.facets, &new.facets);
    [
        ("content", old.content != new.content),
        ("layer", old.layer != new.layer),
        ("kind", old.kind != new.kind),
        ("importance", old.importance != new.importance),
        ("pinned", a.pinned != b.pinned),
        ("tags", a.tags != b.tags),
        ("aliases", a.aliases != b.aliases),
        ("session", a.session != b.session),
        ("speaker", a.speaker != b.speaker),
        ("source", a.source != b.source),
        ("occurred_at", a.occurred_at != b.occurred_at),
        ("expires_at", a.expires_at != b.expires_at),
        ("valid_from", a.valid_from != b.valid_from),
        ("valid_until", a.valid_until != b.valid_until),
        ("superseded_by", a.superseded_by != b.superseded_by),
        ("metadata", a.metadata != b.metadata),
        ("key", a.key != b.key),
        ("context", a.context != b.context),
        ("data", a.data != b.data),
        ("created_at", old.created_at != new.created_at),
        ("version", old.version != new.version),
    ]
    .into_iter()
    .filter_map(|(part, different)| different.then_some(part))
    .collect()
}

/// The memories of a namespace in the order of their ids, whether in the trash or not.
struct Side<'a> {
    kept: Pages<'a>,
    trashed: Pages<'a>,
}

impl<'a> Side<'a> {
    fn new(store: &'a dyn Store, namespace: &Namespace) -> Result<Self, StoreError> {
        Ok(Self {
            kept: Pages::new(store, namespace, Trashed::Without)?,
            trashed: Pages::new(store, namespace, Trashed::Only)?,
        })
    }

    fn peek(&self) -> Option<MemoryId> {
        [self.kept.peek(), self.trashed.peek()].into_iter().flatten().min()
    }

    fn take(&mut self) -> Result<Option<Memory>, StoreError> {
        let kept_first = match (self.kept.peek(), self.trashed.peek()) {
            (Some(kept), Some(trashed)) => kept < trashed,
            (kept, _) => kept.is_some(),
        };
        if kept_first { self.kept.take() } else { self.trashed.take() }
    }
}

/// One side of the trash, page by page.
struct Pages<'a> {
    store: &'a dyn Store,
    query: ListQuery,
    page: std::vec::IntoIter<Memory>,
    more: bool,
}

impl<'a> Pages<'a> {
    fn new(store: &'a dyn Store, namespace: &Namespace, trashed: Trashed) -> Result<Self, StoreError> {
        let query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            trashed,
            as_kept: true,
            order: Order::OldestFirst,
            limit: PAGE,
            ..ListQuery::default()
        };
        let mut pages = Self { store, query, page: Vec::new().into_iter(), more: true };
        pages.fill()?;
        Ok(pages)
    }

    fn peek(&self) -> Option<MemoryId> {
        self.page.as_slice().first().map(|memory| memory.id)
    }

    fn take(&mut self) -> Result<Option<Memory>, StoreError> {
        let taken = self.page.next();
        if self.page.len() == 0 {
            self.fill()?;
        }
        Ok(taken)
    }

    fn fill(&mut self) -> Result<(), StoreError> {
        if self.more {
            let Page { memories, next } = self.store.list(&self.query)?;
            self.more = next.is_some();
            self.query.after = next;
            self.page = memories.into_iter();
        }
        Ok(())
    }
}
