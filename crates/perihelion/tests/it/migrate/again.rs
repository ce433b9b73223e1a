//! Migrating again, after an interruption or after the end: nothing twice.

use perihelion::{Ending, MigrateOptions, MigrationSource, Pace, Resume, Revise, Scope, Start, Trashed};
use serde_json::{Value, json};

use super::{check, lines, migrate, migrate_with, saying};
use crate::support::{all, fresh, ns};
use crate::transfer::resume::broken;

fn many(count: usize) -> String {
    let record =
        |i: usize| json!({"id": format!("기억-{i}"), "text": format!("Quixou{i} nests by the lake")});
    lines(&(0..count).map(record).collect::<Vec<Value>>())
}

fn resumed() -> MigrateOptions {
    let resume = Some(Resume { name: "old".to_owned(), start: Start::WhereItWas });
    MigrateOptions { resume, ..MigrateOptions::default() }
}

#[test]
fn the_second_time_everything_is_already_there() {
    let (_folder, engine) = fresh();
    let text = many(100);
    assert_eq!(migrate(&engine, &text).progress.migrated, 100);
    let before = all(&engine, Trashed::Without);
    for _ in 0..2 {
        let again = migrate(&engine, &text).progress;
        assert_eq!((again.total, again.already_there, again.migrated, again.failed), (100, 100, 0, 0));
    }
    assert_eq!(all(&engine, Trashed::Without), before);
    let elsewhere = MigrateOptions { namespace: ns("b"), ..MigrateOptions::default() };
    assert_eq!(
        migrate_with(&engine, &text, &elsewhere).progress.migrated,
        100,
        "another namespace is another place"
    );
}

#[test]
fn what_was_changed_or_thrown_away_here_stays_so() {
    let (_folder, engine) = fresh();
    let text = many(3);
    migrate(&engine, &text);
    let (kept, gone) =
        (saying(&engine, "Quixou0 nests by the lake").id, saying(&engine, "Quixou1 nests by the lake").id);
    engine
        .revise(&Scope::All, kept, Revise { content: Some("Quixou0 left".to_owned()), ..Revise::default() })
        .unwrap();
    engine.forget(&Scope::All, gone).unwrap();
    let again = migrate(&engine, &text).progress;
    assert_eq!((again.already_there, again.failed), (3, 0), "{again:?}");
    assert_eq!(engine.get(&Scope::All, kept).unwrap().content, "Quixou0 left");
    assert!(engine.get(&Scope::All, gone).unwrap().trashed_at.is_some());
}

#[test]
fn one_that_broke_off_goes_on_where_it_was() {
    let (_folder, engine) = fresh();
    let text = many(300);
    for part in 1..4 {
        let mut source = broken(&text, text.len() * part / 4);
        assert!(engine.migrate(MigrationSource::Stream(&mut source), &resumed()).is_err());
    }
    let options = resumed();
    let report = migrate_with(&engine, &text, &options);
    assert!(report.resumed_after.is_some_and(|after| after >= 192), "{report:?}");
    assert_eq!((report.progress.total, report.progress.migrated), (300, 300), "{report:?}");
    assert_eq!(all(&engine, Trashed::Without).len(), 300);
    let again = migrate_with(&engine, &text, &options);
    assert_eq!((again.resumed_after, again.progress.already_there), (None, 300));
}

#[test]
fn one_that_is_stopped_keeps_what_it_has() {
    let (_folder, engine) = fresh();
    let text = many(200);
    let mut seen = Vec::new();
    let report = engine
        .migrate_watched(MigrationSource::Stream(&mut text.as_bytes()), &resumed(), &mut |progress| {
            seen.push(progress.total);
            if seen.len() == 3 { Pace::Stop } else { Pace::GoOn }
        })
        .unwrap();
    check(&report, &resumed());
    assert_eq!(report.ending, Ending::Stopped);
    assert_eq!(report.progress.total, 96, "three batches: {seen:?}");
    assert_eq!(all(&engine, Trashed::Without).len(), 96);
    assert_eq!(migrate_with(&engine, &text, &resumed()).progress.migrated, 200);
}

#[test]
fn two_records_of_one_id_are_one_memory_and_a_failure_unless_they_say_the_same() {
    for apart in [0, 100] {
        let (_folder, engine) = fresh();
        let between: Vec<Value> = (0..apart).map(|i| json!({"text": format!("filler {i}")})).collect();
        let first = [json!({"id": "x", "text": "차는 녹차다"}), json!({"id": "x", "text": "차는 녹차다"})];
        let records = [&first[..], &between, &[json!({"id": "x", "text": "차는 홍차다"})]].concat();
        for _ in 0..2 {
            let report = migrate(&engine, &lines(&records));
            assert_eq!(
                (report.progress.failed, report.progress.errors[0].0.clone()),
                (1, format!("line {}", apart + 3))
            );
            assert!(report.progress.errors[0].1.contains("says something else"), "{report:?}");
        }
        assert_eq!(all(&engine, Trashed::Without).len(), apart + 1);
        assert_eq!(saying(&engine, "차는 녹차다").version, 1);
    }
}
