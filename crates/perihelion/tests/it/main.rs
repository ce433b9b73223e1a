//! The engine as programs see it: its verbs, its embedding engines, several processes, crashes and faults.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

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
mod model;
mod namespaces;
mod orbit;
mod processes;
mod quality;
mod recall;
mod sessions;
mod story;
mod supersession;
mod support;
mod transfer;
