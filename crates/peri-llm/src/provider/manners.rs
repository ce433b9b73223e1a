//! What a server takes. Servers that speak the same language differ in small things, which are found out by trying.

use crate::{Provider, Request, Settings};

/// How an answer in JSON is asked for, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structured {
    /// The server is given the schema.
    Schema,
    /// The server is told that the answer is JSON; the schema stands in the prompt.
    Object,
    /// Only the prompt says so.
    Words,
}

/// What the limit of the answer is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    MaxTokens,
    MaxCompletionTokens,
}

/// Whether a temperature is sent if one is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Temperature {
    Sent,
    LeftOut,
}

/// What a server takes, as far as is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Manners {
    pub(crate) structured: Structured,
    pub(crate) limit: Limit,
    pub(crate) temperature: Temperature,
}

impl Manners {
    /// What is tried first.
    pub(crate) fn new(settings: &Settings) -> Self {
        let limit = match settings.address.host() {
            "api.openai.com" => Limit::MaxCompletionTokens,
            _ => Limit::MaxTokens,
        };
        Self { structured: Structured::Schema, limit, temperature: Temperature::Sent }
    }

    /// What to try next after the server complained about the request; none if there is nothing left to try.
    pub(crate) fn after(self, provider: Provider, request: &Request, complaint: &str) -> Option<Self> {
        let complaint = complaint.to_ascii_lowercase();
        let mentions = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        // Nothing that could be left out makes a prompt fit that is too long.
        if mentions(&["context length", "context_length", "context size", "too long", "too many tokens"]) {
            return None;
        }
        let format = mentions(&["response_format", "json_schema", "json_object", "schema", "tool"]);
        if !format && mentions(&["max_completion_tokens"]) && self.limit == Limit::MaxTokens {
            return Some(Self { limit: Limit::MaxCompletionTokens, ..self });
        }
        if !format
            && mentions(&["max_tokens", "max_completion_tokens"])
            && self.limit == Limit::MaxCompletionTokens
        {
            return None;
        }
        if !format
            && mentions(&["temperature"])
            && self.temperature == Temperature::Sent
            && request.temperature.is_some()
        {
            return Some(Self { temperature: Temperature::LeftOut, ..self });
        }
        request.schema.as_ref()?;
        let structured = match (self.structured, provider) {
            (Structured::Schema, Provider::OpenAi) => Structured::Object,
            (Structured::Schema, Provider::Anthropic) | (Structured::Object, _) => Structured::Words,
            (Structured::Words, _) => return None,
        };
        Some(Self { structured, ..self })
    }
}
