//! Snapshots of episodes: whole, in time, by one process, and never in anybody's way.

mod trouble;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::SignedDuration;
use perihelion::{
    Aspect, Chores, Clock, Context, EdgeType, ErrorKind, EventKind, Facets, Happening, Layer, MemoryId,
    NewEdge, Options, OrbitSettings, Perihelion, Remember, Revise, Scope, SnapshotInfo, SnapshotSettings,
    Trashed,
};

use crate::orbit::{after, logged, move_to, plain, start};
use crate::support::{Worker, all, ns, role, tell, worker_command};

/// What happened at a place, as an episode.
pub fn episode(content: impl Into<String>) -> Remember {
    Remember { layer: Some(Layer::Episodic), ..Remember::new(content) }
}

pub fn with_settings(folder: &Path, clock: &Clock, snapshots: SnapshotSettings) -> Options {
    Options { snapshots, ..plain(folder, clock, OrbitSettings::default()) }
}

pub fn fresh(snapshots: SnapshotSettings) -> (tempfile::TempDir, Clock, Perihelion) {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(with_settings(folder.path(), &clock, snapshots)).unwrap();
    (folder, clock, engine)
}

/// The names in the folder of snapshots but that of the lock, in order.
pub fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.join("snapshots")) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name != "episodes.lock");
    names.sort();
    names
}

pub fn path_of(folder: &Path, snapshot: &SnapshotInfo) -> PathBuf {
    folder.join("snapshots").join(&snapshot.file)
}

/// The lines that an export writes of some memories and of the edges between them, in order.
fn lines_of(engine: &Perihelion, ids: &[MemoryId]) -> Vec<String> {
    let mut out = Vec::new();
    engine.export(&Scope::All, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let about = |line: &&str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let holds = |field: &str| {
            line[field].as_str().is_some_and(|id| ids.iter().any(|known| known.to_string() == id))
        };
        match line["record"].as_str().unwrap() {
            "memory" => holds("id"),
            "edge" => holds("source") && holds("target"),
            _ => false,
        }
    };
    let mut lines: Vec<String> = text.lines().filter(about).map(ToOwned::to_owned).collect();
    lines.sort();
    lines
}

fn purge(engine: &Perihelion, id: MemoryId) {
    engine.forget(&Scope::All, id).unwrap();
    engine.purge(&Scope::All, id).unwrap();
}

/// Episodes with everything that a memory can have: tags, circumstances, versions, usage, edges.
fn rich(engine: &Perihelion) -> Vec<MemoryId> {
    let mut context = Context::default();
    context.aspect_mut(Aspect::Spatial).insert("place".to_owned(), "회의실".to_owned());
    let facets = Facets { tags: vec!["팀".to_owned(), "会议".to_owned()], context, ..Facets::default() };
    let texts =
        ["어제 도자기를 구웠다", "上周二我们讨论了陶器", "We met in the harbour", "The ferry was late"];
    let ids: Vec<MemoryId> = texts
        .iter()
        .map(|text| engine.remember(Remember { facets: facets.clone(), ..episode(*text) }).unwrap().id)
        .collect();
    let revise = Revise { content: Some("We met in the old harbour".to_owned()), ..Revise::default() };
    engine.revise(&Scope::All, ids[2], revise).unwrap();
    for (source, target) in [(0, 1), (1, 2), (2, 3)] {
        let (source, target) = (ids[source], ids[target]);
        let edge = NewEdge { source, target, edge_type: EdgeType::Sequence, weight: 0.5 };
        assert!(engine.link(&Scope::All, &edge).unwrap());
    }
    assert_eq!(crate::support::ask(engine, "harbour").hits.len(), 1);
    ids
}

#[test]
fn what_was_purged_comes_back_whole_and_what_is_here_stays_as_it_is() {
    let (_folder, clock, engine) = fresh(SnapshotSettings::default());
    let ids = rich(&engine);
    let lasting = engine.remember(Remember::new("The kiln is in the shed")).unwrap().id;
    engine.maintain().unwrap();
    let before = lines_of(&engine, &ids);
    assert_eq!(before.len(), 4 + 3);
    clock.advance(SignedDuration::from_secs(1));
    let taken = engine.take_snapshot().unwrap();
    assert!(taken.is_none(), "the chores have taken it: {taken:?}");
    let taken = engine.snapshots().unwrap().remove(0);
    assert_eq!((taken.episodes, taken.at), (4, start()));
    assert_eq!(taken.file, "episodes-20260105T080000Z.jsonl.zst");
    ids[..3].iter().for_each(|id| purge(&engine, *id));
    let kept = Revise { content: Some("The ferry was on time".to_owned()), ..Revise::default() };
    engine.revise(&Scope::All, ids[3], kept).unwrap();
    purge(&engine, lasting);
    let restored = engine.restore_snapshot(&taken.file).unwrap();
    assert_eq!((restored.added, restored.known, restored.edges), (3, 1, 3), "{restored:?}");
    assert!(restored.refused.is_empty(), "{restored:?}");
    assert_eq!(engine.get(&Scope::All, ids[3]).unwrap().content, "The ferry was on time");
    assert!(engine.get(&Scope::All, lasting).is_err(), "it was no episode");
    let after = lines_of(&engine, &ids);
    let changed: Vec<_> = before.iter().filter(|line| !after.contains(line)).collect();
    assert_eq!(changed.len(), 1, "only what was revised differs: {changed:#?}\n{after:#?}");
    let again = engine.restore_snapshot(&taken.file).unwrap();
    assert_eq!((again.added, again.known), (0, 4), "a second time changes nothing");
}

