//! Working memory: values under keys, each in its session, and gone when their time is over.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Client, World, each, id, of_their_own};

/// What is held under a key, if anything is.
async fn held(client: &Client, key: &str, session: Option<&str>) -> Option<Value> {
    let mut asked = json!({ "key": key });
    if let Some(session) = session {
        asked["session"] = json!(session);
    }
    let got = client.ok("work_get", asked).await;
    got.get("item").map(|item| item["value"].clone())
}

/// The keys of what is held, the latest first.
fn keys(listed: &Value) -> Vec<&str> {
    listed["items"].as_array().unwrap().iter().map(|item| item["key"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_gives_back_whatever_json_it_was_given() {
    let world = World::whole();
    let client = world.client().await;
    for value in [
        json!("회의는 금요일 세 시"),
        json!("  "),
        json!(""),
        json!(0),
        json!(-1.5),
        json!(9_007_199_254_740_993_i64),
        json!(false),
        json!([]),
        json!({}),
        json!({"받는 사람": ["김민수", null], "草稿": {"第一": {"行": 1.25, "是": true}}}),
        json!([[[]], "null", null, {"": ""}]),
    ] {
        world.tick();
        let set = client.ok("work_set", json!({"key": "초안", "value": value})).await;
        assert_eq!(set["value"], value);
        assert_eq!(held(&client, "초안", None).await, Some(value));
        assert_eq!(
            keys(&client.ok("work_list", json!({})).await),
            ["초안"],
            "the key's former value is gone"
        );
    }
    let again = client.ok("work_set", json!({"key": "초안", "value": "끝"})).await;
    assert_eq!(again["replaced"], true, "{again}");
    assert_eq!(client.ok("work_clear", json!({"key": "초안"})).await["cleared"], 1);
    assert_eq!(held(&client, "초안", None).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_expired_is_seen_by_no_tool() {
    let world = World::whole();
    let client = world.client().await;
    let value =
        json!({"key": "plan", "value": "Ask 민수 for the ladder", "session": "s1", "ttl_seconds": 60});
    let plan = id(&client.ok("work_set", value).await);
    client
        .ok("work_set", json!({"key": "kept", "value": "Mind the step", "session": "s1", "ttl_seconds": 0}))
        .await;
    world.pass(Duration::from_millis(59_999));
    assert_eq!(held(&client, "plan", Some("s1")).await, Some(json!("Ask 민수 for the ladder")));
    let seen = [
        ("memory_recall", json!({"query": "민수 ladder"})),
        ("memory_list", json!({"layers": ["working"]})),
        ("memory_list", json!({})),
        ("memory_export", json!({})),
    ];
    for (tool, arguments) in &seen {
        let answer = client.ok(tool, arguments.clone()).await;
        assert!(each(&answer, "id").contains(&plan), "{tool}: {answer}");
    }
    client.ok("memory_get", json!({"id": plan})).await;

    world.pass(Duration::from_millis(1));
    assert_eq!(held(&client, "plan", Some("s1")).await, None);
    let listed = client.ok("work_list", json!({"session": "s1"})).await;
    assert_eq!(keys(&listed), ["kept"], "{listed}");
    let trash = ("memory_list", json!({"forgotten": true}));
    let swept = ("memory_sweep", json!({}));
    for round in ["before the sweep", "after it"] {
        for (tool, arguments) in seen.iter().chain([&trash]) {
            let answer = client.ok(tool, arguments.clone()).await;
            assert!(!each(&answer, "id").contains(&plan), "{round}: {tool}: {answer}");
        }
        for tool in
            ["memory_get", "memory_history", "memory_restore", "memory_forget", "memory_undo_promotion"]
        {
            let why = client.refused(tool, json!({"id": plan})).await;
            assert!(why.contains(&plan) && !why.contains("ladder"), "{round}: {tool}: {why}");
        }
        for (tool, arguments) in [
            ("memory_revise", json!({"id": plan, "pinned": true})),
            ("memory_revise", json!({"id": plan, "expires_at": "none"})),
            ("memory_promote", json!({"ids": [plan]})),
        ] {
            let why = client.refused(tool, arguments).await;
            assert!(why.contains(&plan) && !why.contains("ladder"), "{round}: {tool}: {why}");
        }
        client.ok(swept.0, swept.1.clone()).await;
    }
    assert_eq!(held(&client, "kept", Some("s1")).await, Some(json!("Mind the step")), "0 means no end");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_time_a_value_stays_for_as_long_as_is_configured() {
    let world = World::whole();
    let client = world.client().await;
    let usual = world.engine.get().await.unwrap().options().layers.working.time_to_live;
    client.ok("work_set", json!({"key": "plan", "value": "Paint the door"})).await;
    world.pass(usual - Duration::from_millis(1));
    assert!(held(&client, "plan", None).await.is_some());
    world.pass(Duration::from_millis(1));
    assert_eq!(held(&client, "plan", None).await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_working_memory_tells_what_left_and_what_it_became() {
    let world = World::whole();
    let client = world.client().await;
    let capacity = world.engine.get().await.unwrap().options().layers.working.capacity;
    for number in 0..capacity {
        let importance = if number == 1 { 0.9 } else { 0.1 };
        let value = format!("Shelf {number} holds the {} book", number * 7);
        client
            .ok("work_set", json!({"key": format!("k{number}"), "value": value, "importance": importance}))
            .await;
        world.tick();
    }
    held(&client, "k0", None).await.unwrap();
    world.tick();
    let evicting = json!({"key": "one more", "value": "The lamp is green", "importance": 0.1});
    let set = client.ok("work_set", evicting).await;
    assert_eq!(set["evicted"], json!(["k1"]), "what was read lately stays: {set}");
    let episode = client.ok("memory_get", json!({"id": set["promoted"][0]})).await;
    assert_eq!(episode["content"], "Shelf 1 holds the 7 book");
    assert_eq!(keys(&client.ok("work_list", json!({})).await).len(), capacity);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_namespaces_hold_their_own() {
    let client = World::whole().client().await;
    let places =
        [json!({}), json!({"session": "회의"}), json!({"session": "s2"}), json!({"namespace": "팀/김민수"})];
    for (number, place) in places.iter().enumerate() {
        let mut value = json!({"key": "draft", "value": number});
        value.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        client.ok("work_set", value).await;
    }
    for (number, place) in places.iter().enumerate() {
        let listed = client.ok("work_list", place.clone()).await;
        assert_eq!((keys(&listed), &listed["items"][0]["value"]), (vec!["draft"], &json!(number)), "{place}");
    }
    let here = client.ok("work_list", json!({})).await;
    assert_eq!(here["sessions"], json!(["s2", "회의"]), "{here}");
    assert_eq!(client.ok("work_clear", json!({"all": true, "session": "s2"})).await["cleared"], 1);
    assert_eq!(held(&client, "draft", Some("s2")).await, None);
    assert_eq!(held(&client, "draft", Some("회의")).await, Some(json!(1)));
    assert_eq!(held(&client, "draft", None).await, Some(json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_held_is_refused_by_name_and_changes_nothing() {
    let client = World::whole().client().await;
    client.ok("work_set", json!({"key": "draft", "value": "Dear 민수"})).await;
    for (tool, arguments, named) in [
        ("work_set", json!({"key": "draft", "value": null}), "value"),
        ("work_set", json!({"key": " ", "value": "x"}), "key"),
        ("work_set", json!({"key": "a\u{0}b", "value": "x"}), "key"),
        ("work_set", json!({"key": "draft", "value": "x", "importance": 1.5}), "`importance`"),
        ("work_set", json!({"key": "draft", "value": "x", "ttl_seconds": -1}), "`ttl_seconds`"),
        ("work_set", json!({"key": "draft", "value": "x", "session": ""}), "session"),
        ("work_set", json!({"key": "draft", "value": "x", "namespace": "*"}), "`namespace`"),
        ("work_get", json!({"key": "draft", "namespace": "team/*"}), "`namespace`"),
        ("work_list", json!({"namespace": "*"}), "`namespace`"),
        ("work_clear", json!({}), "`key`"),
        ("work_clear", json!({"key": "draft", "all": true}), "`key`"),
        ("work_clear", json!({"all": true, "namespace": "*"}), "`namespace`"),
    ] {
        let why = client.refused(tool, arguments.clone()).await;
        assert!(why.contains(named), "{tool} {arguments}: {why}");
    }
    assert_eq!(held(&client, "draft", None).await, Some(json!("Dear 민수")));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_carries_keys_circumstances_and_structure() {
    let world = World::whole();
    let client = world.client().await;
    client.ok("work_set", json!({"key": "초안", "value": {"to": "민수"}, "session": "s1"})).await;
    world.tick();
    let told = json!({"content": "We met", "context": ["social.with=민수", "spatial.place=office"], "data": {"n": 1}});
    let told = id(&client.ok("memory_store", told).await);
    world.tick();
    let page = client.ok("memory_export", json!({})).await["memories"].clone();
    assert_eq!((&page[0]["key"], &page[0]["data"]), (&json!("초안"), &json!({"to": "민수"})), "{page}");
    assert_eq!(page[1]["context"], json!(["spatial.place=office", "social.with=민수"]), "{page}");
    assert_eq!((&page[1]["id"], &page[1]["data"]), (&json!(told), &json!({"n": 1})));
    let home = client.ok("memory_import", json!({"memories": page})).await;
    assert_eq!((&home["stored"], &home["merged"]), (&json!(0), &json!(2)), "{home}");
    for stored in [2, 0] {
        let there = client.ok("memory_import", json!({"memories": page, "namespace": "copy"})).await;
        assert_eq!(there["stored"], stored, "{there}");
    }
    let copied = client.ok("memory_export", json!({"namespace": "copy"})).await["memories"].clone();
    assert_eq!(of_their_own(&copied), page);
    let got = client.ok("work_get", json!({"key": "초안", "session": "s1", "namespace": "copy"})).await;
    assert_eq!(got["item"]["value"], json!({"to": "민수"}), "{got}");
}

#[tokio::test(flavor = "multi_thread")]
async fn circumstances_narrow_what_is_recalled_and_listed_and_can_be_changed() {
    let client = World::whole().client().await;
    let store = |content: &str, place: &str| json!({"content": content, "context": [format!("spatial.place={place}")]});
    let office = id(&client.ok("memory_store", store("민수가 계약서에 서명했다", "사무실")).await);
    let home = id(&client.ok("memory_store", store("민수가 화분에 물을 주었다", "집")).await);
    for (tool, mut asked) in [("memory_recall", json!({"query": "민수"})), ("memory_list", json!({}))] {
        asked["context"] = json!(["spatial.place=사무실"]);
        assert_eq!(each(&client.ok(tool, asked.clone()).await, "id"), [office.as_str()], "{tool}");
        asked["context"] = json!(["spatial.place=사무실", "social.with=지우"]);
        assert!(each(&client.ok(tool, asked.clone()).await, "id").is_empty(), "{tool}: all of them");
        asked["context"] = json!(["사무실"]);
        assert!(client.refused(tool, asked).await.contains("`context`"), "{tool}");
    }
    client.ok("memory_revise", json!({"id": home, "context": ["spatial.place=사무실"]})).await;
    let listed =
        client.ok("memory_list", json!({"context": ["spatial.place=사무실"], "oldest_first": true})).await;
    assert_eq!(each(&listed, "id"), [office, home]);
}
