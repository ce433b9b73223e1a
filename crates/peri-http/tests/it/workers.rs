//! Background workers over HTTP.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::Method;
use peri_workers::{
    Findings, Job, Line, TABLE, Trigger, Trouble, WorkerConfig, WorkerKind, WorkerManager, WorkersSettings,
};
use perihelion::{Chores, NewAlert, Options, Perihelion, Role, Severity};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc::{Receiver as Arrivals, Sender as Arrival, channel};

use crate::support::{Ask, House, settings};

/// Long enough that a test that relies on it never ends.
const FOREVER: Duration = Duration::from_secs(24 * 60 * 60);

/// Where workers wait for their test, and tell it that they do. Workers are plain functions, so that they find it by
/// the namespace that they are configured with.
struct Gate {
    here: Arrival<WorkerKind>,
    go: Mutex<Receiver<()>>,
}

static GATES: Mutex<Option<HashMap<String, Arc<Gate>>>> = Mutex::new(None);

fn gate(name: &str) -> (Arrivals<WorkerKind>, SyncSender<()>) {
    let ((here, is_here), (go, goes)) = (channel(16), sync_channel(16));
    let gate = Arc::new(Gate { here, go: Mutex::new(goes) });
    GATES.lock().unwrap().get_or_insert_default().insert(name.to_owned(), gate);
    (is_here, go)
}

/// Says that it is at work and works until it is told to stop or let go.
fn waits(job: &Job<'_>, kind: WorkerKind) -> Result<Findings, Trouble> {
    let name = job.settings.namespace.to_string();
    let gate = Arc::clone(&GATES.lock().unwrap().as_ref().unwrap()[&name]);
    gate.here.blocking_send(kind).unwrap();
    loop {
        if gate.go.lock().unwrap().recv_timeout(Duration::from_millis(5)).is_ok() {
            return Ok(Findings::new("let go"));
        }
        job.check()?;
    }
}

