//! Moving a whole store to another place.

mod going_on;
mod refusals;
mod servers;
mod support;
mod whole;
