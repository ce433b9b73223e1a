//! Bad input: every mistake is named, and nothing is stored.

use axum::http::Method;
use perihelion::ListQuery;
use serde_json::{Value, json};

use crate::support::{Answer, House};

/// A body that is wrong, and what the answer must name.
fn bodies() -> Vec<(&'static str, Value, &'static str)> {
    let long = "x".repeat(256 * 1024 + 1);
    let label = "x".repeat(257);
    let labels: Vec<_> = (0..65).map(|number| number.to_string()).collect();
    let many: Vec<_> = (0..1001).map(|number| json!({"content": format!("m{number}")})).collect();
    let id = "0198c5b2-7d3e-7000-8000-000000000001";
    vec![
        ("/v1/memories", json!({}), "content"),
        ("/v1/memories", json!([]), "list"),
        ("/v1/trash/purge", json!([null, null]), "list"),
        ("/v1/memories", json!("text"), "string"),
        ("/v1/memories", json!({"content": 7}), "`content`"),
        ("/v1/memories", json!({"content": null}), "`content`"),
        ("/v1/memories", json!({"content": ""}), "content is empty"),
        ("/v1/memories", json!({"content": " \n\t"}), "content is empty"),
        ("/v1/memories", json!({"content": "a\u{0}b"}), "NUL"),
        ("/v1/memories", json!({"content": long}), "content_bytes_max"),
        ("/v1/memories", json!({"content": "x", "colour": "red"}), "colour"),
        ("/v1/memories", json!({"content": "x", "kind": "rumour"}), "`kind`"),
        ("/v1/memories", json!({"content": "x", "importance": 1.5}), "`importance`"),
        ("/v1/memories", json!({"content": "x", "importance": "high"}), "`importance`"),
        ("/v1/memories", json!({"content": "x", "namespace": "a//b"}), "`namespace`"),
        ("/v1/memories", json!({"content": "x", "namespace": "team/*"}), "`namespace`"),
        ("/v1/memories", json!({"content": "x", "id": "7"}), "`id`"),
        ("/v1/memories", json!({"content": "x", "tags": "one"}), "`tags`"),
        ("/v1/memories", json!({"content": "x", "tags": ["a", 2]}), "`tags[1]`"),
        ("/v1/memories", json!({"content": "x", "tags": labels}), "labels_max"),
        ("/v1/memories", json!({"content": "x", "tags": [label]}), "label_bytes_max"),
        ("/v1/memories", json!({"content": "x", "speaker": "a\u{0}b"}), "NUL"),
        ("/v1/memories", json!({"content": "x", "occurred_at": "yesterday"}), "`occurred_at`"),
        ("/v1/memories", json!({"content": "x", "pinned": "yes"}), "`pinned`"),
        ("/v1/memories", json!({"content": "x", "metadata": [1]}), "`metadata`"),
        ("/v1/memories", json!({"content": "x", "metadata": {"a": "y".repeat(65 * 1024)}}), "metadata"),
        ("/v1/memories", json!({"data": null}), "content is empty"),
        ("/v1/memories", json!({"content": "x", "context": "office"}), "`context`"),
        (
            "/v1/memories",
            json!({"content": "x", "context": {"weather": {"sky": "blue"}}}),
            "`context.weather`",
        ),
        ("/v1/memories", json!({"content": "x", "context": {"spatial": {"place": 7}}}), "`context.spatial"),
        ("/v1/memories", json!({"kind": "procedure", "data": {"skill": "tea", "steps": "pour"}}), "steps"),
        ("/v1/memories", json!({"kind": "fact", "data": {"concept": 7}}), "concept"),
        ("/v1/memories/batch", json!({"memories": []}), "`memories`"),
        ("/v1/memories/batch", json!({"memories": many}), "`memories`"),
        ("/v1/memories/batch", json!({"memories": [{"content": "x"}, {"kind": "fact"}]}), "`memories[1]`"),
        ("/v1/recall", json!({"query": ""}), "query"),
        ("/v1/recall", json!({"query": "x", "limit": 0}), "`limit`"),
        ("/v1/recall", json!({"query": "x", "limit": 100_000}), "`limit`"),
        ("/v1/recall", json!({"query": "x", "limit": -1}), "`limit`"),
        ("/v1/recall", json!({"query": "x", "limit": 2.5}), "`limit`"),
        ("/v1/recall", json!({"query": "x", "score_min": 2}), "`score_min`"),
        ("/v1/recall", json!({"query": "x", "tokens_max": 0}), "`tokens_max`"),
        ("/v1/recall", json!({"query": "x", "scopes": ["a b"]}), "`scopes[0]`"),
        ("/v1/recall", json!({"query": "x", "context": ["office"]}), "`context[0]`"),
        ("/v1/recall", json!({"query": "x", "context": {"spatial": {}}}), "`context`"),
        ("/v1/memories/0198c5b2-7d3e-7000-8000-000000000001/promote", json!({"to": "cloud"}), "`to`"),
        ("/v1/memories/0198c5b2-7d3e-7000-8000-000000000001/promote", json!({"with": [id]}), "with"),
        (
            "/v1/memories/0198c5b2-7d3e-7000-8000-000000000001/promote",
            json!({"together_with": vec![id; 20]}),
            "`together_with`",
        ),
        ("/v1/memories/7/promote", json!({}), "\"7\""),
        ("/v1/edges", json!({"source": id, "type": "related_to"}), "target"),
        ("/v1/edges", json!({"source": id, "target": id, "type": "friend"}), "`type`"),
        ("/v1/sessions", json!({"session": " "}), "session"),
        ("/v1/sessions", json!({"session": label}), "label_bytes_max"),
        ("/v1/sessions", json!({"session": "a\u{0}b"}), "NUL"),
        ("/v1/namespaces/move", json!({"from": "a", "to": "b/*"}), "`to`"),
        ("/v1/feedback", json!({"query": "x"}), "`used`"),
        ("/v1/feedback", json!({"query": "x", "used": vec![id; 1001]}), "`used`"),
        ("/v1/weights/rollback", json!({"number": -1}), "`number`"),
        ("/v1/keys", json!({"name": "x"}), "role"),
        ("/v1/keys", json!({"name": "", "role": "reader"}), "name"),
        ("/v1/keys", json!({"name": "x", "role": "king"}), "`role`"),
        ("/v1/keys", json!({"name": "x", "role": "reader", "scope": "*/a"}), "`scope`"),
        ("/v1/reorbit", json!({"scope": 1}), "`scope`"),
        ("/v1/trash/purge", json!({"before": "soon"}), "`before`"),
        ("/v1/trash/purge", json!({"everything": true}), "everything"),
    ]
}

