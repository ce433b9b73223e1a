//! Where calls work: as they say, as configured, as the client's workspace says, or in the default namespace.

use std::time::Duration;

use peri_mcp::Home;
use serde_json::{Value, json};

use crate::support::{Announces, Client, ERAS, Era, World, each};

const SHOP: &str = "file:///home/ana/shop";
const GARDEN: &str = "file:///home/ana/garden";

fn roots(uris: &[&str]) -> Announces {
    Announces::Roots(uris.iter().map(|uri| (*uri).to_owned()).collect())
}

async fn place(client: &Client) -> String {
    client.ok("memory_stats", json!({})).await["namespace"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_says_goes_before_what_is_configured_before_the_workspace_before_the_default() {
    for era in ERAS {
        let world = World::new();
        assert_eq!(place(&world.connect(Announces::Nothing, era).await).await, "default");
        assert_eq!(place(&world.connect(roots(&[]), era).await).await, "default");
        let announced = place(&world.connect(roots(&[SHOP]), era).await).await;
        assert!(announced.starts_with("workspace/shop-"), "{announced}");

        let workspaces = [(SHOP.to_owned(), "team/shop".parse().unwrap())].into();
        let world = world.home(Home { namespace: None, workspaces });
        assert_eq!(place(&world.connect(roots(&[SHOP]), era).await).await, "team/shop");

        let home = Home { namespace: Some("mine".parse().unwrap()), ..Home::default() };
        let client = world.home(home).connect(roots(&[SHOP]), era).await;
        assert_eq!(place(&client).await, "mine");
        let said = client.ok("memory_stats", json!({"namespace": "team/*"})).await;
        assert_eq!(said["namespace"], "team/*");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_with_different_roots_see_nothing_of_each_other() {
    for era in ERAS {
        let world = World::whole();
        let (shop, garden) =
            (world.connect(roots(&[SHOP]), era).await, world.connect(roots(&[GARDEN]), era).await);
        let id = shop.keep("The till is opened with the brass key").await;
        assert!(each(&garden.ok("memory_recall", json!({"query": "brass key"})).await, "id").is_empty());
        assert!(garden.refused("memory_get", json!({"id": id})).await.contains(&id));
        assert!(garden.refused("memory_forget", json!({"id": id})).await.contains(&id));
        assert_eq!(each(&shop.ok("memory_recall", json!({"query": "brass key"})).await, "id"), [id]);
        let entity = json!({"entities": [{"name": "Ana", "entityType": "person", "observations": []}]});
        shop.ok("create_entities", entity).await;
        assert_eq!(garden.ok("read_graph", json!({})).await["entities"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workspace_that_changes_is_heeded() {
    let world = World::new();
    let client = world.connect(roots(&[SHOP]), Era::Handshake).await;
    assert!(place(&client).await.starts_with("workspace/shop-"));
    client.announce(roots(&[GARDEN]));
    assert!(place(&client).await.starts_with("workspace/shop-"), "nobody said that it changed");
    client.service.notify_roots_list_changed().await.unwrap();
    assert!(place(&client).await.starts_with("workspace/garden-"));

    let client = world.connect(roots(&[SHOP]), Era::Discover).await;
    assert!(place(&client).await.starts_with("workspace/shop-"));
    client.announce(roots(&[GARDEN]));
    assert!(place(&client).await.starts_with("workspace/garden-"), "it is asked with every call");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_roots_are_asked_about_with_their_namespaces() {
    for era in ERAS {
        let world = World::whole();
        let client = world.connect(roots(&[SHOP, GARDEN]), era).await;
        let why = client.refused("memory_store", json!({"content": "Somewhere"})).await;
        assert!(why.contains("workspace/shop-") && why.contains("workspace/garden-"), "{why}");
        let named = why.split([' ', ',']).find(|word| word.starts_with("workspace/shop-")).unwrap();
        let stored = client.ok("memory_store", json!({"content": "Somewhere", "namespace": named})).await;
        assert_eq!(stored["namespace"], named);
        // The shapes of the reference server have no room for it, and it is taken all the same.
        let why = client.refused("read_graph", json!({})).await;
        assert!(why.contains("`namespace`"), "{why}");
        client.ok("read_graph", json!({"namespace": named})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_tell_its_roots_is_told_what_to_do() {
    let client = World::new().connect(Announces::Refusal, Era::Handshake).await;
    let why = client.refused("memory_stats", json!({})).await;
    assert!(why.contains("`namespace`") && why.contains("private"), "{why}");
    client.ok("memory_stats", json!({"namespace": "default"})).await;
    client.announce(roots(&[SHOP]));
    assert!(place(&client).await.starts_with("workspace/shop-"), "it is asked again");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_never_answers_is_waited_for_only_so_long() {
    let client = World::new().connect(Announces::Silence, Era::Handshake).await;
    let begun = tokio::time::Instant::now();
    let calls = (0..4).map(|_| client.refused("memory_stats", json!({})));
    let calls: Vec<String> = futures(calls).await;
    for why in calls {
        assert!(why.contains("`namespace`") && why.contains("roots/list"), "{why}");
    }
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    client.ok("memory_stats", json!({"namespace": "default"})).await;
    assert!(begun.elapsed() < Duration::from_secs(6), "whoever names the namespace does not wait");
}

/// All at once.
async fn futures<T>(calls: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut calls: Vec<_> = calls.map(Box::pin).collect();
    let mut done: Vec<Option<T>> = calls.iter().map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (call, done) in calls.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let std::task::Poll::Ready(value) = call.as_mut().poll(context) {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_namespace_that_is_none_is_refused_by_every_tool() {
    let client = World::whole().client().await;
    for tool in client.tools() {
        for bad in [json!(""), json!("/a"), json!("a//b"), json!("a b"), json!("*/a"), json!(7), json!(["a"])]
        {
            let why = client.refused(&tool.name, json!({"namespace": bad})).await;
            assert!(why.contains("namespace"), "{}: {why}", tool.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_writes_works_in_exactly_one_namespace() {
    let client = World::whole().client().await;
    let entities = json!({"entities": [], "namespace": "team/*"});
    for (tool, arguments) in [
        ("memory_store", json!({"content": "Somewhere", "namespace": "team/*"})),
        ("memory_import", json!({"memories": [{"content": "Somewhere"}], "namespace": "*"})),
        ("session_start", json!({"namespace": "*"})),
        ("graph_rank", json!({"namespace": "*"})),
        ("memory_weights", json!({"namespace": "team/*"})),
        ("trajectory_record", json!({"task": "배포", "outcome": "partial", "namespace": "team/*"})),
        ("pattern_store", json!({"strategy": "先测试", "namespace": "*"})),
        ("task_route", json!({"task": "test it", "namespace": "team/*"})),
        ("create_entities", entities),
    ] {
        let why = client.refused(tool, arguments).await;
        assert!(why.contains("exactly one"), "{tool}: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_look_into_several_namespaces_says_where_each_memory_lies() {
    let client = World::whole().client().await;
    for name in ["team/ana", "team/bo", "other"] {
        client.ok("memory_store", json!({"content": "The garden gate squeaks", "namespace": name})).await;
    }
    let found = client.ok("memory_recall", json!({"query": "garden gate", "namespace": "team/*"})).await;
    let mut places = each(&found, "in");
    places.sort();
    assert_eq!(places, ["team/ana", "team/bo"]);
    let one = client.ok("memory_recall", json!({"query": "garden gate", "namespace": "other"})).await;
    assert_eq!(one["memories"][0].get("in"), None::<&Value>);
}
