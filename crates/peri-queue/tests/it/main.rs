//! Tests of the queue as its users see it.

mod crash;
mod damage;
mod disk;
mod model;
mod several;
mod story;
mod support;
