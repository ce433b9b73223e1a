//! Integration tests of the engines that ask a server.
#![allow(clippy::unwrap_used)]

mod answers;
mod batches;
mod hybrid;
mod real_model;
mod retries;
mod secrets;
mod server;
mod support;
