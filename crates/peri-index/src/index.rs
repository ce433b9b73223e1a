//! The index itself: how memories enter and leave it, and what it says about each.

use peri_types::{ChangeNumber, MemoryId, SpaceId};

use crate::census::Census;
use crate::days::{Days, NO_DAY};
use crate::graph::Graph;
use crate::lexicon::Lexicon;
use crate::sessions::Sessions;
use crate::table::{NONE, Table};
use crate::vectors::Vectors;
use crate::{Doc, Entry, Facts, VectorSettings, Window};

/// Everything that is searched of one namespace.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) space: Option<SpaceId>,
    pub(crate) analysis_version: u32,
    pub(crate) head: ChangeNumber,
    pub(crate) table: Table,
    pub(crate) sessions: Sessions,
    pub(crate) days: Days,
    pub(crate) lexicon: Lexicon,
    pub(crate) vectors: Vectors,
    pub(crate) graph: Graph,
    pub(crate) settings: VectorSettings,
    /// The whole that this is a part of, if it is.
    pub(crate) census: Option<Box<Census>>,
}

impl Index {
    /// An empty index for vectors of a space (or for words alone) and for words of an analysis.
    pub fn new(space: Option<SpaceId>, analysis_version: u32) -> Self {
        let dimensions = space.as_ref().map_or(0, |space| space.dimensions as usize);
        Self {
            space,
            analysis_version,
            head: ChangeNumber::default(),
            table: Table::default(),
            sessions: Sessions::default(),
            days: Days::default(),
            lexicon: Lexicon::default(),
            vectors: Vectors::new(dimensions),
            graph: Graph::new(VectorSettings::default().m),
            settings: VectorSettings::default(),
            census: None,
        }
    }

    /// How vectors are searched.
    pub fn settings(&self) -> VectorSettings {
        self.settings
    }

    /// Changes how vectors are searched. Another number of links drops the graph, to be built again.
    pub fn set_settings(&mut self, settings: VectorSettings) {
        self.settings = settings;
        if self.graph.m != settings.m.max(2) {
            self.graph = Graph::new(settings.m);
        }
    }

    /// How many documents wait to be linked into the graph; 0 while there are too few to need one.
    pub fn graph_lag(&self) -> usize {
        let few = self.graph.covered == 0 && self.vectors.present.ones() <= self.settings.flat_max;
        if few { 0 } else { self.vectors.len() - self.graph.covered }
    }

    /// Links up to so many waiting documents into the graph; how many still wait. Searches are right at any
    /// time: what is not linked yet is scanned.
    pub fn extend_graph(&mut self, inserts_max: usize) -> usize {
        for _ in 0..inserts_max.min(self.graph_lag()) {
            let doc = self.graph.covered;
            let wanted = self.vectors.present.get(doc) && self.table.alive.get(doc);
            self.graph.cover_next(&self.vectors, self.settings.ef_construction, wanted);
        }
        self.graph_lag()
    }

    /// The space of its vectors.
    pub fn space(&self) -> Option<&SpaceId> {
        self.space.as_ref()
    }

    /// The version of the analysis that its words came from.
    pub fn analysis_version(&self) -> u32 {
        self.analysis_version
    }

    /// Every change up to this one has been applied.
    pub fn head(&self) -> ChangeNumber {
        self.head
    }

    /// Notes that every change up to this one has been applied.
    pub fn set_head(&mut self, head: ChangeNumber) {
        self.head = head;
    }

    /// Enters a memory, in the place of what was known under its id.
    pub fn upsert(&mut self, entry: &Entry<'_>) -> Doc {
        self.remove(entry.id);
        let session = self.sessions.intern(entry.session, entry.day);
        let doc = self.table.push(entry, session);
        self.lexicon.add(doc.0, entry.terms);
        self.vectors.push(entry.vector);
        self.sessions.insert(&self.table, &self.vectors, doc);
        self.days.insert(&self.table, doc);
        doc
    }

    /// Takes a memory out; whether it was there.
    pub fn remove(&mut self, id: MemoryId) -> bool {
        let Some(doc) = self.table.find(id) else { return false };
        self.sessions.remove(&self.table, &self.vectors, doc);
        self.days.remove(&self.table, doc);
        self.vectors.forget(doc);
        self.table.kill(doc);
        true
    }

    /// Whether a memory is in it.
    pub fn contains(&self, id: MemoryId) -> bool {
        self.doc_of(id).is_some()
    }

