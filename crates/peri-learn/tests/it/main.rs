//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used)]

mod adapt;
mod bank;
mod distil;
mod route;
mod route_quality;
mod rvf;
mod rvf_store;
