//! Snapshots over HTTP: taken when something changed, and listed.

use jiff::SignedDuration;
use perihelion::Role;
use serde_json::{Value, json};

use crate::support::House;

#[tokio::test]
async fn a_snapshot_is_taken_when_episodes_have_changed_and_is_listed() {
    let (house, clock) = House::timed().await;
    let take = async || house.post("/v1/snapshots", &json!({})).send().await.expect(200)["snapshot"].clone();
    let list = async || house.get("/v1/snapshots").send().await.expect(200)["snapshots"].clone();
    assert_eq!((take().await, list().await), (Value::Null, json!([])), "there are no episodes");
    let mut taken = Vec::new();
    for content in ["민수가 문을 열었다", "李雷关上了窗"] {
        let body = json!({"content": content, "layer": "episodic", "kind": "episode"});
        house.post("/v1/memories", &body).send().await.expect(201);
        clock.advance(SignedDuration::from_secs(60));
        taken.insert(0, take().await);
        clock.advance(SignedDuration::from_secs(60));
        assert_eq!(take().await, Value::Null, "nothing changed");
    }
    assert_eq!((&taken[0]["episodes"], &taken[1]["episodes"]), (&json!(2), &json!(1)));
    assert_eq!(list().await, json!(taken), "the latest first");
    let admin = house.key(Role::Admin, "team/*");
    house.get("/v1/snapshots").key(&admin).send().await.problem(403, "forbidden");
}
