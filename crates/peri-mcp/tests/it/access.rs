//! Who may do what, and where: callers as the HTTP face vouches for them.

use std::time::Duration;

use http_body_util::{BodyExt, Full};
use peri_mcp::{HttpSettings, McpService, Timed, http_service};
use perihelion::{Caller, MemoryId, NewKey, Role, Scope, Timestamp};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::support::World;

/// The server behind HTTP, without the face that checks keys.
struct Bare {
    service: McpService,
    _stop: oneshot::Sender<()>,
    /// The folder must outlive the engine.
    _world: World,
}

fn caller(role: Role, scope: &str) -> Caller {
    Caller { key: None, role, scope: scope.parse::<Scope>().unwrap() }
}

impl Bare {
    fn new() -> Self {
        let world = World::whole();
        let (body_bytes_max, idle_timeout) = (1 << 20, Duration::from_secs(60));
        let settings = HttpSettings { body_bytes_max, idle_timeout, timed: Timed::default() };
        let (service, _sessions, stop) =
            http_service(world.engine.clone(), world.settings.clone(), &settings);
        Self { service, _stop: stop, _world: world }
    }

    /// What a call by somebody is answered, as text and whether it is a refusal.
    async fn call(&self, caller: Option<&Caller>, tool: &str, arguments: Value) -> Result<Value, String> {
        self.call_at("/mcp", caller, tool, arguments).await
    }

    async fn call_at(
        &self,
        path: &str,
        caller: Option<&Caller>,
        tool: &str,
        arguments: Value,
    ) -> Result<Value, String> {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "0"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let mut request = http::Request::post(path)
            .header("host", "127.0.0.1")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", tool)
            .body(Full::new(bytes::Bytes::from(body.to_string())))
            .unwrap();
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller.clone());
        }
        let answer = self.service.handle(request).await;
        let answer = answer.into_body().collect().await.unwrap().to_bytes();
        outcome(std::str::from_utf8(&answer).unwrap())
    }
}

