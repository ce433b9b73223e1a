//! What was done, what works, and who should take a task.

use serde_json::{Value, json};

use crate::support::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_pattern_that_was_stored_is_found_offered_with_recall_and_named_when_it_was_followed() {
    let client = World::whole().client().await;
    let strategy = "결제 배포: `Bash: cargo test -p billing`, then `Bash: ./deploy staging billing`";
    let stored = client.ok("pattern_store", json!({"strategy": strategy, "domain": "devops"})).await;
    let id = stored["pattern"]["id"].as_str().unwrap().to_owned();
    assert_eq!(stored["outcome"], "stored");
    let again = client.ok("pattern_store", json!({ "strategy": strategy })).await;
    assert_eq!((&again["outcome"], &again["pattern"]["id"]), (&json!("merged"), &json!(id)));

    let asked = json!({"query": "deploy billing to staging"});
    let found = client.ok("pattern_search", asked.clone()).await;
    assert_eq!(found["patterns"][0]["id"], json!(id));
    let recalled = client.ok("memory_recall", asked).await;
    let offered = recalled["patterns"][0].as_str().unwrap();
    assert!(offered.starts_with(strategy) && offered.ends_with(&format!("(pattern {id})")), "{offered}");
    let others = client.ok("memory_recall", json!({"query": "茶的颜色"})).await;
    assert_eq!(others.get("patterns"), None::<&Value>, "nothing is offered that does not matter");

    let done = json!({"task": "deploy billing", "outcome": "success", "patterns": [id]});
    let receipt = client.ok("trajectory_record", done).await;
    assert_eq!(receipt["outcome"], "stored");
    let stats = client.ok("learning_stats", json!({})).await;
    let numbers = (&stats["short_term"], &stats["trajectories"], &stats["undistilled"]);
    assert_eq!(numbers, (&json!(1), &json!(1), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_routed_by_the_table_at_first_and_by_outcomes_after_that() {
    let client = World::whole().client().await;
    let asked = json!({"task": "water the ferns in the greenhouse"});
    let before = client.ok("task_route", asked.clone()).await;
    assert_eq!(before["outcomes"], json!(0));
    assert!(!before["reasons"].as_array().unwrap().is_empty(), "{before}");
    for number in 0..12 {
        let task = format!("water the ferns in the greenhouse, bed {number}");
        let done = json!({"task": task, "outcome": "success", "agent": "gardener"});
        client.ok("trajectory_record", done).await;
    }
    let after = client.ok("task_route", asked).await;
    assert_eq!((&after["agent"], &after["outcomes"]), (&json!("gardener"), &json!(12)));
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_in_what_was_done_are_taken_out() {
    let client = World::whole().client().await;
    let secret = ["ghp_", "0123456789abcdefghijklmnopqrstuvwxyz"].concat();
    let step = json!({"input": format!("Bash: push with {secret}"), "output": secret});
    let done = json!({"task": "push the branch", "outcome": "failure", "steps": [step]});
    let receipt = client.ok("trajectory_record", done).await;
    assert!(!receipt["redacted"].as_array().unwrap().is_empty(), "{receipt}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_workers_did_is_told_of_everything_or_not_at_all() {
    let client = World::whole().client().await;
    let status = client.ok("workers_status", json!({})).await;
    assert_eq!((&status["runs"], &status["alerts"]), (&json!([]), &json!([])));
    let why = client.refused("workers_status", json!({"namespace": "team/*"})).await;
    assert!(why.contains("`namespace`"), "{why}");
}
