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
    match schema["type"].as_str() {
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
    if schema.get("type").is_none() && schema.get("enum").is_none() {
        // Anything will do.
        return Vec::new();
    }
    let mut wrong = vec![json!({ "odd": 1 })];
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
        wrong.extend([json!("one"), json!([{ "odd": 1 }])]);
    }
    wrong
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
    let before = client.ok("memory_stats", json!({"namespace": "*"})).await;
    for tool in client.tools() {
        let schema = input(tool);
        for (name, property) in schema["properties"].as_object().unwrap() {
            for value in wrong(property) {
                check_refused(&client, tool, &schema, name, value).await;
            }
        }
    }
    assert_eq!(client.ok("memory_stats", json!({"namespace": "*"})).await, before, "something was changed");
}

async fn check_refused(client: &Client, tool: &Tool, schema: &Value, name: &str, value: Value) {
    let mut arguments = required(schema);
    let shown: String = value.to_string().chars().take(60).collect();
    arguments.insert(name.to_owned(), value);
    let result = client.call(&tool.name, Value::Object(arguments)).await;
    let why = crate::support::text(&result);
    assert_eq!(result.is_error, Some(true), "{}: {name} = {shown} is taken: {why}", tool.name);
    assert!(why.contains(name), "{}: {name} = {shown} is refused without naming it: {why}", tool.name);
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
        ("graph_link", "from", json!({"to": real})),
        ("graph_link", "to", json!({"from": real})),
        ("graph_unlink", "to", json!({"from": real})),
        ("graph_walk", "id", json!({})),
        ("graph_path", "from", json!({"to": real})),
        ("memory_feedback", "used", json!({"query": "kettle"})),
        ("memory_feedback", "unused", json!({"query": "kettle"})),
        ("memory_purge", "ids", json!({})),
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
