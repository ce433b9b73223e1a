//! Everything out and in again, over the wire.

use perihelion::{Role, Scope};

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
    import(&house, "/v1/import?on_conflict=replace", own.text())
        .key(&writer)
        .send()
        .await
        .problem(403, "forbidden");
    let admin = house.key(Role::Admin, "team/*");
    let told =
        import(&house, "/v1/import?on_conflict=replace", own.text()).key(&admin).send().await.expect(200);
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
    import(&house, "/v1/import?on_conflict=maybe", "").send().await.problem(400, "invalid-input");
    let newer = "{\"record\":\"header\",\"perihelion\":99}\n";
    let problem = import(&house, "/v1/import", newer).send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().starts_with("line 1 "), "{problem}");
    let long = format!("\n{}\n", "x".repeat(16 * 1024 * 1024 + 1));
    let problem = import(&house, "/v1/import", &long).send().await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().starts_with("line 2 "), "{problem}");
}
