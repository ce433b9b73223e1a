//! When things go wrong: the store, the client, the person who changes their mind.

use std::sync::Arc;
use std::time::Duration;

use peri_mcp::SharedEngine;
use perihelion::{Options, Perihelion};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, ReadResourceRequestParams};
use rmcp::service::PeerRequestOptions;
use serde_json::json;

use crate::support::{Announces, ERAS, Era, World, object};

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_be_opened_greets_everybody_and_says_why_to_each_call() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("perihelion.db"), "this is no database of ours").unwrap();
    let options = Options::at(folder.path());
    for era in ERAS {
        let mut world = World::whole();
        let options = options.clone();
        world.engine = SharedEngine::opening(move || Perihelion::open(options));
        let client = world.connect(Announces::Nothing, era).await;
        assert!(client.tools().count() > 30);
        for tool in client.tools() {
            let why = client.refused(&tool.name, json!({})).await;
            assert!(why.contains("cannot be opened"), "{}: {why}", tool.name);
        }
        let read = ReadResourceRequestParams::new("memory://stats");
        let why = client.service.read_resource(read).await.unwrap_err().to_string();
        assert!(why.contains("cannot be opened"), "{why}");
        client.service.list_all_resources().await.unwrap();
        client.service.list_all_prompts().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_wait_for_a_store_that_is_still_opening() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::at(folder.path());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let mut world = World::new();
    world.engine = SharedEngine::opening(move || {
        wait.recv().unwrap();
        Perihelion::open(options)
    });
    let client = Arc::new(world.client().await);
    let asking = tokio::spawn({
        let client = Arc::clone(&client);
        async move { client.ok("memory_stats", json!({})).await }
    });
    // Whatever else is asked meanwhile is answered at once.
    client.service.list_all_prompts().await.unwrap();
    assert!(!asking.is_finished());
    go.send(()).unwrap();
    assert_eq!(asking.await.unwrap()["memories"], 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_ends_and_holds_up_nobody() {
    let client = World::new().connect(Announces::Silence, Era::Handshake).await;
    let begun = tokio::time::Instant::now();
    let params = CallToolRequestParams::new("memory_stats").with_arguments(object(json!({})));
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let options = PeerRequestOptions::no_options();
    let waiting = client.service.send_cancellable_request(request, options).await.unwrap();
    client.ok("memory_stats", json!({"namespace": "default"})).await;
    waiting.cancel(Some("never mind".to_owned())).await.unwrap();
    client.announce(Announces::Roots(vec!["file:///home/ana/shop".to_owned()]));
    let answer = client.ok("memory_stats", json!({})).await;
    assert!(answer["namespace"].as_str().unwrap().starts_with("workspace/shop-"));
    assert!(begun.elapsed() < Duration::from_secs(5), "the cancelled call was waited for");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_at_once_are_each_answered_with_their_own() {
    let client = Arc::new(World::new().client().await);
    let calls = (0..24).map(|number| {
        let client = Arc::clone(&client);
        tokio::spawn(async move {
            let content = format!("Drawer {number} holds {} spoons", number * 3 + 1);
            let id = client.keep(&content).await;
            assert_eq!(client.ok("memory_get", json!({"id": id})).await["content"], content.as_str());
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert_eq!(client.ok("memory_stats", json!({})).await["memories"], 24);
}
