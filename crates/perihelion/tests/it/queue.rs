//! Writes that the store cannot take: they wait, in order, and are made once.

mod crash;
mod dead;
mod ids;
mod model;
mod once;
mod released;
mod thread;
pub mod wanted;

use std::path::Path;
use std::sync::Arc;

use jiff::SignedDuration;
use peri_store::StoreError;
use perihelion::{
    Chores, Clock, Error, ErrorKind, EventKind, Happening, LogQuery, MemoryId, Namespace, NewKey, Options,
    Outcome, Perihelion, QueueSettings, Recall, Remember, Revise, Role, Scope, Trashed,
};

use crate::faults::store::faulty::Faulty;
use crate::support::{all, ask, finds, keep, kind_of, options, time};

/// An engine on a store that can be cut off.
pub struct World {
    pub clock: Clock,
    pub store: Arc<Faulty>,
    pub engine: Perihelion,
}

impl World {
    pub fn new(folder: &Path) -> Self {
        Self::with(folder, |options| options)
    }

    pub fn with(folder: &Path, change: impl FnOnce(Options) -> Options) -> Self {
        let clock = Clock::manual(time("2026-11-16T12:00:00Z"));
        let store = Faulty::open(folder);
        let queue = QueueSettings { seed: Some(1), ..QueueSettings::default() };
        let options = change(Options { queue, clock: clock.clone(), ..options(folder) });
        let engine = Perihelion::on_store(options, store.clone()).unwrap();
        Self { clock, store, engine }
    }

    pub fn cut_off(&self) {
        self.store.break_down("*", unreachable());
    }

    /// Lets the store answer again, the waits be over, and the chores come.
    pub fn come_back(&self) {
        self.store.mend();
        self.clock.advance(SignedDuration::from_secs(61));
        self.engine.maintain().unwrap();
    }

    /// Lets the chores come. While the store is away they say so, and that is all.
    pub fn do_chores(&self) {
        let outcome = self.engine.maintain();
        let away = |error: &Error| matches!(error, Error::Store(error) if error.is_unreachable());
        assert!(outcome.as_ref().err().is_none_or(away), "{outcome:?}");
    }

    pub fn depth(&self) -> u64 {
        self.engine.queue_status().unwrap().depth
    }

    pub fn contents(&self, trashed: Trashed) -> Vec<String> {
        all(&self.engine, trashed).into_iter().map(|memory| memory.content).collect()
    }
}

pub fn unreachable() -> StoreError {
    StoreError::Unreachable { place: "db.example:5432".into(), detail: "connection refused".into() }
}

pub fn queue_one(engine: &Perihelion, content: &str) -> MemoryId {
    let receipt = engine.remember(Remember::new(content)).unwrap();
    assert_eq!((receipt.outcome, receipt.change.0), (Outcome::Queued, 0), "{content}");
    receipt.id
}

#[test]
fn what_is_remembered_while_the_store_is_away_is_there_when_it_is_back_under_the_same_id() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    keep(&world.engine, "the herons nest by the lake");
    world.cut_off();
    let ids =
        [queue_one(&world.engine, "지수는 제주도로 이사했다"), queue_one(&world.engine, "李娜喜欢喝茶")];
    assert_eq!((world.depth(), world.store.count()), (2, 1));
    world.come_back();
    assert_eq!(world.depth(), 0);
    assert_eq!(
        world.contents(Trashed::Without),
        ["the herons nest by the lake", "지수는 제주도로 이사했다", "李娜喜欢喝茶"]
    );
    let listed: Vec<_> = all(&world.engine, Trashed::Without).into_iter().map(|memory| memory.id).collect();
    assert_eq!(listed[1..], ids);
    assert!(finds(&world.engine, "제주도 이사", "지수는 제주도로 이사했다"));
    world.engine.close().unwrap();
    assert_eq!(std::fs::read_dir(folder.path().join("queue")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_clock_that_is_set_back_by_years_holds_no_queued_write_up() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    let content = "시계는 2029년으로 뛰었다가 돌아왔다";
    queue_one(&world.engine, content);
    world.do_chores();
    world.store.mend();
    world.clock.advance(SignedDuration::from_hours(-3 * 365 * 24));
    world.engine.maintain().unwrap();
    assert_eq!((world.depth(), world.contents(Trashed::Without)), (0, vec![content.to_owned()]));
}

#[test]
fn calls_return_at_once_while_the_store_is_away_and_do_not_touch_it() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.store.fail("none", 1, unreachable());
    world.cut_off();
    queue_one(&world.engine, "the first one finds out");
    let asked = |method| world.store.calls(method);
    let before: Vec<usize> = ["write", "write_once", "head", "get", "list", "weights"].map(asked).to_vec();
    for number in 0..20 {
        queue_one(&world.engine, &format!("note number {number}"));
        let recalled = ask(&world.engine, "note");
        assert!(recalled.hits.is_empty());
        assert_eq!(
            recalled.degraded,
            ["no memory took part: the database at db.example:5432 cannot be reached: connection refused"]
        );
        assert_eq!(
            kind_of(world.engine.get(&Scope::All, MemoryId::generate(world.clock.now()))),
            Some(ErrorKind::Unavailable)
        );
        world.do_chores();
    }
    let after: Vec<usize> = ["write", "write_once", "head", "get", "list", "weights"].map(asked).to_vec();
    assert_eq!(after, before, "nobody waits for a store that is known not to answer");
    assert_eq!(world.depth(), 21);
}

