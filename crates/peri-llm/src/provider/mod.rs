//! What is sent to each kind of server, and what its answer means.

mod anthropic;
mod manners;
mod openai;

use peri_remote::{Url, message_of, shortened};
use serde_json::Value;

pub(crate) use manners::{Limit, Manners, Structured, Temperature};

use crate::{Garbled, Provider, Request, Settings};

/// What is sent.
pub(crate) struct Exchange {
    pub(crate) url: Url,
    /// Headers besides those of the content; the key is among them.
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
    pub(crate) cost: Cost,
}

/// How many tokens the question has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// As one vocabulary counts them.
    pub(crate) counted: u64,
    /// At most, whichever vocabulary the model has.
    pub(crate) worst: u64,
}

/// What a server's answer means.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) text: String,
    /// JSON that came as such, rather than as text.
    pub(crate) json: Option<Value>,
    pub(crate) finish: Finish,
    /// Tokens in and out, if the server says so.
    pub(crate) usage: Option<(u64, u64)>,
    pub(crate) model: Option<String>,
}

/// Why the answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    Whole,
    Cut,
    Declined,
}

/// What is sent for a request.
pub(crate) fn compose(settings: &Settings, request: &Request, manners: Manners) -> Exchange {
    match settings.provider {
        Provider::OpenAi => openai::compose(settings, request, manners),
        Provider::Anthropic => anthropic::compose(settings, request, manners),
    }
}

/// What an answer means.
pub(crate) fn interpret(provider: Provider, body: &Value) -> Result<Reading, Garbled> {
    if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
        let detail = format!("it is an error: {}", message_of(error).unwrap_or("it does not say which"));
        return Err(Garbled::Envelope { detail: shortened(&detail) });
    }
    match provider {
        Provider::OpenAi => openai::interpret(body),
        Provider::Anthropic => anthropic::interpret(body),
    }
}

/// What tells a model to answer in JSON where the server cannot be told.
fn instruction(schema: &Value) -> String {
    format!(
        "Answer with one JSON value that fits this JSON schema, without any words before or behind it:\n{schema}"
    )
}

/// The system text, with the instruction where it is needed.
fn system(request: &Request, manners: Manners) -> String {
    match &request.schema {
        Some(schema) if manners.structured != Structured::Schema => {
            let instruction = instruction(schema);
            if request.system.is_empty() {
                instruction
            } else {
                format!("{}\n\n{instruction}", request.system)
            }
        }
        _ => request.system.clone(),
    }
}

/// How many tokens these texts have as a question, with so many for what the server adds by itself.
fn cost<'a>(texts: impl Iterator<Item = &'a str>, added: u64) -> Cost {
    /// Roles and borders of a message; chat formats in use need fewer.
    const MESSAGE_COUNTED: u64 = 4;
    const MESSAGE_WORST: u64 = 16;
    let mut cost = Cost { counted: 0, worst: added };
    for text in texts.filter(|text| !text.is_empty()) {
        cost.counted += peri_tokens::count(text) as u64 + MESSAGE_COUNTED;
        cost.worst += peri_tokens::upper_bound(text) as u64 + MESSAGE_WORST;
    }
    cost
}
