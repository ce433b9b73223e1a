//! Timekeeping: nothing fades while nobody is there, and nothing is taken away by a clock that leaps.

use std::path::Path;

use jiff::SignedDuration;
use perihelion::{
    Chores, Clock, ContextRequest, EngineChoice, EventKind, Facets, ImportOptions, Layer, MemoryId, Moment,
    Namespace, Options, Perihelion, Recall, Remember, Scope, Timestamp, Trashed,
};

use crate::orbit::logged;
use crate::support::{all, options};

const DAY: i64 = 86_400;

fn start() -> Timestamp {
    "2026-01-05T08:00:00Z".parse().unwrap()
}

fn plain(folder: &Path, clock: &Clock) -> Options {
    let (engine, clock) = (EngineChoice::Off, clock.clone());
    Options { engine, clock, chores: Chores::ByHand, ..options(folder) }
}

fn open(folder: &Path, clock: &Clock) -> Perihelion {
    Perihelion::open(plain(folder, clock)).unwrap()
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_secs(days * DAY)
}

fn trashed(engine: &Perihelion) -> usize {
    all(engine, Trashed::Only).len()
}

fn held(engine: &Perihelion) -> usize {
    all(engine, Trashed::Without).len()
}

/// Facts that nobody will ever ask for.
fn facts(engine: &Perihelion, count: usize) -> Vec<MemoryId> {
    let facts = (0..count).map(|number| Remember::new(format!("item{number}x")));
    engine.remember_all(facts.collect()).unwrap().into_iter().map(|receipt| receipt.id).collect()
}

fn ask(engine: &Perihelion) -> Vec<String> {
    engine.recall(&Recall::new("tea")).unwrap().degraded
}

#[test]
fn a_process_whose_clock_is_ahead_takes_nothing_away_and_says_so() {
    for ahead in [91, 200, 3650] {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let right = open(folder.path(), &clock);
        facts(&right, 60);
        right.close().unwrap();

        let wrong = open(folder.path(), &clock.wrong_by(days(ahead)));
        assert!(ask(&wrong).iter().any(|told| told.contains("the clock shows")), "{ahead}");
        assert!(wrong.maintain().unwrap_err().to_string().contains("days ahead"), "{ahead}");
        assert!(wrong.health().warnings.iter().any(|told| told.contains("the clock shows")));
        assert!(wrong.clock_leap().unwrap().ahead_seconds.abs_diff(ahead * DAY) < 60);
        assert!(wrong.reorbit(&Scope::All).is_err() && wrong.sweep().is_err());
        wrong.remember(Remember::new("stored as ever")).unwrap();
        wrong.close().unwrap();

        let right = open(folder.path(), &clock);
        right.maintain().unwrap();
        assert!(ask(&right).is_empty() && right.clock_leap().is_none());
        assert_eq!((held(&right), trashed(&right)), (61, 0), "{ahead} days ahead");
    }
}

#[test]
fn who_comes_back_after_months_finds_everything() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = open(folder.path(), &clock);
    facts(&engine, 30);
    engine.close().unwrap();
    for _ in 0..4 {
        clock.advance(days(91));
        let engine = open(folder.path(), &clock);
        ask(&engine);
        engine.maintain().unwrap();
        assert_eq!((held(&engine), trashed(&engine)), (30, 0), "no day in between was one in use");
        engine.close().unwrap();
    }
}

/// Lives on for so many days, asking every day, and settles after so many.
fn live(engine: &Perihelion, clock: &Clock, count: i64, settle_every: i64) -> Vec<usize> {
    let mut gone = Vec::new();
    for day in 1..=count {
        clock.advance(days(1));
        ask(engine);
        if day % settle_every == 0 {
            engine.maintain().unwrap();
            gone.push(trashed(engine));
        }
    }
    gone
}

#[test]
fn on_one_day_in_use_a_twentieth_fades_at_most() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(Options {
        trash_retention: days(9999).unsigned_abs(),
        ..plain(folder.path(), &clock)
    })
    .unwrap();
    facts(&engine, 120);
    let gone = live(&engine, &clock, 100, 1);
    assert_eq!(gone[88], 0);
    for pair in gone.windows(2) {
        assert!(
            (pair[1] - pair[0]) * 20 <= 120 - pair[0] + 20,
            "{} faded of {}",
            pair[1] - pair[0],
            120 - pair[0]
        );
    }
    assert!(gone[99] > 30, "{} faded in ten days", gone[99]);
}

#[test]
fn fading_ends_in_the_same_place_however_often_it_is_settled() {
    let outcome = |settle_every| {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let engine = open(folder.path(), &clock);
        let ids = facts(&engine, 60);
        live(&engine, &clock, 10, settle_every);
        clock.advance(days(70));
        live(&engine, &clock, 96, settle_every);
        engine.maintain().unwrap();
        let gone: Vec<bool> =
            ids.iter().map(|id| engine.get(&Scope::All, *id).unwrap().trashed_at.is_some()).collect();
        let told = logged(&engine, &[EventKind::AutoForgotten]).len();
        (gone, told)
    };
    let daily = outcome(1);
    assert!(daily.0.iter().any(|gone| *gone));
    assert_eq!(daily.0.iter().filter(|gone| **gone).count(), daily.1);
    assert_eq!(daily, outcome(106));
}

