//! Gemini CLI: a line for each message, written again when more is known of it, between lines of settings.

use serde_json::Value;

use super::deeds::{Trace, TurnEnd, answered, called};
use super::{Piece, Role, Told, name_of, time_of};
use crate::hooks::json::text_of;

/// What it writes when the user breaks a turn off.
const CANCELLED: &str = "Request cancelled.";

/// What a line says.
pub(super) fn told(line: &Value) -> Told {
    let role = match line.get("type").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("gemini") => Role::Assistant,
        Some("info") if text_of(&line["content"]).trim() == CANCELLED => {
            return Told::ended(TurnEnd::Interrupted, line);
        }
        Some("error") => return Told::ended(TurnEnd::Failed, line),
        _ => return Told::default(),
    };
    let content = &line["content"];
    // What was shown is what was typed; what was sent has files and what hooks say in it.
    let shown = line.get("displayContent").map(text_of).filter(|text| !text.trim().is_empty());
    let text = shown.unwrap_or_else(|| text_of(content));
    let at = time_of(line);
    let said = Piece { role, text, at, id: name_of(line, "id") };
    let calls = line.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
    let traces = calls.clone().flat_map(traces).collect();
    Told { said: Some(said), tools: calls.count() + parts(content), traces, at, is_amid: false }
}

/// A call and, once it is known, what came of it.
fn traces(call: &Value) -> Vec<Trace> {
    let Some(name) = call.get("name").and_then(Value::as_str) else { return Vec::new() };
    let id = name_of(call, "id");
    let status = call.get("status").and_then(Value::as_str);
    let has_failed = matches!(status, Some("error" | "cancelled"));
    let output = ["resultDisplay", "result"].iter().find_map(|field| call.get(field));
    let answer = (status.is_some() || output.is_some())
        .then(|| answered(id.clone(), output.unwrap_or(&Value::Null), has_failed));
    std::iter::once(called(id, name, &call["args"])).chain(answer).collect()
}

fn parts(content: &Value) -> usize {
    let is_tool =
        |part: &&Value| part.get("functionCall").is_some() || part.get("functionResponse").is_some();
    content.as_array().into_iter().flatten().filter(is_tool).count()
}
