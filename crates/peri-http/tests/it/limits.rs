//! Not too often, and not too many at once.

use std::time::Duration;

use perihelion::Role;
use serde_json::json;

use crate::once::Gate;
use crate::support::House;

#[tokio::test]
async fn whoever_asks_too_often_is_told_when_to_come_back() {
    let house = House::with(|settings| settings.requests_per_minute = 5).await;
    let (ana, ben) = (house.key(Role::Reader, "*"), house.key(Role::Reader, "*"));
    for _ in 0..5 {
        house.get("/v1/stats").key(&ana).send().await.expect(200);
    }
    let answer = house.get("/v1/stats").key(&ana).send().await;
    answer.problem(429, "too-many-requests");
    let wait: u64 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    // Each key has its own count, and so have those who show none or a wrong one.
    house.get("/v1/stats").key(&ben).send().await.expect(200);
    for _ in 0..5 {
        house.get("/v1/stats").key("peri_wrong").send().await.problem(401, "unauthenticated");
    }
    house.get("/v1/stats").key("peri_wrong").send().await.problem(429, "too-many-requests");
    house.get("/health/live").send().await.problem(429, "too-many-requests");
    house.get("/v1/stats").key(&ben).send().await.expect(200);
}

#[tokio::test]
async fn a_server_that_is_busy_says_so_and_changes_nothing() {
    let house = House::with(|settings| {
        settings.concurrency_max = 1;
        settings.queue_timeout = Duration::ZERO;
    })
    .await;
    let mut gate = Gate::before_answers_of(&house);
    let keep = |content: &str| house.post("/v1/memories", &json!({"content": content}));
    let first = tokio::spawn(keep("the one that is served").send());
    gate.reached().await;
    let answer = keep("the one that is turned away").send().await;
    answer.problem(503, "overloaded");
    assert_eq!(answer.header("retry-after"), "1");
    // Whether the process lives is answered all the same.
    house.get("/health/live").send().await.expect(200);
    gate.open();
    first.await.unwrap().expect(201);
    let listed = house.get("/v1/memories").send().await.expect(200);
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1, "{listed}");
}

#[tokio::test]
async fn work_goes_on_counting_when_its_client_leaves() {
    let house = House::with(|settings| {
        settings.concurrency_max = 1;
        settings.queue_timeout = Duration::ZERO;
    })
    .await;
    let mut gate = Gate::before_answers_of(&house);
    let body = json!({"content": "the one whose client leaves"});
    let first = tokio::spawn(house.post("/v1/memories", &body).send());
    gate.reached().await;
    first.abort();
    first.await.unwrap_err();
    for _ in 0..5 {
        house.get("/v1/stats").send().await.problem(503, "overloaded");
    }
    gate.open();
}

#[tokio::test]
async fn requests_beyond_the_turns_wait_for_one() {
    let house = House::with(|settings| settings.concurrency_max = 1).await;
    let asks: Vec<_> = (0..12)
        .map(|number| {
            let body = json!({"content": format!("statement number {number} of those at once")});
            tokio::spawn(house.post("/v1/memories", &body).send())
        })
        .collect();
    for ask in asks {
        ask.await.unwrap().expect(201);
    }
}
