//! What is connected: the graph that edges make of memories.
//!
//! Pure: edges go in, answers come out.
#![forbid(unsafe_code)]
