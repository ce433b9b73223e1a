//! Codex: lines with a payload. What was said is in the events; what the model was sent, with all that is put around it,
//! is in the response items.

use serde_json::Value;

use super::{Piece, Role, Told, name_of, time_of};
use crate::hooks::json::{plain_name, text_of};

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let payload = &line["payload"];
    let kind = payload.get("type").and_then(Value::as_str).map(plain_name).unwrap_or_default();
    match line.get("type").and_then(Value::as_str) {
        Some("event_msg") => Told { said: event(line, payload, &kind), tools: 0 },
        Some("response_item") => {
            let is_tool =
                kind.ends_with("call") || kind.ends_with("calloutput") || kind == "toolsearchoutput";
            Told { said: None, tools: usize::from(is_tool) }
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
