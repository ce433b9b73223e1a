//! How a server ends: what was begun is finished, and what has no end is ended.

use std::time::Duration;

use axum::http::Method;
use http_body_util::BodyExt as _;
use serde_json::json;

use crate::support::House;

/// Long enough that a test that relies on it never ends.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn streams_are_counted_while_they_are_open_and_end_at_once_when_the_server_stops() {
    let house = House::with(|settings| settings.grace = FOREVER).await;
    let accept = "application/json, text/event-stream";
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let greeted = house.post("/mcp", &greeting).header("accept", accept).send().await;
    let session = greeted.headers.get("mcp-session-id").unwrap().to_str().unwrap().to_owned();
    let listening = house.ask(Method::GET, "/mcp").header("accept", accept);
    let models = listening.header("mcp-session-id", &session).open().await;
    let events = house.get("/v1/events/stream").open().await;
    assert_eq!((models.status(), events.status()), (200.try_into().unwrap(), 200.try_into().unwrap()));
    let text = house.get("/metrics").send().await.text().to_owned();
    for route in ["/mcp", "/v1/events/stream"] {
        let series = format!("peri_http_streams{{route=\"{route}\"}} 1\n");
        assert!(text.contains(&series), "{series} is not in {text}");
    }
    let ended =
        tokio::spawn(async move { (models.into_body().collect().await, events.into_body().collect().await) });
    house.stop().await;
    let (models, events) = ended.await.unwrap();
    models.unwrap();
    events.unwrap();
}
