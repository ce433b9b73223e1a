//! What a restore does with every table, with notes, and with what was learned.
#![allow(clippy::unwrap_used)]

use peri_notes::{Change, Collection, Key};
use peri_types::{Pattern, PatternId, Scope, SpaceId, TaskOutcome, Trajectory, TrajectoryId, Vector};

use super::*;
use crate::{
    Looked, NewAlert, NotesCommit, PatternRow, Store as _, TrajectoryQuery, WholePattern, WorkerRun, Write,
};

/// Tables of which a restore keeps what is here, or which it renews by rules of its own.
const OTHERS: [&str; 16] = [
    "answers",
    "applied",
    "clocks",
    "counters",
    "edge_changes",
    "events",
    "identity",
    "keys",
    "leases",
    "lineage",
    "namespaces",
    "reindexing",
    "spaces",
    "tombstones",
    "worker_alerts",
    "worker_runs",
];

#[test]
fn it_is_decided_for_every_table_what_a_restore_does_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::<Sqlite>::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    let tables = store.read(|connection| {
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1";
        connection.prepare(sql)?.query_all(params![], |row| row.get::<String>(0))
    });
    let mut decided: Vec<&str> = CONTENT.into_iter().chain(OTHERS).collect();
    decided.sort_unstable();
    assert_eq!(tables.unwrap(), decided);
}

/// Tables whose rows are compared one by one by whoever asks what a restore would lose...
const COMPARED: [&str; 3] = ["memories", "edges", "sessions"];
/// ...and those that are lost with nothing of their own: they follow from memories, or change with every recall.
const FOLLOWS: [&str; 7] = ["days_in_use", "vectors", "versions", "usage", "uses", "merges", "imports"];

#[test]
fn whatever_a_restore_replaces_is_counted_as_a_loss_or_follows_from_what_is() {
    let parts = Part::ALL.into_iter().flat_map(Part::tables).copied();
    let mut counted: Vec<&str> = parts.chain(COMPARED).chain(FOLLOWS).collect();
    let mut replaced = CONTENT.to_vec();
    counted.sort_unstable();
    replaced.sort_unstable();
    assert_eq!(counted, replaced);
}

#[test]
fn what_two_stores_differ_in_besides_memories_is_counted_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    let (old, new) = (open("old.db"), open("new.db"));
    // The same namespaces have other numbers on the other side.
    learn(&old, "먼저", 9);
    for store in [&old, &new] {
        learn(store, "팀", 1);
        put(store, "팀", 1, "옛");
    }
    learn(&new, "먼저", 9);
    let apart = |one: &SqlStore<Sqlite>, other: &str| {
        let parts = one.parts_apart(&folder.path().join(other)).unwrap();
        parts.iter().map(|own| (own.part, own.added, own.removed, own.altered)).collect::<Vec<_>>()
    };
    assert_eq!(apart(&old, "new.db"), []);
    learn(&new, "팀", 2);
    put(&new, "남", 7, "새");
    note(&new, "팀", "회의");
    put(&old, "팀", 1, "새");
    let expected = [
        (Part::Notes, 2, 0, 0),
        (Part::Trajectories, 1, 0, 0),
        (Part::Patterns, 1, 0, 1),
        (Part::Learned, 1, 0, 0),
    ];
    assert_eq!(apart(&old, "new.db"), expected);
    let back = expected.map(|(part, added, removed, altered)| (part, removed, added, altered));
    assert_eq!(apart(&new, "old.db"), back);
    let counts = new.facts().unwrap().counts;
    assert_eq!((counts.notes, counts.trajectories, counts.patterns, counts.learned), (2, 3, 2, 3));
    assert_eq!(counts.contents(), 10);
}

