//! Cursor: a line for each message, with neither times nor names.

use serde_json::Value;

use super::deeds::{Trace, TurnEnd, answered, called};
use super::{Piece, Role, Told, blocks, is_true, kinds, name_of, time_of};
use crate::hooks::json::text_of;

/// What stands in the place of a thought.
const THOUGHT: &str = "[REDACTED]";

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let role = match line.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return ended(line),
    };
    let content = &line["message"]["content"];
    let tools = blocks(content, |kind| matches!(kind, "tool_use" | "tool_result"));
    let text = text_of(content);
    let text = match role {
        Role::User => text,
        Role::Assistant => text.trim().trim_end_matches(THOUGHT).to_owned(),
    };
    let at = time_of(line);
    let said = Some(Piece { role, text, at, id: None });
    Told { said, tools, traces: kinds(content).filter_map(trace).collect(), at, is_amid: false }
}

/// How a turn ended, if that is what a line says.
fn ended(line: &Value) -> Told {
    let is_end = line.get("type").and_then(Value::as_str) == Some("turn_ended");
    match line.get("status").and_then(Value::as_str).filter(|_| is_end) {
        Some("aborted" | "cancelled" | "interrupted") => Told::ended(TurnEnd::Interrupted, line),
        Some("error" | "failed") => Told::ended(TurnEnd::Failed, line),
        _ => Told::default(),
    }
}

/// What a block tells of a tool.
fn trace((kind, block): (&str, &Value)) -> Option<Trace> {
    match kind {
        "tool_use" => Some(called(name_of(block, "id"), block.get("name")?.as_str()?, &block["input"])),
        "tool_result" => {
            Some(answered(name_of(block, "tool_use_id"), &block["content"], is_true(block, "is_error")))
        }
        _ => None,
    }
}
