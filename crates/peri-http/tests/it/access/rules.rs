//! Rules of access that no table of routes shows.

use std::sync::Arc;

use axum::http::Method;
use peri_http::{ServeError, Server};
use perihelion::{Chores, EngineChoice, Options, Perihelion, Role, Scope};
use serde_json::{Value, json};

use super::world::{ELSEWHERE, HOME, Targets, Who, World, public};
use crate::support::{House, settings};

/// The ids of the keys that a caller is shown.
async fn shown_keys(world: &World, who: Who) -> Vec<String> {
    let keys = world.by(who, world.house.get("/v1/keys")).send().await.expect(200);
    keys["keys"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn without_any_key_whoever_sits_at_the_machine_needs_none() {
    let house = House::open().await;
    house.post("/v1/memories", &json!({"content": "nobody asked for a key"})).send().await.expect(201);
    house.get("/v1/health").send().await.expect(200);
    // A key that is shown must be right even then.
    house.get("/v1/stats").key("peri_no").send().await.problem(401, "unauthenticated");
    let created = house.post("/v1/keys", &json!({"name": "first", "role": "admin"})).send().await;
    let secret = created.expect(201)["secret"].as_str().unwrap().to_owned();
    assert_eq!(created.header("cache-control"), "no-store");
    house.get("/v1/stats").send().await.problem(401, "unauthenticated");
    house.get("/v1/stats").key(&secret).send().await.expect(200);
    house.get("/v1/stats").header("x-api-key", &secret).send().await.expect(200);
    // Once the last key is revoked, the machine is its own again.
    house.delete(&format!("/v1/keys/{}", public(&secret))).key(&secret).send().await.expect(200);
    house.get("/v1/stats").send().await.expect(200);
    house.get("/v1/stats").key(&secret).send().await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_key_is_taken_only_as_a_bearer_token_or_in_its_own_header() {
    let house = House::open().await;
    let secret = house.key(Role::Reader, "*");
    let stats = || house.get("/v1/stats");
    stats().header("authorization", &format!("bearer {secret}")).send().await.expect(200);
    for (name, value) in [
        ("authorization", secret.clone()),
        ("authorization", format!("Basic {secret}")),
        ("authorization", format!("Bearer {secret} ")),
        ("authorization", "Bearer".to_owned()),
        ("authorization", String::new()),
        ("x-api-key", String::new()),
        ("x-api-key", format!("Bearer {secret}")),
        ("cookie", format!("key={secret}")),
    ] {
        let answer = stats().header(name, &value).send().await;
        // Spaces around a header's value are not part of it.
        let fine = value.starts_with("Bearer ") && name == "authorization";
        assert_eq!(answer.status, if fine { 200 } else { 401 }, "{name}: {value:?}");
    }
    // A wrong bearer token is not mended by a right key beside it.
    let both = stats().header("authorization", "Bearer wrong").header("x-api-key", &secret).send().await;
    both.problem(401, "unauthenticated");
    house.get(&format!("/v1/stats?key={secret}")).send().await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_server_that_others_reach_does_not_start_without_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
    let engine = Arc::new(Perihelion::open(options).unwrap());
    let mut open = settings();
    open.listen = "0.0.0.0:0".parse().unwrap();
    let refused = Server::bind(Arc::clone(&engine), open.clone());
    assert!(matches!(refused, Err(ServeError::Unprotected { .. })));
    open.listen = "[::]:0".parse().unwrap();
    assert!(matches!(Server::bind(engine, open), Err(ServeError::Unprotected { .. })));
}

#[tokio::test]
async fn a_server_that_others_reach_stays_closed_when_its_last_key_is_revoked() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { chores: Chores::ByHand, engine: EngineChoice::Off, ..Options::at(folder.path()) };
    let engine = Arc::new(Perihelion::open(options).unwrap());
    let new = perihelion::NewKey { name: "last".to_owned(), role: Role::Admin, scope: Scope::All };
    let secret = engine.create_key(new).unwrap().secret;
    let mut open = settings();
    open.listen = "0.0.0.0:0".parse().unwrap();
    let house = House::serve(folder, engine, open);
    house.get("/v1/stats").key(&secret).send().await.expect(200);
    house.get("/v1/stats").send().await.problem(401, "unauthenticated");
    house.delete(&format!("/v1/keys/{}", public(&secret))).key(&secret).send().await.expect(200);
    house.get("/v1/stats").key(&secret).send().await.problem(401, "unauthenticated");
    house.get("/v1/stats").send().await.problem(401, "unauthenticated");
    house
        .post("/v1/keys", &json!({"name": "again", "role": "admin"}))
        .send()
        .await
        .problem(401, "unauthenticated");
}

#[tokio::test]
async fn an_admin_of_some_namespaces_handles_their_keys_and_no_others() {
    let world = World::open().await;
    let targets = world.targets();
    let reach = |who| world.key_of(who).unwrap().to_string();
    let own = shown_keys(&world, Who::Admin).await;
    for who in [Who::Reader, Who::Writer, Who::Admin] {
        assert!(own.contains(&reach(who)), "{who:?}");
    }
    assert!(own.contains(&targets.key.to_string()));
    for who in [Who::Foreigner, Who::Owner] {
        assert!(!own.contains(&reach(who)), "{who:?}");
        let path = format!("/v1/keys/{}", reach(who));
        world.by(Who::Admin, world.house.delete(&path)).send().await.problem(404, "not-found");
    }
    assert_eq!(shown_keys(&world, Who::Foreigner).await, [reach(Who::Foreigner)]);
    let create = async |scope: Value| {
        let body = json!({"name": "new", "role": "admin", "scope": scope});
        world.by(Who::Admin, world.house.post("/v1/keys", &body)).send().await
    };
    for wider in ["*", ELSEWHERE, "teams", "team2/*"] {
        create(json!(wider)).await.problem(403, "forbidden");
    }
    for (scope, given) in [(json!("team/*"), "team/*"), (json!(HOME), HOME), (Value::Null, "team/*")] {
        assert_eq!(create(scope).await.expect(201)["key"]["scope"], given);
    }
}

#[tokio::test]
async fn the_secret_of_a_key_is_told_once_and_kept_nowhere() {
    let house = House::open().await;
    let owner = house.key(Role::Admin, "*");
    let body = json!({"name": "new", "role": "reader"});
    let ask = || house.post("/v1/keys", &body).key(&owner).header("idempotency-key", "one");
    let (first, second) = (ask().send().await.expect(201), ask().send().await.expect(201));
    let secret = first["secret"].as_str().unwrap();
    assert_ne!(secret, second["secret"], "an answer with a secret is not kept");
    let listed = house.get("/v1/keys").key(&owner).send().await;
    assert!(!listed.text().contains(secret.rsplit('_').next().unwrap()));
    assert!(!listed.text().contains("hash"));
}

#[tokio::test]
async fn ids_of_others_are_answered_like_ids_that_never_were() {
    let world = World::open().await;
    let (targets, never) = (world.targets(), Targets::never());
    let own = world.house.keep(ELSEWHERE, "what the foreigner keeps");
    let edge = |target| json!({"source": own, "target": target, "type": "related_to"});
    let about = |ids: &Targets| {
        let Targets { memory, .. } = ids;
        let mixed = json!({"query": "what", "used": [own], "unused": [memory]});
        let only = json!({"query": "what", "used": [memory]});
        vec![
            (Method::POST, "/v1/edges".to_owned(), edge(*memory)),
            (Method::DELETE, format!("/v1/edges?source={own}&target={memory}"), Value::Null),
            (Method::GET, format!("/v1/graph/walk?namespace={ELSEWHERE}&from={memory}"), Value::Null),
            (
                Method::GET,
                format!("/v1/graph/path?namespace={ELSEWHERE}&from={own}&to={memory}"),
                Value::Null,
            ),
            (Method::GET, format!("/v1/graph/path?from={memory}&to={own}"), Value::Null),
            (Method::POST, "/v1/feedback".to_owned(), only),
            (Method::POST, "/v1/feedback".to_owned(), mixed),
            (Method::PATCH, format!("/v1/memories/{own}"), json!({"superseded_by": memory})),
            (Method::GET, format!("/v1/memories?cursor={memory}&order=oldest_first&limit=1"), Value::Null),
        ]
    };
    for (there, not_there) in about(&targets).into_iter().zip(about(&never)) {
        let mut answers = Vec::new();
        for ((method, path, body), ids) in [(&there, &targets), (&not_there, &never)] {
            let ask = world.house.ask(method.clone(), path);
            let ask = if body.is_null() { ask } else { ask.json(body) };
            let answer = world.by(Who::Foreigner, ask).send().await;
            let text = answer.text().replace(answer.header("x-request-id"), "$request");
            assert!(!text.contains(HOME), "{path}: {text}");
            answers.push((answer.status, ids.unfill(&text)));
        }
        // A cursor is a place in time, so it decides what follows, whosever it is.
        if !there.1.contains("cursor") {
            assert_eq!(answers[0], answers[1], "{} {}", there.0, there.1);
        }
    }
}

#[tokio::test]
async fn an_id_that_somebody_else_uses_is_free() {
    let world = World::open().await;
    let taken = world.targets().memory;
    let body = json!({"content": "my own", "id": taken, "namespace": ELSEWHERE});
    world.by(Who::Foreigner, world.house.post("/v1/memories", &body)).send().await.expect(201);
    let read = world.by(Who::Foreigner, world.house.get(&format!("/v1/memories/{taken}"))).send().await;
    assert_eq!(read.expect(200)["content"], "my own");
    let read = world.by(Who::Reader, world.house.get(&format!("/v1/memories/{taken}"))).send().await;
    assert_ne!(read.expect(200)["content"], "my own");
}

#[tokio::test]
async fn only_who_opens_everything_learns_how_large_it_is() {
    let world = World::open().await;
    world.targets();
    let stats = async |who, path: &str| world.by(who, world.house.get(path)).send().await.expect(200);
    let own = stats(Who::Foreigner, "/v1/stats").await;
    assert_eq!((own["memories"].as_u64(), own.get("store")), (Some(1), None));
    let own = stats(Who::Reader, "/v1/stats").await;
    assert_eq!((own["memories"].as_u64(), own.get("store")), (Some(2), None));
    assert!(stats(Who::Owner, "/v1/stats").await["store"]["database_bytes"].as_u64().unwrap() > 0);
    assert_eq!(stats(Who::Owner, "/v1/stats").await["memories"], 3);
}

#[tokio::test]
async fn a_key_for_several_namespaces_must_say_which_and_one_for_a_single_namespace_need_not() {
    let world = World::open().await;
    let body = json!({"content": "where does this go"});
    let keep = async |who| world.by(who, world.house.post("/v1/memories", &body)).send().await;
    let problem = keep(Who::Writer).await.problem(400, "invalid-input");
    assert!(problem["detail"].as_str().unwrap().contains("`namespace`"), "{problem}");
    let id = keep(Who::Foreigner).await.expect(201)["id"].as_str().unwrap().to_owned();
    let kept = world.by(Who::Owner, world.house.get(&format!("/v1/memories/{id}"))).send().await;
    assert_eq!(kept.expect(200)["namespace"], ELSEWHERE);
    let id = keep(Who::Owner).await.expect(201)["id"].as_str().unwrap().to_owned();
    let kept = world.by(Who::Owner, world.house.get(&format!("/v1/memories/{id}"))).send().await;
    assert_eq!(kept.expect(200)["namespace"], "default");
}

#[tokio::test]
async fn a_batch_that_reaches_beyond_the_key_stores_nothing() {
    let world = World::open().await;
    let before = world.state();
    let body = json!({"memories": [
        {"content": "mine", "namespace": HOME},
        {"content": "not mine", "namespace": ELSEWHERE},
    ]});
    let answer = world.by(Who::Writer, world.house.post("/v1/memories/batch", &body)).send().await;
    answer.problem(403, "forbidden");
    let body = json!({"from": HOME, "to": ELSEWHERE});
    let answer = world.by(Who::Admin, world.house.post("/v1/namespaces/move", &body)).send().await;
    answer.problem(403, "forbidden");
    assert_eq!(world.state(), before);
}
