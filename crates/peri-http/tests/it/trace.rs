//! From a memory to what it came from.

use serde_json::{Value, json};

use crate::support::House;

#[tokio::test]
async fn a_memory_leads_to_its_journal_event_and_turn_and_to_what_else_came_from_there() {
    let house = House::open().await;
    let turn = house.post("/v1/turns", &json!({"session": "회의"})).send().await.expect(201);
    let turn = turn["turn"]["id"].clone();
    let said = json!({"text": "민수: 서버 이름은 가니메데", "turn": turn});
    let kept = house.post("/v1/journal", &json!({"entries": [said]})).send().await.expect(201);
    let entry = kept["entries"][0]["id"].clone();
    let mut ids = Vec::new();
    for content in ["스테이징 서버는 가니메데다", "服务器由民秀命名"] {
        let told = json!({"content": content, "entry": entry});
        ids.push(house.post("/v1/memories", &told).send().await.expect(201)["id"].clone());
    }
    let trace =
        house.get(&format!("/v1/memories/{}/trace", ids[0].as_str().unwrap())).send().await.expect(200);
    assert_eq!((&trace["memory"]["id"], &trace["entry_id"]), (&ids[0], &entry), "{trace}");
    assert_eq!(trace["entry"]["text"], "민수: 서버 이름은 가니메데");
    assert_eq!(trace["turn"]["id"], turn);
    let all: Vec<&Value> = trace["memories"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.iter().all(|id| all.contains(&id)), "{trace}");
}

#[tokio::test]
async fn a_memory_that_came_from_nowhere_says_so_and_one_that_is_not_there_is_not_found() {
    let house = House::open().await;
    let id = house.keep("default", "茶壶是蓝色的");
    let trace = house.get(&format!("/v1/memories/{id}/trace")).send().await.expect(200);
    assert_eq!((&trace["memory"]["id"], &trace["memories"]), (&json!(id), &json!([])));
    assert!(trace.get("entry").is_none() && trace.get("turn").is_none(), "{trace}");
    let never = "/v1/memories/0198c5b2-7d3e-7000-8000-000000000001/trace";
    house.get(never).send().await.problem(404, "not-found");
    house.get("/v1/memories/7/trace").send().await.problem(400, "invalid-input");
}