#[test]
fn each_namespace_gives_its_latest_and_neither_the_trash_nor_other_layers_are_there() {
    let (_folder, clock, engine) = fresh(SnapshotSettings { episodes: 3, ..SnapshotSettings::default() });
    let mut wanted = Vec::new();
    for name in ["one", "two/below"] {
        for number in 0..5 {
            clock.advance(SignedDuration::from_secs(1));
            let request = episode(format!("day{number}x in {name}")).in_namespace(ns(name));
            let id = engine.remember(request).unwrap().id;
            wanted.extend([1, 2, 3].contains(&number).then_some(id));
            if number == 4 {
                engine.forget(&Scope::All, id).unwrap();
            }
        }
        engine.remember(Remember::new("a lasting one").in_namespace(ns(name))).unwrap();
    }
    let taken = engine.take_snapshot().unwrap().unwrap();
    assert_eq!(taken.episodes, 6);
    engine.list(perihelion::ListQuery::default()).unwrap().memories.iter().for_each(|memory| {
        purge(&engine, memory.id);
    });
    assert_eq!(engine.restore_snapshot(&taken.file).unwrap().added, 6);
    let mut back: Vec<MemoryId> = all(&engine, Trashed::Without).iter().map(|memory| memory.id).collect();
    back.sort();
    wanted.sort();
    assert_eq!(back, wanted);
}

#[test]
fn nothing_is_written_unless_something_about_the_episodes_changed() {
    let (folder, clock, engine) = fresh(SnapshotSettings::default());
    assert_eq!(engine.take_snapshot().unwrap(), None, "there is nothing");
    let lasting = engine.remember(Remember::new("a lasting one")).unwrap().id;
    assert_eq!(engine.take_snapshot().unwrap(), None, "there is no episode");
    assert!(!folder.path().join("snapshots").exists());
    let ids = ["one", "two"].map(|text| engine.remember(episode(text)).unwrap().id);
    let step = |what: &str, written: bool| {
        clock.advance(SignedDuration::from_secs(1));
        assert_eq!(engine.take_snapshot().unwrap().is_some(), written, "{what}");
    };
    step("two episodes", true);
    step("nothing", false);
    engine.forget(&Scope::All, lasting).unwrap();
    step("a lasting one was forgotten", false);
    let tags = Some(vec!["태그".to_owned()]);
    engine.revise(&Scope::All, ids[0], Revise { tags, ..Revise::default() }).unwrap();
    step("an episode was revised", true);
    let edge = NewEdge { source: ids[0], target: ids[1], edge_type: EdgeType::Sequence, weight: 0.5 };
    engine.link(&Scope::All, &edge).unwrap();
    step("two were linked", true);
    engine.forget(&Scope::All, ids[0]).unwrap();
    step("one was forgotten", true);
    engine.forget(&Scope::All, ids[1]).unwrap();
    step("none is left, and an empty file would be of no use", false);
    assert_eq!(files(folder.path()).len(), 4);
}

#[test]
fn two_of_one_second_are_two_files() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    for number in 1..=11 {
        engine.remember(episode(format!("day{number}x"))).unwrap();
        assert!(engine.take_snapshot().unwrap().is_some());
    }
    assert_eq!(files(folder.path()).len(), 11);
    let list = engine.snapshots().unwrap();
    let episodes: Vec<u64> = list.iter().map(|snapshot| snapshot.episodes).collect();
    assert_eq!(episodes, (1..=11).rev().collect::<Vec<_>>(), "the latest first");
    assert_eq!(list[0].file, "episodes-20260105T080000Z-11.jsonl.zst");
    assert_eq!(list[0].bytes, std::fs::metadata(path_of(folder.path(), &list[0])).unwrap().len());
}

#[test]
fn a_clock_that_is_set_back_loses_no_snapshot() {
    let (folder, clock, engine) = fresh(SnapshotSettings { kept: 2, ..SnapshotSettings::default() });
    let mut held = 0;
    for _ in 0..4 {
        engine.remember(episode(format!("day{held}x"))).unwrap();
        held += 1;
        let taken = engine.take_snapshot().unwrap().unwrap();
        assert_eq!((taken.at, taken.episodes), (clock.now(), held));
        assert_eq!(engine.snapshots().unwrap()[0], taken, "{:?}", files(folder.path()));
        clock.advance(SignedDuration::from_hours(-1));
    }
    assert_eq!(files(folder.path()).len(), 2);
    engine.remember(episode("one more")).unwrap();
    engine.maintain().unwrap();
    assert_eq!(engine.snapshots().unwrap()[0].episodes, held + 1, "the chores do not wait for that time");
}

