//! The store as its callers see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod answers;
mod changes;
mod edges;
mod keys;
mod knowledge;
mod namespaces;
mod opening;
mod orbit;
mod replace;
mod story;
mod support;