#[test]
fn whatever_a_restore_would_replace_is_a_change_when_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::<Sqlite>::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    let namespace: peri_types::Namespace = "팀".parse().unwrap();
    let entry = peri_types::JournalEntry {
        id: peri_types::EntryId::from_bytes([1; 16]),
        namespace: namespace.clone(),
        at: at(1),
        created_at: at(1),
        session: None,
        actor: None,
        kind: "message".to_owned(),
        direction: None,
        status: None,
        turn: None,
        text: "회의가 열렸다".to_owned(),
        body: None,
        gate: None,
        remember: false,
        metadata: Default::default(),
    };
    let turn = peri_types::Turn {
        id: peri_types::TurnId::from_bytes([2; 16]),
        namespace: namespace.clone(),
        session: None,
        started_at: at(1),
        finished_at: None,
        input: None,
        plan: None,
        tool_calls: Vec::new(),
        tool_results: Vec::new(),
        output: None,
        output_text: None,
        status: None,
        error: None,
        metadata: Default::default(),
    };
    let feedback = crate::FeedbackRecord {
        namespace: namespace.clone(),
        at: at(1),
        query: "회의".to_owned(),
        results: Vec::new(),
    };
    let (value, reason) = (serde_json::json!({}), String::new());
    let name = "월요일".to_owned();
    let writes = [
        Write::AppendEntries { entries: vec![entry], at: at(1) },
        Write::PutTurn { turn: Box::new(turn), at: at(1) },
        Write::Judge(Box::new(feedback)),
        Write::SetWeights { namespace: namespace.clone(), value, reason, at: at(1) },
        Write::StartSession { namespace: namespace.clone(), name: name.clone(), at: at(1) },
        Write::EndSession { namespace, name, summary: None, at: at(2) },
        Write::DropJournal { scope: Scope::All, before: at(50), at: at(60) },
    ];
    for write in writes {
        let (before, told) = (store.facts().unwrap().change, format!("{write:?}"));
        store.write(vec![write]).unwrap();
        assert!(store.facts().unwrap().change > before, "{told}");
    }
}

#[test]
fn calls_that_the_copy_holds_are_not_made_again_and_those_it_does_not_hold_are() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqlStore::<Sqlite>::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    let put_once = |store: &SqlStore<Sqlite>, token: u8| {
        let namespace: peri_types::Namespace = "팀".parse().unwrap();
        let (name, reason) = ("router".to_owned(), token.to_string());
        let set = Write::SetLearned { namespace, name, value: serde_json::json!(token), reason, at: at(1) };
        store.write_once([token; 16], vec![set]).unwrap();
    };
    put_once(&store, 1);
    let copy = folder.path().join("copy.db");
    store.copy_to(&copy, &|_| {}).unwrap();
    put_once(&store, 2);
    // A year has passed since, so that tokens of then would be dropped as too old.
    let now = Timestamp::now();
    Connection::open(&copy).unwrap().execute("UPDATE applied SET at = 1", []).unwrap();
    let replacement =
        Replacement { copy, name: "복사".to_owned(), taken_at: at(5), at: now, events_after: None };
    store.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    drop(store);
    // Whoever opens it drops tokens that are too old.
    let store = SqlStore::<Sqlite>::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
    (1..=2).for_each(|token| put_once(&store, token));
    let held = store.learned(&"팀".parse().unwrap(), "router", 0, 9).unwrap();
    let mut reasons: Vec<_> = held.into_iter().map(|set| set.reason).collect();
    reasons.sort();
    assert_eq!(reasons, ["1", "2"], "each is here once");
}

#[test]
fn events_go_on_after_a_log_that_is_ahead_and_those_that_waited_follow_it() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    let (old, new) = (open("old.db"), open("new.db"));
    learn(&old, "팀", 1);
    learn(&new, "남", 2);
    let copy = folder.path().join("copy.db");
    old.copy_to(&copy, &|_| {}).unwrap();
    let waiting = new.events(0, 99).unwrap().events.len() as u64;
    assert!(waiting > 0);
    let replacement =
        Replacement { copy, name: "복사".to_owned(), taken_at: at(5), at: at(6), events_after: Some(100) };
    new.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    let page = new.events(0, 99).unwrap();
    let numbers: Vec<u64> = page.events.iter().map(|event| event.number).collect();
    assert_eq!(page.shipped, 100);
    assert_eq!(numbers, (101..=101 + waiting).collect::<Vec<_>>());
    assert!(matches!(page.events.last().unwrap().what, Happening::BackupRestored { .. }));
}

/// Puts a document and adds a line to a log in a namespace.
fn note(store: &SqlStore<Sqlite>, namespace: &str, said: &str) {
    let key = |collection| Key::named(collection, "회의").unwrap();
    let changes = vec![
        Change::Put { key: key(Collection::Observations), text: said.to_owned() },
        Change::Append { key: key(Collection::Pending), lines: vec![said.to_owned()] },
    ];
    let commit = NotesCommit::new(namespace.parse().unwrap(), changes, Vec::new()).unwrap();
    store.write(vec![Write::CommitNotes(Box::new(commit))]).unwrap();
}

/// Every document and every line of a store, with where it is.
fn notes(store: &SqlStore<Sqlite>) -> Vec<(String, String)> {
    let key = Key::named(Collection::Pending, "회의").unwrap();
    let mut found = Vec::new();
    for namespace in store.shelf_namespaces().unwrap() {
        let documents = store.shelf_documents(&namespace, Collection::Observations).unwrap();
        let lines = store.shelf_lines(&namespace, &key).unwrap();
        let said = documents.into_iter().map(|(_, text)| text).chain(lines);
        found.extend(said.map(|said| (namespace.to_string(), said)));
    }
    found
}

