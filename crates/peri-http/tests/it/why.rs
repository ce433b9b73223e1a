//! Looking without a trace, and why a memory is or is not recalled.

use perihelion::{EventKind, LogQuery, MemoryId, Namespace, Role};
use serde_json::{Value, json};

use crate::support::House;

const TEA: &str = "민수는 아침마다 녹차를 마신다";
const KEYS: &str = "灯塔的钥匙在海关";

fn ids(recalled: &Value) -> Vec<&str> {
    recalled["hits"].as_array().unwrap().iter().map(|hit| hit["memory"]["id"].as_str().unwrap()).collect()
}

/// How often a memory was used, and how many recalls were told.
fn traces(house: &House, id: MemoryId) -> (u64, usize) {
    house.engine.maintain().unwrap();
    let home: Namespace = "default".parse().unwrap();
    let used = house.engine.usage(&home, id).unwrap().map_or(0, |(count, _)| count);
    let query = LogQuery { kinds: vec![EventKind::Recalled], limit: 100, ..LogQuery::default() };
    (used, house.engine.events(&query).unwrap().events.len())
}

#[tokio::test]
async fn a_quiet_recall_finds_the_same_and_leaves_no_trace() {
    let house = House::open().await;
    let id = house.keep("default", TEA);
    let aloud = json!({"query": "녹차", "in_session": "아침"});
    let mut quiet = aloud.clone();
    quiet["quiet"] = json!(true);
    let looked = house.post("/v1/recall", &quiet).send().await.expect(200);
    assert_eq!(ids(&looked), [id.to_string()]);
    assert_eq!(traces(&house, id), (0, 0));
    let given = house.get("/v1/sessions/%EC%95%84%EC%B9%A8/given").send().await.expect(200);
    assert_eq!(given["given"], json!([]), "and nothing was handed out");
    assert_eq!(house.post("/v1/recall", &aloud).send().await.expect(200), looked);
    assert_eq!(traces(&house, id), (1, 1));
}

#[tokio::test]
async fn why_tells_the_place_of_a_memory_and_what_shut_it_out() {
    let house = House::open().await;
    let (tea, keys) = (house.keep("default", TEA), house.keep("default", KEYS));
    let why = |body: Value| house.post("/v1/recall/why", &body);
    let told = why(json!({"query": "灯塔的钥匙", "id": keys})).send().await.expect(200);
    assert_eq!(
        (&told["recalled"], &told["reason"], &told["place"]),
        (&json!(true), &json!("recalled"), &json!(1))
    );
    assert_eq!((&told["query"], &told["filtered_by"]), (&json!("灯塔的钥匙"), &json!([])));
    assert_eq!((&told["memory"]["content"], &told["id"]), (&json!(KEYS), &json!(keys)));
    assert!(told["score"].as_f64().unwrap() >= told["score_min"].as_f64().unwrap(), "{told}");
    let words = told["stages"].as_array().unwrap().iter().find(|one| one["stage"] == "words").unwrap();
    assert_eq!((&words["place"], &words["of"]), (&json!(1), &told["weighed"]));
    let told =
        why(json!({"query": "灯塔的钥匙", "id": keys, "kinds": ["summary"], "pinned": true})).send().await;
    let told = told.expect(200);
    assert_eq!((&told["reason"], &told["filtered_by"]), (&json!("filtered"), &json!(["kinds", "pinned"])));
    assert_eq!((&told["place"], &told["score"], &told["stages"]), (&json!(null), &json!(null), &json!([])));
    let told =
        why(json!({"query": "灯塔的钥匙", "id": tea, "without": ["meaning"]})).send().await.expect(200);
    assert_eq!((&told["recalled"], &told["reason"]), (&json!(false), &json!("not_weighed")), "{told}");
    let away = json!({"query": "灯塔的钥匙", "id": keys, "scopes": ["team/*"]});
    assert_eq!(why(away).send().await.expect(200)["reason"], "elsewhere");
    assert_eq!(traces(&house, keys), (0, 0), "nothing counts as used");
}

#[tokio::test]
async fn why_takes_what_recall_takes_and_refuses_what_it_refuses() {
    let house = House::open().await;
    let id = house.keep("default", TEA);
    for (body, named) in [
        (json!({"query": "녹차"}), "id"),
        (json!({"id": id}), "query"),
        (json!({"query": "녹차", "id": "7"}), "`id`"),
        (json!({"query": "녹차", "id": id, "colour": "red"}), "colour"),
        (json!({"query": "녹차", "id": id, "limit": 0}), "`limit`"),
        (json!({"query": "녹차", "id": id, "limit": "three"}), "`limit`"),
        (json!({"query": "녹차", "id": id, "scopes": ["a b"]}), "`scopes[0]`"),
        (json!({"query": "녹차", "id": id, "score_min": 2}), "`score_min`"),
        (json!({"query": " ", "id": id}), "query"),
        (json!([id, "녹차"]), "list"),
    ] {
        let problem = house.post("/v1/recall/why", &body).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{body}: {problem}");
    }
    let never = json!({"query": "녹차", "id": "0198c5b2-7d3e-7000-8000-000000000001"});
    house.post("/v1/recall/why", &never).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn of_a_memory_that_is_not_the_callers_nothing_is_told() {
    let house = House::open().await;
    let (own, other) = (house.keep("team/a", KEYS), house.keep("team/b", KEYS));
    let key = house.key(Role::Reader, "team/a");
    let why = |id: MemoryId| house.post("/v1/recall/why", &json!({"query": KEYS, "id": id})).key(&key);
    assert_eq!(why(own).send().await.expect(200)["recalled"], true);
    let unseen = why(other).send().await.problem(404, "not-found");
    let never: MemoryId = "0198c5b2-7d3e-7000-8000-000000000001".parse().unwrap();
    let nothing = why(never).send().await.problem(404, "not-found");
    let plain =
        |problem: &Value, id: MemoryId| problem["detail"].as_str().unwrap().replace(&id.to_string(), "$id");
    assert_eq!(plain(&unseen, other), plain(&nothing, never));
}
