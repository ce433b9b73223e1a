//! What is sent compressed, and what must not be.

use http_body_util::BodyExt as _;
use serde_json::json;

use crate::support::{Answer, House};

/// How many bytes a compressed answer holds once it is unpacked, as its last four bytes say.
fn unpacked(answer: &Answer) -> usize {
    assert_eq!(answer.header("content-encoding"), "gzip");
    assert_eq!(answer.body[..2], [0x1f, 0x8b], "the mark of gzip");
    let (_, size) = answer.body.split_at(answer.body.len() - 4);
    u32::from_le_bytes(size.try_into().unwrap()) as usize
}

#[tokio::test]
async fn answers_are_compressed_for_those_who_take_it_and_no_others() {
    let house = House::open().await;
    let plain = house.get("/openapi.json").send().await;
    assert_eq!(plain.header("content-encoding"), "");
    let packed = house.get("/openapi.json").header("accept-encoding", "br, gzip;q=0.8").send().await;
    assert_eq!((packed.status, unpacked(&packed)), (200, plain.body.len()));
    assert!(packed.body.len() * 4 < plain.body.len(), "{} of {}", packed.body.len(), plain.body.len());
    assert!(packed.headers.get_all("vary").iter().any(|value| value == "accept-encoding"));
    for other in ["br", "gzip;q=0", "identity"] {
        let answer = house.get("/openapi.json").header("accept-encoding", other).send().await;
        assert_eq!((answer.status, &answer.body), (200, &plain.body), "{other}");
    }
}

#[tokio::test]
async fn exports_come_whole_when_they_are_packed() {
    let house = House::open().await;
    for number in 0..40 {
        house.keep("birds", &format!("the heron was seen at the lake on day {number}, 왜가리 {number}"));
    }
    for path in ["/v1/export", "/v1/graph/export?namespace=birds"] {
        let plain = house.get(path).send().await;
        let packed = house.get(path).header("accept-encoding", "gzip").send().await;
        assert_eq!((packed.status, plain.status), (200, 200), "{path}");
        // The head of an export tells when it was made.
        assert!(unpacked(&packed).abs_diff(plain.body.len()) < 8, "{path}");
    }
}

#[tokio::test]
async fn a_write_is_never_told_as_refused_for_how_its_answer_is_packed() {
    let house = House::open().await;
    for (content, accepted) in [("매일 아침 회의", "identity;q=0"), ("每天早上开会", "*;q=0")] {
        let ask = house.post("/v1/memories", &json!({"content": content}));
        ask.header("accept-encoding", accepted).send().await.expect(201);
    }
}

#[tokio::test]
async fn tiny_answers_and_problems_come_as_they_are() {
    let house = House::open().await;
    for path in ["/version", "/v1/nothing", "/health/live"] {
        let answer = house.get(path).header("accept-encoding", "gzip").send().await;
        assert_eq!(answer.header("content-encoding"), "", "{path}");
        answer.json();
    }
}

#[tokio::test]
async fn events_are_never_held_back_to_be_packed() {
    let house = House::open().await;
    let stream = house.get("/v1/events/stream?kind=stored").header("accept-encoding", "gzip").open().await;
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    assert!(!stream.headers().contains_key("content-encoding"));
    let mut body = stream.into_body();
    let mut heard = String::new();
    for content in ["herons nest by the lake", "the kettle is blue"] {
        let id = house.keep("birds", content).to_string();
        // Each is heard before the next one happens.
        while !heard.contains(&id) {
            let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
            heard += std::str::from_utf8(&piece).unwrap();
        }
    }
}

#[tokio::test]
async fn answers_to_mcp_clients_come_as_they_are() {
    let house = House::open().await;
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let greeting = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let ask = house.post("/mcp", &greeting).header("accept", "application/json, text/event-stream");
    let answer = ask.header("accept-encoding", "gzip").send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-encoding"), "");
    assert!(answer.text().contains("perihelion"), "{}", answer.text());
}
