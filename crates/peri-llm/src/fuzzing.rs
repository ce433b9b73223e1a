//! What servers of language models answer, for the fuzz targets alone.

use serde_json::Value;

use crate::json::{Shape, find};
use crate::provider::interpret;
use crate::{Garbled, Provider, Unreadable};

/// The words of an answer.
pub fn envelope(provider: Provider, body: &Value) -> Result<String, Garbled> {
    interpret(provider, body).map(|reading| reading.text)
}

/// The JSON in what a model wrote.
pub fn json(text: &str, schema: &Value) -> Result<Value, Unreadable> {
    find(text, &Shape::of(schema))
}
