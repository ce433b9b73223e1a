//! Tests of the companion as its users see it.
#![allow(clippy::unwrap_used, missing_docs)]

#[cfg(feature = "model")]
mod answers;
#[cfg(feature = "model")]
mod budget;
mod crash;
#[cfg(feature = "model")]
mod digest;
#[cfg(feature = "model")]
mod failure;
#[cfg(feature = "model")]
mod fallback;
mod processes;
#[cfg(feature = "model")]
mod property;
mod provenance;
#[cfg(feature = "model")]
mod real_model;
#[cfg(feature = "model")]
mod scripted;
#[cfg(feature = "model")]
mod server;
mod shelves;
mod sieve;
#[cfg(feature = "model")]
mod story;
mod support;
mod together;
