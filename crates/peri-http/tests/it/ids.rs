//! Ids that writers give: they name what lies in their own namespaces and nothing else.

use perihelion::Role::{Admin, Writer};
use serde_json::json;

use crate::support::House;

#[tokio::test]
async fn a_writer_who_gives_a_foreign_id_diverts_nothing_and_learns_nothing() {
    let house = House::open().await;
    let (root, a, b) = (house.key(Admin, "*"), house.key(Writer, "team/a"), house.key(Writer, "team/b"));
    house.post("/v1/memories", &json!({"content": "team a was here first"})).key(&a).send().await.expect(201);
    let own = house.post("/v1/memories", &json!({"content": "original about walnuts"})).key(&b).send().await;
    let own = own.expect(201);
    let id = own["id"].as_str().unwrap();
    let squatter = json!({"content": "squatter about almonds", "namespace": "team/a", "id": id});
    let squatted = house.post("/v1/memories", &squatter).key(&a).send().await.expect(201);
    let free = json!({"content": "about pecans", "namespace": "team/a", "id": "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a"});
    let fresh = house.post("/v1/memories", &free).key(&a).send().await.expect(201);
    let fields =
        |receipt: &serde_json::Value| receipt.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(fields(&squatted), fields(&fresh), "the receipts are alike");

    let path = format!("/v1/memories/{id}");
    let found = house.get(&path).key(&root).send().await.expect(200);
    assert_eq!(found["content"], "original about walnuts");
    let change = json!({"content": "confidential correction meant for team b"});
    house.patch(&path, &change).key(&root).send().await.expect(200);
    let read = house.get(&path).key(&a).send().await;
    assert!(!read.text().contains("confidential"), "{}", read.text());
    // Its own id still leads the writer to what it stored, as does the one that the receipt told.
    assert_eq!(read.expect(200)["metadata"]["given_id"], id);
    let told = format!("/v1/memories/{}", squatted["id"].as_str().unwrap());
    assert_eq!(house.get(&told).key(&a).send().await.expect(200)["content"], "squatter about almonds");

    house.delete(&path).key(&root).send().await.expect(200);
    house.ask(axum::http::Method::POST, &format!("{path}/purge")).key(&root).send().await;
    house.get(&path).key(&b).send().await.problem(404, "not-found");
    assert_eq!(house.get(&told).key(&a).send().await.expect(200)["content"], "squatter about almonds");
}

#[tokio::test]
async fn a_writer_who_begins_a_turn_with_a_foreign_id_diverts_nothing() {
    let house = House::open().await;
    let (root, a, b) = (house.key(Admin, "*"), house.key(Writer, "team/a"), house.key(Writer, "team/b"));
    let begun = house.post("/v1/turns", &json!({"metadata": {"of": "b"}})).key(&b).send().await.expect(201);
    let id = begun["turn"]["id"].as_str().unwrap();
    let squat = json!({"id": id, "metadata": {"of": "a"}});
    let squatted = house.post("/v1/turns", &squat).key(&a).send().await.expect(201);
    assert_ne!(squatted["turn"]["id"], id);
    let path = format!("/v1/turns/{id}");
    let told = json!({"output_text": "confidential output for team b"});
    house.patch(&path, &told).key(&root).send().await.expect(200);
    let read = house.get(&path).key(&a).send().await;
    assert!(!read.text().contains("confidential"), "{}", read.text());
    let read = house.get(&path).key(&b).send().await.expect(200);
    assert_eq!(read["turn"]["output_text"], "confidential output for team b");
    // Begun again, it is the same turn.
    let again = house.post("/v1/turns", &squat).key(&a).send().await.expect(201);
    assert_eq!(again["turn"]["id"], squatted["turn"]["id"]);
}

#[tokio::test]
async fn an_id_that_an_older_store_holds_twice_is_409_until_the_namespace_is_said() {
    let house = House::open().await;
    let (root, team) = (house.key(Admin, "*"), house.key(Admin, "team/*"));
    let writer = house.key(Writer, "team/a");
    let [one, other, foreign] = [("team/a", "almonds"), ("team/b", "walnuts"), ("private", "pecans")]
        .map(|(namespace, content)| house.keep(namespace, content));
    let (folder, engine) = house.stop().await;
    let store = rusqlite::Connection::open(folder.path().join("perihelion.db")).unwrap();
    for twin in [other, foreign] {
        let ids = (one.as_bytes(), twin.as_bytes());
        store.execute("UPDATE memories SET id = ?1 WHERE id = ?2", ids).unwrap();
    }
    drop(store);
    let house = House::serve(folder, engine, crate::support::settings());
    let path = format!("/v1/memories/{one}");
    for (key, namespaces) in
        [(&team, json!(["team/a", "team/b"])), (&root, json!(["private", "team/a", "team/b"]))]
    {
        let problem = house.get(&path).key(key).send().await.problem(409, "ambiguous");
        assert_eq!(problem["namespaces"], namespaces);
        house.delete(&path).key(key).send().await.problem(409, "ambiguous");
        house.get(&format!("{path}/history")).key(key).send().await.problem(409, "ambiguous");
    }
    assert_eq!(house.get(&path).key(&writer).send().await.expect(200)["content"], "almonds");
    let named = |namespace: &str| format!("{path}?namespace={namespace}");
    let found = house.get(&named("team%2Fb")).key(&root).send().await.expect(200);
    assert_eq!(found["content"], "walnuts");
    house.get(&named("team/b")).key(&writer).send().await.problem(403, "forbidden");
    house.get(&named("private")).key(&team).send().await.problem(403, "forbidden");
    house.delete(&named("team/b")).key(&team).send().await.expect(200);
    assert!(house.get(&named("team/a")).key(&team).send().await.expect(200)["trashed_at"].is_null());
    assert!(!house.get(&named("team/b")).key(&team).send().await.expect(200)["trashed_at"].is_null());
}