#[test]
fn what_will_fade_is_told_a_week_before_and_one_setting_switches_it_off() {
    for enabled in [true, false] {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
        let mut options = plain(folder.path(), &clock);
        options.orbit.decay.enabled = enabled;
        let engine = Perihelion::open(options).unwrap();
        facts(&engine, 3);
        live(&engine, &clock, 80, 80);
        let told = |engine: &Perihelion| {
            let request = ContextRequest::new(Namespace::default()).at(Moment::Start);
            let text = engine.context(&request).unwrap().text;
            (
                engine.health().fading.len(),
                text.contains("will go to the trash") && text.contains("decay.enabled"),
            )
        };
        assert_eq!(told(&engine), (0, false), "ten days before");
        live(&engine, &clock, 5, 5);
        assert_eq!(told(&engine), (usize::from(enabled), enabled));
        live(&engine, &clock, 20, 1);
        assert_eq!(trashed(&engine) > 0, enabled);
    }
}

#[test]
fn what_lies_in_the_trash_is_not_purged_in_the_leap() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = open(folder.path(), &clock);
    let ids = facts(&engine, 2);
    engine.forget(&Scope::All, ids[0]).unwrap();
    engine.close().unwrap();
    let ahead = clock.wrong_by(days(200));
    let wrong = open(folder.path(), &ahead);
    assert!(wrong.maintain().is_err());
    assert_eq!(trashed(&wrong), 1);
    // It goes on like that for a day, and is believed. The days that nobody saw pass do not count.
    wrong.close().unwrap();
    clock.advance(days(1));
    let wrong = open(folder.path(), &ahead);
    let _first = wrong.maintain();
    assert!(wrong.clock_leap().is_none(), "{:?}", wrong.clock_leap());
    wrong.maintain().unwrap();
    assert_eq!(trashed(&wrong), 1);
    clock.advance(days(30));
    wrong.maintain().unwrap();
    assert_eq!(trashed(&wrong), 0, "thirty days after all");
}

#[test]
fn what_a_clock_that_was_believed_did_is_taken_back_here_and_after_a_move() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    // A new store knows no better, and what its clock shows is 400 days ahead.
    let ahead = clock.wrong_by(days(400));
    let wrong = open(folder.path(), &ahead);
    facts(&wrong, 5);
    let episode = Remember { layer: Some(Layer::Episodic), ..Remember::new("we met at noon") };
    wrong.remember(episode).unwrap();
    clock.advance(days(31));
    wrong.maintain().unwrap();
    assert_eq!(trashed(&wrong), 1, "the episode's time was over");
    wrong.close().unwrap();

    let right = open(folder.path(), &clock);
    assert!(right.clock_leap().unwrap().ahead_seconds < -390 * DAY);
    assert!(right.reorbit(&Scope::All).is_err(), "it says why nothing moves");
    let mut copy = Vec::new();
    right.export(Scope::All, &mut copy).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let imported = open(elsewhere.path(), &clock);
    imported.import(&mut copy.as_slice(), ImportOptions::default()).unwrap();
    for engine in [&right, &imported] {
        let rewound = engine.rewind(&Scope::All, None).unwrap();
        assert_eq!((rewound.restored, trashed(engine)), (1, 0));
        assert!(engine.clock_leap().is_none());
        assert!(all(engine, Trashed::Without).iter().all(|memory| memory.created_at <= clock.now()));
        clock.advance(SignedDuration::from_hours(1));
        assert!(!engine.reorbit(&Scope::All).unwrap().namespaces.is_empty(), "it goes on from now");
    }
}

#[test]
fn what_working_memory_was_given_under_a_fast_clock_expires_on_the_right_one() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let right = open(folder.path(), &clock);
    facts(&right, 1);
    right.maintain().unwrap();
    let wrong = open(folder.path(), &clock.wrong_by(days(400)));
    let facets = Facets { session: Some("s".to_owned()), ..Facets::default() };
    let work = Remember { layer: Some(Layer::Working), facets, ..Remember::new("the draft is in progress") };
    let id = wrong.remember(work).unwrap().id;
    right.maintain().unwrap();
    let until = right.get(&Scope::All, id).unwrap().facets.expires_at.unwrap();
    assert!(until.duration_since(clock.now()) <= SignedDuration::from_secs(900), "{until}");
    clock.advance(SignedDuration::from_secs(901));
    right.maintain().unwrap();
    assert!(right.get(&Scope::Exact(Namespace::default()), id).is_err());
}
