//! What the tools do, each at least once, with answers of the shape that they promise.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Client, World, each, id, of_their_own, text};

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_answers_in_the_shape_it_promises() {
    let world = World::whole();
    let client = world.client().await;
    let (tea, cup, gone) = (
        client.keep("Ana prefers tea over coffee").await,
        client.keep("The blue cup stands on the upper shelf").await,
        client.keep("The ladder is in the garage").await,
    );
    client.ok("memory_forget", json!({"id": gone})).await;
    let entity = json!({"name": "Ana", "entityType": "person", "observations": ["likes tea"]});
    let relation = json!({"from": "Ana", "to": "Ana", "relationType": "knows"});
    let calls = vec![
        ("memory_store", json!({"content": "The kettle is blue"})),
        ("memory_recall", json!({"query": "tea", "namespace": "*"})),
        ("memory_get", json!({"id": tea})),
        ("memory_stats", json!({})),
        ("memory_export", json!({})),
        ("memory_import", json!({"memories": [{"content": "The lamp is green"}]})),
        ("session_start", json!({"session": "one"})),
        ("session_end", json!({"session": "one"})),
        ("memory_health", json!({})),
        ("memory_revise", json!({"id": tea, "importance": 0.9})),
        ("memory_list", json!({"zones": ["core", "inner", "outer", "belt", "cloud"]})),
        ("memory_history", json!({"id": tea})),
        ("memory_restore", json!({"id": gone})),
        ("graph_link", json!({"from": tea, "to": cup})),
        ("graph_walk", json!({"id": tea})),
        ("graph_path", json!({"from": cup, "to": tea})),
        ("graph_rank", json!({})),
        ("graph_communities", json!({})),
        ("graph_unlink", json!({"from": tea, "to": cup})),
        ("memory_feedback", json!({"query": "tea", "used": [tea], "unused": [cup]})),
        ("memory_weights", json!({})),
        ("memory_weights_rollback", json!({"number": 0})),
        (
            "trajectory_record",
            json!({
                "task": "로그인 시험을 고친다", "outcome": "success", "agent": "tester", "session": "one",
                "steps": [{"input": "Bash: cargo test", "output": "ok", "duration_ms": 9}],
            }),
        ),
        ("pattern_store", json!({"strategy": "Run `cargo test` before every commit", "agent": "tester"})),
        ("pattern_search", json!({"query": "commit", "limit": 3})),
        ("task_route", json!({"task": "write tests for the login"})),
        ("learning_stats", json!({})),
        ("workers_status", json!({"limit": 5})),
        ("create_entities", json!({"entities": [entity]})),
        ("create_relations", json!({"relations": [relation]})),
        ("add_observations", json!({"observations": [{"entityName": "Ana", "contents": ["is tall"]}]})),
        ("read_graph", json!({})),
        ("search_nodes", json!({"query": "ana"})),
        ("open_nodes", json!({"names": ["Ana"]})),
        ("delete_observations", json!({"deletions": [{"entityName": "Ana", "observations": ["is tall"]}]})),
        ("delete_relations", json!({"relations": [relation]})),
        ("delete_entities", json!({"entityNames": ["Ana"]})),
        ("memory_forget", json!({"id": gone})),
        ("memory_purge", json!({"ids": [gone]})),
        ("work_set", json!({"key": "draft", "value": {"to": "Ana"}, "session": "one", "ttl_seconds": 60})),
        ("work_set", json!({"key": "draft", "value": "Dear Ana", "ttl_seconds": 0})),
        ("work_get", json!({"key": "draft"})),
        ("work_list", json!({"session": "one"})),
        ("work_clear", json!({"all": true})),
        (
            "journal_append",
            json!({"text": "배포가 끝났다", "actor": "Ana", "session": "one", "remember": true}),
        ),
        ("journal_recent", json!({"session": "one"})),
        ("journal_search", json!({"text": "배포", "status": "ok"})),
        ("journal_trace", json!({"id": tea})),
        (
            "notes_hear",
            json!({
                "session": "one",
                "user": "Ana",
                "messages": [{"role": "user", "text": "녹차를 마시기로 결정했어.", "at": "2026-11-15"}],
                "observe": "now",
            }),
        ),
        ("notes_get", json!({"session": "one"})),
        ("notes_get", json!({})),
        ("context_get", json!({"session": "one", "query": "tea", "max_tokens": 500})),
        ("context_take", json!({"session": "two", "query": "tea"})),
        ("turn_begin", json!({"session": "one", "plan": ["look", "answer"]})),
        ("memory_sweep", json!({})),
        ("memory_reorbit", json!({})),
        ("memory_maintain", json!({})),
        ("memory_events", json!({"limit": 200})),
        ("namespace_list", json!({})),
        ("namespace_move", json!({"from": "default", "to": "elsewhere"})),
        ("namespace_delete", json!({"name": "elsewhere"})),
    ];
    let mut called: BTreeSet<String> = BTreeSet::new();
    for (tool, arguments) in chained(&client).await {
        client.ok(tool, arguments).await;
        called.insert(tool.to_owned());
    }
    for (tool, arguments) in calls {
        client.ok(tool, arguments).await;
        called.insert(tool.to_owned());
    }
    let offered: BTreeSet<String> = client.tools().map(|tool| tool.name.to_string()).collect();
    assert_eq!(called, offered);
}

