//! Learns the weights of the memory function from what was used.
//!
//! One [`Feedback`] is one recall: what it showed, and which of it was used. What was used should have stood
//! above what was not; [`tune`] looks for weights that order it so, and proposes them only if they also order
//! recalls better that they were not learned from, by more than chance explains. It forgets nothing and keeps
//! nothing: the caller stores the weights, and hands over the feedback that arrived since they last changed,
//! because feedback that once moved them by chance would do so again. [`TunerSettings::next_try`] says when.
//!
//! A recall of which everything or nothing was used says nothing about the order and is left out.

mod data;
mod learn;
mod trial;

use std::fmt;

use crate::settings::Weights;

/// The terms of the memory function of one memory, as they were when it was shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// How often it was recalled, from 0 to 1.
    pub recall: f64,
    /// How lately it was used, from 0 to 1.
    pub freshness: f64,
    /// How much it was said to matter, from 0 to 1.
    pub importance: f64,
    /// How close it was to what the session was about, from 0 to 1, if there was a session.
    pub context: Option<f64>,
}

/// Whether a memory that was shown was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// It was of use to whoever asked.
    Used,
    /// It was shown in vain.
    Unused,
}

/// A memory that a recall showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// What the memory function knew of it.
    pub terms: Terms,
    /// What became of it.
    pub usage: Usage,
}

/// What one recall showed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feedback {
    /// The memories, in any order.
    pub shown: Vec<Shown>,
}

/// How far and how readily weights may move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TunerSettings {
    /// With fewer different recalls that tell something, nothing is learned.
    pub feedbacks_min: usize,
    /// The caller hands over at most so many, the latest, because tastes change.
    pub feedbacks_max: usize,
    /// How far a weight moves at most at once.
    pub step_max: f64,
    /// No weight falls below this.
    pub weight_min: f64,
    /// No weight rises above this.
    pub weight_max: f64,
    /// A better order that arises by chance with a higher probability than this is not believed.
    pub chance_max: f64,
}

impl Default for TunerSettings {
    fn default() -> Self {
        Self {
            feedbacks_min: 50,
            feedbacks_max: 400,
            step_max: 0.05,
            weight_min: 0.05,
            weight_max: 0.5,
            chance_max: 0.02,
        }
    }
}

/// A setting of the tuner that makes no sense. The caller should correct it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidTuner {
    /// A number that is too small, too large, or none.
    #[error("{what} is {given}, but must be between {least} and {most}")]
    Number {
        /// Which number.
        what: &'static str,
        /// What was given.
        given: f64,
        /// The least that makes sense.
        least: f64,
        /// The most that makes sense.
        most: f64,
    },
}

impl TunerSettings {
    /// With how many recalls of feedback since the weights last changed to try next, when the last try was
    /// with so many (0 before the first): each time there is twice as much, up to the most that is looked at,
    /// and then whenever all of it is new. Looking more often at the same feedback would find chance
    /// improvements more often; looking at more of it finds smaller ones.
    pub fn next_try(&self, tried: usize) -> usize {
        if tried == 0 { self.feedbacks_min } else { tried.saturating_add(tried.min(self.feedbacks_max)) }
    }

    /// Says what is wrong with these settings, if anything is.
    pub fn check(&self) -> Result<(), InvalidTuner> {
        let (fewest, most) = (self.feedbacks_min as f64, self.feedbacks_max as f64);
        for (what, given, least, most) in [
            ("the least number of feedbacks", fewest, 10.0, 1e5),
            ("the largest number of feedbacks", most, fewest, 1e5),
            ("the largest step", self.step_max, 0.001, 0.5),
            // Four weights that sum to 1 need room on both sides of a quarter.
            ("the least weight", self.weight_min, 0.0, 0.25),
            ("the largest weight", self.weight_max, 0.25, 1.0),
            ("the largest chance", self.chance_max, 1e-9, 0.5),
        ] {
            if !(least..=most).contains(&given) {
                return Err(InvalidTuner::Number { what, given, least, most });
            }
        }
        Ok(())
    }
}