#[test]
fn the_chores_take_one_when_the_interval_is_over_and_the_latest_stay() {
    let (folder, clock, engine) = fresh(SnapshotSettings { kept: 2, ..SnapshotSettings::default() });
    let mut number = 0;
    let mut at = |second: i64| {
        move_to(&clock, second);
        number += 1;
        engine.remember(episode(format!("day{number}x"))).unwrap();
        engine.maintain().unwrap();
        engine.snapshots().unwrap().iter().map(|info| info.at).collect::<Vec<_>>()
    };
    assert_eq!(at(0), [after(0)]);
    assert_eq!(at(1799), [after(0)], "not before its time");
    assert_eq!(at(1800), [after(1800), after(0)]);
    assert_eq!(at(3000), [after(1800), after(0)]);
    assert_eq!(at(9000), [after(9000), after(1800)], "the latest two stay");
    let told: Vec<_> = logged(&engine, &[EventKind::SnapshotTaken]).into_iter().map(|one| one.what).collect();
    let file = "episodes-20260105T103000Z.jsonl.zst".to_owned();
    assert_eq!(told.len(), 3);
    assert_eq!(told[2], Happening::SnapshotTaken { file, episodes: 5 });
    // A process that starts anew goes by the files.
    drop(engine);
    let settings = SnapshotSettings { kept: 2, ..SnapshotSettings::default() };
    let engine = Perihelion::open(with_settings(folder.path(), &clock, settings)).unwrap();
    engine.remember(episode("one more")).unwrap();
    move_to(&clock, 9000 + 1799);
    engine.maintain().unwrap();
    assert_eq!(engine.snapshots().unwrap()[0].at, after(9000));
    move_to(&clock, 9000 + 1800);
    engine.maintain().unwrap();
    assert_eq!(engine.snapshots().unwrap()[0].at, after(9000 + 1800));
}

#[test]
fn an_interval_of_zero_leaves_it_to_people() {
    let off = SnapshotSettings { interval: Duration::ZERO, ..SnapshotSettings::default() };
    let (folder, clock, engine) = fresh(off);
    engine.remember(episode("one")).unwrap();
    engine.maintain().unwrap();
    move_to(&clock, 100_000);
    engine.maintain().unwrap();
    drop(engine);
    let options = Options { chores: Chores::Background, ..with_settings(folder.path(), &clock, off) };
    let engine = Perihelion::open(options).unwrap();
    engine.remember(episode("two")).unwrap();
    engine.close().unwrap();
    assert!(files(folder.path()).is_empty());
    let engine = Perihelion::open(with_settings(folder.path(), &clock, off)).unwrap();
    assert!(engine.take_snapshot().unwrap().is_some());
}

#[test]
fn only_a_process_that_stays_leaves_a_snapshot_behind() {
    for (chores, left) in [(Chores::ByHand, 0), (Chores::Background, 1)] {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let settings = with_settings(folder.path(), &clock, SnapshotSettings::default());
        let engine = Perihelion::open(Options { chores, ..settings }).unwrap();
        engine.remember(episode("one")).unwrap();
        engine.close().unwrap();
        assert_eq!(files(folder.path()).len(), left, "{chores:?}");
    }
}

/// The worker: takes a snapshot by the chores each time it is told to, at the time it is told.
#[test]
fn member() {
    let Some(folder) = role("episodes::member") else { return };
    let clock = Clock::manual(start());
    let settings = with_settings(Path::new(&folder), &clock, SnapshotSettings::default());
    let engine = Perihelion::open(settings).unwrap();
    for line in std::io::stdin().lines().map(Result::unwrap) {
        move_to(&clock, line.parse().unwrap());
        engine.maintain().unwrap();
        tell("done");
    }
    engine.close().unwrap();
}

#[test]
fn of_many_processes_one_takes_it() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    let mut workers: Vec<Worker> =
        (0..4).map(|_| Worker::start(worker_command("episodes::member", folder.path()))).collect();
    for (round, second) in [0, 1800, 3600].into_iter().enumerate() {
        engine.remember(episode(format!("day{second}x"))).unwrap();
        workers.iter_mut().for_each(|worker| worker.send(&second.to_string()));
        workers.iter_mut().for_each(|worker| assert_eq!(worker.hear().as_deref(), Some("done")));
        assert_eq!(files(folder.path()).len(), round + 1, "{:?}", files(folder.path()));
    }
    workers.into_iter().for_each(|worker| drop(worker.finish()));
    assert_eq!(logged(&engine, &[EventKind::SnapshotTaken]).len(), 3);
}

#[test]
fn what_is_no_snapshot_of_ours_is_not_restored() {
    let (folder, _clock, engine) = fresh(SnapshotSettings::default());
    engine.remember(episode("one")).unwrap();
    let taken = engine.take_snapshot().unwrap().unwrap();
    std::fs::copy(path_of(folder.path(), &taken), folder.path().join(&taken.file)).unwrap();
    let outside = format!("../{}", taken.file);
    for name in ["", "없는 것", "episodes.lock", "episodes-20260105T080001Z.jsonl.zst", &outside] {
        let refused = engine.restore_snapshot(name).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::NotFound, "{name:?}");
    }
}
