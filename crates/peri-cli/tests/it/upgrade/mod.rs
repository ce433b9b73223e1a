//! What earlier releases left on the disk opens today, is all there, and answers as it did.
//!
//! For every format of the store there is a folder that a release of that format wrote. `docs/releasing.md` tells how
//! such a fixture is made.

mod checks;
mod fixture;

use peri_backup::{Backups, Depth, Overwrite, Restore, SafetyBackup};
use perihelion::{ChangeNumber, ImportOptions, Perihelion, Scope};

use checks::{answers, everything, finds_every_gold, is_complete, is_sound, knows_its_vault};
use fixture::{Fixture, fixtures};

const INTO_EMPTY: Restore = Restore { overwrite: Overwrite::Refused, safety: SafetyBackup::Made };

/// The format that this release writes.
fn newest() -> u32 {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(fixture::options(folder.path(), "2026-11-17T00:00:00Z".parse().unwrap()));
    engine.unwrap().store_facts().unwrap().format
}

fn last_change(engine: &Perihelion) -> ChangeNumber {
    engine.store_facts().unwrap().change
}

#[test]
fn there_is_a_fixture_of_every_format_before_the_newest() {
    let found: Vec<_> = fixtures().iter().map(Fixture::format).collect();
    let newest = newest();
    for format in 1..newest {
        assert!(
            found.contains(&format),
            "no fixture of format {format}; docs/releasing.md says how to make one"
        );
    }
    assert!(found.iter().all(|format| *format <= newest), "{found:?}");
}

#[test]
fn a_folder_of_every_earlier_format_opens_with_all_that_was_in_it() {
    for fixture in fixtures() {
        let engine = fixture.open();
        assert_eq!(engine.store_facts().unwrap().format, newest(), "{fixture}");
        is_complete(&fixture, &engine);
        finds_every_gold(&fixture, &engine);
        if fixture.format() >= 7 {
            knows_its_vault(&fixture, &engine);
        }
        is_sound(&fixture, &engine);
        engine.close().unwrap();
    }
}

#[test]
fn the_second_time_a_folder_of_an_earlier_format_opens_nothing_is_done_any_more() {
    for fixture in fixtures() {
        let engine = fixture.open();
        engine.maintain().unwrap();
        let before = (last_change(&engine), everything(&engine), answers(&fixture, &engine));
        engine.close().unwrap();
        let engine = fixture.open();
        engine.maintain().unwrap();
        let after = (last_change(&engine), everything(&engine), answers(&fixture, &engine));
        assert_eq!(before, after, "{fixture}");
        engine.close().unwrap();
    }
}

#[test]
fn what_an_earlier_format_held_survives_a_backup_and_an_export_of_today() {
    for fixture in fixtures() {
        let engine = fixture.open();
        let there = (everything(&engine), answers(&fixture, &engine));
        let backups = Backups::beside(&fixture.home());
        let made = backups.create(&engine, &mut |_| {}).unwrap().manifest.name;
        let (_folder, restored) = fixture.empty();
        backups.restore(&made, &restored, INTO_EMPTY, &mut |_| {}).unwrap();
        assert_eq!((everything(&restored), answers(&fixture, &restored)), there, "{fixture}: backup");
        let mut lines = Vec::new();
        engine.export(&Scope::All, &mut lines).unwrap();
        let (_folder, imported) = fixture.empty();
        let taken = imported.import(&mut &lines[..], ImportOptions::default()).unwrap();
        assert_eq!(taken.refused.len(), 0, "{fixture}: {taken:?}");
        is_complete(&fixture, &imported);
        finds_every_gold(&fixture, &imported);
    }
}

#[test]
fn exports_of_every_earlier_release_are_read() {
    let exported: Vec<_> = fixtures().into_iter().filter(|fixture| fixture.export().is_some()).collect();
    assert!(exported.len() >= 5);
    for fixture in exported {
        let lines = fixture.export().unwrap();
        let (_folder, engine) = fixture.empty();
        let taken = engine.import(&mut lines.as_bytes(), ImportOptions::default()).unwrap();
        assert_eq!(taken.refused.len(), 0, "{fixture}: {taken:?}");
        is_complete(&fixture, &engine);
        finds_every_gold(&fixture, &engine);
        let again = engine.import(&mut lines.as_bytes(), ImportOptions::default()).unwrap();
        assert_eq!(again.added, 0, "{fixture}: {again:?}");
    }
}

#[test]
fn backups_of_every_earlier_release_are_whole_and_restored() {
    let mut restored = 0;
    for fixture in fixtures() {
        let backups = Backups::beside(fixture.folder());
        for (name, _) in backups.list().unwrap() {
            let verified = backups.verify(&name, Depth::Deep, &mut |_| {}).unwrap();
            assert_eq!(verified.problems, [] as [String; 0], "{fixture}");
            let (_folder, engine) = fixture.empty();
            backups.restore(&name, &engine, INTO_EMPTY, &mut |_| {}).unwrap();
            is_complete(&fixture, &engine);
            finds_every_gold(&fixture, &engine);
            restored += 1;
        }
    }
    assert!(restored >= 3, "releases make backups since format 6");
}