/// What speaks for other weights: how recalls that they were not learned from come out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// How many different recalls told something.
    pub feedbacks: usize,
    /// How many of them the other weights order better.
    pub improved: usize,
    /// How many of them the other weights order worse.
    pub worsened: usize,
    /// How likely chance alone does as well.
    pub chance: f64,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { feedbacks, improved, worsened, chance } = self;
        write!(
            f,
            "of {feedbacks} recalls, {improved} are ordered better and {worsened} worse (chance {chance:.4})"
        )
    }
}

/// Weights that are proposed instead of the current ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// The weights; they sum to 1.
    pub weights: Weights,
    /// By how much the share of pairs grows in which what was used stands above what was not, over recalls
    /// that the weights were not learned from. Where a step is too short to turn any pair, by how much what was used
    /// comes nearer to what stands above it.
    pub gain: f64,
    /// Why they are proposed.
    pub reason: Evidence,
}

/// Weights that suit the feedback better than the current ones, or `None` when it teaches nothing: too little
/// of it, no order in it, no improvement beyond chance, or current weights outside the bounds, which somebody
/// must have wanted. The order of the feedback does not matter.
pub fn tune(current: Weights, feedback: &[Feedback], settings: &TunerSettings) -> Option<Tuning> {
    settings.check().ok()?;
    let start = within_bounds(current, settings)?;
    let recalls = data::usable(feedback);
    if recalls.len() < settings.feedbacks_min {
        return None;
    }
    let region = learn::Region::around(&start, settings);
    let trial = trial::cross_validate(&start, &recalls, &region, settings.chance_max);
    let weights = learn::learn(&start, recalls.iter(), &region);
    let tuning = Tuning { weights: from_array(weights), gain: trial.gain, reason: trial.evidence };
    (tuning.is_believed(settings) && weights != start).then_some(tuning)
}

/// The previous weights, if they suit feedback that arrived since they were replaced better than the current
/// ones, by more than chance explains: the way back in one step when somebody has changed her mind.
pub fn roll_back(
    previous: Weights,
    current: Weights,
    feedback: &[Feedback],
    settings: &TunerSettings,
) -> Option<Tuning> {
    settings.check().ok()?;
    let (from, to) = (normalised(current)?, normalised(previous)?);
    let recalls = data::usable(feedback);
    if recalls.len() < settings.feedbacks_min {
        return None;
    }
    let trial = trial::compare(&from, &to, &recalls);
    let tuning = Tuning { weights: from_array(to), gain: trial.gain, reason: trial.evidence };
    tuning.is_believed(settings).then_some(tuning)
}

/// The share of pairs of a used and an unused memory of the same recall that the weights order rightly, each
/// recall counting alike; `None` when no recall tells anything.
pub fn order(weights: Weights, feedback: &[Feedback]) -> Option<f64> {
    let weights = normalised(weights)?;
    let recalls = data::usable(feedback);
    let sum: f64 = recalls.iter().map(|recall| recall.order(&weights)).sum();
    (!recalls.is_empty()).then(|| sum / recalls.len() as f64)
}

impl Tuning {
    fn is_believed(&self, settings: &TunerSettings) -> bool {
        self.gain > 0.0 && self.reason.chance <= settings.chance_max
    }
}

/// The weights in the order of the terms, summing to 1.
fn normalised(weights: Weights) -> Option<[f64; 4]> {
    let Weights { recall, freshness, importance, context } = weights;
    let weights = [recall, freshness, importance, context];
    let sum: f64 = weights.iter().sum();
    let is_usable = weights.iter().all(|weight| *weight >= 0.0)
        && sum.is_finite()
        && recall + freshness + importance > 0.0;
    is_usable.then(|| weights.map(|weight| weight / sum))
}

fn within_bounds(weights: Weights, settings: &TunerSettings) -> Option<[f64; 4]> {
    const SLACK: f64 = 1e-9;
    let bounds = settings.weight_min - SLACK..=settings.weight_max + SLACK;
    normalised(weights).filter(|weights| weights.iter().all(|weight| bounds.contains(weight)))
}

fn from_array([recall, freshness, importance, context]: [f64; 4]) -> Weights {
    Weights { recall, freshness, importance, context }
}
