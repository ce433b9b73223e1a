//! Whether re-ranking by attention or by hyperbolic distance would find more than the cosine does.
//!
//! Attention: the softmax of the query's cosines with the best candidates weighs their vectors into one, and candidates
//! are ordered by their cosine with it. Hyperbolic: vectors go into the Poincaré ball, the nearer to its rim the less
//! they resemble the average memory, and candidates are ordered by distance; were all as far from the centre, the order
//! would be that of the cosine. Each is tried alone, and as a further feature beside all others, in units of its own
//! deviation among the candidates. Its weight is the best on the conversations that settings are chosen on.

use super::figures::{Figures, changes, heading, print, print_changes};
use super::world::{Asked, Talk, World, dot, order};
use super::{Plan, figures};
use crate::Outcome;

/// The best so many by the cosine are ordered anew.
const CANDIDATES: usize = 100;

/// The best so many of the whole recall are ordered anew.
const WEIGHED: usize = 150;

/// Weights that are tried beside the other features.
const WEIGHTS: [f32; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];

/// A way to score candidates.
#[derive(Clone, Copy)]
enum Way {
    Attention { temperature: f32 },
    Hyperbolic { rim: f32 },
}

const WAYS: [(&str, Way); 6] = [
    ("attention, temperature .02", Way::Attention { temperature: 0.02 }),
    ("attention, temperature .05", Way::Attention { temperature: 0.05 }),
    ("attention, temperature .1", Way::Attention { temperature: 0.1 }),
    ("hyperbolic, rim .5", Way::Hyperbolic { rim: 0.5 }),
    ("hyperbolic, rim .8", Way::Hyperbolic { rim: 0.8 }),
    ("hyperbolic, rim .95", Way::Hyperbolic { rim: 0.95 }),
];

pub(super) fn run(world: &World, plan: &Plan) -> Outcome<()> {
    let (reported, chosen_on): (Vec<&Talk>, Vec<&Talk>) =
        world.talks.iter().partition(|talk| plan.reports(talk));
    let (reported, chosen_on) = (weigh(world, &reported)?, weigh(world, &chosen_on)?);
    heading("alternatives");
    let before = all(&reported, None, 0.0);
    print("cosine, and the engine's ranking", &before);
    for (name, way) in WAYS {
        let gain = |weight: f32| {
            let changes = changes(&all(&chosen_on, None, 0.0), &all(&chosen_on, Some(way), weight));
            figures::mean(&changes)[3..5].iter().sum::<f64>()
        };
        let best = WEIGHTS.into_iter().max_by(|a, b| gain(*a).total_cmp(&gain(*b))).unwrap_or(WEIGHTS[0]);
        let after = all(&reported, Some(way), best);
        print_changes(&format!("{name}, weight {best}"), &changes(&before, &after));
    }
    Ok(())
}

/// A question with what the engine weighed for it.
struct Weighed<'a> {
    talk: &'a Talk,
    asked: &'a Asked,
    average: Vec<f32>,
    /// The best by the whole recall, with their sums.
    sums: Vec<(usize, f32)>,
}

fn weigh<'a>(world: &World, talks: &[&'a Talk]) -> Outcome<Vec<Weighed<'a>>> {
    let weights: Vec<f32> = world.engine.features().map(|feature| feature.weight).collect();
    let mut all = Vec::new();
    for talk in talks {
        let average = average(&talk.memories);
        for asked in &talk.questions {
            let weighed = world.engine.weigh(&talk.request(&asked.text))?;
            let sums = weighed.iter().take(WEIGHED);
            let sums =
                sums.filter_map(|one| Some((talk.place(one.id)?, dot(&one.values, &weights)))).collect();
            all.push(Weighed { talk, asked, average: average.clone(), sums });
        }
    }
    Ok(all)
}

fn all(questions: &[Weighed<'_>], way: Option<Way>, weight: f32) -> Vec<Figures> {
    questions.iter().map(|question| question.figures(way, weight)).collect()
}

impl Weighed<'_> {
    fn figures(&self, way: Option<Way>, weight: f32) -> Figures {
        let mut nearest = self.talk.nearest(&self.asked.vector);
        if let Some(way) = way {
            nearest.truncate(CANDIDATES);
            let scores = self.scores(way, &nearest);
            nearest = order(&scores).into_iter().map(|at| nearest[at]).collect();
        }
        let places: Vec<usize> = self.sums.iter().map(|(at, _)| *at).collect();
        let mut sums: Vec<f32> = self.sums.iter().map(|(_, sum)| *sum).collect();
        if let Some(way) = way {
            let scores = standard(self.scores(way, &places));
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += weight * score);
        }
        let whole: Vec<usize> = order(&sums).into_iter().map(|at| places[at]).collect();
        let [a, b, c] = figures::of_order(&nearest, &self.asked.gold);
        let [d, e, f] = figures::of_order(&whole, &self.asked.gold);
        [a, b, c, d, e, f]
    }

    fn scores(&self, way: Way, candidates: &[usize]) -> Vec<f32> {
        let (query, memories) = (&self.asked.vector, &self.talk.memories);
        let vectors: Vec<&[f32]> = candidates.iter().map(|at| memories[*at].as_slice()).collect();
        match way {
            Way::Attention { temperature } => {
                let powers: Vec<f32> =
                    vectors.iter().map(|vector| (dot(vector, query) / temperature).exp()).collect();
                let mut output = vec![0.0; query.len()];
                for (vector, power) in vectors.iter().zip(&powers) {
                    output.iter_mut().zip(*vector).for_each(|(sum, value)| *sum += power * value);
                }
                let length = dot(&output, &output).sqrt().max(1e-12);
                vectors.iter().map(|vector| dot(vector, &output) / length).collect()
            }
            Way::Hyperbolic { rim } => {
                let radius = |vector: &[f32]| rim * (1.0 - 0.5 * dot(vector, &self.average).clamp(0.0, 1.0));
                let own = radius(query);
                let distance = |vector: &&[f32]| {
                    let other = radius(vector);
                    let square = own * own + other * other - 2.0 * own * other * dot(vector, query);
                    (1.0 + 2.0 * square.max(0.0) / ((1.0 - own * own) * (1.0 - other * other))).acosh()
                };
                vectors.iter().map(|vector| -distance(vector)).collect()
            }
        }
    }
}

/// Scores in units of their deviation from their mean.
fn standard(mut scores: Vec<f32>) -> Vec<f32> {
    let count = scores.len().max(1) as f32;
    let mean = scores.iter().sum::<f32>() / count;
    let deviation = (scores.iter().map(|score| (score - mean).powi(2)).sum::<f32>() / count).sqrt();
    scores.iter_mut().for_each(|score| *score = (*score - mean) / deviation.max(1e-6));
    scores
}

fn average(memories: &[Vec<f32>]) -> Vec<f32> {
    let mut sum = vec![0.0; memories.first().map_or(0, Vec::len)];
    for memory in memories {
        sum.iter_mut().zip(memory).for_each(|(sum, value)| *sum += value);
    }
    let length = dot(&sum, &sum).sqrt().max(1e-12);
    sum.iter_mut().for_each(|value| *value /= length);
    sum
}
