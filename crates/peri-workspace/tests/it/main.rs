//! Workspaces made in temporary folders, some of them hostile.
#![allow(clippy::unwrap_used)]

mod dependencies;
mod duplicates;
mod folder;
mod git;
mod hostile;
mod map;
mod secrets;
mod testing;
