//! Everything out and in again, over the wire.

use perihelion::{Role, Scope};
use serde_json::{Value, json};

use crate::support::{Ask, House};

const JSONL: &str = "application/jsonl";

fn import(house: &House, path: &str, lines: &str) -> Ask {
    house.ask(axum::http::Method::POST, path).raw(JSONL, lines.to_owned())
}

#[tokio::test]
async fn an_export_of_an_import_is_the_same_to_the_byte() {
    let house = House::open().await;
    for namespace in ["팀/김민수", "birds"] {
        let id = house.keep(namespace, "herons nest by the lake");
        house.keep(namespace, "storks nest on roofs");
        house.engine.forget(&Scope::All, id).unwrap();
        house.engine.start_session(&namespace.parse().unwrap(), "monday").unwrap();
    }
    let exported = house.get("/v1/export").send().await;
    assert_eq!((exported.status, exported.header("content-type")), (200, JSONL));
    assert!(exported.header("content-disposition").starts_with("attachment"));
    let other = House::open().await;
    let told = import(&other, "/v1/import", exported.text()).send().await.expect(200);
    assert_eq!((&told["added"], &told["sessions"]), (&4.into(), &2.into()), "{told}");
    assert_eq!(other.get("/v1/export").send().await.body, exported.body);
    let told = import(&other, "/v1/import", exported.text()).send().await.expect(200);
    assert_eq!((&told["added"], &told["known"]), (&0.into(), &4.into()), "sent again, it changes nothing");
}

#[tokio::test]
async fn a_large_export_arrives_whole() {
    let house = House::open().await;
    let many =
        (0..2000).map(|i| perihelion::Remember::new(format!("Quixou{i} {}", "lorem ipsum ".repeat(20))));
    house.engine.remember_all(many.collect()).unwrap();
    let exported = house.get("/v1/export").send().await;
    assert!(exported.body.len() > 1_000_000);
    let mut lines = Vec::new();
    house.engine.export(&Scope::All, &mut lines).unwrap();
    assert_eq!(exported.body, lines);
}

#[tokio::test]
async fn keys_export_and_import_their_own_namespaces_only() {
    let house = House::open().await;
    for namespace in ["team/a", "other"] {
        house.keep(namespace, "herons nest by the lake");
    }
    let whole = house.get("/v1/export").send().await;
    let (reader, writer) = (house.key(Role::Reader, "team/*"), house.key(Role::Writer, "team/*"));
    let own = house.get("/v1/export").key(&reader).send().await;
    assert_eq!(own.text().lines().count(), 4, "{}", own.text());
    assert!(!own.text().contains("other"));
    house.get("/v1/export?scope=*").key(&reader).send().await.problem(403, "forbidden");
    import(&house, "/v1/import", own.text()).key(&reader).send().await.problem(403, "forbidden");
    let elsewhere = House::open().await;
    let key = elsewhere.key(Role::Writer, "team/*");
    let told = import(&elsewhere, "/v1/import", whole.text()).key(&key).send().await.expect(200);
    assert_eq!(told["added"], 1, "{told}");
    assert_eq!(told["refused"].as_array().unwrap().len(), 2, "{told}");
    let namespaces = elsewhere.engine.namespaces(&Scope::All).unwrap();
    assert_eq!(namespaces, ["team/a".parse().unwrap()]);
    // What is there is destroyed by a replacement, which is not for writers.
    import(&house, "/v1/import?mode=upsert", own.text()).key(&writer).send().await.problem(403, "forbidden");
    let admin = house.key(Role::Admin, "team/*");
    let told = import(&house, "/v1/import?mode=upsert", own.text()).key(&admin).send().await.expect(200);
    assert_eq!(told["replaced"], 1, "{told}");
    import(&house, "/v1/import?scope=other", own.text()).key(&admin).send().await.problem(403, "forbidden");
}

#[tokio::test]
async fn what_is_no_export_is_told_line_by_line() {
    let house = House::open().await;
    let told = import(&house, "/v1/import", "nonsense\n\n{\"record\":\"teapot\"}\n").send().await.expect(200);
    let lines: Vec<u64> =
        told["refused"].as_array().unwrap().iter().map(|line| line[0].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 3], "{told}");
    let ask = house.ask(axum::http::Method::POST, "/v1/import").raw("application/json", "{}");
    ask.send().await.problem(415, "unsupported-media-type");
    import(&house, "/v1/import?mode=maybe", "").send().await.problem(400, "invalid-input");
    let newer = "{\"record\":\"header\",\"perihelion\":99}\n";
    let problem = import(&house, "/v1/import", newer).send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().starts_with("line 1 "), "{problem}");
    let long = format!("\n{}\n", "x".repeat(16 * 1024 * 1024 + 1));
    let problem = import(&house, "/v1/import", &long).send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().starts_with("line 2 "), "{problem}");
}

