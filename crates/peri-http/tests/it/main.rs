//! The server as its clients see it: over a socket, with keys.

#![allow(missing_docs, clippy::unwrap_used)]

mod access;
mod chores;
mod context;
mod document;
mod embeddings;
mod events;
mod feedback;
mod graph;
mod input;
mod journal;
mod layers;
mod learning;
mod limits;
mod memories;
mod metrics;
mod migrate;
mod namespaces;
mod notes;
mod once;
mod place;
mod queue;
mod report;
mod sessions;
mod snapshots;
mod stopping;
mod support;
mod transfer;
mod work;
mod workers;
