//! Feedback: what was of use is kept, counts as used, and moves the weights within bounds; and every move can be
//! taken back.

use std::path::Path;
use std::sync::Arc;

use peri_store::{SqliteSettings, SqliteStore, Store, Write};
use perihelion::{
    Clock, ErrorKind, EventKind, Feedback, Happening, LearnedWeights, MemoryId, Namespace, Options,
    OrbitSettings, Perihelion, Scope, Tuning, Zone,
};

use crate::orbit::{DAY, important, logged, move_to, plain, start, zone_of};
use crate::support::{Random, kind_of, ns, options};

fn home() -> Namespace {
    Namespace::default()
}

fn open(folder: &Path, clock: &Clock) -> (Perihelion, Arc<SqliteStore>) {
    let path = folder.join(Perihelion::DATABASE);
    let store = Arc::new(SqliteStore::open(&path, &SqliteSettings::default()).unwrap());
    let options = Options { tuning: Tuning::On, ..plain(folder, clock, OrbitSettings::default()) };
    let engine = Perihelion::on_store(options, store.clone());
    (engine.unwrap(), store)
}

fn judge(engine: &Perihelion, used: &[MemoryId], unused: &[MemoryId]) -> perihelion::FeedbackReceipt {
    let (used, unused) = (used.to_vec(), unused.to_vec());
    let feedback = Feedback { query: "where is it?".into(), used, unused, session: None };
    engine.feedback(&home(), &feedback).unwrap()
}

fn recalls(engine: &Perihelion, id: MemoryId) -> u64 {
    engine.usage(&home(), id).unwrap().map_or(0, |(recalls, _)| recalls)
}

fn values(set: &LearnedWeights) -> [f64; 4] {
    [set.recall, set.freshness, set.importance, set.context]
}

#[test]
fn feedback_is_kept_with_what_the_memory_function_knew_and_survives_a_restart() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let [used, unused] = [("item1x", 0.7), ("item2x", 0.2)]
        .map(|(content, importance)| engine.remember(important(content, importance)).unwrap().id);
    move_to(&clock, 14 * DAY);
    assert_eq!(judge(&engine, &[used], &[unused]).judged, 2);
    let kept = store.feedback(&home(), 10).unwrap();
    assert_eq!((kept.len(), kept[0].at, kept[0].query.as_str()), (1, clock.now(), "where is it?"));
    let [first, second] = &kept[0].results[..] else { panic!("{kept:?}") };
    assert_eq!((first.id, first.used, second.id, second.used), (used, true, unused, false));
    assert!((first.importance - 0.7).abs() < 1e-6 && (first.freshness - 0.5).abs() < 1e-6);
    assert_eq!((first.recall, first.context), (0.0, None));
    let told: Vec<_> =
        logged(&engine, &[EventKind::FeedbackGiven]).into_iter().map(|event| event.what).collect();
    assert_eq!(told, [Happening::FeedbackGiven { used: vec![used], unused: vec![unused] }]);
    engine.close().unwrap();
    drop(store);
    let (_engine, store) = open(folder.path(), &clock);
    assert_eq!(store.feedback(&home(), 10).unwrap(), kept);
}

#[test]
fn what_was_of_use_counts_as_used_once_and_what_was_not_does_not() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, _store) = open(folder.path(), &clock);
    let [used, unused] = ["item1x", "item2x"].map(|word| engine.remember(important(word, 0.5)).unwrap().id);
    assert_eq!(judge(&engine, &[used, used], &[unused, used]).judged, 2, "each is judged once");
    engine.maintain().unwrap();
    assert_eq!((recalls(&engine, used), recalls(&engine, unused)), (1, 0));
}

#[test]
fn feedback_on_what_is_not_there_is_refused_and_changes_nothing() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    let gone = MemoryId::from_bytes([9; 16]);
    let about = |used: Vec<MemoryId>| Feedback { query: "x".into(), used, ..Feedback::default() };
    assert_eq!(kind_of(engine.feedback(&home(), &about(vec![gone]))), Some(ErrorKind::NotFound));
    assert_eq!(kind_of(engine.feedback(&ns("elsewhere"), &about(vec![id]))), Some(ErrorKind::NotFound));
    let empty = Feedback { query: " ".into(), used: vec![id], ..Feedback::default() };
    assert_eq!(kind_of(engine.feedback(&home(), &empty)), Some(ErrorKind::InvalidInput));
    engine.maintain().unwrap();
    assert!(store.feedback(&home(), 10).unwrap().is_empty());
    assert!(store.feedback(&ns("elsewhere"), 10).unwrap().is_empty());
    assert_eq!(recalls(&engine, id), 0);
    assert!(logged(&engine, &[EventKind::FeedbackGiven]).is_empty());
}

