//! Bad input: every mistake is named, and nothing is kept.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::House;

/// A body that is wrong, and what the answer must name.
fn bodies() -> Vec<(&'static str, Value, &'static str)> {
    let (tasks, patterns) = ("/v1/trajectories", "/v1/patterns");
    let task = |field: &str, value: Value| {
        let mut body = json!({"task": "로그인을 고친다", "outcome": "success"});
        body[field] = value;
        body
    };
    let strategy = |field: &str, value: Value| {
        let mut body = json!({"strategy": "先写测试"});
        body[field] = value;
        body
    };
    let step = |step: Value| task("steps", json!([step]));
    let steps = vec![json!({"input": "x"}); 1001];
    let ids = vec![json!("0198c5b2-7d3e-7000-8000-000000000001"); 101];
    vec![
        (tasks, json!({}), "task"),
        (tasks, json!({"task": "x"}), "outcome"),
        (tasks, task("task", json!(" \n")), "empty"),
        (tasks, task("task", json!("a\u{0}b")), "NUL"),
        (tasks, task("task", json!("가".repeat(100_000))), "content_bytes_max"),
        (tasks, task("outcome", json!("good")), "`outcome`"),
        (tasks, task("agent", json!("x".repeat(257))), "label_bytes_max"),
        (tasks, task("domain", json!(" ")), "domain"),
        (tasks, task("session", json!("a\u{0}b")), "NUL"),
        (tasks, task("namespace", json!("team/*")), "`namespace`"),
        (tasks, task("id", json!("일")), "`id`"),
        (tasks, task("turn", json!("x")), "`turn`"),
        (tasks, task("at", json!("yesterday")), "`at`"),
        (tasks, task("duration_ms", json!(-1)), "`duration_ms`"),
        (tasks, task("duration_ms", json!(1e30)), "`duration_ms`"),
        (tasks, task("patterns", json!(["x"])), "`patterns[0]`"),
        (tasks, task("patterns", json!(ids)), "patterns"),
        (tasks, task("steps", json!(steps)), "steps"),
        (tasks, step(json!({})), "input"),
        (tasks, step(json!({"input": "a\u{0}"})), "NUL"),
        (tasks, step(json!({"input": "x", "output": "\u{0}"})), "NUL"),
        (tasks, step(json!({"input": "x", "confidence": 1.1})), "1.1"),
        (tasks, step(json!({"input": "x", "confidence": 1e39})), "confidence"),
        (tasks, step(json!({"input": "x", "duration_ms": 0.5})), "duration_ms`: 0.5"),
        (tasks, step(json!({"input": "x", "tool": "y"})), "tool"),
        (tasks, task("unheard_of", json!(1)), "unheard_of"),
        (patterns, json!({}), "strategy"),
        (patterns, strategy("strategy", json!("")), "empty"),
        (patterns, strategy("strategy", json!("\u{0}")), "NUL"),
        (patterns, strategy("quality", json!(1.5)), "`quality`: 1.5"),
        (patterns, strategy("quality", json!(-0.1)), "`quality`: -0.1"),
        (patterns, strategy("quality", json!(1e39)), "`quality`"),
        (patterns, strategy("quality", json!("high")), "`quality`"),
        (patterns, strategy("agent", json!("")), "agent"),
        (patterns, strategy("term", json!("long")), "term"),
        ("/v1/route", json!({"task": ""}), "empty"),
        ("/v1/route", json!({}), "task"),
        ("/v1/route", json!({"task": "x", "agent": "y"}), "agent"),
        ("/v1/learning/distil", json!({"scope": "a//b"}), "`scope`"),
        ("/v1/learning/train", json!({"namespace": "*"}), "`namespace`"),
        ("/v1/learning/rollback", json!({"name": "weights", "set": 0}), "`name`"),
        ("/v1/learning/rollback", json!({"name": "router"}), "set"),
        ("/v1/learning/rollback", json!({"name": "router", "set": -1}), "`set`"),
    ]
}

#[tokio::test]
async fn mistakes_are_named_and_nothing_is_kept() {
    let house = House::open().await;
    let before = house.engine.last_event_number().unwrap();
    for (path, body, named) in bodies() {
        let answer = house.post(path, &body).send().await;
        let problem = answer.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{path} {named}: {problem}");
    }
    // What JSON does not know: it cannot say what is no number.
    for quality in ["NaN", "Infinity", "1e999"] {
        let body = format!("{{\"strategy\": \"x\", \"quality\": {quality}}}");
        let answer = house.ask(Method::POST, "/v1/patterns").raw("application/json", body).send().await;
        answer.problem(400, "invalid-input");
    }
    let stats = house.get("/api/memory/learning/stats").send().await.expect(200);
    assert_eq!((&stats["trajectories"], &stats["short_term"]), (&json!(0), &json!(0)));
    assert_eq!(house.engine.last_event_number().unwrap(), before);
}

#[tokio::test]
async fn parameters_and_ids_that_are_wrong_are_named() {
    let house = House::open().await;
    for (path, named) in [
        ("/v1/trajectories?limit=0", "`limit`"),
        ("/v1/trajectories?limit=1001", "`limit`"),
        ("/v1/trajectories?cursor=x", "cursor"),
        ("/v1/trajectories?outcome=good", "outcome"),
        ("/v1/trajectories?order=sideways", "order"),
        ("/v1/trajectories?session=%00", "NUL"),
        ("/v1/trajectories?unheard_of=1", "unheard_of"),
        ("/v1/trajectories/x", "trajectory"),
        ("/v1/patterns?limit=0", "`limit`"),
        ("/v1/patterns?term=middle", "term"),
        ("/v1/patterns?retired=perhaps", "retired"),
        ("/v1/patterns?domain=%20", "domain"),
        ("/v1/patterns/x", "pattern"),
        ("/api/memory/patterns?limit=0", "`limit`"),
        ("/api/memory/patterns?q=", "`q`"),
        ("/api/memory/patterns?q=%20", "empty"),
        ("/api/memory/patterns?namespace=team/*", "namespace"),
        ("/api/memory/patterns?query=x", "query"),
        ("/api/memory/learning/stats?scope=a//b", "scope"),
        ("/v1/learning/sets", "name"),
        ("/v1/learning/sets?name=weights", "name"),
    ] {
        let problem = house.get(path).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{path} {named}: {problem}");
    }
    let nobody = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    for path in ["/v1/trajectories/$", "/v1/patterns/$"] {
        house.get(&path.replace('$', nobody)).send().await.problem(404, "not-found");
    }
    for verb in ["promote", "retire", "restore"] {
        let answer = house.ask(Method::POST, &format!("/v1/patterns/{nobody}/{verb}")).send().await;
        answer.problem(404, "not-found");
    }
}
