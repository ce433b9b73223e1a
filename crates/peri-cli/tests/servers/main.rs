//! The program and the engine on real database servers that stop, die, hang and come back, and several nodes on one
//! database: nothing is lost, nothing is doubled, and nobody waits for long.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod commits;
mod database;
mod failover;
mod killed;
mod load;
mod nodes;
mod notes;
mod outage;
mod outages;
mod search;
mod secrets;
#[allow(dead_code)]
#[path = "../it/served.rs"]
mod served;
mod start;
#[allow(dead_code)]
#[path = "../it/support.rs"]
mod support;
