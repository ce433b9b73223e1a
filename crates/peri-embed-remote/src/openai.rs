//! The engine that asks a server of OpenAI's embeddings.

use std::fmt;
use std::sync::Arc;

use peri_embed::{EmbedError, Engine};
use peri_remote::Pace;
use peri_types::{Clock, SpaceId};

use crate::client::Client;
use crate::{RemoteError, RemoteSettings};

/// What the server is asked to learn how long its vectors are: plain English, which every model understands.
const SAMPLE: &str = "The certificate of the mail server expired on Sunday.";

/// Whether the model knows the language of a text; only those texts are sent.
pub type Understands = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A model behind OpenAI's `/v1/embeddings`, on this machine or another.
///
/// It is taken to know every language unless [`OpenAiEngine::understanding`] says otherwise. Texts without a letter or a
/// digit are not sent. Of long texts the beginning counts.
pub struct OpenAiEngine {
    client: Client,
    space: SpaceId,
    understands: Option<Understands>,
}

impl OpenAiEngine {
    /// Prepares to ask. The server is asked at once only where nobody says how long its vectors are: neither the settings
    /// nor the space in which vectors of this model were made before.
    pub fn start(settings: RemoteSettings, known: Option<&SpaceId>) -> Result<Self, EmbedError> {
        Self::with_pace(settings, known, Clock::system(), Pace::real())
    }

    /// The same, with a clock and waits that pass otherwise.
    pub fn with_pace(
        settings: RemoteSettings,
        known: Option<&SpaceId>,
        clock: Clock,
        pace: Pace,
    ) -> Result<Self, EmbedError> {
        let client = Client::new(settings, clock, pace)?;
        let dimensions = match client.settings.dimensions(known) {
            Some(dimensions) => dimensions,
            None => {
                let sample = client.ask(&[SAMPLE], None)?.pop().flatten();
                let why =
                    "it has no vector for a plain English sentence: set embedding.dimensions".to_owned();
                let sample = sample.ok_or(RemoteError::Garbled { place: client.place(), why })?;
                u32::try_from(sample.len()).unwrap_or(u32::MAX)
            }
        };
        let space = SpaceId { model: client.settings.space_name().to_owned(), dimensions };
        Ok(Self { client, space, understands: None })
    }

    /// The same engine for the texts that its model understands.
    #[must_use]
    pub fn understanding(mut self, understands: Understands) -> Self {
        self.understands = Some(understands);
        self
    }

    /// Where the server is, without what must not be shown.
    pub fn place(&self) -> String {
        self.client.place()
    }

    fn is_sent(&self, text: &str) -> bool {
        text.chars().any(char::is_alphanumeric)
            && self.understands.as_ref().is_none_or(|understands| understands(text))
    }
}

impl Engine for OpenAiEngine {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn trouble(&self) -> Option<String> {
        let until = self.client.rests_until()?;
        Some(format!(
            "the embedding server at {} failed several times in a row and is not asked before {until}",
            self.place()
        ))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let settings = &self.client.settings;
        let sent: Vec<(usize, &str)> =
            texts.iter().copied().enumerate().filter(|(_, text)| self.is_sent(text)).collect();
        let cut: Vec<&str> = sent.iter().map(|(_, text)| beginning(text, settings.text_bytes_max)).collect();
        let mut answers = Vec::with_capacity(cut.len());
        for batch in batches(&cut, settings.batch_texts_max, settings.batch_bytes_max) {
            answers.extend(self.client.ask(batch, Some(self.space.dimensions))?);
        }
        let mut vectors = vec![None; texts.len()];
        for ((at, _), answer) in sent.into_iter().zip(answers) {
            vectors[at] = answer;
        }
        Ok(vectors)
    }
}

impl fmt::Debug for OpenAiEngine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "OpenAiEngine({} at {})", self.space, self.place())
    }
}

/// The beginning of a text, in whole characters.
fn beginning(text: &str, bytes_max: usize) -> &str {
    let end = text.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= bytes_max).last();
    if text.len() <= bytes_max { text } else { &text[..end.unwrap_or(0)] }
}

/// Cuts texts into runs of bounded number and size; none is empty.
fn batches<'a, 'b>(texts: &'a [&'b str], texts_max: usize, bytes_max: usize) -> Vec<&'a [&'b str]> {
    let mut runs = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let full = at - start >= texts_max || bytes + text.len() > bytes_max;
        if full && at > start {
            runs.push(&texts[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += text.len();
    }
    if start < texts.len() {
        runs.push(&texts[start..]);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn batches_keep_order_lose_nothing_and_are_bounded(
            texts in proptest::collection::vec("[a-z가-힣]{0,20}", 0..60),
            texts_max in 1_usize..20,
            bytes_max in 0_usize..200,
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let runs = batches(&texts, texts_max, bytes_max);
            prop_assert_eq!(runs.concat(), texts.clone());
            for run in runs {
                prop_assert!((1..=texts_max).contains(&run.len()));
                let bytes: usize = run.iter().map(|text| text.len()).sum();
                prop_assert!(bytes <= bytes_max || run.len() == 1);
            }
        }

        #[test]
        fn a_text_is_cut_between_characters(text in ".{0,40}", bytes_max in 0_usize..60) {
            let cut = beginning(&text, bytes_max);
            prop_assert!(text.starts_with(cut) && cut.len() <= bytes_max);
            prop_assert!(cut.len() == text.len() || cut.len() + 4 > bytes_max);
        }
    }
}
