//! The store as its callers see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod answers;
mod changes;
mod edges;
#[cfg(feature = "encryption")]
mod encryption;
mod every;
mod hands;
mod journal;
mod keys;
mod knowledge;
mod namespaces;
mod notes;
mod opening;
mod orbit;
mod place;
mod relocate;
mod replace;
mod servers;
mod spaces;
mod story;
mod support;
