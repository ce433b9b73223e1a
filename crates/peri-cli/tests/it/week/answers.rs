//! Asking about the week: an agent that was not there answers from what it is given, or by recall.

use peri_agents::Agent;
use peri_agents::hooks::OccasionKind;
use serde_json::{Value, json};

use super::checks::undated;
use super::machine::{Death, HookCall};
use super::simulation::{Given, Week};
use super::story::Question;

/// Hits of a recall among which the answer must be.
const TOP: usize = 5;

/// How often a newcomer tries again on a machine that is too slow.
const TRIES_AGAIN: usize = 5;

/// Where a question found its answer, and what was wrong with it.
pub(super) struct Answered {
    pub(super) question: Question,
    pub(super) source: Source,
    /// Why the answer does not count; none if it does.
    pub(super) fault: Option<String>,
    /// The first hits of a recall.
    pub(super) hits: Vec<String>,
}

/// Where an answer was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// In what the agent was given at its beginning.
    Start,
    /// In what came with this prompt, or with one before it.
    Prompt,
    /// Only among the first hits of a recall.
    Recall(usize),
    Nowhere,
}

impl Question {
    /// Whether one note or memory says what is asked for.
    pub(super) fn is_answered_by(&self, line: &str) -> bool {
        let line = undated(line).to_lowercase();
        self.words.iter().all(|word| line.contains(&word.to_lowercase()))
    }

    /// Whether a note or memory says what no longer holds, and not what does.
    fn is_outdated(&self, line: &str) -> bool {
        let lower = line.to_lowercase();
        self.no_longer.iter().any(|word| lower.contains(&word.to_lowercase())) && !self.is_answered_by(line)
    }

    /// Why the first of these that says anything about it does not count.
    fn fault_in<'a>(&self, mut lines: impl Iterator<Item = &'a str>) -> Option<String> {
        let first = lines.find(|line| self.is_answered_by(line) || self.is_outdated(line))?;
        self.is_outdated(first).then(|| format!("what no longer holds comes first: {first}"))
    }
}

impl Week {
    /// Asks everything, in a session of an agent that was never there before.
    pub(super) fn ask_all(&mut self, questions: &[Question]) -> Vec<Answered> {
        let places: Vec<String> = self.visited().cloned().collect();
        let mut answered = Vec::new();
        for place in places {
            self.give(&place, OccasionKind::SessionStart, json!({"source": "startup"}));
            let own = questions.iter().filter(|question| question.place == place);
            answered.extend(own.map(|question| self.ask(question)));
            self.machine.settle();
        }
        answered
    }

    fn ask(&mut self, question: &Question) -> Answered {
        let session = newcomer(&question.place);
        let prompted = self.give(&question.place, OccasionKind::Prompt, json!({ "prompt": question.text }));
        let hits = self.recalled(question);
        let found = |text: &str| text.lines().any(|line| question.is_answered_by(line));
        let all: Vec<&Given> = self.given.iter().filter(|given| given.session == session).collect();
        let source = if all.first().is_some_and(|start| found(&start.text)) {
            Source::Start
        } else if all.iter().any(|given| found(&given.text)) {
            Source::Prompt
        } else {
            let place = hits.iter().position(|hit| question.is_answered_by(hit));
            place.map_or(Source::Nowhere, |place| Source::Recall(place + 1))
        };
        let fault = match source {
            Source::Nowhere => Some("it is not answered".to_owned()),
            _ => question
                .fault_in(prompted.iter().flat_map(|text| text.lines()))
                .or_else(|| question.fault_in(hits.iter().map(String::as_str))),
        };
        Answered { question: question.clone(), source, fault, hits }
    }

    /// The first hits of a recall.
    fn recalled(&self, question: &Question) -> Vec<String> {
        let namespace = self.namespace(&question.place);
        let limit = TOP.to_string();
        let found = self.machine.json(&["-n", &namespace, "recall", "--limit", &limit, &question.text]);
        let contents = |hit: &Value| hit["memory"]["content"].as_str().unwrap_or_default().to_owned();
        found["hits"].as_array().unwrap().iter().map(contents).collect()
    }

    /// Runs a hook of somebody who was never there before. Its record stays empty.
    fn give(&mut self, place: &str, occasion: OccasionKind, more: Value) -> Option<String> {
        let session = newcomer(place);
        let record = self.machine.folder("records").join(format!("{session}.jsonl"));
        std::fs::write(&record, "").unwrap();
        let folder = self.places[place].clone();
        let input = json!({"session_id": session, "transcript_path": record, "cwd": folder,
            "source": more["source"], "prompt": more["prompt"]});
        let call = HookCall { agent: Agent::ClaudeCode, occasion, input, folder };
        // Whoever gets no answer because the machine was too slow tries again.
        let mut run = self.machine.hook(&call, Death::None);
        for _ in 0..TRIES_AGAIN {
            if run.is_slow() {
                run = self.machine.hook(&call, Death::None);
            }
        }
        let text = run.shown()?;
        let (place, is_noted) = (place.to_owned(), run.is_acknowledged());
        self.given.push(Given { place, session, window: 0, text: text.clone(), is_noted });
        Some(text)
    }

    /// The namespace of a place.
    pub(super) fn namespace(&self, place: &str) -> String {
        let listed = self.machine.json(&["namespace", "list"]);
        let names =
            listed["namespaces"].as_array().unwrap().iter().map(|one| one["namespace"].as_str().unwrap());
        let own: Vec<&str> = names.filter(|name| name.starts_with(&format!("workspace/{place}-"))).collect();
        assert_eq!(own.len(), 1, "{place}: {listed}");
        own[0].to_owned()
    }
}

fn newcomer(place: &str) -> String {
    format!("newcomer-{place}")
}
