//! The sample: whole, past, alone in its namespace, and gone when it is removed.

use std::collections::BTreeSet;

use peri_store::{LoadedRows, SqliteSettings, SqliteStore, Store, Write};
use perihelion::{
    Clock, EdgeType, ErrorKind, EventKind, Happening, JournalQuery, Kind, Layer, ListQuery, LogQuery, Memory,
    Namespace, NewEntry, NewTrajectory, Options, Order, PatternList, Perihelion, Recall, Remember, Revise,
    SampleStatus, Scope, TaskOutcome, Timestamp, TrajectoryQuery, Trashed, TurnQuery, Zone,
};
use tempfile::TempDir;

use crate::support::{keep, kind_of, ns, options, time};

const NOW: &str = "2026-03-04T05:06:07Z";

fn fresh() -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(&folder);
    (folder, engine)
}

fn open(folder: &TempDir) -> Perihelion {
    Perihelion::open(Options { clock: Clock::manual(time(NOW)), ..options(folder.path()) }).unwrap()
}

fn sample() -> Namespace {
    ns(Perihelion::SAMPLE)
}

fn here() -> Scope {
    Scope::Exact(sample())
}

fn memories(engine: &Perihelion, trashed: Trashed) -> Vec<Memory> {
    let query =
        ListQuery { scope: here(), trashed, order: Order::OldestFirst, limit: 500, ..ListQuery::default() };
    engine.list(query).unwrap().memories
}

fn exported(engine: &Perihelion, scope: &Scope) -> String {
    let mut written = Vec::new();
    engine.export(scope, &mut written).unwrap();
    String::from_utf8(written).unwrap()
}

fn moves(engine: &Perihelion) -> Vec<(Timestamp, Zone, Zone)> {
    let kinds = vec![EventKind::ZoneChanged];
    let query = LogQuery { kinds, scope: here(), limit: 100_000, ..LogQuery::default() };
    let moved = |event: perihelion::Event| match event.what {
        Happening::ZoneChanged { from, to, .. } => Some((event.at, from, to)),
        _ => None,
    };
    engine.events(&query).unwrap().events.into_iter().filter_map(moved).collect()
}

#[test]
fn the_sample_shows_everything_there_is_to_see() {
    let (_folder, engine) = fresh();
    let loaded = engine.load_sample().unwrap();
    let all = memories(&engine, Trashed::Without);
    assert_eq!(all.len() as u64, loaded.memories);
    assert!((150..=220).contains(&all.len()), "{loaded:?}");
    let kinds: BTreeSet<Kind> = all.iter().map(|memory| memory.kind).collect();
    assert_eq!(kinds, Kind::ALL.iter().copied().collect(), "every kind");
    let layers: BTreeSet<Layer> = all.iter().map(|memory| memory.layer).collect();
    assert_eq!(layers, Layer::ALL.iter().copied().collect(), "every layer");
    let zones: BTreeSet<Zone> = all.iter().map(|memory| memory.zone).collect();
    assert_eq!(zones, Zone::ALL.iter().copied().collect(), "every zone");
    let edges = all.iter().flat_map(|memory| engine.edges(&here(), memory.id).unwrap());
    let types: BTreeSet<EdgeType> = edges.map(|edge| edge.edge_type).collect();
    assert_eq!(types, EdgeType::ALL.iter().copied().collect(), "every type of edge");
    assert!(all.iter().filter(|memory| memory.facets.superseded_by.is_some()).count() >= 8);
    assert!(!memories(&engine, Trashed::Only).is_empty());
    assert!(loaded.patterns >= 10 && loaded.trajectories >= 40 && loaded.edges >= 100, "{loaded:?}");
    assert!(!engine.learned_sets(&sample(), "router").unwrap().is_empty());
    for query in ["who leads the product?", "미나는 무엇을 좋아하나?", "下水前要做什么？"] {
        let recalled = engine.recall(&Recall::new(query).in_scope(here())).unwrap();
        assert!(!recalled.hits.is_empty(), "{query}");
    }
}

#[test]
fn its_sessions_were_talked_worked_noted_and_given_something() {
    let (_folder, engine) = fresh();
    engine.load_sample().unwrap();
    let sessions = engine.sessions(&here(), 100).unwrap();
    assert!(sessions.iter().filter(|session| session.summary.is_some()).count() >= 8);
    let given: Vec<_> =
        sessions.iter().flat_map(|session| engine.handed_out(&sample(), &session.name).unwrap()).collect();
    assert!(given.len() >= 8 && given.iter().all(|given| given.at < time(NOW)), "{given:?}");
    let turns = engine.turns(&TurnQuery { scope: here(), limit: 100, ..TurnQuery::default() }).unwrap().turns;
    assert!(turns.len() >= 10 && turns.iter().all(|turn| !turn.tool_calls.is_empty()));
    assert!(turns.iter().all(|turn| turn.finished_at.is_some_and(|end| end < time(NOW))));
    assert!(turns.iter().any(|turn| turn.error.is_some()), "not everything went well");
}

