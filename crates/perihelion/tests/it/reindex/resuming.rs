//! Interrupted reindexing: what was embedded is kept, and the next run goes on.

use std::time::Duration;

use perihelion::{Clock, Options, Pace, ReindexEnding, Remember, Scope, Timestamp, Trashed};

use super::model::{Model, reindex, request, statement, store, with, with_options};
use crate::support::{Worker, all, ask, finds, keep, options, role, tell, worker_command};

#[test]
fn a_stopped_run_is_gone_on_with_and_embeds_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    (0..40).for_each(|number| {
        keep(&old, &statement(number));
    });
    let new = with(folder.path(), &second);
    second.asked();
    let mut told = Vec::new();
    let done = new
        .reindex(&request(), &mut |now| {
            told.push((now.done, now.total));
            if now.done >= 16 { Pace::Stop } else { Pace::GoOn }
        })
        .unwrap();
    assert_eq!(told, [(0, 40), (8, 40), (16, 40)]);
    assert_eq!((done.ending, done.embedded), (ReindexEnding::Stopped, 16));
    assert_eq!(second.asked(), 16);
    assert_eq!(ask(&old, "quimpex").hits.len(), 10, "the old space answers");

    let mut first_told = None;
    let done = new
        .reindex(&request(), &mut |now| {
            first_told.get_or_insert(now.done);
            Pace::GoOn
        })
        .unwrap();
    assert_eq!((first_told, done.ending, done.embedded), (Some(16), ReindexEnding::Switched, 24));
    assert_eq!(second.asked(), 24);
}

/// The worker: reindexes, tells of each batch, and waits to be killed after the third.
#[test]
fn reindexer() {
    let Some(folder) = role("reindex::resuming::reindexer") else { return };
    let new = with(folder.as_ref(), &Model::new("second", 1));
    new.reindex(&request(), &mut |now| {
        tell(format!("{}", now.done));
        if now.done >= 24 {
            std::io::stdin().lines().for_each(drop);
        }
        Pace::GoOn
    })
    .unwrap();
    tell("finished");
}

#[test]
fn a_killed_run_leaves_what_it_had_and_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    old.remember_all((0..64).map(|number| Remember::new(statement(number))).collect()).unwrap();
    let mut worker = Worker::start(worker_command("reindex::resuming::reindexer", folder.path()));
    for done in ["0", "8", "16", "24"] {
        assert_eq!(worker.hear().as_deref(), Some(done));
    }
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    assert_eq!(ask(&old, "quimpex").hits.len(), 10, "the old space answers");
    assert!(old.doctor().iter().all(|check| check.verdict == perihelion::Verdict::Ok));

    // The right of the dead one runs out.
    let clock = Clock::manual(Timestamp::now() + Duration::from_secs(60));
    let new = with_options(Options { clock, ..options(folder.path()) }, &second);
    second.asked();
    let done = reindex(&new);
    assert_eq!((done.ending, done.embedded), (ReindexEnding::Switched, 40));
    assert_eq!(second.asked(), 40);
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 0);
    assert!(finds(&new, "quimpex number0x", &statement(0)));
    assert!(new.doctor().iter().all(|check| check.verdict == perihelion::Verdict::Ok));
}

/// More than follow a switch in one transaction.
const MANY: usize = 2100;

/// The worker: reindexes, and waits to be killed when the new space answers and memories have begun to follow.
#[test]
fn switcher() {
    let Some(folder) = role("reindex::resuming::switcher") else { return };
    let new = with(folder.as_ref(), &Model::new("second", 1));
    let request = perihelion::ReindexRequest { batch: 700, ..request() };
    new.reindex(&request, &mut |now| {
        if new.space().is_some() {
            tell(format!("{} of {}", now.done, now.total));
            std::io::stdin().lines().for_each(drop);
        }
        Pace::GoOn
    })
    .unwrap();
    tell("finished");
}

#[test]
fn a_run_that_is_killed_right_after_its_switch_leaves_the_new_space_answering_and_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (Model::new("first", 0), Model::new("second", 1));
    let old = with(folder.path(), &first);
    old.remember_all((0..MANY).map(|number| Remember::new(statement(number))).collect()).unwrap();
    let mut worker = Worker::start(worker_command("reindex::resuming::switcher", folder.path()));
    assert_eq!(worker.hear().as_deref(), Some("2100 of 2100"));
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();

    let new = with(folder.path(), &second);
    second.asked();
    let in_new = || all(&new, Trashed::Without).iter().filter(|memory| memory.space == new.space()).count();
    let followed = in_new();
    assert!((1..MANY).contains(&followed), "it was killed in between: {followed}");
    assert!(finds(&new, "quimpex number0x", &statement(0)), "the new space answers");
    assert!(finds(&new, "quimpex number2096x", &statement(2096)), "for those that have not followed too");
    assert!(new.doctor().iter().all(|check| check.verdict == perihelion::Verdict::Ok), "{:?}", new.doctor());
    second.asked();
    new.maintain().unwrap();
    assert_eq!((in_new(), second.asked()), (MANY, 0), "the chores let the others follow");
    assert_eq!(new.stats(&Scope::All).unwrap().unembedded, 0);
    assert!(new.doctor().iter().all(|check| check.verdict == perihelion::Verdict::Ok));
}

#[test]
fn whoever_died_holds_up_others_for_a_while_only() {
    let folder = tempfile::tempdir().unwrap();
    let new = with(folder.path(), &Model::new("only", 0));
    keep(&new, &statement(1));
    let (now, held) = (Timestamp::now(), Duration::from_secs(15));
    assert!(store(folder.path()).acquire_lease("reindex", "the dead", now, held).unwrap());
    let refused = new.reindex(&request(), &mut |_| Pace::GoOn).unwrap_err();
    assert!(refused.to_string().contains("another process"), "{refused}");
    assert!(refused.hint().unwrap().contains("nothing was changed"));
    let clock = Clock::manual(now + Duration::from_secs(16));
    let later = with_options(Options { clock, ..options(folder.path()) }, &Model::new("only", 0));
    assert_eq!(reindex(&later).ending, ReindexEnding::Current);
}
