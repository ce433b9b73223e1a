//! Every call that an agent makes while the server is away: through each face, with processes that are killed in between.

use serde_json::{Value, json};

use crate::database::{Away, Database, program, until};
use crate::served::{Answer, Served, Talk};
use crate::support::Peri;

/// Sessions, and what is said in them.
const SESSIONS: [(&str, &str); 2] = [("standup", "the release is on Friday"), ("retro", "회고는 짧았다")];

/// What there was before the server went away.
struct Before {
    heron: String,
    stork: String,
    crane: String,
    /// Three states in which memories were seen.
    tags: [String; 3],
    gone: String,
    episodes: [String; 2],
    turns: [String; 2],
}

fn body(answer: &Answer) -> Value {
    serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"))
}

fn made(served: &Served, path: &str, asked: &Value) -> Value {
    let answer = served.post(path, asked);
    assert!([200, 201].contains(&answer.status), "{path}: {answer:?}");
    body(&answer)
}

fn remember(served: &Served, asked: &Value) -> String {
    made(served, "/v1/memories", asked)["id"].as_str().unwrap().to_owned()
}

fn tag(served: &Served, id: &str) -> String {
    let memory = body(&served.get(&format!("/v1/memories/{id}")));
    format!("\"{}-{}\"", memory["version"], memory["change"])
}

fn begin(peri: &Peri) -> Before {
    let served = Served::start(peri);
    let [heron, stork, crane, gone] = ["a heron by the lake", "두루미", "李娜喜欢喝茶", "never mind"]
        .map(|content| remember(&served, &json!({ "content": content })));
    let episodes = ["Ana visited the museum in Bonn", "the boiler was repaired"]
        .map(|content| remember(&served, &json!({ "content": content, "layer": "episodic" })));
    let forgotten = served.ask("DELETE", &format!("/v1/memories/{gone}"), &[], "");
    assert_eq!(forgotten.status, 200, "{forgotten:?}");
    made(&served, "/v1/edges", &json!({ "source": heron, "target": crane, "type": "related_to" }));
    for (session, content) in SESSIONS {
        made(&served, "/v1/sessions", &json!({ "session": session }));
        remember(&served, &json!({ "content": content, "session": session }));
    }
    let turns =
        [(); 2].map(|()| made(&served, "/v1/turns", &json!({}))["turn"]["id"].as_str().unwrap().to_owned());
    let tags = [&heron, &stork, &crane].map(|id| tag(&served, id));
    assert_eq!(served.end().code, Some(0));
    let mut talk = talk(peri);
    let entities = json!([
        { "name": "Ana", "entityType": "person", "observations": ["drinks tea", "lives in Bonn"] },
        { "name": "Ben", "entityType": "person", "observations": [] },
    ]);
    assert_eq!(talk.tool("create_entities", json!({ "entities": entities }))["isError"], false);
    assert_eq!(talk.leave().code, Some(0));
    Before { heron, stork, crane, tags, gone, episodes, turns }
}

fn talk(peri: &Peri) -> Talk {
    let mut talk = Talk::start(peri, &["--tools", "all"]);
    talk.greet(json!({}));
    talk
}

/// Calls that a model makes. Each waits, and says so.
fn speak(talk: &mut Talk, before: &Before) {
    let Before { heron, stork, episodes, turns, .. } = before;
    let mut stored = |content: &str| {
        let answer = talk.tool("memory_store", json!({ "content": content }));
        assert_eq!(answer["structuredContent"]["outcome"], "queued", "{answer}");
        answer["structuredContent"]["id"].as_str().unwrap().to_owned()
    };
    let new = ["지수는 제주도로 이사했다", "the ferry leaves at nine"].map(&mut stored);
    let observed = json!([{ "entityName": "지수", "contents": ["제주도에 산다"] }]);
    let related = json!([{ "from": "Ana", "to": "지수", "relationType": "knows" }]);
    let created = json!([{ "name": "지수", "entityType": "person", "observations": [] }]);
    let parted = json!([{ "entityName": "Ana", "observations": ["lives in Bonn"] }]);
    let data = json!({ "concept": "두루미", "definition": "큰 새" });
    for (tool, arguments) in [
        ("graph_link", json!({ "from": new[0], "to": new[1] })),
        ("graph_link", json!({ "from": heron, "to": stork })),
        ("memory_promote", json!({ "ids": [episodes[0]] })),
        ("memory_feedback", json!({ "query": "heron", "used": [heron] })),
        ("memory_weights_rollback", json!({ "number": 0 })),
        ("session_end", json!({ "session": "standup" })),
        ("memory_revise", json!({ "id": stork, "data": data })),
        ("turn_finish", json!({ "id": turns[0], "output": "끝났다" })),
        ("work_set", json!({ "key": "plan", "value": "walk" })),
        ("create_entities", json!({ "entities": created })),
        ("create_relations", json!({ "relations": related })),
        ("add_observations", json!({ "observations": observed })),
        ("delete_observations", json!({ "deletions": parted })),
        ("delete_entities", json!({ "entityNames": ["Ben"] })),
    ] {
        let answer = talk.tool(tool, arguments);
        assert!(!answer["isError"].as_bool().unwrap_or(false), "{tool}: {answer}");
        assert_eq!(answer["structuredContent"]["outcome"], "queued", "{tool}: {answer}");
    }
    let answer = talk.tool("session_start", json!({}));
    assert!(answer["structuredContent"]["session"].as_str().is_some(), "its name is told: {answer}");
}

