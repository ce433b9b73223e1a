//! OpenAI's chat completions.

use serde_json::{Map, Value, json};

use super::{Cost, Exchange, Finish, Limit, Manners, Reading, Structured, Temperature, cost, system};
use crate::{Garbled, Request, Settings};

/// Servers add the beginning of a conversation, and some models a system text of their own.
const ADDED_TOKENS: u64 = 512;

pub(super) fn compose(settings: &Settings, request: &Request, manners: Manners) -> Exchange {
    let system = system(request, manners);
    let mut messages: Vec<Value> = Vec::new();
    if !system.is_empty() {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.extend(request.messages.iter().map(|message| json!(message)));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(settings.model));
    body.insert("messages".to_owned(), Value::Array(messages));
    body.insert("stream".to_owned(), json!(false));
    let limit = match manners.limit {
        Limit::MaxTokens => "max_tokens",
        Limit::MaxCompletionTokens => "max_completion_tokens",
    };
    body.insert(limit.to_owned(), json!(request.max_output_tokens));
    if let (Some(temperature), Temperature::Sent) = (request.temperature, manners.temperature) {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(format) = request.schema.as_ref().and_then(|schema| format(schema, manners.structured)) {
        body.insert("response_format".to_owned(), format);
    }
    let key = settings.key.as_ref().map(|key| ("authorization", format!("Bearer {}", key.reveal())));
    Exchange {
        url: settings.address.below(&["chat", "completions"]),
        headers: key.into_iter().collect(),
        body: Value::Object(body),
        cost: price(request, &system),
    }
}

fn format(schema: &Value, structured: Structured) -> Option<Value> {
    match structured {
        Structured::Schema => Some(json!({
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": is_strict(schema), "schema": schema},
        })),
        Structured::Object => Some(json!({"type": "json_object"})),
        Structured::Words => None,
    }
}

/// Whether a schema may be enforced strictly: every object lists all its fields as required and allows no others.
fn is_strict(schema: &Value) -> bool {
    let Some(fields) = schema.as_object() else { return true };
    let children = || {
        let named = ["properties", "$defs"].iter().filter_map(|part| fields.get(*part)?.as_object());
        named.flat_map(Map::values).chain(fields.get("items"))
    };
    let any = fields.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let closed = fields.get("properties").is_none_or(|properties| {
        let required = fields.get("required").and_then(Value::as_array).map_or(0, Vec::len);
        properties.as_object().is_some_and(|properties| properties.len() == required)
            && fields.get("additionalProperties") == Some(&Value::Bool(false))
    });
    closed && children().chain(any).all(is_strict)
}

fn price(request: &Request, system: &str) -> Cost {
    let schema = request.schema.as_ref().map(Value::to_string).unwrap_or_default();
    let messages = request.messages.iter().map(|message| message.content.as_str());
    cost(messages.chain([system, &schema]), ADDED_TOKENS)
}

pub(super) fn interpret(body: &Value) -> Result<Reading, Garbled> {
    let missing = |detail: &str| Garbled::Envelope { detail: detail.to_owned() };
    let choice = body.get("choices").and_then(|choices| choices.get(0));
    let choice = choice.ok_or_else(|| missing("it is not what a server of chat completions sends"))?;
    let message = choice.get("message").ok_or_else(|| missing("it holds no message"))?;
    let finish = match choice.get("finish_reason").and_then(Value::as_str) {
        Some("length") => Finish::Cut,
        Some("content_filter") => Finish::Declined,
        _ if message.get("refusal").is_some_and(|refusal| refusal.is_string()) => Finish::Declined,
        _ => Finish::Whole,
    };
    Ok(Reading {
        text: content(message.get("content")).ok_or_else(|| missing("its message holds no text"))?,
        json: None,
        finish,
        usage: usage(body),
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Text, or a list of parts of which some are text.
fn content(content: Option<&Value>) -> Option<String> {
    match content {
        None | Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(parts)) => {
            Some(parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect())
        }
        Some(_) => None,
    }
}

fn usage(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usage")?;
    let tokens = |name: &str| usage.get(name).and_then(Value::as_u64);
    Some((tokens("prompt_tokens")?, tokens("completion_tokens")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_schemas_without_any_freedom_are_enforced_strictly() {
        let strict = json!({
            "type": "object", "required": ["items"], "additionalProperties": false,
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
        });
        assert!(is_strict(&strict));
        let mut open = strict.clone();
        open["additionalProperties"] = json!(true);
        assert!(!is_strict(&open));
        let mut optional = strict.clone();
        optional["required"] = json!([]);
        assert!(!is_strict(&optional));
        assert!(!is_strict(&json!({"type": "array", "items": optional})));
    }
}
