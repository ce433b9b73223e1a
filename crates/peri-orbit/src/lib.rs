//! What is near: how memories orbit, and what moves them.
//!
//! Pure rules: nothing here reads a clock, a file or a database. Time is an argument.
#![forbid(unsafe_code)]
