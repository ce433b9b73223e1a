//! What Prometheus reads.

use std::collections::BTreeMap;

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::House;

/// The lines of the text, its end included.
async fn scrape(house: &House) -> String {
    let answer = house.get("/metrics").send().await;
    assert_eq!(answer.status, 200);
    let kind = answer.headers.get("content-type").unwrap();
    assert_eq!(kind, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    answer.text().to_owned()
}

/// The value of one series.
fn value(text: &str, series: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok())
}

/// Every family with its type and, if it has one, its unit.
fn families(text: &str) -> BTreeMap<String, (String, Option<String>)> {
    let mut families = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some("#"), Some("TYPE"), Some(name), Some(kind)) => {
                let earlier = families.insert(name.to_owned(), (kind.to_owned(), None));
                assert!(earlier.is_none(), "{name} comes twice");
            }
            (Some("#"), Some("UNIT"), Some(name), Some(unit)) => {
                families.get_mut(name).unwrap().1 = Some(unit.to_owned());
            }
            _ => {}
        }
    }
    families
}

#[tokio::test]
async fn every_number_has_a_name_a_type_and_a_unit() {
    let house = House::open().await;
    house.keep("default", "Ana prefers green tea");
    house.engine.maintain().unwrap();
    house.post("/v1/recall", &json!({"query": "tea"})).send().await;
    house.post("/v1/memories", &json!({"content": "the kiln is in the shed"})).send().await;
    house.get("/metrics").header("host", "stranger.example").send().await;
    let text = scrape(&house).await;
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    let families = families(&text);
    for (name, kind, unit) in [
        ("process_start_time_seconds", "gauge", Some("seconds")),
        ("peri_build", "info", None),
        ("peri_http_requests", "counter", None),
        ("peri_http_request_duration_seconds", "histogram", Some("seconds")),
        ("peri_recall_duration_seconds", "histogram", Some("seconds")),
        ("peri_remember_duration_seconds", "histogram", Some("seconds")),
        ("peri_http_requests_under_way", "gauge", None),
        ("peri_mcp_sessions", "gauge", None),
        ("peri_healthy", "gauge", None),
        ("peri_store_reachable", "gauge", None),
        ("peri_scheduler_running", "gauge", None),
        ("peri_memories", "gauge", None),
        ("peri_memories_trashed", "gauge", None),
        ("peri_memories_unembedded", "gauge", None),
        ("peri_memories_unlinked", "gauge", None),
        ("peri_edges", "gauge", None),
        ("peri_zone_memories", "gauge", None),
        ("peri_events_waiting", "gauge", None),
        ("peri_events_lost", "counter", None),
        ("peri_index_lag", "gauge", None),
        ("peri_database_size_bytes", "gauge", Some("bytes")),
        ("peri_index_size_bytes", "gauge", Some("bytes")),
        ("peri_disk_free_bytes", "gauge", Some("bytes")),
        ("peri_orbits_settled_time_seconds", "gauge", Some("seconds")),
    ] {
        let expected = (kind.to_owned(), unit.map(ToOwned::to_owned));
        assert_eq!(families.get(name), Some(&expected), "{name}");
    }
    for (name, (_, unit)) in &families {
        assert!(unit.as_ref().is_none_or(|unit| name.ends_with(unit)), "{name} does not end in its unit");
    }
    let program = concat!("peri_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"}");
    assert_eq!(value(&text, program), Some(1.0));
}

#[tokio::test]
async fn the_numbers_are_those_of_the_store() {
    let house = House::open().await;
    house.keep("default", "Ana prefers green tea");
    let id = house.keep("team", "the kiln is in the shed");
    house.delete(&format!("/v1/memories/{id}")).send().await;
    let text = scrape(&house).await;
    assert_eq!(value(&text, "peri_memories"), Some(1.0));
    assert_eq!(value(&text, "peri_memories_trashed"), Some(1.0));
    let zones = text.lines().filter_map(|line| line.strip_prefix("peri_zone_memories{")?.split(' ').nth(1));
    assert_eq!(zones.map(|count| count.parse::<u64>().unwrap()).sum::<u64>(), 1);
    assert_eq!(value(&text, "peri_http_requests_under_way"), Some(1.0), "the one that asks");
    assert!(value(&text, "peri_database_size_bytes").unwrap() > 0.0);
}

#[tokio::test]
async fn recalls_and_writes_are_measured_whichever_way_they_come() {
    let house = House::open().await;
    let speak = |session: Option<String>, message: Value| {
        let mut ask = house.post("/mcp", &message).header("accept", "application/json, text/event-stream");
        if let Some(session) = session {
            ask = ask.header("mcp-session-id", &session);
        }
        ask.send()
    };
    house.post("/v1/memories", &json!({"content": "Ana prefers green tea"})).send().await;
    house.post("/v1/memories/batch", &json!({"memories": [{"content": "the kiln is hot"}]})).send().await;
    house.post("/v1/recall", &json!({"query": "tea"})).send().await;
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let answer = speak(None, greeting).await;
    let session = answer.headers.get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
    speak(session.clone(), json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
    let params = json!({"name": "memory_recall", "arguments": {"query": "tea"}});
    let answer =
        speak(session, json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})).await;
    assert!(answer.text().contains("green tea"), "{}", answer.text());
    let text = scrape(&house).await;
    assert_eq!(value(&text, "peri_remember_duration_seconds_count{face=\"http\"}"), Some(2.0));
    assert_eq!(value(&text, "peri_recall_duration_seconds_count{face=\"http\"}"), Some(1.0));
    assert_eq!(value(&text, "peri_recall_duration_seconds_count{face=\"mcp\"}"), Some(1.0));
    assert_eq!(value(&text, "peri_mcp_sessions"), Some(1.0));
}

#[tokio::test]
async fn what_clients_make_up_does_not_become_a_series() {
    let house = House::open().await;
    for number in 0..3 {
        let method = Method::from_bytes(format!("METHOD{number}").as_bytes()).unwrap();
        house.ask(method, &format!("/made/up/{number}")).send().await;
    }
    let text = scrape(&house).await;
    let series = "peri_http_requests_total{method=\"other\",route=\"unknown\",status=\"404\"}";
    assert_eq!(value(&text, series), Some(3.0), "{text}");
}