/// Calls that a program makes. Each waits, and says so.
fn ask(served: &Served, before: &Before) {
    let Before { heron, stork, crane, gone, episodes, turns, tags } = before;
    let json = ("content-type", "application/json");
    let matching = |at: usize| ("if-match", tags[at].as_str());
    let unlink = format!("/v1/edges?source={heron}&target={crane}");
    let of = |id: &str| format!("/v1/memories/{id}");
    let calls = [
        (
            "POST",
            "/v1/edges".to_owned(),
            vec![json],
            json!({ "source": stork, "target": crane, "type": "related_to" }),
        ),
        ("DELETE", unlink, vec![], Value::Null),
        ("PATCH", of(heron), vec![json, matching(0)], json!({ "content": "a grey heron by the lake" })),
        ("PATCH", of(stork), vec![json, matching(1)], json!({ "pinned": true })),
        ("POST", format!("{}/restore", of(gone)), vec![], Value::Null),
        ("POST", format!("{}/promote", of(&episodes[1])), vec![json], json!({})),
        ("POST", "/v1/feedback".to_owned(), vec![json], json!({ "query": "stork", "used": [stork] })),
        ("POST", "/v1/weights/rollback".to_owned(), vec![json], json!({ "number": 0 })),
        ("POST", "/v1/sessions/retro/end".to_owned(), vec![], Value::Null),
        ("PATCH", format!("/v1/turns/{}", turns[1]), vec![json], json!({ "status": "ok" })),
        ("DELETE", of(crane), vec![matching(2)], Value::Null),
    ];
    for (method, path, headers, asked) in calls {
        let asked = if asked.is_null() { String::new() } else { asked.to_string() };
        let answer = served.ask(method, &path, &headers, &asked);
        assert_eq!(answer.status, 202, "{method} {path}: {answer:?}");
        assert_eq!(body(&answer)["outcome"], "queued", "{method} {path}: {answer:?}");
    }
}

fn status(served: &Served) -> Value {
    body(&served.get("/v1/queue"))
}

fn check_calls(server: Option<Database>) {
    let Some(mut server) = server else { return };
    let peri = program(&server.fresh());
    let before = begin(&peri);
    let mut talk = talk(&peri);
    assert_eq!(talk.tool("memory_health", json!({}))["isError"], false, "it has met the server");
    server.leave(Away::Stopped);
    speak(&mut talk, &before);
    // Dropping kills, while everything waits.
    drop(talk);
    let served = Served::start(&peri);
    ask(&served, &before);
    drop(served);
    let linked = peri.run(&["graph", "link", &before.stork, &before.heron]);
    assert_eq!((linked.code, linked.err.contains("queued")), (0, true), "{linked:?}");
    server.come_back();
    let served = Served::start(&peri);
    until("an empty queue", || status(&served)["status"]["depth"] == 0);
    let dead = status(&served)["dead"].take();
    let given_up: Vec<_> = dead.as_array().unwrap().iter().map(|one| one["operation"].clone()).collect();
    // What was promised for a state that other calls had changed meanwhile is not done in silence.
    assert_eq!(given_up, ["revise"], "{dead}");
    check_outcome(&served, &before);
    assert_eq!(served.end().code, Some(0));
}

fn check_outcome(served: &Served, before: &Before) {
    let Before { heron, stork, crane, gone, episodes, turns, .. } = before;
    let memory = |id: &str| body(&served.get(&format!("/v1/memories/{id}")));
    let targets = |id: &str| -> Vec<Value> {
        let edges = body(&served.get(&format!("/v1/memories/{id}/edges")))["edges"].take();
        let drawn = edges.as_array().unwrap().iter().filter(|edge| edge["source"] == *id);
        drawn.map(|edge| edge["target"].clone()).collect()
    };
    assert_eq!(memory(heron)["content"], "a grey heron by the lake");
    assert_eq!(memory(stork)["data"]["definition"], "큰 새");
    assert!(memory(crane)["trashed_at"].is_string() && memory(gone)["trashed_at"].is_null());
    assert!(targets(heron).contains(&json!(stork)) && targets(stork).contains(&json!(heron)));
    assert!(!targets(heron).contains(&json!(crane)), "taken away");
    for episode in episodes {
        assert!(memory(episode)["superseded_by"].is_string(), "promoted: {}", memory(episode));
    }
    for (session, content) in SESSIONS {
        let told = body(&served.get(&format!("/v1/sessions/{session}")));
        assert!(told["summary"].to_string().contains(content), "{told}");
        assert!(told["session"]["ended_at"].is_string(), "{told}");
    }
    for turn in turns {
        assert_eq!(body(&served.get(&format!("/v1/turns/{turn}")))["turn"]["status"], "ok");
    }
}

#[test]
fn every_call_of_an_agent_waits_out_a_stopped_postgresql_although_those_who_took_it_are_killed() {
    check_calls(Database::postgres());
}

#[test]
fn every_call_of_an_agent_waits_out_a_stopped_mariadb_although_those_who_took_it_are_killed() {
    check_calls(Database::mariadb());
}
