//! Resources and prompts.

use rmcp::ServiceError;
use rmcp::model::{
    CacheScope, ErrorCode, GetPromptRequestParams, ReadResourceRequestParams, ResourceContents,
};
use serde_json::{Value, json};

use crate::support::{Announces, Client, ERAS, Era, World, object};

async fn read(client: &Client, uri: &str) -> String {
    let result = client.service.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap();
    match &result.contents[..] {
        [ResourceContents::TextResourceContents { text, uri: own, .. }] => {
            assert_eq!(own, uri);
            text.clone()
        }
        other => panic!("{other:?}"),
    }
}

async fn prompt(client: &Client, name: &str, arguments: Value) -> Result<String, ServiceError> {
    let request = GetPromptRequestParams::new(name).with_arguments(object(arguments));
    let result = client.service.get_prompt(request).await?;
    Ok(serde_json::to_value(&result.messages).unwrap()[0]["content"]["text"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_are_listed_in_one_order_and_each_can_be_read() {
    for era in ERAS {
        let client = World::whole().connect(Announces::Nothing, era).await;
        let listed = client.service.list_all_resources().await.unwrap();
        let uris: Vec<&str> = listed.iter().map(|resource| resource.uri.as_str()).collect();
        let expected = [
            "memory://stats",
            "memory://zones",
            "memory://context",
            "peri://context",
            "peri://notes",
            "memory://knowledge-graph",
        ];
        assert_eq!(uris, expected);
        for uri in uris {
            assert!(!read(&client, uri).await.is_empty(), "{uri}");
        }
        let plain = World::new().connect(Announces::Nothing, era).await;
        assert_eq!(plain.service.list_all_resources().await.unwrap().len(), 5);
        let templates = plain.service.list_all_resource_templates().await.unwrap();
        let templates: Vec<&str> = templates.iter().map(|one| one.uri_template.as_str()).collect();
        let expected = [
            "memory://memories/{id}",
            "peri://context/{namespace}/{session}",
            "peri://notes/{namespace}/{session}",
        ];
        assert_eq!(templates, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_tell_of_the_namespace_that_the_client_is_at_home_in() {
    for era in ERAS {
        let world = World::whole();
        let shop = world.connect(Announces::Roots(vec!["file:///home/ana/shop".to_owned()]), era).await;
        let id = shop.keep("The till is opened with the brass key").await;
        let stats: Value = serde_json::from_str(&read(&shop, "memory://stats").await).unwrap();
        assert_eq!(stats["memories"], 1);
        assert!(read(&shop, "memory://zones").await.contains("brass key"));
        let context = read(&shop, "memory://context").await;
        assert!(context.contains("workspace/shop-") && context.contains("brass key"), "{context}");
        let uri = format!("memory://memories/{id}");
        assert!(read(&shop, &uri).await.contains("brass key"));

        let elsewhere = world.connect(Announces::Nothing, era).await;
        assert!(!read(&elsewhere, "memory://context").await.contains("brass key"));
        check_missing(&elsewhere, &uri, era).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_remembered_is_kept_by_no_cache() {
    let client = World::new().connect(Announces::Nothing, Era::Discover).await;
    let request = ReadResourceRequestParams::new("memory://stats");
    let result = client.service.read_resource(request).await.unwrap();
    assert_eq!((result.ttl_ms, result.cache_scope), (Some(0), Some(CacheScope::Private)));
    client.keep("The kettle is blue").await;
    let stats: Value = serde_json::from_str(&read(&client, "memory://stats").await).unwrap();
    assert_eq!(stats["memories"], 1);
}

async fn check_missing(client: &Client, uri: &str, era: Era) {
    let error = client.service.read_resource(ReadResourceRequestParams::new(uri)).await.unwrap_err();
    let ServiceError::McpError(error) = error else { panic!("{uri}: {error}") };
    let code = match era {
        Era::Handshake => ErrorCode::RESOURCE_NOT_FOUND,
        Era::Discover => ErrorCode::INVALID_PARAMS,
    };
    assert_eq!((error.code, error.data), (code, Some(json!({ "uri": uri }))), "{uri}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resource_that_does_not_exist_is_not_found_by_its_uri() {
    for era in ERAS {
        let client = World::new().connect(Announces::Nothing, era).await;
        for uri in [
            "memory://nothing",
            "memory://stats/",
            "memory://memories/",
            "memory://memories/nobody",
            "memory://memories/0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a",
            "memory://knowledge-graph",
            "file:///etc/passwd",
        ] {
            check_missing(&client, uri, era).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_are_listed_and_filled_in() {
    for era in ERAS {
        let client = World::new().connect(Announces::Nothing, era).await;
        let listed = client.service.list_all_prompts().await.unwrap();
        let names: Vec<&str> = listed.iter().map(|prompt| prompt.name.as_str()).collect();
        assert_eq!(names, ["recall", "continue", "resume", "keep"]);
        assert!(listed.iter().all(|prompt| prompt.description.is_some()));

        let nothing = prompt(&client, "continue", json!({"session": "s"})).await.unwrap();
        assert!(nothing.starts_with("Nothing is remembered"), "{nothing}");
        client.keep("김민수는 녹차를 좋아한다").await;
        let recalled = prompt(&client, "recall", json!({"topic": "김민수"})).await.unwrap();
        assert!(recalled.contains("녹차"), "{recalled}");
        let nothing = prompt(&client, "recall", json!({"topic": "zeppelins"})).await.unwrap();
        assert!(nothing.starts_with("Nothing is remembered"), "{nothing}");
        assert!(prompt(&client, "resume", json!({})).await.unwrap().contains("녹차"));
        let gone_on = prompt(&client, "continue", json!({"topic": "김민수", "session": " "})).await.unwrap();
        assert!(gone_on.contains("녹차"), "{gone_on}");
        assert!(prompt(&client, "keep", json!({})).await.unwrap().contains("memory_store"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_that_cannot_be_filled_in_say_what_is_missing() {
    let client = World::new().client().await;
    for (name, arguments, expected) in [
        ("recall", json!({}), "topic"),
        ("recall", json!({"topic": ""}), "empty"),
        ("recall", json!({"topic": 7}), "topic"),
        ("remember", json!({}), "recall, continue, resume and keep"),
    ] {
        let why = prompt(&client, name, arguments).await.unwrap_err().to_string();
        assert!(why.contains(expected), "{name}: {why}");
    }
}
