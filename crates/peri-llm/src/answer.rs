//! What a model answered.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Unreadable;
use crate::json::{Shape, find};

/// What a model answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Its words, without what it thought aloud before.
    pub text: String,
    /// The JSON that was asked for; none if an answer in words was.
    pub json: Option<Value>,
    /// So many tokens are charged for what was asked...
    pub tokens_in: u64,
    /// ...and so many for what was answered.
    pub tokens_out: u64,
    /// Which model it was, by its own account.
    pub model: String,
    /// How often it was tried.
    pub attempts: u32,
}

/// Why an answer is not of a type. Ask again, or otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// There is no JSON in it.
    #[error("the language model's answer cannot be used: {0}")]
    Unreadable(#[from] Unreadable),
    /// Its JSON has another form.
    #[error("the language model's answer is wrong at `{path}`: {detail}")]
    Form {
        /// Where, as in `items[2].priority`.
        path: String,
        /// What is wrong there.
        detail: String,
    },
}

impl Answer {
    /// The answer as a value of a type, which says what must be there.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ParseError> {
        let found;
        let value = match &self.json {
            Some(value) => value,
            None => {
                found = find(&self.text, &Shape::default())?;
                &found
            }
        };
        serde_path_to_error::deserialize(value).map_err(|error| ParseError::Form {
            path: error.path().to_string(),
            detail: error.into_inner().to_string(),
        })
    }
}
