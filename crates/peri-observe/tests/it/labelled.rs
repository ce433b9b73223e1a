//! How well the rules do on the labelled messages in `data/`.
//!
//! A message is in the held-out half if the number of bits in the FNV-1a hash of its id is odd. Rules are made by the
//! development half; of the held-out half only the figures are looked at. Run with `--no-capture` to see them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use peri_observe::{Finding, Message, Role, observe};
use serde::Deserialize;

#[derive(Deserialize)]
struct Labelled {
    id: String,
    role: Role,
    at: Date,
    text: String,
    expect: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    /// Any of these kinds is right.
    kind: Vec<String>,
    words: Vec<String>,
}

/// Counts of one group of messages.
#[derive(Default, Clone, Copy)]
struct Score {
    expected: usize,
    found: usize,
    right: usize,
    /// Findings that were expected, whatever their kind.
    noticed: usize,
}

impl Score {
    fn precision(self) -> f64 {
        if self.found == 0 { 1.0 } else { self.right as f64 / self.found as f64 }
    }

    fn recall(self) -> f64 {
        if self.expected == 0 { 1.0 } else { self.right as f64 / self.expected as f64 }
    }
}

fn is_held_out(id: &str) -> bool {
    let hash = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash.count_ones() % 2 == 1
}

fn read(data: &str) -> Vec<Labelled> {
    data.lines()
        .map(|line| serde_json::from_str(line).expect("a line of the labelled set is valid"))
        .collect()
}

fn holds_words(expected: &Expected, finding: &Finding) -> bool {
    let text = finding.text.to_lowercase();
    expected.words.iter().all(|word| text.contains(&word.to_lowercase()))
}

fn is_right(expected: &Expected, finding: &Finding) -> bool {
    expected.kind.iter().any(|kind| kind == finding.kind.name()) && holds_words(expected, finding)
}

/// Scores by kind, by language and over all. What went wrong is shown only for the development half.
fn score(messages: &[Labelled], shows_errors: bool) -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for labelled in messages {
        let message =
            Message { role: labelled.role, text: labelled.text.clone(), at: labelled.at.at(10, 0, 0, 0) };
        let findings = observe(&[message], &[], &[]);
        let language = &labelled.id[..2];
        let mut add = |kind: &str, change: &dyn Fn(&mut Score)| {
            for name in ["all", language, kind] {
                change(scores.entry(name.to_owned()).or_default());
            }
        };
        for expected in &labelled.expect {
            add(&expected.kind[0], &|score| score.expected += 1);
            if findings.iter().any(|finding| holds_words(expected, finding)) {
                add(&expected.kind[0], &|score| score.noticed += 1);
            }
            if shows_errors && !findings.iter().any(|finding| is_right(expected, finding)) {
                show(&format!(
                    "missed {} {:?} {:?}: {}",
                    labelled.id,
                    expected.kind,
                    findings.iter().map(|one| one.kind.name()).collect::<Vec<_>>(),
                    labelled.text
                ));
            }
        }
        for finding in &findings {
            let expected = labelled.expect.iter().find(|expected| is_right(expected, finding));
            let kind = expected.map_or(finding.kind.name(), |expected| expected.kind[0].as_str());
            add(kind, &|score| score.found += 1);
            if expected.is_some() {
                add(kind, &|score| score.right += 1);
            } else if shows_errors {
                show(&format!("wrong {} {}: {}", labelled.id, finding.kind.name(), finding.text));
            }
        }
    }
    scores
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is run for")]
fn show(line: &str) {
    println!("{line}");
}

fn show_scores(name: &str, scores: &BTreeMap<String, Score>) {
    show(&format!("{name:<14} precision  recall  right/found/expected  noticed"));
    for (group, score) in scores {
        let (precision, recall) = (score.precision(), score.recall());
        show(&format!(
            "{group:<14} {precision:>9.2} {recall:>7.2}  {:>3}/{:>3}/{:>3}  {:>12}",
            score.right, score.found, score.expected, score.noticed
        ));
    }
}

fn check(name: &str, data: &str, shows_errors: bool, precision_min: f64, recall_min: f64) {
    let messages = read(data);
    assert!(messages.iter().all(|message| is_held_out(&message.id) == (name == "held-out")), "{name}");
    let scores = score(&messages, shows_errors);
    show_scores(name, &scores);
    for group in ["all", "en", "ko", "zh"] {
        let score = scores[group];
        assert!(score.precision() >= precision_min, "{name} {group}: precision {:.3}", score.precision());
        assert!(score.recall() >= recall_min, "{name} {group}: recall {:.3}", score.recall());
    }
}

#[test]
fn the_development_half_is_read_as_labelled() {
    check("development", include_str!("../../data/development.jsonl"), true, 0.97, 0.95);
}

#[test]
fn the_held_out_half_is_read_nearly_as_labelled() {
    check("held-out", include_str!("../../data/held-out.jsonl"), false, 0.9, 0.85);
}

#[test]
fn the_labelled_set_is_large_enough_in_each_language() {
    let mut messages = read(include_str!("../../data/development.jsonl"));
    messages.extend(read(include_str!("../../data/held-out.jsonl")));
    for language in ["en", "ko", "zh"] {
        assert!(
            messages.iter().filter(|message| message.id.starts_with(language)).count() >= 80,
            "{language}"
        );
    }
    let mut ids: Vec<&str> = messages.iter().map(|message| message.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), messages.len());
}
