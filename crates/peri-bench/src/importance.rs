//! `peri-bench importance`: how well the rules tell what matters from what does not.
//!
//! The sentences are labelled low, ordinary or high. The split `dev` was looked at while the rules were
//! written; `held-out` was written before the rules and not tuned on, but by the same hand; `blind` was
//! written after the rules, and is the one to believe. Conversations with questions are a second measure,
//! labelled by somebody else: a turn that answers a question mattered.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use peri_orbit::importance::evaluate;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{Outcome, conversations};

/// Below this an importance is low.
const ORDINARY_MIN: f64 = 0.35;
/// From here on an importance is high.
const HIGH_MIN: f64 = 0.65;
const SPLITS: [&str; 3] = ["dev", "held-out", "blind"];

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// The labelled sentences.
    #[arg(long, default_value = "bench/importance/sentences.jsonl")]
    sentences: PathBuf,
    /// Also a folder of conversations: do turns that answer a question score higher?
    #[arg(long)]
    data: Vec<PathBuf>,
    /// List the sentences of the dev split that were put into the wrong class.
    #[arg(long)]
    misses: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Label {
    Low,
    Ordinary,
    High,
}

#[derive(Deserialize)]
struct Sentence {
    language: String,
    label: Label,
    split: String,
    text: String,
}

/// A way to judge a text, and how its values become classes.
struct Judge {
    name: &'static str,
    value: fn(&str) -> f64,
    ordinary_min: f64,
    high_min: f64,
}

impl Judge {
    fn class(&self, value: f64) -> Label {
        if value < self.ordinary_min {
            Label::Low
        } else if value < self.high_min {
            Label::Ordinary
        } else {
            Label::High
        }
    }

    fn accuracy<'a>(&self, of: impl Iterator<Item = &'a Sentence>) -> f64 {
        let (mut all, mut right) = (0.0, 0.0);
        for sentence in of {
            all += 1.0;
            right += f64::from(u8::from(self.class((self.value)(&sentence.text)) == sentence.label));
        }
        right / f64::max(all, 1.0)
    }
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let sentences: Vec<Sentence> = read_lines(&plan.sentences)?;
    let judges = judges(&sentences);
    println!("{:<10} {:<9} {:>5}  {}", "split", "language", "count", header(&judges));
    for split in SPLITS {
        for language in [Some("en"), Some("ko"), Some("zh"), None] {
            let of: Vec<&Sentence> = sentences
                .iter()
                .filter(|one| one.split == split && language.is_none_or(|own| own == one.language))
                .collect();
            let cells: Vec<String> = judges.iter().map(|judge| cell(judge, &of)).collect();
            println!("{split:<10} {:<9} {:>5}  {}", language.unwrap_or("all"), of.len(), cells.join("  "));
        }
    }
    let rules = &judges[0];
    for split in SPLITS {
        confusion(rules, split, &sentences);
    }
    if plan.misses {
        misses(rules, &sentences);
    }
    speed(&sentences);
    plan.data.iter().try_for_each(|data| evidence(data))
}

fn header(judges: &[Judge]) -> String {
    let names: Vec<String> = judges.iter().map(|judge| format!("{:>22}", judge.name)).collect();
    names.join("  ")
}

fn cell(judge: &Judge, of: &[&Sentence]) -> String {
    let values: Vec<f64> = of.iter().map(|one| (judge.value)(&one.text)).collect();
    let labels: Vec<f64> = of.iter().map(|one| f64::from(one.label as u8)).collect();
    let correlation = correlation(&ranks(&values), &ranks(&labels));
    let correlation = correlation.map_or_else(|| "   —".to_owned(), |value| format!("{value:+.2}"));
    format!("{:>5.1} %   rank {correlation:>5}", 100.0 * judge.accuracy(of.iter().copied()))
}

/// The rules beside what they have to beat: no judgement at all, and the length of the text, with the two
/// bounds between its classes chosen on the dev split.
fn judges(sentences: &[Sentence]) -> Vec<Judge> {
    let rules = Judge {
        name: "rules",
        value: |text| f64::from(evaluate(text).importance),
        ordinary_min: ORDINARY_MIN,
        high_min: HIGH_MIN,
    };
    let always = Judge { name: "always .5", value: |_| 0.5, ordinary_min: ORDINARY_MIN, high_min: HIGH_MIN };
    let length = |ordinary_min, high_min| Judge { name: "length", value: length_of, ordinary_min, high_min };
    let bounds =
        (1..40).flat_map(|low| (low..60).map(move |high| (f64::from(low) * 2.0, f64::from(high) * 2.0)));
    let dev = || sentences.iter().filter(|one| one.split == "dev");
    let best = bounds
        .map(|(low, high)| length(low, high))
        .max_by(|a, b| a.accuracy(dev()).total_cmp(&b.accuracy(dev())))
        .unwrap_or_else(|| length(0.0, f64::INFINITY));
    vec![rules, always, best]
}

