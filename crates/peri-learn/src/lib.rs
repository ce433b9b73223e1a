//! What has worked: a bank of patterns, routes from tasks to agents, an adapter of queries, and the file that carries
//! all of it from one place to another.
//!
//! Everything here is pure: time is an argument, nothing is read or written but [`rvf`] files that somebody names, and
//! vectors are given. What is learned is kept by whoever asks.
#![forbid(unsafe_code)]

pub mod adapt;
pub mod bank;
mod derived_id;
pub mod domains;
pub mod route;
pub mod rvf;