    /// How many memories it holds.
    pub fn len(&self) -> usize {
        self.table.alive.ones()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many memories have no vector.
    pub fn unembedded(&self) -> usize {
        self.table.alive.iter().filter(|&doc| !self.vectors.present.get(doc)).count()
    }

    /// A memory's document.
    pub fn doc_of(&self, id: MemoryId) -> Option<Doc> {
        self.table.find(id)
    }

    /// What is known of a document; None for one that is not, or no longer, in the index.
    pub fn facts(&self, doc: Doc) -> Option<Facts> {
        self.table.facts(doc).filter(|_| self.table.alive.get(doc.index()))
    }

    /// Whether a document belongs to a conversation.
    pub fn in_session(&self, doc: Doc) -> bool {
        self.table.session.get(doc.index()).is_some_and(|&number| number != NONE)
    }

    /// The caller's own signals of a document; 0 for one that is not in the index.
    pub fn flags(&self, doc: Doc) -> u8 {
        self.table.flags.get(doc.index()).copied().unwrap_or(0)
    }

    /// A document's length in words; 0 for one that is not in the index.
    pub fn length(&self, doc: Doc) -> u32 {
        self.table.length.get(doc.index()).copied().unwrap_or(0)
    }

    /// The name of the conversation that a document belongs to.
    pub fn session_name(&self, doc: Doc) -> Option<&str> {
        let number = *self.table.session.get(doc.index())?;
        (number != NONE).then(|| self.sessions.name(number))
    }

    /// Who said it.
    pub fn speaker_name(&self, doc: Doc) -> Option<&str> {
        let number = *self.table.speaker.get(doc.index())?;
        (number != NONE).then(|| self.table.speakers.get(number))
    }

    /// The names of everybody who said something, in the order they were first heard.
    pub fn speakers(&self) -> impl Iterator<Item = &str> {
        let whole = self.census.as_ref().map(|census| &census.speakers);
        let count = whole.map_or(self.table.speakers.len(), Vec::len);
        (0..count).map(move |at| match whole {
            Some(names) => names[at].as_str(),
            None => self.table.speakers.get(at as u32),
        })
    }

    /// How many documents hold a word, counting those that were removed until the index is compacted.
    pub fn frequency(&self, term: &str) -> u32 {
        if let Some(whole) = self.census_of(term) {
            return whole.documents;
        }
        self.lexicon.names.find(term).map_or(0, |number| self.lexicon.terms[number as usize].count)
    }

    /// A document's word tokens, as they were given.
    pub fn tokens(&self, doc: Doc) -> &[u16] {
        self.table.tokens.of(doc.index())
    }

    /// The day that a document belongs to.
    pub fn day(&self, doc: Doc) -> Option<i32> {
        self.table.day.get(doc.index()).copied().filter(|&day| day != NO_DAY)
    }

    /// The documents of a day.
    pub fn day_docs(&self, day: i32) -> &[Doc] {
        self.days.docs(day)
    }

    /// Whether a document has a vector.
    pub fn has_vector(&self, doc: Doc) -> bool {
        self.vectors.present.get(doc.index())
    }

    /// The document so many places later (or, below zero, earlier) in the same conversation.
    pub fn neighbour(&self, doc: Doc, offset: i32) -> Option<Doc> {
        let docs = self.session_docs(doc);
        let place = if docs.len() > 1 { self.sessions.position(doc) } else { 0 };
        docs.get(place.checked_add_signed(offset as isize)?).copied()
    }

    /// The documents of the same conversation, in the order they were said, this one included. A document
    /// without a conversation has none, nor has one that is no longer in the index.
    pub fn session_docs(&self, doc: Doc) -> &[Doc] {
        self.sessions.of(&self.table, doc).map_or(&[], |session| &session.docs)
    }

    /// The words of a document's whole conversation, or of the document if it has none.
    pub fn session_length(&self, doc: Doc) -> u64 {
        let own = self.table.length.get(doc.index()).map_or(0, |&length| u64::from(length));
        self.sessions.of(&self.table, doc).map_or(own, |session| session.length)
    }

    /// A document with so many of its conversation before and after it; at least the document itself.
    pub fn window(&self, doc: Doc, before: usize, after: usize) -> Window<'_> {
        let docs = self.session_docs(doc);
        if docs.is_empty() {
            return Window::Alone(doc);
        }
        let place = self.sessions.position(doc);
        let end = docs.len().min(place.saturating_add(after).saturating_add(1));
        Window::Among(&docs[place.saturating_sub(before)..end])
    }

    /// The average length of its documents, in words; never zero.
    pub fn average_length(&self) -> f32 {
        if let Some(census) = &self.census {
            return (census.words as f32 / census.documents.max(1) as f32).max(1e-3);
        }
        (self.table.words_total as f32 / self.len().max(1) as f32).max(1e-3)
    }

    /// About how many bytes of memory it takes.
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>()
            + self.table.memory_bytes()
            + self.sessions.memory_bytes()
            + self.days.memory_bytes()
            + self.lexicon.memory_bytes()
            + self.vectors.memory_bytes()
            + self.graph.memory_bytes()
    }
}
