//! Training: from examples to an adapter.
//!
//! Every fifth example is kept aside; training stops where those come out best, and is then repeated on all of them for
//! as many steps. Everything is the same for the same examples and the same seed.

use super::ewc::Consolidation;
use super::loss::{Case, Parameters, learn_from, loss};
use super::random::Random;
use super::start::start;
use super::{AdaptError, Adapter, Example, ModeSettings};

/// With fewer examples there is nothing to learn from.
pub const EXAMPLES_MIN: usize = 20;

/// How strongly the weights are drawn to zero, where the adapter changes nothing.
const DECAY: f64 = 0.01;

/// Beside what was shown in vain, so many memories that were of use for other questions should stand below.
const ELSEWHERE: usize = 20;

/// Every so many-th example decides when to stop.
const ASIDE_EVERY: usize = 5;

/// So many steps without improvement end the training.
const PATIENCE: usize = 20;

/// The least improvement of the loss that counts as one.
const IMPROVEMENT_MIN: f64 = 1e-5;

/// What training gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// The adapter.
    pub adapter: Adapter,
    /// How many steps were taken.
    pub epochs: usize,
    /// The loss of the examples before, and after.
    pub loss: (f64, f64),
}

/// What to train with.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// The adapter to go on from. Where no task was learned yet, training starts anew.
    pub current: &'a Adapter,
    /// What earlier tasks need.
    pub protected: &'a Consolidation,
    /// How thoroughly.
    pub settings: ModeSettings,
    /// Where chance takes part, it starts from here.
    pub seed: u64,
}

impl Training<'_> {
    /// Trains on examples.
    pub fn on(&self, examples: &[&Example]) -> Result<Trained, AdaptError> {
        let dimensions = self.current.dimensions();
        examples.iter().try_for_each(|example| example.check(dimensions))?;
        if examples.len() < EXAMPLES_MIN {
            return Err(AdaptError::TooFew { given: examples.len(), least: EXAMPLES_MIN });
        }
        if self.protected.is_unlike(2 * self.rank() * dimensions) {
            return Err(AdaptError::Unlike);
        }
        let aside = |at: &usize| at % ASIDE_EVERY == ASIDE_EVERY - 1;
        let pick = |own: &dyn Fn(&usize) -> bool| -> Vec<&Example> {
            (0..examples.len()).filter(own).map(|at| examples[at]).collect()
        };
        let (near, far) = (pick(&|at| !aside(at)), pick(&aside));
        let (near, far) = (self.cases(&near), self.cases(&far));
        let (_, epochs) = self.descend(&near, Some(&far), self.settings.epochs_max);
        let all = self.cases(examples);
        let (learned, _) = self.descend(&all, None, epochs);
        let before = mean_loss(&self.current.parameters(), &all);
        let after = mean_loss(&learned, &all);
        Ok(Trained { adapter: self.adapter_of(&learned)?, epochs, loss: (before, after) })
    }

    /// An adapter that has learned goes on with the rank it has.
    fn rank(&self) -> usize {
        if self.protected.tasks_learned() > 0 { self.current.rank() } else { self.settings.rank }
    }

    /// Steps downhill; the best weights that were seen, and how many steps led there.
    fn descend(&self, cases: &[Case<'_>], aside: Option<&[Case<'_>]>, epochs: usize) -> (Parameters, usize) {
        let mut parameters = if self.protected.tasks_learned() > 0 {
            self.current.parameters()
        } else {
            start(cases, self.current.dimensions(), self.rank(), self.seed)
        };
        let mut best = (aside.map_or(0.0, |aside| mean_loss(&parameters, aside)), parameters.clone(), 0);
        for epoch in 1..=epochs {
            self.step(&mut parameters, cases);
            let Some(aside) = aside else { continue };
            let loss = mean_loss(&parameters, aside);
            if loss < best.0 - IMPROVEMENT_MIN {
                best = (loss, parameters.clone(), epoch);
            } else if epoch - best.2 >= PATIENCE {
                break;
            }
        }
        if aside.is_some() { (best.1, best.2) } else { (parameters, epochs) }
    }

    fn step(&self, parameters: &mut Parameters, cases: &[Case<'_>]) {
        let mut gradient = vec![0.0; parameters.values.len()];
        for case in cases {
            learn_from(parameters, case, 1.0 / cases.len() as f64, &mut gradient);
        }
        for (value, by) in parameters.values.iter_mut().zip(&gradient) {
            *value -= self.settings.rate * (by + DECAY * *value);
        }
        self.protected.draw_back(parameters, self.settings.rate, cases.len());
    }

    /// The questions, each with a few memories that were of use for others.
    fn cases<'e>(&self, examples: &[&'e Example]) -> Vec<Case<'e>> {
        let used: Vec<&'e [f32]> =
            examples.iter().flat_map(|example| &example.used).map(Vec::as_slice).collect();
        let mut random = Random::new(self.seed);
        let with_others = |example: &&'e Example| {
            let mut case = Case::of(example);
            let picks = (0..ELSEWHERE.min(used.len())).map(|_| used[random.below(used.len())]);
            case.elsewhere = picks.filter(|memory| !case.used.contains(memory)).collect();
            case
        };
        examples.iter().map(with_others).collect()
    }

    fn adapter_of(&self, learned: &Parameters) -> Result<Adapter, AdaptError> {
        let narrow = |values: &[f64]| values.iter().map(|value| *value as f32).collect();
        Adapter::of(self.current.space().clone(), self.rank(), narrow(learned.u()), narrow(learned.v()))
    }
}

impl<'a> Case<'a> {
    /// A question with what was shown for it.
    pub(super) fn of(example: &'a Example) -> Self {
        let slices = |vectors: &'a [Vec<f32>]| vectors.iter().map(Vec::as_slice).collect();
        Self {
            query: &example.query,
            used: slices(&example.used),
            unused: slices(&example.unused),
            elsewhere: Vec::new(),
        }
    }
}

impl Adapter {
    /// Its weights, for learning.
    pub(super) fn parameters(&self) -> Parameters {
        let values = self.u().iter().chain(self.v()).map(|weight| f64::from(*weight)).collect();
        Parameters { dimensions: self.dimensions(), values }
    }
}

fn mean_loss(parameters: &Parameters, cases: &[Case<'_>]) -> f64 {
    cases.iter().map(|case| loss(parameters, case)).sum::<f64>() / cases.len().max(1) as f64
}
