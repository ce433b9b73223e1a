//! Backups by themselves, in time that a test moves.

use std::time::Duration;

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use peri_backup::{BackupError, Backups, Made, Retention, Schedule, ScheduleSettings};
use perihelion::{EventKind, LogQuery};

use crate::support::{clock, furnished, open_at};

fn settings() -> ScheduleSettings {
    let retention = Retention { last: 2, daily: 0, weekly: 0, monthly: 0, zone: TimeZone::UTC };
    ScheduleSettings { interval: Duration::from_secs(6 * 3600), retention }
}

fn is_done(made: Option<Made>) -> bool {
    match made {
        Some(Made::Done { .. }) => true,
        None => false,
        Some(Made::Failed(error)) => panic!("{error}"),
    }
}

#[test]
fn a_backup_is_made_when_the_newest_is_too_old_also_after_a_restart_and_old_ones_go() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let open = || Ok(Backups::beside(folder.path()));
    let mut schedule = Schedule::new(settings());
    assert!(schedule.has_work(&engine, &open));
    assert!(Backups::beside(folder.path()).list().unwrap().is_empty(), "looking makes none");
    assert!(is_done(schedule.run_if_due(&engine, &open)), "there was none");
    assert!(!schedule.has_work(&engine, &open) && !Schedule::new(settings()).has_work(&engine, &open));
    assert!(!is_done(schedule.run_if_due(&engine, &open)));
    time.advance(SignedDuration::from_hours(5));
    assert!(!is_done(Schedule::new(settings()).run_if_due(&engine, &open)), "a restart changes nothing");
    time.advance(SignedDuration::from_hours(1));
    assert!(is_done(Schedule::new(settings()).run_if_due(&engine, &open)));
    assert!(!is_done(schedule.run_if_due(&engine, &open)), "the other one was just made");
    for _ in 0..3 {
        time.advance(SignedDuration::from_hours(6));
        assert!(is_done(schedule.run_if_due(&engine, &open)));
    }
    assert_eq!(Backups::beside(folder.path()).list().unwrap().len(), 2);
}

#[test]
fn of_many_processes_one_makes_it() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let other = open_at(folder.path(), &time);
    let open = || Ok(Backups::beside(folder.path()));
    assert!(other.take_on_backups(Duration::from_secs(600)).unwrap());
    let mut schedule = Schedule::new(settings());
    assert!(!is_done(schedule.run_if_due(&engine, &open)), "another one is at it");
    other.leave_backups().unwrap();
    time.advance(SignedDuration::from_mins(6));
    assert!(is_done(schedule.run_if_due(&engine, &open)));
    assert!(other.take_on_backups(Duration::from_secs(600)).unwrap(), "it was left to whoever comes next");
}

#[test]
fn a_failure_is_told_and_tried_again_ever_more_rarely_until_it_works() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let broken = || Err(BackupError::None { place: "nowhere".to_owned() });
    let mut schedule = Schedule::new(settings());
    assert!(schedule.has_work(&engine, &broken), "that nothing can be seen is to be told");
    let mut tries = Vec::new();
    for minute in 0..130 {
        match schedule.run_if_due(&engine, &broken) {
            Some(Made::Failed(_)) => tries.push(minute),
            None => {}
            other => panic!("{other:?}"),
        }
        time.advance(SignedDuration::from_mins(1));
    }
    assert_eq!(tries, [0, 1, 3, 7, 15, 31, 63, 123]);
    let query = LogQuery { kinds: vec![EventKind::OperationFailed], ..LogQuery::default() };
    assert_eq!(engine.events(&query).unwrap().events.len(), tries.len());
    time.advance(SignedDuration::from_hours(1));
    assert!(is_done(schedule.run_if_due(&engine, &|| Ok(Backups::beside(folder.path())))));
}
