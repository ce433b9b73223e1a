//! Recall in namespaces that are searched inside the database.
//!
//! A namespace that is too large for memory is kept in tables that the database searches (`feed`). A question takes from
//! there the few documents that may matter to it (`gather`), adds what was committed since they were last fed, and enters
//! them into a small index that lives as long as the question. With the numbers of the whole namespace beside it, the
//! ranking works on that index as on any other.

mod feed;
mod gather;
mod packed;
mod place;

use std::sync::Arc;

use peri_index::Index;
use peri_store::{Reading, Searcher, StoreError};
use peri_types::{Filter, MemoryId, Namespace};

use crate::engine::Core;
use crate::indexes::Shelf;
use crate::rank::Question;
use crate::reindex::Sense;

pub(crate) use place::Pools;

/// What an index is wanted for.
pub(crate) enum Need<'a> {
    /// To answer a question under a filter.
    Question(&'a Question, &'a Filter),
    /// To find what is like a text, by its words and its meaning.
    Likeness(&'a [String], Option<&'a [f32]>),
    /// To look at these memories.
    Memories(&'a [MemoryId]),
    /// To look at a memory and at a conversation.
    Session(MemoryId, &'a str),
}

impl Core {
    /// A namespace's index with every change that the store has committed: the whole of it, or, where it is searched inside
    /// the database, what of it the need is about.
    pub(crate) fn shelf(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        need: &Need<'_>,
    ) -> Result<Arc<Shelf>, StoreError> {
        let Some(searcher) = self.searched_in_database(sense, namespace)? else {
            return sense.indexes.fresh(&*self.store, namespace);
        };
        match self.pool(searcher, sense, namespace, need) {
            // Another node may have begun to feed it anew in between, which takes its tables away for a moment.
            Err(StoreError::Database { .. }) => self.pool(searcher, sense, namespace, need),
            outcome => outcome,
        }
    }

    fn pool(
        &self,
        searcher: &dyn Searcher,
        sense: &Sense,
        namespace: &Namespace,
        need: &Need<'_>,
    ) -> Result<Arc<Shelf>, StoreError> {
        let (state, tail) = self.caught_up(searcher, sense, namespace)?;
        let mut gathering = gather::Gathering::new(self, searcher, namespace, state)?;
        match need {
            Need::Question(question, filter) => gathering.for_question(question, filter)?,
            Need::Likeness(words, vector) => gathering.for_likeness(words, *vector)?,
            Need::Memories(ids) => gathering.take(Reading::Ids(ids.to_vec()))?,
            Need::Session(id, session) => gathering.for_session(*id, session)?,
        }
        if !matches!(need, Need::Question(..)) {
            gathering.name_all()?;
        }
        let index = Index::new(sense.indexes.space().cloned(), crate::entry::VERSION);
        Ok(Arc::new(Shelf::of(namespace.clone(), gathering.into_index(index, tail))))
    }
}
