//! The engine over HTTP: routes, access, metrics and the OpenAPI document.
//!
//! [`Server::bind`] takes an open engine and [`Settings`] and listens; [`Server::run`] serves until it is told to
//! stop, and then finishes what it has begun. Every route is a line of the tables in `routes/`, which say at once
//! how it is reached, who may use it and what it takes and gives: the router, the access checks, the OpenAPI
//! document and the tests all read them. Clients that speak MCP find the same engine at `/mcp`.
#![forbid(unsafe_code)]

mod amplify;
mod app;
mod awaited;
mod compress;
mod document;
mod door;
mod extract;
mod feed;
mod gauges;
mod guard;
mod loans;
mod metrics;
mod once;
mod origin;
mod owners;
mod pipe;
mod problem;
mod routes;
mod rpc;
mod server;
mod settings;
mod surroundings;
mod table;
mod tls;
mod trace;
mod under_way;

pub use document::openapi;
pub use server::{ServeError, Server};
pub use settings::{Settings, Tls};
pub use surroundings::{
    BackupInfo, BackupList, BackupMade, Failure, LlmCall, LlmDay, LlmOutcome, LlmUse, Surroundings,
};