#[test]
fn a_bad_question_is_refused_whether_the_store_is_there_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    for query in ["", "\0"] {
        assert_eq!(kind_of(world.engine.recall(&Recall::new(query))), Some(ErrorKind::InvalidInput));
        assert_eq!(kind_of(world.engine.remember(Remember::new(query))), Some(ErrorKind::InvalidInput));
    }
    assert_eq!(world.depth(), 0);
}

#[test]
fn every_verb_waits_in_its_turn_and_tells_so() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let [kept, gone] = ["a heron", "a stork"].map(|content| keep(&world.engine, content));
    world.cut_off();
    let late = queue_one(&world.engine, "a crane");
    let revise = |content: &str| Revise { content: Some(content.to_owned()), ..Revise::default() };
    let queued = |outcome: Result<(), Error>| assert!(matches!(outcome, Err(Error::Queued)), "{outcome:?}");
    queued(world.engine.revise(&Scope::All, kept, revise("a grey heron")).map(drop));
    queued(world.engine.revise(&Scope::All, late, revise("a white crane")).map(drop));
    queued(world.engine.forget(&Scope::All, gone).map(drop));
    queued(world.engine.start_session(&Namespace::default(), "standup").map(drop));
    queued(world.engine.revise(&Scope::All, late, revise("a black crane")).map(drop));
    assert_eq!(Error::Queued.kind(), ErrorKind::Queued);
    let operations: Vec<_> =
        world.engine.queued(10).unwrap().into_iter().map(|call| call.operation).collect();
    assert_eq!(operations, ["remember", "revise", "revise", "write", "write", "revise"]);
    world.come_back();
    assert_eq!(world.contents(Trashed::Without), ["a grey heron", "a black crane"]);
    assert_eq!(world.contents(Trashed::Only), ["a stork"]);
    let said: Vec<_> =
        world.engine.history(&Scope::All, late).unwrap().versions.into_iter().map(|v| v.content).collect();
    assert_eq!(said, ["a crane", "a white crane"], "in the order they were said");
    assert_eq!(world.engine.sessions(&Scope::All, 10).unwrap()[0].name, "standup");
}

#[test]
fn while_something_waits_later_writes_wait_behind_it_although_the_store_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    // Only writes fail, as on a disk without room; reading goes on.
    world.store.break_down("write", StoreError::DiskFull { path: "perihelion.db".into() });
    let first = queue_one(&world.engine, "a heron by the lake");
    world.store.break_down("write_once", StoreError::DiskFull { path: "perihelion.db".into() });
    world.clock.advance(SignedDuration::from_secs(61));
    queue_one(&world.engine, "a stork on the roof");
    assert!(ask(&world.engine, "heron").degraded.is_empty(), "reading works");
    world.store.mend();
    // The wait is not over yet, so nothing may overtake what waits.
    assert!(matches!(world.engine.forget(&Scope::All, first), Err(Error::Queued)));
    assert_eq!(world.store.count(), 0);
    world.clock.advance(SignedDuration::from_secs(61));
    // The next write makes what waits first, and is then made itself.
    assert_eq!(world.engine.remember(Remember::new("a crane")).unwrap().outcome, Outcome::Stored);
    assert_eq!((world.depth(), world.contents(Trashed::Only)), (0, vec!["a heron by the lake".to_owned()]));
    assert_eq!(world.contents(Trashed::Without), ["a stork on the roof", "a crane"]);
}

#[test]
fn a_commit_of_which_nobody_knows_whether_it_was_made_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.store.break_off();
    let id = queue_one(&world.engine, "a heron by the lake");
    assert_eq!(world.store.count(), 1, "it was made, and nobody knows");
    world.come_back();
    assert_eq!((world.depth(), world.store.count()), (0, 1));
    let history = world.engine.history(&Scope::All, id).unwrap();
    assert!(history.versions.is_empty(), "nothing was written over it");
    let page =
        world.engine.events(&LogQuery { kinds: vec![EventKind::Repeated], ..LogQuery::default() }).unwrap();
    assert!(page.events.is_empty(), "nor merged into it");
}