/// The calls that take what another call has made.
async fn chained(client: &Client) -> [(&'static str, Value); 5] {
    client.keep("The staging server is called Ganymede").await;
    let merged = client.ok("memory_store", json!({"content": "The staging server's name is Ganymede"})).await;
    let history = client.ok("memory_history", json!({"id": id(&merged)})).await;
    let held = |key: &str| json!({"key": key, "value": format!("The plan for {key} is ready")});
    let draft = id(&client.ok("work_set", held("Monday")).await);
    let other = id(&client.ok("work_set", held("Tuesday")).await);
    let promoted = id(&client.ok("memory_promote", json!({"ids": [other]})).await);
    let turn = id(&client.ok("turn_begin", json!({})).await);
    [
        ("memory_split", json!({"id": history["merges"][0]["absorbed"]})),
        ("memory_promote", json!({"ids": [draft], "to": "long_term"})),
        ("memory_undo_promotion", json!({"id": promoted})),
        ("turn_finish", json!({"id": turn, "output": "끝", "tool_calls": [{"tool": "search"}]})),
        ("turn_get", json!({"id": turn})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_merged_can_be_split_off_again() {
    let client = World::whole().client().await;
    client.keep("The staging server is called Ganymede").await;
    let second = client.ok("memory_store", json!({"content": "The staging server's name is Ganymede"})).await;
    assert_eq!(second["outcome"], "merged", "{second}");
    let history = client.ok("memory_history", json!({"id": id(&second)})).await;
    let absorbed = history["merges"][0]["absorbed"].clone();
    let split = client.ok("memory_split", json!({"id": absorbed})).await;
    assert_eq!((split["id"].clone(), split["from"].clone()), (absorbed.clone(), second["id"].clone()));
    let why = client.refused("memory_split", json!({"id": absorbed})).await;
    assert!(why.contains("merge"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_changes_what_is_given_and_keeps_what_was_said_before() {
    let client = World::whole().client().await;
    let one = client.keep("The meeting is on Thursday").await;
    let change = json!({
        "id": one, "content": "The meeting is on Friday", "kind": "decision", "tags": ["plans"], "pinned": true,
        "valid_until": "2026-12-31", "expected_version": 1,
    });
    let revised = client.ok("memory_revise", change.clone()).await;
    assert_eq!((&revised["version"], &revised["pinned"]), (&json!(2), &json!(true)));
    assert_eq!(revised["content"], "The meeting is on Friday");
    let why = client.refused("memory_revise", change).await;
    assert!(why.contains("version"), "{why}");
    let history = client.ok("memory_history", json!({"id": one})).await;
    assert_eq!(history["versions"][0]["content"], "The meeting is on Thursday");
    client.ok("memory_revise", json!({"id": one, "valid_until": "none", "tags": []})).await;
    let got = client.ok("memory_get", json!({"id": one})).await;
    assert_eq!(got.get("tags"), None, "{got}");

    for (change, expected) in [
        (json!({}), "nothing to change"),
        (json!({"expected_version": 3}), "nothing to change"),
        (json!({"superseded_by": one}), "its own place"),
        (json!({"valid_from": "2026-12-01", "valid_until": "2026-11-01"}), "valid_until"),
        (json!({"expires_at": "soon"}), "expires_at"),
    ] {
        let mut change = change;
        change["id"] = json!(one);
        let why = client.refused("memory_revise", change).await;
        assert!(why.contains(expected), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_a_place_is_recalled_in_its_stead_until_it_is_taken_back() {
    let client = World::whole().client().await;
    let (old, new) =
        (client.keep("The gate code is 1111").await, client.keep("Ask Bo for the gate code").await);
    client.ok("memory_revise", json!({"id": old, "superseded_by": new})).await;
    let history = client.ok("memory_history", json!({"id": old})).await;
    assert_eq!(history["replaced_by"][0]["id"], json!(new));
    client.ok("memory_revise", json!({"id": old, "superseded_by": "none"})).await;
    let history = client.ok("memory_history", json!({"id": old})).await;
    assert_eq!(history["replaced_by"], json!([]));
    client.ok("memory_forget", json!({"id": new})).await;
    let why = client.refused("memory_revise", json!({"id": old, "superseded_by": new})).await;
    assert!(why.contains("forgotten"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_holds_what_fits_and_the_trash_only_what_was_forgotten() {
    let client = World::whole().client().await;
    let note = json!({"content": "Water the ferns", "kind": "procedure", "tags": ["home", "plants"], "pinned": true});
    let fern = id(&client.ok("memory_store", note).await);
    let said = json!({"content": "We met in Ulm", "session": "s1", "speaker": "Bo", "at": "2026-11-01"});
    let ulm = id(&client.ok("memory_store", said).await);
    for (conditions, expected) in [
        (json!({}), vec![&ulm, &fern]),
        (json!({"oldest_first": true}), vec![&fern, &ulm]),
        (json!({"kinds": ["procedure"]}), vec![&fern]),
        (json!({"tags": ["plants", "home"]}), vec![&fern]),
        (json!({"tags": ["plants", "work"]}), vec![]),
        (json!({"session": "s1"}), vec![&ulm]),
        (json!({"speaker": "Bo"}), vec![&ulm]),
        (json!({"pinned": true}), vec![&fern]),
        (json!({"since": "2026-11-02"}), vec![&fern]),
        (json!({"until": "2026-11-01"}), vec![&ulm]),
        (json!({"forgotten": true}), vec![]),
        (json!({"namespace": "elsewhere"}), vec![]),
    ] {
        let listed = client.ok("memory_list", conditions.clone()).await;
        assert_eq!(each(&listed, "id").iter().collect::<Vec<_>>(), expected, "{conditions}");
    }
    client.ok("memory_forget", json!({"id": ulm})).await;
    let trash = client.ok("memory_list", json!({"forgotten": true})).await;
    assert_eq!(each(&trash, "id"), [ulm.as_str()]);
    let restored = client.ok("memory_restore", json!({"id": ulm})).await;
    assert_eq!(restored, client.ok("memory_restore", json!({"id": ulm})).await, "once more changes nothing");
    assert!(each(&client.ok("memory_list", json!({"forgotten": true})).await, "id").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_walked_in_their_direction_and_lead_from_one_to_the_other() {
    let client = World::whole().client().await;
    let mut ids = Vec::new();
    for content in ["Ferns need shade", "The bakery opens at seven", "Chess club meets on Mondays"] {
        ids.push(client.keep(content).await);
    }
    let link =
        |from: usize, to: usize| json!({"from": ids[from], "to": ids[to], "type": "sequence", "weight": 0.5});
    client.ok("graph_link", link(0, 1)).await;
    client.ok("graph_link", link(1, 2)).await;
    for (direction, depth, expected) in
        [("out", 1, vec![1]), ("out", 2, vec![1, 2]), ("in", 2, vec![]), ("both", 1, vec![1])]
    {
        let asked = json!({"id": ids[0], "direction": direction, "depth": depth, "types": ["sequence"]});
        let reached = each(&client.ok("graph_walk", asked).await, "id");
        let expected: Vec<&String> = expected.into_iter().map(|at: usize| &ids[at]).collect();
        assert_eq!(reached.iter().collect::<Vec<_>>(), expected, "{direction} {depth}");
    }
    let path = client.ok("graph_path", json!({"from": ids[2], "to": ids[0]})).await;
    assert_eq!((path["found"].clone(), each(&path, "id").len()), (json!(true), 3));
    assert_eq!(path["links"].as_array().unwrap().len(), 2);
    let ranked = client.ok("graph_rank", json!({"limit": 1})).await;
    assert_eq!(each(&ranked, "id"), [ids[2].clone()], "everything leads there");
    assert_eq!(client.ok("graph_communities", json!({})).await["groups"][0]["size"], 3);
    let taken = client.ok("graph_unlink", json!({"from": ids[1], "to": ids[2]})).await;
    assert_eq!(taken["unlinked"], 1);
    let path = client.ok("graph_path", json!({"from": ids[2], "to": ids[0]})).await;
    assert_eq!(path["found"], false);
    for weight in [json!(0), json!(-0.5), json!(1.01)] {
        let why = client.refused("graph_link", json!({"from": ids[0], "to": ids[1], "weight": weight})).await;
        assert!(why.contains("`weight`"), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn feedback_names_results_of_one_namespace_that_were_either_of_use_or_not() {
    let client = World::whole().client().await;
    let here = client.keep("Ana prefers tea over coffee").await;
    let there = json!({"content": "Bo prefers coffee over tea", "namespace": "other"});
    let there = id(&client.ok("memory_store", there).await);
    for (judged, expected) in [
        (json!({}), "at least one"),
        (json!({"used": [here], "unused": [here]}), "of use and not"),
        (json!({"used": [here, there], "namespace": "*"}), "each by itself"),
        (json!({"used": [there]}), there.as_str()),
    ] {
        let mut judged = judged;
        judged["query"] = json!("what do they drink?");
        let why = client.refused("memory_feedback", judged).await;
        assert!(why.contains(expected), "{why}");
    }
    let weights = client.ok("memory_weights", json!({})).await;
    assert_eq!((&weights["holds"], weights["sets"].as_array().unwrap().len()), (&json!(0), 1));
    assert!(client.refused("memory_weights_rollback", json!({"number": 7})).await.contains('7'));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_destroyed_was_forgotten_before_or_named_twice() {
    let client = World::whole().client().await;
    let (one, two) = (client.keep("The attic is dry").await, client.keep("The cellar has a window").await);
    let why = client.refused("memory_purge", json!({"ids": [one]})).await;
    assert!(why.contains("trash"), "{why}");
    client.ok("memory_forget", json!({"id": one})).await;
    let why = client.refused("memory_purge", json!({"ids": [one, two]})).await;
    assert!(why.contains("trash"), "{why}");
    client.ok("memory_get", json!({"id": one})).await;
    for bad in [json!({}), json!({"ids": [one], "all": true}), json!({"ids": [one], "before": "2026-01-01"})]
    {
        client.refused("memory_purge", bad).await;
    }
    let before = json!({"all": true, "before": "2026-01-01"});
    assert_eq!(client.ok("memory_purge", before).await["purged"], 0);
    assert_eq!(client.ok("memory_purge", json!({"all": true})).await["purged"], 1);
    client.refused("memory_get", json!({"id": one})).await;

    let purge = json!({"name": "default", "purge": true});
    assert!(client.refused("namespace_delete", purge).await.contains("`confirm`"));
    let other = json!({"name": "default", "purge": true, "confirm": "other"});
    assert!(client.refused("namespace_delete", other).await.contains("`confirm`"));
    client.ok("memory_get", json!({"id": two})).await;
    let meant = json!({"name": "default", "purge": true, "confirm": "default"});
    assert_eq!(client.ok("namespace_delete", meant).await["memories"], 1);
    let why = client.refused("namespace_delete", json!({"name": "defualt"})).await;
    assert!(why.contains("defualt"), "a slip is told: {why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_comes_home_makes_no_copies_and_is_whole_elsewhere() {
    let world = World::whole();
    let client = world.client().await;
    let old = client.keep("The gate code is 1111").await;
    world.tick();
    let new = client.keep("Ask Bo for the way in").await;
    let dated =
        json!({"content": "The roof was mended", "at": "2025-05-01", "tags": ["house"], "importance": 0.8});
    let dated = id(&client.ok("memory_store", dated).await);
    client.ok("memory_revise", json!({"id": dated, "aliases": ["roofing"], "pinned": true})).await;
    let entity = json!({"name": "Ana", "entityType": "person", "observations": ["likes tea"]});
    client.ok("create_entities", json!({"entities": [entity]})).await;
    world.tick();
    client.ok("memory_revise", json!({"id": old, "superseded_by": new})).await;
    world.tick();

    let page = client.ok("memory_export", json!({})).await["memories"].clone();
    let count = page.as_array().unwrap().len();
    let home = client.ok("memory_import", json!({"memories": page})).await;
    assert_eq!((&home["stored"], &home["merged"]), (&json!(0), &json!(count)), "{home}");
    let mut ids = Vec::new();
    for round in 0..2 {
        let there = client.ok("memory_import", json!({"memories": page, "namespace": "copy"})).await;
        assert_eq!(there["stored"], json!(if round == 0 { count } else { 0 }), "round {round}");
        ids.push(there["ids"].clone());
    }
    assert_eq!(ids[0], ids[1], "what came once is known");
    let copied = client.ok("memory_export", json!({"namespace": "copy"})).await["memories"].clone();
    assert_eq!(of_their_own(&copied), page);
    let graph = client.ok("read_graph", json!({"namespace": "copy"})).await;
    assert_eq!(graph["entities"], json!([entity]));
    let found = client.ok("memory_recall", json!({"query": "gate code", "namespace": "copy"})).await;
    assert!(!each(&found, "id").contains(&old), "what was replaced does not hold elsewhere: {found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_stores_all_or_nothing() {
    let client = World::whole().client().await;
    let memories = json!([{"content": "The attic is dry"}, {"content": "   "}]);
    let why = client.refused("memory_import", json!({"memories": memories})).await;
    assert!(why.contains("content"), "{why}");
    let memories = json!([{"content": "The attic is dry"}, {"content": "x", "colour": "red"}]);
    let why = client.refused("memory_import", json!({"memories": memories})).await;
    assert!(why.contains("memories[1]") && why.contains("colour"), "{why}");
    assert_eq!(client.ok("memory_stats", json!({})).await["memories"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_taken_out_and_counted() {
    let client = World::whole().client().await;
    let secret = "The token is ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let result = client.call("memory_store", json!({"content": secret})).await;
    assert_eq!(result.structured_content.as_ref().unwrap()["redacted"], 1, "{}", text(&result));
    let listed: Value = client.ok("memory_list", json!({})).await;
    assert!(!listed.to_string().contains("ghp_"), "{listed}");
}
