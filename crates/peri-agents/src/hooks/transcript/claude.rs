//! Claude Code: a line for each block of a message, between lines about everything else.

use serde_json::Value;

use super::deeds::{Trace, TurnEnd, answered, called};
use super::{Piece, Role, Told, blocks, is_true, kinds, name_of, time_of};
use crate::hooks::json::text_of;

/// Lines that say any of these were written by Claude Code itself, or in a conversation beside this one.
const NOT_SAID: [&str; 5] =
    ["isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage"];
/// What it writes in the user's name when the user breaks a turn off.
const INTERRUPTED: &str = "[Request interrupted by user";
/// The model of answers that no model gave.
const NO_MODEL: &str = "<synthetic>";

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    if is_true(line, "isApiErrorMessage") && !is_true(line, "isSidechain") {
        return Told::ended(TurnEnd::Failed, line);
    }
    if NOT_SAID.iter().any(|flag| is_true(line, flag)) || !is_from_a_person(line) {
        return Told::default();
    }
    match line.get("type").and_then(Value::as_str) {
        Some("user") => user(line),
        Some("assistant") => assistant(line),
        Some("attachment") => queued(line),
        _ => Told::default(),
    }
}

fn user(line: &Value) -> Told {
    let content = content_of(line);
    let tools = blocks(content, |kind| kind == "tool_result");
    // Text beside the result of a tool comes from whoever ran the tool.
    let text = if tools == 0 { text_of(content) } else { String::new() };
    let mut traces: Vec<Trace> = kinds(content).filter_map(trace).collect();
    if text.trim_start().starts_with(INTERRUPTED) {
        traces.push(Trace::Ended(TurnEnd::Interrupted));
    }
    let at = time_of(line);
    let said = Piece { role: Role::User, text, at, id: name_of(line, "uuid") };
    Told { said: Some(said), tools, traces, at, is_amid: false }
}

/// What a block tells of a tool.
fn trace((kind, block): (&str, &Value)) -> Option<Trace> {
    match kind {
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            Some(called(name_of(block, "id"), block.get("name")?.as_str()?, &block["input"]))
        }
        kind if kind.ends_with("tool_result") => {
            let has_failed = is_true(block, "is_error");
            Some(answered(name_of(block, "tool_use_id"), &block["content"], has_failed))
        }
        _ => None,
    }
}

fn assistant(line: &Value) -> Told {
    let content = content_of(line);
    let tools = blocks(content, |kind| kind.ends_with("tool_use") || kind.ends_with("tool_result"));
    let (message, at) = (&line["message"], time_of(line));
    if message.get("model").and_then(Value::as_str) == Some(NO_MODEL) {
        return Told { tools, at, ..Told::default() };
    }
    let id = name_of(message, "id").or_else(|| name_of(line, "uuid"));
    let said = Piece { role: Role::Assistant, text: text_of(content), at, id };
    let traces = kinds(content).filter_map(trace).collect();
    Told { said: Some(said), tools, traces, at, is_amid: false }
}

/// What the user said while the agent was at work has no line of the user's.
fn queued(line: &Value) -> Told {
    let Some(attachment) = line.get("attachment") else { return Told::default() };
    let is = |field: &str, expected: &str| attachment.get(field).and_then(Value::as_str) == Some(expected);
    let is_said = is("type", "queued_command") && is("commandMode", "prompt");
    if !is_said || is_true(attachment, "isMeta") || !is_from_a_person(attachment) {
        return Told::default();
    }
    let text = attachment.get("prompt").map(text_of).unwrap_or_default();
    let id = name_of(attachment, "source_uuid").or_else(|| name_of(line, "uuid"));
    let at = time_of(line);
    let said = Some(Piece { role: Role::User, text, at, id });
    Told { said, at, is_amid: true, ..Told::default() }
}

fn content_of(line: &Value) -> &Value {
    &line["message"]["content"]
}

/// Other sessions, tasks and timers speak in the user's place, and say so.
fn is_from_a_person(value: &Value) -> bool {
    let kind = value.get("origin").and_then(|origin| origin.get("kind")).and_then(Value::as_str);
    kind.is_none_or(|kind| kind == "human")
}
