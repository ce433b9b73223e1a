//! `peri-bench tune`: what the weight tuner does for simulated users.
//!
//! Each user has a hidden taste that decides, with noise, which of the shown memories get used. The tuner sees
//! only what was used. What counts is measured on recalls that the tuner never sees: how often a used memory
//! stands above an unused one. All memories of a recall are equally relevant, because the orbit only breaks
//! near-ties.

mod users;

use peri_orbit::Weights;
use peri_orbit::tuner::{Feedback, TunerSettings, order, roll_back, tune};

use crate::Outcome;
use users::{Random, Taste, recalls};

/// What to simulate.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// How many users of each taste.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// How many rounds each user lives.
    #[arg(long, default_value_t = 12)]
    rounds: usize,
    /// How many recalls with feedback make a round.
    #[arg(long, default_value_t = 100)]
    feedbacks: usize,
    /// How many tunings of feedback without any signal the false alarms are counted over.
    #[arg(long, default_value_t = 1000)]
    alarms: u64,
}

/// Recalls that the tuner never sees.
const UNSEEN: usize = 1500;
/// So many recalls without signal show how far weights wander.
const WANDERING: usize = 10_000;
/// Pairs whose default scores differ by less are near-ties.
const NEAR_TIE: f64 = 0.05;

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!(
        "{} users each, {} recalls; share of pairs with the used memory on top, over {UNSEEN} unseen recalls",
        plan.seeds,
        plan.rounds * plan.feedbacks
    );
    println!(
        "{:<12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>9}  mean weights at the end",
        "wants", "before", "after", "change", "near-ties", "best there is", "accepted"
    );
    for taste in Taste::ALL {
        let lives: Vec<Life> = (0..plan.seeds).map(|seed| live(plan, taste, seed)).collect();
        report(taste, &lives);
    }
    changed_mind(plan);
    false_alarms(plan);
    Ok(())
}

/// Keeps feedback and tunes when it is time, as the engine would.
#[derive(Clone)]
struct Learner {
    weights: Weights,
    accepted: usize,
    /// The feedback since the weights last changed, and how many of it there were at the last try.
    kept: Vec<Feedback>,
    tried: usize,
}

impl Learner {
    fn new(weights: Weights) -> Self {
        Self { weights, accepted: 0, kept: Vec::new(), tried: 0 }
    }

    fn live(&mut self, random: &mut Random, taste: Taste, count: usize) {
        let settings = TunerSettings::default();
        for recall in recalls(random, taste, &self.weights, count) {
            self.kept.push(recall);
            if self.kept.len() < settings.next_try(self.tried) {
                continue;
            }
            self.tried = self.kept.len();
            if let Some(tuning) = tune(self.weights, self.latest(), &settings) {
                self.change(tuning.weights);
            }
        }
    }

    /// Feedback that arrived while the weights were the same, at most as much as is looked at.
    fn latest(&self) -> &[Feedback] {
        let from = self.kept.len().saturating_sub(TunerSettings::default().feedbacks_max);
        &self.kept[from..]
    }

    fn change(&mut self, weights: Weights) {
        *self = Self { accepted: self.accepted + 1, ..Self::new(weights) };
    }
}

/// What became of one user.
struct Life {
    before: f64,
    after: f64,
    near_before: f64,
    near_after: f64,
    best: f64,
    accepted: usize,
    weights: Weights,
}

fn live(plan: &Plan, taste: Taste, seed: u64) -> Life {
    let mut random = Random::new(seed, taste as u64);
    let start = Weights::default();
    let mut learner = Learner::new(start);
    for _ in 0..plan.rounds {
        learner.live(&mut random, taste, plan.feedbacks);
    }
    let (weights, accepted) = (learner.weights, learner.accepted);
    let unseen = recalls(&mut random, taste, &start, UNSEEN);
    let near = near_ties(&unseen);
    Life {
        before: share(start, &unseen),
        after: share(weights, &unseen),
        near_before: share(start, &near),
        near_after: share(weights, &near),
        best: best(&mut random, taste, &unseen),
        accepted,
        weights,
    }
}

/// What the tuner could reach with far more feedback and no bound on its steps.
fn best(random: &mut Random, taste: Taste, unseen: &[Feedback]) -> f64 {
    let settings = TunerSettings { step_max: 0.5, chance_max: 0.5, ..TunerSettings::default() };
    let mut weights = Weights::default();
    for _ in 0..3 {
        let plenty = recalls(random, taste, &Weights::default(), 1500);
        weights = tune(weights, &plenty, &settings).map_or(weights, |tuning| tuning.weights);
    }
    share(weights, unseen).max(share(Weights::default(), unseen))
}

fn share(weights: Weights, feedback: &[Feedback]) -> f64 {
    order(weights, feedback).unwrap_or(0.5)
}

