//! What was tried and learned goes out and in again.

use jiff::SignedDuration;
use peri_store::{
    LearnedSet, Looked, NewAlert, SqliteSettings, SqliteStore, Store, WholePattern, WorkerRun, Write,
};
use perihelion::{
    ChangeNumber, Effect, Ending, ErrorKind, ExportOptions, Filter, ImportMode, ImportOptions, Imported,
    Layer, Pace, Pattern, PatternId, PatternTerm, Perihelion, Resume, Scope, Severity, Start, TaskOutcome,
    Timestamp, Trajectory, TrajectoryId, TrajectoryQuery, TrajectoryStep, TurnId,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::resume::broken;
use super::{export, import, later};
use crate::supersession::clocked;
use crate::support::{fresh, keep, kind_of, ns, time};

/// The store of an engine, as another process has it.
pub fn store_of(folder: &TempDir) -> SqliteStore {
    SqliteStore::open(&folder.path().join(Perihelion::DATABASE), &SqliteSettings::default()).unwrap()
}

fn at(hour: i64) -> Timestamp {
    time("2026-02-03T00:00:00Z") + SignedDuration::from_hours(hour)
}

/// A pattern whose parts are there or not by the bits of its number.
pub fn pattern(namespace: &str, number: u16) -> Pattern {
    let has = |bit: u16| number & (1 << bit) != 0;
    let mut id = [7; 16];
    id[..2].copy_from_slice(&number.to_be_bytes());
    Pattern {
        id: PatternId::from_bytes(id),
        namespace: ns(namespace),
        strategy: format!("run the failing test {number} alone, 먼저 하나만, 先跑一个 \"🧪\""),
        domain: if has(0) { "testing" } else { "보안" }.to_owned(),
        agent: has(1).then(|| "tester".to_owned()),
        quality: f32::from(number % 97) / 97.0,
        uses: u32::from(number),
        successes: u32::from(number / 2),
        term: if has(2) { PatternTerm::Long } else { PatternTerm::Short },
        sources: if has(3) { vec![TrajectoryId::from_bytes([9; 16])] } else { Vec::new() },
        created_at: at(0),
        used_at: has(4).then(|| at(5)),
        retired_at: has(5).then(|| at(6)),
        change: ChangeNumber::default(),
    }
}

/// A trajectory made likewise.
pub fn trajectory(namespace: &str, number: u16) -> Trajectory {
    let has = |bit: u16| number & (1 << bit) != 0;
    let mut id = [8; 16];
    id[..2].copy_from_slice(&number.to_be_bytes());
    let step = TrajectoryStep {
        input: format!("시험 {number}"),
        output: "失败\n\t\\".to_owned(),
        duration_ms: u64::MAX,
        confidence: f32::from(number % 89) / 89.0,
    };
    Trajectory {
        id: TrajectoryId::from_bytes(id),
        namespace: ns(namespace),
        session: has(0).then(|| "아침".to_owned()),
        turn: has(1).then(|| TurnId::from_bytes([3; 16])),
        task: format!("고칠 것 {number} 🛠"),
        domain: "testing".to_owned(),
        agent: has(2).then(|| "tester".to_owned()),
        steps: if has(3) { vec![step, TrajectoryStep::default()] } else { Vec::new() },
        outcome: TaskOutcome::ALL[usize::from(number) % TaskOutcome::ALL.len()],
        at: at(i64::from(number)),
        duration_ms: u64::from(number),
        patterns: if has(4) { vec![pattern(namespace, number).id] } else { Vec::new() },
        distilled_at: has(5).then(|| at(9)),
    }
}

pub fn put(store: &dyn Store, pattern: Pattern) {
    let patterns = vec![WholePattern { pattern, vector: None, expected: None }];
    store.write(vec![Write::PutPatterns { patterns }]).unwrap();
}

pub fn record(store: &dyn Store, trajectory: Trajectory) {
    store.write(vec![Write::RecordTrajectory { trajectory: Box::new(trajectory), at: at(50) }]).unwrap();
}

pub fn learn(store: &dyn Store, namespace: &str, name: &str, value: Value, hour: i64) {
    let (namespace, name, reason) = (ns(namespace), name.to_owned(), format!("배움 {hour}"));
    store.write(vec![Write::SetLearned { namespace, name, value, reason, at: at(hour) }]).unwrap();
}

/// Goes back to the configured weights, whether or not they hold.
pub fn weigh(store: &dyn Store, hour: i64) {
    let (namespace, reason) = (ns("default"), format!("되돌림 {hour}"));
    store.write(vec![Write::SetWeights { namespace, value: json!(null), reason, at: at(hour) }]).unwrap();
}

/// Numbers that are hard to write down.
pub fn weights(number: u16) -> Value {
    json!({ "무게": [0.1 + f64::from(number), 1e-7, -3, null, u64::MAX, f64::MIN_POSITIVE], "b64": "cGFzc3dvcmQ" })
}

/// An engine that has tried and learned something in three namespaces, in one of them nothing else.
fn taught() -> (TempDir, Perihelion, perihelion::Clock) {
    let (folder, engine, clock) = clocked();
    keep(&engine, "herons nest by the lake");
    let store = store_of(&folder);
    for number in [0, 63, 21, 42] {
        put(&store, pattern("default", number));
        record(&store, trajectory("default", number));
    }
    put(&store, pattern("조용한/곳", 7));
    record(&store, trajectory("only/tried", 7));
    for hour in 1..=3 {
        learn(&store, "default", "router", weights(hour as u16), hour);
    }
    learn(&store, "default", "adapter", json!(null), 9);
    learn(&store, "only/learned", "router", json!([1]), 4);
    (folder, engine, clock)
}

fn count(lines: &str, record: &str) -> usize {
    lines.lines().filter(|line| line.starts_with(&format!("{{\"record\":\"{record}\""))).count()
}

fn counts(lines: &str) -> [usize; 3] {
    ["pattern", "trajectory", "learned"].map(|record| count(lines, record))
}

fn taken(told: &Imported) -> [u64; 3] {
    [told.patterns, told.trajectories, told.learned]
}

fn import_as(engine: &Perihelion, lines: &str, mode: ImportMode, effect: Effect) -> Imported {
    let options = ImportOptions { mode, effect, ..ImportOptions::default() };
    engine.import(&mut lines.as_bytes(), options).unwrap()
}

#[test]
fn what_was_tried_and_learned_comes_back_byte_for_byte_and_once() {
    let (_folder, engine, clock) = taught();
    let lines = export(&engine);
    assert_eq!(counts(&lines), [5, 5, 5], "{lines}");
    assert!(lines.ends_with("\"patterns\":5,\"trajectories\":5,\"learned\":5}\n"), "{lines}");
    let (folder, copy) = later(&clock, 1);
    let told = import(&copy, &lines);
    assert_eq!((taken(&told), told.refused.len(), told.entries), ([5, 5, 5], 0, 0), "{told:?}");
    assert_eq!(export(&copy), lines);
    let again = import(&copy, &lines);
    assert_eq!((taken(&again), again.known), ([0, 0, 0], 1), "{again:?}");
    assert_eq!(export(&copy), lines, "importing it again changes nothing");
    let store = store_of(&folder);
    let held = store.trajectory(&Scope::All, trajectory("default", 63).id).unwrap();
    assert_eq!(held, Some(trajectory("default", 63)), "also that something was drawn from it");
    let sets = store.learned(&ns("default"), "router", 0, 9).unwrap();
    let told: Vec<_> = sets.iter().map(|LearnedSet { number, at, .. }| (*number, *at)).collect();
    assert_eq!(told, [(3, at(3)), (2, at(2)), (1, at(1))], "the latest holds");
}

#[test]
fn patterns_are_given_their_meaning_anew_where_they_come_in() {
    let (_folder, engine, clock) = taught();
    let lines = export(&engine);
    assert!(!lines.contains("vector"), "{lines}");
    let (folder, copy) = later(&clock, 1);
    import(&copy, &lines);
    let store = store_of(&folder);
    let space = store.current_space().unwrap().unwrap().space;
    let rows = store.patterns(&ns("default"), space.as_ref(), ChangeNumber(0), 9).unwrap();
    assert_eq!(rows.iter().filter(|(_, vector)| vector.is_some()).count(), 4);
}

#[test]
fn what_jobs_did_and_found_stays_where_it_is() {
    let (folder, engine, _clock) = taught();
    let lines = export(&engine);
    let (worker, alert) = ("audit".to_owned(), "찾은 것".to_owned());
    let run = WorkerRun {
        worker: worker.clone(),
        number: 0,
        started_at: at(0),
        finished_at: at(1),
        status: "done".to_owned(),
        summary: alert.clone(),
        detail: json!({}),
    };
    let (severity, ids) = (Severity::Info, Vec::new());
    let alert = NewAlert {
        mark: alert.clone(),
        namespace: Some(ns("default")),
        severity,
        message: alert,
        ids,
        file: None,
    };
    let raise = Write::RaiseAlerts { worker, alerts: vec![alert], looked: Looked::Partly, at: at(1) };
    store_of(&folder).write(vec![Write::KeepRun(Box::new(run)), raise]).unwrap();
    assert_eq!(export(&engine), lines);
}

#[test]
fn what_is_here_stays_or_is_replaced_as_the_mode_says_and_a_rehearsal_foretells_it() {
    let (_folder, engine, clock) = taught();
    let lines = export(&engine);
    for (mode, expected, replaced) in [
        (ImportMode::Append, [4, 4, 4], false),
        (ImportMode::Upsert, [5, 5, 4], true),
        (ImportMode::Replace, [5, 5, 4], true),
    ] {
        let (folder, copy) = later(&clock, 1);
        let store = store_of(&folder);
        let ours = Pattern { strategy: "우리 것".to_owned(), ..pattern("default", 21) };
        put(&store, ours.clone());
        put(&store, pattern("default", 77));
        record(&store, Trajectory { distilled_at: None, ..trajectory("default", 63) });
        learn(&store, "default", "router", weights(2), 2);
        learn(&store, "default", "ours", json!(1), 2);
        let before = export(&copy);
        let foretold = import_as(&copy, &lines, mode, Effect::Rehearsed);
        assert_eq!(export(&copy), before, "{mode:?}");
        let told = import_as(&copy, &lines, mode, Effect::Written);
        assert_eq!((taken(&told), taken(&foretold)), (expected, expected), "{mode:?}");
        assert_eq!((told.ending, told.trashed), (Ending::Whole, foretold.trashed));
        let kept = store.pattern(&Scope::All, ours.id, None).unwrap().unwrap().0;
        assert_eq!(kept.strategy != ours.strategy, replaced, "{mode:?}");
        let drawn = store.trajectory(&Scope::All, trajectory("default", 63).id).unwrap().unwrap();
        assert_eq!(drawn.distilled_at.is_some(), replaced, "{mode:?}");
        let own = store.pattern(&Scope::All, pattern("default", 77).id, None).unwrap();
        assert!(own.is_some(), "what is only here stays: it knows no trash");
        assert_eq!(store.learned(&ns("default"), "ours", 0, 9).unwrap().len(), 1);
        let state = export(&copy);
        let again = import_as(&copy, &lines, mode, Effect::Written);
        assert_eq!((again.learned, export(&copy) == state), (0, true), "{mode:?}: twice is once");
    }
}

#[test]
fn a_part_brings_trajectories_as_far_as_the_filter_speaks_of_them_and_never_what_was_drawn_from_all() {
    let (_folder, engine, _clock) = taught();
    let chosen = |filter: Filter, limit: Option<u64>| {
        let mut out = Vec::new();
        let told = engine.export(ExportOptions { filter, limit, ..Scope::All.into() }, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let written = [told.patterns, told.trajectories, told.learned].map(|count| count as usize);
        assert_eq!(written, counts(&lines), "{lines}");
        let (_folder, copy) = fresh();
        assert!(import(&copy, &lines).refused.is_empty(), "{lines}");
        counts(&lines)
    };
    let none = Filter::default;
    let morning = || Filter { session: Some("아침".to_owned()), ..none() };
    assert_eq!(chosen(none(), None), [5, 5, 5]);
    assert_eq!(chosen(morning(), None), [0, 3, 0]);
    assert_eq!(chosen(Filter { since: Some(at(21)), ..none() }, None), [0, 3, 0], "at this time or later");
    assert_eq!(chosen(Filter { until: Some(at(21)), ..none() }, None), [0, 2, 0], "before this time");
    assert_eq!(chosen(Filter { since: Some(at(8)), until: Some(at(60)), ..morning() }, None), [0, 1, 0]);
    assert_eq!(chosen(Filter { speaker: Some("tester".to_owned()), ..none() }, None), [0, 0, 0]);
    assert_eq!(chosen(Filter { layers: vec![Layer::LongTerm], ..none() }, None), [0, 0, 0]);
    assert_eq!(chosen(Filter { tags: vec!["x".to_owned()], ..morning() }, None), [0, 0, 0]);
    assert_eq!(chosen(none(), Some(9)), [0, 0, 0]);
}

#[test]
fn a_scope_brings_its_own_alone_and_lines_of_others_are_refused() {
    let (_folder, engine, clock) = taught();
    let mut out = Vec::new();
    let told = engine.export(Scope::Exact(ns("only/tried")), &mut out).unwrap();
    assert_eq!((told.patterns, told.trajectories, told.learned), (0, 1, 0));
    let (_folder, copy) = later(&clock, 1);
    let within = ImportOptions { within: Scope::Exact(ns("default")), ..ImportOptions::default() };
    let told = copy.import(&mut export(&engine).as_bytes(), within).unwrap();
    assert_eq!(taken(&told), [4, 4, 4], "{told:?}");
}

#[test]
fn secrets_are_taken_out_of_every_text_before_it_is_stored() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let (folder, engine, clock) = clocked();
    let (store, told) = (store_of(&folder), format!("use {secret}"));
    let step = TrajectoryStep { input: told.clone(), output: told.clone(), ..TrajectoryStep::default() };
    let trajectory = Trajectory {
        session: Some(secret.to_owned()),
        task: told.clone(),
        domain: secret.to_owned(),
        agent: Some(secret.to_owned()),
        steps: vec![step],
        ..trajectory("default", 1)
    };
    let (domain, agent) = (secret.to_owned(), Some(secret.to_owned()));
    put(&store, Pattern { strategy: told.clone(), domain, agent, ..pattern("default", 1) });
    record(&store, trajectory);
    let (namespace, value) = (ns("default"), weights(1));
    let name = "router".to_owned();
    store.write(vec![Write::SetLearned { namespace, name, value, reason: told, at: at(1) }]).unwrap();
    let lines = export(&engine);
    assert_eq!(lines.matches(secret).count(), 10, "{lines}");
    let (folder, copy) = later(&clock, 1);
    let told = import(&copy, &lines);
    assert_eq!((taken(&told), told.redacted[0].count), ([1, 1, 1], 10), "{told:?}");
    assert!(!export(&copy).contains(secret));
    let kept = store_of(&folder).learned(&ns("default"), "router", 0, 9).unwrap().remove(0);
    assert_eq!(kept.value, weights(1), "numbers are no secrets, however they are written");
    let again = import(&copy, &lines);
    assert_eq!(taken(&again), [0, 0, 0], "what was taken without its secrets is known with them");
}

#[test]
fn bad_lines_are_refused_and_harm_no_other() {
    let (_folder, engine, clock) = taught();
    let lines = export(&engine);
    let of = |record: &str, number: &str| {
        let is =
            |line: &&str| line.starts_with(&format!("{{\"record\":\"{record}\"")) && line.contains(number);
        lines.lines().find(is).unwrap().to_owned()
    };
    let (pattern, tried) = (of("pattern", "\"003f"), of("trajectory", "\"003f"));
    let learned = of("learned", "router");
    let long = "길".repeat(200);
    let bad = [
        pattern.replace("\"quality\":", "\"quality\":7"),
        pattern.replace("\"quality\":", "\"quality\":-1"),
        pattern.replace("run the failing", "\\u0000"),
        pattern.replace("\"testing\"", "\" \""),
        pattern.replace("\"testing\"", &format!("\"{long}\"")),
        pattern.replace("\"id\":\"", "\"id\":\"x"),
        pattern.replace("\"strategy\"", "\"plan\""),
        tried.replace("\"confidence\":0.0", "\"confidence\":1e39"),
        tried.replace("\"confidence\":0.0", "\"confidence\":-0.5"),
        tried.replace("\"duration_ms\":63", &format!("\"duration_ms\":{}", u64::MAX)),
        tried.replace("시험", &"x".repeat(300_000)),
        tried.replace("시험", "\\u0000"),
        tried.replace("\"아침\"", &format!("\"{long}\"")),
        tried.replace("\"namespace\":\"", "\"namespace\":\"//"),
        tried.replace("\"outcome\":\"", "\"outcome\":\"un"),
        learned.replace("\"router\"", "\"\""),
        learned.replace("\"router\"", &format!("\"{long}\"")),
        learned.replace("\"value\"", "\"values\""),
        learned.replace("배움", "\\u0000"),
    ];
    for line in &bad {
        assert!(![&pattern, &tried, &learned].contains(&line), "it is made bad: {line}");
        let (_folder, copy) = later(&clock, 1);
        let told = import(&copy, &format!("{line}\n{lines}"));
        assert_eq!(told.refused.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1], "{line} {told:?}");
        assert_eq!((taken(&told), export(&copy) == lines), ([5, 5, 5], true), "{line}");
    }
}