fn line(kind: WorkerKind, work: fn(&Job<'_>) -> Result<Findings, Trouble>) -> Line {
    let usual = *TABLE.iter().find(|line| line.kind == kind).unwrap();
    Line { work, ..usual }
}

/// One that waits at the gate of its configuration.
fn map_waits() -> Line {
    line(WorkerKind::Map, |job| waits(job, WorkerKind::Map))
}

fn finds(_: &Job<'_>) -> Result<Findings, Trouble> {
    let alert = NewAlert {
        mark: "a key in the notes".to_owned(),
        namespace: Some("팀/가".parse().unwrap()),
        severity: Severity::Warning,
        message: "메모에 열쇠가 있다".to_owned(),
        ids: Vec::new(),
        file: None,
    };
    Ok(Findings::new("查看了两条记忆").figure("looked", 2).alert(alert))
}

fn engine_at(folder: &TempDir) -> Arc<Perihelion> {
    let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
    Arc::new(Perihelion::open(options).unwrap())
}

/// Settings of workers that wait at a gate of this name.
fn at_gate(name: &str) -> WorkersSettings {
    WorkersSettings { namespace: name.parse().unwrap(), parallel: 1, ..WorkersSettings::default() }
}

/// A server with these workers in the place of those of the table.
fn employing(lines: Vec<Line>, workers: WorkersSettings) -> House {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_at(&folder);
    let mut manager = WorkerManager::new(Arc::clone(&engine), None, workers);
    lines.into_iter().for_each(|line| manager.register(line));
    let patient = peri_http::Settings { grace: FOREVER, ..settings() };
    House::serve_with(folder, engine, patient, |server| server.with_workers(Arc::new(manager)))
}

fn dispatch(house: &House, worker: &str) -> Ask {
    house.ask(Method::POST, &format!("/api/workers/dispatch?worker={worker}"))
}

async fn status_of(house: &House, worker: &str) -> Value {
    let status = house.get("/api/workers/status").send().await.expect(200);
    let all = status["workers"].as_array().unwrap();
    all.iter().find(|one| one["worker"] == worker).unwrap().clone()
}

#[tokio::test]
async fn each_worker_is_told_of_with_what_it_is_for_and_when_it_runs() {
    let house = House::open().await;
    let status = house.get("/api/workers/status").send().await.expect(200);
    assert_eq!((&status["scheduled"], &status["alerts"]), (&json!(false), &json!([])), "{status}");
    let told: Vec<(&str, &str, u64)> = status["workers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(
                (&one["enabled"], &one["running"], &one["runs"]),
                (&json!(true), &json!("no"), &json!(0))
            );
            assert!(!one["purpose"].as_str().unwrap().is_empty(), "{one}");
            let (name, priority) = (one["worker"].as_str().unwrap(), one["priority"].as_str().unwrap());
            (name, priority, one["interval_seconds"].as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("ultralearn", "normal", 60),
        ("audit", "critical", 600),
        ("optimize", "high", 300),
        ("consolidate", "low", 1800),
        ("predict", "normal", 300),
        ("map", "normal", 600),
        ("deepdive", "normal", 600),
        ("document", "normal", 1800),
        ("refactor", "normal", 600),
        ("benchmark", "normal", 600),
        ("testgaps", "normal", 600),
        ("learning", "normal", 900),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_run_its_figures_and_what_it_found_are_told_and_kept() {
    let house = employing(vec![line(WorkerKind::Audit, finds)], WorkersSettings::default());
    let run = dispatch(&house, "audit").send().await.expect(200)["results"][0].clone();
    assert_eq!(
        (&run["status"], &run["success"], &run["alerts"]),
        (&json!("done"), &json!(true), &json!(1)),
        "{run}"
    );
    assert_eq!((&run["output"], &run["figures"]["looked"]), (&json!("查看了两条记忆"), &json!(2)), "{run}");
    let again = dispatch(&house, "audit").send().await.expect(200)["results"][0].clone();
    assert_eq!(again["alerts"], 0, "what is known is not told again: {again}");
    let status = status_of(&house, "audit").await;
    assert_eq!(
        (&status["runs"], &status["successes"], &status["open_alerts"]),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(status["last"]["number"], again["number"], "{status}");
    let runs = house.get("/v1/workers/runs?worker=audit&limit=1").send().await.expect(200);
    assert_eq!(
        (runs["runs"].as_array().unwrap().len(), &runs["runs"][0]["summary"]),
        (1, &json!("查看了两条记忆"))
    );
    let none = house.get("/v1/workers/runs?worker=map").send().await.expect(200);
    assert_eq!(none["runs"], json!([]));
    let alerts = house.get("/v1/workers/alerts").send().await.expect(200);
    assert_eq!(alerts["alerts"][0]["message"], "메모에 열쇠가 있다", "{alerts}");
    assert_eq!(alerts["alerts"][0]["namespace"], "팀/가", "{alerts}");
}

#[tokio::test]
async fn a_worker_that_lacks_what_it_needs_answers_and_says_what() {
    let house = House::open().await;
    let run = dispatch(&house, "map").send().await.expect(200)["results"][0].clone();
    assert_eq!((&run["status"], &run["success"]), (&json!("unavailable"), &json!(false)), "{run}");
    assert!(run["output"].as_str().unwrap().contains("workers.workspace"), "{run}");
    assert_eq!(status_of(&house, "map").await["last"]["status"], "unavailable");
}

#[tokio::test]
async fn all_are_run_by_priority_with_those_that_fail_and_without_those_that_are_off() {
    let quick: Vec<Line> =
        WorkerKind::ALL.iter().map(|kind| line(*kind, |_| Ok(Findings::new("ran")))).collect();
    let mut workers = WorkersSettings { parallel: 1, ..WorkersSettings::default() };
    let off = WorkerConfig { enabled: false, interval: Duration::from_secs(60) };
    workers.workers.insert(WorkerKind::Predict, off);
    let fails = line(WorkerKind::Optimize, |_| Err(Trouble::Failed("디스크가 없다".to_owned())));
    let house = employing(quick.into_iter().chain([fails]).collect(), workers);
    let all = house.ask(Method::POST, "/api/workers/dispatch").send().await.expect(200);
    let results = all["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|run| run["worker"].as_str().unwrap()).collect();
    assert_eq!((names.len(), &names[..2], names[10]), (11, &["audit", "optimize"][..], "consolidate"));
    assert!(!names.contains(&"predict"), "{names:?}");
    assert_eq!((&results[1]["status"], &results[1]["output"]), (&json!("failed"), &json!("디스크가 없다")));
    assert_eq!((all.get("at_work"), all.get("failed")), (None, None), "{all}");
    let by_hand = dispatch(&house, "predict").send().await.expect(200);
    assert_eq!(by_hand["results"][0]["status"], "done", "by hand one that is off runs too");
}

#[tokio::test]
async fn a_worker_that_is_at_work_here_is_not_begun_again_and_can_be_stopped() {
    let (mut is_here, _go) = gate("here");
    let house = employing(vec![map_waits()], at_gate("here"));
    let first = tokio::spawn(dispatch(&house, "map").send());
    is_here.recv().await.unwrap();
    let problem = dispatch(&house, "map").send().await.problem(409, "conflict");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("map is at work already") && detail.contains("cancel"), "{detail}");
    assert_eq!(status_of(&house, "map").await["running"], "here");
    let stats = house.get("/api/memory/learning/stats").send().await.expect(200);
    assert_eq!(stats["active_workers"], json!(["map"]));
    let cancel = || house.ask(Method::POST, "/v1/workers/map/cancel").send();
    assert_eq!(cancel().await.expect(200), json!({"worker": "map", "asked": true}));
    let ended = first.await.unwrap().expect(200)["results"][0].clone();
    assert_eq!((&ended["status"], &ended["success"]), (&json!("cancelled"), &json!(false)), "{ended}");
    assert_eq!(cancel().await.expect(200)["asked"], false, "nobody is at it any more");
    let runs = house.get("/v1/workers/runs").send().await.expect(200);
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1, "the one that was refused is none");
}

#[tokio::test]
async fn a_worker_that_is_at_work_elsewhere_is_not_begun_and_can_be_stopped_from_here() {
    let (mut is_here, _go) = gate("elsewhere");
    let folder = tempfile::tempdir().unwrap();
    // Two engines over one folder are two processes as far as the store can tell.
    let (here, there) = (engine_at(&folder), engine_at(&folder));
    let mut elsewhere = WorkerManager::new(there, None, at_gate("elsewhere"));
    elsewhere.register(map_waits());
    let house = House::serve(folder, here, settings());
    let other = tokio::task::spawn_blocking(move || elsewhere.dispatch(WorkerKind::Map, Trigger::Hand));
    is_here.recv().await.unwrap();
    dispatch(&house, "map").send().await.problem(409, "conflict");
    assert_eq!(status_of(&house, "map").await["running"], "elsewhere");
    let asked = house.ask(Method::POST, "/v1/workers/map/cancel").send().await.expect(200);
    assert_eq!(asked["asked"], true);
    let perihelion::Turned::Done(report) = other.await.unwrap().unwrap() else { panic!("it was at work") };
    assert_eq!(report.status.as_str(), "cancelled");
}

#[tokio::test]
async fn one_that_is_at_work_is_passed_over_when_all_are_run() {
    let (mut is_here, go) = gate("over");
    let mut lines: Vec<Line> =
        WorkerKind::ALL.iter().map(|kind| line(*kind, |_| Ok(Findings::new("ran")))).collect();
    lines.push(map_waits());
    let house = employing(lines, at_gate("over"));
    let first = tokio::spawn(dispatch(&house, "map").send());
    is_here.recv().await.unwrap();
    let all = house.ask(Method::POST, "/api/workers/dispatch").send().await.expect(200);
    assert_eq!((&all["at_work"], all["results"].as_array().unwrap().len()), (&json!(["map"]), 11), "{all}");
    go.send(()).unwrap();
    assert_eq!(first.await.unwrap().expect(200)["results"][0]["output"], "let go");
}

#[tokio::test]
async fn a_server_that_stops_does_not_wait_for_workers_and_answers_what_became_of_them() {
    let (mut is_here, _go) = gate("stop");
    let mut workers = at_gate("stop");
    let off = WorkerConfig { enabled: false, interval: Duration::from_secs(60) };
    for kind in WorkerKind::ALL {
        if ![WorkerKind::Map, WorkerKind::Audit].contains(kind) {
            workers.workers.insert(*kind, off);
        }
    }
    let audit = line(WorkerKind::Audit, |job| waits(job, WorkerKind::Audit));
    let house = employing(vec![map_waits(), audit], workers);
    let all = tokio::spawn(house.ask(Method::POST, "/api/workers/dispatch").send());
    assert_eq!(is_here.recv().await, Some(WorkerKind::Audit), "it matters more");
    let (_folder, engine) = house.stop().await;
    let results = all.await.unwrap().expect(200)["results"].clone();
    let ended: Vec<(&Value, &Value)> =
        results.as_array().unwrap().iter().map(|run| (&run["worker"], &run["status"])).collect();
    let cancelled = json!("cancelled");
    assert_eq!(
        ended,
        [(&json!("audit"), &cancelled), (&json!("map"), &cancelled)],
        "the one that came next too"
    );
    assert_eq!(engine.worker_runs(None, 10).unwrap().len(), 2, "what became of them is kept");
}

#[tokio::test]
async fn a_dispatch_under_an_idempotency_key_runs_once() {
    let house = employing(vec![line(WorkerKind::Audit, finds)], WorkersSettings::default());
    let send = || dispatch(&house, "audit").header("idempotency-key", "k1").send();
    let (first, again) = (send().await, send().await);
    assert_eq!((first.status, &again.body), (200, &first.body));
    assert_eq!(again.header("idempotency-replayed"), "true");
    assert_eq!(house.engine.worker_runs(None, 10).unwrap().len(), 1);
}

#[tokio::test]
async fn mistakes_are_named_and_nothing_is_run() {
    let house = House::open().await;
    for (method, path, named) in [
        (Method::POST, "/api/workers/dispatch?worker=janitor", "janitor"),
        (Method::POST, "/api/workers/dispatch?worker=%EC%B2%AD%EC%86%8C", "청소"),
        (Method::POST, "/api/workers/dispatch?worker=", "`worker`"),
        (Method::POST, "/api/workers/dispatch?kind=audit", "kind"),
        (Method::POST, "/v1/workers/janitor/cancel", "ultralearn"),
        (Method::GET, "/v1/workers/runs?limit=0", "`limit`"),
        (Method::GET, "/v1/workers/runs?limit=1001", "`limit`"),
        (Method::GET, "/v1/workers/runs?worker=janitor", "janitor"),
        (Method::GET, "/v1/workers/alerts?limit=0", "`limit`"),
        (Method::GET, "/v1/workers/alerts?resolved=perhaps", "resolved"),
    ] {
        let problem = house.ask(method, path).send().await.problem(400, "invalid-input");
        assert!(problem["detail"].as_str().unwrap().contains(named), "{path} {named}: {problem}");
    }
    house.get("/api/workers/dispatch?worker=map").send().await.problem(405, "method-not-allowed");
    assert_eq!(house.engine.worker_runs(None, 10).unwrap(), []);
}

#[tokio::test]
async fn keys_that_do_not_open_everything_see_nothing_of_workers_and_run_none() {
    let house = employing(vec![line(WorkerKind::Audit, finds)], WorkersSettings::default());
    dispatch(&house, "audit").send().await.expect(200);
    let reads = ["/api/workers/status", "/v1/workers/runs", "/v1/workers/alerts"];
    for (role, scope, read, write) in [
        (Role::Admin, "팀/*", 403, 403),
        (Role::Reader, "*", 200, 403),
        (Role::Writer, "*", 200, 403),
        (Role::Admin, "*", 200, 200),
    ] {
        let key = house.key(role, scope);
        for path in reads {
            let answer = house.get(path).key(&key).send().await;
            answer.expect(read);
            assert_eq!(
                answer.text().contains("열쇠가") || answer.text().contains("两条"),
                read == 200,
                "{path}"
            );
        }
        dispatch(&house, "audit").key(&key).send().await.expect(write);
        let cancel = house.ask(Method::POST, "/v1/workers/audit/cancel").key(&key);
        cancel.send().await.expect(write);
    }
    assert_eq!(house.engine.worker_runs(None, 10).unwrap().len(), 2);
}
