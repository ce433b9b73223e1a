//! A router as it is kept: format 1, in JSON, numbers in base64.

use std::collections::VecDeque;

use peri_text::ANALYSIS_VERSION;
use peri_types::{SpaceId, TaskOutcome};
use serde::{Deserialize, Serialize};

use super::agents::Agents;
use super::calibration::{Calibration, PREDICTIONS_MAX, Prediction};
use super::codec::{self, Reader};
use super::earlier::{Earlier, Past, Rounded};
use super::features::{BUCKETS, BUCKETS_MAX};
use super::model::{Meaning, Model, WORD_ROWS};
use super::router::{DIMENSIONS_MAX, Router};
use super::table::AGENTS;
use super::weights::Weights;
use super::{RouteError, Settings};

const FORMAT: u32 = 1;
const EXCERPT_BYTES_MAX: usize = 1024;
const LOGIT_MAX: f32 = 1e6;

/// What is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    format: u32,
    /// How texts were read; buckets of another analysis stand for other words.
    analysis: u32,
    settings: Settings,
    learned: u64,
    agents: Vec<String>,
    temperature: f32,
    words: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    meaning: Option<SavedMeaning>,
    next: usize,
    earlier: Vec<SavedEarlier>,
    predictions: Vec<SavedPrediction>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedMeaning {
    space: SpaceId,
    weights: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedEarlier {
    task: String,
    agent: usize,
    outcome: TaskOutcome,
    buckets: String,
    words: usize,
    votes: [u8; AGENTS.len()],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vector: Option<(f32, String)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPrediction {
    agent: usize,
    worth: f32,
    logits: String,
}

fn damaged(what: &'static str) -> RouteError {
    RouteError::Damaged { what }
}

impl From<Router> for Saved {
    fn from(router: Router) -> Self {
        let Router { settings, agents, model, past, calibration, learned } = router;
        Self {
            format: FORMAT,
            analysis: ANALYSIS_VERSION,
            settings,
            learned,
            agents: agents.names().to_vec(),
            temperature: calibration.temperature,
            words: model.words.to_text(),
            meaning: model
                .meaning
                .map(|meaning| SavedMeaning { weights: meaning.weights.to_text(), space: meaning.space }),
            next: past.next,
            earlier: past.outcomes.into_iter().map(SavedEarlier::from).collect(),
            predictions: calibration.predictions.into_iter().map(SavedPrediction::from).collect(),
        }
    }
}

impl TryFrom<Saved> for Router {
    type Error = RouteError;

    fn try_from(saved: Saved) -> Result<Self, RouteError> {
        if saved.format != FORMAT {
            return Err(RouteError::Format { found: saved.format, known: FORMAT });
        }
        if saved.analysis != ANALYSIS_VERSION {
            return Err(RouteError::Analysis { found: saved.analysis, known: ANALYSIS_VERSION });
        }
        let agents = Agents::from_names(saved.agents)?;
        let settings = saved.settings.within_reason();
        let words = Weights::from_text(&saved.words, WORD_ROWS, agents.count())?;
        let meaning = saved.meaning.map(|meaning| meaning.read(agents.count())).transpose()?;
        let dimensions = meaning.as_ref().map(|meaning| meaning.weights.features());
        let read = saved.earlier.into_iter().map(|earlier| earlier.read(agents.count(), dimensions));
        let outcomes = read.collect::<Result<VecDeque<Earlier>, RouteError>>()?;
        if outcomes.len() > settings.earlier_max || saved.next > outcomes.len() {
            return Err(damaged("its earlier outcomes"));
        }
        let read = saved.predictions.into_iter().map(|prediction| prediction.read(agents.count()));
        let predictions = read.collect::<Result<VecDeque<Prediction>, RouteError>>()?;
        if predictions.len() > PREDICTIONS_MAX || !(0.01..=100.0).contains(&saved.temperature) {
            return Err(damaged("its calibration"));
        }
        Ok(Self {
            settings,
            agents,
            model: Model { words, meaning },
            past: Past { outcomes, next: saved.next },
            calibration: Calibration { predictions, temperature: saved.temperature },
            learned: saved.learned,
        })
    }
}

impl SavedMeaning {
    fn read(self, agents: usize) -> Result<Meaning, RouteError> {
        let dimensions = usize::try_from(self.space.dimensions).unwrap_or(usize::MAX);
        if dimensions == 0 || dimensions > DIMENSIONS_MAX {
            return Err(damaged("its space"));
        }
        let weights = Weights::from_text(&self.weights, dimensions, agents)?;
        Ok(Meaning { space: self.space, weights })
    }
}

impl From<Earlier> for SavedEarlier {
    fn from(earlier: Earlier) -> Self {
        let buckets: Vec<u8> = earlier.buckets.iter().flat_map(|bucket| bucket.to_le_bytes()).collect();
        let bytes = |values: &[i8]| values.iter().map(|value| value.cast_unsigned()).collect::<Vec<u8>>();
        Self {
            task: earlier.excerpt,
            agent: earlier.agent,
            outcome: earlier.outcome,
            buckets: codec::encode(&buckets),
            words: earlier.words,
            votes: earlier.votes,
            vector: earlier.vector.map(|vector| (vector.scale, codec::encode(&bytes(&vector.values)))),
        }
    }
}

impl SavedEarlier {
    fn read(self, agents: usize, dimensions: Option<usize>) -> Result<Earlier, RouteError> {
        let wrong = || damaged("an earlier outcome");
        let bytes = codec::decode(&self.buckets).ok_or_else(wrong)?;
        let mut reader = Reader::new(&bytes);
        let mut buckets = Vec::new();
        while !reader.is_empty() {
            buckets.push(reader.u16().filter(|bucket| usize::from(*bucket) < BUCKETS).ok_or_else(wrong)?);
        }
        let fits = self.agent < agents
            && self.task.len() <= EXCERPT_BYTES_MAX
            && buckets.len() <= BUCKETS_MAX
            && self.words <= buckets.len();
        if !fits {
            return Err(wrong());
        }
        let vector = self.vector.map(|kept| rounded(kept, dimensions).ok_or_else(wrong)).transpose()?;
        Ok(Earlier {
            excerpt: self.task,
            buckets,
            words: self.words,
            votes: self.votes,
            vector,
            agent: self.agent,
            outcome: self.outcome,
        })
    }
}

fn rounded((scale, text): (f32, String), dimensions: Option<usize>) -> Option<Rounded> {
    let values: Vec<i8> = codec::decode(&text)?.into_iter().map(u8::cast_signed).collect();
    let fits = Some(values.len()) == dimensions && scale.is_finite() && (0.0..=1.0).contains(&scale);
    fits.then_some(Rounded { scale, values })
}

impl From<Prediction> for SavedPrediction {
    fn from(prediction: Prediction) -> Self {
        let bytes: Vec<u8> = prediction.logits.iter().flat_map(|logit| logit.to_le_bytes()).collect();
        Self { agent: prediction.agent, worth: prediction.worth, logits: codec::encode(&bytes) }
    }
}

impl SavedPrediction {
    fn read(self, agents: usize) -> Result<Prediction, RouteError> {
        let wrong = || damaged("a prediction");
        let bytes = codec::decode(&self.logits).ok_or_else(wrong)?;
        let mut reader = Reader::new(&bytes);
        let mut logits = Vec::new();
        while !reader.is_empty() {
            logits.push(reader.f32().filter(|logit| logit.abs() <= LOGIT_MAX).ok_or_else(wrong)?);
        }
        let fits = logits.len() == agents && self.agent < agents && (0.0..=1.0).contains(&self.worth);
        fits.then_some(Prediction { logits, agent: self.agent, worth: self.worth }).ok_or_else(wrong)
    }
}