/// The memories of an export, by what they say.
fn contents(exported: &str) -> Vec<String> {
    let lines = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let memories = lines.filter(|line| line["record"] == "memory");
    memories.map(|line| line["content"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_export_holds_what_fits_its_conditions() {
    let (house, clock) = House::timed().await;
    for body in [
        json!({"content": "민수가 회의를 열었다", "layer": "episodic", "kind": "episode", "session": "회의",
            "speaker": "민수", "context": {"spatial": {"place": "office"}}}),
        json!({"content": "tea is for guests", "kind": "decision", "tags": ["drinks"]}),
        json!({"content": "the lamp is green", "kind": "fact"}),
    ] {
        house.post("/v1/memories", &body).send().await.expect(201);
        clock.advance(jiff::SignedDuration::from_hours(24));
    }
    let gone = house.keep("default", "thrown away");
    house.engine.forget(&Scope::All, gone).unwrap();
    let (first, second, third, last) =
        ("민수가 회의를 열었다", "tea is for guests", "the lamp is green", "thrown away");
    for (asked, expected) in [
        ("", vec![first, second, third, last]),
        ("?trash=without", vec![first, second, third]),
        ("?layer=episodic", vec![first]),
        ("?kind=decision&kind=episode", vec![first, second]),
        ("?tag=drinks", vec![second]),
        ("?session=%ED%9A%8C%EC%9D%98", vec![first]),
        ("?speaker=%EB%AF%BC%EC%88%98", vec![first]),
        ("?context=spatial.place%3Doffice", vec![first]),
        ("?context=spatial.place%3Dhome", vec![]),
        ("?since=2026-03-05T00:00:00Z&until=2026-03-06T00:00:00Z", vec![second]),
        ("?limit=2", vec![first, second]),
        ("?kind=fact&layer=long_term&limit=1", vec![third]),
    ] {
        let exported = house.get(&format!("/v1/export{asked}")).send().await;
        assert_eq!(contents(exported.text()), expected, "{asked}");
    }
}

#[tokio::test]
async fn an_import_appends_upserts_or_replaces() {
    let (house, clock) = House::timed().await;
    let kept = house.keep("team/a", "herons nest by the lake");
    let lines = house.get("/v1/export?scope=team/*").send().await.text().to_owned();
    clock.advance(jiff::SignedDuration::from_secs(1));
    house.patch(&format!("/v1/memories/{kept}"), &json!({"content": "herons left"})).send().await.expect(200);
    house.keep("team/a", "storks nest on roofs");
    house.keep("other", "owls nest in the barn");
    clock.advance(jiff::SignedDuration::from_secs(1));
    let held = || contents_of(&house);
    let (old, new, storks, owls) =
        ("herons nest by the lake", "herons left", "storks nest on roofs", "owls nest in the barn");
    let told = import(&house, "/v1/import?mode=append", &lines).send().await.expect(200);
    assert_eq!((&told["known"], held()), (&json!(1), texts(&[new, storks, owls])), "{told}");
    let told = import(&house, "/v1/import?mode=upsert", &lines).send().await.expect(200);
    assert_eq!((&told["newer_here"], held()), (&json!(1), texts(&[new, storks, owls])), "{told}");

    let (writer, admin) = (house.key(Role::Writer, "team/*"), house.key(Role::Admin, "team/*"));
    for mode in ["upsert", "replace"] {
        let path = format!("/v1/import?mode={mode}");
        import(&house, &path, &lines).key(&writer).send().await.problem(403, "forbidden");
    }
    let cut = lines.lines().take(2).collect::<Vec<_>>().join("\n");
    let told = import(&house, "/v1/import?mode=replace", &cut).key(&admin).send().await.expect(200);
    assert!(told["nothing_trashed"].as_str().unwrap().contains("cut"), "{told}");
    // A file that speaks of namespaces that are not the key's must not empty them.
    let foreign = lines.replace("team/a", "other");
    let told = import(&house, "/v1/import?mode=replace", &foreign).key(&admin).send().await.expect(200);
    assert!(told["nothing_trashed"].as_str().unwrap().contains("refused"), "{told}");
    assert_eq!(held(), texts(&[new, storks, owls]));
    let told = import(&house, "/v1/import?mode=replace", &lines).key(&admin).send().await.expect(200);
    assert_eq!((&told["trashed"], held()), (&json!(1), texts(&[old, owls])), "{told}");
}

fn texts(contents: &[&str]) -> Vec<String> {
    contents.iter().map(ToString::to_string).collect()
}

fn contents_of(house: &House) -> Vec<String> {
    let order = perihelion::Order::OldestFirst;
    let page = house.engine.list(perihelion::ListQuery { order, ..Default::default() }).unwrap();
    page.memories.into_iter().map(|memory| memory.content).collect()
}