#[test]
fn a_replay_that_breaks_off_every_time_is_made_once_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    for number in 0..5 {
        queue_one(&world.engine, &format!("note number {number}"));
    }
    world.store.mend();
    world.store.break_off();
    for _ in 0..20 {
        world.clock.advance(SignedDuration::from_secs(61));
        world.do_chores();
    }
    world.come_back();
    let expected: Vec<_> = (0..5).map(|number| format!("note number {number}")).collect();
    assert_eq!((world.depth(), world.contents(Trashed::Without)), (0, expected));
}

#[test]
fn what_waits_survives_closing_and_is_made_by_the_next_process_before_its_own_writes() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    let id = queue_one(&world.engine, "a heron by the lake");
    drop(world);
    let next = World::new(folder.path());
    assert_eq!(next.engine.forget(&Scope::All, id).unwrap().content, "a heron by the lake");
    assert_eq!((next.depth(), next.store.count()), (0, 0));
}

#[test]
fn a_program_that_only_asks_makes_what_others_left_behind_before_it_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    queue_one(&world.engine, "a heron by the lake");
    world.engine.close().unwrap();
    let next = World::new(folder.path());
    ask(&next.engine, "heron");
    next.engine.close().unwrap();
    assert_eq!(Faulty::open(folder.path()).count(), 1);
}

#[test]
fn what_cannot_wait_fails_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    world.cut_off();
    let key = NewKey { name: "ci".into(), role: Role::Writer, scope: Scope::All };
    assert_eq!(
        kind_of(world.engine.create_key(key)),
        Some(ErrorKind::Unavailable),
        "its secret would be lost"
    );
    let line = r#"{"type":"memory","content":"x"}"#;
    assert!(
        world.engine.import(&mut line.as_bytes(), Default::default()).is_err(),
        "an import goes on by itself"
    );
    assert_eq!(world.depth(), 0);
}

#[test]
fn if_the_queue_cannot_keep_it_either_the_error_says_both_and_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    std::fs::write(folder.path().join("queue"), "in the way").unwrap();
    world.cut_off();
    let error = world.engine.remember(Remember::new("a heron")).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("cannot be reached") && text.contains("could not be queued"), "{text}");
    assert_eq!(error.kind(), ErrorKind::NotKept);
    std::fs::remove_file(folder.path().join("queue")).unwrap();
    world.come_back();
    assert_eq!(world.store.count(), 0);
}

#[test]
fn a_queue_that_is_switched_off_lets_writes_fail() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::with(folder.path(), |own| Options { queue: options(folder.path()).queue, ..own });
    world.cut_off();
    assert_eq!(kind_of(world.engine.remember(Remember::new("a heron"))), Some(ErrorKind::Unavailable));
    assert!(!folder.path().join("queue").exists());
    assert_eq!(world.engine.queue_status().unwrap(), perihelion::QueueStatus::default());
}

#[test]
fn an_outage_is_told_by_health_while_it_lasts_and_by_events_when_it_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let began = world.clock.now();
    world.cut_off();
    for number in 0..3 {
        queue_one(&world.engine, &format!("note number {number}"));
    }
    let health = world.engine.health();
    assert!(!health.store_reachable && !health.healthy);
    assert_eq!((health.queue.writes, health.queue.oldest_write_at), (3, Some(began)));
    assert!(
        health.warnings.iter().any(|warning| warning.starts_with("3 writes wait")),
        "{:?}",
        health.warnings
    );
    world.come_back();
    let health = world.engine.health();
    assert!(health.healthy && health.queue.writes == 0, "{:?}", health.problems);
    let kinds = vec![EventKind::WritesQueued, EventKind::QueueEmptied];
    let events = world.engine.events(&LogQuery { kinds, ..LogQuery::default() }).unwrap().events;
    let told: Vec<_> = events.into_iter().map(|event| (event.at, event.what)).collect();
    let reason = unreachable().to_string();
    let expected = [
        (began, Happening::WritesQueued { reason }),
        (world.clock.now(), Happening::QueueEmptied { replayed: 3, dead: 0 }),
    ];
    assert_eq!(told, expected);
    assert_eq!(world.engine.queue_status().unwrap().replayed, 3);
}

#[test]
fn usage_is_kept_in_memory_and_written_when_the_store_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::new(folder.path());
    let id = keep(&world.engine, "a heron by the lake");
    ask(&world.engine, "heron");
    world.cut_off();
    ask(&world.engine, "heron");
    world.do_chores();
    assert_eq!(world.depth(), 0, "chores do not pile up in the queue");
    world.come_back();
    assert_eq!(world.engine.usage(&Namespace::default(), id).unwrap().map(|(recalls, _)| recalls), Some(1));
}

#[test]
fn leases_are_never_queued() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::with(folder.path(), |own| Options { chores: Chores::ByHand, ..own });
    world.cut_off();
    queue_one(&world.engine, "a heron");
    world.do_chores();
    assert_eq!(world.depth(), 1);
    assert_eq!(world.store.inner.lease("chores").unwrap(), None);
}
