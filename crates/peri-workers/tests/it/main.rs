//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used, missing_docs)]

mod learning;
mod manager;
mod service;
mod support;
