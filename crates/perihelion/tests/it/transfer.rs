//! Everything out and in again.

mod bounds;
mod history;
mod ids;
mod learning;
mod modes;
mod moment;
mod records;
pub mod resume;
mod selection;

use std::io::BufReader;
use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use peri_store::{SqliteSettings, SqliteStore};
use perihelion::{
    Clock, ErrorKind, ImportMode, ImportOptions, Imported, ListQuery, Memory, MemoryId, Namespace, Options,
    Order, Perihelion, Remember, Revise, Scope, Timestamp, Trashed,
};
use tempfile::TempDir;

use crate::graph::found::Unreadable;
use crate::graph::link;
use crate::supersession::clocked;
use crate::support::{ask, contents, fresh, keep, kind_of, ns, options};

pub fn export(engine: &Perihelion) -> String {
    let mut out = Vec::new();
    engine.export(&Scope::All, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

pub fn import(engine: &Perihelion, lines: &str) -> Imported {
    engine.import(&mut BufReader::new(lines.as_bytes()), ImportOptions::default()).unwrap()
}

/// An empty engine on which so many days have passed more than on a clock.
pub fn later(clock: &Clock, days: i64) -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(clock.now() + SignedDuration::from_hours(24 * days));
    let engine = Perihelion::open(Options { clock, ..options(folder.path()) }).unwrap();
    (folder, engine)
}

/// Every memory of one side of the trash, expired ones included.
fn everything(engine: &Perihelion, trashed: Trashed) -> Vec<Memory> {
    let (order, now) = (Order::OldestFirst, Some(Timestamp::UNIX_EPOCH));
    engine.list(ListQuery { trashed, order, now, limit: 1000, ..ListQuery::default() }).unwrap().memories
}

fn sides(engine: &Perihelion) -> [Vec<MemoryId>; 2] {
    let ids = |side| everything(engine, side).into_iter().map(|memory| memory.id).collect();
    [Trashed::Without, Trashed::Only].map(ids)
}

#[test]
fn what_was_imported_stays_whatever_its_age() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    engine.forget(&Scope::All, ids[1]).unwrap();
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 400);
    import(&engine, &lines);
    for _ in 0..3 {
        engine.maintain().unwrap();
        assert_eq!(sides(&engine), [[ids[0]], [ids[1]]], "nothing was idle or in the trash from before");
    }
    engine.restore(&Scope::All, ids[1]).unwrap();
    assert_eq!(ask(&engine, "nest").hits.len(), 2);
}

#[test]
fn a_successor_that_lay_in_the_trash_takes_its_place_again_after_a_move_to_another_store() {
    let (_folder, engine, clock) = clocked();
    let kept = keep(&engine, "Ana prefers tea over coffee.");
    let absorbed = engine.remember(Remember::new("Ana prefers tea to coffee")).unwrap().absorbed.unwrap();
    let old = keep(&engine, "Ana lives in Berlin");
    clock.advance(SignedDuration::from_hours(24));
    let new = keep(&engine, "Ana moved to Lisbon");
    engine.forget(&Scope::All, new).unwrap();
    engine.forget(&Scope::All, kept).unwrap();
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    import(&engine, &lines);
    let successor = |id| engine.get(&Scope::All, id).unwrap().facets.superseded_by;
    assert_eq!((successor(old), successor(absorbed)), (None, None));
    engine.restore(&Scope::All, new).unwrap();
    engine.restore(&Scope::All, kept).unwrap();
    assert_eq!((successor(old), successor(absorbed)), (Some(new), Some(kept)));
    assert_eq!(contents(&ask(&engine, "Ana Berlin Lisbon"))[0], "Ana moved to Lisbon");
    engine.split(&Scope::All, absorbed).unwrap();
}

#[test]
fn edges_and_sessions_come_along_also_those_of_the_trash_and_of_empty_namespaces() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "penguins cannot fly"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    engine.forget(&Scope::All, ids[1]).unwrap();
    engine.start_session(&ns("quiet"), "monday").unwrap();
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    let told = import(&engine, &lines);
    assert_eq!((told.added, told.edges, told.sessions, told.refused.len()), (2, 1, 1, 0));
    assert!(engine.session(&ns("quiet"), "monday").is_ok());
    assert!(engine.edges(&Scope::All, ids[0]).unwrap().is_empty());
    engine.restore(&Scope::All, ids[1]).unwrap();
    assert_eq!(engine.edges(&Scope::All, ids[0]).unwrap().len(), 1);
}

#[test]
fn a_memory_that_replaced_many_points_to_all_of_them_after_an_import() {
    let (_folder, engine, clock) = clocked();
    let newest = keep(&engine, "the last word on herons");
    for i in 0..25 {
        let old = keep(&engine, &format!("Quixou{}", "ab".repeat(i + 1)));
        let revise = Revise { superseded_by: Some(Some(newest)), ..Revise::default() };
        engine.revise(&Scope::All, old, revise).unwrap();
    }
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    assert_eq!(import(&engine, &lines).edges, 25);
    assert_eq!(export(&engine), lines);
}

