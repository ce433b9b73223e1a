//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used, missing_docs)]

mod dispatch;
mod kill;
mod learning;
mod predict;
mod service;
mod store;
mod support;
mod workspace;
