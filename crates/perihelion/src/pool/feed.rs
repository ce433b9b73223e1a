//! How the tables that are searched follow the store.

use std::time::Duration;

use peri_store::{Change, Feed, SearchRecipe, SearchState, Searcher, StoreError};
use peri_types::{ChangeNumber, Namespace};

use super::packed;
use crate::Error;
use crate::engine::Core;
use crate::entry::{self, Told};
use crate::reindex::Sense;

/// So many changes may lie between the tables and the store for a question to read them by itself.
const TAIL_MAX: usize = 256;

/// Changes that are fed at a time.
const BATCH: usize = 2000;

/// Fewer changes than this are fed one like the other.
const MANY: u64 = 5000;

/// Held by the node whose chores feed; renewed with every batch.
const LEASE: &str = "search-feed";
const LEASE_HELD: Duration = Duration::from_secs(600);

/// The chores begin to feed a namespace at this share of the size from which on it is searched inside the database, so
/// that nobody waits when it gets there.
const FED_FROM_SHARE: (u64, u64) = (3, 4);

/// Whether the tables can be used, and how far they go.
enum Standing {
    Fed(SearchState),
    /// They are of another recipe, of another copy of the store, or not there.
    Void,
}

impl Core {
    /// The recipe of the sense in use.
    fn search_recipe(sense: &Sense) -> SearchRecipe {
        let space = sense.indexes.space();
        let model = space.map_or_else(|| "words".to_owned(), ToString::to_string);
        SearchRecipe {
            name: format!("{} {} {model}", entry::VERSION, sense.indexes.revision()),
            dimensions: space.map_or(0, |space| space.dimensions),
        }
    }

    fn standing(
        &self,
        searcher: &dyn Searcher,
        sense: &Sense,
        namespace: &Namespace,
    ) -> Result<Standing, StoreError> {
        let Some(state) = searcher.state(namespace)? else { return Ok(Standing::Void) };
        if state.recipe != Self::search_recipe(sense) {
            return Ok(Standing::Void);
        }
        let verified = self.pools.verified.lock().get(namespace) == Some(&state.fed);
        if !verified && state.fed > ChangeNumber(0) {
            if self.store.lineage(state.fed)? != state.mark {
                return Ok(Standing::Void);
            }
            self.pools.verified.lock().insert(namespace.clone(), state.fed);
        }
        Ok(Standing::Fed(state))
    }

    /// Whether a question could be answered without feeding first.
    pub(super) fn is_fed(
        &self,
        searcher: &dyn Searcher,
        sense: &Sense,
        namespace: &Namespace,
    ) -> Result<bool, StoreError> {
        match self.standing(searcher, sense, namespace)? {
            Standing::Fed(state) => Ok(self.tail(sense, namespace, &state)?.is_some()),
            Standing::Void => Ok(false),
        }
    }

    /// What was changed since a namespace was fed; none if that is too much.
    fn tail(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        state: &SearchState,
    ) -> Result<Option<Vec<Change>>, StoreError> {
        let head = self.store.head(namespace)?;
        if head < state.fed {
            // An older database was put in place.
            return Ok(None);
        }
        if head == state.fed {
            return Ok(Some(Vec::new()));
        }
        let tail = self.store.changes(namespace, sense.indexes.space(), state.fed, TAIL_MAX + 1)?;
        Ok((tail.len() <= TAIL_MAX).then_some(tail))
    }

    /// The state of a namespace and what was changed since. Where that is much, it is fed first.
    pub(super) fn caught_up(
        &self,
        searcher: &dyn Searcher,
        sense: &Sense,
        namespace: &Namespace,
    ) -> Result<(SearchState, Vec<Change>), StoreError> {
        loop {
            if let Standing::Fed(state) = self.standing(searcher, sense, namespace)?
                && let Some(tail) = self.tail(sense, namespace, &state)?
            {
                if tail.len() > TAIL_MAX / 2 {
                    self.nudge();
                }
                return Ok((state, tail));
            }
            self.feed(searcher, sense, namespace, &|| true)?;
        }
    }

