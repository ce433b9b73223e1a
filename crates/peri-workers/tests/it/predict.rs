//! Predict between its runs: what it reads, what it leaves alone, and that each recall is measured once.

use std::sync::Arc;

use peri_workers::{RunStatus, WorkerKind, WorkerReport};
use perihelion::{Namespace, Perihelion, Recall, Remember, Scope};
use serde_json::Value;

use crate::support::{another, done, figure, fresh, manager, run};

const QUESTIONS: [&str; 3] =
    ["who owns the billing service?", "백업은 언제 돌아가나요?", "预发布服务器叫什么？"];

fn remember(engine: &Perihelion) {
    for text in ["Mina owns the billing service", "백업은 새벽 세 시에 돌아간다", "预发布服务器叫做木卫三"]
    {
        engine.remember(Remember::new(text)).unwrap();
    }
}

/// Recalls, so often and in turn, and lets the chores tell of it.
fn recall(engine: &Perihelion, times: usize) {
    for question in QUESTIONS.iter().cycle().take(times) {
        let found = engine.recall(&Recall::new(*question).limit(1)).unwrap();
        assert_eq!(found.hits.len(), 1, "{question}");
    }
    engine.maintain().unwrap();
}

fn predict(workers: &peri_workers::WorkerManager) -> WorkerReport {
    done(workers, WorkerKind::Predict)
}

fn state(engine: &Perihelion) -> Value {
    engine.worker_runs(Some("predict"), 1).unwrap()[0].detail["state"].clone()
}

#[test]
fn without_a_recall_since_the_last_run_nothing_is_read_again_and_the_prediction_stands() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    remember(&engine);
    recall(&engine, 30);
    let first = predict(&workers);
    assert!(figure(&first, "events_read") >= 30.0, "{first:?}");
    assert_eq!(figure(&first, "warmed"), 1.0, "{first:?}");
    let before = state(&engine);
    let again = predict(&workers);
    // That the first run ended, and that this one began.
    assert!(figure(&again, "events_read") <= 2.0, "{again:?}");
    assert_eq!((figure(&again, "warmed"), figure(&again, "recalled")), (0.0, 0.0), "{again:?}");
    assert!(again.output.contains("what was predicted then stands"), "{}", again.output);
    assert_eq!(state(&engine), before);
}

#[test]
fn of_new_events_only_those_are_read_and_each_recall_is_measured_once() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    remember(&engine);
    recall(&engine, 60);
    predict(&workers);
    recall(&engine, 3);
    let second = predict(&workers);
    assert!(figure(&second, "events_read") < 30.0, "{second:?}");
    assert_eq!((figure(&second, "recalled"), figure(&second, "hits")), (3.0, 3.0), "{second:?}");
    let third = predict(&workers);
    assert_eq!(figure(&third, "recalled"), 0.0, "{third:?}");
    assert!(figure(&third, "hit_rate").is_nan(), "no rate is made up: {third:?}");
}

#[test]
fn a_recall_that_is_told_of_late_is_measured_all_the_same() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    remember(&engine);
    recall(&engine, 6);
    predict(&workers);
    engine.recall(&Recall::new(QUESTIONS[0]).limit(1)).unwrap();
    let unaware = predict(&workers);
    assert_eq!(figure(&unaware, "recalled"), 0.0, "no event tells of it yet: {unaware:?}");
    engine.maintain().unwrap();
    let aware = predict(&workers);
    assert_eq!((figure(&aware, "recalled"), figure(&aware, "hits")), (1.0, 1.0), "{aware:?}");
}

#[test]
fn a_process_that_takes_over_from_one_that_died_misses_no_recall_and_counts_none_twice() {
    let (folder, engine) = fresh();
    let first = manager(&engine);
    remember(&engine);
    recall(&engine, 9);
    predict(&first);
    recall(&engine, 2);
    // What the first one kept in its memory is of no use to this one.
    let second = manager(&another(&folder));
    let taken_over = predict(&second);
    assert_eq!(figure(&taken_over, "recalled"), 2.0, "{taken_over:?}");
    assert_eq!(figure(&taken_over, "warmed"), 1.0, "its own index is warmed: {taken_over:?}");
    // And should the first one live after all, it knows what was counted.
    let back = predict(&first);
    assert_eq!((figure(&back, "recalled"), figure(&back, "warmed")), (0.0, 0.0), "{back:?}");
    recall(&engine, 1);
    assert_eq!(figure(&predict(&first), "recalled"), 1.0);
}

#[test]
fn without_any_recall_it_says_so_and_the_first_one_ends_that() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    remember(&engine);
    for _ in 0..2 {
        assert_eq!(run(&workers, WorkerKind::Predict).status, RunStatus::Unavailable);
    }
    recall(&engine, 1);
    let first = predict(&workers);
    assert!(first.output.starts_with("nothing was predicted before"), "{}", first.output);
    let predicted = &state(&engine)["predicted"][Namespace::default().as_str()];
    assert_eq!(predicted.as_array().map(Vec::len), Some(1), "{predicted}");
}

#[test]
fn what_is_outside_of_the_scope_is_not_looked_at() {
    let (_folder, engine) = fresh();
    let (inside, outside): (Namespace, Namespace) = ("팀/안".parse().unwrap(), "팀/밖".parse().unwrap());
    let settings =
        peri_workers::WorkersSettings { scope: Scope::Exact(inside.clone()), ..crate::support::settings() };
    let workers = peri_workers::WorkerManager::new(Arc::clone(&engine), None, settings);
    for round in 0..2 {
        for namespace in [&inside, &outside] {
            let fact = format!("The staging server is called Ganymede {round}");
            engine.remember(Remember::new(fact).in_namespace(namespace.clone())).unwrap();
            let asked = Recall::new("what is the staging server called?").limit(1);
            engine.recall(&asked.in_scope(Scope::Exact(namespace.clone()))).unwrap();
        }
        engine.maintain().unwrap();
        predict(&workers);
        let state = state(&engine);
        let places: Vec<&String> = state["predicted"].as_object().unwrap().keys().collect();
        assert_eq!(places, [inside.as_str()], "round {round}");
    }
}
