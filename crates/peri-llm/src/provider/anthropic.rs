//! Anthropic's messages.

use serde_json::{Map, Value, json};

use super::{Exchange, Finish, Manners, Reading, Structured, Temperature, cost, system};
use crate::{Garbled, Request, Settings};

const VERSION: &str = "2023-06-01";
/// The tool that the model is made to call: what it is called with is the answer.
const TOOL: &str = "answer";
/// The system text that the server adds when there are tools has several hundred tokens.
const ADDED_TOKENS: u64 = 1536;

pub(super) fn compose(settings: &Settings, request: &Request, manners: Manners) -> Exchange {
    let tool = request.schema.as_ref().filter(|schema| schema.get("type") == Some(&json!("object")));
    let structured = if tool.is_some() { manners.structured } else { Structured::Words };
    let system = system(request, Manners { structured, ..manners });
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(settings.model));
    body.insert("max_tokens".to_owned(), json!(request.max_output_tokens));
    body.insert("messages".to_owned(), json!(request.messages));
    if !system.is_empty() {
        body.insert("system".to_owned(), json!(system));
    }
    if let (Some(temperature), Temperature::Sent) = (request.temperature, manners.temperature) {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    if let (Some(schema), Structured::Schema) = (tool, structured) {
        let tool = json!({"name": TOOL, "description": "Takes the answer.", "input_schema": schema});
        body.insert("tools".to_owned(), json!([tool]));
        body.insert("tool_choice".to_owned(), json!({"type": "tool", "name": TOOL}));
    }
    let mut headers = vec![("anthropic-version", VERSION.to_owned())];
    headers.extend(settings.key.as_ref().map(|key| ("x-api-key", key.reveal().to_owned())));
    let schema = request.schema.as_ref().map(Value::to_string).unwrap_or_default();
    let messages = request.messages.iter().map(|message| message.content.as_str());
    let cost = cost(messages.chain([system.as_str(), &schema]), ADDED_TOKENS);
    Exchange { url: settings.address.below(&["v1", "messages"]), headers, body: Value::Object(body), cost }
}

pub(super) fn interpret(body: &Value) -> Result<Reading, Garbled> {
    let blocks = body.get("content").and_then(Value::as_array);
    let missing = || Garbled::Envelope { detail: "it is not what a server of messages sends".to_owned() };
    let blocks = blocks.ok_or_else(missing)?;
    let of_kind = |kind: &'static str| {
        blocks.iter().filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind))
    };
    let text = of_kind("text").filter_map(|block| block.get("text").and_then(Value::as_str)).collect();
    let called = of_kind("tool_use").find(|block| block.get("name").and_then(Value::as_str) == Some(TOOL));
    let finish = match body.get("stop_reason").and_then(Value::as_str) {
        Some("max_tokens" | "model_context_window_exceeded") => Finish::Cut,
        Some("refusal") => Finish::Declined,
        _ => Finish::Whole,
    };
    Ok(Reading {
        text,
        json: called.and_then(|block| block.get("input")).cloned(),
        finish,
        usage: usage(body),
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
    })
}

/// What was read from or written to the server's cache counts like the rest.
fn usage(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usage")?;
    let tokens = |name: &str| usage.get(name).and_then(Value::as_u64);
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|name| tokens(name)).fold(0, u64::saturating_add);
    Some((tokens("input_tokens")?.saturating_add(cached), tokens("output_tokens")?))
}