    /// Feeds a namespace to its last change, or until `go_on` says stop.
    pub(super) fn feed(
        &self,
        searcher: &dyn Searcher,
        sense: &Sense,
        namespace: &Namespace,
        go_on: &dyn Fn() -> bool,
    ) -> Result<(), StoreError> {
        let head = self.store.head(namespace)?;
        let mut is_told = false;
        while go_on() {
            let fed = match self.standing(searcher, sense, namespace)? {
                Standing::Fed(state) if state.fed <= head || self.store.head(namespace)? >= state.fed => {
                    state.fed
                }
                Standing::Fed(_) | Standing::Void => {
                    tracing::info!(%namespace, "the namespace is fed to the search anew");
                    self.pools.verified.lock().remove(namespace);
                    searcher.begin(namespace, &Self::search_recipe(sense))?;
                    ChangeNumber(0)
                }
            };
            if fed >= head {
                return searcher.index_vectors(namespace);
            }
            if !std::mem::replace(&mut is_told, true) && head.0 - fed.0 > MANY {
                searcher.expect(namespace, self.coming(searcher, namespace)?)?;
            }
            let changes = self.store.changes(namespace, sense.indexes.space(), fed, BATCH)?;
            let upto = changes.last().map_or(head, Change::number);
            let (mut documents, mut gone) = (Vec::new(), Vec::new());
            for change in changes {
                match change {
                    Change::Put { memory, vector } => {
                        documents.push(packed::document(Told::of(&self.lexicon, &memory), vector));
                    }
                    Change::Gone { id, .. } => gone.push(id),
                }
            }
            let (recipe, mark) = (Self::search_recipe(sense), self.store.lineage(upto)?);
            let feed = Feed { recipe, after: fed, upto, mark, documents, gone };
            if !searcher.feed(namespace, &feed)? {
                tracing::debug!(%namespace, "another node has fed the namespace meanwhile");
            }
        }
        Ok(())
    }

    /// How many memories the tables of a namespace lack, about.
    fn coming(&self, searcher: &dyn Searcher, namespace: &Namespace) -> Result<u64, StoreError> {
        let held = searcher.state(namespace)?.map_or(0, |state| state.totals.documents);
        let counted = usize::try_from(held * 2 + 2 * MANY).unwrap_or(usize::MAX);
        Ok((searcher.size(namespace, counted)? as u64).saturating_sub(held))
    }

    /// Feeds the namespaces that are searched inside the database, unless another node is at it.
    pub(crate) fn feed_searches(&self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        let Some(searcher) = self.store.searcher() else { return Ok(()) };
        let from = self.options.search.in_database_from;
        let fed_from = from / FED_FROM_SHARE.1 * FED_FROM_SHARE.0;
        let candidates = searcher.changed_beyond(fed_from.max(1))?;
        if candidates.is_empty() {
            return Ok(());
        }
        let sense = self.sense();
        let mut is_held = false;
        for namespace in candidates {
            if !self.is_large(searcher, &namespace, fed_from)? {
                continue;
            }
            if !self.can_search(searcher)? {
                break;
            }
            is_held = self.renew_feeding()?;
            if !is_held {
                break;
            }
            let renewing = || go_on() && self.renew_feeding().unwrap_or(false);
            self.feed(searcher, &sense, &namespace, &renewing)?;
        }
        if is_held {
            self.store.release_lease(LEASE, &self.holder)?;
        }
        Ok(())
    }

    /// How many changes the tables of a namespace lack, at most `max`; none if it is searched in memory.
    pub(crate) fn search_lag(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        max: usize,
    ) -> Result<Option<u64>, StoreError> {
        let Some(searcher) = self.searched_in_database(sense, namespace)? else { return Ok(None) };
        let fed = match self.standing(searcher, sense, namespace)? {
            Standing::Fed(state) => state.fed,
            Standing::Void => ChangeNumber(0),
        };
        if fed == self.store.head(namespace)? {
            return Ok(Some(0));
        }
        Ok(Some(self.store.changes(namespace, None, fed, max)?.len() as u64))
    }

    /// Feeds a namespace anew if it does not hold so many documents; whether it did. None if it is searched in memory.
    pub(crate) fn mend_search(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        stored: usize,
    ) -> Result<Option<bool>, StoreError> {
        let Some(searcher) = self.searched_in_database(sense, namespace)? else { return Ok(None) };
        self.feed(searcher, sense, namespace, &|| true)?;
        let held = searcher.state(namespace)?.map_or(0, |state| state.totals.documents);
        let agrees = held == stored as u64;
        if !agrees {
            searcher.end(namespace)?;
            self.feed(searcher, sense, namespace, &|| true)?;
        }
        Ok(Some(agrees))
    }

    fn renew_feeding(&self) -> Result<bool, StoreError> {
        self.store.acquire_lease(LEASE, &self.holder, self.now(), LEASE_HELD)
    }
}
