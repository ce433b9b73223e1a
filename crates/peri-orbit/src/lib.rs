//! What is near: how memories orbit, and what moves them.
//!
//! Pure rules: nothing here reads a clock, a file or a database. Time is an argument.
//!
//! [`score`] says how near a memory should be, [`own_zone`] which zone that is by itself, [`place`] which
//! one it gets among others, and [`replay`] brings a namespace up to date.
#![forbid(unsafe_code)]

mod contest;
mod days;
mod function;
pub mod importance;
mod replay;
mod rules;
mod settings;
pub mod tuner;
mod zones;

pub use days::{DAY_MS, TimeInUse};
pub use function::{Score, score};
pub use replay::{Forgetting, Move, Orbit, Replay, Replayed, Use, replay};
pub use settings::{Capacities, Decay, IdleTime, InvalidOrbit, Least, OrbitSettings, Weights};
pub use zones::{Body, is_forgotten, own_zone, place, zone_by_score};
