//! Backups: made under load, verified byte by byte, restored under running engines, killed at any time.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod create;
mod damage;
mod disk;
mod formats;
mod halt;
mod kill;
mod lost;
mod mixed;
mod notes;
mod queue;
mod ready;
mod restore;
mod retention;
mod schedule;
mod support;
mod year;
