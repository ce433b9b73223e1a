//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used, missing_docs)]

mod kill;
mod learning;
mod manager;
mod service;
mod store;
mod support;
mod workspace;
