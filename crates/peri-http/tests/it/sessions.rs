//! Sessions over HTTP.

use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn a_session_is_begun_ended_and_summed_up() {
    let house = House::open().await;
    let begun = house.post("/v1/sessions", &json!({"session": "standup"})).send().await.expect(200);
    assert_eq!((&begun["name"], begun.get("ended_at")), (&json!("standup"), None), "{begun}");
    let said = json!({"content": "the build is green", "session": "standup", "speaker": "Ana"});
    house.post("/v1/memories", &said).send().await.expect(201);
    let open = house.get("/v1/sessions/standup").send().await.expect(200);
    assert_eq!((&open["session"]["name"], &open["summary"]), (&json!("standup"), &json!(null)));
    let ended = house.post("/v1/sessions/standup/end", &json!({})).send().await.expect(200);
    assert!(ended["session"]["ended_at"].is_string(), "{ended}");
    assert!(ended["summary"]["content"].as_str().unwrap().contains("the build is green"), "{ended}");
    assert_eq!(house.get("/v1/sessions/standup").send().await.expect(200), ended);
    let summary = format!("/v1/memories/{}", ended["summary"]["id"].as_str().unwrap());
    house.delete(&summary).send().await.expect(200);
    house.post(&format!("{summary}/purge"), &json!({})).send().await.expect(200);
    assert_eq!(house.get("/v1/sessions/standup").send().await.expect(200)["summary"], json!(null));
}

#[tokio::test]
async fn sessions_are_listed_where_they_took_place() {
    let house = House::open().await;
    for (session, namespace) in [("one", "team/a"), ("two", "team/b"), ("three", "else")] {
        let body = json!({"session": session, "namespace": namespace});
        house.post("/v1/sessions", &body).send().await.expect(200);
    }
    let names = async |path: &str| {
        let listed = house.get(path).send().await.expect(200);
        let mut names: Vec<_> =
            listed["sessions"].as_array().unwrap().iter().map(|one| one["name"].to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names("/v1/sessions?scope=team/*").await, ["\"one\"", "\"two\""]);
    assert_eq!(names("/v1/sessions").await.len(), 3);
    assert_eq!(names("/v1/sessions?limit=1").await.len(), 1);
    house.get("/v1/sessions/one").send().await.problem(404, "not-found");
    house.get("/v1/sessions/one?namespace=team/a").send().await.expect(200);
    house.post("/v1/sessions/one/end", &json!({})).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn a_session_may_have_any_name() {
    let house = House::open().await;
    for (name, path) in [
        ("a/b", "a%2Fb"),
        ("a b?c#d", "a%20b%3Fc%23d"),
        ("100%", "100%25"),
        ("아침 회의", "%EC%95%84%EC%B9%A8%20%ED%9A%8C%EC%9D%98"),
        ("end", "end"),
        ("x/end", "x%2Fend"),
    ] {
        house.post("/v1/sessions", &json!({"session": name})).send().await.expect(200);
        let found = house.get(&format!("/v1/sessions/{path}")).send().await.expect(200);
        assert_eq!(found["session"]["name"], name);
        let ended = house.post(&format!("/v1/sessions/{path}/end"), &json!({})).send().await.expect(200);
        assert_eq!(ended["session"]["name"], name);
    }
}
