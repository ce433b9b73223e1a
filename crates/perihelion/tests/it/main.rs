//! The engine as programs see it: its verbs, its embedding engines, several processes, crashes and faults.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

mod answers;
mod consolidation;
mod crash;
mod decay;
mod embedding;
mod episodes;
mod events;
mod faults;
mod feedback;
mod filters;
mod graph;
mod health;
mod journal;
mod keys;
mod knowledge;
mod layers;
mod model;
mod namespaces;
mod orbit;
mod pool;
mod processes;
mod quality;
mod queue;
mod recall;
mod refusals;
mod reindex;
mod report;
mod schema;
mod sessions;
mod story;
mod structured;
mod supersession;
mod support;
mod transfer;
mod when;
