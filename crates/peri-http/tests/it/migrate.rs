//! What another store kept, over the wire.

use axum::http::Method;
use perihelion::{EngineChoice, Options, Perihelion, Role, Scope};
use serde_json::{Value, json};

use crate::support::{Ask, House, settings};

const PATH: &str = "/api/memory/migrate";

fn send(house: &House, path: &str, body: &str) -> Ask {
    house.ask(Method::POST, path).raw("application/jsonl", body.to_owned())
}

fn records() -> Vec<Value> {
    vec![
        json!({"id": "a", "content": "민수는 커피보다 차를 좋아한다", "created_at": "2026-01-02T03:04:05Z"}),
        json!({"id": "b", "text": "herons nest by the lake", "vector": {"herons": 0.7, "lake": 0.2}}),
        json!({"id": "c", "text": "王芳更喜欢晚上工作", "embedding": [0.1, 0.2], "model": "other"}),
    ]
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[tokio::test]
async fn a_body_of_lines_or_of_a_list_is_taken_over_once() {
    let house = House::open().await;
    let text = format!("{}half of\n", lines(&records()));
    let told = send(&house, PATH, &text).send().await.expect(200);
    let counts = |told: &Value| {
        ["total", "migrated", "already_there", "failed"].map(|name| told[name].as_u64().unwrap())
    };
    assert_eq!(counts(&told), [4, 3, 0, 1], "{told}");
    assert_eq!((&told["errors"][0][0], &told["sparse_vectors"]), (&json!("line 4"), &json!(1)), "{told}");
    assert_eq!((&told["vectors_unusable"], told["duration_ms"].is_u64()), (&json!(1), true));
    let told = send(&house, PATH, &text).send().await.expect(200);
    assert_eq!(counts(&told), [4, 0, 3, 1], "{told}");
    let list = Value::from(records()).to_string();
    let ask = house.ask(Method::POST, PATH).raw("application/json; charset=utf-8", list);
    assert_eq!(counts(&ask.send().await.expect(200)), [3, 0, 3, 0]);
    let found = house.post("/v1/recall", &json!({"query": "birds at the water"})).send().await.expect(200);
    assert_eq!(found["hits"][0]["memory"]["content"], "herons nest by the lake", "{found}");
}

#[tokio::test]
async fn a_rehearsal_changes_nothing() {
    let house = House::open().await;
    let told = send(&house, &format!("{PATH}?dry_run=true"), &lines(&records())).send().await.expect(200);
    assert_eq!(told["migrated"], 3, "{told}");
    assert_eq!(house.engine.stats(&Scope::All).unwrap().memories, 0);
}

#[tokio::test]
async fn keys_migrate_into_their_own_namespaces_only() {
    let house = House::open().await;
    let (reader, writer) = (house.key(Role::Reader, "team/*"), house.key(Role::Writer, "team/*"));
    let own = format!("{PATH}?namespace=team/a");
    send(&house, &own, &lines(&records())).key(&reader).send().await.problem(403, "forbidden");
    send(&house, PATH, &lines(&records())).key(&writer).send().await.problem(400, "invalid-input");
    let other = format!("{PATH}?namespace=other");
    send(&house, &other, &lines(&records())).key(&writer).send().await.problem(403, "forbidden");
    assert_eq!(house.engine.stats(&Scope::All).unwrap().memories, 0);
    let told = send(&house, &own, &lines(&records())).key(&writer).send().await.expect(200);
    assert_eq!(told["migrated"], 3, "{told}");
    assert_eq!(house.engine.namespaces(&Scope::All).unwrap(), ["team/a".parse().unwrap()]);
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_and_told() {
    let house = House::open().await;
    let ask = house.ask(Method::POST, PATH).raw("text/plain", "herons");
    ask.send().await.problem(415, "unsupported-media-type");
    send(&house, &format!("{PATH}?dry_run=maybe"), "{}").send().await.problem(400, "invalid-input");
    send(&house, &format!("{PATH}?vectors=x"), "{}").send().await.problem(400, "invalid-input");
    let header = "{\"record\":\"header\",\"perihelion\":5}\n";
    let problem = send(&house, PATH, header).send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().contains("to be imported"), "{problem}");
    let long = format!("{}{{\"text\":\"{}\"}}\n", lines(&records()), "x".repeat(5 << 20));
    let told = send(&house, PATH, &long).send().await.expect(200);
    assert_eq!((&told["migrated"], &told["errors"][0][0]), (&json!(3), &json!("line 4")), "{told}");
    let many = send(&house, PATH, &"nonsense\n".repeat(1500)).send().await.expect(200);
    assert_eq!((many["errors"].as_array().unwrap().len(), &many["errors_unlisted"]), (1000, &json!(500)));
}

#[tokio::test]
async fn an_empty_body_gives_vectors_to_memories_that_lack_one() {
    let folder = tempfile::tempdir().unwrap();
    let off = Options { engine: EngineChoice::Off, ..Options::at(folder.path()) };
    let engine = Perihelion::open(off).unwrap();
    for namespace in ["team/a", "other"] {
        let request =
            perihelion::Remember::new("herons nest by the lake").in_namespace(namespace.parse().unwrap());
        engine.remember(request).unwrap();
    }
    engine.close().unwrap();
    let engine = std::sync::Arc::new(
        Perihelion::open(Options { chores: perihelion::Chores::ByHand, ..Options::at(folder.path()) })
            .unwrap(),
    );
    let house = House::serve(folder, engine, settings());
    let writer = house.key(Role::Writer, "team/*");
    let admin = house.key(Role::Admin, "*");
    let ask = |path: &str, key: &str| house.ask(Method::POST, path).key(key);
    let told = ask(&format!("{PATH}?dry_run=true"), &admin).send().await.expect(200);
    assert_eq!((&told["total"], &told["migrated"]), (&json!(2), &json!(0)), "{told}");
    let told = ask(PATH, &writer).send().await.expect(200);
    assert_eq!(
        (&told["total"], &told["migrated"], &told["embedded"]),
        (&json!(1), &json!(1), &json!(1)),
        "{told}"
    );
    assert_eq!(house.engine.stats(&Scope::All).unwrap().unembedded, 1, "others are left alone");
    ask(&format!("{PATH}?namespace=other"), &writer).send().await.problem(403, "forbidden");
    assert_eq!(ask(PATH, &admin).send().await.expect(200)["embedded"], 1);
    assert_eq!(ask(PATH, &admin).send().await.expect(200)["total"], 0);
}

#[tokio::test]
async fn without_an_engine_an_empty_body_is_told_so() {
    let (house, _clock) = House::timed().await;
    house.ask(Method::POST, PATH).send().await.problem(503, "unavailable");
}
