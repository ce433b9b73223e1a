//! What the crate promises, as tables and properties.

mod importance;
mod orbit_boundaries;
mod orbit_calibration;
mod orbit_function;
mod orbit_model;
mod orbit_place;
mod orbit_replay;
mod orbit_settings;
mod orbit_support;
mod tuner;
