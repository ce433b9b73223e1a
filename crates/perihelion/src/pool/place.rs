//! Where a namespace is searched: in memory, or inside the database.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::SignedDuration;
use parking_lot::Mutex;
use peri_store::{Readiness, SearchState, Searcher, StoreError};
use peri_types::{ChangeNumber, Namespace, Timestamp};

use crate::engine::Core;
use crate::reindex::Sense;

/// What the database lacks is looked for again after so long.
const LOOKED_AGAIN: SignedDuration = SignedDuration::from_mins(5);

/// What is known of the namespaces that may be searched inside the database.
#[derive(Default)]
pub(crate) struct Pools {
    sizes: Mutex<HashMap<Namespace, Size>>,
    /// Why the database cannot search, and when that was found out.
    missing: Mutex<Option<(String, Timestamp)>>,
    /// How far each namespace was fed by this very store when that was last made sure of.
    pub(super) verified: Mutex<HashMap<Namespace, ChangeNumber>>,
    /// Who speaks in each, as of the change it was fed to.
    speakers: Mutex<HashMap<Namespace, Speakers>>,
}

/// Who speaks in a namespace, as of a change.
type Speakers = (ChangeNumber, Arc<Vec<String>>);

/// How many memories a namespace held as of a change.
#[derive(Debug, Clone, Copy)]
struct Size {
    memories: u64,
    at: ChangeNumber,
}

impl Pools {
    /// Why large namespaces are searched in memory although they should not be.
    pub(crate) fn missing(&self) -> Option<String> {
        self.missing.lock().as_ref().map(|(why, _)| why.clone())
    }

    /// Everybody who speaks in a namespace.
    pub(super) fn speakers(
        &self,
        searcher: &dyn Searcher,
        namespace: &Namespace,
        state: &SearchState,
    ) -> Result<Arc<Vec<String>>, StoreError> {
        let known = self.speakers.lock().get(namespace).cloned();
        if let Some((_, speakers)) = known.filter(|(fed, _)| *fed == state.fed) {
            return Ok(speakers);
        }
        let speakers = Arc::new(searcher.speakers(namespace)?);
        self.speakers.lock().insert(namespace.clone(), (state.fed, Arc::clone(&speakers)));
        Ok(speakers)
    }
}

impl Core {
    /// The search inside the database, if this namespace is searched there.
    pub(crate) fn searched_in_database(
        &self,
        sense: &Sense,
        namespace: &Namespace,
    ) -> Result<Option<&dyn Searcher>, StoreError> {
        let Some(searcher) = self.store.searcher() else { return Ok(None) };
        let from = self.options.search.in_database_from;
        if !self.is_large(searcher, namespace, from)? || !self.can_search(searcher)? {
            return Ok(None);
        }
        // A namespace that has just become large is in memory, and stays there until it has been fed.
        if from > 0 && sense.indexes.is_open(namespace) && !self.is_fed(searcher, sense, namespace)? {
            return Ok(None);
        }
        Ok(Some(searcher))
    }

    /// Whether a namespace holds so many memories. Each memory is at least one change, so that most are known to be small
    /// by their last change alone, and no namespace is counted again before it could have grown enough.
    pub(super) fn is_large(
        &self,
        searcher: &dyn Searcher,
        namespace: &Namespace,
        from: u64,
    ) -> Result<bool, StoreError> {
        let head = self.store.head(namespace)?;
        if head.0 < from || head == ChangeNumber(0) {
            return Ok(false);
        }
        let known = self.pools.sizes.lock().get(namespace).copied();
        if let Some(known) = known.filter(|known| known.at <= head) {
            let changed = head.0 - known.at.0;
            if known.memories + changed < from {
                return Ok(false);
            }
            if known.memories.saturating_sub(changed) >= from {
                return Ok(true);
            }
        }
        let max = usize::try_from(from.saturating_add(from / 4)).unwrap_or(usize::MAX).max(1);
        let memories = searcher.size(namespace, max)? as u64;
        self.pools.sizes.lock().insert(namespace.clone(), Size { memories, at: head });
        Ok(memories >= from && memories > 0)
    }

    /// Whether the database can search.
    pub(super) fn can_search(&self, searcher: &dyn Searcher) -> Result<bool, StoreError> {
        let now = self.now();
        let known = self.pools.missing.lock().clone();
        if known.is_some_and(|(_, at)| now.duration_since(at) < LOOKED_AGAIN) {
            return Ok(false);
        }
        match searcher.readiness()? {
            Readiness::Ready => {
                *self.pools.missing.lock() = None;
                Ok(true)
            }
            Readiness::Missing(why) => {
                tracing::warn!(why, "large namespaces are searched in memory");
                *self.pools.missing.lock() = Some((why, now));
                Ok(false)
            }
        }
    }
}
