//! While the store cannot take anything.

use std::time::Duration;

use axum::http::Method;
use rusqlite::Connection;
use serde_json::json;

use super::{each, keep};
use crate::support::House;

#[tokio::test]
async fn a_task_that_the_store_cannot_take_is_accepted_and_recorded_later_once() {
    let house = House::over(|options| options.busy_timeout = Duration::from_millis(20), |_| ()).await;
    let holder = Connection::open(house.engine.database()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let body = json!({"task": "部署到测试环境", "outcome": "success", "agent": "배포자"});
    let receipt = house.post("/v1/trajectories", &body).send().await.expect(202);
    assert_eq!(receipt["outcome"], "queued");
    let again =
        json!({"task": "部署到测试环境", "outcome": "success", "agent": "배포자", "id": receipt["id"]});
    house.post("/v1/trajectories", &again).send().await.expect(202);
    let queue = house.get("/v1/queue").send().await.expect(200);
    assert_eq!(queue["status"]["depth"], 2, "{queue}");
    holder.execute_batch("ROLLBACK").unwrap();
    house.post("/v1/queue/replay", &json!({})).send().await.expect(200);
    let listed = house.get("/v1/trajectories").send().await.expect(200);
    assert_eq!(each(&listed["trajectories"], "id"), [receipt["id"].as_str().unwrap()]);
}

#[tokio::test]
async fn what_must_not_wait_changes_nothing_and_says_so() {
    let house = House::over(|options| options.busy_timeout = Duration::from_millis(20), |_| ()).await;
    let pattern = keep(&house, json!({"strategy": "先备份再迁移"})).await;
    let path = format!("/v1/patterns/{}", pattern["id"].as_str().unwrap());
    let holder = Connection::open(house.engine.database()).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    for verb in ["promote", "retire"] {
        let answer = house.ask(Method::POST, &format!("{path}/{verb}")).send().await;
        answer.problem(503, "busy");
        assert_eq!(answer.header("retry-after"), "1", "{verb}");
    }
    let body = json!({"name": "router", "set": 0});
    house.post("/v1/learning/rollback", &body).send().await.problem(503, "busy");
    house.ask(Method::POST, "/api/workers/dispatch?worker=map").send().await.problem(503, "busy");
    holder.execute_batch("ROLLBACK").unwrap();
    assert_eq!(house.get(&path).send().await.expect(200), pattern);
    assert_eq!(house.get("/v1/workers/runs").send().await.expect(200)["runs"], json!([]));
    assert_eq!(house.get("/v1/learning/sets?name=router").send().await.expect(200)["sets"], json!([]));
}