/// In bytes, which makes a Korean or Chinese character count for about a word's worth of letters.
fn length_of(text: &str) -> f64 {
    text.len() as f64
}

fn confusion(judge: &Judge, split: &str, sentences: &[Sentence]) {
    println!("\n{split}: labelled, then judged  low  ordinary  high");
    for label in [Label::Low, Label::Ordinary, Label::High] {
        let mut counts = [0_usize; 3];
        for one in sentences.iter().filter(|one| one.split == split && one.label == label) {
            counts[judge.class((judge.value)(&one.text)) as usize] += 1;
        }
        println!(
            "{:>24} {:>10} {:>9} {:>5}",
            format!("{label:?}").to_lowercase(),
            counts[0],
            counts[1],
            counts[2]
        );
    }
}

fn misses(judge: &Judge, sentences: &[Sentence]) {
    println!();
    for one in sentences.iter().filter(|one| one.split == "dev") {
        let found = evaluate(&one.text);
        if judge.class(f64::from(found.importance)) != one.label {
            println!("  {:.2}, labelled {:?}: {} {:?}", found.importance, one.label, one.text, found.reasons);
        }
    }
}

fn speed(sentences: &[Sentence]) {
    const ROUNDS: u32 = 50;
    let started = Instant::now();
    let mut sum = 0.0;
    for _ in 0..ROUNDS {
        sum += sentences.iter().map(|one| evaluate(&one.text).importance).sum::<f32>();
    }
    let each = started.elapsed() / ROUNDS / u32::try_from(sentences.len().max(1)).unwrap_or(u32::MAX);
    let mean = sum / (ROUNDS as usize * sentences.len().max(1)) as f32;
    println!("\n{each:.1?} a sentence, mean importance {mean:.3}");
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    text: String,
}

#[derive(Deserialize)]
struct Question {
    gold: Vec<String>,
}

/// How likely a turn that answers a question scores above one that does not.
fn evidence(data: &Path) -> Outcome<()> {
    let mut turns: Vec<(String, bool)> = Vec::new();
    for folder in conversations::folders(data)? {
        let questions: Vec<Question> = read_lines(&folder.join("queries.jsonl"))?;
        let gold: HashSet<String> = questions.into_iter().flat_map(|question| question.gold).collect();
        let own: Vec<Turn> = read_lines(&folder.join("corpus.jsonl"))?;
        turns.extend(own.into_iter().map(|turn| (turn.text, gold.contains(&turn.id))));
    }
    let of = |value: fn(&str) -> f64| {
        let values: Vec<f64> = turns.iter().map(|(text, _)| value(text)).collect();
        (area(&values, &turns), values.iter().sum::<f64>() / values.len().max(1) as f64)
    };
    let (rules, mean) = of(|text| f64::from(evaluate(text).importance));
    let (length, _) = of(length_of);
    println!(
        "{}: {} turns, {} answer a question; scored above the others: rules {:.1} %, length {:.1} %; mean {mean:.3}",
        data.display(),
        turns.len(),
        turns.iter().filter(|(_, answers)| *answers).count(),
        100.0 * rules,
        100.0 * length,
    );
    Ok(())
}

/// The share of pairs of a turn that answers and one that does not in which the first scores higher.
fn area(values: &[f64], turns: &[(String, bool)]) -> f64 {
    let answering = turns.iter().filter(|(_, answers)| *answers).count() as f64;
    let others = turns.len() as f64 - answering;
    let sum: f64 = ranks(values).iter().zip(turns).filter(|(_, turn)| turn.1).map(|(rank, _)| rank).sum();
    (sum - answering * (answering + 1.0) / 2.0) / (answering * others)
}

/// The rank of each value from 1, equal values sharing the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let same = order[start..].iter().take_while(|at| values[**at] == values[order[start]]).count();
        let mean = start as f64 + (same as f64 + 1.0) / 2.0;
        order[start..start + same].iter().for_each(|at| ranks[*at] = mean);
        start += same;
    }
    ranks
}

/// Pearson's correlation; `None` when one side does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |f: fn(f64, f64) -> f64| a.iter().zip(b).map(|(x, y)| f(x - mean_a, y - mean_b)).sum::<f64>();
    let spread = (sum(|x, _| x * x) * sum(|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(|x, y| x * y) / spread)
}

fn read_lines<T: DeserializeOwned>(path: &Path) -> Outcome<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parsed = text.lines().enumerate().filter(|(_, line)| !line.is_empty()).map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| format!("{}:{}: {error}", path.display(), at + 1).into())
    });
    parsed.collect()
}