/// The result in an answer, which is JSON or a stream of events.
fn outcome(answer: &str) -> Result<Value, String> {
    let mut lines = answer.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
    let message = lines.find_map(|line| serde_json::from_str::<Value>(line).ok().filter(Value::is_object));
    let message = message.unwrap_or_else(|| panic!("no message in {answer:?}"));
    if message.get("error").is_some() {
        return Err(message["error"].to_string());
    }
    let result = &message["result"];
    match result["isError"].as_bool() {
        Some(true) => Err(result["content"][0]["text"].as_str().unwrap().to_owned()),
        _ => Ok(result["structuredContent"].clone()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whom_nobody_vouches_for_gets_nothing() {
    let bare = Bare::new();
    for tool in ["memory_stats", "memory_health", "memory_store", "read_graph", "namespace_list"] {
        let why = bare.call(None, tool, json!({"content": "x"})).await.unwrap_err();
        assert!(why.contains("nobody has let this request in"), "{tool}: {why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_role_may_call_its_own_tools_and_no_others() {
    let bare = Bare::new();
    let client = World::whole().client().await;
    for tool in client.tools() {
        let reads = tool.annotations.as_ref().unwrap().read_only_hint == Some(true);
        let admin = matches!(tool.name.as_ref(), "namespace_list" | "memory_events");
        let least = if World::new()
            .families("admin")
            .client()
            .await
            .service
            .list_all_tools()
            .await
            .unwrap()
            .iter()
            .any(|own| own.name == tool.name)
        {
            Role::Admin
        } else if reads && !admin {
            Role::Reader
        } else {
            Role::Writer
        };
        for role in [Role::Reader, Role::Writer, Role::Admin] {
            let outcome = bare.call(Some(&caller(role, "team/ana")), &tool.name, json!({})).await;
            let refused = outcome.is_err_and(|why| why.contains("this needs a key of the role"));
            assert_eq!(refused, role < least, "{} by a {role}", tool.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_works_outside_of_their_scope() {
    let bare = Bare::new();
    let own = caller(Role::Admin, "team/*");
    for place in ["*", "other", "teams/a", "default"] {
        for tool in [
            "memory_stats",
            "memory_store",
            "namespace_list",
            "memory_reorbit",
            "memory_events",
            "read_graph",
            "work_set",
            "work_get",
            "work_list",
            "work_clear",
            "journal_append",
            "journal_recent",
            "journal_search",
            "turn_begin",
            "context_get",
            "context_take",
            "notes_hear",
            "notes_get",
            "memory_promote",
            "memory_sweep",
        ] {
            let arguments = json!({"namespace": place, "content": "x"});
            let why = bare.call(Some(&own), tool, arguments).await.unwrap_err();
            assert!(why.contains("the key is for team/*"), "{tool} in {place}: {why}");
        }
    }
    // Without a place, home is the default namespace, which is not theirs.
    let why = bare.call(Some(&own), "memory_stats", json!({})).await.unwrap_err();
    assert!(why.contains("the key is for team/*"), "{why}");
    let addressed = bare.call_at("/mcp?namespace=team%2Fana", Some(&own), "memory_stats", json!({})).await;
    assert_eq!(addressed.unwrap()["namespace"], "team/ana");
    let one = caller(Role::Writer, "team/bo");
    let answer = bare.call(Some(&one), "memory_store", json!({"content": "Bo has the keys"})).await.unwrap();
    assert_eq!(answer["namespace"], "team/bo", "a key for one namespace is at home there");
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_of_other_namespaces_are_nobodys() {
    let bare = Bare::new();
    let everyone = caller(Role::Admin, "*");
    let stored = json!({"content": "The safe opens with 4711", "namespace": "other"});
    let stored = bare.call(Some(&everyone), "memory_store", stored).await.unwrap();
    let (id, nobody) =
        (stored["id"].as_str().unwrap(), MemoryId::generate(Timestamp::UNIX_EPOCH).to_string());
    let own = caller(Role::Admin, "team/ana");
    for (tool, argument) in [
        ("memory_get", "id"),
        ("memory_forget", "id"),
        ("memory_revise", "id"),
        ("memory_restore", "id"),
        ("memory_history", "id"),
        ("memory_split", "id"),
        ("memory_promote", "ids"),
        ("memory_undo_promotion", "id"),
        ("graph_walk", "id"),
        ("journal_trace", "id"),
        ("memory_purge", "ids"),
    ] {
        let mut answers = Vec::new();
        for id in [id, &nobody] {
            let value = if argument == "ids" { json!([id]) } else { json!(id) };
            let mut arguments = json!({argument: value});
            if tool == "memory_revise" {
                arguments["pinned"] = json!(true);
            }
            let why = bare.call(Some(&own), tool, arguments).await.unwrap_err();
            answers.push(why.replace(id, "ID"));
        }
        assert_eq!(answers[0], answers[1], "{tool} tells them apart");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_another_namespace_is_nobodys() {
    let bare = Bare::new();
    let everyone = caller(Role::Admin, "*");
    let begun = bare.call(Some(&everyone), "turn_begin", json!({"namespace": "other"})).await.unwrap();
    let own = caller(Role::Writer, "team/ana");
    for tool in ["turn_get", "turn_finish"] {
        let why = bare.call(Some(&own), tool, json!({"id": begun["id"]})).await.unwrap_err();
        assert!(why.contains("no turn"), "{tool}: {why}");
    }
    let mine = bare.call(Some(&own), "journal_recent", json!({})).await.unwrap();
    assert_eq!(mine["events"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_does_not_tell_whether_an_id_is_taken_elsewhere() {
    let bare = Bare::new();
    let everyone = caller(Role::Admin, "*");
    let stored = json!({"content": "The safe opens with 4711", "namespace": "other"});
    let taken = bare.call(Some(&everyone), "memory_store", stored).await.unwrap()["id"].clone();
    let free = json!(MemoryId::generate(Timestamp::UNIX_EPOCH));
    let own = caller(Role::Writer, "team/ana");
    for (number, id) in [taken, free].into_iter().enumerate() {
        let memory = json!({"content": format!("Shelf {number} holds the {} book", number * 5), "id": id});
        let answer = bare.call(Some(&own), "memory_import", json!({"memories": [memory]})).await.unwrap();
        assert_eq!((&answer["ids"], &answer["stored"]), (&json!([id]), &json!(1)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_of_a_part_sees_and_moves_that_part_alone() {
    let bare = Bare::new();
    let everyone = caller(Role::Admin, "*");
    for place in ["team/ana", "team/bo", "other"] {
        let stored = json!({"content": format!("Something of {place}"), "namespace": place});
        bare.call(Some(&everyone), "memory_store", stored).await.unwrap();
    }
    let own = caller(Role::Admin, "team/*");
    let listed = bare.call(Some(&own), "namespace_list", json!({})).await.unwrap();
    let names: Vec<_> = listed["namespaces"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["team/ana", "team/bo"]);
    let events = bare.call(Some(&own), "memory_events", json!({})).await.unwrap();
    let places =
        events["events"].as_array().unwrap().iter().map(|event| event["namespace"].as_str().unwrap());
    assert!(places.clone().count() > 0 && places.clone().all(|place| place.starts_with("team/")));
    for (from, to) in [("team/ana", "other"), ("other", "team/ana"), ("team/ana", "teams")] {
        let why = bare.call(Some(&own), "namespace_move", json!({"from": from, "to": to})).await.unwrap_err();
        assert!(why.contains("does not hold"), "{from} to {to}: {why}");
    }
    let why = bare.call(Some(&own), "namespace_delete", json!({"name": "other"})).await.unwrap_err();
    assert!(why.contains("does not hold"), "{why}");
    for tool in ["memory_maintain", "memory_sweep"] {
        let why = bare.call(Some(&own), tool, json!({})).await.unwrap_err();
        assert!(why.contains("a key for *"), "{tool}: {why}");
    }
    let moved = bare.call(Some(&own), "namespace_move", json!({"from": "team/ana", "to": "team/cy"})).await;
    assert_eq!(moved.unwrap()["memories"], 1);
    let stats = bare.call(Some(&everyone), "memory_stats", json!({"namespace": "other"})).await.unwrap();
    assert_eq!(stats["memories"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_in_no_namespace_is_told_only_to_whoever_may_look_everywhere() {
    let world = World::whole();
    let engine = world.engine.get().await.unwrap();
    let key = NewKey { name: "laptop".to_owned(), role: Role::Reader, scope: Scope::All };
    engine.create_key(key).unwrap();
    // The client checks the shape of the answer, and this event has no namespace.
    let told = world.client().await.ok("memory_events", json!({"kinds": ["key_created"]})).await;
    assert_eq!(told["events"].as_array().unwrap().len(), 1);
    let narrowed = json!({"kinds": ["key_created"], "namespace": "team/*"});
    let told = world.client().await.ok("memory_events", narrowed).await;
    assert_eq!(told["events"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_of_another_namespace_are_nobodys() {
    let bare = Bare::new();
    let everyone = caller(Role::Admin, "*");
    let heard = json!({
        "session": "s",
        "messages": [{"role": "user", "text": "We decided to open the safe with 4711."}],
        "observe": "now",
        "namespace": "other",
    });
    bare.call(Some(&everyone), "notes_hear", heard).await.unwrap();
    let own = caller(Role::Writer, "team/ana");
    for (tool, arguments) in [
        ("notes_get", json!({})),
        ("notes_get", json!({"session": "s"})),
        ("context_get", json!({"session": "s", "query": "the safe"})),
        ("context_take", json!({"session": "s"})),
        ("context_take", json!({"session": "fresh"})),
    ] {
        let answer = bare.call(Some(&own), tool, arguments).await.unwrap().to_string();
        assert!(!answer.contains("4711") && !answer.contains("other"), "{tool}: {answer}");
    }
    let kept = json!({"session": "fresh", "namespace": "other"});
    let kept = bare.call(Some(&everyone), "context_take", kept).await.unwrap();
    assert!(kept["text"].as_str().unwrap().contains("4711"), "nobody took it: {kept}");
}
