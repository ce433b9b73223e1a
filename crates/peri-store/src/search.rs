//! Search inside the database, for namespaces that do not fit into memory.
//!
//! What is searched is derived: it follows change numbers like any index, can be dropped at any time and is fed anew.
//! Whoever feeds it says which words a memory holds; the database keeps them, finds the few documents that may matter
//! to a question, and tells the numbers of the whole namespace by which they are ranked.

use peri_types::{ChangeNumber, MemoryId, Namespace};

use crate::StoreError;

/// A database that can search.
pub trait Searcher: Send + Sync {
    /// Whether it can. What is missing is made, if the user may.
    fn readiness(&self) -> Result<Readiness, StoreError>;

    /// How many memories a namespace holds outside the trash, counted up to `max`.
    fn size(&self, namespace: &Namespace, max: usize) -> Result<usize, StoreError>;

    /// The namespaces whose last change has at least this number: only those can hold so many memories.
    fn changed_beyond(&self, number: u64) -> Result<Vec<Namespace>, StoreError>;

    /// How far a namespace has been fed, and its numbers; none if it has not.
    fn state(&self, namespace: &Namespace) -> Result<Option<SearchState>, StoreError>;

    /// Empties what is searched of a namespace and begins anew, by a recipe.
    fn begin(&self, namespace: &Namespace, recipe: &SearchRecipe) -> Result<(), StoreError>;

    /// Makes changes and notes how far they go, together. Nothing is done, and the answer is `false`, if the namespace
    /// has been fed to another change than the one that these follow, or by another recipe.
    fn feed(&self, namespace: &Namespace, feed: &Feed) -> Result<bool, StoreError>;

    /// Says that so many changes are about to be fed: where they are many, vectors are indexed anew afterwards, which costs
    /// less than entering each.
    fn expect(&self, namespace: &Namespace, changes: u64) -> Result<(), StoreError>;

    /// Makes the index of vectors, once everything has been fed. Until then they are compared one by one.
    fn index_vectors(&self, namespace: &Namespace) -> Result<(), StoreError>;

    /// Drops what is searched of a namespace.
    fn end(&self, namespace: &Namespace) -> Result<(), StoreError>;

    /// What is known of words.
    fn look_up(&self, namespace: &Namespace, words: &Words) -> Result<Known, StoreError>;

    /// Everybody who said something, in the order they were first heard.
    fn speakers(&self, namespace: &Namespace) -> Result<Vec<String>, StoreError>;

    /// The documents that may matter.
    fn find(&self, namespace: &Namespace, wanted: &Wanted) -> Result<Found, StoreError>;

    /// Documents by their numbers or by what they stand next to, each once.
    fn read(&self, namespace: &Namespace, reading: &Reading) -> Result<Vec<Numbered>, StoreError>;

    /// What words are called that are known by their numbers.
    fn names(&self, namespace: &Namespace, terms: &[i64]) -> Result<Vec<(i64, String)>, StoreError>;

    /// Conversations by their numbers.
    fn conversations(&self, namespace: &Namespace, numbers: &[i64]) -> Result<Vec<Conversation>, StoreError>;

    /// How many words were said on each of these days.
    fn words_of_days(&self, namespace: &Namespace, days: &[i32]) -> Result<Vec<(i32, u64)>, StoreError>;

    /// What the tables and the indexes of a namespace take on the disk, in bytes.
    fn disk_bytes(&self, namespace: &Namespace) -> Result<(u64, u64), StoreError>;
}

/// Whether a database can search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It cannot, and this is what is missing and what to do.
    Missing(String),
}

/// What must be the same for two feeds to go together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRecipe {
    /// How words and meanings were made. The database only compares it.
    pub name: String,
    /// Of how many numbers a vector is made; zero if there are none.
    pub dimensions: u32,
}

/// How far a namespace has been fed, and its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchState {
    /// By what recipe.
    pub recipe: SearchRecipe,
    /// Every change up to this one has been made.
    pub fed: ChangeNumber,
    /// What the feeder noted with it.
    pub mark: String,
    /// Whether vectors are indexed.
    pub is_indexed: bool,
    /// The numbers of the namespace.
    pub totals: Totals,
}

/// The numbers of a namespace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Totals {
    /// Documents.
    pub documents: u64,
    /// Their words.
    pub words: u64,
    /// Conversations, each day of one by itself, and the words of their documents.
    pub sessions: (u64, u64),
    /// Days, and the words of their documents.
    pub days: (u64, u64),
    /// Documents with a vector.
    pub vectors: u64,
    /// The sum of those vectors; empty if there is none.
    pub vector_sum: Vec<f64>,
}

