use std::time::Duration;

use jiff::SignedDuration;
use perihelion::{
    EventKind, Happening, JournalQuery, LogQuery, NewEntry, NewTurn, Perihelion, Scope, TurnQuery,
};

use super::{recent, said, texts, timed};

const DAY: u64 = 24 * 60 * 60;

fn days(count: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * count)
}

#[test]
fn what_happened_too_long_ago_leaves_and_is_told_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let (mut options, clock) = timed(folder.path());
    options.journal.retention = Duration::from_secs(10 * DAY);
    let engine = Perihelion::open(options).unwrap();
    let old = engine.append(said("오래된 말").remembered()).unwrap();
    engine.begin_turn(NewTurn::default()).unwrap();
    clock.advance(days(9));
    engine.append(NewEntry::new("newer")).unwrap();
    engine.maintain().unwrap();
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["newer", "오래된 말"], "not yet");
    clock.advance(days(2));
    engine.maintain().unwrap();
    engine.maintain().unwrap();
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["newer"]);
    assert!(engine.turns(&TurnQuery::default()).unwrap().turns.is_empty());
    let events = engine.events(&LogQuery { kinds: vec![EventKind::JournalDropped], ..LogQuery::default() });
    let told: Vec<_> = events.unwrap().events.into_iter().map(|event| event.what).collect();
    assert!(matches!(told[..], [Happening::JournalDropped { entries: 1, turns: 1, .. }]), "{told:?}");
    let traced = engine.trace(&Scope::All, old.memory.unwrap()).unwrap();
    assert_eq!(
        (traced.entry_id, traced.entry),
        (Some(old.id), None),
        "the memory stays and says where it is from"
    );
}

#[test]
fn without_a_retention_everything_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (mut options, clock) = timed(folder.path());
    options.journal.retention = Duration::ZERO;
    let engine = Perihelion::open(options).unwrap();
    engine.append(NewEntry::new("kept")).unwrap();
    clock.advance(days(3650));
    engine.maintain().unwrap();
    assert_eq!(engine.journal(&JournalQuery::default()).unwrap().entries.len(), 1);
}

#[test]
fn what_was_written_down_late_or_imported_counts_from_when_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let (options, clock) = timed(folder.path());
    let engine = Perihelion::open(options).unwrap();
    let long_ago = Some(clock.now() - days(1000));
    engine.append(NewEntry { at: long_ago, ..NewEntry::new("옛날 이야기") }).unwrap();
    engine.begin_turn(NewTurn { started_at: long_ago, ..NewTurn::default() }).unwrap();
    let mut file = Vec::new();
    engine.export(Scope::All, &mut file).unwrap();
    engine.maintain().unwrap();
    assert_eq!(engine.journal(&JournalQuery::default()).unwrap().entries.len(), 1);

    clock.advance(days(500));
    let other = tempfile::tempdir().unwrap();
    let second =
        Perihelion::open(perihelion::Options { clock: clock.clone(), ..timed(other.path()).0 }).unwrap();
    second.import(&mut &file[..], perihelion::ImportOptions::default()).unwrap();
    for engine in [&engine, &second] {
        engine.maintain().unwrap();
    }
    let left = |engine: &Perihelion| {
        let stats = engine.journal_stats(&Scope::All).unwrap();
        (stats.entries, stats.turns)
    };
    assert_eq!((left(&engine), left(&second)), ((0, 0), (1, 1)));
}