fn check_named(what: &str, answer: &Answer, named: &str) {
    assert_eq!(answer.status, 400, "{what}: {}", answer.text());
    let problem = answer.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().contains(named), "{what}: {named} in {problem}");
}

#[tokio::test]
async fn a_body_that_is_wrong_is_refused_by_the_name_of_the_field() {
    let house = House::open().await;
    for (path, body, named) in bodies() {
        let answer = house.post(path, &body).send().await;
        check_named(&format!("POST {path} {}", shortened(&body)), &answer, named);
    }
    assert!(house.engine.list(ListQuery::default()).unwrap().memories.is_empty());
    assert!(house.engine.keys().unwrap().is_empty());
}

fn shortened(body: &Value) -> String {
    body.to_string().chars().take(80).collect()
}

#[tokio::test]
async fn a_path_or_parameter_that_is_wrong_is_refused_by_its_name() {
    let house = House::open().await;
    let id = house.keep("default", "something is there");
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    for (method, path, named) in [
        (&get, "/v1/memories/7".to_owned(), "\"7\""),
        (&get, "/v1/memories/%00".to_owned(), "id"),
        (&get, "/v1/memories?limit=0".to_owned(), "`limit`"),
        (&get, "/v1/memories?limit=100000".to_owned(), "`limit`"),
        (&get, "/v1/memories?limit=many".to_owned(), "limit"),
        (&get, "/v1/memories?colour=red".to_owned(), "colour"),
        (&get, "/v1/memories?scope=a%20b".to_owned(), "scope"),
        (&get, "/v1/memories?cursor=x".to_owned(), "cursor"),
        (&get, "/v1/memories?since=yesterday".to_owned(), "since"),
        (&get, "/v1/memories?context=office".to_owned(), "context"),
        (&get, "/v1/memories?context=weather.sky%3Dblue".to_owned(), "context"),
        (&get, "/v1/export?context=office".to_owned(), "context"),
        (&get, "/v1/export?limit=0".to_owned(), "`limit`"),
        (&get, "/v1/export?kind=rumour".to_owned(), "rumour"),
        (&get, "/v1/export?layer=cloud".to_owned(), "cloud"),
        (&get, "/v1/export?trash=only".to_owned(), "only"),
        (&get, "/v1/export?since=yesterday".to_owned(), "since"),
        (&get, "/v1/working/a%00b".to_owned(), "NUL"),
        (&get, "/v1/working/%20".to_owned(), "key"),
        (&get, "/v1/working/draft?session=%20".to_owned(), "session"),
        (&get, "/v1/working?namespace=team/*".to_owned(), "namespace"),
        (&get, "/v1/working?scope=team".to_owned(), "scope"),
        (&delete, "/v1/working/draft?all=true".to_owned(), "all"),
        (&post, "/v1/memories/7/undo-promotion".to_owned(), "\"7\""),
        (&get, "/v1/report?date=yesterday".to_owned(), "`date`"),
        (&get, "/v1/report?date=2026-02-30".to_owned(), "`date`"),
        (&get, "/v1/report?date=2020-02-03T04:05".to_owned(), "`date`"),
        (&get, "/v1/report?date=9000-01-01".to_owned(), "`date`"),
        (&get, "/v1/report?days=0".to_owned(), "`days`"),
        (&get, "/v1/report?days=3661".to_owned(), "`days`"),
        (&get, "/v1/report?date=-009999-01-02&days=9".to_owned(), "`days`"),
        (&get, "/v1/report?namespace=a".to_owned(), "namespace"),
        (&get, "/v1/graph/walk".to_owned(), "from"),
        (&get, format!("/v1/graph/walk?from={id}&depth=0"), "`depth`"),
        (&get, format!("/v1/graph/walk?from={id}&depth=11"), "`depth`"),
        (&get, format!("/v1/graph/walk?from={id}&limit=0"), "`limit`"),
        (&get, format!("/v1/graph/walk?from={id}&direction=up"), "up"),
        (&get, format!("/v1/graph/walk?from={id}&type=friend"), "friend"),
        (&get, format!("/v1/graph/path?from={id}"), "to"),
        (&get, "/v1/graph/export?format=svg".to_owned(), "svg"),
        (&get, "/v1/graph/pagerank?limit=0".to_owned(), "`limit`"),
        (&get, "/v1/graph/communities?limit=1001".to_owned(), "`limit`"),
        (&get, "/v1/sessions?limit=0".to_owned(), "`limit`"),
        (&get, "/v1/stats?scope=".to_owned(), "scope"),
        (&delete, "/v1/namespaces".to_owned(), "namespace"),
        (&delete, "/v1/namespaces?namespace=a/*".to_owned(), "namespace"),
        (&delete, "/v1/namespaces?namespace=a&purge=maybe".to_owned(), "purge"),
        (&delete, "/v1/keys/short".to_owned(), "short"),
        (&delete, format!("/v1/edges?source={id}"), "target"),
        (&post, "/v1/memories/7/restore".to_owned(), "\"7\""),
    ] {
        let answer = house.ask(method.clone(), &path).send().await;
        check_named(&format!("{method} {path}"), &answer, named);
    }
}

