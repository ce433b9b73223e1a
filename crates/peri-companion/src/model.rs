//! Deciding with a language model.
//!
//! A model is given notes and messages as JSON, so that nothing that was said can pass for an instruction's frame, and
//! answers with what is to be changed. No answer is followed blindly: ids that it made up are ignored, what must be
//! remembered stays, and an answer that would drop much without a reason is an error, which leaves everything as it was.

mod answers;
mod citing;
mod condense;
mod observe;
mod promote;

use jiff::tz::TimeZone;
use peri_llm::{Answer, Client, PromptFile, Prompts, Refusal, Request};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::rules::{Kind, Rules};
use crate::thinker::{
    By, Condensed, Condensing, Observed, Observing, Promoting, Promotion, ThinkError, Thinker,
};

/// The prompts that come with the program. Load them with [`Prompts::load`].
pub const PROMPTS: [PromptFile; 4] = [
    PromptFile { name: "observer", version: 1, text: include_str!("../prompts/observer.v1.md") },
    PromptFile { name: "reflector", version: 1, text: include_str!("../prompts/reflector.v1.md") },
    PromptFile { name: "promoter", version: 1, text: include_str!("../prompts/promoter.v1.md") },
    PromptFile { name: "compactor", version: 1, text: include_str!("../prompts/compactor.v1.md") },
];

/// What is done when a model may not be asked, because the day's tokens are spent or it failed too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fallback {
    /// The step waits until it may.
    #[default]
    Wait,
    /// The rules decide instead, and the notes say so.
    Rules,
}

/// How a model is used. Every part has a default.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// What is done when the model may not be asked.
    pub fallback: Fallback,
    /// Where the speakers are: "tomorrow" is a day there.
    pub zone: TimeZone,
    /// An observation or a promotion may have so many tokens.
    pub answer_tokens_max: u32,
    /// Of the notes of a session the observer is shown so many tokens: what matters most, then what is latest.
    pub notes_tokens_max: usize,
    /// Of what the agent was given from memory it is shown so many tokens, the latest.
    pub handed_out_tokens_max: usize,
    /// A larger share of the notes never goes without a reason for each.
    pub unexplained_share_max: f64,
    /// How freely the model chooses its words; none leaves it to the server.
    pub temperature: Option<f32>,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self {
            fallback: Fallback::default(),
            zone: TimeZone::UTC,
            answer_tokens_max: 4_096,
            notes_tokens_max: 6_000,
            handed_out_tokens_max: 2_000,
            unexplained_share_max: 0.5,
            temperature: Some(0.0),
        }
    }
}

/// Decides with a language model.
#[derive(Debug)]
pub struct Model {
    client: Client,
    prompts: Prompts,
    settings: ModelSettings,
    rules: Rules,
}

/// What a model is asked for a step.
struct Question<'a> {
    /// The prompt's name.
    prompt: &'static str,
    /// What its places are filled with.
    places: &'a [(&'a str, &'a str)],
    data: Value,
    schema: Value,
    answer_tokens_max: u32,
}

impl Model {
    /// Asks with a client, in the words of prompts that have all of [`PROMPTS`].
    pub fn new(client: Client, prompts: Prompts, settings: ModelSettings) -> Self {
        let rules = Rules::instead(settings.zone.clone());
        Self { client, prompts, settings, rules }
    }

    /// The client, whose record of calls may be read.
    pub fn client(&self) -> &Client {
        &self.client
    }

    fn ask<T: DeserializeOwned>(&self, question: Question<'_>) -> Result<(T, By), ThinkError> {
        let prompt = self.prompts.get(question.prompt)?;
        let data = serde_json::to_string_pretty(&question.data).expect("JSON becomes text");
        let request = Request {
            system: prompt.fill(question.places)?,
            schema: Some(question.schema),
            max_output_tokens: question.answer_tokens_max,
            temperature: self.settings.temperature,
            prompt: Some(prompt.stamp().clone()),
            ..Request::new(question.prompt, data)
        };
        let answer: Answer = self.client.ask(&request)?;
        Ok((answer.parse()?, By::Model(answer.model.clone())))
    }

    /// What the model decided; or what the rules do, if it may not be asked and the settings say so.
    fn or_rules<T>(
        &self,
        decided: Result<T, ThinkError>,
        instead: impl FnOnce(&Rules, By) -> Result<T, ThinkError>,
    ) -> Result<T, ThinkError> {
        match (decided, self.settings.fallback) {
            (
                Err(ThinkError::Refused(refusal @ (Refusal::CapReached { .. } | Refusal::Paused { .. }))),
                Fallback::Rules,
            ) => instead(&self.rules, By::RulesInstead { why: refusal.to_string() }),
            (decided, _) => decided,
        }
    }
}

impl Thinker for Model {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        self.or_rules(self.observe_by_model(given), |rules, by| Ok(Observed { by, ..rules.observe(given)? }))
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        let decided = self.condense_by_model(given, Kind::Session);
        self.or_rules(decided, |rules, by| Ok(Condensed { by, ..rules.reflect(given)? }))
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        self.or_rules(self.promote_by_model(given), |rules, by| Ok(Promotion { by, ..rules.promote(given)? }))
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        let decided = self.condense_by_model(given, Kind::Digest);
        self.or_rules(decided, |rules, by| Ok(Condensed { by, ..rules.compact(given)? }))
    }
}

fn unsound(why: impl Into<String>) -> ThinkError {
    ThinkError::Unsound { why: why.into() }
}
