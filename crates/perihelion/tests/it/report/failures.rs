//! What fails is told to whoever runs the engine, and stops nothing else.

use std::fs;
use std::sync::Arc;

use jiff::SignedDuration;
use peri_store::{SqliteSettings, SqliteStore};
use perihelion::embed::{EmbedError, Engine};
use perihelion::{EventKind, Happening, Meaning, Perihelion, Remember, Scope, SpaceId};

use super::{DAY, fresh, of_day, options};
use crate::orbit::logged;
use crate::support::{fresh as fresh_folder, kind_of};

/// What was told to have failed: what was tried, why, and how often.
fn told(engine: &Perihelion) -> Vec<(String, String, u64)> {
    let failed = |event: perihelion::Event| match event.what {
        Happening::OperationFailed { operation, reason, count } => (operation, reason, count),
        other => panic!("no failure: {other:?}"),
    };
    logged(engine, &[EventKind::OperationFailed]).into_iter().map(failed).collect()
}

/// An embedding engine that never works.
struct Broken(SpaceId);

impl Engine for Broken {
    fn space(&self) -> &SpaceId {
        &self.0
    }

    fn embed(&self, _: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        Err(EmbedError::NotFinite { model: "broken".to_owned() })
    }
}

#[test]
fn an_embedding_engine_that_fails_is_told_of_and_the_memory_is_stored() {
    let (folder, clock, engine) = fresh();
    drop(engine);
    let path = folder.path().join(Perihelion::DATABASE);
    let store = Arc::new(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
    let space = SpaceId { model: "broken".to_owned(), dimensions: 4 };
    let options = options(folder.path(), &clock);
    let engine = Perihelion::with_engine(options, store, Some(Arc::new(Broken(space)))).unwrap();
    for text in ["어제 도자기를 구웠다", "上周二我们讨论了陶器"] {
        assert_eq!(engine.remember(Remember::new(text)).unwrap().meaning, Meaning::Pending);
    }
    assert!(told(&engine).is_empty(), "nobody waits for it");
    let report = of_day(&engine, DAY);
    assert_eq!((report.failures.len(), report.failures[0].operation.as_str()), (1, "embedding"));
    assert_eq!(report.failures[0].count, 2);
    assert!(report.failures[0].reason.contains("not finite"), "{:?}", report.failures);
    assert!(!report.to_markdown().contains("陶器"), "never content");
}

#[test]
fn an_audit_log_that_cannot_be_written_is_told_of_once_it_can_be() {
    let (folder, clock, engine) = fresh();
    let logs = folder.path().join("logs");
    fs::write(&logs, "something else is here").unwrap();
    engine.remember(Remember::new("The ferry leaves at noon")).unwrap();
    for _ in 0..3 {
        clock.advance(SignedDuration::from_secs(1));
        engine.maintain().unwrap();
    }
    fs::remove_file(&logs).unwrap();
    clock.advance(SignedDuration::from_secs(60));
    engine.maintain().unwrap();
    let told = told(&engine);
    let of_the_log = told.iter().filter(|(operation, ..)| operation == "audit log");
    assert!(of_the_log.map(|(.., count)| count).sum::<u64>() >= 3, "{told:?}");
    // Where the log's folder is no folder, the reports in it cannot be looked at either.
    let other = told.iter().filter(|(operation, ..)| operation != "audit log");
    assert!(other.into_iter().all(|(operation, ..)| operation == "report"), "{told:?}");
    assert_eq!(of_day(&engine, DAY).counts.stored, 1, "and nothing is lost");
}

#[test]
fn a_mistake_of_the_caller_is_no_failure() {
    let (_folder, engine) = fresh_folder();
    let id = engine.remember(Remember::new("The ferry leaves at noon")).unwrap().id;
    assert!(kind_of(engine.purge(&Scope::All, id)).is_some());
    assert!(kind_of(engine.remember(Remember::new(""))).is_some());
    engine.maintain().unwrap();
    assert!(told(&engine).is_empty());
}

#[test]
fn a_report_that_cannot_be_written_is_told_of_and_tried_again() {
    let (folder, clock, engine) = fresh();
    engine.remember(Remember::new("The ferry leaves at noon")).unwrap();
    let memory = folder.path().join("logs").join("memory");
    fs::create_dir_all(folder.path().join("logs")).unwrap();
    fs::write(&memory, "something else is here").unwrap();
    clock.advance(SignedDuration::from_hours(12));
    engine.maintain().unwrap();
    let told = told(&engine);
    assert_eq!((told.len(), told[0].0.as_str(), told[0].2), (1, "report", 1), "{told:?}");
    assert!(kind_of(engine.write_report(DAY)).is_some());
    fs::remove_file(&memory).unwrap();
    engine.maintain().unwrap();
    assert!(!memory.exists(), "not at every round");
    clock.advance(SignedDuration::from_mins(10));
    engine.maintain().unwrap();
    assert!(memory.join("2026-11-15.md").is_file());
}

#[test]
fn faces_tell_of_failures_too() {
    let (folder, engine) = fresh_folder();
    engine.tell_failed("backup", "디스크가 가득 찼다");
    engine.tell_failed("backup", "디스크가 가득 찼다");
    engine.close().unwrap();
    let engine = crate::support::open(folder.path());
    assert_eq!(told(&engine), [("backup".to_owned(), "디스크가 가득 찼다".to_owned(), 2)]);
}
