//! Pages: everything once, also while more arrives, and never more than fits.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Client, World, each};

/// Reads all pages, storing something new after each, and gives what was met, in order.
async fn pages(
    world: &World,
    client: &Client,
    tool: &str,
    arguments: Value,
    key: fn(&Value) -> Vec<String>,
) -> Vec<String> {
    let (mut met, mut arguments, mut arrivals) = (Vec::new(), arguments, 0);
    loop {
        let page = client.ok(tool, arguments.clone()).await;
        met.extend(key(&page));
        let Some(cursor) = page.get("next_cursor") else { return met };
        arguments["cursor"] = cursor.clone();
        world.tick();
        client.keep(&format!("Planet number {} was seen late", 1000 + arrivals)).await;
        arrivals += 1;
        assert!(arrivals < 50, "{tool} never ends");
    }
}

fn ids(page: &Value) -> Vec<String> {
    each(page, "id")
}

fn numbers(page: &Value) -> Vec<String> {
    page["events"].as_array().unwrap().iter().map(|event| event["number"].to_string()).collect()
}

/// Statements that are told apart, and that all answer one question.
async fn planets(world: &World, client: &Client, count: usize) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for number in 0..count {
        world.tick();
        ids.insert(client.keep(&format!("Planet number {number} was seen by observer {}", number * 7)).await);
    }
    world.tick();
    assert_eq!(ids.len(), count, "some were merged");
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn every_list_visits_what_was_there_exactly_once_while_more_arrives() {
    for (tool, arguments) in [
        ("memory_list", json!({"limit": 4})),
        ("memory_list", json!({"limit": 4, "oldest_first": true, "until": "2026-11-15"})),
        ("memory_export", json!({"limit": 4})),
        ("memory_recall", json!({"query": "planet number seen", "limit": 4})),
    ] {
        let world = World::whole();
        let client = world.client().await;
        let there = planets(&world, &client, 22).await;
        let met = pages(&world, &client, tool, arguments, ids).await;
        let once: BTreeSet<String> = met.iter().cloned().collect();
        assert_eq!(once.len(), met.len(), "{tool} repeats itself");
        assert!(there.is_subset(&once), "{tool} missed {:?}", there.difference(&once));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_paged_backwards_without_gaps_while_more_happens() {
    let world = World::whole();
    let client = world.client().await;
    planets(&world, &client, 11).await;
    let met =
        pages(&world, &client, "memory_events", json!({"limit": 3, "kinds": ["stored"]}), numbers).await;
    let met: Vec<u64> = met.iter().map(|number| number.parse().unwrap()).collect();
    assert_eq!(met.len(), 11, "{met:?}");
    assert!(met.is_sorted_by(|a, b| a > b), "{met:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_never_holds_more_tokens_than_asked_for_and_says_what_was_left_out() {
    let world = World::new();
    let client = world.client().await;
    planets(&world, &client, 8).await;
    let all = client.ok("memory_recall", json!({"query": "planet number seen", "limit": 8})).await;
    let few = json!({"query": "planet number seen", "limit": 8, "max_tokens": 30});
    let few = client.ok("memory_recall", few).await;
    let tokens = peri_tokens(&each(&few, "content"));
    assert!(tokens <= 30, "{tokens} tokens");
    assert!(!each(&few, "id").is_empty());
    let left_out = few["over_budget"].as_u64().unwrap() as usize;
    assert_eq!(each(&few, "id").len() + left_out, each(&all, "id").len());
    let none = client.ok("memory_recall", json!({"query": "planet number seen", "max_tokens": 1})).await;
    assert!(each(&none, "id").is_empty() && none["over_budget"].as_u64().unwrap() > 0);
}

/// Tokens as the engine counts them are at least as many as a model's own.
fn peri_tokens(contents: &[String]) -> usize {
    let tokens = tiktoken_rs::o200k_base().unwrap();
    contents.iter().map(|content| tokens.encode_ordinary(content).len()).sum()
}
