//! How well the rules note what is labelled: precision and recall by kind and language.
//!
//! Only figures are printed, never which messages went wrong, since the set is held out.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::Date;
use peri_observe::{Finding, Message, Role, observe};
use serde::Deserialize;

use crate::{Outcome, conversations};

/// The held-out half of the labelled messages.
pub(super) const HELD_OUT: &str = "crates/peri-observe/data/held-out.jsonl";

/// Every language or kind together.
const ALL: &str = "all";

/// A message and what should be noted of it.
#[derive(Deserialize)]
struct Labelled {
    /// Begins with its language.
    id: String,
    role: Role,
    at: Date,
    text: String,
    expect: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    /// Any of these kinds is right; it is counted as the first.
    kind: Vec<String>,
    words: Vec<String>,
}

/// What was expected, found and right of one kind in one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Score {
    expected: usize,
    found: usize,
    right: usize,
}

/// Scores by kind and language.
#[derive(Default)]
struct Scores(BTreeMap<(String, String), Score>);

/// Prints the scores of the messages in a file.
pub(super) fn run(file: &Path) -> Outcome<()> {
    let messages: Vec<Labelled> = conversations::lines(file)?;
    if let Some(bad) = messages.iter().find(|one| one.expect.iter().any(|label| label.kind.is_empty())) {
        return Err(format!("{}: {} has a label without a kind", file.display(), bad.id).into());
    }
    let mut scores = Scores::default();
    messages.iter().for_each(|message| scores.add(message));
    println!("{}, {} messages: precision / recall (labels)\n", file.display(), messages.len());
    scores.print();
    Ok(())
}

impl Expected {
    fn is_met_by(&self, finding: &Finding) -> bool {
        let text = finding.text.to_lowercase();
        self.kind.iter().any(|kind| kind == finding.kind.name())
            && self.words.iter().all(|word| text.contains(&word.to_lowercase()))
    }
}

impl Scores {
    fn add(&mut self, labelled: &Labelled) {
        let at = labelled.at.at(10, 0, 0, 0);
        let findings = observe(&[Message { role: labelled.role, text: labelled.text.clone(), at }], &[], &[]);
        let language = labelled.id.split('-').next().unwrap_or_default();
        for expected in &labelled.expect {
            self.count(&expected.kind[0], language, |score| score.expected += 1);
        }
        for finding in &findings {
            let met = labelled.expect.iter().find(|expected| expected.is_met_by(finding));
            let kind = met.map_or(finding.kind.name(), |expected| &expected.kind[0]);
            self.count(kind, language, |score| {
                score.found += 1;
                score.right += usize::from(met.is_some());
            });
        }
    }

    fn count(&mut self, kind: &str, language: &str, change: impl Fn(&mut Score)) {
        for kind in [kind, ALL] {
            for language in [language, ALL] {
                change(self.0.entry((kind.to_owned(), language.to_owned())).or_default());
            }
        }
    }

    /// All names of a part, with everything together at the end.
    fn names(&self, part: impl Fn(&(String, String)) -> &String) -> Vec<String> {
        let mut names: Vec<String> = self.0.keys().map(part).filter(|name| *name != ALL).cloned().collect();
        names.sort();
        names.dedup();
        names.push(ALL.to_owned());
        names
    }

    fn print(&self) {
        let languages = self.names(|(_, language)| language);
        print!("{:<16}", "kind");
        languages.iter().for_each(|language| print!("  {language:>16}"));
        println!();
        for kind in self.names(|(kind, _)| kind) {
            print!("{kind:<16}");
            for language in &languages {
                let score = self.0.get(&(kind.clone(), language.clone())).copied().unwrap_or_default();
                print!("  {:>16}", score.to_string());
            }
            println!();
        }
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = |of: usize| match of {
            0 => "–".to_owned(),
            of => format!("{:.2}", self.right as f64 / of as f64),
        };
        write!(f, "{} / {} ({})", share(self.found), share(self.expected), self.expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(lines: &str) -> Scores {
        let mut scores = Scores::default();
        lines.lines().for_each(|line| scores.add(&serde_json::from_str(line).unwrap()));
        scores
    }

    #[test]
    fn what_is_right_missed_and_too_much_is_counted_by_kind_and_language() {
        let scores = scores(
            r#"{"id":"en-1","role":"user","at":"2026-03-10","text":"We decided to use Postgres.","expect":[{"kind":["decision"],"words":["postgres"]}]}
{"id":"en-2","role":"user","at":"2026-03-10","text":"We decided to use Redis.","expect":[]}
{"id":"ko-1","role":"user","at":"2026-03-10","text":"안녕하세요!","expect":[{"kind":["decision"],"words":["인사"]}]}"#,
        );
        let of = |kind: &str, language: &str| scores.0[&(kind.to_owned(), language.to_owned())];
        assert_eq!(of("decision", "en"), Score { expected: 1, found: 2, right: 1 });
        assert_eq!(of("decision", "ko"), Score { expected: 1, found: 0, right: 0 });
        assert_eq!(of(ALL, ALL), Score { expected: 2, found: 2, right: 1 });
        assert_eq!(of(ALL, ALL).to_string(), "0.50 / 0.50 (2)");
        assert_eq!(of("decision", "ko").to_string(), "– / 0.00 (1)");
        assert_eq!(scores.names(|(_, language)| language), ["en", "ko", ALL]);
    }

    #[test]
    fn a_file_that_is_no_labelled_set_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bad.jsonl");
        assert!(run(&file).is_err());
        for bad in [
            "不是 JSON",
            r#"{"id":"zh-1"}"#,
            r#"{"id":"zh-1","role":"user","at":"2026-03-10","text":"好","expect":[{"kind":[],"words":[]}]}"#,
        ] {
            std::fs::write(&file, bad).unwrap();
            assert!(run(&file).is_err(), "{bad}");
        }
    }
}
