//! Backups that are given up, at whatever point: nothing of them is left, and nobody is told of a failure.

use std::time::Duration;

use jiff::tz::TimeZone;
use peri_backup::{BackupError, Backups, Halt, Retention, Schedule, ScheduleSettings};
use perihelion::{EventKind, LogQuery};

use crate::support::{clock, create, files, furnished, open_at};

#[test]
fn a_backup_that_is_given_up_at_any_point_leaves_nothing() {
    let (folder, engine) = furnished(&clock());
    let mut steps = 0;
    Backups::beside(folder.path()).create(&engine, &mut |_| steps += 1).unwrap();
    std::fs::remove_dir_all(folder.path().join("backups")).unwrap();
    assert!(steps > 4, "{steps}");
    // What is told last is told when everything is read.
    let mut given_up = 0;
    for at in 0..steps {
        let halt = Halt::default();
        let backups = Backups::beside(folder.path()).heeding(halt.clone());
        let mut step = 0;
        let outcome = backups.create(&engine, &mut |_| {
            if step == at {
                halt.halt();
            }
            step += 1;
        });
        match outcome {
            Err(BackupError::Halted) => {
                given_up += 1;
                assert_eq!(files(&folder.path().join("backups")), [] as [String; 0], "at {at}");
            }
            Ok(_) => std::fs::remove_dir_all(folder.path().join("backups")).unwrap(),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(given_up > steps / 2, "{given_up} of {steps}");
    create(&Backups::beside(folder.path()), &engine);
}

#[test]
fn what_was_halted_before_it_began_does_not_begin() {
    let (folder, engine) = furnished(&clock());
    let halt = Halt::default();
    halt.halt();
    let backups = Backups::beside(folder.path()).heeding(halt);
    assert!(matches!(backups.create(&engine, &mut |_| {}), Err(BackupError::Halted)));
    assert_eq!(files(&folder.path().join("backups")), [] as [String; 0]);
}

#[test]
fn a_scheduled_backup_that_is_given_up_is_no_failure_and_leaves_the_next_to_others() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let retention = Retention { last: 2, daily: 0, weekly: 0, monthly: 0, zone: TimeZone::UTC };
    let settings = ScheduleSettings { interval: Duration::from_secs(3600), retention };
    let halt = Halt::default();
    halt.halt();
    let open = || Ok(Backups::beside(folder.path()).heeding(halt.clone()));
    assert!(Schedule::new(settings.clone()).run_if_due(&engine, &open).is_none());
    let query = LogQuery { kinds: vec![EventKind::OperationFailed], ..LogQuery::default() };
    assert_eq!(engine.events(&query).unwrap().events, []);
    let other = open_at(folder.path(), &time);
    let open = || Ok(Backups::beside(folder.path()));
    assert!(Schedule::new(settings).run_if_due(&other, &open).is_some(), "another process goes on");
}
