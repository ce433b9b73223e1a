//! Patterns and routes over HTTP.

use axum::http::Method;
use perihelion::{EventKind, LogQuery, Role};
use serde_json::{Value, json};

use super::{each, keep};
use crate::support::House;

#[tokio::test]
async fn a_strategy_is_kept_once_and_found_by_words_and_by_its_field() {
    let house = House::open().await;
    let body = json!({"strategy": "Profile before you optimise the query", "domain": "Performance",
        "agent": "optimizer", "quality": 0.9});
    let pattern = keep(&house, body).await;
    assert_eq!((&pattern["domain"], &pattern["term"]), (&json!("performance"), &json!("short")));
    let same = json!({"strategy": "profile  before you optimise the query"});
    let merged = house.post("/v1/patterns", &same).send().await.expect(200);
    assert_eq!((&merged["outcome"], &merged["pattern"]["id"]), (&json!("merged"), &pattern["id"]));
    let korean = keep(&house, json!({"strategy": "데이터베이스를 먼저 백업한다"})).await;

    let find = async |parameters: &str| {
        house.get(&format!("/api/memory/patterns?{parameters}")).send().await.expect(200)
    };
    let found = find("q=optimise%20the%20slow%20query").await;
    let best = &found["patterns"][0];
    assert_eq!(best["pattern"]["id"], pattern["id"], "{found}");
    assert!(best["similarity"].as_f64().unwrap() > 0.0, "{found}");
    assert!(found["route"]["agent"].is_string() && found["route"]["confidence"].is_number(), "{found}");
    let found = find("q=%EB%8D%B0%EC%9D%B4%ED%84%B0%EB%B2%A0%EC%9D%B4%EC%8A%A4%20%EB%B0%B1%EC%97%85").await;
    assert_eq!(found["patterns"][0]["pattern"]["id"], korean["id"], "{found}");

    let all = find("").await;
    assert_eq!((all["patterns"].as_array().unwrap().len(), all.get("route")), (2, None), "{all}");
    for parameters in
        ["domain=performance", "domain=Performance", "q=optimise%20the%20query&domain=PERFORMANCE"]
    {
        let found = find(parameters).await;
        assert_eq!(found["patterns"].as_array().unwrap().len(), 1, "{parameters}: {found}");
        assert_eq!(found["patterns"][0]["pattern"]["id"], pattern["id"], "{parameters}");
    }
    assert_eq!(find("limit=1").await["patterns"].as_array().unwrap().len(), 1);
    assert_eq!(find("namespace=empty").await["patterns"], json!([]));
}

#[tokio::test]
async fn a_pattern_is_promoted_put_aside_and_offered_again_and_each_is_told_once() {
    let house = House::open().await;
    let pattern = keep(&house, json!({"strategy": "先备份再迁移", "namespace": "team/a"})).await;
    let path = format!("/v1/patterns/{}", pattern["id"].as_str().unwrap());
    let act = async |verb: &str| house.ask(Method::POST, &format!("{path}/{verb}")).send().await.expect(200);
    for _ in 0..2 {
        assert_eq!(act("promote").await["term"], "long");
    }
    let aside = act("retire").await["retired_at"].clone();
    assert!(aside.is_string());
    assert_eq!(act("retire").await["retired_at"], aside, "it stays where it is");
    let listed = async |parameters: &str| {
        let listed = house.get(&format!("/v1/patterns?{parameters}")).send().await.expect(200);
        each(&listed["patterns"], "strategy").len()
    };
    assert_eq!((listed("").await, listed("retired=true").await), (0, 1));
    assert_eq!(house.get(&path).send().await.expect(200)["retired_at"], aside);
    for _ in 0..2 {
        assert_eq!(act("restore").await.get("retired_at"), None);
    }
    assert_eq!((listed("term=long").await, listed("term=short").await), (1, 0));
    assert_eq!((listed("scope=team/*").await, listed("scope=team/b").await), (1, 0));
    let kinds = vec![EventKind::PatternPromoted, EventKind::PatternRetired, EventKind::PatternLearned];
    let events = house.engine.events(&LogQuery { kinds, ..LogQuery::default() }).unwrap().events;
    assert_eq!(events.len(), 4, "learned, promoted, put aside, offered again: {events:?}");
}