#[test]
fn what_is_gone_meanwhile_does_not_spoil_the_rest_of_the_feedback() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let id = engine.remember(important("item1x", 0.5)).unwrap().id;
    assert_eq!(judge(&engine, &[MemoryId::from_bytes([9; 16]), id], &[]).judged, 1);
    assert_eq!(store.feedback(&home(), 10).unwrap()[0].results.len(), 1);
}

/// Weights as somebody else's tuner might have stored them.
fn set(store: &dyn Store, recall: f64, freshness: f64, importance: f64) {
    let value = serde_json::json!({
        "recall": recall, "freshness": freshness, "importance": importance, "context": 0.1,
    });
    let (namespace, reason, at) = (home(), "by hand".to_owned(), start());
    store.write(vec![Write::SetWeights { namespace, value, reason, at }]).unwrap();
}

#[test]
fn weights_hold_in_their_namespace_move_memories_and_survive_a_restart() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let here = engine.remember(important("item1x", 1.0)).unwrap().id;
    let there = engine.remember(important("item1x", 1.0).in_namespace(ns("other"))).unwrap().id;
    move_to(&clock, DAY);
    engine.maintain().unwrap();
    assert_eq!((zone_of(&engine, here), zone_of(&engine, there)), (Zone::Inner, Zone::Inner));
    set(&*store, 0.05, 0.05, 0.8);
    engine.close().unwrap();
    drop(store);
    let (engine, _store) = open(folder.path(), &clock);
    move_to(&clock, 2 * DAY);
    engine.maintain().unwrap();
    assert_eq!((zone_of(&engine, here), zone_of(&engine, there)), (Zone::Core, Zone::Inner));
    let new = engine.remember(important("item2x", 1.0)).unwrap().id;
    assert_eq!(zone_of(&engine, new), Zone::Core, "nor does what is new begin elsewhere");
    let sets = engine.weights(&home()).unwrap();
    assert_eq!(values(&sets[1]), [0.05, 0.05, 0.8, 0.1]);
    assert_eq!(engine.weights(&ns("other")).unwrap().len(), 1);
}

#[test]
fn weights_can_be_rolled_back_to_any_set_and_the_history_stays() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let id = engine.remember(important("item1x", 1.0)).unwrap().id;
    let configured = engine.weights(&home()).unwrap();
    assert_eq!((configured.len(), configured[0].number), (1, 0));
    assert_eq!(values(&configured[0]), [0.30, 0.30, 0.25, 0.15]);
    set(&*store, 0.05, 0.05, 0.8);
    set(&*store, 0.4, 0.4, 0.1);
    let back = engine.rollback_weights(&home(), 1).unwrap();
    assert_eq!((back.number, values(&back)), (3, [0.05, 0.05, 0.8, 0.1]));
    move_to(&clock, DAY);
    engine.maintain().unwrap();
    assert_eq!(zone_of(&engine, id), Zone::Core);
    let back = engine.rollback_weights(&home(), 0).unwrap();
    assert_eq!((back.number, values(&back)), (4, values(&configured[0])));
    let again = engine.rollback_weights(&home(), 0).unwrap();
    assert_eq!((again.number, values(&again)), (4, values(&configured[0])), "what holds is not taken again");
    move_to(&clock, 2 * DAY);
    engine.maintain().unwrap();
    assert_eq!(zone_of(&engine, id), Zone::Inner);
    assert_eq!(kind_of(engine.rollback_weights(&home(), 5)), Some(ErrorKind::NotFound));
    engine.close().unwrap();
    drop(store);
    let (engine, _store) = open(folder.path(), &clock);
    let numbers: Vec<_> = engine.weights(&home()).unwrap().iter().map(|set| set.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    let told = logged(&engine, &[EventKind::WeightsChanged]);
    assert_eq!(told.len(), 4);
}

#[test]
fn weights_that_make_no_sense_are_not_taken() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let id = engine.remember(important("item1x", 1.0)).unwrap().id;
    set(&*store, 0.3, -1.0, 7.0);
    move_to(&clock, DAY);
    engine.maintain().unwrap();
    assert_eq!(zone_of(&engine, id), Zone::Inner, "those that are configured hold");
    let sets = engine.weights(&home()).unwrap();
    assert_eq!(values(sets.last().unwrap()), values(&sets[0]), "and that is told");
}

