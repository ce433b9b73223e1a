//! The same story on every shelf of this crate.

use std::sync::Arc;

use peri_notes::{MemoryShelf, Shelf, story};

use crate::support::*;

#[test]
fn the_story_is_true_in_memory() {
    let shelf: Arc<dyn Shelf> = Arc::new(MemoryShelf::default());
    story(&shelf).unwrap();
}

#[test]
fn the_story_is_true_in_files() {
    let root = tempfile::tempdir().unwrap();
    let shelf: Arc<dyn Shelf> = Arc::new(patient(root.path()));
    story(&shelf).unwrap();
    assert!(left_over(root.path()).is_empty(), "{:?}", left_over(root.path()));
}
