//! Calls whose changes the store cannot take.

use std::sync::Arc;
use std::time::Duration;

use peri_mcp::SharedEngine;
use perihelion::{Chores, Options, Perihelion, Remember};
use rusqlite::Connection;
use serde_json::json;

use crate::support::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_waits_is_no_error_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options {
        chores: Chores::ByHand,
        busy_timeout: Duration::from_millis(20),
        ..Options::at(folder.path())
    };
    let engine = Arc::new(Perihelion::open(options).unwrap());
    let id = engine.remember(Remember::new("a stork on the roof")).unwrap().id;
    let mut world = World::whole();
    world.engine = SharedEngine::open(Arc::clone(&engine));
    let client = world.client().await;
    let holder = Connection::open(engine.database()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let stored = client.ok("memory_store", json!({"content": "李娜喜欢喝茶"})).await;
    assert_eq!(stored["outcome"], "queued");
    let forgotten = client.ok("memory_forget", json!({"id": id})).await;
    assert_eq!(forgotten["outcome"], "queued");
    holder.execute_batch("ROLLBACK").unwrap();
    engine.replay_queue(None).unwrap();
    let health = engine.health();
    assert_eq!((health.memories, health.trashed, health.queue.writes), (1, 1, 0));
}
