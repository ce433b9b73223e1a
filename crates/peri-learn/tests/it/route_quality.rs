//! Routing on the labelled tasks of `bench/routing`: words alone, in the order of the file.
//!
//! The bounds lie below what `peri-bench route --words-only` measures, so that they hold after small changes and fail
//! after large ones.

use std::fs;
use std::path::Path;

use peri_learn::route::{Judgement, Origin, Router, Task, expected_calibration_error, route_by_table};
use peri_types::TaskOutcome;
use serde::Deserialize;

#[derive(Deserialize)]
struct Labelled {
    split: String,
    agent: String,
    text: String,
}

fn read(split: &str) -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/routing");
    let texts = ["tasks.jsonl", "later.jsonl"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let lines = texts.iter().flat_map(|text| text.lines());
    let all = lines.map(|line| serde_json::from_str::<Labelled>(line).unwrap());
    all.filter(|one| one.split == split).collect()
}

fn judged(router: &Router, of: &[Labelled]) -> Vec<Judgement> {
    let judge = |one: &Labelled| {
        let route = router.route(&Task::of(&one.text));
        Judgement { confidence: route.confidence, right: f32::from(u8::from(route.agent == one.agent)) }
    };
    of.iter().map(judge).collect()
}

fn accuracy(of: &[Judgement]) -> f32 {
    of.iter().map(|one| one.right).sum::<f32>() / of.len() as f32
}

#[test]
fn what_is_learned_from_some_topics_holds_for_others_and_is_as_sure_as_it_is_right() {
    let mut router = Router::default();
    for one in read("train") {
        router.learn(&Task::of(&one.text), &one.agent, TaskOutcome::Success).unwrap();
    }
    for (split, accuracy_min, error_max) in [("test", 0.90, 0.08), ("later", 0.85, 0.10)] {
        let judged = judged(&router, &read(split));
        let (right, error) = (accuracy(&judged), expected_calibration_error(&judged));
        assert!(right >= accuracy_min && error <= error_max, "{split}: {right} right, {error} off");
    }
}

#[test]
fn the_table_alone_is_far_from_that_and_knows_it() {
    let test = read("test");
    let by_table = |one: &&Labelled| route_by_table(&one.text, Some(Origin::Table)).agent == one.agent;
    let original = test.iter().filter(by_table).count() as f32 / test.len() as f32;
    let judged = judged(&Router::default(), &test);
    assert!(original < 0.5 && accuracy(&judged) < 0.7, "{original} {}", accuracy(&judged));
    assert!(expected_calibration_error(&judged) < 0.15);
}

#[test]
fn train_and_held_out_share_neither_topics_nor_texts() {
    let texts = |split| read(split).into_iter().map(|one| one.text).collect::<std::collections::HashSet<_>>();
    let (train, test, later) = (texts("train"), texts("test"), texts("later"));
    assert!(train.is_disjoint(&test) && train.is_disjoint(&later) && test.is_disjoint(&later));
    assert!(train.len() + test.len() >= 480 && later.len() >= 100);
}