#[test]
fn all_of_it_is_past_and_moved_through_the_zones_over_two_months() {
    let (_folder, engine) = fresh();
    engine.load_sample().unwrap();
    let (now, day) = (time(NOW), 24 * 60 * 60);
    let age = |at: Timestamp| (now.as_second() - at.as_second()) / day;
    let all = memories(&engine, Trashed::Without);
    assert!(all.iter().all(|memory| memory.created_at < now && memory.updated_at <= now));
    let ages: BTreeSet<i64> = all.iter().map(|memory| age(memory.created_at)).collect();
    assert!(ages.len() > 40 && ages.last().is_some_and(|age| *age >= 58), "{ages:?}");
    let used: BTreeSet<u64> = all
        .iter()
        .filter_map(|memory| engine.usage(&sample(), memory.id).unwrap())
        .map(|(recalls, at)| {
            assert!(at <= now);
            recalls
        })
        .collect();
    assert!(used.len() > 15, "memories are used differently often: {used:?}");
    let moves = moves(&engine);
    assert!(moves.iter().all(|(at, ..)| *at <= now));
    let days: BTreeSet<i64> = moves.iter().map(|(at, ..)| age(*at)).collect();
    assert!(days.len() > 25 && days.last().is_some_and(|age| *age > 50), "{days:?}");
    assert!(moves.iter().any(|(_, from, to)| to < from) && moves.iter().any(|(_, from, to)| to > from));
}

#[test]
fn what_the_moves_tell_ends_where_the_memories_are() {
    let (_folder, engine) = fresh();
    engine.load_sample().unwrap();
    let before = memories(&engine, Trashed::Without);
    let done = engine.reorbit(&here()).unwrap();
    assert_eq!((done.moved, done.forgotten), (0, 0), "it is settled up to now");
    assert_eq!(memories(&engine, Trashed::Without), before);
}

#[test]
fn it_is_loaded_once_and_can_be_loaded_again_after_it_was_removed() {
    let (_folder, engine) = fresh();
    let nothing = SampleStatus { namespace: sample(), loaded: false, memories: 0, own: 0 };
    assert_eq!(engine.sample_status().unwrap(), nothing);
    assert_eq!(kind_of(engine.remove_sample()), Some(ErrorKind::NotFound));
    let first = engine.load_sample().unwrap();
    let moved = moves(&engine).len();
    assert!(engine.sample_status().unwrap().loaded);
    assert_eq!(kind_of(engine.load_sample()), Some(ErrorKind::Conflict));
    assert_eq!(engine.sample_status().unwrap().memories, first.memories, "refusing changed nothing");
    engine.remove_sample().unwrap();
    assert_eq!(engine.sample_status().unwrap(), nothing);
    assert_eq!(engine.load_sample().unwrap(), first);
    assert_eq!(moves(&engine).len(), 2 * moved, "it moves as it did the first time");
}

#[test]
fn removing_it_leaves_nothing_behind_and_others_alone() {
    let (_folder, engine) = fresh();
    keep(&engine, "Ana prefers tea over coffee");
    engine.append(NewEntry::new("회의가 끝났다").in_namespace(ns("samples"))).unwrap();
    engine.maintain().unwrap();
    let others = exported(&engine, &Scope::All);
    engine.load_sample().unwrap();
    let removed = engine.remove_sample().unwrap();
    assert!(removed.memories > 150 && removed.kept == 0, "{removed:?}");
    engine.maintain().unwrap();
    assert_eq!(exported(&engine, &Scope::All), others);
    assert!(memories(&engine, Trashed::Without).is_empty() && memories(&engine, Trashed::Only).is_empty());
    assert!(engine.sessions(&here(), 10).unwrap().is_empty());
    assert!(!engine.has_notes(&sample()).unwrap());
    let tasks = TrajectoryQuery { scope: here(), limit: 10, ..TrajectoryQuery::default() };
    assert!(engine.trajectories(&tasks).unwrap().trajectories.is_empty());
    let patterns = PatternList { scope: here(), ..PatternList::default() };
    assert!(engine.patterns(&patterns).unwrap().is_empty());
    assert!(engine.learned_sets(&sample(), "router").unwrap().is_empty());
}

#[test]
fn what_somebody_keeps_under_its_name_is_neither_mixed_with_it_nor_removed() {
    let occupied: [fn(&Perihelion); 3] = [
        |engine| drop(engine.remember(Remember::new("李娜喜欢喝茶").in_namespace(sample())).unwrap()),
        |engine| drop(engine.append(NewEntry::new("회의가 끝났다").in_namespace(sample())).unwrap()),
        |engine| {
            let task = NewTrajectory::new("fix the gate", TaskOutcome::Success).in_namespace(sample());
            drop(engine.record_trajectory(task).unwrap());
        },
    ];
    for occupy in occupied {
        let (_folder, engine) = fresh();
        occupy(&engine);
        let before = exported(&engine, &Scope::All);
        assert_eq!(kind_of(engine.load_sample()), Some(ErrorKind::Conflict));
        assert_eq!(kind_of(engine.remove_sample()), Some(ErrorKind::Conflict));
        assert!(!engine.sample_status().unwrap().loaded);
        assert_eq!(exported(&engine, &Scope::All), before);
    }
}