#[test]
fn a_file_that_lost_a_line_is_noticed() {
    let (_folder, engine, clock) = taught();
    let lines = export(&engine);
    for record in ["pattern", "trajectory", "learned"] {
        let first =
            lines.lines().find(|line| line.starts_with(&format!("{{\"record\":\"{record}\""))).unwrap();
        let (_folder, copy) = later(&clock, 1);
        let told = import(&copy, &lines.replacen(&format!("{first}\n"), "", 1));
        assert!(told.refused[0].1.contains("5 patterns, 5 trajectories and 5 learned sets"), "{told:?}");
    }
}

#[test]
fn files_of_every_earlier_format_are_taken_and_a_later_one_asks_for_an_update() {
    let (_folder, engine) = fresh();
    keep(&engine, "herons nest by the lake");
    let lines = export(&engine);
    for format in 1..=5 {
        let (_folder, copy) = fresh();
        let old = lines.replacen("\"perihelion\":5", &format!("\"perihelion\":{format}"), 1);
        let told = import(&copy, &old);
        assert_eq!((told.added, told.refused.len(), taken(&told)), (1, 0, [0, 0, 0]), "{format}");
        assert_eq!(export(&copy), lines);
    }
    let (_folder, copy) = fresh();
    let newer = lines.replacen("\"perihelion\":5", "\"perihelion\":6", 1);
    let refused = copy.import(&mut newer.as_bytes(), ImportOptions::default());
    assert_eq!(kind_of(refused), Some(ErrorKind::InvalidInput));
}

