//! The tests of this crate.

mod condense;
mod endings;
mod labelled;
mod memory;
mod observe;
mod promote;
mod speed;
mod support;
