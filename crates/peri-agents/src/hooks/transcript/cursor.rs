//! Cursor: a line for each message, with neither times nor names.

use serde_json::Value;

use super::{Piece, Role, Told, blocks, time_of};
use crate::hooks::json::text_of;

/// What stands in the place of a thought.
const THOUGHT: &str = "[REDACTED]";

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let role = match line.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Told::default(),
    };
    let content = &line["message"]["content"];
    let tools = blocks(content, |kind| matches!(kind, "tool_use" | "tool_result"));
    let text = text_of(content);
    let text = match role {
        Role::User => text,
        Role::Assistant => text.trim().trim_end_matches(THOUGHT).to_owned(),
    };
    Told { said: Some(Piece { role, text, at: time_of(line), id: None }), tools }
}
