//! Promotion, the sweep, and what layers bring to a memory: circumstances and structure.

use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::support::House;

/// Remembers an episode and gives its path.
async fn episode(house: &House, content: &str) -> String {
    let body = json!({"content": content, "layer": "episodic", "kind": "episode"});
    let receipt = house.post("/v1/memories", &body).send().await.expect(201);
    format!("/v1/memories/{}", receipt["id"].as_str().unwrap())
}

/// The contents of a list, the earliest first.
async fn listed(house: &House, query: &str) -> Vec<String> {
    let page = house.get(&format!("/v1/memories?order=oldest_first{query}")).send().await.expect(200);
    let memories = page["memories"].as_array().unwrap().iter();
    memories.map(|memory| memory["content"].as_str().unwrap().to_owned()).collect()
}

fn id_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

#[tokio::test]
async fn several_become_one_and_stand_for_themselves_again_when_undone() {
    let (house, clock) = House::timed().await;
    let first = episode(&house, "민수가 월요일 회의를 취소했다").await;
    clock.advance(SignedDuration::from_secs(1));
    let second = episode(&house, "the Monday meeting fell through").await;
    let body = json!({"together_with": [id_of(&second)]});
    let ask = || house.post(&format!("{first}/promote"), &body).header("idempotency-key", "k1").send();
    let answer = ask().await;
    let promoted = answer.expect(200);
    assert_eq!(promoted["memory"]["layer"], "long_term", "{promoted}");
    assert_eq!(promoted["sources"], json!([id_of(&first), id_of(&second)]));
    let path = format!("/v1/memories/{}", promoted["memory"]["id"].as_str().unwrap());
    let now = house.get(&path).send().await;
    assert_eq!(answer.header("etag"), now.header("etag"), "it tells the state it left behind");
    let again = ask().await;
    assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &answer.body));
    assert_eq!(listed(&house, "").await, ["민수가 월요일 회의를 취소했다"]);
    house.post(&format!("{first}/promote"), &json!({})).send().await.problem(409, "conflict");

    clock.advance(SignedDuration::from_secs(1));
    let undo =
        || house.post(&format!("{path}/undo-promotion"), &json!({})).header("idempotency-key", "k2").send();
    let undone = undo().await.expect(200);
    assert_eq!(undone["sources"].as_array().unwrap().len(), 2, "{undone}");
    assert_eq!(undo().await.header("idempotency-replayed"), "true");
    assert_eq!(
        listed(&house, "&layer=episodic").await,
        ["민수가 월요일 회의를 취소했다", "the Monday meeting fell through"]
    );
    assert!(listed(&house, "&layer=long_term").await.is_empty());
    house.post(&format!("{path}/undo-promotion"), &json!({})).send().await.problem(409, "conflict");
}

#[tokio::test]
async fn what_cannot_be_promoted_is_refused_and_stays() {
    let (house, _clock) = House::timed().await;
    let one = episode(&house, "the kettle whistled at noon").await;
    let known = house.keep("default", "the kettle is blue");
    let foreign = house.keep("other", "Bo painted the fence");
    let nobody = "0198c5b2-7d3e-7000-8000-000000000001";
    let promote = |path: &str, body: Value| house.post(&format!("{path}/promote"), &body).send();
    promote(&format!("/v1/memories/{known}"), json!({})).await.problem(409, "conflict");
    promote(&one, json!({"to": "working"})).await.problem(409, "conflict");
    promote(&one, json!({"together_with": [foreign]})).await.problem(409, "conflict");
    promote(&one, json!({"together_with": [nobody]})).await.problem(404, "not-found");
    promote(&format!("/v1/memories/{nobody}"), json!({})).await.problem(404, "not-found");
    house.delete(&one).send().await.expect(200);
    promote(&one, json!({})).await.problem(409, "conflict");
    house.post(&format!("{one}/restore"), &json!({})).send().await.expect(200);
    assert_eq!(listed(&house, "&layer=episodic").await, ["the kettle whistled at noon"]);
}