#[test]
fn an_export_changes_nothing_and_works_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Perihelion::DATABASE);
    let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    let store = Arc::new(Unreadable { inner, failing: Mutex::default() });
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    engine.start_session(&Namespace::default(), "monday").unwrap();
    ask(&engine, "herons");
    engine.maintain().unwrap();
    let files = || {
        let log = path.with_extension("db-wal");
        (std::fs::read(&path).unwrap(), std::fs::read(log).ok())
    };
    let (before, lines) = (files(), export(&engine));
    assert_eq!(files(), before, "not a byte of the database");
    ask(&engine, "herons");
    *store.failing.lock().unwrap() = Some("write");
    assert!(engine.is_read_only());
    assert_eq!(export(&engine), lines);
    assert_eq!(files(), before);
}

#[test]
fn importing_again_changes_nothing() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    let lines = export(&engine);
    let told = import(&engine, &lines);
    assert_eq!((told.added, told.replaced, told.known), (0, 0, 2), "into where it came from");
    assert_eq!(export(&engine), lines);
    let (_folder, engine) = later(&clock, 1);
    assert_eq!(import(&engine, &lines).added, 2);
    assert_eq!(import(&engine, &lines).known, 2);
    assert_eq!(export(&engine), lines);
}

#[test]
fn a_memory_that_says_what_another_one_here_says_is_known() {
    let (_folder, engine, clock) = clocked();
    keep(&engine, "herons nest by the lake");
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    let own = keep(&engine, "herons nest by the lake");
    let told = import(&engine, &lines);
    assert_eq!((told.added, told.known), (0, 1));
    assert_eq!(sides(&engine)[0], [own]);
}

#[test]
fn bad_lines_are_told_with_their_numbers_and_the_rest_is_kept() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "storks nest on roofs"].map(|text| keep(&engine, text));
    link(&engine, ids[0], ids[1]);
    let good = export(&engine);
    let memory = good.lines().find(|line| line.contains("herons")).unwrap();
    let edge = good.lines().find(|line| line.contains("\"edge\"")).unwrap();
    let unknown = "01980000-0000-7000-8000-000000000001";
    let bad = [
        "not JSON".to_owned(),
        memory[..memory.len() / 2].to_owned(),
        memory.replace("\"memory\"", "\"surprise\""),
        memory.replace("\"content\"", "\"contend\""),
        memory.replace("herons nest by the lake", " "),
        memory.replace("\"default\"", "\"/not//a namespace\""),
        memory.replace(&ids[0].to_string(), "seven"),
        memory.replace("\"importance\":", "\"importance\":7"),
        edge.replace("\"weight\":1.0", "\"weight\":0.0"),
        edge.replace(&ids[1].to_string(), &ids[0].to_string()),
        edge.replace(&ids[1].to_string(), unknown),
        "[]".to_owned(),
        "{}".to_owned(),
    ];
    let mut bytes: Vec<u8> = Vec::new();
    let mut expected = Vec::new();
    for (number, line) in good.lines().map(ToOwned::to_owned).chain(bad).enumerate() {
        if number >= good.lines().count() {
            expected.push(number as u64 + 1);
        }
        bytes.extend(line.as_bytes());
        bytes.push(b'\n');
    }
    bytes.extend(b"\xff\xfe is not UTF-8\n\n");
    expected.push(expected.last().unwrap() + 1);
    let (_folder, engine) = later(&clock, 1);
    let told = engine.import(&mut BufReader::new(&bytes[..]), ImportOptions::default()).unwrap();
    let refused: Vec<u64> = told.refused.iter().map(|(line, _)| *line).collect();
    assert_eq!(refused, expected, "{:?}", told.refused);
    assert!(told.refused.iter().all(|(_, why)| !why.is_empty()));
    assert_eq!((told.added, told.edges), (2, 1));
    assert_eq!(export(&engine), good);
}

#[test]
fn a_line_that_contradicts_itself_harms_no_other() {
    let (_folder, engine, clock) = clocked();
    let id = keep(&engine, "herons nest by the lake");
    let content = Some("herons nest by the river".to_owned());
    engine.revise(&Scope::All, id, Revise { content, ..Revise::default() }).unwrap();
    keep(&engine, "storks nest on roofs");
    let lines = export(&engine);
    let versions = lines.find("\"versions\":[").unwrap() + "\"versions\":[".len();
    let end = versions + lines[versions..].find(']').unwrap();
    let twice = format!("{},{}", &lines[versions..end], &lines[versions..]);
    let twice = format!("{}{twice}", &lines[..versions]);
    let (_folder, engine) = later(&clock, 1);
    assert_eq!(import(&engine, &twice).added, 2);
    assert_eq!(engine.history(&Scope::All, id).unwrap().versions.len(), 1);
}

