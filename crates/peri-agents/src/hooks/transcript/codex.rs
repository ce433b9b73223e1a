//! Codex: lines with a payload. What was said is in the events; what the model was sent, with all that is put around it,
//! is in the response items.

use serde_json::Value;

use super::deeds::{Trace, TurnEnd, answered, called};
use super::{Piece, Role, Told, name_of, time_of};
use crate::hooks::json::{plain_name, text_of};

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let payload = &line["payload"];
    let kind = payload.get("type").and_then(Value::as_str).map(plain_name).unwrap_or_default();
    match line.get("type").and_then(Value::as_str) {
        Some("event_msg") => match kind.as_str() {
            "turnaborted" => Told::ended(TurnEnd::Interrupted, line),
            "error" => Told::ended(TurnEnd::Failed, line),
            _ => Told { said: event(line, payload, &kind), at: time_of(line), ..Told::default() },
        },
        Some("response_item") => {
            let is_tool =
                kind.ends_with("call") || kind.ends_with("calloutput") || kind == "toolsearchoutput";
            let traces = trace(payload, &kind).into_iter().collect();
            Told { tools: usize::from(is_tool), traces, at: time_of(line), ..Told::default() }
        }
        _ => Told::default(),
    }
}

fn event(line: &Value, payload: &Value, kind: &str) -> Option<Piece> {
    let (role, text, id) = match kind {
        "usermessage" if is_plain(payload) => (Role::User, text_of(&payload["message"]), None),
        "agentmessage" => (Role::Assistant, text_of(&payload["message"]), None),
        // Since the summer of 2026 in place of the two above.
        "itemcompleted" => {
            let item = &payload["item"];
            (role_of_item(item)?, text_of(&item["content"]), name_of(item, "id"))
        }
        _ => return None,
    };
    Some(Piece { role, text, at: time_of(line), id })
}

fn role_of_item(item: &Value) -> Option<Role> {
    match plain_name(item.get("type")?.as_str()?).as_str() {
        "usermessage" => Some(Role::User),
        "agentmessage" => Some(Role::Assistant),
        _ => None,
    }
}

/// Early versions told what they put in as something the user said, of another kind.
fn is_plain(payload: &Value) -> bool {
    payload.get("kind").and_then(Value::as_str).is_none_or(|kind| kind == "plain")
}

/// What a response item tells of a tool.
fn trace(payload: &Value, kind: &str) -> Option<Trace> {
    let id = name_of(payload, "call_id");
    match kind {
        "functioncall" => Some(called(id, payload.get("name")?.as_str()?, &payload["arguments"])),
        "customtoolcall" => Some(called(id, payload.get("name")?.as_str()?, &payload["input"])),
        "localshellcall" => Some(called(id, "shell", &payload["action"])),
        "websearchcall" => Some(called(id, "web_search", &payload["action"])),
        kind if kind.ends_with("calloutput") => {
            let output = &payload["output"];
            // A text may hold the output with how the command ended, as JSON.
            let inner = output.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
            let whole = inner.filter(Value::is_object).unwrap_or_else(|| output.clone());
            let words = ["output", "content"].iter().find_map(|name| whole.get(name)).unwrap_or(&whole);
            Some(answered(id, words, has_failed(&whole)))
        }
        _ => None,
    }
}

/// Whether a command is told to have ended badly.
fn has_failed(output: &Value) -> bool {
    let code = output["metadata"]["exit_code"].as_i64();
    let is_refused = output.get("success") == Some(&Value::Bool(false));
    let first = text_of(output);
    let told = first.lines().take(4).find_map(|line| {
        let code =
            line.strip_prefix("Exit code: ").or_else(|| line.strip_prefix("Process exited with code "));
        code?.trim().parse::<i64>().ok()
    });
    is_refused || code.or(told).is_some_and(|code| code != 0)
}
