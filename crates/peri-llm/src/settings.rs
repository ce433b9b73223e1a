//! How a model is asked.

use std::time::Duration;

use peri_remote::TransportError;

use crate::{Address, AddressError, PlainHttp, Secret};

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// OpenAI's chat completions, which most servers speak.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

/// Whether the texts of requests and answers are kept in the record of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeptTexts {
    /// They are not.
    #[default]
    None,
    /// They are, as they were sent and received.
    All,
}

/// How a model is asked. [`Settings::new`] has a default for everything but where and what.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// What the server speaks.
    pub provider: Provider,
    /// Where it is.
    pub address: Address,
    /// Which model is asked.
    pub model: String,
    /// The key; none for servers that want none.
    pub key: Option<Secret>,
    /// So many tokens may be spent in a day (UTC), by all processes together.
    pub tokens_per_day: u64,
    /// One attempt may take so long...
    pub attempt_timeout: Duration,
    /// ...and all attempts of a call together, waits included, so long.
    pub deadline: Duration,
    /// A call is tried at most so often.
    pub attempts_max: u32,
    /// The wait after the first failed attempt is at most so long; each further one twice as long...
    pub backoff_min: Duration,
    /// ...but never longer than this.
    pub backoff_max: Duration,
    /// A server that asks for a longer wait is asked again after this one.
    pub retry_after_max: Duration,
    /// After so many failed calls in a row...
    pub breaker_failures: u32,
    /// ...calls are refused at once for so long.
    pub breaker_pause: Duration,
    /// Of an answer at most so many bytes are read; a longer one is an error.
    pub answer_bytes_max: usize,
    /// Whether keys and prompts may travel unencrypted.
    pub plain_http: PlainHttp,
    /// Whether the record of calls keeps the texts.
    pub kept_texts: KeptTexts,
    /// What the jitter of the waits is drawn from; none draws anew in each process.
    pub seed: Option<u64>,
}

/// Why settings cannot be used. Change them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address cannot be used.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// A value makes no sense.
    #[error("{what}")]
    Value {
        /// Which, and why.
        what: &'static str,
    },
    /// The system gave no way to reach servers.
    #[error(transparent)]
    Transport(#[from] TransportError),
}

impl Settings {
    /// Asks this model at this address, without a key.
    pub fn new(provider: Provider, address: Address, model: impl Into<String>) -> Self {
        Self {
            provider,
            address,
            model: model.into(),
            key: None,
            tokens_per_day: 1_000_000,
            attempt_timeout: Duration::from_secs(120),
            deadline: Duration::from_secs(300),
            attempts_max: 4,
            backoff_min: Duration::from_millis(500),
            backoff_max: Duration::from_secs(30),
            retry_after_max: Duration::from_secs(60),
            breaker_failures: 5,
            breaker_pause: Duration::from_secs(60),
            answer_bytes_max: 4 * 1024 * 1024,
            plain_http: PlainHttp::default(),
            kept_texts: KeptTexts::default(),
            seed: None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        self.address.check(self.plain_http)?;
        let wrong = [
            (self.model.trim().is_empty(), "no model is named: say which one to ask"),
            (self.attempts_max == 0, "a call has to be tried at least once"),
            (self.attempt_timeout.is_zero(), "an attempt has to be given some time"),
            (self.deadline.is_zero(), "a call has to be given some time"),
            (self.breaker_failures == 0, "calls can be refused after one failure at the earliest"),
            (self.answer_bytes_max == 0, "of an answer at least one byte has to be read"),
        ];
        match wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, what)) => Err(SettingsError::Value { what }),
            None => Ok(()),
        }
    }

    /// A text from outside with keys and passwords taken out.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        let text = self.address.hide_in(text);
        self.key.as_ref().map_or(text.clone(), |key| key.hide_in(&text))
    }
}
