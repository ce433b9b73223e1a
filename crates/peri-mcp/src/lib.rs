//! The engine for models: tools, resources and prompts of the Model Context Protocol.
//!
//! [`MemoryServer`] answers for one client. It is served over standard input and output by [`serve_stdio`], or
//! mounted as a service under a path of an HTTP server by [`http_service`]. What a client can call is the
//! table in `tools/mod.rs`; which families of it are offered is for whoever starts the server to say.
#![forbid(unsafe_code)]

mod bounds;
mod circumstances;
mod desk;
mod engine;
mod page;
mod place;
mod prompts;
mod refusal;
mod replay;
mod resources;
#[cfg(test)]
mod schema;
mod seen;
mod server;
mod shapes;
mod table;
mod timed;
mod tools;
mod transport;
mod when;

pub use engine::SharedEngine;
pub use place::{Home, Workspaces};
pub use server::{MemoryServer, Settings};
pub use table::{Families, Family, UnknownFamily};
pub use timed::Timed;
pub use transport::{HttpSettings, McpService, Sessions, http_service, serve_stdio};