/// Changes to what is searched.
#[derive(Debug, Clone)]
pub struct Feed {
    /// By what recipe they were made.
    pub recipe: SearchRecipe,
    /// The change that they follow.
    pub after: ChangeNumber,
    /// The last of them.
    pub upto: ChangeNumber,
    /// What to note with it.
    pub mark: String,
    /// What is there now.
    pub documents: Vec<(Document, Terms)>,
    /// What is there no longer.
    pub gone: Vec<MemoryId>,
}

/// Words, each with how often it occurs.
pub type Terms = Vec<(String, u16)>;

/// A memory as it is searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Whose it is.
    pub id: MemoryId,
    /// When it was said, in milliseconds since 1970.
    pub at: i64,
    /// The day it belongs to, counted from 1970.
    pub day: Option<i32>,
    /// The code of its layer.
    pub layer: u8,
    /// The code of its kind.
    pub kind: u8,
    /// Whether it is kept near for good.
    pub pinned: bool,
    /// Whether another took its place.
    pub superseded: bool,
    /// The conversation it belongs to.
    pub session: Option<String>,
    /// Who said it.
    pub speaker: Option<String>,
    /// Its length in words.
    pub length: u32,
    /// What it is filed under.
    pub keys: Vec<String>,
    /// What only the feeder can read.
    pub packed: Vec<u8>,
    /// Its vector.
    pub vector: Option<Vec<f32>>,
}

/// A document as the database holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbered {
    /// Its number. It gets another one when its words change.
    pub number: i64,
    /// The number of its conversation on its day.
    pub conversation: Option<i64>,
    /// The numbers of its words, each with how often it occurs.
    pub terms: Vec<(i64, u16)>,
    /// The document.
    pub document: Document,
}

/// A conversation on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Its number.
    pub number: i64,
    /// What it is called.
    pub name: String,
    /// The day.
    pub day: Option<i32>,
    /// The words of all its documents.
    pub words: u64,
}

/// Words to look up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// How common are they?
    pub terms: Vec<String>,
    /// Which known words could have been meant by them?
    pub slips: Vec<String>,
}

/// What is known of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// The known ones of the words.
    pub terms: Vec<KnownTerm>,
    /// Words that begin like the slips and are about as long, in the order they were first seen.
    pub similar: Vec<String>,
}

/// A word that a namespace knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTerm {
    /// The word.
    pub text: String,
    /// Its number in the database.
    pub number: i64,
    /// How many documents hold it.
    pub documents: u32,
}

/// What to find.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wanted {
    /// Words with how much each weighs. The rarest are looked at in all their documents, the most common ones in those
    /// in which they count most.
    pub terms: Vec<(KnownTerm, f32)>,
    /// The best so many by all words together are found.
    pub best: usize,
    /// A vector, and the documents nearest to it.
    pub vector: Option<Vec<f32>>,
    /// At most so many of them.
    pub nearest: usize,
    /// Only such documents.
    pub filter: SearchFilter,
    /// If the filter lets at most so many through, all of them are found.
    pub few: usize,
}

/// Conditions that every document must meet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// The codes of layers; all if empty.
    pub layers: Vec<u8>,
    /// The codes of kinds; all if empty.
    pub kinds: Vec<u8>,
    /// Said at or after this time.
    pub since: Option<i64>,
    /// Said before this time.
    pub until: Option<i64>,
    /// Of this conversation.
    pub session: Option<String>,
    /// Said by them.
    pub speaker: Option<String>,
    /// Kept near for good, or not.
    pub pinned: Option<bool>,
    /// What it must be filed under.
    pub keys: Vec<String>,
    /// Of one of these stretches of days, both ends included, or said in them without speaking of a day.
    pub days: Vec<(i32, i32)>,
}

impl SearchFilter {
    /// Whether every document meets it.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The best documents by words, the best first.
    pub by_words: Vec<i64>,
    /// Where each of the words occurs, in the order they were given.
    pub occurrences: Vec<Occurrences>,
    /// The nearest documents, the nearest first.
    pub nearest: Vec<i64>,
    /// All documents that the filter lets through, if they are few.
    pub few: Option<Vec<i64>>,
}

/// Where a word occurs, and how often.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// In conversations, by their numbers, in ascending order.
    pub conversations: Vec<(i64, u32)>,
    /// On days, in ascending order.
    pub days: Vec<(i32, u32)>,
    /// Whether all documents that hold the word were looked at.
    pub is_whole: bool,
}

/// What to read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Documents by their numbers.
    Numbers(Vec<i64>),
    /// Documents by whose they are.
    Ids(Vec<MemoryId>),
    /// The documents of conversations, by their numbers, of each at most so many.
    Conversations(Vec<i64>, usize),
    /// So many documents before and after each of these in their conversations.
    Neighbours(Vec<i64>, usize),
    /// What these memories are linked to, either way, at most so many.
    Linked(Vec<MemoryId>, usize),
    /// The documents of stretches of days, both ends included, of each stretch at most so many; and of those that speak
    /// of no day and were said then, as many.
    Days(Vec<(i32, i32)>, usize),
}
