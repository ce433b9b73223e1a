//! The MCP face, driven by a real client over a pipe in memory.

mod access;
mod bad_input;
mod knowledge;
mod paging;
mod places;
mod protocol;
mod reading;
mod schemas;
mod support;
mod trouble;
mod verbs;
