//! The server as its clients see it: over a socket, with keys.

#![allow(missing_docs, clippy::unwrap_used)]

mod access;
mod chores;
mod document;
mod events;
mod feedback;
mod graph;
mod input;
mod limits;
mod memories;
mod metrics;
mod namespaces;
mod once;
mod place;
mod sessions;
mod stopping;
mod support;
mod transfer;