/// Always finds the most important of four of use, and everything else not.
fn agree(engine: &Perihelion, clock: &Clock, feedbacks: usize) -> Vec<LearnedWeights> {
    let mut random = Random(11);
    let mut memories: Vec<(f64, MemoryId)> = Vec::new();
    for number in 0..40 {
        let importance = random.below(101) as f64 / 100.0;
        let id = engine.remember(important(format!("item{number}x"), importance)).unwrap().id;
        memories.push((importance, id));
        clock.advance(jiff::SignedDuration::from_secs(random.below(DAY.unsigned_abs()) as i64));
    }
    let mut taken = Vec::new();
    for _ in 0..feedbacks {
        clock.advance(jiff::SignedDuration::from_secs(60));
        let mut shown: Vec<_> = (0..4).map(|_| memories[random.below(40) as usize]).collect();
        shown.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.cmp(y)));
        let ids: Vec<_> = shown.into_iter().map(|(_, id)| id).collect();
        taken.extend(judge(engine, &ids[..1], &ids[1..]).weights);
    }
    taken
}

#[test]
fn feedback_that_always_says_the_same_moves_the_weights_that_way_within_bounds() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, _store) = open(folder.path(), &clock);
    let taken = agree(&engine, &clock, 150);
    assert!(!taken.is_empty(), "a hundred and fifty recalls agree");
    let sets = engine.weights(&home()).unwrap();
    let numbers = |sets: &[LearnedWeights]| sets.iter().map(|set| set.number).collect::<Vec<_>>();
    assert_eq!(numbers(&sets[1..]), numbers(&taken));
    for (before, after) in sets.iter().zip(&sets[1..]) {
        let (before, after) = (values(before), values(after));
        assert!(after.iter().all(|weight| (0.05..=0.5).contains(weight)), "{after:?}");
        assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{after:?}");
        assert!(before.iter().zip(after).all(|(old, new)| (old - new).abs() < 0.051), "{before:?} {after:?}");
    }
    assert!(sets.last().unwrap().importance > sets[0].importance);
    engine.rollback_weights(&home(), 0).unwrap();
    assert_eq!(values(engine.weights(&home()).unwrap().last().unwrap()), values(&sets[0]));
}

#[test]
fn tuning_can_be_switched_off_and_feedback_is_kept_all_the_same() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let settings = Options { tuning: Tuning::Off, clock: clock.clone(), ..options(folder.path()) };
    let engine = Perihelion::open(Options { engine: perihelion::EngineChoice::Off, ..settings }).unwrap();
    assert!(agree(&engine, &clock, 150).is_empty());
    assert_eq!(logged(&engine, &[EventKind::FeedbackGiven]).len(), 150);
    assert_eq!(engine.stats(&Scope::All).unwrap().memories, 40);
}

#[test]
fn zones_before_other_weights_held_are_those_of_the_earlier_weights_whoever_reorbits_when() {
    let told = |between: bool| {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let (engine, store) = open(folder.path(), &clock);
        set(&*store, 0.05, 0.05, 0.8);
        engine.remember(important("item1x", 0.1)).unwrap();
        move_to(&clock, 40 * DAY + 7);
        if between {
            engine.reorbit(&Scope::All).unwrap();
        }
        engine.rollback_weights(&home(), 0).unwrap();
        move_to(&clock, 41 * DAY);
        engine.reorbit(&Scope::All).unwrap();
        let moves = logged(&engine, &[EventKind::ZoneChanged]).into_iter().map(|event| match event.what {
            Happening::ZoneChanged { from, to, reason, .. } => (event.at, from, to, reason),
            other => panic!("{other:?}"),
        });
        moves.collect::<Vec<_>>()
    };
    assert!(!told(true).is_empty());
    assert_eq!(told(false), told(true));
}

#[test]
fn what_came_back_from_the_trash_counts_as_fresh_as_of_then() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let (engine, store) = open(folder.path(), &clock);
    let id = engine.remember(important("되살린 기억", 0.7)).unwrap().id;
    engine.forget(&Scope::All, id).unwrap();
    move_to(&clock, 14 * DAY);
    engine.restore(&Scope::All, id).unwrap();
    judge(&engine, &[id], &[]);
    let kept = store.feedback(&home(), 1).unwrap();
    assert!((kept[0].results[0].freshness - 1.0).abs() < 1e-6, "{kept:?}");
}
