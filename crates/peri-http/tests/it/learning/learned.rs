//! What was learned as a whole over HTTP.

use perihelion::Role;
use serde_json::{Value, json};

use super::{deploys, keep};
use crate::support::House;

async fn stats(house: &House, parameters: &str) -> Value {
    house.get(&format!("/api/memory/learning/stats{parameters}")).send().await.expect(200)
}

#[tokio::test]
async fn what_was_recorded_becomes_patterns_and_is_counted() {
    let house = House::open().await;
    let empty = stats(&house, "").await;
    assert_eq!((&empty["trajectories"], &empty["namespaces"]), (&json!(0), &json!([])), "{empty}");
    assert_eq!((&empty["active_workers"], empty.get("last_training")), (&json!([]), None), "{empty}");
    deploys(&house, "team/a", 3).await;
    keep(&house, json!({"strategy": "데이터베이스를 먼저 백업한다", "namespace": "team/b"})).await;
    let before = stats(&house, "").await;
    assert_eq!((&before["trajectories"], &before["undistilled"]), (&json!(3), &json!(3)), "{before}");
    let drawn = house.post("/v1/learning/distil", &json!({"scope": "team/*"})).send().await.expect(200);
    assert_eq!(drawn["namespaces"][0]["namespace"], "team/a", "{drawn}");
    assert_eq!(drawn["namespaces"][0]["learned"].as_array().unwrap().len(), 1, "{drawn}");
    let again = house.post("/v1/learning/distil", &json!({})).send().await.expect(200);
    assert_eq!(again["namespaces"], json!([]), "there was nothing new");
    let after = stats(&house, "").await;
    assert_eq!((&after["short_term"], &after["undistilled"]), (&json!(2), &json!(0)), "{after}");
    let one = stats(&house, "?scope=team/b").await;
    assert_eq!((&one["short_term"], &one["trajectories"]), (&json!(1), &json!(0)), "{one}");
}

#[tokio::test]
async fn who_does_not_open_everything_is_told_of_their_own_and_nothing_of_workers() {
    let house = House::open().await;
    deploys(&house, "team/a", 2).await;
    keep(&house, json!({"strategy": "写测试", "namespace": "other/b"})).await;
    house.ask(axum::http::Method::POST, "/api/workers/dispatch?worker=learning").send().await.expect(200);
    let narrow = house.key(Role::Admin, "other/*");
    let path = "/api/memory/learning/stats";
    let own = house.get(path).key(&narrow).send().await.expect(200);
    assert_eq!((&own["trajectories"], &own["short_term"]), (&json!(0), &json!(1)), "{own}");
    assert_eq!((own.get("active_workers"), own.get("last_training")), (None, None), "{own}");
    assert!(!own.to_string().contains("team"), "{own}");
    let wide = house.get(path).key(&house.key(Role::Reader, "*")).send().await.expect(200);
    assert_eq!((&wide["active_workers"], &wide["trajectories"]), (&json!([]), &json!(2)), "{wide}");
    assert_eq!(wide["last_training"]["worker"], "learning", "{wide}");
    assert!(wide["last_training"]["finished_at"].is_string(), "{wide}");
}

#[tokio::test]
async fn a_router_is_trained_told_of_and_rolled_back_by_its_number() {
    let house = House::open().await;
    let nothing = house.post("/v1/learning/train", &json!({"namespace": "team/a"})).send().await.expect(200);
    assert_eq!(nothing, json!({}), "there was nothing to learn from");
    deploys(&house, "team/a", 3).await;
    let trained = house.post("/v1/learning/train", &json!({"namespace": "team/a"})).send().await.expect(200);
    assert_eq!((&trained["router"]["outcomes"], trained.get("adapter")), (&json!(3), None), "{trained}");
    let sets = async || house.get("/v1/learning/sets?name=router&namespace=team/a").send().await.expect(200);
    let first = sets().await["sets"].clone();
    assert_eq!((&first[0]["set"], &first[0]["active"]), (&trained["router"]["set"], &json!(true)), "{first}");
    let back = async |name: &str, set: u64| {
        let body = json!({"name": name, "set": set, "namespace": "team/a"});
        house.post("/v1/learning/rollback", &body).send().await
    };
    let none = back("router", 0).await.expect(200);
    assert_eq!((&none["active"], &none["reason"]), (&json!(false), &json!("rolled back to 0")), "{none}");
    let again = back("router", first[0]["set"].as_u64().unwrap()).await.expect(200);
    assert_eq!(again["active"], true, "{again}");
    assert_eq!(sets().await["sets"].as_array().unwrap().len(), 3, "what was before stays to be told");
    let missing = back("router", 77).await.problem(404, "not-found");
    assert!(missing["detail"].as_str().unwrap().contains("77"), "{missing}");
    assert_eq!(
        house.get("/v1/learning/sets?name=adapter&namespace=team/a").send().await.expect(200)["sets"],
        json!([])
    );
    assert_eq!(stats(&house, "").await.get("last_adaptation_at"), None, "a router adapts no questions");
    let put_aside = back("adapter", 0).await.expect(200);
    assert_eq!(stats(&house, "").await["last_adaptation_at"], put_aside["at"]);
}

#[tokio::test]
async fn only_an_admin_goes_back() {
    let house = House::open().await;
    let body = json!({"name": "router", "set": 0});
    for (role, status) in [(Role::Reader, 403), (Role::Writer, 403), (Role::Admin, 200)] {
        let key = house.key(role, "team/a");
        house.post("/v1/learning/rollback", &body).key(&key).send().await.expect(status);
    }
}
