//! Reports over HTTP: counted by day, and each key told of its own namespaces alone.

use jiff::SignedDuration;
use perihelion::Role;
use serde_json::{Value, json};

use crate::support::House;

async fn report(house: &House, query: &str) -> Value {
    house.get(&format!("/v1/report{query}")).send().await.expect(200)
}

#[tokio::test]
async fn a_report_counts_what_happened_on_its_days() {
    let (house, clock) = House::timed().await;
    house.keep("팀/민수", "herons nest by the lake");
    clock.advance(SignedDuration::from_hours(24));
    house.keep("팀/민수", "storks nest on roofs");
    house.keep("other", "owls nest in the barn");
    house.put("/v1/working/draft", &json!({"value": "x"})).send().await.expect(200);
    let today = report(&house, "").await;
    assert_eq!((&today["first_day"], &today["last_day"]), (&json!("2026-03-05"), &json!("2026-03-05")));
    assert_eq!((&today["counts"]["stored"], &today["complete"]), (&json!(3), &json!(true)), "{today}");
    assert_eq!(report(&house, "?date=2026-03-04").await["counts"]["stored"], 1);
    assert_eq!(report(&house, "?date=2026-03-03").await["counts"]["stored"], 0);
    let both = report(&house, "?date=2026-03-05&days=2").await;
    assert_eq!((&both["first_day"], &both["counts"]["stored"]), (&json!("2026-03-04"), &json!(4)));
    let part = report(&house, "?days=2&scope=%ED%8C%80/*").await;
    assert_eq!((&part["counts"]["stored"], &part["scope"]), (&json!(2), &json!("팀/*")));
    assert!(part["store"]["disk"]["database_bytes"].as_u64().unwrap() > 0, "{part}");
    let problem = house.get("/v1/report?date=2026-03-06").send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().contains("2026-03-05"), "it says what day it is: {problem}");
}

#[tokio::test]
async fn a_key_is_told_of_its_own_namespaces_and_not_of_the_whole() {
    let (house, _clock) = House::timed().await;
    house.keep("team/a", "herons nest by the lake");
    house.keep("other", "owls nest in the barn");
    let reader = house.key(Role::Reader, "team/*");
    house.get("/v1/stats?scope=other").key(&reader).send().await.problem(403, "forbidden");
    let told = house.get("/v1/report").key(&reader).send().await.expect(200);
    assert_eq!((&told["counts"]["stored"], &told["scope"]), (&json!(1), &json!("team/*")), "{told}");
    assert_eq!((told.get("store"), &told["refusals"]), (None, &json!([])), "{told}");
    assert!(!told.to_string().contains("other"), "{told}");
    house.get("/v1/report?scope=other").key(&reader).send().await.problem(403, "forbidden");
    house.get("/v1/report?scope=*").key(&reader).send().await.problem(403, "forbidden");
}
