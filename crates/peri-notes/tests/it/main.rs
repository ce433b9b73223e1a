//! Tests of notes as their users see them.
#![allow(clippy::unwrap_used, missing_docs)]

mod crash;
mod files;
mod lending;
mod races;
mod story;
mod support;
mod travel;
