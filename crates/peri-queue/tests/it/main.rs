//! Tests of the queue as its users see it.
#![allow(clippy::unwrap_used, missing_docs)]

mod crash;
mod damage;
mod disk;
mod model;
mod several;
mod story;
mod support;
