//! Where requests come from and where they were meant to go: names, origins, request ids.

use axum::http::Method;
use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn a_request_is_answered_under_the_name_it_came_with_or_a_new_one() {
    let house = House::open().await;
    let named = house.get("/version").header("x-request-id", "build-17.a").send().await;
    assert_eq!(named.header("x-request-id"), "build-17.a");
    let refused = house.get("/v1/nothing").header("x-request-id", "build-18").send().await;
    assert_eq!(refused.problem(404, "not-found")["request_id"], "build-18");
    let (one, other) = (house.get("/version").send().await, house.get("/version").send().await);
    assert_eq!(one.header("x-request-id").len(), 32);
    assert_ne!(one.header("x-request-id"), other.header("x-request-id"));
    let harmful = house.get("/version").header("x-request-id", "a b").send().await;
    assert_ne!(harmful.header("x-request-id"), "a b");
    assert_eq!(one.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn a_page_of_somebody_else_cannot_use_the_server() {
    let house = House::with(|settings| settings.hosts = vec!["memory.example".to_owned()]).await;
    let port = house.address.port();
    for (host, fine) in [
        ("localhost", true),
        ("127.0.0.1", true),
        ("memory.example", true),
        ("evil.example", false),
        ("127.0.0.1.evil.example", false),
    ] {
        let host = format!("{host}:{port}");
        let answer = house.get("/v1/stats").header("host", &host).send().await;
        assert_eq!(answer.status, if fine { 200 } else { 403 }, "{host}");
        if !fine {
            answer.problem(403, "misdirected");
        }
    }
    let own = format!("http://{}", house.address);
    house.get("/v1/stats").header("origin", &own).send().await.expect(200);
    let body = json!({"content": "written by a page"});
    for origin in ["http://evil.example", "null", "http://localhost:1", "file://"] {
        let answer = house.post("/v1/memories", &body).header("origin", origin).send().await;
        answer.problem(403, "misdirected");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{origin}");
    }
    let embedded =
        house.get("/v1/stats").header("sec-fetch-site", "cross-site").header("sec-fetch-mode", "no-cors");
    embedded.send().await.problem(403, "misdirected");
    let answer = house.get("/v1/stats").send().await;
    assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin");
    let stats = answer.expect(200);
    assert_eq!(stats["memories"], 0);
}

#[tokio::test]
async fn pages_of_a_configured_origin_may_use_the_server_and_read_its_problems() {
    let origin = "https://app.example";
    let house = House::with(|settings| settings.origins = vec![origin.to_owned()]).await;
    let allowed = "access-control-allow-origin";
    let asked = house
        .ask(Method::OPTIONS, "/v1/memories")
        .header("origin", origin)
        .header("access-control-request-method", "PATCH")
        .header("access-control-request-headers", "authorization,content-type,idempotency-key,if-match")
        .send()
        .await;
    assert_eq!((asked.status, asked.header(allowed)), (200, origin), "{}", asked.text());
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(asked.header("access-control-allow-methods").contains(method), "{method}");
    }
    for name in ["authorization", "content-type", "idempotency-key", "if-match"] {
        assert!(asked.header("access-control-allow-headers").contains(name), "{name}");
    }
    let answer = house.get("/v1/stats").header("origin", origin).send().await;
    assert_eq!((answer.status, answer.header(allowed)), (200, origin));
    assert_eq!(answer.header("access-control-allow-credentials"), "", "keys are shown, never remembered");
    let problem = house.get("/v1/memories/7").header("origin", origin).send().await;
    problem.problem(400, "invalid-input");
    assert_eq!(problem.header(allowed), origin);
    let problem = house.get("/v1/stats").key("peri_wrong").header("origin", origin).send().await;
    problem.problem(401, "unauthenticated");
    assert_eq!(problem.header(allowed), origin);
    let stranger = house
        .ask(Method::OPTIONS, "/v1/memories")
        .header("origin", "https://evil.example")
        .header("access-control-request-method", "POST")
        .send()
        .await;
    assert_eq!((stranger.status, stranger.header(allowed)), (403, ""));
}
