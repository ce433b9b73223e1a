//! `peri-bench fit`: the weights of the ranking, fitted on conversations and cross-validated by conversation.
//!
//! For each question the candidates' features make a softmax, and the loss is the mean over the gold memories
//! of minus the logarithm of their probability. Each weight keeps the sign it has, so that a feature cannot
//! be used against another that measures nearly the same. The figures of each fold come from weights that
//! have never seen its conversation.

use std::path::PathBuf;

use perihelion::{Chores, EngineChoice, FeatureInfo, Options, Perihelion, Recall, Scope};

use crate::Outcome;
use crate::conversations::{self, Conversation};

/// What to fit.
pub(crate) struct Plan {
    pub(crate) data: PathBuf,
    pub(crate) engine: EngineChoice,
    pub(crate) leave_out: Vec<String>,
    pub(crate) keep: Vec<String>,
}

/// The best so many candidates and the gold ones take part in the fitting.
const CANDIDATES: usize = 150;
/// Steps of gradient descent.
const STEPS: usize = 400;
/// How strongly weights are drawn to zero, on features scaled to one standard deviation.
const RIDGE: f64 = 1e-3;

/// A question's candidates.
struct Case {
    features: Vec<Vec<f64>>,
    gold: Vec<usize>,
    /// How many gold memories there are, those that were no candidates included.
    gold_total: usize,
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let engine = Perihelion::open(Options {
        engine: plan.engine.clone(),
        chores: Chores::ByHand,
        ..Options::at(folder.path())
    })?;
    let mut sets = Vec::new();
    for folder in conversations::folders(&plan.data)? {
        let conversation = conversations::tell(&engine, &folder, &[])?;
        sets.push((conversation.name.clone(), cases(&engine, &conversation)?));
    }
    let infos: Vec<FeatureInfo> = engine.features().collect();
    let model = Model::new(&infos, plan, &sets);
    println!("{:<20} questions    R@5   R@10  as shipped", "held out");
    let mut total = [0.0; 5];
    for (name, held_out) in &sets {
        let train: Vec<&Case> =
            sets.iter().filter(|(other, _)| other != name).flat_map(|(_, cases)| cases).collect();
        let weights = model.fit(&train);
        let (fitted, shipped) = (figures(held_out, &weights), figures(held_out, &model.shipped));
        print_row(name, held_out.len(), fitted, shipped);
        let n = held_out.len() as f64;
        for (sum, value) in
            total.iter_mut().zip([n, fitted.0 * n, fitted.1 * n, shipped.0 * n, shipped.1 * n])
        {
            *sum += value;
        }
    }
    let [n, ..] = total;
    print_row("all", n as usize, (total[1] / n, total[2] / n), (total[3] / n, total[4] / n));
    let all: Vec<&Case> = sets.iter().flat_map(|(_, cases)| cases).collect();
    let weights = model.fit(&all);
    println!("\nweights fitted on all");
    for (info, weight) in infos.iter().zip(&weights) {
        println!("{:<16} {weight:>7.2}   shipped {:>6.2}", info.name, info.weight);
    }
    let (slope, middle) = calibrate(&all, &weights);
    println!("\nprobability of a top-10 result: logistic(slope {slope:.3} x (sum - {middle:.2}))");
    Ok(())
}

fn cases(engine: &Perihelion, conversation: &Conversation) -> Outcome<Vec<Case>> {
    let mut cases = Vec::new();
    for question in &conversation.questions {
        let request = Recall::new(&question.text).in_scope(Scope::Exact(conversation.namespace.clone()));
        let gold: Vec<_> = question.gold.iter().filter_map(|id| conversation.memories.get(id)).collect();
        let mut case = Case { features: Vec::new(), gold: Vec::new(), gold_total: gold.len() };
        for (rank, weighed) in engine.weigh(&request)?.into_iter().enumerate() {
            let is_gold = gold.contains(&&weighed.id);
            if is_gold {
                case.gold.push(case.features.len());
            }
            if is_gold || rank < CANDIDATES {
                case.features.push(weighed.values.into_iter().map(f64::from).collect());
            }
        }
        cases.push(case);
    }
    Ok(cases)
}

/// What is fitted, and how each feature is scaled.
struct Model {
    shipped: Vec<f64>,
    scale: Vec<f64>,
    /// 1 or -1 for the sign a weight must have; 0 if it stays as it is.
    sign: Vec<f64>,
}

impl Model {
    fn new(infos: &[FeatureInfo], plan: &Plan, sets: &[(String, Vec<Case>)]) -> Self {
        let left_out = |info: &FeatureInfo| plan.leave_out.iter().any(|name| name == info.name);
        let kept = |info: &FeatureInfo| plan.keep.iter().any(|name| name == info.name);
        let shipped =
            infos.iter().map(|info| if left_out(info) { 0.0 } else { f64::from(info.weight) }).collect();
        let sign = |info: &FeatureInfo| {
            if left_out(info) || kept(info) { 0.0 } else { f64::from(info.weight.signum()) }
        };
        let rows: Vec<&Vec<f64>> =
            sets.iter().flat_map(|(_, cases)| cases).flat_map(|case| &case.features).collect();
        let deviation = |at: usize| {
            let n = rows.len().max(1) as f64;
            let mean = rows.iter().map(|row| row[at]).sum::<f64>() / n;
            (rows.iter().map(|row| (row[at] - mean).powi(2)).sum::<f64>() / n).sqrt().max(1e-6)
        };
        let scale = (0..infos.len()).map(deviation).collect();
        Self { shipped, scale, sign: infos.iter().map(sign).collect() }
    }

