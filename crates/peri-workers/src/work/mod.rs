//! What each worker does: one file each.

pub(crate) mod audit;
pub(crate) mod benchmark;
pub(crate) mod consolidate;
pub(crate) mod deepdive;
pub(crate) mod document;
pub(crate) mod learning;
pub(crate) mod map;
mod memories;
pub(crate) mod optimize;
pub(crate) mod predict;
mod recalls;
pub(crate) mod refactor;
pub(crate) mod testgaps;
mod topics;
pub(crate) mod ultralearn;

pub(crate) use recalls::Recalls;
