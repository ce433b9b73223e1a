//! The journal over HTTP.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::House;

fn texts(answer: &Value) -> Vec<&str> {
    answer["entries"].as_array().unwrap().iter().filter_map(|entry| entry["text"].as_str()).collect()
}

async fn append(house: &House, entries: Value) -> Value {
    house.post("/v1/journal", &json!({ "entries": entries })).send().await.expect(201)
}

#[tokio::test]
async fn what_is_written_down_is_read_back_listed_and_counted() {
    let (house, clock) = House::timed().await;
    let body = json!({"온도": 21, "list": [null, "x"]});
    let first = append(
        &house,
        json!([
            {"text": "배포가 끝났다", "session": "아침", "actor": "小明", "kind": "alert", "status": "ok",
             "direction": "inbound", "at": "2026-03-01T00:00:00Z", "body": body, "gate": {"action": "DELIVER"},
             "metadata": {"room": "kitchen"}},
            {"text": "the deploy is done", "session": "아침"},
        ]),
    )
    .await;
    assert_eq!((&first["entries"][0]["state"], first["entries"][0].get("memory")), (&json!("stored"), None));
    clock.advance(jiff::SignedDuration::from_secs(1));
    append(&house, json!([{"text": "later", "session": "저녁"}])).await;

    let id = first["entries"][0]["id"].as_str().unwrap();
    let entry = house.get(&format!("/v1/journal/{id}")).send().await.expect(200);
    assert_eq!((&entry["body"], &entry["actor"], &entry["status"]), (&body, &json!("小明"), &json!("ok")));
    let listed = house.get("/v1/journal?text=DEPLOY%20done").send().await.expect(200);
    assert_eq!(texts(&listed), ["the deploy is done"]);
    let listed =
        house.get("/v1/journal?kind=alert&status=ok&actor=%E5%B0%8F%E6%98%8E").send().await.expect(200);
    assert_eq!(texts(&listed), ["배포가 끝났다"]);
    let page = house.get("/v1/journal?limit=2").send().await.expect(200);
    assert_eq!(texts(&page), ["later", "the deploy is done"]);
    let next = page["next_cursor"].as_str().unwrap();
    let rest = house.get(&format!("/v1/journal?cursor={next}")).send().await.expect(200);
    assert_eq!((texts(&rest), &rest["next_cursor"]), (vec!["배포가 끝났다"], &Value::Null));
    let recent = house.get("/v1/journal/recent?limit=1").send().await.expect(200);
    assert_eq!(texts(&recent), ["later"]);
    let stats = house.get("/v1/journal/stats").send().await.expect(200);
    assert_eq!((&stats["entries"], &stats["waiting"]["held"]), (&json!(3), &json!(0)));
}

#[tokio::test]
async fn a_remembered_event_is_a_memory_that_says_where_it_came_from() {
    let house = House::open().await;
    let appended =
        append(&house, json!([{"text": "Ganymede is the staging server", "remember": true}])).await;
    let (id, memory) = (appended["entries"][0]["id"].clone(), appended["entries"][0]["memory"].clone());
    let found = house.get(&format!("/v1/memories/{}", memory.as_str().unwrap())).send().await.expect(200);
    assert_eq!((&found["entry"], &found["layer"]), (&id, &json!("episodic")));
    let told = json!({"content": "Ganymede runs Debian", "entry": id});
    house.post("/v1/memories", &told).send().await.expect(201);
    let listed = house.get(&format!("/v1/memories?entry={}", id.as_str().unwrap())).send().await.expect(200);
    assert_eq!(listed["memories"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_turn_is_begun_told_of_and_finished() {
    let house = House::open().await;
    let begun =
        house.post("/v1/turns", &json!({"session": "아침", "plan": ["look"]})).send().await.expect(201);
    let id = begun["turn"]["id"].as_str().unwrap();
    append(&house, json!([{"text": "tool ran", "turn": id}])).await;
    let path = format!("/v1/turns/{id}");
    let calls = json!({"tool_calls": [{"tool": "search"}]});
    let told = house.ask(Method::PATCH, &path).json(&calls).send().await.expect(200);
    assert_eq!((told["turn"].get("status"), &told["state"]), (None, &json!("stored")));
    let done = json!({"status": "timeout", "error": "超时", "tool_results": [1]});
    house.ask(Method::PATCH, &path).json(&done).send().await.expect(200);
    let found = house.get(&path).send().await.expect(200);
    assert_eq!(found["turn"]["tool_calls"], calls["tool_calls"]);
    assert_eq!((&found["turn"]["status"], texts(&found)), (&json!("timeout"), vec!["tool ran"]));
    let listed = house.get("/v1/turns?status=timeout&session=%EC%95%84%EC%B9%A8").send().await.expect(200);
    assert_eq!(listed["turns"].as_array().unwrap().len(), 1);
    let none = house.get("/v1/turns?status=error").send().await.expect(200);
    assert_eq!(none["turns"], json!([]));
}

#[tokio::test]
async fn bad_input_is_named_and_nothing_is_written_down() {
    let house = House::open().await;
    let long = "x".repeat(300);
    for (body, named) in [
        (json!({"entries": []}), "entries"),
        (json!({"entries": [{"text": "a\u{0}b"}]}), "NUL"),
        (json!({"entries": [{"text": "x", "session": long}]}), "label_bytes_max"),
        (json!({"entries": [{"text": "x", "kind": " "}]}), "kind"),
        (json!({"entries": [{"text": "x", "status": "good"}]}), "status"),
        (json!({"entries": [{"text": "x", "turn": "x"}]}), "turn"),
        (json!({"entries": [{"text": "x", "unheard_of": 1}]}), "unheard_of"),
        (json!({"entries": [{"text": "good"}, {"text": "x", "kind": ""}]}), "kind"),
    ] {
        let answer = house.post("/v1/journal", &body).send().await;
        assert!(
            answer.problem(400, "invalid-input").to_string().contains(named),
            "{body}: {}",
            answer.text()
        );
    }
    for path in ["/v1/journal?cursor=x", "/v1/journal?limit=0", "/v1/journal?session=%00", "/v1/journal/x"] {
        house.get(path).send().await.problem(400, "invalid-input");
    }
    let turn = house.post("/v1/turns", &json!({})).send().await.expect(201);
    let path = format!("/v1/turns/{}", turn["turn"]["id"].as_str().unwrap());
    for (changes, named) in [
        (json!({"error": "잘못\u{0}됨"}), "NUL"),
        (json!({"output_text": "\u{0}"}), "NUL"),
        (json!({"status": "good"}), "status"),
        (json!({"tool_calls": {}}), "tool_calls"),
        (json!({"session": "아침"}), "session"),
    ] {
        let answer = house.ask(Method::PATCH, &path).json(&changes).send().await;
        let problem = answer.problem(400, "invalid-input").to_string();
        assert!(problem.contains(named), "{changes}: {problem}");
    }
    let found = house.get(&path).send().await.expect(200);
    assert_eq!(found["turn"], turn["turn"]);
    let nobody = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    house.get(&format!("/v1/journal/{nobody}")).send().await.problem(404, "not-found");
    let update = house.ask(Method::PATCH, &format!("/v1/turns/{nobody}")).json(&json!({"status": "ok"}));
    update.send().await.problem(404, "not-found");
    assert_eq!(texts(&house.get("/v1/journal/recent").send().await.expect(200)), [""; 0]);
}