    /// Adam on weights of scaled features, held to their signs after each step.
    fn fit(&self, cases: &[&Case]) -> Vec<f64> {
        let mut weights: Vec<f64> =
            self.shipped.iter().zip(&self.scale).map(|(weight, scale)| weight * scale).collect();
        let (mut first, mut second) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
        for step in 1..=STEPS {
            let gradient = self.gradient(cases, &weights);
            let rate = 0.1 * (1.0 - step as f64 / (STEPS + 1) as f64);
            for at in 0..weights.len() {
                first[at] = 0.9 * first[at] + 0.1 * gradient[at];
                second[at] = 0.99 * second[at] + 0.01 * gradient[at].powi(2);
                let (a, b) = (
                    first[at] / (1.0 - 0.9_f64.powi(step as i32)),
                    second[at] / (1.0 - 0.99_f64.powi(step as i32)),
                );
                let moved = weights[at] - rate * a / (b.sqrt() + 1e-9);
                weights[at] = match self.sign[at] {
                    sign if sign > 0.0 => moved.max(0.0),
                    sign if sign < 0.0 => moved.min(0.0),
                    _ => weights[at],
                };
            }
        }
        weights.iter().zip(&self.scale).map(|(weight, scale)| weight / scale).collect()
    }

    fn gradient(&self, cases: &[&Case], weights: &[f64]) -> Vec<f64> {
        let unscaled: Vec<f64> =
            weights.iter().zip(&self.scale).map(|(weight, scale)| weight / scale).collect();
        let mut gradient: Vec<f64> = weights.iter().map(|weight| 2.0 * RIDGE * weight).collect();
        let used: Vec<&&Case> = cases.iter().filter(|case| !case.gold.is_empty()).collect();
        for case in &used {
            let probabilities = softmax(case, &unscaled);
            for (candidate, probability) in case.features.iter().zip(&probabilities) {
                add(&mut gradient, candidate, probability / used.len() as f64, &self.scale);
            }
            for gold in &case.gold {
                let share = -1.0 / (case.gold.len() * used.len()) as f64;
                add(&mut gradient, &case.features[*gold], share, &self.scale);
            }
        }
        gradient
    }
}

fn add(gradient: &mut [f64], candidate: &[f64], factor: f64, scale: &[f64]) {
    for ((sum, value), scale) in gradient.iter_mut().zip(candidate).zip(scale) {
        *sum += factor * value / scale;
    }
}

fn sum_of(candidate: &[f64], weights: &[f64]) -> f64 {
    candidate.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

fn softmax(case: &Case, weights: &[f64]) -> Vec<f64> {
    let sums: Vec<f64> = case.features.iter().map(|candidate| sum_of(candidate, weights)).collect();
    let best = sums.iter().copied().fold(f64::MIN, f64::max);
    let powers: Vec<f64> = sums.iter().map(|sum| (sum - best).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
}

/// The candidates in order of their sums, the best first.
fn order(case: &Case, weights: &[f64]) -> Vec<(usize, f64)> {
    let sums = case.features.iter().map(|candidate| sum_of(candidate, weights));
    let mut order: Vec<(usize, f64)> = sums.enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    order
}

fn figures(cases: &[Case], weights: &[f64]) -> (f64, f64) {
    let (mut at_5, mut at_10) = (0.0, 0.0);
    for case in cases {
        let order = order(case, weights);
        let found = |k: usize| order.iter().take(k).filter(|(at, _)| case.gold.contains(at)).count() as f64;
        at_5 += found(5) / case.gold_total.max(1) as f64;
        at_10 += found(10) / case.gold_total.max(1) as f64;
    }
    (at_5 / cases.len().max(1) as f64, at_10 / cases.len().max(1) as f64)
}

/// A logistic function of the sum that fits how often a top-10 result is gold.
fn calibrate(cases: &[&Case], weights: &[f64]) -> (f64, f64) {
    let tops = cases.iter().flat_map(|case| {
        order(case, weights).into_iter().take(10).map(|(at, sum)| (sum, case.gold.contains(&at)))
    });
    let samples: Vec<(f64, bool)> = tops.collect();
    let (mut slope, mut offset) = (0.5, 0.0);
    let middle = samples.iter().map(|(sum, _)| sum).sum::<f64>() / samples.len().max(1) as f64;
    for _ in 0..5000 {
        let (mut by_slope, mut by_offset) = (0.0, 0.0);
        for (sum, is_gold) in &samples {
            let error =
                1.0 / (1.0 + (-(slope * (sum - middle) + offset)).exp()) - f64::from(u8::from(*is_gold));
            by_slope += error * (sum - middle);
            by_offset += error;
        }
        slope -= 0.05 * by_slope / samples.len().max(1) as f64;
        offset -= 0.5 * by_offset / samples.len().max(1) as f64;
    }
    (slope, middle - offset / slope)
}

fn print_row(name: &str, questions: usize, fitted: (f64, f64), shipped: (f64, f64)) {
    println!(
        "{name:<20} {questions:>9}  {:.3}  {:.3}  {:.3} {:.3}",
        fitted.0, fitted.1, shipped.0, shipped.1
    );
}
