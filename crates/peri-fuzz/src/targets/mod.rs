//! One file a family of parsers, one function a target.

pub(crate) mod agents;
#[cfg(feature = "engine")]
pub(crate) mod backups;
#[cfg(feature = "engine")]
pub(crate) mod bridge;
#[cfg(feature = "engine")]
pub(crate) mod configuration;
#[cfg(feature = "engine")]
mod desk;
#[cfg(feature = "engine")]
pub(crate) mod engine;
#[cfg(feature = "engine")]
pub(crate) mod http;
#[cfg(feature = "engine")]
pub(crate) mod imports;
pub(crate) mod index;
pub(crate) mod learning;
#[cfg(feature = "engine")]
pub(crate) mod mcp;
pub(crate) mod notes;
pub(crate) mod queue;
#[cfg(feature = "engine")]
pub(crate) mod servers;
pub(crate) mod text;
#[cfg(feature = "engine")]
pub(crate) mod transfer;
pub(crate) mod types;
#[cfg(feature = "engine")]
pub(crate) mod vault;
pub(crate) mod workspace;
