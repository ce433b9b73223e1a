//! Figures of single questions, their means, and how sure those are.

use peri_learn::adapt::Adapter;

use super::chance::Chance;
use super::world::{Asked, Talk, World};
use crate::Outcome;

/// What is measured of a question: by meaning alone, then by the whole recall, each R@5, R@10 and the reciprocal rank of
/// the first right result.
pub(super) type Figures = [f64; 6];

/// How often the questions are drawn anew.
const DRAWS: usize = 2000;

/// Where the reciprocal rank of the whole recall stands.
pub(super) const WHOLE_RANK: usize = 5;

/// The figures of questions, asked through an adapter or plainly.
pub(super) fn measure(
    world: &World,
    talk: &Talk,
    questions: &[Asked],
    adapter: Option<&Adapter>,
) -> Outcome<Vec<Figures>> {
    world.wear(adapter);
    let one = |asked: &Asked| -> Outcome<Figures> {
        let mut query = asked.vector.clone();
        if let Some(adapter) = adapter {
            adapter.adapt(&mut query);
        }
        let [a, b, c] = of_order(&talk.nearest(&query), &asked.gold);
        let [d, e, f] = of_order(&world.ask(talk, &asked.text)?, &asked.gold);
        Ok([a, b, c, d, e, f])
    };
    let figures = questions.iter().map(one).collect();
    world.wear(None);
    figures
}

/// R@5, R@10 and the reciprocal rank of the first right result.
pub(super) fn of_order(found: &[usize], gold: &[usize]) -> [f64; 3] {
    let share = |k: usize| {
        let hits = found.iter().take(k).filter(|at| gold.contains(at)).count();
        hits as f64 / gold.len().max(1) as f64
    };
    let first = found.iter().position(|at| gold.contains(at));
    [share(5), share(10), first.map_or(0.0, |at| 1.0 / (at + 1) as f64)]
}

/// After less before.
pub(super) fn changes(before: &[Figures], after: &[Figures]) -> Vec<Figures> {
    let one = |(before, after): (&Figures, &Figures)| std::array::from_fn(|at| after[at] - before[at]);
    before.iter().zip(after).map(one).collect()
}

pub(super) fn mean(figures: &[Figures]) -> Figures {
    std::array::from_fn(|at| figures.iter().map(|one| one[at]).sum::<f64>() / figures.len().max(1) as f64)
}

pub(super) fn heading(name: &str) {
    println!("\n{name}");
    println!(
        "{:<40} {:>9}  {:^19} {:^19} {:^19} | {:^19} {:^19} {:^19}",
        "", "questions", "meaning R@5", "R@10", "rank", "whole R@5", "R@10", "rank"
    );
}

/// Plain means.
pub(super) fn print(name: &str, figures: &[Figures]) {
    let text: Vec<String> = mean(figures).iter().map(|value| format!("{value:^19.3}")).collect();
    println!("{name:<40} {:>9}  {} | {}", figures.len(), text[..3].join(" "), text[3..].join(" "));
}

/// Mean changes with the interval that holds 95 of 100 draws.
pub(super) fn print_changes(name: &str, changes: &[Figures]) {
    let mut chance = Chance::new(17);
    let mut draws: Vec<Figures> = (0..DRAWS)
        .map(|_| {
            let drawn: Vec<Figures> =
                (0..changes.len()).map(|_| changes[chance.below(changes.len())]).collect();
            mean(&drawn)
        })
        .collect();
    let own = mean(changes);
    let text: Vec<String> = (0..own.len())
        .map(|at| {
            draws.sort_by(|a, b| a[at].total_cmp(&b[at]));
            let (low, high) = (draws[DRAWS / 40][at], draws[DRAWS - 1 - DRAWS / 40][at]);
            format!("{:^19}", format!("{:+.3} {low:+.3}..{high:+.3}", own[at]))
        })
        .collect();
    println!("{name:<40} {:>9}  {} | {}", changes.len(), text[..3].join(" "), text[3..].join(" "));
}