#[tokio::test]
async fn a_sweep_ends_what_is_over_and_promotes_what_matters_once() {
    let (house, clock) = House::timed().await;
    for (key, importance) in [("low", 0.1), ("high", 0.9)] {
        let body = json!({"value": format!("{key} 상자"), "ttl_seconds": 60, "importance": importance});
        house.put(&format!("/v1/working/{key}"), &body).send().await.expect(200);
    }
    let sweep = async || house.post("/v1/sweep", &json!({})).send().await.expect(200);
    let nothing = json!({"expired": 0, "trashed": 0, "outlived": 0, "cleaned_up": 0, "promoted": 0});
    assert_eq!(sweep().await, nothing);
    clock.advance(SignedDuration::from_secs(60));
    let swept = sweep().await;
    assert_eq!((&swept["expired"], &swept["promoted"]), (&json!(1), &json!(1)), "{swept}");
    assert_eq!(listed(&house, "&layer=episodic").await, ["high 상자"]);
    assert_eq!(sweep().await, nothing, "once more changes nothing");
}

#[tokio::test]
async fn circumstances_come_back_and_narrow_lists_and_recall() {
    let (house, _clock) = House::timed().await;
    let told = |content: &str, place: &str| json!({"content": content, "context": {"spatial": {"place": place}, "social": {"with": "민수"}}});
    let mut ids = Vec::new();
    for (content, place) in
        [("the 계약서 contract was signed", "사무실"), ("a kitchen contract is open", "home")]
    {
        let receipt = house.post("/v1/memories", &told(content, place)).send().await.expect(201);
        let path = format!("/v1/memories/{}", receipt["id"].as_str().unwrap());
        let memory = house.get(&path).send().await.expect(200);
        assert_eq!(memory["context"], told(content, place)["context"]);
        ids.push(path);
    }
    let office = "&context=spatial.place%3D%EC%82%AC%EB%AC%B4%EC%8B%A4";
    assert_eq!(listed(&house, office).await, ["the 계약서 contract was signed"]);
    assert_eq!(listed(&house, &format!("{office}&context=social.with%3DBo")).await, Vec::<String>::new());
    let ask = async |context: Value| {
        let question = json!({"query": "contract", "context": context});
        let recalled = house.post("/v1/recall", &question).send().await.expect(200);
        recalled["hits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["memory"]["content"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(json!(["spatial.place=home"])).await, ["a kitchen contract is open"]);
    assert_eq!(ask(json!(["spatial.place=home", "social.with=Bo"])).await, Vec::<Value>::new());
    assert_eq!(ask(json!([])).await.len(), 2);
    let revised =
        house.patch(&ids[1], &json!({"context": {"spatial": {"place": "사무실"}}})).send().await.expect(200);
    assert_eq!(
        revised["memory"]["context"],
        json!({"spatial": {"place": "사무실"}}),
        "in place of all it had"
    );
    assert_eq!(listed(&house, office).await.len(), 2);
}

#[tokio::test]
async fn structure_comes_back_and_gives_the_words() {
    let (house, _clock) = House::timed().await;
    let steps = json!({"skill": "차 끓이기", "steps": ["물을 끓인다", "찻잎을 넣는다"], "conditions": [], "success_rate": 0.5});
    let body = json!({"kind": "procedure", "data": steps});
    let receipt = house.post("/v1/memories", &body).send().await.expect(201);
    let path = format!("/v1/memories/{}", receipt["id"].as_str().unwrap());
    let memory = house.get(&path).send().await.expect(200);
    assert_eq!(memory["data"], steps);
    assert!(memory["content"].as_str().unwrap().contains("물을 끓인다"), "{memory}");
    let mut other = steps.clone();
    other["steps"] = json!(["물을 식힌다"]);
    let revised = house.patch(&path, &json!({"data": other})).send().await.expect(200)["memory"].clone();
    assert_eq!(revised["data"], other);
    assert!(revised["content"].as_str().unwrap().contains("물을 식힌다"), "the words follow: {revised}");
    let revised =
        house.patch(&path, &json!({"content": "나중에"})).send().await.expect(200)["memory"].clone();
    assert_eq!(revised["data"], other, "words alone leave the structure");
    let revised = house.patch(&path, &json!({"data": null})).send().await.expect(200)["memory"].clone();
    assert_eq!(
        (&revised["content"], revised.get("data").cloned().unwrap_or_default()),
        (&json!("나중에"), Value::Null)
    );
    let bad = house.patch(&path, &json!({"data": {"skill": "x", "steps": "y"}})).send().await;
    bad.problem(400, "invalid-input");
    for data in [json!("text"), json!([1, {"키": null}]), json!(7), json!(false)] {
        let body = json!({"content": format!("it is {data}"), "data": data});
        let receipt = house.post("/v1/memories", &body).send().await.expect(201);
        let path = format!("/v1/memories/{}", receipt["id"].as_str().unwrap());
        assert_eq!(house.get(&path).send().await.expect(200)["data"], data);
    }
}
