//! The shape of every JSON answer: which keys there are and what sort of value each holds.

use serde_json::{Value, json};

use super::support::{Peri, text};

/// A document with every value replaced by its sort, and every list by its first item.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => json!("null"),
        Value::Bool(_) => json!("boolean"),
        Value::Number(_) => json!("number"),
        Value::String(text) if text.len() == 36 && text.matches('-').count() == 4 => json!("id"),
        Value::String(text) if text.ends_with('Z') && text.contains('T') => json!("time"),
        Value::String(_) => json!("string"),
        Value::Array(items) => items.iter().take(1).map(shape).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
    }
}

/// A reorbit that has something to do, whatever was settled before.
fn reorbited(peri: &Peri) -> Value {
    peri.remember(&["Bruno plays chess", "-n", "unsettled"]);
    peri.age(1);
    peri.json(&["reorbit", "-n", "unsettled"])
}

#[test]
fn json_answers_keep_their_shape() {
    let peri = Peri::new();
    let remembered =
        peri.json(&["remember", "Ana prefers tea, her key is ghp_abcdefghijklmnopqrstuvwxyz0123456789"]);
    let id = remembered["receipts"][0]["id"].as_str().unwrap().to_owned();
    let recalled = peri.json(&["recall", "tea"]);
    let revised = peri.json(&["revise", &id, "Ana prefers coffee", "--tag", "drink", "--pin"]);
    let twin = peri.remember(&["the kiln is in the shed"]);
    peri.ok(&["graph", "link", &id, &twin]);
    peri.ok(&["session", "start", "monday"]);
    peri.remember(&["the kiln is hot", "--session", "monday", "--speaker", "Ines"]);
    let file = peri.home().with_file_name("everything.jsonl").display().to_string();
    let graph = peri.home().with_file_name("graph.dot").display().to_string();
    let demo = peri.home().with_file_name("demo").display().to_string();
    let ana = r#"{"type":"entity","name":"Ana","entityType":"person","observations":[]}"#;
    let entities = peri.file("memory.jsonl", ana);
    let key = peri.json(&["key", "create", "ci"]);
    let key_id = text(&key["key"]["id"]);
    let episode = peri.remember(&["어제 도자기를 구웠다", "--layer", "episodic", "-n", "episodes"]);
    let promoted = peri.json(&["promote", &episode]);
    let answers = json!({
        "01 remember": remembered,
        "02 recall": recalled,
        "03 revise": revised,
        "04 get": peri.json(&["get", &id, "--history"]),
        "05 list": peri.json(&["list"]),
        "06 stats": peri.json(&["stats"]),
        "07 doctor": peri.json(&["doctor"]),
        "08 forget": peri.json(&["forget", &id]),
        "09 trash list": peri.json(&["trash", "list"]),
        "10 trash restore": peri.json(&["trash", "restore", &id]),
        "11 trash purge": peri.json(&["trash", "purge", "--all", "--yes"]),
        "12 maintain": peri.json(&["maintain"]),
        "13 config show": peri.json(&["config", "show"]),
        "14 config path": peri.json(&["config", "path"]),
        "15 config defaults": peri.json(&["config", "defaults"]),
        "16 demo": peri.json(&["demo", "--home", &demo]),
        "17 history": peri.json(&["history", &id]),
        "18 graph neighbours": peri.json(&["graph", "neighbours", &id]),
        "19 graph path": peri.json(&["graph", "path", &id, &twin]),
        "20 graph rank": peri.json(&["graph", "rank"]),
        "21 graph communities": peri.json(&["graph", "communities"]),
        "22 graph export": peri.json(&["graph", "export", "--format", "dot", "-o", &graph]),
        "23 graph link": peri.json(&["graph", "link", &id, &twin, "--type", "sequence"]),
        "24 graph unlink": peri.json(&["graph", "unlink", &id, &twin, "--type", "sequence"]),
        "25 session start": peri.json(&["session", "start", "tuesday"]),
        "26 session end": peri.json(&["session", "end", "monday"]),
        "27 session list": peri.json(&["session", "list"]),
        "28 session show": peri.json(&["session", "show", "monday"]),
        "29 feedback": peri.json(&["feedback", "--query", "tea", "--used", &id]),
        "30 weights": peri.json(&["weights"]),
        "31 weights rollback": peri.json(&["weights", "rollback", "0"]),
        "32 export": peri.json(&["export", &file]),
        "33 import": peri.json(&["import", &file]),
        "34 reorbit": reorbited(&peri),
        "35 health": peri.json(&["health"]),
        "36 logs": peri.json(&["logs", "--limit", "1", "--event", "stored"]),
        "37 namespace list": peri.json(&["namespace", "list"]),
        "38 namespace move": peri.json(&["namespace", "move", "default", "elsewhere"]),
        "39 namespace delete": peri.json(&["namespace", "delete", "elsewhere", "--yes"]),
        "40 key create": key,
        "41 key list": peri.json(&["key", "list"]),
        "42 key revoke": peri.json(&["key", "revoke", &key_id]),
        "43 import memory-json": peri.json(&["import", "memory-json", &entities]),
        "44 work set": peri.json(&["work", "set", "topic", "the quarterly report", "--session", "letter"]),
        "45 work get": peri.json(&["work", "get", "topic", "--session", "letter"]),
        "46 work list": peri.json(&["work", "list", "--session", "letter"]),
        "47 work sessions": peri.json(&["work", "sessions"]),
        "48 work clear": peri.json(&["work", "clear", "--all", "--session", "letter"]),
        "49 snapshot create": peri.json(&["snapshot", "create"]),
        "50 snapshot list": peri.json(&["snapshot", "list"]),
        "51 snapshot restore": peri.json(&["snapshot", "restore", "latest"]),
        "52 promote": promoted,
        "53 promote --undo": peri.json(&["promote", "--undo", &text(&promoted["memory"]["id"])]),
        "54 sweep": peri.json(&["sweep"]),
        "55 report": peri.json(&["report"]),
        "56 report --write": peri.json(&["report", "--write"]),
    });
    insta::assert_json_snapshot!("json_shapes", shape(&answers));
}
