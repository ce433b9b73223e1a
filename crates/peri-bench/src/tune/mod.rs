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
    /// How often each user's weights are tuned.
    #[arg(long, default_value_t = 12)]
    rounds: usize,
    /// How many recalls with feedback lie between two tunings.
    #[arg(long, default_value_t = 100)]
    feedbacks: usize,
    /// How many tunings of feedback without any signal the false alarms are counted over.
    #[arg(long, default_value_t = 1000)]
    alarms: u64,
}

/// Recalls that the tuner never sees.
const UNSEEN: usize = 1500;
/// Pairs whose default scores differ by less are near-ties.
const NEAR_TIE: f64 = 0.05;

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    println!(
        "{} users each, {} tunings after {} recalls; share of pairs with the used memory on top, over {UNSEEN} unseen recalls",
        plan.seeds, plan.rounds, plan.feedbacks
    );
    println!(
        "{:<12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>9}  mean weights at the end",
        "wants", "before", "after", "change", "near-ties", "best there is", "accepted"
    );
    for taste in Taste::ALL {
        let lives: Vec<Life> = (0..plan.seeds).map(|seed| live(plan, taste, seed)).collect();
        report(taste, &lives, plan.rounds);
    }
    changed_mind(plan);
    false_alarms(plan);
    Ok(())
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
    let (mut weights, mut accepted, mut kept) = (start, 0, Vec::new());
    for _ in 0..plan.rounds * plan.feedbacks / 50 {
        kept.extend(recalls(&mut random, taste, &weights, 50));
        if !TunerSettings::default().is_due(kept.len()) {
            continue;
        }
        if let Some(tuning) = tune(weights, &kept, &TunerSettings::default()) {
            weights = tuning.weights;
            accepted += 1;
            kept.clear();
        }
    }
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

fn report(taste: Taste, lives: &[Life], rounds: usize) {
    let of = |value: fn(&Life) -> f64| spread(lives.iter().map(value));
    let mean = |value: fn(&Life) -> f64| lives.iter().map(value).sum::<f64>() / lives.len().max(1) as f64;
    println!(
        "{:<12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>6.1}/{rounds}  recall {:.2} freshness {:.2} importance {:.2} context {:.2}",
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

/// A user who wants recent things, and from the middle on important ones.
fn changed_mind(plan: &Plan) {
    println!("\na user who changes her mind half-way; the new taste's share of pairs in the right order, mean of {}", plan.seeds);
    let half = plan.rounds;
    let mut shares = vec![[0.0; 3]; half + 1];
    let mut rollbacks = 0;
    for seed in 0..plan.seeds {
        let mut random = Random::new(seed, 99);
        let mut learned = Weights::default();
        for _ in 0..half {
            learned = step(&mut random, Taste::Recent, learned, plan.feedbacks).0;
        }
        let unseen = recalls(&mut random, Taste::Important, &Weights::default(), UNSEEN);
        let (mut learning, mut rolling, mut rolled) = (learned, learned, false);
        for (round, shares) in shares.iter_mut().enumerate() {
            let now = [Weights::default(), learning, rolling].map(|weights| share(weights, &unseen));
            (0..3).for_each(|way| shares[way] += 100.0 * now[way] / plan.seeds as f64);
            if round == half {
                break;
            }
            let (next, feedback) = step(&mut random, Taste::Important, learning, plan.feedbacks);
            learning = next;
            let settings = TunerSettings::default();
            let back = if rolled { None } else { roll_back(Weights::default(), rolling, &feedback, &settings) };
            rolled |= back.is_some();
            let proposed = back.or_else(|| tune(rolling, &feedback, &settings));
            rolling = proposed.map_or(rolling, |tuning| tuning.weights);
        }
        rollbacks += usize::from(rolled);
    }
    println!("tunings since  never tuned  tuned  tuned, and rolled back first");
    for (round, [never, learning, rolling]) in shares.iter().enumerate() {
        println!("{round:>13} {never:>12.1} {learning:>6.1} {rolling:>6.1}");
    }
    println!("{rollbacks} of {} were rolled back", plan.seeds);
}

fn step(random: &mut Random, taste: Taste, weights: Weights, count: usize) -> (Weights, Vec<Feedback>) {
    let feedback = recalls(random, taste, &weights, count);
    let tuning = tune(weights, &feedback, &TunerSettings::default());
    (tuning.map_or(weights, |tuning| tuning.weights), feedback)
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
        let mut weights = Weights::default();
        for _ in 0..100 {
            weights = step(&mut random, Taste::Random, weights, plan.feedbacks).0;
        }
        let start = Weights::default();
        let parts = [
            weights.recall - start.recall,
            weights.freshness - start.freshness,
            weights.importance - start.importance,
            weights.context - start.context,
        ];
        parts.iter().fold(0.0, |most: f64, part| most.max(part.abs()))
    });
    println!("largest change of a weight after 100 tunings without signal: {}", spread(far));
}