#[test]
fn a_load_that_broke_off_can_be_removed_and_loaded_again() {
    let (folder, engine) = fresh();
    // As if it was killed after its first memories.
    engine.load_sample().unwrap();
    let first = memories(&engine, Trashed::Without).remove(0);
    engine.remove_sample().unwrap();
    let request =
        Remember { content: first.content, namespace: sample(), facets: first.facets, ..Remember::default() };
    engine.remember(request).unwrap();
    drop(engine);
    let engine = open(&folder);
    assert_eq!(
        engine.sample_status().unwrap(),
        SampleStatus { namespace: sample(), loaded: true, memories: 1, own: 0 }
    );
    assert_eq!(kind_of(engine.load_sample()), Some(ErrorKind::Conflict));
    engine.remove_sample().unwrap();
    assert!(engine.load_sample().unwrap().memories > 150);
}

#[test]
fn what_somebody_wrote_among_the_sample_stays_when_it_is_removed() {
    let (_folder, engine) = fresh();
    engine.load_sample().unwrap();
    let all = memories(&engine, Trashed::Without);
    let own = engine.remember(Remember::new("내가 적어 둔 것").in_namespace(sample())).unwrap().id;
    let entry = NewEntry::new("회의가 끝났다").in_namespace(sample()).said("my own session", "Ana");
    let entry = engine.append(entry).unwrap().id;
    let task = NewTrajectory::new("fix the gate", TaskOutcome::Success).in_namespace(sample());
    let task = engine.record_trajectory(task).unwrap().id;
    engine.start_session(&sample(), "my own session").unwrap();
    let revised = all.iter().find(|memory| memory.facets.superseded_by.is_none()).unwrap().id;
    let mine = Revise { content: Some("put otherwise by me".to_owned()), ..Revise::default() };
    engine.revise(&here(), revised, mine).unwrap();
    engine.maintain().unwrap();
    assert_eq!(engine.sample_status().unwrap().own, 2);

    let removed = engine.remove_sample().unwrap();
    assert!(removed.memories > 150 && removed.kept == 2, "{removed:?}");
    let mut left: Vec<_> = memories(&engine, Trashed::Without).into_iter().map(|memory| memory.id).collect();
    left.sort();
    let mut expected = [own, revised];
    expected.sort();
    assert_eq!(left, expected);
    assert!(memories(&engine, Trashed::Only).is_empty());
    let entries =
        engine.journal(&JournalQuery { scope: here(), limit: 100, ..JournalQuery::default() }).unwrap();
    assert_eq!(entries.entries.iter().map(|one| one.id).collect::<Vec<_>>(), [entry]);
    let sessions = engine.sessions(&here(), 100).unwrap();
    assert_eq!(sessions.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["my own session"]);
    let tasks = TrajectoryQuery { scope: here(), limit: 10, ..TrajectoryQuery::default() };
    let tasks = engine.trajectories(&tasks).unwrap().trajectories;
    assert_eq!(tasks.iter().map(|one| one.id).collect::<Vec<_>>(), [task]);
    assert!(engine.patterns(&PatternList { scope: here(), ..PatternList::default() }).unwrap().is_empty());
    assert!(engine.learned_sets(&sample(), "router").unwrap().is_empty());
    // It is gone: what is left is somebody's own, and is not taken for it.
    assert!(!engine.sample_status().unwrap().loaded);
    assert_eq!(kind_of(engine.remove_sample()), Some(ErrorKind::Conflict));
    assert_eq!(memories(&engine, Trashed::Without).len(), 2);
}

#[test]
fn a_sample_that_an_earlier_release_loaded_leaves_what_others_wrote() {
    let (folder, engine) = fresh();
    engine.load_sample().unwrap();
    let own = engine.remember(Remember::new("내가 적어 둔 것").in_namespace(sample())).unwrap().id;
    drop(engine);
    let store = SqliteStore::open(&folder.path().join("perihelion.db"), &SqliteSettings::default()).unwrap();
    let rows = LoadedRows { learned: vec![("sample".to_owned(), 1)], ..LoadedRows::default() };
    let at = time(NOW);
    store.write(vec![Write::RemoveLoaded { namespace: sample(), rows: Box::new(rows), at }]).unwrap();
    drop(store);
    let engine = open(&folder);
    let removed = engine.remove_sample().unwrap();
    assert!(removed.memories > 100, "{removed:?}");
    let left: Vec<_> = memories(&engine, Trashed::Without).into_iter().map(|memory| memory.id).collect();
    assert!(left.contains(&own));
}

#[test]
fn a_story_of_the_past_casts_no_doubt_on_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let of_the_system = || Perihelion::open(options(folder.path())).unwrap();
    let engine = of_the_system();
    engine.load_sample().unwrap();
    assert_eq!(engine.clock_leap(), None);
    engine.close().unwrap();
    let engine = of_the_system();
    assert_eq!(engine.clock_leap(), None);
    engine.maintain().unwrap();
}
