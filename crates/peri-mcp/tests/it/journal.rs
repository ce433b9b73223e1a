//! The journal over MCP: written down, found, traced, and told apart from what others wrote.

use serde_json::{Value, json};

use crate::support::World;

fn texts(answer: &Value) -> Vec<&str> {
    answer["events"].as_array().unwrap().iter().filter_map(|event| event["text"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_down_is_found_and_traced() {
    let client = World::whole().client().await;
    let turn = client.ok("turn_begin", json!({"session": "아침"})).await["id"].clone();
    let first = json!({"text": "The staging server is called Ganymede", "session": "아침", "actor": "Ana",
        "turn": turn, "remember": true, "body": {"raw": ["x", null]}});
    let first = client.ok("journal_append", first).await;
    assert_eq!(first["state"], "stored");
    client.ok("journal_append", json!({"text": "部署成功", "kind": "alert", "status": "error"})).await;

    let recent = client.ok("journal_recent", json!({"session": "아침"})).await;
    assert_eq!(texts(&recent), ["The staging server is called Ganymede"]);
    assert_eq!(recent["events"][0]["body"], json!({"raw": ["x", null]}));
    let found =
        client.ok("journal_search", json!({"text": "部署", "status": "error", "kind": "alert"})).await;
    assert_eq!(texts(&found), ["部署成功"]);
    let page = client.ok("journal_search", json!({"limit": 1, "oldest_first": true})).await;
    let rest = json!({"cursor": page["next_cursor"], "oldest_first": true});
    let rest = client.ok("journal_search", rest).await;
    assert_eq!((texts(&page).len(), texts(&rest)), (1, vec!["部署成功"]));

    let traced = client.ok("journal_trace", json!({"id": first["memory"]})).await;
    assert_eq!((&traced["event_id"], &traced["turn"]), (&first["id"], &turn));
    assert_eq!(traced["memories"].as_array().unwrap().len(), 1);

    let done = client.ok("turn_finish", json!({"id": turn, "error": "모델이 답하지 않았다"})).await;
    assert_eq!(done["status"], "error");
    let found = client.ok("turn_get", json!({"id": turn})).await;
    assert_eq!((texts(&found).len(), &found["error"]), (1, &json!("모델이 답하지 않았다")));
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_by_name() {
    let client = World::whole().client().await;
    for (tool, arguments, named) in [
        ("journal_append", json!({"text": "x", "at": "어제"}), "`at`"),
        ("journal_append", json!({"text": "x", "turn": "x"}), "`turn`"),
        ("journal_append", json!({"text": "a\u{0}b"}), "NUL"),
        ("journal_search", json!({"cursor": "x"}), "`cursor`"),
        ("journal_search", json!({"since": "2026-01-02", "until": "2026-01-01"}), "`until`"),
        ("journal_recent", json!({"limit": 0}), "`limit`"),
        ("journal_trace", json!({"id": "x"}), "`id`"),
        ("turn_begin", json!({"input": "x"}), "`input`"),
        ("turn_finish", json!({"id": "x"}), "`id`"),
        ("turn_get", json!({"id": "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"}), "no turn"),
    ] {
        let why = client.refused(tool, arguments).await;
        assert!(why.contains(named), "{tool}: {why}");
    }
}