#[test]
fn a_copy_holds_the_notes_and_brings_them_back_in_the_place_of_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    let (old, new) = (open("old.db"), open("new.db"));
    note(&old, "먼저", "1");
    note(&old, "팀", "2");
    note(&old, "팀", "3");
    let expected = notes(&old);
    assert_eq!(expected.len(), 5);
    let copy = folder.path().join("copy.db");
    old.copy_to(&copy, &|_| {}).unwrap();
    // The same namespace has another number here, and what only this store knows is to go.
    note(&new, "팀", "다른 것");
    note(&new, "남", "없어질 것");
    let before = new.facts().unwrap().change;
    note(&new, "남", "더");
    assert!(new.facts().unwrap().change > before, "a commit of notes is a change");
    let at = Timestamp::UNIX_EPOCH;
    let replacement = Replacement { copy, name: "복사".to_owned(), taken_at: at, at, events_after: None };
    new.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    assert_eq!(notes(&new), expected);
    note(&new, "팀", "4");
    assert_eq!(notes(&new).len(), 6);
    assert!(new.check().unwrap().is_empty());
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn space(model: &str) -> SpaceId {
    SpaceId { model: model.to_owned(), dimensions: 2 }
}

/// Puts a pattern with a vector of a space.
fn put(store: &SqlStore<Sqlite>, namespace: &str, number: u8, model: &str) {
    let pattern = Pattern {
        id: PatternId::from_bytes([number; 16]),
        namespace: namespace.parse().unwrap(),
        strategy: format!("{model} 전략"),
        domain: "testing".to_owned(),
        agent: None,
        quality: 0.5,
        uses: 1,
        successes: 1,
        term: peri_types::PatternTerm::Long,
        sources: Vec::new(),
        created_at: at(1),
        used_at: None,
        retired_at: None,
        change: ChangeNumber::default(),
    };
    let vector = Some(Vector { space: space(model), values: vec![0.5, f32::from(number)] });
    store
        .write(vec![Write::PutPatterns { patterns: vec![WholePattern { pattern, vector, expected: None }] }])
        .unwrap();
}

/// Records a trajectory, learns a set, and keeps a run that found something.
fn learn(store: &SqlStore<Sqlite>, namespace: &str, number: u8) {
    let path: peri_types::Namespace = namespace.parse().unwrap();
    let trajectory = Trajectory {
        id: TrajectoryId::from_bytes([number; 16]),
        namespace: path.clone(),
        session: None,
        turn: None,
        task: "시험을 고친다".to_owned(),
        domain: "testing".to_owned(),
        agent: None,
        steps: Vec::new(),
        outcome: TaskOutcome::Success,
        at: at(1),
        duration_ms: 1,
        patterns: Vec::new(),
        distilled_at: None,
    };
    let worker = format!("{namespace} worker");
    let (started_at, finished_at, detail) = (at(1), at(2), serde_json::json!(null));
    let (status, summary) = ("done".to_owned(), String::new());
    let run =
        WorkerRun { worker: worker.clone(), number: 0, started_at, finished_at, status, summary, detail };
    let alert = NewAlert {
        mark: "m".to_owned(),
        namespace: None,
        severity: peri_types::Severity::Info,
        message: String::new(),
        ids: Vec::new(),
        file: None,
    };
    let (name, value, reason) = ("router".to_owned(), serde_json::json!(number), String::new());
    let writes = vec![
        Write::RecordTrajectory { trajectory: Box::new(trajectory), at: at(3) },
        Write::SetLearned { namespace: path, name, value, reason, at: at(i64::from(number)) },
        Write::KeepRun(Box::new(run)),
        Write::RaiseAlerts { worker, alerts: vec![alert], looked: Looked::Partly, at: at(2) },
    ];
    store.write(writes).unwrap();
}

/// A reader that follows the patterns of a namespace in the way the store asks for.
#[derive(Default)]
struct Follower {
    held: std::collections::BTreeMap<PatternId, PatternRow>,
    after: ChangeNumber,
}

impl Follower {
    fn follow(&mut self, store: &SqlStore<Sqlite>, namespace: &str) -> Vec<(u8, String, Option<Vec<f32>>)> {
        let path = namespace.parse().unwrap();
        let (count, _) = store.pattern_mark(&path).unwrap();
        self.read(store, &path);
        if self.held.len() as u64 != count {
            *self = Self::default();
            self.read(store, &path);
        }
        let told = |(pattern, vector): &PatternRow| {
            (pattern.id.as_bytes()[0], pattern.strategy.clone(), vector.clone())
        };
        self.held.values().map(told).collect()
    }

