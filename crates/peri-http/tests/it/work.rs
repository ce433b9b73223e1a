//! Working memory over HTTP: values under keys, each in its session, and gone when their time is over.

use jiff::SignedDuration;
use perihelion::{Clock, Role};
use serde_json::{Value, json};

use crate::support::House;

/// Sets a value and gives the receipt.
async fn set(house: &House, path: &str, body: &Value) -> Value {
    house.put(path, body).send().await.expect(200)
}

/// The keys of what is held, the latest first.
async fn keys(house: &House, path: &str) -> Vec<String> {
    let held = house.get(path).send().await.expect(200);
    held["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap().to_owned()).collect()
}

fn pass(clock: &Clock, millis: i64) {
    clock.advance(SignedDuration::from_millis(millis));
}

#[tokio::test]
async fn a_key_gives_back_whatever_json_it_was_given() {
    let (house, clock) = House::timed().await;
    for (name, path) in [
        ("draft", "/v1/working/draft"),
        ("초안/하나 #1?", "/v1/working/%EC%B4%88%EC%95%88%2F%ED%95%98%EB%82%98%20%231%3F"),
        ("100 %", "/v1/working/100%20%25"),
    ] {
        for value in [
            json!("회의는 금요일"),
            json!("  "),
            json!(0),
            json!(-1.5),
            json!(false),
            json!([]),
            json!({"받는 사람": ["김민수", null], "草稿": {"行": 1.25}}),
        ] {
            pass(&clock, 10);
            let receipt = set(&house, path, &json!({ "value": value })).await;
            assert_eq!((&receipt["item"]["key"], &receipt["item"]["value"]), (&json!(name), &value));
            let held = house.get(path).send().await.expect(200);
            assert_eq!((&held["key"], &held["value"]), (&json!(name), &value), "{held}");
        }
        let receipt = set(&house, path, &json!({"value": "the last"})).await;
        assert_eq!(receipt["replaced"], true, "{receipt}");
    }
    assert_eq!(keys(&house, "/v1/working").await.len(), 3, "one value for each key");
    assert_eq!(house.delete("/v1/working/draft").send().await.expect(200), json!({"cleared": 1}));
    assert_eq!(house.delete("/v1/working/draft").send().await.expect(200), json!({"cleared": 0}));
    house.get("/v1/working/draft").send().await.problem(404, "not-found");
    assert_eq!(house.delete("/v1/working").send().await.expect(200), json!({"cleared": 2}));
}

#[tokio::test]
async fn what_has_expired_is_seen_on_no_path() {
    let (house, clock) = House::timed().await;
    let body =
        json!({"value": "ask 민수 for the ladder", "ttl_seconds": 60, "session": "s1", "importance": 0.1});
    let id = set(&house, "/v1/working/plan", &body).await["item"]["id"].as_str().unwrap().to_owned();
    let forever = json!({"value": "mind the step", "ttl_seconds": 0, "session": "s1"});
    assert_eq!(set(&house, "/v1/working/kept", &forever).await["item"]["expires_at"], Value::Null);
    let question = json!({"query": "민수 ladder"});
    let lists = ["/v1/memories", "/v1/memories?layer=working", "/v1/export", "/v1/working?session=s1"];
    pass(&clock, 59_999);
    for path in lists {
        assert!(house.get(path).send().await.text().contains(&id), "{path}");
    }
    assert!(house.post("/v1/recall", &question).send().await.text().contains(&id));
    house.get("/v1/working/plan?session=s1").send().await.expect(200);
    house.get(&format!("/v1/memories/{id}")).send().await.expect(200);

    pass(&clock, 1);
    for round in ["before the sweep", "after it"] {
        for path in lists.into_iter().chain(["/v1/memories?trashed=only"]) {
            let answer = house.get(path).send().await;
            assert_eq!((answer.status, answer.text().contains(&id)), (200, false), "{round}: {path}");
        }
        assert!(!house.post("/v1/recall", &question).send().await.text().contains(&id), "{round}");
        house.get("/v1/working/plan?session=s1").send().await.problem(404, "not-found");
        for path in [format!("/v1/memories/{id}"), format!("/v1/memories/{id}/history")] {
            house.get(&path).send().await.problem(404, "not-found");
        }
        let path = format!("/v1/memories/{id}");
        house.patch(&path, &json!({"pinned": true})).send().await.problem(404, "not-found");
        house.patch(&path, &json!({"expires_at": null})).send().await.problem(404, "not-found");
        house.delete(&path).send().await.problem(404, "not-found");
        for verb in ["restore", "promote", "undo-promotion", "split"] {
            let answer = house.post(&format!("{path}/{verb}"), &json!({})).send().await;
            assert!([404, 409].contains(&answer.status), "{round}: {verb}: {}", answer.text());
            assert!(!answer.text().contains("ladder"), "{round}: {verb}: {}", answer.text());
        }
        house.post("/v1/sweep", &json!({})).send().await.expect(200);
    }
    assert_eq!(keys(&house, "/v1/working?session=s1").await, ["kept"]);
}

#[tokio::test]
async fn sessions_hold_their_own_and_are_listed() {
    let (house, _clock) = House::timed().await;
    for (number, session) in [Value::Null, json!("회의"), json!("s2")].into_iter().enumerate() {
        set(&house, "/v1/working/draft", &json!({"value": number, "session": session})).await;
    }
    for (path, expected) in [("", 0), ("?session=%ED%9A%8C%EC%9D%98", 1), ("?session=s2", 2)] {
        let held = house.get(&format!("/v1/working/draft{path}")).send().await.expect(200);
        assert_eq!(held["value"], expected, "{path}");
    }
    let held = house.get("/v1/working").send().await.expect(200);
    let sessions: Vec<_> = held["sessions"].as_array().unwrap().iter().map(|one| &one["session"]).collect();
    assert_eq!(sessions, [&Value::Null, &json!("s2"), &json!("회의")], "{held}");
    house.delete("/v1/working?session=s2").send().await.expect(200);
    house.get("/v1/working/draft?session=s2").send().await.problem(404, "not-found");
    house.get("/v1/working/draft").send().await.expect(200);
}

#[tokio::test]
async fn a_full_working_memory_tells_what_left() {
    let (house, clock) = House::timed().await;
    let capacity = house.engine.options().layers.working.capacity;
    for number in 0..=capacity {
        let body = json!({"value": format!("box {number}"), "importance": 0.1});
        let receipt = set(&house, &format!("/v1/working/k{number}"), &body).await;
        let left = receipt["evicted"].as_array().map_or(0, Vec::len);
        assert_eq!(left, usize::from(number == capacity), "{receipt}");
        pass(&clock, 10);
    }
    house.get("/v1/working/k0").send().await.problem(404, "not-found");
    assert_eq!(keys(&house, "/v1/working").await.len(), capacity);
}

#[tokio::test]
async fn keys_hold_values_in_their_own_namespaces_only() {
    let (house, _clock) = House::timed().await;
    set(&house, "/v1/working/draft", &json!({"value": "not yours", "namespace": "other"})).await;
    let (own, several) = (house.key(Role::Writer, "team/a"), house.key(Role::Writer, "team/*"));
    let put = |secret: &str, body: Value| house.put("/v1/working/draft", &body).key(secret).send();
    let receipt = put(&own, json!({"value": "ours"})).await.expect(200);
    assert_eq!(receipt["item"]["namespace"], "team/a", "a key for one namespace works there");
    put(&own, json!({"value": "x", "namespace": "other"})).await.problem(403, "forbidden");
    let problem = put(&several, json!({"value": "x"})).await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().contains("`namespace`"), "{problem}");
    for path in ["/v1/working/draft?namespace=other", "/v1/working?namespace=other"] {
        house.get(path).key(&own).send().await.problem(403, "forbidden");
        house.delete(path).key(&own).send().await.problem(403, "forbidden");
    }
    let mine = house.get("/v1/working/draft").key(&own).send().await.expect(200);
    assert_eq!(mine["value"], "ours");
}

