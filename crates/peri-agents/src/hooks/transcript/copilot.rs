//! Visual Studio Code: a line for each event, with its data.

use serde_json::Value;

use super::deeds::{Trace, TurnEnd, answered, called};
use super::{Piece, Role, Told, name_of, time_of};
use crate::hooks::json::text_of;

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let data = &line["data"];
    let (role, id) = match line.get("type").and_then(Value::as_str) {
        Some("user.message") => (Role::User, name_of(line, "id")),
        Some("assistant.message") => {
            (Role::Assistant, name_of(data, "messageId").or_else(|| name_of(line, "id")))
        }
        Some("abort") => return Told::ended(TurnEnd::Interrupted, line),
        Some("session.error") => return Told::ended(TurnEnd::Failed, line),
        Some(kind) => return tool(line, kind),
        None => return Told::default(),
    };
    // Agents below this one, and what skills and the program put in, are not this conversation.
    let is_from_below = data.get("parentToolCallId").is_some_and(|id| !id.is_null());
    let is_put_in = data.get("source").and_then(Value::as_str).is_some_and(|source| source != "user");
    if is_from_below || (role == Role::User && is_put_in) {
        return Told::default();
    }
    let at = time_of(line);
    let said = Piece { role, text: text_of(&data["content"]), at, id };
    Told { said: Some(said), at, ..Told::default() }
}

/// What an event tells of a tool. Those of agents below this one count as traces only.
fn tool(line: &Value, kind: &str) -> Told {
    let data = &line["data"];
    let is_from_below = data.get("parentToolCallId").is_some_and(|id| !id.is_null());
    let trace = if is_from_below { None } else { trace(data, kind) };
    let tools = usize::from(kind.starts_with("tool."));
    Told { tools, traces: trace.into_iter().collect(), at: time_of(line), ..Told::default() }
}

fn trace(data: &Value, kind: &str) -> Option<Trace> {
    let id = name_of(data, "toolCallId");
    match kind {
        "tool.execution_start" => Some(called(id, data.get("toolName")?.as_str()?, &data["arguments"])),
        "tool.execution_complete" => {
            let has_failed = data.get("success") == Some(&Value::Bool(false));
            let part = if has_failed { &data["error"] } else { &data["result"] };
            let words = ["message", "content"].iter().find_map(|name| part.get(name)).unwrap_or(part);
            Some(answered(id, words, has_failed))
        }
        _ => None,
    }
}
