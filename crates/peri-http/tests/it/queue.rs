//! Writes that the store cannot take, and the routes to look after them.

use std::time::Duration;

use perihelion::{NotesPlace, Options, Role};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::House;

/// A server whose database somebody else holds until the connection rolls back.
async fn held() -> (House, Connection) {
    let house = House::over(|options| options.busy_timeout = Duration::from_millis(20), |_| ()).await;
    let holder = Connection::open(house.engine.database()).unwrap();
    (house, holder)
}

fn hold(holder: &Connection) {
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
}

#[tokio::test]
async fn what_the_store_cannot_take_is_accepted_listed_counted_and_made_later() {
    let (house, holder) = held().await;
    let gone = house.keep("default", "a stork on the roof");
    hold(&holder);
    let receipt = house.post("/v1/memories", &json!({"content": "李娜喜欢喝茶"})).send().await.expect(202);
    assert_eq!(receipt["outcome"], "queued");
    let forgotten = house.delete(&format!("/v1/memories/{gone}")).send().await;
    assert_eq!(forgotten.header("content-type"), "application/json");
    assert_eq!(forgotten.expect(202)["outcome"], "queued");
    let batch = json!({"memories": [{"content": "하나"}, {"content": "둘"}]});
    let receipts = house.post("/v1/memories/batch", &batch).send().await.expect(202);
    assert_eq!(receipts["receipts"][1]["outcome"], "queued");
    let queue = house.get("/v1/queue").send().await.expect(200);
    assert_eq!((&queue["status"]["depth"], &queue["dead"]), (&json!(3), &json!([])));
    let operations: Vec<&Value> =
        queue["queued"].as_array().unwrap().iter().map(|call| &call["operation"]).collect();
    assert_eq!(operations, ["remember", "forget", "remember"]);
    let one = house.get("/v1/queue?limit=1").send().await.expect(200);
    assert_eq!(one["queued"].as_array().unwrap().len(), 1);
    assert!(house.get("/metrics").send().await.text().contains("\nperi_queue_depth 3\n"));
    holder.execute_batch("ROLLBACK").unwrap();
    let replayed = house.post("/v1/queue/replay", &json!({})).send().await.expect(200);
    assert_eq!((&replayed["revived"], &replayed["status"]["depth"]), (&json!(0), &json!(0)));
    let id = receipt["id"].as_str().unwrap();
    let memory = house.get(&format!("/v1/memories/{id}")).send().await.expect(200);
    assert_eq!(memory["content"], "李娜喜欢喝茶");
    let health = house.engine.health();
    assert_eq!((health.memories, health.trashed, health.queue.replayed_writes), (3, 1, 3));
}

#[tokio::test]
async fn what_is_said_while_the_store_is_held_waits_and_becomes_notes_later() {
    let patient = |options: &mut Options| {
        options.busy_timeout = Duration::from_millis(20);
        options.notes.place = NotesPlace::Store;
    };
    let house = House::over(patient, |_| ()).await;
    let holder = Connection::open(house.engine.database()).unwrap();
    hold(&holder);
    let at = "2026-03-04T05:06:07Z";
    let said = json!({"role": "user", "text": "앞으로 배포는 금요일에 하지 않기로 결정했어.", "at": at});
    let body = json!({"messages": [said], "observe": "now"});
    let receipt = house.post("/v1/sessions/s/messages", &body).send().await.expect(202);
    assert_eq!((&receipt["outcome"], &receipt["session"]), (&json!("queued"), &json!("s")), "{receipt}");
    holder.execute_batch("ROLLBACK").unwrap();
    house.post("/v1/queue/replay", &json!({})).send().await.expect(200);
    let observed = house.post("/v1/sessions/s/observe", &json!({})).send().await.expect(200);
    assert_eq!(observed["steps"][0]["messages"], 1, "exactly once: {observed}");
    let notes = house.get("/v1/sessions/s/notes").send().await.expect(200);
    assert!(notes["notes"][0]["text"].as_str().unwrap().contains("금요일"), "{notes}");
}

