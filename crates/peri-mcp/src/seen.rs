//! What a model is given, its user can see: answers hold no characters that are hidden or steer a terminal.

use std::borrow::Cow;

use perihelion::visible;
use serde_json::{Map, Value};

/// The tool whose answer is a copy of what is stored, byte by byte.
const COPIES: &str = "memory_export";

/// The answer of a tool, all of it to be seen.
pub(crate) fn answer(tool: &str, data: Map<String, Value>) -> Value {
    let data = Value::Object(data);
    if tool == COPIES { data } else { seen(data) }
}

/// A document, all of it to be seen.
pub(crate) fn seen(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text_of(text)),
        Value::Array(values) => Value::Array(values.into_iter().map(seen).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, seen(value))).collect())
        }
        other => other,
    }
}

/// A text, all of it to be seen.
pub(crate) fn text_of(text: String) -> String {
    match visible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(shown) => shown,
    }
}
