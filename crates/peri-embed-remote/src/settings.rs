//! How a server of embeddings is asked.

use std::time::Duration;

use peri_remote::{Address, PlainHttp, Secret};
use peri_types::SpaceId;

use crate::RemoteError;

/// How a server of embeddings is asked. [`RemoteSettings::new`] has a default for everything but where and what.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteSettings {
    /// Where it is; `embeddings` is put below.
    pub address: Address,
    /// Which model is asked.
    pub model: String,
    /// The key; none for servers that want none.
    pub key: Option<Secret>,
    /// What the space of its vectors is called; none calls it like the model.
    pub space: Option<String>,
    /// How many numbers a vector has; none asks the server once.
    pub dimensions: Option<u32>,
    /// One attempt may take so long...
    pub attempt_timeout: Duration,
    /// ...and all attempts of a batch together, waits included, so long.
    pub deadline: Duration,
    /// A batch is tried at most so often.
    pub attempts_max: u32,
    /// The wait after the first failed attempt is at most so long; each further one twice as long...
    pub backoff_min: Duration,
    /// ...but never longer than this.
    pub backoff_max: Duration,
    /// A server that asks for a longer wait is asked again after this one.
    pub retry_after_max: Duration,
    /// After so many failed batches in a row...
    pub breaker_failures: u32,
    /// ...the server rests for so long; then one batch tries whether it is well again.
    pub breaker_pause: Duration,
    /// A batch holds at most so many texts...
    pub batch_texts_max: usize,
    /// ...and so many bytes of text, unless one text alone has more.
    pub batch_bytes_max: usize,
    /// Of a text at most so many bytes are sent.
    pub text_bytes_max: usize,
    /// Of an answer at most so many bytes are read; a longer one is an error.
    pub answer_bytes_max: usize,
    /// Whether keys and texts may travel unencrypted.
    pub plain_http: PlainHttp,
    /// What the jitter of the waits is drawn from; none draws anew in each process.
    pub seed: Option<u64>,
}

impl RemoteSettings {
    /// Asks this model at this address, without a key.
    pub fn new(address: Address, model: impl Into<String>) -> Self {
        Self {
            address,
            model: model.into(),
            key: None,
            space: None,
            dimensions: None,
            attempt_timeout: Duration::from_secs(10),
            deadline: Duration::from_secs(20),
            attempts_max: 3,
            backoff_min: Duration::from_millis(250),
            backoff_max: Duration::from_secs(5),
            retry_after_max: Duration::from_secs(15),
            breaker_failures: 2,
            breaker_pause: Duration::from_secs(30),
            batch_texts_max: 64,
            batch_bytes_max: 256 * 1024,
            // No vocabulary makes more tokens than bytes, and common models read 8192.
            text_bytes_max: 8000,
            answer_bytes_max: 32 * 1024 * 1024,
            plain_http: PlainHttp::default(),
            seed: None,
        }
    }

    /// What the space of its vectors is called.
    pub fn space_name(&self) -> &str {
        self.space.as_deref().unwrap_or(&self.model)
    }

    /// How many numbers a vector has, as far as that is known without asking: by the settings, or because vectors of
    /// this space were made before.
    pub(crate) fn dimensions(&self, known: Option<&SpaceId>) -> Option<u32> {
        let before = known.filter(|known| known.model == self.space_name()).map(|known| known.dimensions);
        self.dimensions.or(before)
    }

    pub(crate) fn check(&self) -> Result<(), RemoteError> {
        let wrong = [
            (self.model.trim().is_empty(), "no model is named: say which one to ask"),
            (self.space_name().trim().is_empty(), "the space has no name"),
            (self.dimensions == Some(0), "a vector has at least one number"),
            (self.attempts_max == 0, "a batch has to be tried at least once"),
            (self.attempt_timeout.is_zero(), "an attempt has to be given some time"),
            (self.deadline.is_zero(), "a batch has to be given some time"),
            (self.breaker_failures == 0, "a server can rest after one failure at the earliest"),
            (self.batch_texts_max == 0, "a batch holds at least one text"),
            (self.text_bytes_max == 0, "of a text at least one byte has to be sent"),
            (self.answer_bytes_max == 0, "of an answer at least one byte has to be read"),
        ];
        if let Some((_, what)) = wrong.into_iter().find(|(is_wrong, _)| *is_wrong) {
            return Err(RemoteError::Settings { what: what.to_owned() });
        }
        let refused = |what: String| RemoteError::Settings { what };
        self.address.check(self.plain_http).map_err(|error| refused(error.to_string()))
    }

    /// A text from outside with keys and passwords taken out.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        let text = self.address.hide_in(text);
        self.key.as_ref().map_or(text.clone(), |key| key.hide_in(&text))
    }
}
