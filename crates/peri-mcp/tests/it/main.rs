//! The MCP face, driven by a real client over a pipe in memory.
#![allow(clippy::unwrap_used, missing_docs)]

mod access;
mod bad_input;
mod everywhere;
mod journal;
mod knowledge;
mod learning;
mod notes;
mod paging;
mod places;
mod planted;
mod promotion;
mod protocol;
mod queue;
mod reading;
mod schemas;
mod support;
mod trouble;
mod verbs;
mod work;
