//! Promotion from layer to layer by hand and by the sweep, and back.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Client, World, each, id};

async fn episode(client: &Client, content: &str) -> String {
    let memories = json!([{"content": content, "layer": "episodic"}]);
    let imported = client.ok("memory_import", json!({ "memories": memories })).await;
    imported["ids"][0].as_str().unwrap().to_owned()
}

async fn in_layer(client: &Client, layer: &str) -> Vec<String> {
    each(&client.ok("memory_list", json!({"layers": [layer], "oldest_first": true})).await, "id")
}

#[tokio::test(flavor = "multi_thread")]
async fn several_become_one_of_the_next_layer_and_stand_for_themselves_again_when_undone() {
    let world = World::whole();
    let client = world.client().await;
    let first = episode(&client, "민수가 월요일 회의를 취소했다").await;
    world.tick();
    let second = episode(&client, "The Monday meeting fell through").await;
    world.tick();
    let promoted = client.ok("memory_promote", json!({"ids": [first, second]})).await;
    assert_eq!((&promoted["layer"], &promoted["sources"]), (&json!("long_term"), &json!([first, second])));
    assert_eq!(promoted["content"], "민수가 월요일 회의를 취소했다", "the first gives the words");
    assert_eq!(in_layer(&client, "long_term").await, [id(&promoted)]);
    assert!(in_layer(&client, "episodic").await.is_empty(), "they are put aside");
    let found = client.ok("memory_recall", json!({"query": "민수 회의"})).await;
    assert_eq!(each(&found, "id"), [id(&promoted)], "{found}");

    world.tick();
    let undone = client.ok("memory_undo_promotion", json!({"id": id(&promoted)})).await;
    let mut back: Vec<_> =
        undone["sources"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    back.sort_by_key(Value::to_string);
    assert_eq!(back, [json!(first), json!(second)]);
    assert_eq!(in_layer(&client, "episodic").await, [first, second]);
    assert!(in_layer(&client, "long_term").await.is_empty());
    let trash = client.ok("memory_list", json!({"forgotten": true})).await;
    assert_eq!(each(&trash, "id"), [id(&promoted)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_value_becomes_what_was_asked_for() {
    let client = World::whole().client().await;
    for (key, to, expected) in
        [("a", None, "episodic"), ("b", Some("episodic"), "episodic"), ("c", Some("long_term"), "long_term")]
    {
        let value = json!({"key": key, "value": format!("Shelf {key} is for the {key} books")});
        let held = id(&client.ok("work_set", value).await);
        let mut asked = json!({ "ids": [held] });
        if let Some(to) = to {
            asked["to"] = json!(to);
        }
        let promoted = client.ok("memory_promote", asked).await;
        assert_eq!(promoted["layer"], expected, "{key}: {promoted}");
        let got = client.ok("work_get", json!({ "key": key })).await;
        assert_eq!(got.get("item"), None, "{key}: {got}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_promoted_is_refused_and_stays() {
    let client = World::whole().client().await;
    let known = client.keep("The kettle is blue").await;
    let one = episode(&client, "The kettle whistled at noon").await;
    let gone = episode(&client, "Ana found the missing ladder").await;
    client.ok("memory_forget", json!({"id": gone})).await;
    let there = json!([{"content": "Bo painted the fence", "layer": "episodic"}]);
    let there =
        client.ok("memory_import", json!({"memories": there, "namespace": "other"})).await["ids"][0].clone();
    for (asked, named) in [
        (json!({"ids": [known]}), "as long already"),
        (json!({"ids": [one], "to": "working"}), "as long already"),
        (json!({"ids": [one], "to": "episodic"}), "as long already"),
        (json!({"ids": [one], "to": "cloud"}), "`to`"),
        (json!({"ids": [one, gone]}), "trash"),
        (json!({"ids": [one, there]}), there.as_str().unwrap()),
        (json!({"ids": [one, there], "namespace": "*"}), "another namespace"),
        (json!({"ids": []}), "`ids`"),
    ] {
        let why = client.refused("memory_promote", asked.clone()).await;
        assert!(why.contains(named), "{asked}: {why}");
    }
    for id in [&known, &one] {
        let why = client.refused("memory_undo_promotion", json!({ "id": id })).await;
        assert!(why.contains("not promoted"), "{why}");
    }
    assert_eq!(in_layer(&client, "episodic").await, [one]);
    assert_eq!(in_layer(&client, "long_term").await, [known]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_ends_what_is_over_and_promotes_what_matters_once() {
    let world = World::whole();
    let client = world.client().await;
    let set = |key: &str, importance: f64| json!({"key": key, "value": format!("{key} 상자는 다락에 있다"), "ttl_seconds": 60, "importance": importance});
    client.ok("work_set", set("파란", 0.1)).await;
    client.ok("work_set", set("빨간", 0.9)).await;
    let told =
        json!({"expired": 0, "trashed": 0, "outlived": 0, "cleaned_up": 0, "promoted": 0, "namespace": "*"});
    assert_eq!(client.ok("memory_sweep", json!({})).await, told, "nothing is over yet");
    world.pass(Duration::from_secs(60));
    let swept = client.ok("memory_sweep", json!({})).await;
    assert_eq!((&swept["expired"], &swept["promoted"]), (&json!(1), &json!(1)), "{swept}");
    let episodes = client.ok("memory_list", json!({"layers": ["episodic"]})).await;
    assert_eq!(each(&episodes, "content"), ["빨간 상자는 다락에 있다"]);
    assert_eq!(client.ok("memory_sweep", json!({})).await, told, "once more changes nothing");
    let why = client.refused("memory_sweep", json!({"namespace": "default"})).await;
    assert!(why.contains("everything"), "{why}");
}
