//! Visual Studio Code: a line for each event, with its data.

use serde_json::Value;

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
        Some(kind) => return Told { said: None, tools: usize::from(kind.starts_with("tool.")) },
        None => return Told::default(),
    };
    // Agents below this one, and what skills and the program put in, are not this conversation.
    let is_from_below = data.get("parentToolCallId").is_some_and(|id| !id.is_null());
    let is_put_in = data.get("source").and_then(Value::as_str).is_some_and(|source| source != "user");
    if is_from_below || (role == Role::User && is_put_in) {
        return Told::default();
    }
    let said = Piece { role, text: text_of(&data["content"]), at: time_of(line), id };
    Told { said: Some(said), tools: 0 }
}
