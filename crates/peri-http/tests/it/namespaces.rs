//! Whole namespaces over HTTP.

use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn namespaces_are_listed_counted_moved_and_deleted() {
    let house = House::open().await;
    house.keep("team/a", "Ana prefers tea");
    house.keep("else", "the build is green");
    let list = async |path: &str| house.get(path).send().await.expect(200)["namespaces"].clone();
    assert_eq!(list("/v1/namespaces").await, json!(["else", "team/a"]));
    assert_eq!(list("/v1/namespaces?scope=team/*").await, json!(["team/a"]));
    let stats = house.get("/v1/stats?scope=team/*").send().await.expect(200);
    assert_eq!((&stats["memories"], &stats["namespaces"][0]["namespace"]), (&json!(1), &json!("team/a")));
    let shift = async |from: &str, to: &str| {
        house.post("/v1/namespaces/move", &json!({"from": from, "to": to})).send().await
    };
    assert_eq!(shift("team/a", "team/b").await.expect(200), json!({"memories": 1, "repeated": 0}));
    assert_eq!(list("/v1/namespaces").await, json!(["else", "team/b"]));
    // A name that was misspelt does not look like work that was done.
    shift("else", "else").await.problem(409, "conflict");
    shift("team/a", "team/c").await.problem(404, "not-found");
    house.delete("/v1/namespaces?namespace=team/a").send().await.problem(404, "not-found");
    let deleted = house.delete("/v1/namespaces?namespace=team/b").send().await.expect(200);
    assert_eq!(deleted, json!({"namespace": "team/b", "memories": 1, "purged": false}));
    assert_eq!(house.get("/v1/stats").send().await.expect(200)["trashed"], 1);
    let deleted = house.delete("/v1/namespaces?namespace=team/b&purge=true").send().await.expect(200);
    assert_eq!(deleted["purged"], true);
    let stats = house.get("/v1/stats").send().await.expect(200);
    assert_eq!((&stats["memories"], &stats["trashed"]), (&json!(1), &json!(0)), "{stats}");
}