#[tokio::test]
async fn what_cannot_be_held_is_refused_by_name_and_the_value_stays() {
    let (house, _clock) = House::timed().await;
    set(&house, "/v1/working/draft", &json!({"value": "Dear 민수"})).await;
    for (path, body, named) in [
        ("/v1/working/draft", json!({}), "value"),
        ("/v1/working/draft", json!({"value": null}), "value"),
        ("/v1/working/draft", json!({"value": "a\u{0}b"}), "NUL"),
        ("/v1/working/draft", json!({"value": "x", "ttl_seconds": -1}), "`ttl_seconds`"),
        ("/v1/working/draft", json!({"value": "x", "ttl_seconds": 1.5}), "`ttl_seconds`"),
        ("/v1/working/draft", json!({"value": "x", "importance": 2}), "`importance`"),
        ("/v1/working/draft", json!({"value": "x", "kind": "rumour"}), "`kind`"),
        ("/v1/working/draft", json!({"value": "x", "session": ""}), "session"),
        ("/v1/working/draft", json!({"value": "x", "namespace": "team/*"}), "`namespace`"),
        ("/v1/working/draft", json!({"value": "x", "key": "y"}), "key"),
        ("/v1/working/%20", json!({"value": "x"}), "key"),
        ("/v1/working/a%00b", json!({"value": "x"}), "NUL"),
    ] {
        let problem = house.put(path, &body).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{body}: {named} in {problem}");
    }
    let long = format!("/v1/working/{}", "k".repeat(257));
    house.put(&long, &json!({"value": "x"})).send().await.problem(400, "invalid-input");
    let held = house.get("/v1/working").send().await.expect(200);
    assert_eq!(held["items"].as_array().unwrap().len(), 1, "{held}");
    assert_eq!(held["items"][0]["value"], "Dear 민수");
}
