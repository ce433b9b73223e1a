//! A made-up model that knows what to make of the story.

use serde_json::{Value, json};

use crate::server::{Asked, Reply};

/// What is noted of a message that holds some words: text, priority, kind, whether it lasts, and what it replaces.
type Line = (&'static str, &'static str, &'static str, &'static str, bool, &'static str);

const LINES: [Line; 6] = [
    ("MySQL", "We decided to use MySQL for the orders database.", "high", "decision", false, ""),
    ("한국어로", "사용자는 항상 한국어로 답하기를 원한다.", "high", "preference", true, ""),
    ("测试", "提交之前必须先跑测试。", "high", "constraint", true, ""),
    ("release notes", "We still need to write the release notes.", "medium", "open task", false, ""),
    (
        "to Postgres",
        "We moved the orders database from MySQL to Postgres.",
        "high",
        "state change",
        false,
        "MySQL",
    ),
    ("Friday", "User never deploys on a Friday.", "high", "constraint", true, ""),
];

/// Answers whatever is asked.
pub fn answer(asked: &Asked) -> Reply {
    let answer = if asked.wanted.contains(&"new".to_owned()) {
        observed(&asked.data)
    } else if asked.wanted.contains(&"promoted".to_owned()) {
        promoted(&asked.data)
    } else {
        kept(&asked.data)
    };
    Reply::Says(format!("```json\n{answer}\n```"))
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().unwrap().iter().map(|own| own["text"].as_str().unwrap())
}

fn id_with(notes: &Value, words: &str) -> Vec<String> {
    let own = notes.as_array().unwrap().iter();
    let own = own.filter(|note| !words.is_empty() && note["text"].as_str().unwrap().contains(words));
    own.map(|note| note["id"].as_str().unwrap().to_owned()).collect()
}

fn observed(data: &Value) -> Value {
    let new: Vec<Value> = texts(&data["messages"])
        .flat_map(|text| LINES.iter().filter(move |line| text.contains(line.0)))
        .map(|(_, text, priority, kind, durable, replaces)| {
            let ids = id_with(&data["notes"], replaces);
            json!({ "text": text, "priority": priority, "kind": kind, "durable": durable, "was": null,
                    "replaces": ids.iter().cloned().chain(["n9999".to_owned()]).collect::<Vec<_>>() })
        })
        .collect();
    let is_written = texts(&data["messages"]).any(|text| text.contains("notes are done"));
    let done = if is_written { id_with(&data["notes"], "release notes") } else { Vec::new() };
    json!({ "new": new, "reworded": [], "done": done })
}

fn promoted(data: &Value) -> Value {
    let one = |own: &Value| json!({ "from": [own["id"]], "text": own["text"], "priority": own["priority"], "replaces": null });
    json!({ "promoted": data["candidates"].as_array().unwrap().iter().map(one).collect::<Vec<_>>() })
}

/// Keeps what matters and the first of the rest.
fn kept(data: &Value) -> Value {
    let notes = data["notes"].as_array().unwrap();
    let stays = |(place, note): &(usize, &Value)| note["priority"] == "high" || *place < 2;
    let (stay, go): (Vec<_>, Vec<_>) = notes.iter().enumerate().partition(stays);
    let item = |(_, note): &(usize, &Value)| json!({ "from": [note["id"]], "text": note["text"], "priority": note["priority"] });
    let dropped = |(_, note): &(usize, &Value)| json!({ "id": note["id"], "why": "minor" });
    json!({
        "items": stay.iter().map(item).collect::<Vec<_>>(),
        "dropped": go.iter().map(dropped).collect::<Vec<_>>(),
    })
}
