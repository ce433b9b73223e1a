//! One namespace's memories, ready to be searched: by words, by vectors, and by what surrounds them.
//!
//! An [`Index`] is derived: everything in it can be rebuilt from the store, which feeds it change by change.
//! It lives in memory and knows nothing of databases, models or languages; words and vectors are given to
//! it. An [`Entry`] tells it of a memory, a [`Filter`](peri_types::Filter) and a [`View`] become a [`Mask`]
//! of what may be returned, [`Index::gather`] finds words and [`Index::nearest`] finds vectors.
#![deny(unsafe_code)]

mod best;
mod bits;
mod census;
mod codes;
mod compact;
mod days;
mod filter;
mod gather;
mod graph;
mod groups;
mod hash;
mod index;
mod kernel;
mod lexicon;
mod lines;
mod matches;
mod names;
mod nearest;
mod pool;
mod probe;
mod sessions;
mod snapshot;
mod table;
mod tokens;
mod vectors;
mod visited;

pub use bits::Mask;
pub use census::{Census, GroupCensus, GroupTally, TermCensus};
pub use filter::{Superseded, View, circumstance_tag};
pub use gather::TERMS_MAX;
pub use graph::VectorSettings;
pub use index::Index;
pub use matches::{Bm25, Matches, QueryTerm};
pub use nearest::{Effort, SimilarityStats};
pub use sessions::Window;
pub use snapshot::SnapshotError;
pub use table::{Doc, Entry, Facts};
