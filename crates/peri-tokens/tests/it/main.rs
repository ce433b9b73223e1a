//! The counts are those of the real tokenizer.
#![allow(clippy::unwrap_used, missing_docs)]

mod same;
mod truncate;