#[tokio::test]
async fn what_was_given_up_is_told_with_the_reason_and_can_be_tried_again_and_dropped() {
    let (house, holder) = held().await;
    let id = house.keep("default", "a heron by the lake");
    let seen = house.get(&format!("/v1/memories/{id}")).send().await.header("etag").to_owned();
    hold(&holder);
    for content in ["one", "two"] {
        let changes = house.patch(&format!("/v1/memories/{id}"), &json!({"content": content}));
        changes.header("if-match", &seen).send().await.expect(202);
    }
    holder.execute_batch("ROLLBACK").unwrap();
    house.post("/v1/queue/replay", &json!({})).send().await.expect(200);
    let dead = house.get("/v1/queue").send().await.expect(200)["dead"].clone();
    assert_eq!(dead[0]["reason"], format!("memory {id} was changed since it was seen"));
    let dead = dead[0]["id"].as_str().unwrap().to_owned();
    let again = house.post("/v1/queue/replay", &json!({"id": dead})).send().await.expect(200);
    assert_eq!(again["revived"], 1);
    house.delete(&format!("/v1/queue/{dead}")).send().await.expect(204);
    house.delete(&format!("/v1/queue/{dead}")).send().await.problem(404, "not-found");
    house.post("/v1/queue/replay", &json!({"id": dead})).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn only_an_admin_of_everything_looks_after_the_queue() {
    let house = House::open().await;
    let id = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    for (role, scope, status) in [
        (Role::Reader, "*", 403),
        (Role::Writer, "*", 403),
        (Role::Admin, "team/*", 403),
        (Role::Admin, "*", 200),
    ] {
        let key = house.key(role, scope);
        house.get("/v1/queue").key(&key).send().await.expect(status);
        house.post("/v1/queue/replay", &json!({})).key(&key).send().await.expect(status);
        let missing = if status == 200 { 404 } else { status };
        house.delete(&format!("/v1/queue/{id}")).key(&key).send().await.expect(missing);
    }
}

#[tokio::test]
async fn bad_requests_are_refused() {
    let house = House::open().await;
    for path in ["/v1/queue?limit=0", "/v1/queue?limit=1001", "/v1/queue?limit=x", "/v1/queue?depth=1"] {
        house.get(path).send().await.problem(400, "invalid-input");
    }
    for body in [json!({"id": "열하나"}), json!({"all": true}), json!([])] {
        house.post("/v1/queue/replay", &body).send().await.problem(400, "invalid-input");
    }
}

#[tokio::test]
async fn what_is_neither_stored_nor_queued_is_answered_503_and_not_kept() {
    let (house, holder) = held().await;
    hold(&holder);
    // A file where the queue's folder should be: it can be no more written than on a full disk.
    let in_the_way = house.engine.folder().join("queue");
    std::fs::write(&in_the_way, "").unwrap();
    let turn = json!({});
    for (path, body) in [
        ("/v1/journal", json!({"entries": [{"text": "빌드가 끝났다"}]})),
        ("/v1/turns", turn),
        ("/v1/memories", json!({"content": "李娜喜欢喝茶"})),
        ("/v1/memories/batch", json!({"memories": [{"content": "하나"}]})),
        ("/v1/trajectories", json!({"task": "weigh a star", "outcome": "success"})),
    ] {
        let problem = house.post(path, &body).send().await.expect(503);
        assert_eq!(problem["type"], "/problems/not-kept", "{path}: {problem}");
        assert!(problem["detail"].as_str().unwrap().starts_with("not kept: "), "{path}: {problem}");
        assert!(problem["hint"].as_str().unwrap().contains("send it again"), "{path}: {problem}");
    }
    holder.execute_batch("ROLLBACK").unwrap();
    std::fs::remove_file(&in_the_way).unwrap();
    let recent = house.get("/v1/journal/recent").send().await.expect(200);
    assert_eq!(recent["entries"], json!([]), "nothing of it comes later");
    let sent = house.post("/v1/journal", &json!({"entries": [{"text": "빌드가 끝났다"}]}));
    sent.send().await.expect(201);
}
