//! Memories: what is sent comes back, and whoever has seen an old state changes nothing.

use serde_json::{Value, json};

use crate::support::{Answer, House};

async fn remember(house: &House, body: &Value) -> String {
    let receipt = house.post("/v1/memories", body).send().await.expect(201);
    format!("/v1/memories/{}", receipt["id"].as_str().unwrap())
}

async fn get(house: &House, path: &str) -> Answer {
    let answer = house.get(path).send().await;
    answer.expect(200);
    answer
}

#[tokio::test]
async fn what_is_remembered_is_read_listed_recalled_revised_forgotten_and_restored() {
    let house = House::open().await;
    let path = remember(&house, &json!({"content": "Ana prefers tea", "tags": ["drinks"]})).await;
    let memory = get(&house, &path).await.json();
    assert_eq!(memory["content"], "Ana prefers tea");
    let listed = get(&house, "/v1/memories?tag=drinks").await.json();
    assert_eq!(listed["memories"][0]["id"], memory["id"]);
    assert_eq!(listed["next_cursor"], Value::Null);
    let question = json!({"query": "what does Ana drink?", "limit": 5});
    let recalled = house.post("/v1/recall", &question).send().await.expect(200);
    assert_eq!(recalled["hits"][0]["memory"]["id"], memory["id"], "{recalled}");
    let revised = house.patch(&path, &json!({"content": "Ana prefers coffee"})).send().await.expect(200);
    assert_eq!(revised["memory"]["version"], 2, "{revised}");
    let history = get(&house, &format!("{path}/history")).await.json();
    assert!(history.to_string().contains("Ana prefers tea"), "{history}");
    house.delete(&path).send().await.expect(200);
    assert_eq!(get(&house, "/v1/memories").await.json()["memories"], json!([]));
    assert_eq!(get(&house, "/v1/memories?trashed=only").await.json()["memories"][0]["id"], memory["id"]);
    house.post(&format!("{path}/restore"), &json!({})).send().await.expect(200);
    assert_eq!(get(&house, "/v1/memories").await.json()["memories"][0]["id"], memory["id"]);
    // Only what lies in the trash is destroyed.
    house.post(&format!("{path}/purge"), &json!({})).send().await.problem(409, "conflict");
    house.delete(&path).send().await.expect(200);
    house.post(&format!("{path}/purge"), &json!({})).send().await.expect(200);
    house.get(&path).send().await.problem(404, "not-found");
}

#[tokio::test]
async fn text_of_any_language_comes_back_as_it_was_sent() {
    let house = House::open().await;
    for content in [
        "민수는 매일 아침 김치찌개를 먹는다",
        "李雷喜欢在西湖边喝龙井茶",
        "🪐 emoji, \u{200b}zero width, \u{301}combining, tab\tand\nline",
        "\"quotes\" \\backslash\\ </script> %00 ' OR 1=1 --",
    ] {
        let body = json!({"content": content, "namespace": "팀/김민수", "tags": ["标签"], "speaker": "김민수",
            "metadata": {"열쇠": [1, 2.5, null, {"嵌套": true}]}});
        let path = remember(&house, &body).await;
        let memory = get(&house, &path).await.json();
        for field in ["content", "namespace", "tags", "speaker", "metadata"] {
            assert_eq!(memory[field], body[field], "{field}");
        }
    }
    let scope = "%ED%8C%80/%EA%B9%80%EB%AF%BC%EC%88%98";
    let listed = get(&house, &format!("/v1/memories?scope={scope}&tag=%E6%A0%87%E7%AD%BE")).await.json();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 4);
    let question = json!({"query": "민수는 아침에 무엇을 먹나", "scopes": ["팀/*"]});
    let recalled = house.post("/v1/recall", &question).send().await.expect(200);
    assert_eq!(recalled["hits"][0]["memory"]["content"], "민수는 매일 아침 김치찌개를 먹는다", "{recalled}");
}

