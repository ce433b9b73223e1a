//! The tables.

use super::beside::{Beside, Times};

pub(super) fn heading() {
    println!(
        "{:<12} {:>15} {:>15} {:>15} {:>6} {:>12} {:>11} {:>7} {:>5} {:>10}  ended",
        "",
        "before",
        "beside it",
        "after",
        "ratio",
        "least, most",
        "unhindered",
        "recalls",
        "runs",
        "ms a run"
    );
    println!("{:<12} {:>15} {:>15} {:>15}", "recall, ms", "p50 / p95", "p50 / p95", "p50 / p95");
}

/// The middle one of the rounds, and how far they lie apart.
pub(super) fn row(name: &str, rounds: &[Beside]) {
    let Some(middle) = rounds.get(rounds.len() / 2) else { return };
    let pair = |of: &Times| format!("{:.2} / {:.2}", of.all.p50 / 1000.0, of.all.p95 / 1000.0);
    let ratio = |at: usize| rounds.get(at).map_or(f64::NAN, Beside::ratio);
    let mut runs = middle.runs.clone();
    runs.sort_by(f64::total_cmp);
    let ended: Vec<String> = middle.ended.iter().map(|(how, count)| format!("{how} {count}")).collect();
    println!(
        "{name:<12} {:>15} {:>15} {:>15} {:>6.2} {:>12} {:>11.2} {:>7} {:>5} {:>10.1}  {}",
        pair(&middle.before),
        pair(&middle.beside),
        pair(&middle.after),
        middle.ratio(),
        format!("{:.2}, {:.2}", ratio(0), ratio(rounds.len() - 1)),
        middle.unhindered_ratio(),
        middle.recalls,
        runs.len(),
        runs.get(runs.len() / 2).map_or(f64::NAN, |micros| micros / 1000.0),
        ended.join(", ")
    );
}

/// What the last run of each said, and whether any makes recalls wait for more than twice as long.
pub(super) fn last_words(measured: &[(String, Vec<Beside>)]) {
    println!("\nwhat the last run of each said:");
    for (name, rounds) in measured {
        let Some(middle) = rounds.get(rounds.len() / 2) else { continue };
        println!("{name:<12} {}", middle.said);
    }
    let ratio = |rounds: &[Beside]| rounds.get(rounds.len() / 2).map_or(0.0, Beside::ratio);
    let slow: Vec<&str> =
        measured.iter().filter(|(_, rounds)| ratio(rounds) > 2.0).map(|(name, _)| name.as_str()).collect();
    match slow.is_empty() {
        true => println!("\nbeside none of them does the p95 of recalls more than double"),
        false => println!("\nthe p95 of recalls more than doubles beside: {}", slow.join(", ")),
    }
}