    /// One by one: rows that share a number would be missed.
    fn read(&mut self, store: &SqlStore<Sqlite>, path: &peri_types::Namespace) {
        while let Some(row) = store.patterns(path, Some(&space("옛")), self.after, 1).unwrap().pop() {
            self.after = row.0.change;
            self.held.insert(row.0.id, row);
        }
    }
}

#[test]
fn whoever_follows_patterns_notices_a_restore_whatever_came_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    for kept in [&[1_u8, 2][..], &[1], &[2, 3], &[5, 6], &[]] {
        let (old, new) = (open(&format!("old {kept:?}.db")), open(&format!("new {kept:?}.db")));
        // Numbers of namespaces and spaces, and of changes, are others in the copy.
        put(&old, "먼저", 9, "딴");
        kept.iter().for_each(|number| put(&old, "팀", *number, "옛"));
        [1, 2].iter().for_each(|number| put(&new, "팀", *number, "새"));
        put(&new, "남", 7, "새");
        let (mut follower, mut other) = (Follower::default(), Follower::default());
        assert_eq!((follower.follow(&new, "팀").len(), other.follow(&new, "남").len()), (2, 1));
        let copy = folder.path().join(format!("copy {kept:?}.db"));
        old.copy_to(&copy, &|_| {}).unwrap();
        let before = new.facts().unwrap().change;
        let replacement =
            Replacement { copy, name: "복사".to_owned(), taken_at: at(5), at: at(5), events_after: None };
        let replaced = new.replace_with(&replacement, &mut |_| Ok(())).unwrap();
        let expected: Vec<_> = kept
            .iter()
            .map(|number| (*number, "옛 전략".to_owned(), Some(vec![0.5, f32::from(*number)])))
            .collect();
        assert_eq!(follower.follow(&new, "팀"), expected, "{kept:?}");
        assert_eq!(other.follow(&new, "남"), []);
        let rows = new.patterns(&"팀".parse().unwrap(), None, ChangeNumber(0), 9).unwrap();
        assert!(rows.iter().all(|(one, _)| one.change > before && one.change < replaced.change));
        put(&new, "팀", 1, "옛");
        assert!(follower.follow(&new, "팀").iter().any(|(number, ..)| *number == 1));
        assert!(new.check().unwrap().is_empty());
    }
}

#[test]
fn a_restore_brings_what_the_copy_had_learned_and_keeps_what_jobs_did_here() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |name: &str| SqlStore::<Sqlite>::open(&folder.path().join(name), &SqliteSettings::default()).unwrap();
    let (old, new) = (open("old.db"), open("new.db"));
    put(&old, "먼저", 9, "딴");
    learn(&old, "팀", 1);
    (2..=4).for_each(|number| learn(&new, "팀", number));
    learn(&new, "남", 5);
    let copy = folder.path().join("copy.db");
    old.copy_to(&copy, &|_| {}).unwrap();
    let replacement =
        Replacement { copy, name: "복사".to_owned(), taken_at: at(5), at: at(70), events_after: None };
    new.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    let ids = |page: crate::TrajectoryPage| {
        page.trajectories
            .iter()
            .map(|own| (own.id.as_bytes()[0], own.namespace.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(new.trajectories(&TrajectoryQuery::default()).unwrap()), [(1, "팀".to_owned())]);
    let arrived: i64 = new
        .read(|connection| {
            connection.prepare("SELECT arrived_at FROM trajectories")?.query_row(params![], |row| row.get(0))
        })
        .unwrap();
    assert_eq!(arrived, at(70).as_millisecond(), "nothing that has just come back is too old");
    let marks = new.learned_marks(&"팀".parse().unwrap()).unwrap();
    assert_eq!(marks.iter().map(|mark| (mark.number, mark.at)).collect::<Vec<_>>(), [(1, at(1))]);
    assert_eq!(new.learned_marks(&"남".parse().unwrap()).unwrap(), []);
    assert_eq!(new.learning_stats(&Scope::All).unwrap().len(), 2);
    let ran: Vec<_> =
        new.worker_runs(None, 9).unwrap().into_iter().map(|run| (run.worker, run.number)).collect();
    let worker = |name: &str, number| (format!("{name} worker"), number);
    assert_eq!(ran, [worker("남", 1), worker("팀", 3), worker("팀", 2), worker("팀", 1)]);
    assert_eq!(new.worker_alerts(false, 9).unwrap().len(), 2);
    learn(&new, "팀", 6);
    assert_eq!(new.learned_marks(&"팀".parse().unwrap()).unwrap()[0].number, 2);
    assert!(new.check().unwrap().is_empty());
}
