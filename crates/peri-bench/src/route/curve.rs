//! How routes get better with each outcome: when the right agent is told, and when only the chosen one's outcome is.

use peri_learn::route::{Link, Router};
use peri_types::TaskOutcome;

use super::Plan;
use super::labelled::Set;
use super::score::{accuracy, answers, calibration, shuffled, spread};
use crate::Outcome;

const SIZES: [usize; 6] = [10, 20, 50, 100, 200, usize::MAX];

/// Held-out accuracy by how many tasks were learned.
pub(super) fn learning(plan: &Plan, set: &Set) -> Outcome<()> {
    println!("\n{:<16} {:>16} {:>8}", "tasks learned", "held out", "ECE");
    for size in SIZES {
        let (mut right, mut error) = (Vec::new(), Vec::new());
        for seed in 1..=plan.shuffles {
            let router = plan.taught(set, shuffled(&set.train, seed).into_iter().take(size))?;
            let told = answers(set, &router, &set.test);
            right.push(accuracy(&told));
            error.push(calibration(&told));
        }
        let (mean, deviation) = spread(&right);
        println!("{:<16} {mean:>8.3} ±{deviation:.3} {:>8.3}", size.min(set.train.len()), spread(&error).0);
    }
    Ok(())
}

/// The router's own choice is made, and only what came of that is told.
pub(super) fn bandit(plan: &Plan, set: &Set) -> Outcome<()> {
    println!(
        "\n{:<30} {:>12} {:>12} {:>14} {:>8}",
        "only the chosen one's outcome", "first 100", "last 100", "held out", "ECE"
    );
    for (name, link, passes) in [
        ("shared, every task once", Link::Shared, 1),
        ("shared, every task thrice", Link::Shared, 3),
        ("apart, every task once", Link::Apart, 1),
        ("apart, every task thrice", Link::Apart, 3),
    ] {
        let mut columns = [const { Vec::new() }; 4];
        for seed in 1..=plan.shuffles {
            let mut router = Router::new(plan.settings(link));
            let mut rights = Vec::new();
            for pass in 0..passes {
                for one in shuffled(&set.train, seed + 1000 * pass) {
                    rights.push(try_out(set, &mut router, one)?);
                }
            }
            let told = answers(set, &router, &set.test);
            let share =
                |of: &[bool]| of.iter().filter(|right| **right).count() as f64 / of.len().max(1) as f64;
            let figures = [
                share(&rights[..rights.len().min(100)]),
                share(&rights[rights.len().saturating_sub(100)..]),
                accuracy(&told),
                calibration(&told),
            ];
            columns.iter_mut().zip(figures).for_each(|(column, figure)| column.push(figure));
        }
        let [first, last, (held_out, deviation), error] = columns.map(|column| spread(&column));
        println!(
            "{name:<30} {:>12.3} {:>12.3} {held_out:>7.3} ±{deviation:.3} {:>8.3}",
            first.0, last.0, error.0
        );
    }
    Ok(())
}

/// Whether the router's choice was right; it learns that much.
fn try_out(set: &Set, router: &mut Router, one: &super::Labelled) -> Outcome<bool> {
    let task = set.task(one);
    let chosen = router.route(&task).agent;
    let is_right = chosen == one.agent;
    let outcome = if is_right { TaskOutcome::Success } else { TaskOutcome::Failure };
    router.learn(&task, &chosen, outcome)?;
    Ok(is_right)
}
