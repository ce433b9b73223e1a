//! Notes of conversations in a store: a shelf for [`peri_notes`] whose documents and logs are rows of a database.

use std::sync::Arc;

use peri_notes::{Change, Collection, Commit, Expected, Key, Shelf, ShelfError, Text};
use peri_types::{MemoryId, Namespace, Timestamp};

use crate::{Store, StoreError, Write, Written};

/// How often a commit is made whose connection broke, so that nobody knows whether it was.
const ATTEMPTS_MAX: usize = 3;

/// Changes of notes that are made together, and what must still be so then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotesCommit {
    namespace: Namespace,
    changes: Vec<Change>,
    expected: Vec<(Key, Expected)>,
}

impl NotesCommit {
    /// Changes in their order, made if everything that is expected is so.
    ///
    /// # Errors
    /// [`ShelfError::Refused`] if one of them makes no sense.
    pub fn new(
        namespace: Namespace,
        changes: Vec<Change>,
        expected: Vec<(Key, Expected)>,
    ) -> Result<Self, ShelfError> {
        changes.iter().try_for_each(Change::check)?;
        Ok(Self { namespace, changes, expected })
    }

    /// Whose notes.
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// What is changed, in this order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What must still be so.
    pub fn expected(&self) -> &[(Key, Expected)] {
        &self.expected
    }
}

/// Keeps notes in a store, where every machine that uses the store finds them.
pub struct StoreShelf {
    store: Arc<dyn Store>,
}

impl StoreShelf {
    /// The shelf of a store.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// Writes. Where a connection that breaks leaves open whether a commit was made, it is made again under the same
    /// token, and so once.
    fn write(&self, write: Write) -> Result<Option<Written>, StoreError> {
        if self.store.commits_are_certain() {
            return Ok(self.store.write(vec![write])?.pop());
        }
        let token = *MemoryId::generate(Timestamp::now()).as_bytes();
        Ok(surely(|| self.store.write_once(token, vec![write.clone()]))?.pop())
    }
}

/// Makes a call with a token again for as long as nobody knows whether it was made.
fn surely<T>(mut call: impl FnMut() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let mut unknown = None;
    for _ in 0..ATTEMPTS_MAX {
        match call() {
            Err(error @ StoreError::Uncertain { .. }) => unknown = Some(error),
            // That it cannot be asked now does not tell what became of it before.
            Err(error) => return Err(unknown.unwrap_or(error)),
            Ok(written) => return Ok(written),
        }
    }
    Err(unknown.unwrap_or(StoreError::Closed))
}

impl Shelf for StoreShelf {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        Ok(self.store.shelf_read(namespace, key).map_err(told)?.map(Text::new))
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        self.store.shelf_lines(namespace, key).map_err(told)
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        self.store.shelf_list(namespace, collection).map_err(told)
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        self.store.shelf_namespaces().map_err(told)
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        let commit = NotesCommit::new(namespace.clone(), changes.to_vec(), expected.to_vec())?;
        match self.write(Write::CommitNotes(Box::new(commit))).map_err(told)? {
            Some(Written::Done | Written::Repeated) => Ok(Commit::Done),
            Some(Written::Stale) => Ok(Commit::Stale),
            other => Err(ShelfError::StoreFailed { detail: format!("it answered {other:?}") }),
        }
    }

    fn documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, Text)>, ShelfError> {
        let found = self.store.shelf_documents(namespace, collection).map_err(told)?;
        Ok(found.into_iter().map(|(key, text)| (key, Text::new(text))).collect())
    }
}

/// The error as whoever keeps notes sees it.
fn told(error: StoreError) -> ShelfError {
    let detail = error.to_string();
    if error.is_passing() { ShelfError::Store { detail } } else { ShelfError::StoreFailed { detail } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown() -> Result<u8, StoreError> {
        Err(StoreError::Uncertain { place: "db.example".to_owned(), token: [7; 16] })
    }

    fn away() -> Result<u8, StoreError> {
        Err(StoreError::Unreachable { place: "db.example".to_owned(), detail: "refused".to_owned() })
    }

    /// What comes of a call whose attempts end like this, and how many are made.
    fn made(outcomes: Vec<Result<u8, StoreError>>) -> (Result<u8, StoreError>, usize) {
        let count = outcomes.len();
        let mut outcomes = outcomes.into_iter();
        let outcome = surely(|| outcomes.next().unwrap_or(Ok(0)));
        (outcome, count - outcomes.len())
    }

    #[test]
    fn a_call_is_made_again_only_while_nobody_knows_whether_it_was() {
        for (outcomes, answer, count) in [
            (vec![Ok(1), Ok(2)], 1, 1),
            (vec![unknown(), Ok(2), Ok(3)], 2, 2),
            (vec![unknown(), unknown(), Ok(3), Ok(4)], 3, 3),
        ] {
            let (outcome, attempts) = made(outcomes);
            assert!(
                matches!(outcome, Ok(own) if own == answer) && attempts == count,
                "{outcome:?} {attempts}"
            );
        }
    }

    #[test]
    fn what_is_not_known_is_never_told_as_not_made() {
        let (outcome, attempts) = made(vec![away(), Ok(1)]);
        assert!(matches!(outcome, Err(StoreError::Unreachable { .. })) && attempts == 1, "{outcome:?}");
        let broken = [vec![unknown(), away()], vec![unknown(), unknown(), unknown(), Ok(4)]];
        for (outcome, attempts) in broken.map(made) {
            assert!(matches!(outcome, Err(StoreError::Uncertain { .. })) && attempts < 4, "{outcome:?}");
        }
    }
}
