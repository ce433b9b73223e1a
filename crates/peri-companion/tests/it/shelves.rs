//! A shelf that breaks off.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use peri_notes::{Change, Collection, Commit, Expected, Key, MemoryShelf, Shelf, ShelfError, Text};
use peri_types::Namespace;

/// Breaks off at one of its calls, counted from zero, and does nothing any more from then on.
pub struct Breaking {
    shelf: Arc<MemoryShelf>,
    at: usize,
    how: Break,
    calls: AtomicUsize,
}

/// How it breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Before the call is done.
    Before,
    /// After it is done, without an answer.
    After,
}

impl Breaking {
    pub fn new(shelf: &Arc<MemoryShelf>, at: usize, how: Break) -> Self {
        Self { shelf: Arc::clone(shelf), at, how, calls: AtomicUsize::new(0) }
    }

    /// Whether it got to the call at which it breaks off.
    pub fn is_broken(&self) -> bool {
        self.calls() > self.at
    }

    /// How often it was called.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    fn call<T>(&self, call: impl FnOnce(&MemoryShelf) -> Result<T, ShelfError>) -> Result<T, ShelfError> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if number < self.at {
            return call(&self.shelf);
        }
        if number == self.at && self.how == Break::After {
            drop(call(&self.shelf));
        }
        Err(ShelfError::Store { detail: "the power is gone".to_owned() })
    }
}

impl Shelf for Breaking {
    fn read(&self, namespace: &Namespace, key: &Key) -> Result<Option<Text>, ShelfError> {
        self.call(|shelf| shelf.read(namespace, key))
    }

    fn lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, ShelfError> {
        self.call(|shelf| shelf.lines(namespace, key))
    }

    fn list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, ShelfError> {
        self.call(|shelf| shelf.list(namespace, collection))
    }

    fn namespaces(&self) -> Result<Vec<Namespace>, ShelfError> {
        self.call(Shelf::namespaces)
    }

    fn commit(
        &self,
        namespace: &Namespace,
        changes: &[Change],
        expected: &[(Key, Expected)],
    ) -> Result<Commit, ShelfError> {
        self.call(|shelf| shelf.commit(namespace, changes, expected))
    }
}
