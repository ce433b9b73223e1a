//! The store as its callers see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod changes;
mod opening;
mod story;
mod support;
