//! What must hold for every parser that outside bytes reach.
//!
//! A [`Target`] is a function of bytes that panics where a promise is broken: a round trip that changes something, an
//! answer that is larger than what went in allows, a message that tells a secret, something stored of what was
//! refused. [`TABLE`] lists all of them. The fuzzer in `fuzz/` and the test in `tests/it` run the same functions over the same
//! examples in `corpus/`. How to run and how to add one is in `docs/testing-fuzz.md`.
#![forbid(unsafe_code)]

mod given;
pub mod mutate;
mod table;
mod targets;

pub use table::{Cost, TABLE, Target, target};
