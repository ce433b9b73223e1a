//! The engine as programs see it: its verbs, its embedding engines, several processes, crashes and faults.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

mod crash;
mod decay;
mod embedding;
mod events;
mod faults;
mod feedback;
mod filters;
mod health;
mod model;
mod orbit;
mod processes;
mod quality;
mod recall;
mod story;
mod support;
