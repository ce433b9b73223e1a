//! The knowledge family answers as the reference memory server does: the same shapes, outcomes and words.

use serde_json::{Value, json};

use crate::support::{Client, World, text};

/// What the text of an answer says.
enum Said {
    /// One field of the data, as JSON.
    Field(&'static str),
    /// All of the data, as JSON.
    Whole,
    /// The message in the data.
    Message,
    /// These words, because the call is refused and nothing changes.
    Refused,
}

async fn check(client: &Client, tool: &str, arguments: Value, expected: Value, said: Said) {
    let result = client.call(tool, arguments.clone()).await;
    let told = text(&result);
    if let Said::Refused = said {
        assert_eq!((result.is_error, told.as_str()), (Some(true), expected.as_str().unwrap()));
        return;
    }
    assert_eq!(client_shape(client, tool, &result), expected, "{tool} {arguments}");
    let as_json = || serde_json::from_str::<Value>(&told).unwrap();
    match said {
        Said::Field(field) => assert_eq!(as_json(), expected[field], "{tool}"),
        Said::Whole => assert_eq!(as_json(), expected, "{tool}"),
        Said::Message | Said::Refused => assert_eq!(told, expected["message"].as_str().unwrap(), "{tool}"),
    }
}

fn client_shape(client: &Client, tool: &str, result: &rmcp::model::CallToolResult) -> Value {
    assert_ne!(result.is_error, Some(true), "{tool}: {}", text(result));
    let answer = result.structured_content.clone().unwrap();
    let schema = Value::Object(client.tool(tool).output_schema.as_ref().unwrap().as_ref().clone());
    assert!(jsonschema::is_valid(&schema, &answer), "{tool}: {answer}");
    answer
}

fn entity(name: &str, kind: &str, observations: &[&str]) -> Value {
    json!({"name": name, "entityType": kind, "observations": observations})
}

fn relation(from: &str, kind: &str, to: &str) -> Value {
    json!({"from": from, "to": to, "relationType": kind})
}

fn done(message: &str) -> Value {
    json!({"success": true, "message": message})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_life_of_a_graph_goes_as_with_the_reference_server() {
    let client = World::new().families("knowledge").client().await;
    let (ana, acme) = (entity("Ana", "person", &["likes tea"]), entity("Acme", "company", &[]));
    let works = relation("Ana", "works_at", "Acme");
    let hires = relation("Acme", "employs", "Ana");
    let table: Vec<(&str, Value, Value, Said)> = vec![
        ("read_graph", json!({}), json!({"entities": [], "relations": []}), Said::Whole),
        ("create_entities", json!({"entities": []}), json!({"entities": []}), Said::Field("entities")),
        // A name that is given twice, or taken, is left out.
        (
            "create_entities",
            json!({"entities": [ana, acme, entity("Ana", "robot", &["hums"])]}),
            json!({"entities": [ana, acme]}),
            Said::Field("entities"),
        ),
        (
            "create_entities",
            json!({"entities": [entity("Ana", "robot", &[])]}),
            json!({"entities": []}),
            Said::Field("entities"),
        ),
        // Relations need both ends, and are created once.
        (
            "create_relations",
            json!({"relations": [works, relation("Ana", "knows", "Bo")]}),
            json!("Entity with name Bo not found"),
            Said::Refused,
        ),
        (
            "create_relations",
            json!({"relations": [works, hires, works]}),
            json!({"relations": [works, hires]}),
            Said::Field("relations"),
        ),
        (
            "create_relations",
            json!({"relations": [works]}),
            json!({"relations": []}),
            Said::Field("relations"),
        ),
        // Observations are added to entities that exist, each once.
        (
            "add_observations",
            json!({"observations": [{"entityName": "Ana", "contents": ["likes tea", "lives in Ulm"]}]}),
            json!({"results": [{"entityName": "Ana", "addedObservations": ["lives in Ulm"]}]}),
            Said::Field("results"),
        ),
        (
            "add_observations",
            json!({"observations": [
                {"entityName": "Ana", "contents": ["plays chess"]},
                {"entityName": "Nobody", "contents": ["is not there"]},
            ]}),
            json!("Entity with name Nobody not found"),
            Said::Refused,
        ),
        (
            "open_nodes",
            json!({"names": ["Ana", "Nobody"]}),
            json!({
                "entities": [entity("Ana", "person", &["likes tea", "lives in Ulm"])],
                "relations": [works, hires],
            }),
            Said::Whole,
        ),
        // Substrings in capitals or not, over names, types and observations.
        (
            "search_nodes",
            json!({"query": "OMPAN"}),
            json!({"entities": [acme], "relations": [works, hires]}),
            Said::Whole,
        ),
        ("search_nodes", json!({"query": "zeppelin"}), json!({"entities": [], "relations": []}), Said::Whole),
        // Deleting always succeeds and tells what was not there.
        (
            "delete_observations",
            json!({"deletions": [{"entityName": "Ana", "observations": ["lives in Ulm"]}]}),
            done("Observations deleted successfully"),
            Said::Message,
        ),
        (
            "delete_observations",
            json!({"deletions": [
                {"entityName": "Ana", "observations": ["lives in Ulm"]},
                {"entityName": "Nobody", "observations": ["hums"]},
            ]}),
            done("Deleted 0 of 2 observations. Entities not found: Nobody"),
            Said::Message,
        ),
        (
            "delete_observations",
            json!({"deletions": [{"entityName": "Ana", "observations": ["never said"]}]}),
            done("Deleted 0 of 1 observations."),
            Said::Message,
        ),
        (
            "delete_relations",
            json!({"relations": [hires]}),
            done("Relations deleted successfully"),
            Said::Message,
        ),
        (
            "delete_relations",
            json!({"relations": [hires]}),
            done("Deleted 0 of 1 relations. The rest matched nothing."),
            Said::Message,
        ),
        (
            "delete_entities",
            json!({"entityNames": ["Acme"]}),
            done("Entities deleted successfully"),
            Said::Message,
        ),
        (
            "delete_entities",
            json!({"entityNames": ["Acme", "Ana", "Bo"]}),
            done("Deleted 1 of 3 entities. Not found: Acme, Bo"),
            Said::Message,
        ),
        ("read_graph", json!({}), json!({"entities": [], "relations": []}), Said::Whole),
        // What was deleted can be created again, in another language too.
        (
            "create_entities",
            json!({"entities": [ana, entity("김민수", "사람", &["녹차를 좋아한다", "住在上海"])]}),
            json!({"entities": [ana, entity("김민수", "사람", &["녹차를 좋아한다", "住在上海"])]}),
            Said::Field("entities"),
        ),
        (
            "search_nodes",
            json!({"query": "上海"}),
            json!({"entities": [entity("김민수", "사람", &["녹차를 좋아한다", "住在上海"])], "relations": []}),
            Said::Whole,
        ),
    ];
    for (tool, arguments, expected, said) in table {
        check(&client, tool, arguments, expected, said).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_added_to_the_shapes_of_the_reference_server() {
    let client = World::new().families("knowledge").client().await;
    let fields = |schema: &Value| {
        let mut names: Vec<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    for (tool, input, output) in [
        ("create_entities", &["entities"][..], &["entities"][..]),
        ("create_relations", &["relations"], &["relations"]),
        ("add_observations", &["observations"], &["results"]),
        ("delete_entities", &["entityNames"], &["message", "success"]),
        ("delete_observations", &["deletions"], &["message", "success"]),
        ("delete_relations", &["relations"], &["message", "success"]),
        ("read_graph", &[], &["entities", "relations"]),
        ("search_nodes", &["query"], &["entities", "relations"]),
        ("open_nodes", &["names"], &["entities", "relations"]),
    ] {
        let told = client.tool(tool);
        assert_eq!(fields(&Value::Object(told.input_schema.as_ref().clone())), input, "{tool}");
        let schema = Value::Object(told.output_schema.as_ref().unwrap().as_ref().clone());
        assert_eq!(fields(&schema), output, "{tool}");
        assert_eq!(schema["required"].as_array().map(Vec::len), Some(output.len()), "{tool}");
    }
    assert_eq!(client.tools().count(), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_is_laid_out_as_the_reference_server_does() {
    let client = World::new().families("knowledge").client().await;
    let entities = json!({"entities": [entity("Ana", "person", &["likes tea"])]});
    let created = text(&client.call("create_entities", entities).await);
    let expected = r#"[
  {
    "name": "Ana",
    "entityType": "person",
    "observations": [
      "likes tea"
    ]
  }
]"#;
    assert_eq!(created, expected);
    client.ok("delete_entities", json!({"entityNames": ["Ana"]})).await;
    let empty = "{\n  \"entities\": [],\n  \"relations\": []\n}";
    assert_eq!(text(&client.call("read_graph", json!({})).await), empty);
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_beyond_the_known_ones_are_passed_over_inside_of_items_as_the_reference_server_does() {
    let client = World::new().families("knowledge").client().await;
    let mut given = entity("Ana", "person", &[]);
    given["type"] = json!("entity");
    let answer = client.ok("create_entities", json!({"entities": [given]})).await;
    assert_eq!(answer, json!({"entities": [entity("Ana", "person", &[])]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_graph_holds_is_recalled_as_any_memory() {
    let client = World::new().families("core,knowledge").client().await;
    let entities = json!({"entities": [entity("Ana", "person", &["prefers tea over coffee"])]});
    client.ok("create_entities", entities).await;
    let found = client.ok("memory_recall", json!({"query": "what does Ana drink?"})).await;
    assert!(found.to_string().contains("prefers tea over coffee"), "{found}");
}
