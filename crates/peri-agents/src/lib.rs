//! Coding agents as Perihelion meets them: which there are, how they are told of it, what their hooks say, and what their
//! transcripts hold.
//!
//! Nothing here knows memories or notes: text goes in and comes out, and files of the agents are read and edited.
#![forbid(unsafe_code)]

mod agent;
pub mod hooks;
pub mod install;

pub use agent::{Agent, UnknownAgent};
