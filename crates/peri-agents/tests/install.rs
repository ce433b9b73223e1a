//! Installing into settings of agents, and taking it back.
#![allow(clippy::unwrap_used)]

#[path = "install/damage.rs"]
mod damage;
#[path = "install/existing.rs"]
mod existing;
#[path = "install/files.rs"]
mod files;
#[path = "install/golden.rs"]
mod golden;
#[path = "install/plugin.rs"]
mod plugin;
#[path = "install/round_trip.rs"]
mod round_trip;
#[path = "install/support.rs"]
mod support;
#[path = "install/upgrade.rs"]
mod upgrade;
#[path = "install/windows.rs"]
mod windows;