/// Each pair of a used and an unused memory that score nearly alike, as a recall of its own.
fn near_ties(feedback: &[Feedback]) -> Vec<Feedback> {
    let mut pairs = Vec::new();
    for recall in feedback {
        for used in recall.shown.iter().filter(|shown| users::is_used(shown)) {
            for unused in recall.shown.iter().filter(|shown| !users::is_used(shown)) {
                let score = |shown| users::score(&Weights::default(), shown);
                if (score(used) - score(unused)).abs() < NEAR_TIE {
                    pairs.push(Feedback { shown: vec![*used, *unused] });
                }
            }
        }
    }
    pairs
}

fn report(taste: Taste, lives: &[Life]) {
    let of = |value: fn(&Life) -> f64| spread(lives.iter().map(value));
    let mean = |value: fn(&Life) -> f64| lives.iter().map(value).sum::<f64>() / lives.len().max(1) as f64;
    println!(
        "{:<12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>9.1}  recall {:.2} freshness {:.2} importance {:.2} context {:.2}",
        taste.name(),
        of(|life| 100.0 * life.before),
        of(|life| 100.0 * life.after),
        of(|life| 100.0 * (life.after - life.before)),
        of(|life| 100.0 * (life.near_after - life.near_before)),
        of(|life| 100.0 * life.best),
        mean(|life| life.accepted as f64),
        mean(|life| life.weights.recall),
        mean(|life| life.weights.freshness),
        mean(|life| life.weights.importance),
        mean(|life| life.weights.context),
    );
}

/// The mean and the standard deviation.
fn spread(values: impl Iterator<Item = f64>) -> String {
    let values: Vec<f64> = values.collect();
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / values.len().saturating_sub(1).max(1) as f64).sqrt();
    format!("{mean:.1} ± {deviation:.1}")
}

/// A user who wants important things, and from the middle on recent ones.
fn changed_mind(plan: &Plan) {
    println!(
        "\na user who wants important things and then recent ones: the new taste's share of pairs, mean of {}",
        plan.seeds
    );
    let mut shares = vec![[0.0; 3]; plan.rounds + 1];
    let mut rollbacks = 0;
    for seed in 0..plan.seeds {
        let mut random = Random::new(seed, 99);
        let mut learning = Learner::new(Weights::default());
        (0..plan.rounds).for_each(|_| learning.live(&mut random, Taste::Important, plan.feedbacks));
        let unseen = recalls(&mut random, Taste::Recent, &Weights::default(), UNSEEN);
        let (mut rolling, mut rolled) = (learning.clone(), false);
        for (round, shares) in shares.iter_mut().enumerate() {
            let now = [Weights::default(), learning.weights, rolling.weights].map(|own| share(own, &unseen));
            (0..3).for_each(|way| shares[way] += 100.0 * now[way] / plan.seeds as f64);
            if round == plan.rounds {
                break;
            }
            learning.live(&mut random, Taste::Recent, plan.feedbacks);
            rolling.live(&mut random, Taste::Recent, plan.feedbacks);
            let latest = &rolling.kept[rolling.kept.len().saturating_sub(plan.feedbacks)..];
            let back = roll_back(Weights::default(), rolling.weights, latest, &TunerSettings::default());
            if let Some(back) = back.filter(|_| !rolled) {
                rolled = true;
                rolling.change(back.weights);
            }
        }
        rollbacks += usize::from(rolled);
    }
    println!("{:>13} {:>12} {:>6} {:>18}", "rounds since", "never tuned", "tuned", "and rolled back");
    for (round, [never, learning, rolling]) in shares.iter().enumerate() {
        println!("{round:>13} {never:>12.1} {learning:>6.1} {rolling:>18.1}");
    }
    println!("{rollbacks} of {} were rolled back", plan.seeds);
}

/// How often feedback without signal moves the weights, and how far they wander.
fn false_alarms(plan: &Plan) {
    println!("\nfeedback without signal: tunings accepted, of {} each", plan.alarms);
    for count in [50, 100, 500] {
        let alarms = (0..plan.alarms).filter(|seed| {
            let mut random = Random::new(*seed, 7_000 + count as u64);
            let feedback = recalls(&mut random, Taste::Random, &Weights::default(), count);
            tune(Weights::default(), &feedback, &TunerSettings::default()).is_some()
        });
        println!("{count:>5} recalls: {:.1} %", 100.0 * alarms.count() as f64 / plan.alarms.max(1) as f64);
    }
    let far = (0..plan.seeds).map(|seed| {
        let mut random = Random::new(seed, 8_000);
        let (start, mut learner) = (Weights::default(), Learner::new(Weights::default()));
        learner.live(&mut random, Taste::Random, WANDERING);
        let weights = learner.weights;
        let parts = [
            weights.recall - start.recall,
            weights.freshness - start.freshness,
            weights.importance - start.importance,
            weights.context - start.context,
        ];
        parts.iter().fold(0.0, |most: f64, part| most.max(part.abs()))
    });
    let far = spread(far.map(|change| 100.0 * change));
    println!("largest change of a weight after {WANDERING} recalls without signal, in hundredths: {far}");
}