#[tokio::test]
async fn a_body_where_none_is_taken_is_refused_and_not_passed_over() {
    let house = House::open().await;
    for path in ["/api/workers/dispatch", "/api/workers/dispatch?worker=map", "/v1/workers/map/cancel"] {
        for body in [json!({"worker": "map"}), json!(["map"]), json!("map"), json!({"": {}})] {
            let problem = house.post(path, &body).send().await.problem(400, "invalid-input");
            assert!(problem["detail"].as_str().unwrap().contains("takes no body"), "{problem}");
        }
    }
    house.post("/v1/workers/map/cancel", &json!({})).send().await.expect(200);
    house.ask(Method::POST, "/v1/workers/map/cancel").send().await.expect(200);
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused() {
    let house = House::open().await;
    let post =
        |kind: &str, body: &str| house.ask(Method::POST, "/v1/memories").raw(kind, body.to_owned()).send();
    let json = "application/json";
    for broken in ["", "{", "{\"content\": \"x\"", "content=x", "{\"content\": \"x\"} {}", "\u{feff}{}"] {
        post(json, broken).await.problem(400, "invalid-input");
    }
    let broken = house.ask(Method::POST, "/v1/memories").raw(json, vec![b'"', 0xff, b'"']).send().await;
    broken.problem(400, "invalid-input");
    let deep = format!("{{\"content\": \"x\", \"metadata\": {}1{}}}", "{\"a\":".repeat(500), "}".repeat(500));
    post(json, &deep).await.problem(400, "invalid-input");
    let good = "{\"content\": \"x\"}";
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonl", ""] {
        post(kind, good).await.problem(415, "unsupported-media-type");
    }
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        post(kind, good).await.expect(201);
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_whether_or_not_it_says_how_long_it_is() {
    let house = House::with(|settings| settings.body_bytes_max = 1000).await;
    let body = |length: usize| json!({"content": "x".repeat(length)});
    house.post("/v1/memories", &body(900)).send().await.expect(201);
    house.post("/v1/memories", &body(1000)).send().await.problem(413, "too-large");
    let ask = house.post("/v1/memories", &body(1000)).header("idempotency-key", "k1");
    ask.send().await.problem(413, "too-large");
    let ask = house.post("/v1/memories", &body(1000)).header("transfer-encoding", "chunked");
    ask.send().await.problem(413, "too-large");
}

#[tokio::test]
async fn a_path_that_is_not_there_and_a_method_that_is_not_known_are_told_apart() {
    let house = House::open().await;
    for path in ["/v1", "/v1/nothing", "/v1/memories/", "/v1/memories//", "/V1/memories", "/../etc/passwd"] {
        house.get(path).send().await.problem(404, "not-found");
    }
    for (method, path, allowed) in [
        (Method::PUT, "/v1/memories", &["GET", "POST"][..]),
        (Method::POST, "/v1/stats", &["GET"]),
        (Method::GET, "/v1/recall", &["POST"]),
        (Method::PUT, "/v1/edges", &["POST", "DELETE"]),
    ] {
        let answer = house.ask(method, path).send().await;
        answer.problem(405, "method-not-allowed");
        for method in allowed {
            assert!(answer.header("allow").contains(method), "{path}: {}", answer.header("allow"));
        }
    }
}