#[test]
fn an_export_of_a_newer_release_is_refused_before_anything_is_taken() {
    let (_folder, engine) = fresh();
    keep(&engine, "herons nest by the lake");
    let lines = export(&engine).replacen("\"perihelion\":5", "\"perihelion\":6", 1);
    let (_folder, engine) = fresh();
    let refused = engine.import(&mut BufReader::new(lines.as_bytes()), ImportOptions::default());
    assert_eq!(kind_of(refused), Some(ErrorKind::InvalidInput));
    assert!(sides(&engine).concat().is_empty());
}

#[test]
fn a_memory_that_is_here_is_kept_or_replaced_as_told() {
    let (_folder, engine, clock) = clocked();
    let ids = ["herons nest by the lake", "Ana prefers tea over coffee."].map(|text| keep(&engine, text));
    engine.remember(Remember::new("Ana prefers tea to coffee")).unwrap();
    link(&engine, ids[0], ids[1]);
    let lines = export(&engine);
    let (_folder, engine) = later(&clock, 1);
    import(&engine, &lines);
    let content = Some("herons nest by the river".to_owned());
    engine.revise(&Scope::All, ids[0], Revise { content, ..Revise::default() }).unwrap();
    engine.forget(&Scope::All, ids[1]).unwrap();
    let changed = export(&engine);
    import(&engine, &lines);
    assert_eq!(export(&engine), changed, "what is here stays");
    let options = ImportOptions { mode: ImportMode::Upsert, ..ImportOptions::default() };
    let told = engine.import(&mut BufReader::new(lines.as_bytes()), options).unwrap();
    assert_eq!((told.added, told.replaced, told.newer_here), (0, 1, 2), "what was changed here later stays");
    // Up to when orbits are settled is known here, and stays.
    let but_settled = |lines: &str| {
        let others = lines.lines().filter(|line| !line.contains("\"record\":\"namespace\""));
        others.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(but_settled(&export(&engine)), but_settled(&changed));
    let options = ImportOptions { mode: ImportMode::Replace, ..ImportOptions::default() };
    let told = engine.import(&mut BufReader::new(lines.as_bytes()), options).unwrap();
    assert_eq!((told.added, told.replaced), (0, 3));
    assert!(engine.get(&Scope::All, ids[1]).unwrap().trashed_at.is_none());
    assert_eq!(contents(&ask(&engine, "where do herons nest?"))[0], "herons nest by the lake");
}

#[test]
fn a_scope_exports_itself_alone() {
    let (_folder, engine) = fresh();
    for namespace in ["team/a", "team/b", "other"] {
        engine.remember(Remember::new("herons nest by the lake").in_namespace(ns(namespace))).unwrap();
    }
    let mut out = Vec::new();
    let told = engine.export("team/*".parse::<Scope>().unwrap(), &mut out).unwrap();
    assert_eq!(told.memories, 2);
    let (_folder, engine) = fresh();
    import(&engine, &String::from_utf8(out).unwrap());
    assert_eq!(engine.namespaces(&Scope::All).unwrap(), [ns("team/a"), ns("team/b")]);
}

#[test]
fn a_pipe_that_breaks_is_told() {
    struct Broken;
    impl std::io::Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
    }
    let (_folder, engine) = fresh();
    keep(&engine, "herons nest by the lake");
    assert_eq!(kind_of(engine.export(&Scope::All, &mut Broken)), Some(ErrorKind::Unavailable));
    let imported = engine.import(&mut BufReader::new(Broken), ImportOptions::default());
    assert_eq!(kind_of(imported), Some(ErrorKind::Unavailable));
}

#[test]
fn what_use_has_taught_comes_along_byte_for_byte_and_once() {
    let (folder, engine, clock) = clocked();
    let ids: Vec<MemoryId> =
        ["the kettle is blue", "the lamp is old"].iter().map(|text| keep(&engine, text)).collect();
    for (used, unused) in [(ids[0], ids[1]), (ids[1], ids[0])] {
        clock.advance(SignedDuration::from_mins(37));
        let feedback = perihelion::Feedback {
            query: "한국어 question".into(),
            used: vec![used],
            unused: vec![unused],
            session: None,
        };
        engine.feedback(&Namespace::default(), &feedback).unwrap();
    }
    learning::weigh(&learning::store_of(&folder), 1);
    let lines = export(&engine);
    assert_eq!(lines.matches("\"record\":\"feedback\"").count(), 2, "{lines}");
    assert_eq!(lines.matches("\"record\":\"weights\"").count(), 1, "{lines}");
    let (_other, second) = later(&clock, 3);
    import(&second, &lines);
    assert_eq!(export(&second), lines);
    import(&second, &lines);
    assert_eq!(export(&second), lines, "importing it again changes nothing");
}
