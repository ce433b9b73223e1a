//! The `peri` command as a person or a script sees it: arguments and pipes in; text, JSON and exit codes out.
#![allow(clippy::unwrap_used)]

mod bad_input;
mod configuration;
mod help;
mod import;
mod shapes;
mod support;
mod verbs;
mod writing;
