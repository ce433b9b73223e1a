//! Gemini CLI: a line for each message, written again when more is known of it, between lines of settings.

use serde_json::Value;

use super::{Piece, Role, Told, name_of, time_of};
use crate::hooks::json::text_of;

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let role = match line.get("type").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("gemini") => Role::Assistant,
        _ => return Told::default(),
    };
    let content = &line["content"];
    // What was shown is what was typed; what was sent has files and what hooks say in it.
    let shown = line.get("displayContent").map(text_of).filter(|text| !text.trim().is_empty());
    let text = shown.unwrap_or_else(|| text_of(content));
    let said = Piece { role, text, at: time_of(line), id: name_of(line, "id") };
    Told { said: Some(said), tools: calls(line) + parts(content) }
}

fn calls(line: &Value) -> usize {
    line.get("toolCalls").and_then(Value::as_array).map_or(0, Vec::len)
}

fn parts(content: &Value) -> usize {
    let is_tool =
        |part: &&Value| part.get("functionCall").is_some() || part.get("functionResponse").is_some();
    content.as_array().into_iter().flatten().filter(is_tool).count()
}
