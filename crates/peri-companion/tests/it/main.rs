//! Tests of the companion as its users see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod answers;
mod budget;
mod crash;
mod digest;
mod failure;
mod fallback;
mod processes;
mod property;
mod real_model;
mod scripted;
mod server;
mod shelves;
mod sieve;
mod story;
mod support;
mod together;
