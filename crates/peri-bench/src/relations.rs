//! `peri-bench relations`: how well the rules tell same, replaced, contradicting and unrelated statements.
//!
//! The pairs are labelled by hand. Those held out are not looked at while the rules change, so their misses
//! are not listed either. `--scan` runs the rules over the sentences of a corpus and prints every verdict but
//! "unrelated", for reading.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use peri_text::{Reason, Relation, Statement, Verdict, analyze, relate};
use serde::Deserialize;

use crate::Outcome;

/// What to measure.
pub(crate) struct Plan {
    /// The labelled pairs.
    pub(crate) data: PathBuf,
    /// List the pairs of the development split that were told wrongly.
    pub(crate) misses: bool,
    /// A corpus whose sentences are compared with each other instead.
    pub(crate) scan: Option<PathBuf>,
    /// How much of the shorter sentence's words must be in the longer one.
    pub(crate) overlap_min: f64,
}

#[derive(Deserialize)]
struct Pair {
    id: String,
    language: String,
    split: String,
    verdict: Label,
    #[serde(default)]
    contains: bool,
    older: String,
    newer: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Label {
    Same,
    Replaces,
    Contradicts,
    Unrelated,
}

const LABELS: [(Label, &str); 4] = [
    (Label::Same, "same"),
    (Label::Replaces, "replaces"),
    (Label::Contradicts, "contradicts"),
    (Label::Unrelated, "unrelated"),
];

impl From<Verdict> for Label {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Same => Self::Same,
            Verdict::Replaces => Self::Replaces,
            Verdict::Contradicts => Self::Contradicts,
            Verdict::Unrelated => Self::Unrelated,
        }
    }
}

/// A pair with what the rules say.
struct Told {
    pair: Pair,
    relation: Relation,
}

impl Told {
    fn label(&self) -> Label {
        self.relation.verdict.into()
    }
}

pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    if let Some(corpus) = &plan.scan {
        return scan(corpus, plan.overlap_min);
    }
    let told: Vec<Told> = read(&plan.data)?
        .into_iter()
        .map(|pair: Pair| {
            let relation = relate(&Statement::new(&pair.newer), &Statement::new(&pair.older));
            Told { pair, relation }
        })
        .collect();
    let splits: BTreeSet<&str> = told.iter().map(|one| one.pair.split.as_str()).collect();
    for split in splits {
        report(split, &told.iter().filter(|one| one.pair.split == split).collect::<Vec<_>>());
    }
    for one in told.iter().filter(|one| plan.misses && one.pair.split == "dev") {
        let misses_contains = one.pair.contains && !one.relation.reasons.contains(&Reason::Contains);
        if one.label() != one.pair.verdict || misses_contains {
            println!(
                "{}: {:?}\n  older  {}\n  newer  {}",
                one.pair.id, one.relation, one.pair.older, one.pair.newer
            );
        }
    }
    Ok(())
}

fn report(split: &str, told: &[&Told]) {
    let languages: BTreeSet<&str> = told.iter().map(|one| one.pair.language.as_str()).collect();
    println!("{split:<10} {:<13} pairs  precision       recall", "verdict");
    for language in languages.into_iter().map(Some).chain([None]) {
        let of: Vec<&&Told> =
            told.iter().filter(|one| language.is_none_or(|own| own == one.pair.language)).collect();
        for (label, name) in LABELS {
            let given = of.iter().filter(|one| one.label() == label).count();
            let meant = of.iter().filter(|one| one.pair.verdict == label).count();
            let right = of.iter().filter(|one| one.label() == label && one.pair.verdict == label).count();
            println!(
                "{:<10} {name:<13} {meant:>5}  {}  {}",
                language.unwrap_or("all"),
                share(right, given),
                share(right, meant)
            );
        }
    }
    let contained = told.iter().filter(|one| one.pair.contains);
    let seen = contained.clone().filter(|one| one.relation.reasons.contains(&Reason::Contains)).count();
    println!("newer contains older: {}", share(seen, contained.count()));
    confusion(told);
}

/// A share with the counts behind it.
fn share(part: usize, whole: usize) -> String {
    let value = if whole == 0 { "  -  ".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) };
    format!("{value} {:>3}/{whole:<3}", part)
}

fn confusion(told: &[&Told]) {
    println!("{:<13} told: {}", "meant", LABELS.map(|(_, name)| format!("{name:>11}")).join(" "));
    for (meant, name) in LABELS {
        let row = LABELS.map(|(label, _)| {
            let count = told.iter().filter(|one| one.pair.verdict == meant && one.label() == label).count();
            format!("{count:>11}")
        });
        println!("{name:<13}       {}", row.join(" "));
    }
    println!();
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default)]
    speaker: String,
    text: String,
}

/// A sentence of a corpus with its speaker and its terms.
struct Sentence {
    speaker: String,
    text: String,
    terms: HashSet<String>,
}

/// Relates each sentence to all earlier ones that share enough words with it.
fn scan(corpus: &Path, overlap_min: f64) -> Outcome<()> {
    let mut sentences = Vec::new();
    for turn in read::<Turn>(corpus)? {
        for text in turn.text.split_inclusive(['.', '!', '?', '。', '！', '？', '\n']) {
            let terms: HashSet<String> = analyze(text).terms.into_iter().map(|(term, _)| term).collect();
            if terms.len() > 1 {
                let text = text.trim().to_owned();
                sentences.push(Sentence { speaker: turn.speaker.clone(), text, terms });
            }
        }
    }
    let (mut asked, mut counts) = (0usize, [0usize; 4]);
    for (at, newer) in sentences.iter().enumerate() {
        for older in &sentences[..at] {
            let shared = newer.terms.intersection(&older.terms).count();
            let shorter = newer.terms.len().min(older.terms.len());
            if (shared as f64) < overlap_min * shorter as f64 {
                continue;
            }
            asked += 1;
            let relation = relate(&newer.statement(), &older.statement());
            let label = Label::from(relation.verdict);
            let place = LABELS.iter().position(|(own, _)| *own == label).unwrap_or(0);
            counts[place] += 1;
            if relation.verdict != Verdict::Unrelated && relation.reasons != [Reason::Identical] {
                println!(
                    "{relation:?}\n  older  {}: {}\n  newer  {}: {}",
                    older.speaker, older.text, newer.speaker, newer.text
                );
            }
        }
    }
    println!("{} sentences, {asked} pairs compared", sentences.len());
    for ((_, name), count) in LABELS.iter().zip(counts) {
        println!("{name:<13} {count}");
    }
    Ok(())
}

impl Sentence {
    fn statement(&self) -> Statement<'_> {
        let speaker = Some(self.speaker.as_str()).filter(|speaker| !speaker.is_empty());
        Statement { speaker, ..Statement::new(&self.text) }
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Outcome<Vec<T>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{}: {error}", path.display()).into()))
        .collect()
}