#[tokio::test]
async fn what_is_done_to_a_pattern_under_an_idempotency_key_is_done_once() {
    let house = House::open().await;
    let pattern = keep(&house, json!({"strategy": "Ask Mina before touching billing"})).await;
    for verb in ["promote", "retire", "restore"] {
        let path = format!("/v1/patterns/{}/{verb}", pattern["id"].as_str().unwrap());
        let act = || house.ask(Method::POST, &path).header("idempotency-key", verb).send();
        let (first, again) = (act().await, act().await);
        assert_eq!((first.status, first.header("idempotency-replayed")), (200, ""), "{}", first.text());
        assert_eq!((again.header("idempotency-replayed"), &again.body), ("true", &first.body), "{verb}");
    }
}

#[tokio::test]
async fn a_key_sees_patterns_of_its_own_namespaces_alone() {
    let house = House::open().await;
    let theirs = keep(&house, json!({"strategy": "回滚之前先问阿娜", "namespace": "team/a"})).await;
    keep(&house, json!({"strategy": "Roll back at once", "namespace": "other/b"})).await;
    let (key, owner) = (house.key(Role::Admin, "other/b"), house.key(Role::Admin, "*"));
    for path in ["/v1/patterns", "/api/memory/patterns", "/api/memory/patterns?q=roll%20back"] {
        let answer = house.get(path).key(&key).send().await;
        let text = answer.expect(200).to_string();
        assert!(text.contains("Roll back at once") && !text.contains("阿娜"), "{path}: {text}");
    }
    let path = format!("/v1/patterns/{}", theirs["id"].as_str().unwrap());
    house.get(&path).key(&key).send().await.problem(404, "not-found");
    for verb in ["promote", "retire", "restore"] {
        let answer = house.ask(Method::POST, &format!("{path}/{verb}")).key(&key).send().await;
        answer.problem(404, "not-found");
    }
    for path in ["/v1/patterns?scope=team/a", "/v1/patterns?scope=*", "/api/memory/patterns?namespace=team/a"]
    {
        house.get(path).key(&key).send().await.problem(403, "forbidden");
    }
    let routed = house.post("/v1/route", &json!({"task": "roll back", "namespace": "team/a"})).key(&key);
    routed.send().await.problem(403, "forbidden");
    assert_eq!(house.get(&path).key(&owner).send().await.expect(200), theirs, "nothing has changed");
}

#[tokio::test]
async fn what_others_followed_does_not_count_for_a_pattern_that_is_not_theirs() {
    let house = House::open().await;
    let theirs =
        keep(&house, json!({"strategy": "Rotate keys region by region", "namespace": "team/a"})).await;
    let (key, owner) = (house.key(Role::Writer, "other/b"), house.key(Role::Admin, "*"));
    for number in 0..6 {
        let body =
            json!({"task": format!("task {number}"), "outcome": "failure", "patterns": [theirs["id"]]});
        house.post("/v1/trajectories", &body).key(&key).send().await.expect(201);
    }
    house.post("/v1/learning/distil", &json!({})).key(&owner).send().await.expect(200);
    let path = format!("/v1/patterns/{}", theirs["id"].as_str().unwrap());
    assert_eq!(house.get(&path).key(&owner).send().await.expect(200), theirs);
}

#[tokio::test]
async fn routes_follow_the_outcomes_of_their_namespace() {
    let house = House::open().await;
    let route = async |namespace: &str| {
        let body = json!({"task": "translate the release notes into Korean", "namespace": namespace});
        house.post("/v1/route", &body).send().await.expect(200)
    };
    let before = route("team/a").await;
    assert_eq!((&before["agent"], &before["outcomes"]), (&json!("coder"), &json!(0)), "{before}");
    for task in
        ["translate the help pages", "translate button labels into Korean", "translate the error texts"]
    {
        let body = json!({"task": task, "outcome": "success", "agent": "번역가", "namespace": "team/a"});
        house.post("/v1/trajectories", &body).send().await.expect(201);
    }
    let after = route("team/a").await;
    assert_eq!((&after["agent"], &after["outcomes"]), (&json!("번역가"), &json!(3)), "{after}");
    let confidence = after["confidence"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&confidence) && !after["reasoning"].as_str().unwrap().is_empty(), "{after}");
    assert!(after["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()), "{after}");
    assert_eq!(route("team/b").await["agent"], Value::from("coder"), "outcomes of others do not count");
}
