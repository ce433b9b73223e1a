//! Tests of the client as its users see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod bad_answers;
mod cap;
mod crash;
mod ledger;
mod log;
mod manners;
mod prompts;
mod providers;
mod real_model;
mod retries;
mod server;
mod support;
