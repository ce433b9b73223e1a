//! The language model of the settings, made when it is first asked.
//!
//! Most commands never ask it, and must neither need its key nor wait for anything.

use std::sync::{Arc, OnceLock};

use jiff::tz::TimeZone;
use peri_companion::{
    Condensed, Condensing, Model, ModelSettings as HowAsked, Observed, Observing, PROMPTS, Promoting,
    Promotion, ThinkError, Thinker,
};
use peri_llm::{Client, Prompts, Refusal};
use perihelion::{Clock, ThinkerChoice};

use crate::config::{LlmSettings, ModelSettings};
use crate::error::CliError;

/// Who decides what is noted: the model of the settings, or the rules.
pub(crate) fn thinker(settings: &LlmSettings, zone: &TimeZone) -> ThinkerChoice {
    match &settings.model {
        None => ThinkerChoice::Rules,
        Some(model) => ThinkerChoice::Brought(Arc::new(Awaited {
            settings: settings.clone(),
            model: model.clone(),
            zone: zone.clone(),
            made: OnceLock::new(),
        })),
    }
}

/// A client of the model, which needs its key. Nothing is sent yet.
pub(crate) fn client(settings: &LlmSettings, model: &ModelSettings) -> Result<Client, CliError> {
    let hint = "nothing was sent; look at the section [llm] of the settings";
    let own = model.client().map_err(|error| CliError::input(error.to_string(), hint))?;
    Client::new(own, Clock::system(), &settings.ledger)
        .map(|client| client.sealed(settings.seal.clone()))
        .map_err(|error| CliError::input(error.to_string(), hint))
}

/// The prompts, some of them overridden by files.
pub(crate) fn prompts(settings: &LlmSettings) -> Result<Prompts, peri_llm::PromptError> {
    Prompts::load(&PROMPTS, Some(&settings.prompts))
}

/// A model that is made when it is first asked.
struct Awaited {
    settings: LlmSettings,
    model: ModelSettings,
    zone: TimeZone,
    made: OnceLock<Model>,
}

impl Awaited {
    /// The model. What keeps it from being made passes when somebody mends it, so the step waits for that.
    fn model(&self) -> Result<&Model, ThinkError> {
        if let Some(model) = self.made.get() {
            return Ok(model);
        }
        let prompts = prompts(&self.settings)?;
        let client = client(&self.settings, &self.model).map_err(|error| Refusal::Unreachable {
            place: self.model.place(),
            attempts: 0,
            detail: error.to_string(),
        })?;
        let how = HowAsked {
            fallback: self.model.fallback,
            zone: self.zone.clone(),
            temperature: Some(self.model.temperature),
            ..HowAsked::default()
        };
        Ok(self.made.get_or_init(|| Model::new(client, prompts, how)))
    }
}

impl Thinker for Awaited {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.model()?.observe(given)
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.model()?.reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        self.model()?.promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        self.model()?.compact(given)
    }
}
