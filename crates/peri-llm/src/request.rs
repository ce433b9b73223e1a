//! What a model is asked.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::PromptStamp;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What the call is for, in a word or two; the record of calls shows it.
    pub purpose: String,
    /// What the model is told to be; may be empty.
    pub system: String,
    /// The conversation so far, which ends with what is asked.
    pub messages: Vec<Message>,
    /// The JSON schema of the answer; none for an answer in words.
    pub schema: Option<Value>,
    /// The answer may have so many tokens; one that would have more is an error.
    pub max_output_tokens: u32,
    /// How freely words are chosen, 0 for as little as possible; none leaves it to the server.
    pub temperature: Option<f32>,
    /// Which prompt was used; the record of calls shows it.
    pub prompt: Option<PromptStamp>,
}

impl Request {
    /// Asks one thing, for an answer in words.
    pub fn new(purpose: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self {
            purpose: purpose.into(),
            system: String::new(),
            messages: vec![Message { role: Role::User, content: prompt.into() }],
            schema: None,
            max_output_tokens: 4096,
            temperature: None,
            prompt: None,
        }
    }
}
