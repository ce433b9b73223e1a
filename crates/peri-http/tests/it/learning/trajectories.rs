//! Recorded tasks over HTTP.

use perihelion::Role;
use serde_json::{Value, json};

use super::each;
use crate::support::House;

async fn record(house: &House, body: &Value) -> Value {
    house.post("/v1/trajectories", body).send().await.expect(201)
}

#[tokio::test]
async fn a_task_is_read_back_as_it_was_told() {
    let (house, _clock) = House::timed().await;
    let steps = json!([
        {"input": "운영 서버에 접속", "output": "연결됨", "duration_ms": 1200, "confidence": 0.5},
        {"input": "运行测试", "duration_ms": 300.0},
    ]);
    let body = json!({"task": "로그인 테스트를 고쳐 줘", "outcome": "partial", "agent": "小明", "session": "아침",
        "domain": " Testing ", "steps": steps, "at": "2026-03-01T00:00:00Z", "namespace": "팀/가"});
    let receipt = record(&house, &body).await;
    assert_eq!((&receipt["outcome"], &receipt["domain"]), (&json!("stored"), &json!("testing")));
    let path = format!("/v1/trajectories/{}", receipt["id"].as_str().unwrap());
    let told = house.get(&path).send().await.expect(200);
    for field in ["task", "outcome", "agent", "session", "at", "namespace"] {
        assert_eq!(told[field], body[field], "{field}");
    }
    assert_eq!((&told["steps"][0], &told["duration_ms"]), (&steps[0], &json!(1500)));
    let sure = json!({"input": "运行测试", "duration_ms": 300, "confidence": 1.0});
    assert_eq!((&told["steps"][1], told.get("distilled_at")), (&sure, None));
}

#[tokio::test]
async fn a_task_that_is_told_again_with_its_id_changes_nothing() {
    let house = House::open().await;
    let first = record(&house, &json!({"task": "고객 목록을 내보내기", "outcome": "success"})).await;
    let again = json!({"task": "another", "outcome": "failure", "id": first["id"]});
    let receipt = house.post("/v1/trajectories", &again).send().await.expect(200);
    assert_eq!((&receipt["outcome"], &receipt["id"]), (&json!("merged"), &first["id"]));
    let listed = house.get("/v1/trajectories").send().await.expect(200);
    assert_eq!(each(&listed["trajectories"], "task"), ["고객 목록을 내보내기"]);
}

#[tokio::test]
async fn lists_hold_what_was_asked_for_a_page_at_a_time() {
    let (house, clock) = House::timed().await;
    for (task, agent, session, outcome, namespace) in [
        ("write the parser", "coder", "s1", "success", "team/a"),
        ("测试解析器", "tester", "s1", "failure", "team/a"),
        ("문서를 쓴다", "writer", "s2", "success", "team/b"),
    ] {
        let body = json!({"task": task, "agent": agent, "session": session, "outcome": outcome,
            "namespace": namespace, "domain": "Parsing"});
        record(&house, &body).await;
        clock.advance(jiff::SignedDuration::from_secs(1));
    }
    let tasks = async |parameters: &str| {
        let listed = house.get(&format!("/v1/trajectories?{parameters}")).send().await.expect(200);
        each(&listed["trajectories"], "task").iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(tasks("").await, ["문서를 쓴다", "测试解析器", "write the parser"]);
    assert_eq!(tasks("order=oldest_first&limit=1").await, ["write the parser"]);
    assert_eq!(tasks("scope=team/b").await, ["문서를 쓴다"]);
    assert_eq!(tasks("agent=tester").await, ["测试解析器"]);
    assert_eq!(tasks("session=s1&outcome=success").await, ["write the parser"]);
    assert_eq!(tasks("domain=PARSING&outcome=failure").await, ["测试解析器"], "as it was written");
    assert_eq!(tasks("domain=security").await, [""; 0]);
    let page = house.get("/v1/trajectories?limit=2").send().await.expect(200);
    let next = page["next_cursor"].as_str().unwrap();
    assert_eq!(tasks(&format!("limit=2&cursor={next}")).await, ["write the parser"]);
}

#[tokio::test]
async fn secrets_are_taken_out_and_counted() {
    let house = House::open().await;
    let secret = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
    let steps = json!([{"input": format!("push with {secret}")}]);
    let receipt = record(&house, &json!({"task": "push it", "outcome": "success", "steps": steps})).await;
    assert!(receipt["redacted"][0].is_object(), "{receipt}");
    let path = format!("/v1/trajectories/{}", receipt["id"].as_str().unwrap());
    assert!(!house.get(&path).send().await.text().contains(&secret));
}

#[tokio::test]
async fn an_id_that_somebody_else_uses_is_free_and_tells_nothing() {
    let house = House::open().await;
    let (ana, ben) = (house.key(Role::Writer, "team/a"), house.key(Role::Writer, "team/b"));
    let body = json!({"task": "what Ana did", "outcome": "success"});
    let first = house.post("/v1/trajectories", &body).key(&ana).send().await.expect(201);
    let body = json!({"task": "what Ben did", "outcome": "failure", "id": first["id"]});
    let second = house.post("/v1/trajectories", &body).key(&ben).send().await.expect(201);
    assert_eq!(second["id"], first["id"]);
    let path = format!("/v1/trajectories/{}", first["id"].as_str().unwrap());
    for (key, task) in [(&ana, "what Ana did"), (&ben, "what Ben did")] {
        assert_eq!(house.get(&path).key(key).send().await.expect(200)["task"], task);
    }
}