#[test]
fn an_import_that_broke_off_among_patterns_and_trajectories_goes_on_and_counts_each_once() {
    let (folder, engine, clock) = clocked();
    let store = store_of(&folder);
    let patterns = (0..1500).map(|number| WholePattern {
        pattern: pattern("default", number),
        vector: None,
        expected: None,
    });
    store.write(vec![Write::PutPatterns { patterns: patterns.collect() }]).unwrap();
    let trajectories = (0..1500).map(|number| {
        let trajectory = Box::new(trajectory("default", number));
        Write::RecordTrajectory { trajectory, at: at(1) }
    });
    store.write(trajectories.collect()).unwrap();
    learn(&store, "default", "router", weights(1), 1);
    let lines = export(&engine);
    for mode in [ImportMode::Append, ImportMode::Upsert] {
        let options = || {
            let resume = Some(Resume { name: "file".to_owned(), start: Start::WhereItWas });
            ImportOptions { mode, resume, ..ImportOptions::default() }
        };
        let (_folder, copy) = later(&clock, 1);
        for part in 2..=4 {
            let failed = copy.import(&mut broken(&lines, lines.len() * part / 5), options());
            assert_eq!(kind_of(failed), Some(ErrorKind::Unavailable));
        }
        let stopped = copy.import_watched(&mut lines.as_bytes(), options(), &mut |_| Pace::Stop).unwrap();
        let told = copy.import(&mut lines.as_bytes(), options()).unwrap();
        assert!(told.resumed_after.is_some() || stopped.ending != Ending::Stopped, "{told:?}");
        let (_folder, at_once) = later(&clock, 1);
        import(&at_once, &lines);
        let last = if stopped.ending == Ending::Stopped { taken(&told) } else { taken(&stopped) };
        assert_eq!(last, [1500, 1500, 1], "{mode:?}");
        assert_eq!(export(&copy), export(&at_once));
    }
}

#[test]
fn trajectories_are_read_from_the_copy_as_they_were_written() {
    let (_folder, engine, clock) = taught();
    let (folder, copy) = later(&clock, 1);
    import(&copy, &export(&engine));
    let all = store_of(&folder).trajectories(&TrajectoryQuery::default()).unwrap().trajectories;
    for one in all {
        let number = u16::from_be_bytes([one.id.as_bytes()[0], one.id.as_bytes()[1]]);
        assert_eq!(one, trajectory(one.namespace.as_str(), number));
    }
}
