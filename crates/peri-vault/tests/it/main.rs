//! The vault on real files: edits from outside, changes of memories, conflicts, crashes, and names that are refused.
#![allow(clippy::unwrap_used)]

mod conflicts;
mod crash;
mod documents;
mod escapes;
mod follow;
mod inward;
mod links;
mod metadata;
mod outward;
mod support;
