//! The engine as programs see it: its verbs, its embedding engines, several processes, crashes and faults.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

mod answers;
mod consolidation;
mod crash;
mod decay;
mod embedding;
mod events;
mod faults;
mod feedback;
mod filters;
mod graph;
mod health;
mod keys;
mod knowledge;
mod model;
mod namespaces;
mod orbit;
mod processes;
mod quality;
mod recall;
mod refusals;
mod schema;
mod sessions;
mod story;
mod supersession;
mod support;
mod transfer;
