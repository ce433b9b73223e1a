//! Notes and context: what is heard becomes notes, and agents are given them once.

use std::time::Duration;

use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams, ResourceContents};
use serde_json::{Value, json};

use crate::support::{Announces, Client, ERAS, World, object, text};

async fn say(client: &Client, session: &str, role: &str, words: &str) -> Value {
    let messages = json!([{"role": role, "text": words}]);
    client.ok("notes_hear", json!({"session": session, "messages": messages, "observe": "now"})).await
}

async fn noted(client: &Client, arguments: Value) -> Vec<String> {
    let answer = client.ok("notes_get", arguments).await;
    let notes = answer["notes"].as_array().unwrap();
    notes.iter().map(|note| note["text"].as_str().unwrap().to_owned()).collect()
}

fn sources(context: &Value, part: &str) -> Vec<Value> {
    let all = context["sources"].as_array().unwrap();
    all.iter().filter(|source| source["part"] == part).cloned().collect()
}

async fn read(client: &Client, uri: &str) -> Result<String, String> {
    let result = client.service.read_resource(ReadResourceRequestParams::new(uri)).await;
    match &result.map_err(|error| error.to_string())?.contents[..] {
        [ResourceContents::TextResourceContents { text, .. }] => Ok(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_heard_becomes_notes_and_a_context_with_where_it_is_from() {
    let world = World::whole();
    let client = world.client().await;
    for (session, words, word) in [
        ("팀/월요일", "앞으로 배포는 금요일에 하지 않기로 결정했어.", "금요일"),
        ("周一", "我们决定使用 Rust 编写网关。", "Rust"),
    ] {
        world.tick();
        let heard = say(&client, session, "user", words).await;
        assert_eq!(
            (&heard["outcome"], &heard["kept"], &heard["noted"]),
            (&json!("kept"), &json!(1), &json!(1))
        );
        let notes = noted(&client, json!({ "session": session })).await;
        assert!(notes.len() == 1 && notes[0].contains(word), "{notes:?}");
        let result = client.call("context_get", json!({"session": session, "query": words})).await;
        let context = result.structured_content.clone().unwrap();
        assert_eq!(text(&result), context["text"].as_str().unwrap(), "a model reads the text itself");
        assert!(text(&result).contains(word), "{context}");
        let own = sources(&context, "session_notes");
        assert_eq!((own.len(), &own[0]["session"]), (1, &json!(session)), "{context}");
        assert!(own[0]["origins"][0].as_str().unwrap().starts_with("journal:"), "{context}");
    }
    let durable = client.ok("notes_get", json!({})).await;
    let sessions: Vec<_> =
        durable["sessions"].as_array().unwrap().iter().map(|one| one["session"].as_str().unwrap()).collect();
    assert_eq!((sessions, &durable["notes"]), (vec!["周一", "팀/월요일"], &json!([])), "{durable}");
    let nobody = client.ok("notes_get", json!({"session": "nobody"})).await;
    assert_eq!((&nobody["notes"], &nobody["session"]), (&json!([]), &json!("nobody")), "{nobody}");
    let elsewhere = client.ok("notes_get", json!({"namespace": "other"})).await;
    assert_eq!((elsewhere.get("sessions"), &elsewhere["notes"]), (None, &json!([])), "{elsewhere}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_taken_is_given_once_and_what_is_looked_at_stays() {
    let world = World::whole();
    let client = world.client().await;
    say(&client, "first", "user", "We decided to use PostgreSQL for billing.").await;
    for _ in 0..2 {
        let seen = client.ok("context_get", json!({"session": "first"})).await;
        assert_eq!(sources(&seen, "session_notes").len(), 1, "{seen}");
    }
    let earlier = |context: &Value| sources(context, "earlier_session").len();
    let (one, two) = tokio::join!(
        client.ok("context_take", json!({"session": "one"})),
        client.ok("context_take", json!({"session": "two"})),
    );
    assert_eq!(earlier(&one) + earlier(&two), 1, "one of both: {one}\n{two}");
    assert_eq!(earlier(&client.ok("context_take", json!({"session": "three"})).await), 0);

    let new = json!({"session": "first", "moment": "prompt"});
    assert_eq!(sources(&client.ok("context_take", new.clone()).await, "session_notes").len(), 1);
    let nothing = client.call("context_take", new.clone()).await;
    assert!(text(&nothing).contains("nothing to give"), "{}", text(&nothing));
    for _ in 0..2 {
        world.pass(Duration::from_secs(60));
        let lost = client.ok("context_take", json!({"session": "first", "moment": "compacted"})).await;
        assert_eq!(sources(&lost, "session_notes").len(), 1, "{lost}");
        assert_eq!(client.ok("context_take", new.clone()).await["text"], "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_agent_was_given_is_not_learned_again_when_it_repeats_it() {
    let known = "We decided to use PostgreSQL for the billing service";
    let query = "which database does the billing service use?";
    let world = World::whole();
    let client = world.client().await;
    client.ok("memory_store", json!({"content": known, "session": "recall"})).await;
    say(&client, "unguarded", "assistant", known).await;
    let unguarded = noted(&client, json!({"session": "unguarded"})).await;
    assert_eq!(unguarded.len(), 1, "without a guard it is learned, or this test shows nothing");
    for (session, tool, arguments) in [
        ("looked", "context_get", json!({"session": "looked", "query": query})),
        ("taken", "context_take", json!({"session": "taken", "query": query, "moment": "prompt"})),
        ("recall", "memory_recall", json!({"session": "recall", "query": query})),
    ] {
        let given = client.ok(tool, arguments).await;
        assert!(given.to_string().contains("PostgreSQL"), "{tool}: {given}");
        say(&client, session, "assistant", known).await;
        let learned = noted(&client, json!({ "session": session })).await;
        assert!(learned.is_empty(), "{tool}: {learned:?}");
    }
    let prompt = GetPromptRequestParams::new("continue")
        .with_arguments(object(json!({"session": "prompted", "topic": query})));
    let result = client.service.get_prompt(prompt).await.unwrap();
    let words = serde_json::to_string(&result.messages).unwrap();
    assert!(words.contains("PostgreSQL") && words.contains("Go on from here"), "{words}");
    say(&client, "prompted", "assistant", known).await;
    assert!(noted(&client, json!({"session": "prompted"})).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn resources_show_context_and_notes_and_take_nothing_away() {
    for era in ERAS {
        let world = World::whole();
        let client = world.connect(Announces::Nothing, era).await;
        say(&client, "팀/월요일", "user", "앞으로 배포는 금요일에 하지 않기로 결정했어.").await;
        let there = json!({
            "session": "s/1",
            "messages": [{"role": "user", "text": "We decided to call the project Heron."}],
            "observe": "now",
            "namespace": "team/a",
        });
        client.ok("notes_hear", there).await;
        let (own, name) = ("default", "%ED%8C%80%2F%EC%9B%94%EC%9A%94%EC%9D%BC");
        for _ in 0..2 {
            let context = read(&client, &format!("peri://context/{own}/{name}")).await.unwrap();
            assert!(context.contains("금요일") && context.contains("<session-notes>"), "{context}");
        }
        let notes = read(&client, &format!("peri://notes/{own}/{name}")).await.unwrap();
        let notes: Value = serde_json::from_str(&notes).unwrap();
        assert_eq!((&notes["session"], notes["notes"].as_array().unwrap().len()), (&json!("팀/월요일"), 1));
        let heron = read(&client, "peri://context/team%2Fa/s%2F1").await.unwrap();
        assert!(heron.contains("Heron") && !heron.contains("금요일"), "{heron}");
        assert!(!read(&client, "peri://context").await.unwrap().contains("Heron"));
        assert!(read(&client, "peri://context/other").await.unwrap().starts_with("Nothing is remembered"));
        let durable = read(&client, "peri://notes/team%2Fa").await.unwrap();
        assert!(durable.contains("\"notes\":[]"), "{durable}");
        for uri in [
            "peri://notes/default/nobody",
            "peri://notes/team%2Fb/s%2F1",
            "peri://context/",
            "peri://context/a%2F%2Fb",
            "peri://context/default/",
            "peri://context/default/%FF",
            "peri://context/default/s/1",
            "peri://contexts",
            "peri://nothing",
        ] {
            assert!(read(&client, uri).await.unwrap_err().contains(uri), "{uri}");
        }
        let taken = client.ok("context_take", json!({"session": "팀/월요일", "moment": "prompt"})).await;
        assert_eq!(sources(&taken, "session_notes").len(), 1, "nothing was taken away: {taken}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_heard_or_given_is_refused_by_name_and_keeps_nothing() {
    let client = World::whole().client().await;
    let said = |message: Value| json!({"session": "s", "messages": [message]});
    for (tool, arguments, named) in [
        ("notes_hear", json!({"session": "s", "messages": []}), "`messages`"),
        ("notes_hear", json!({"session": " ", "messages": [{"role": "user", "text": "x"}]}), "session"),
        ("notes_hear", json!({"session": "a\u{0}b", "messages": [{"role": "user", "text": "x"}]}), "session"),
        ("notes_hear", said(json!({"role": "oracle", "text": "x"})), "`messages[0].role`"),
        ("notes_hear", said(json!({"role": "user", "text": "x", "at": "soon"})), "`at`"),
        ("notes_hear", said(json!({"role": "user"})), "text"),
        ("context_take", json!({"session": ""}), "session"),
        ("context_take", json!({"session": "s", "moment": "look"}), "`moment`"),
        ("context_take", json!({"session": "s", "max_tokens": 0}), "`max_tokens`"),
        ("context_get", json!({"query": " "}), "query"),
        ("context_get", json!({"namespace": "team/*"}), "`namespace`"),
        ("notes_get", json!({"namespace": "*"}), "`namespace`"),
        ("notes_get", json!({"session": "\n"}), "session"),
    ] {
        let why = client.refused(tool, arguments.clone()).await;
        assert!(why.contains(named), "{tool} {arguments}: {why}");
    }
    let prompt = GetPromptRequestParams::new("continue").with_arguments(object(json!({"session": 7})));
    assert!(client.service.get_prompt(prompt).await.unwrap_err().to_string().contains("`session`"));
    let left = client.ok("notes_get", json!({})).await;
    assert_eq!((left.get("sessions"), &left["notes"]), (None, &json!([])), "{left}");
}
