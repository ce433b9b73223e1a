//! Feedback and weights over HTTP.

use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn feedback_is_kept_where_its_results_are() {
    let house = House::open().await;
    let [used, unused] =
        ["Ana prefers tea", "the build is green"].map(|content| house.keep("team/a", content));
    let elsewhere = house.keep("else", "Ben prefers coffee");
    let give = async |body| house.post("/v1/feedback", &body).send().await;
    let body = json!({"query": "what does Ana drink?", "used": [used], "unused": [unused], "session": "s"});
    assert_eq!(give(body).await.expect(200), json!({"judged": 2, "weights": null}));
    // What is gone by now is passed over as long as something is left.
    let gone = "0198c5b2-7d3e-7000-8000-000000000001";
    let body = json!({"query": "what does Ana drink?", "used": [gone, used]});
    assert_eq!(give(body).await.expect(200)["judged"], 1);
    give(json!({"query": "x", "used": [gone]})).await.problem(404, "not-found");
    give(json!({"query": "x", "used": [used, elsewhere]})).await.problem(400, "invalid-input");
    let named = json!({"query": "x", "used": [used, elsewhere], "namespace": "else"});
    assert_eq!(give(named).await.expect(200)["judged"], 1);
    give(json!({"query": "x", "used": [used], "namespace": "empty"})).await.problem(404, "not-found");
    give(json!({"query": "x", "used": [used], "unused": [used]})).await.problem(422, "contradiction");
}

#[tokio::test]
async fn weights_are_shown_and_rolled_back_by_their_number() {
    let house = House::open().await;
    let configured = house.get("/v1/weights").send().await.expect(200);
    assert_eq!((&configured["holds"], &configured["namespace"]), (&json!(0), &json!("default")));
    let body = json!({"number": 0});
    let taken = house.post("/v1/weights/rollback", &body).send().await.expect(200);
    assert_eq!(taken["number"], 0, "what holds already is not taken once more: {taken}");
    let now = house.get("/v1/weights?namespace=default").send().await.expect(200);
    assert_eq!((&now["holds"], now["sets"].as_array().unwrap().len()), (&json!(0), 1), "{now}");
    let missing = house.post("/v1/weights/rollback", &json!({"number": 7})).send().await;
    missing.problem(404, "not-found");
}
