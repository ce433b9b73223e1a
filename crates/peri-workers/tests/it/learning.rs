//! Workers that learn: ultralearn, learning, benchmark and predict, each on a prepared store.

use peri_workers::{RunStatus, WorkerKind};
use perihelion::{
    Feedback, JournalStatus, MemoryId, Namespace, NewEntry, NewTrajectory, NewTurn, PatternList, Perihelion,
    Recall, Remember, RouteRequest, Scope, TaskOutcome, TurnUpdate,
};
use serde_json::json;

use crate::support::{done, figure, fresh, manager, run};

/// A turn of an agent that did something.
fn turn(engine: &Perihelion, task: &str, calls: &[&str], status: JournalStatus) {
    let entry = engine.append(NewEntry::new(task)).unwrap();
    let turn = engine.begin_turn(NewTurn { input: Some(entry.id), ..NewTurn::default() }).unwrap().turn;
    let calls = calls.iter().map(|call| json!({ "name": "Bash", "input": { "command": call } })).collect();
    let update = TurnUpdate { status: Some(status), tool_calls: Some(calls), ..TurnUpdate::default() };
    engine.update_turn(&Scope::All, turn.id, update).unwrap();
}

#[test]
fn ultralearn_draws_a_pattern_from_finished_turns_and_from_each_of_them_once() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    for release in ["one", "two", "three"] {
        let task = format!("publish release {release} of the web shop");
        turn(&engine, &task, &["make test", "make package", "make publish"], JournalStatus::Ok);
    }
    let report = done(&workers, WorkerKind::Ultralearn);
    assert_eq!((figure(&report, "recorded"), figure(&report, "learned")), (3.0, 1.0), "{report:?}");
    let patterns = engine.patterns(&PatternList::default()).unwrap();
    assert!(patterns[0].strategy.contains("make publish"), "{}", patterns[0].strategy);
    let again = done(&workers, WorkerKind::Ultralearn);
    assert_eq!((figure(&again, "recorded"), figure(&again, "learned")), (0.0, 0.0), "{again:?}");
    turn(
        &engine,
        "publish release four of the web shop",
        &["make test", "make publish"],
        JournalStatus::Error,
    );
    assert_eq!(figure(&done(&workers, WorkerKind::Ultralearn), "recorded"), 1.0);
}

#[test]
fn learning_trains_a_router_that_then_routes_and_says_so_when_there_is_nothing() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    let nothing = run(&workers, WorkerKind::Learning);
    assert_eq!(nothing.status, RunStatus::Unavailable, "{nothing:?}");
    for task in ["번역해 줘: 도움말", "번역해 줘: 버튼 이름", "번역해 줘: 오류 문구", "번역해 줘: 메뉴"]
    {
        engine.record_trajectory(NewTrajectory::new(task, TaskOutcome::Success).by("translator")).unwrap();
    }
    let report = done(&workers, WorkerKind::Learning);
    assert_eq!(report.figures["routers"][0]["outcomes"], 4);
    let routed = engine.route_task(&RouteRequest::new("번역해 줘: 설명서")).unwrap();
    assert_eq!(routed.agent, "translator");
    let sets = engine.learned_sets(&Namespace::default(), "router").unwrap();
    assert_eq!(sets.len(), 1, "the trained router is kept");
}

/// Memories, and feedback that says which of them answers which question.
fn judged(engine: &Perihelion) -> Vec<MemoryId> {
    let facts = [
        ("The staging server is called Ganymede", "what is the staging server called?"),
        ("Mina owns the billing service", "who owns billing?"),
        ("Backups run at three in the morning", "when do backups run?"),
        ("The API key rotates every ninety days", "how often does the API key rotate?"),
        ("Deploys are frozen in December", "when are deploys frozen?"),
        ("The office plant is named Gerald", "what is the plant named?"),
    ];
    let ids: Vec<_> =
        facts.iter().map(|(fact, _)| engine.remember(Remember::new(*fact)).unwrap().id).collect();
    for (place, (_, question)) in facts.iter().enumerate() {
        let (used, unused) = (vec![ids[place]], vec![ids[(place + 1) % ids.len()]]);
        let feedback = Feedback { query: (*question).to_owned(), used, unused, session: None };
        engine.feedback(&Namespace::default(), &feedback).unwrap();
    }
    ids
}

#[test]
fn benchmark_measures_recall_on_judged_questions_and_keeps_the_trend() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    let nothing = run(&workers, WorkerKind::Benchmark);
    assert_eq!(nothing.status, RunStatus::Unavailable);
    let ids = judged(&engine);
    for _ in 0..3 {
        let report = done(&workers, WorkerKind::Benchmark);
        assert_eq!((figure(&report, "questions"), figure(&report, "recall_at_10")), (6.0, 1.0), "{report:?}");
    }
    // What can be found no more is no question; what is found worse is told.
    for id in &ids[..5] {
        let revise =
            perihelion::Revise { content: Some(format!("nothing of the sort {id}")), ..Default::default() };
        engine.revise(&Scope::All, *id, revise).unwrap();
    }
    let report = done(&workers, WorkerKind::Benchmark);
    assert!(figure(&report, "recall_at_10") < 0.9, "{report:?}");
    let alerts = engine.worker_alerts(false, 10).unwrap();
    assert!(alerts.iter().any(|alert| alert.mark == "quality"), "{alerts:?}");
}

#[test]
fn predict_is_measured_by_what_was_recalled_after_it() {
    let (_folder, engine) = fresh();
    let workers = manager(&engine);
    assert_eq!(run(&workers, WorkerKind::Predict).status, RunStatus::Unavailable);
    judged(&engine);
    let questions = ["who owns billing?", "when do backups run?"];
    for _ in 0..5 {
        for question in questions {
            engine.recall(&Recall::new(question).limit(1)).unwrap();
        }
    }
    engine.maintain().unwrap();
    let first = done(&workers, WorkerKind::Predict);
    assert!(figure(&first, "hit_rate").is_nan(), "there was no prediction to measure: {first:?}");
    engine.recall(&Recall::new("who owns billing?").limit(1)).unwrap();
    engine.maintain().unwrap();
    let second = done(&workers, WorkerKind::Predict);
    assert_eq!((figure(&second, "recalled"), figure(&second, "hits")), (1.0, 1.0), "{second:?}");
}
