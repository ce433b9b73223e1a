//! Input that is wrong in every way that a schema can tell of: each is refused, by name, and nothing changes.

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use crate::support::{Client, World, each};

/// A well-formed id that no memory has.
const NOBODY: &str = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";

/// A value that a schema lets through, as plain as possible.
fn sample(schema: &Value) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match schema["type"].as_str().or(schema["type"][0].as_str()) {
        Some("string") => json!(NOBODY),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") if schema.get("minItems").is_some() => json!([sample(&schema["items"])]),
        Some("array") => json!([]),
        _ => Value::Object(required(schema)),
    }
}

/// The arguments that must be given.
fn required(schema: &Value) -> Map<String, Value> {
    let names = schema["required"].as_array().cloned().unwrap_or_default();
    let names = names.iter().filter_map(Value::as_str);
    names.map(|name| (name.to_owned(), sample(&schema["properties"][name]))).collect()
}

/// Values that a schema does not let through.
fn wrong(schema: &Value) -> Vec<Value> {
    let Some(types) = schema.get("type") else {
        // Nothing is wrong; that everything is taken indeed is tried by itself.
        return Vec::new();
    };
    let mut wrong = match types.as_array() {
        None => vec![json!({ "odd": 1 })],
        Some(types) => {
            vec![one_of_each().into_iter().find(|one| !types.contains(&json!(type_of(one)))).unwrap()]
        }
    };
    if let Some(least) = schema["minimum"].as_i64() {
        wrong.push(json!(least - 1));
    }
    if let Some(most) = schema["maximum"].as_i64() {
        wrong.push(json!(most + 1));
    }
    if schema["type"] == "integer" {
        wrong.extend([json!(1.5), json!("1"), json!(-1)]);
    }
    if schema["minLength"].as_u64() == Some(1) {
        wrong.push(json!(""));
    }
    if let Some(most) = schema["maxLength"].as_u64() {
        wrong.push(json!("x".repeat(most as usize + 1)));
    }
    if schema["minItems"].as_u64() == Some(1) {
        wrong.push(json!([]));
    }
    if let Some(most) = schema["maxItems"].as_u64() {
        wrong.push(Value::Array(vec![sample(&schema["items"]); most as usize + 1]));
    }
    if schema.get("enum").is_some() {
        wrong.push(json!("unheard_of"));
    }
    if schema["type"] == "array" {
        wrong.push(json!("one"));
        // Where nothing is said of the items they may be anything.
        if schema.get("items").is_some_and(|items| *items != json!({}) && *items != json!(true)) {
            wrong.push(json!([{ "odd": 1 }]));
        }
    }
    wrong
}

