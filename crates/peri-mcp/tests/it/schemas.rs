//! The tools as models are told of them.

use rmcp::model::Tool;
use serde_json::{Value, json};

use crate::support::World;

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_of_each_family_are_as_reviewed() {
    for family in ["core", "edit", "graph", "learn", "admin", "knowledge", "work", "journal", "notes"] {
        let client = World::new().families(family).client().await;
        let tools = client.service.list_all_tools().await.unwrap();
        let list = serde_json::to_string(&tools).unwrap();
        let tokens = tiktoken_rs::o200k_base().unwrap().encode_ordinary(&list).len();
        insta::assert_json_snapshot!(family, json!({ "tokens": tokens, "tools": tools }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_schema_is_sound_and_every_input_closed() {
    let client = World::whole().client().await;
    for tool in client.tools() {
        let input = Value::Object(tool.input_schema.as_ref().clone());
        let output = Value::Object(tool.output_schema.as_ref().unwrap().as_ref().clone());
        for schema in [&input, &output] {
            assert!(jsonschema::meta::is_valid(schema), "{}", tool.name);
            assert_eq!(schema["type"], "object", "{}", tool.name);
            assert!(!schema.to_string().contains("$ref"), "{}: everything is inlined", tool.name);
        }
        assert_eq!(input["additionalProperties"], false, "{}", tool.name);
        assert!(tool.description.as_deref().is_some_and(|words| words.len() > 20), "{}", tool.name);
        let bare = |tool: &Tool| tool.annotations.clone().unwrap();
        let hints = bare(tool);
        assert!(hints.read_only_hint != Some(true) || hints.destructive_hint != Some(true), "{}", tool.name);
        assert_eq!(hints.open_world_hint, Some(false), "{}", tool.name);
    }
}
