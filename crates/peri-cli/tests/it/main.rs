//! The `peri` command as a person or a script sees it: arguments and pipes in; text, JSON and exit codes out.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod configuration;
mod feedback;
mod graph;
mod health;
mod help;
mod history;
mod import;
mod logs;
mod orbit;
mod places;
mod settings;
mod shapes;
mod support;
mod transfer;
mod verbs;
mod writing;
