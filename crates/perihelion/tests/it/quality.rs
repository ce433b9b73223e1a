//! Retrieval quality on a small fixed corpus: a conversation of two people and plain facts in three languages.
//!
//! The full benchmark is `peri-bench`; this keeps a change from breaking recall unnoticed.

use std::collections::HashMap;
use std::path::Path;

use perihelion::{MemoryId, Perihelion, Recall, Remember, Timestamp, Trashed};
use serde::Deserialize;

use crate::support::{all, answers, open, snapshots};

#[derive(Deserialize)]
struct Turn {
    key: String,
    session: String,
    at: Timestamp,
    speaker: String,
    content: String,
}

#[derive(Deserialize)]
struct Fact {
    key: String,
    content: String,
}

#[derive(Deserialize)]
pub struct Question {
    pub question: String,
    expected: Vec<String>,
}

fn lines<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn turns() -> Vec<(String, Remember)> {
    let turns: Vec<Turn> = lines(include_str!("corpus/turns.jsonl"));
    let request =
        |turn: Turn| (turn.key, Remember::new(turn.content).said(turn.session, turn.speaker).at(turn.at));
    turns.into_iter().map(request).collect()
}

pub fn facts() -> Vec<(String, Remember)> {
    let facts: Vec<Fact> = lines(include_str!("corpus/facts.jsonl"));
    facts.into_iter().map(|fact| (fact.key, Remember::new(fact.content))).collect()
}

pub fn questions() -> Vec<Question> {
    lines(include_str!("corpus/questions.jsonl"))
}

/// Stores a corpus; the key of each memory by its id.
fn store(engine: &Perihelion, corpus: Vec<(String, Remember)>) -> HashMap<MemoryId, String> {
    let (keys, requests): (Vec<_>, Vec<_>) = corpus.into_iter().unzip();
    let receipts = engine.remember_all(requests).unwrap();
    receipts.into_iter().map(|receipt| receipt.id).zip(keys).collect()
}

/// Which of these questions do not have an expected memory among the first `depth` results.
fn misses(
    engine: &Perihelion,
    keys: &HashMap<MemoryId, String>,
    questions: &[Question],
    depth: usize,
) -> Vec<String> {
    let mut misses = Vec::new();
    for Question { question, expected } in questions {
        let hits = engine.recall(&Recall::new(question).limit(depth)).unwrap().hits;
        let found: Vec<&str> = hits.iter().map(|hit| keys[&hit.memory.id].as_str()).collect();
        if !expected.iter().any(|key| found.contains(&key.as_str())) {
            misses.push(format!("{question:?} expects {expected:?}, found {found:?}"));
        }
    }
    misses
}

fn whole_corpus(folder: &Path) -> HashMap<MemoryId, String> {
    let engine = open(folder);
    let keys = store(&engine, turns().into_iter().chain(facts()).collect());
    engine.close().unwrap();
    keys
}

#[test]
fn the_expected_memory_is_among_the_first_three_for_nearly_every_question() {
    let folder = tempfile::tempdir().unwrap();
    let keys = whole_corpus(folder.path());
    let (engine, questions) = (open(folder.path()), questions());
    let misses = misses(&engine, &keys, &questions, 3);
    assert!(questions.len() >= 25 && misses.len() <= 2, "{} misses:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn a_snapshot_and_a_rebuilt_index_give_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    whole_corpus(folder.path());
    let questions = questions();
    let queries: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
    let fresh = open(folder.path());
    let expected = answers(&fresh, &queries);
    fresh.maintain().unwrap();
    fresh.close().unwrap();
    assert_eq!(snapshots(folder.path()).len(), 1, "the corpus is large enough for a snapshot");
    let from_snapshot = open(folder.path());
    assert_eq!(answers(&from_snapshot, &queries), expected);
    drop(from_snapshot);
    std::fs::remove_dir_all(folder.path().join("index")).unwrap();
    assert_eq!(answers(&open(folder.path()), &queries), expected);
}

#[test]
fn an_index_that_grew_one_by_one_answers_as_one_built_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let questions = questions();
    let queries: Vec<&str> = questions.iter().map(|question| question.question.as_str()).collect();
    for (_, request) in turns().into_iter().chain(facts()) {
        engine.remember(request).unwrap();
        engine.recall(&Recall::new("keep the index up to date")).unwrap();
    }
    assert_eq!(answers(&engine, &queries), answers(&open(folder.path()), &queries));
    assert_eq!(all(&engine, Trashed::Without).len(), turns().len() + facts().len());
}

#[test]
fn plain_facts_alone_are_found_first() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let keys = store(&engine, facts());
    let mut questions = questions();
    questions.retain(|question| question.expected.iter().all(|key| key.starts_with('f')));
    let misses = misses(&engine, &keys, &questions, 1);
    assert!(questions.len() >= 12 && misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn a_conversation_beside_them_does_not_hide_plain_facts() {
    let folder = tempfile::tempdir().unwrap();
    let keys = whole_corpus(folder.path());
    let engine = open(folder.path());
    let missed: Vec<String> = facts()
        .into_iter()
        .filter_map(|(key, fact)| {
            let hits = engine.recall(&Recall::new(&fact.content).limit(1)).unwrap().hits;
            let found = hits.first().map(|hit| keys[&hit.memory.id].as_str());
            (found != Some(key.as_str())).then(|| format!("{} found {found:?}", fact.content))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
