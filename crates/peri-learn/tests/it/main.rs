//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used)]

mod bank;
mod distil;
mod rvf;
mod rvf_store;
