//! How agents are told of Perihelion: their settings are edited, and nothing else in them changes.
//!
//! [`plan`] says what would be written and [`plan_removal`] what would be taken back; both read files and write none.
//! [`apply`] carries a [`Plan`] out, file by file. Nothing here reads the environment: folders, platform and command
//! come in with the [`Request`].

mod apply;
mod command;
mod detect;
mod diff;
mod document;
mod error;
mod handler;
mod json;
mod notes;
mod places;
mod planning;
mod request;
mod rule;
mod text;
mod toml;

pub use apply::{Applied, apply};
pub use detect::detect;
pub use error::{ApplyError, InstallError};
pub use handler::handler;
pub use planning::{Backup, FileChange, Plan, plan, plan_removal};
pub use request::{Folders, Parts, Platform, Request, Scope};

/// What the server of tools is called in the settings of every agent.
pub const SERVER: &str = "perihelion";
