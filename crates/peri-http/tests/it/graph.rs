//! The graph over HTTP.

use perihelion::{EngineChoice, MemoryId, Options};
use serde_json::{Value, json};

use crate::support::House;

/// A server whose memories are linked only by hand.
async fn house() -> House {
    House::over(by_hand, |_| ()).await
}

fn by_hand(options: &mut Options) {
    options.engine = EngineChoice::Off;
    options.graph.auto_link = false;
}

/// Memories a → b → c, and d by itself.
async fn chain(house: &House) -> [MemoryId; 4] {
    let ids = ["a", "b", "c", "d"].map(|name| house.keep("default", &format!("the statement {name}")));
    for (source, target) in [(ids[0], ids[1]), (ids[1], ids[2])] {
        let edge = json!({"source": source, "target": target, "type": "sequence", "weight": 0.5});
        let linked = house.post("/v1/edges", &edge).send().await.expect(201);
        assert_eq!(
            linked,
            json!({"linked": true, "source": source, "target": target, "type": "sequence", "weight": 0.5})
        );
    }
    ids
}

async fn get(house: &House, path: &str) -> Value {
    house.get(path).send().await.expect(200)
}

fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn edges_are_drawn_seen_from_both_ends_and_taken_away() {
    let house = house().await;
    let [a, b, c, d] = chain(&house).await;
    let edges = get(&house, &format!("/v1/memories/{b}/edges")).await;
    assert_eq!(edges["edges"].as_array().unwrap().len(), 2, "{edges}");
    let taken = house.delete(&format!("/v1/edges?source={b}&target={a}")).send().await.expect(200);
    assert_eq!(taken["unlinked"], 0, "edges have a direction");
    let taken = house.delete(&format!("/v1/edges?source={a}&target={b}&type=supersedes")).send().await;
    assert_eq!(taken.expect(200)["unlinked"], 0, "of another type");
    let taken = house.delete(&format!("/v1/edges?source={a}&target={b}&type=sequence")).send().await;
    assert_eq!(taken.expect(200)["unlinked"], 1);
    assert_eq!(get(&house, &format!("/v1/memories/{a}/edges")).await["edges"], json!([]));
    for (target, weight) in [(a, 1.0), (d, 0.0), (d, -0.5), (d, 1.5)] {
        let edge = json!({"source": a, "target": target, "type": "related_to", "weight": weight});
        house.post("/v1/edges", &edge).send().await.problem(400, "invalid-input");
    }
    house.delete(&format!("/v1/memories/{c}")).send().await.expect(200);
    let edge = json!({"source": a, "target": c, "type": "related_to"});
    house.post("/v1/edges", &edge).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn an_edge_that_is_too_light_for_a_full_memory_is_not_said_to_be_drawn() {
    let house = House::over(
        |options| {
            by_hand(options);
            options.graph.edges_max = 1;
        },
        |_| (),
    )
    .await;
    let [a, _, c, _] = chain(&house).await;
    let edge = json!({"source": a, "target": c, "type": "related_to", "weight": 0.1});
    assert_eq!(house.post("/v1/edges", &edge).send().await.expect(200)["linked"], false);
    assert_eq!(get(&house, &format!("/v1/memories/{a}/edges")).await["edges"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_walk_goes_as_far_and_in_the_direction_it_is_told() {
    let house = house().await;
    let [a, b, c, _] = chain(&house).await.map(|id| id.to_string());
    for (parameters, expected) in [
        (String::new(), vec![&b]),
        ("&depth=2".to_owned(), vec![&b, &c]),
        ("&depth=2&limit=1".to_owned(), vec![&b]),
        ("&depth=2&direction=in".to_owned(), vec![]),
        ("&depth=2&direction=out&type=sequence&type=related_to".to_owned(), vec![&b, &c]),
        ("&type=related_to".to_owned(), vec![]),
        ("&namespace=default".to_owned(), vec![&b]),
    ] {
        let walked = get(&house, &format!("/v1/graph/walk?from={a}{parameters}")).await;
        assert_eq!(ids(&walked["steps"]).iter().collect::<Vec<_>>(), expected, "{parameters}");
        assert_eq!((&walked["namespace"], &walked["from"]), (&json!("default"), &json!(a)));
    }
    house.get(&format!("/v1/graph/walk?from={a}&namespace=else")).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn the_way_between_two_memories_is_found_whichever_way_the_edges_point() {
    let house = house().await;
    let [a, b, c, d] = chain(&house).await;
    let found = get(&house, &format!("/v1/graph/path?from={c}&to={a}")).await;
    assert_eq!(found["path"]["nodes"], json!([c, b, a]));
    assert_eq!(get(&house, &format!("/v1/graph/path?from={a}&to={d}")).await, json!({"path": null}));
    let elsewhere = house.keep("else", "a statement of another namespace");
    let answer = house.get(&format!("/v1/graph/path?from={a}&to={elsewhere}")).send().await;
    answer.problem(400, "invalid-input");
    let answer = house.get(&format!("/v1/graph/path?namespace=default&from={a}&to={elsewhere}")).send().await;
    answer.problem(404, "not-found");
}

#[tokio::test]
async fn ranks_and_groups_tell_what_is_central_and_what_belongs_together() {
    let house = house().await;
    let [a, b, c, _] = chain(&house).await;
    let ranks = get(&house, "/v1/graph/pagerank?limit=2").await;
    assert_eq!(ids(&ranks["ranks"]), [c.to_string(), b.to_string()]);
    let groups = get(&house, "/v1/graph/communities").await;
    assert_eq!((&groups["groups"], &groups["count"]), (&json!([[a, b, c]]), &json!(1)), "{groups}");
    assert_eq!(get(&house, "/v1/graph/communities?namespace=empty").await["groups"], json!([]));
}

#[tokio::test]
async fn a_graph_is_exported_as_what_was_asked_for() {
    let house = house().await;
    chain(&house).await;
    for (format, media_type, begins) in [
        ("dot", "text/vnd.graphviz; charset=utf-8", "digraph"),
        ("graphml", "application/graphml+xml; charset=utf-8", "<?xml"),
        ("json", "application/json", "{"),
    ] {
        let answer = house.get(&format!("/v1/graph/export?format={format}")).send().await;
        assert_eq!((answer.status, answer.header("content-type")), (200, media_type));
        assert!(answer.text().starts_with(begins) && answer.text().contains("the statement d"), "{format}");
    }
    let graph = get(&house, "/v1/graph/export").await;
    assert_eq!(graph["nodes"].as_array().unwrap().len(), 4);
    assert_eq!(graph["edges"].as_array().unwrap().len(), 2);
}
