//! The bridge on real files and a real engine: what people write, what memories become, and what neither may lose.
#![allow(clippy::unwrap_used)]

mod edits;
mod export;
mod files;
mod import;
mod properties;
mod state;
mod support;
mod sync;
