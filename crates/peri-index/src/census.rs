//! What is known of a whole namespace of which an index holds only a part.
//!
//! Where a namespace is searched in a database, an index of the few documents that it found ranks them. How rare a
//! word is, how long a document usually is and who speaks are matters of the whole namespace; the census tells them.

use std::collections::HashMap;

use crate::Index;

/// The numbers of a whole namespace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Census {
    /// How many documents it holds.
    pub documents: usize,
    /// Their words altogether.
    pub words: u64,
    /// Its conversations.
    pub sessions: GroupCensus,
    /// Its days.
    pub days: GroupCensus,
    /// Those conversations of which the index holds anything, by name and day.
    pub in_sessions: HashMap<(String, Option<i32>), GroupTally>,
    /// Those days of which the index holds anything.
    pub in_days: HashMap<i32, GroupTally>,
    /// The words that were looked up. Others are unknown to it.
    pub terms: HashMap<String, TermCensus>,
    /// Further words of the namespace that a slip may have been meant for, in the order they were first seen.
    pub similar: Vec<String>,
    /// Everybody who said something, in the order they were first heard.
    pub speakers: Vec<String>,
    /// How many documents have a vector, and the sum of those; empty if none has.
    pub vectors: usize,
    /// The sum of the vectors.
    pub vector_sum: Vec<f64>,
}

/// Groups of documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GroupCensus {
    /// How many groups hold anything.
    pub count: usize,
    /// The words of all their documents.
    pub words: u64,
}

/// One group as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupTally {
    /// The words of all its documents.
    pub words: u64,
    /// How often each of the words that were looked up occurs.
    pub counts: HashMap<String, u32>,
}

/// How common a word is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TermCensus {
    /// Documents that hold it.
    pub documents: u32,
    /// Conversations that hold it.
    pub sessions: u32,
    /// Days that hold it.
    pub days: u32,
}

impl GroupCensus {
    /// The average length of a group, in words; never zero.
    fn average_length(self) -> f32 {
        (self.words as f32 / self.count.max(1) as f32).max(1e-3)
    }
}

impl Index {
    /// Says of what whole this index is a part. Its own numbers count for nothing from then on.
    pub fn set_census(&mut self, census: Census) {
        self.census = Some(Box::new(census));
    }

    /// How many documents the whole namespace holds.
    pub fn documents(&self) -> usize {
        self.census.as_ref().map_or(self.len(), |census| census.documents.max(self.len()))
    }

    /// What is known of a word, if this index is a part of a whole.
    pub(crate) fn census_of(&self, term: &str) -> Option<TermCensus> {
        self.census.as_ref().map(|census| census.terms.get(term).copied().unwrap_or_default())
    }

    /// What is known of a conversation, if this index is a part of a whole.
    pub(crate) fn session_tally(&self, session: u32) -> Option<&GroupTally> {
        let census = self.census.as_ref()?;
        let (name, day) = self.sessions.key(session);
        census.in_sessions.get(&(name.to_owned(), day))
    }

    /// What is known of a day, if this index is a part of a whole.
    pub(crate) fn day_tally(&self, number: u32) -> Option<&GroupTally> {
        self.census.as_ref()?.in_days.get(&self.days.day(number)?)
    }

    /// How many conversations hold anything, and how many words each on average.
    pub(crate) fn session_average(&self) -> (usize, f32) {
        match &self.census {
            Some(census) => (census.sessions.count, census.sessions.average_length()),
            None => (self.sessions.occupied(), self.sessions.average_length()),
        }
    }

    /// How many days hold anything, and how many words each on average.
    pub(crate) fn day_average(&self) -> (usize, f32) {
        match &self.census {
            Some(census) => (census.days.count, census.days.average_length()),
            None => (self.days.occupied(), self.days.average_length()),
        }
    }
}