/// A value of each type.
fn one_of_each() -> Vec<Value> {
    vec![
        json!("녹차"),
        json!(1.5),
        json!(true),
        json!({"茶": [1, null]}),
        json!([{"a": "b"}, 2]),
        Value::Null,
    ]
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn input(tool: &Tool) -> Value {
    Value::Object(tool.input_schema.as_ref().clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_refuses_unknown_arguments_by_name() {
    let client = World::whole().client().await;
    for tool in client.tools() {
        let mut arguments = required(&input(tool));
        arguments.insert("unheard_of".to_owned(), json!(1));
        let why = client.refused(&tool.name, Value::Object(arguments)).await;
        assert!(why.contains("unheard_of"), "{}: {why}", tool.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_names_the_argument_that_is_missing() {
    let client = World::whole().client().await;
    for tool in client.tools() {
        let arguments = required(&input(tool));
        for name in arguments.keys() {
            let mut fewer = arguments.clone();
            fewer.remove(name);
            let why = client.refused(&tool.name, Value::Object(fewer)).await;
            assert!(why.contains(name.as_str()), "{} without {name}: {why}", tool.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_bound_and_type_in_a_schema_is_kept_to_by_the_tool() {
    let client = World::whole().client().await;
    let real = client.keep("The kettle is blue").await;
    let before = client.ok("memory_stats", json!({"namespace": "*"})).await;
    for tool in client.tools() {
        let schema = input(tool);
        let mut least = required(&schema);
        match tool.name.as_ref() {
            // It needs words or a structure, which a list of what is required cannot tell.
            "memory_store" => least.insert("content".to_owned(), json!("The cup is red")),
            // Whether there is something to change is looked at before what it is to become.
            "memory_revise" => least.insert("id".to_owned(), json!(real)),
            _ => None,
        };
        for (name, property) in schema["properties"].as_object().unwrap() {
            for value in wrong(property) {
                check_refused(&client, tool, least.clone(), (name, value)).await;
            }
        }
    }
    assert_eq!(client.ok("memory_stats", json!({"namespace": "*"})).await, before, "something was changed");
    assert_eq!(client.ok("memory_get", json!({"id": real})).await["version"], 1);
}

async fn check_refused(
    client: &Client,
    tool: &Tool,
    mut arguments: Map<String, Value>,
    (name, value): (&str, Value),
) {
    let shown: String = value.to_string().chars().take(60).collect();
    arguments.insert(name.to_owned(), value);
    let result = client.call(&tool.name, Value::Object(arguments)).await;
    let why = crate::support::text(&result);
    assert_eq!(result.is_error, Some(true), "{}: {name} = {shown} is taken: {why}", tool.name);
    assert!(why.contains(name), "{}: {name} = {shown} is refused without naming it: {why}", tool.name);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_type_in_a_schema_takes_any_json_and_gives_it_back() {
    let client = World::whole().client().await;
    let mut free = Vec::new();
    for tool in client.tools() {
        let schema = input(tool);
        let properties = schema["properties"].as_object().unwrap().iter();
        let untyped = properties.filter(|(_, property)| property.get("type").is_none());
        free.extend(untyped.map(|(name, _)| format!("{} {name}", tool.name)));
    }
    let tried = [
        "journal_append body",
        "memory_revise data",
        "memory_store data",
        "turn_begin plan",
        "turn_finish plan",
    ];
    assert_eq!(free, tried, "each is tried here");
    let revised = client.keep("The kettle is blue").await;
    for value in one_of_each() {
        let stored =
            client.ok("memory_store", json!({"content": format!("It is {value}"), "data": value})).await;
        client.ok("memory_revise", json!({"id": revised, "data": value})).await;
        for id in [&stored["id"], &json!(revised)] {
            let got = client.ok("memory_get", json!({"id": id})).await;
            // A structure of null is none.
            assert_eq!(got.get("data").cloned().unwrap_or_default(), value, "{got}");
        }
        client.ok("journal_append", json!({"text": format!("It is {value}"), "body": value})).await;
        let recent = client.ok("journal_recent", json!({"limit": 1})).await;
        assert_eq!(recent["events"][0].get("body").cloned().unwrap_or_default(), value, "{recent}");
        for (begun, finished) in [(&value, &Value::Null), (&Value::Null, &value)] {
            let turn = client.ok("turn_begin", json!({"plan": begun})).await["id"].clone();
            client.ok("turn_finish", json!({"id": turn, "plan": finished})).await;
            let got = client.ok("turn_get", json!({"id": turn})).await;
            assert_eq!(got.get("plan").cloned().unwrap_or_default(), value, "{got}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_needs_words_or_a_structure_that_gives_them() {
    let client = World::whole().client().await;
    for (nothing, named) in [
        (json!({}), "content"),
        (json!({"content": " "}), "content"),
        (json!({"content": "", "data": null}), "content"),
        (json!({"kind": "procedure", "data": {"skill": "tea", "steps": "pour"}}), "steps"),
        (
            json!({"kind": "procedure", "data": {"skill": "tea", "steps": ["pour"], "success_rate": 2}}),
            "success_rate",
        ),
        (json!({"content": "x", "context": ["office"]}), "`context`"),
        (json!({"content": "x", "context": ["weather.sky=blue"]}), "`context`"),
    ] {
        let why = client.refused("memory_store", nothing).await;
        assert!(why.contains(named), "{named}: {why}");
    }
    assert_eq!(client.ok("memory_stats", json!({})).await["memories"], 0);
    let steps = json!({"skill": "차 끓이기", "steps": ["물을 끓인다", "찻잎을 넣는다"], "conditions": [], "success_rate": 0.5});
    let stored = client.ok("memory_store", json!({"kind": "procedure", "data": steps})).await;
    let got = client.ok("memory_get", json!({"id": stored["id"]})).await;
    assert_eq!(got["data"], steps);
    assert!(got["content"].as_str().unwrap().contains("물을 끓인다"), "{got}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_that_are_none_and_ids_of_nobody_are_told_apart() {
    let client = World::whole().client().await;
    let real = client.keep("The kettle is blue").await;
    let cases = [
        ("memory_get", "id", json!({})),
        ("memory_forget", "id", json!({})),
        ("memory_revise", "id", json!({"content": "The kettle is red"})),
        ("memory_revise", "superseded_by", json!({"id": real})),
        ("memory_restore", "id", json!({})),
        ("memory_history", "id", json!({})),
        ("memory_split", "id", json!({})),
        ("memory_promote", "ids", json!({})),
        ("memory_undo_promotion", "id", json!({})),
        ("graph_link", "from", json!({"to": real})),
        ("graph_link", "to", json!({"from": real})),
        ("graph_unlink", "to", json!({"from": real})),
        ("graph_walk", "id", json!({})),
        ("graph_path", "from", json!({"to": real})),
        ("memory_feedback", "used", json!({"query": "kettle"})),
        ("memory_feedback", "unused", json!({"query": "kettle"})),
        ("memory_purge", "ids", json!({})),
        ("trajectory_record", "patterns", json!({"task": "배포", "outcome": "success"})),
    ];
    for (tool, argument, others) in cases {
        let listed = client.tool(tool).input_schema["properties"][argument]["type"] == "array";
        let with = |text: &str| {
            let mut arguments = others.clone();
            arguments[argument] = if listed { json!([text]) } else { json!(text) };
            arguments
        };
        for bad in ["", "nothing", "0198c5b2", "아이디", "../../etc/passwd"] {
            let why = client.refused(tool, with(bad)).await;
            assert!(why.contains(&format!("`{argument}`")), "{tool} {argument}={bad:?}: {why}");
        }
        let why = client.refused(tool, with(NOBODY)).await;
        assert!(why.contains(NOBODY), "{tool} {argument}: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cursors_that_nobody_handed_out_are_refused() {
    let client = World::whole().client().await;
    for tool in ["memory_recall", "memory_list", "memory_export", "memory_events"] {
        for cursor in ["", "r", "r10", "r-1-0", "r99999999999-0", "e-1", "e1.5", "next", "커서"] {
            let mut arguments = required(&input(client.tool(tool)));
            arguments.insert("cursor".to_owned(), json!(cursor));
            let why = client.refused(tool, Value::Object(arguments)).await;
            assert!(why.contains("`cursor`"), "{tool} {cursor:?}: {why}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stretches_of_time_that_end_before_they_begin_are_slips() {
    let client = World::whole().client().await;
    for tool in ["memory_recall", "memory_list", "memory_events"] {
        let mut arguments = required(&input(client.tool(tool)));
        arguments.insert("since".to_owned(), json!("2026-11-15"));
        arguments.insert("until".to_owned(), json!("2026-11-13"));
        let why = client.refused(tool, Value::Object(arguments.clone())).await;
        assert!(why.contains("`until`"), "{tool}: {why}");
        arguments.insert("until".to_owned(), json!("2026-11-15"));
        client.ok(tool, Value::Object(arguments)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn korean_and_chinese_come_back_as_they_were_given() {
    let client = World::whole().client().await;
    for (content, query) in [
        ("김민수는 커피보다 녹차를 좋아한다", "김민수 녹차"),
        ("测试服务器的名字叫木星", "测试服务器"),
        ("Ana 的会议在星期五 — 회의실 3 ☕", "회의실"),
    ] {
        client.keep(content).await;
        let found = client.ok("memory_recall", json!({"query": query, "limit": 1})).await;
        assert_eq!(each(&found, "content"), [content]);
    }
    let namespace = json!({"content": "상점은 아홉 시에 연다", "namespace": "팀/김민수"});
    assert_eq!(client.ok("memory_store", namespace).await["namespace"], "팀/김민수");
}
