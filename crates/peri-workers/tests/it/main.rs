//! Tests of the crate from outside, one file for each part.
#![allow(clippy::unwrap_used)]