#[tokio::test]
async fn pages_hold_every_memory_once() {
    let house = House::open().await;
    for number in 0..7 {
        house.keep("default", &format!("statement number {number}"));
    }
    let mut seen = Vec::new();
    let mut path = "/v1/memories?limit=3&order=oldest_first".to_owned();
    loop {
        let page = get(&house, &path).await.json();
        let memories = page["memories"].as_array().unwrap();
        assert!((1..=3).contains(&memories.len()), "{page}");
        seen.extend(memories.iter().map(|memory| memory["content"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/memories?limit=3&order=oldest_first&cursor={cursor}");
    }
    assert_eq!(seen, (0..7).map(|number| format!("statement number {number}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let house = House::open().await;
    let path = remember(&house, &json!({"content": "the first version"})).await;
    let tag = get(&house, &path).await.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'), "{tag}");
    for (given, status) in [
        (tag.clone(), 304),
        (format!("W/{tag}"), 304),
        (format!("\"else\", {tag}"), 304),
        ("*".to_owned(), 304),
        ("\"else\"".to_owned(), 200),
        (tag.trim_matches('"').to_owned(), 200),
    ] {
        let answer = house.get(&path).header("if-none-match", &given).send().await;
        assert_eq!(answer.status, status, "{given}");
        assert_eq!(answer.header("etag"), tag);
        assert_eq!(answer.body.is_empty(), status == 304);
    }
    let changes = [json!({"content": "the second version"}), json!({"pinned": true}), json!({"tags": ["x"]})];
    let mut tags = vec![tag];
    for change in changes {
        let answer = house.patch(&path, &change).send().await;
        answer.expect(200);
        let now = get(&house, &path).await;
        assert_eq!(answer.header("etag"), now.header("etag"), "a change tells the state it left behind");
        tags.push(now.header("etag").to_owned());
    }
    house.delete(&path).send().await.expect(200);
    tags.push(get(&house, &path).await.header("etag").to_owned());
    house.post(&format!("{path}/restore"), &json!({})).send().await.expect(200);
    tags.push(get(&house, &path).await.header("etag").to_owned());
    let distinct: std::collections::BTreeSet<_> = tags.iter().collect();
    assert_eq!(distinct.len(), tags.len(), "every change gives another tag: {tags:?}");
}

#[tokio::test]
async fn whoever_has_seen_another_state_changes_nothing() {
    let house = House::open().await;
    let path = remember(&house, &json!({"content": "the first version"})).await;
    let old = get(&house, &path).await.header("etag").to_owned();
    let patch = |content: &str| house.patch(&path, &json!({"content": content}));
    let answer = patch("the second version").header("if-match", &old).send().await;
    answer.expect(200);
    let new = answer.header("etag").to_owned();
    // A weak tag does not say that the state is the same in every detail.
    for stale in [&old, &format!("W/{new}"), "\"else\"", ""] {
        patch("a lost update").header("if-match", stale).send().await.problem(412, "precondition-failed");
        let forget = house.delete(&path).header("if-match", stale).send().await;
        forget.problem(412, "precondition-failed");
    }
    let memory = get(&house, &path).await.json();
    assert_eq!((&memory["content"], memory["version"].as_u64()), (&json!("the second version"), Some(2)));
    patch("the third version").header("if-match", "*").send().await.expect(200);
    let now = get(&house, &path).await.header("etag").to_owned();
    house.delete(&path).header("if-match", &format!("\"else\", {now}")).send().await.expect(200);
}

#[tokio::test]
async fn of_several_who_saw_the_same_state_one_changes_it() {
    let house = House::open().await;
    let path = remember(&house, &json!({"content": "the first version"})).await;
    let tag = get(&house, &path).await.header("etag").to_owned();
    let asks = (0..8).map(|number| {
        let body = json!({"content": format!("the version of writer {number}")});
        tokio::spawn(house.patch(&path, &body).header("if-match", &tag).send())
    });
    let mut statuses = Vec::new();
    for ask in asks.collect::<Vec<_>>() {
        statuses.push(ask.await.unwrap().status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412, 412, 412]);
    assert_eq!(get(&house, &path).await.json()["version"], 2);
}

#[tokio::test]
async fn a_time_of_null_is_taken_away_and_one_left_out_stays() {
    let house = House::open().await;
    let until = "2099-01-02T03:04:05Z";
    let body = json!({"content": "the offer holds", "valid_until": until, "expires_at": until});
    let path = remember(&house, &body).await;
    house.patch(&path, &json!({"valid_until": null})).send().await.expect(200);
    let memory = get(&house, &path).await.json();
    assert_eq!((memory.get("valid_until"), memory["expires_at"].as_str()), (None, Some(until)), "{memory}");
}

#[tokio::test]
async fn a_batch_is_stored_whole_or_not_at_all() {
    let house = House::open().await;
    let good = json!({"memories": [{"content": "the build is green"}, {"content": "Ana is on holiday"}]});
    let receipts = house.post("/v1/memories/batch", &good).send().await.expect(201);
    assert_eq!(receipts["receipts"].as_array().unwrap().len(), 2);
    let bad = json!({"memories": [{"content": "fine"}, {"content": "  "}]});
    house.post("/v1/memories/batch", &bad).send().await.problem(400, "invalid-input");
    assert_eq!(get(&house, "/v1/memories").await.json()["memories"].as_array().unwrap().len(), 2);
}
