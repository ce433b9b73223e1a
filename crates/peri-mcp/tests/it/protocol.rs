//! Whole sessions in both revisions of the protocol.

use rmcp::model::{CacheScope, PaginatedRequestParams};
use serde_json::json;

use crate::support::{Announces, ERAS, Era, World, each, id, text};

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_session_works_in_both_revisions() {
    for era in ERAS {
        let world = World::new();
        let root = "file:///home/ana/shop".to_owned();
        let client = world.connect(Announces::Roots(vec![root]), era).await;
        let server = client.service.peer_info().unwrap();
        assert!(server.instructions.as_deref().unwrap().contains("memory_recall"));

        let stored = client
            .ok("memory_store", json!({"content": "Ana prefers tea over coffee", "tags": ["drinks"]}))
            .await;
        assert!(stored["namespace"].as_str().unwrap().starts_with("workspace/shop-"), "{stored}");
        let found = client.ok("memory_recall", json!({"query": "what does Ana drink?"})).await;
        assert_eq!(each(&found, "content"), ["Ana prefers tea over coffee"]);
        let got = client.ok("memory_get", json!({"id": id(&stored)})).await;
        assert_eq!(got["tags"], json!(["drinks"]));

        let session = client.ok("session_start", json!({})).await["session"].clone();
        let said = json!({"content": "The release is planned for Friday", "session": session});
        client.ok("memory_store", said).await;
        assert_eq!(client.ok("session_end", json!({"session": session})).await["session"], session);
        assert_eq!(client.ok("memory_health", json!({})).await["healthy"], true);
        let forgotten = client.ok("memory_forget", json!({"id": id(&stored)})).await;
        assert_eq!(forgotten, client.ok("memory_forget", json!({"id": id(&stored)})).await);
        assert!(each(&client.ok("memory_recall", json!({"query": "tea"})).await, "id").is_empty());
        client.service.cancel().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_an_answer_says_what_its_data_says() {
    let client = World::new().client().await;
    let result = client.call("memory_store", json!({"content": "The kettle is blue"})).await;
    let told: serde_json::Value = serde_json::from_str(&text(&result)).unwrap();
    assert_eq!(Some(told), result.structured_content);
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_come_in_one_order_on_one_page_and_say_how_long_they_may_be_kept() {
    for era in ERAS {
        let client = World::whole().connect(Announces::Nothing, era).await;
        let first = client.service.list_tools(None).await.unwrap();
        let again = client.service.list_tools(None).await.unwrap();
        assert_eq!(first.tools, again.tools);
        assert_eq!(first.next_cursor, None);
        if era == Era::Discover {
            assert!(first.ttl_ms.is_some_and(|ttl| ttl > 0));
            assert_eq!(first.cache_scope, Some(CacheScope::Private));
        }
        let cursor = PaginatedRequestParams::default().with_cursor(Some("further".to_owned()));
        let refused = client.service.list_tools(Some(cursor)).await.unwrap_err().to_string();
        assert!(refused.contains("one page"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_a_family_that_is_not_offered_is_no_tool() {
    let client = World::new().client().await;
    let request = rmcp::model::CallToolRequestParams::new("graph_rank");
    let refused = client.service.call_tool(request).await.unwrap_err().to_string();
    assert!(refused.contains("graph_rank") && refused.contains("tools/list"), "{refused}");
}
