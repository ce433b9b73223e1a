//! What the engines promise, checked from outside.
#![allow(clippy::unwrap_used)]

mod fixtures;
mod hostile;
mod language;
mod static_engine;
mod tokens;
mod transformer;
mod transformer_folder;
