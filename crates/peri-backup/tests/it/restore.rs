//! The way back: whole, followed by everybody who has the folder open, and never over what is newer unasked.

use peri_backup::{BackupError, Backups, Depth, Overwrite, Restore, SafetyBackup};
use perihelion::{
    ErrorKind, EventKind, LogQuery, NewKey, Perihelion, Remember, Revise, Role, Scope, Trashed, Verdict,
};

use crate::support::{
    CAREFUL, OVERWRITE, all, clock, create, export, finds, furnished, keep, open_at, restore,
};

fn is_well(engine: &Perihelion) {
    for check in engine.doctor() {
        assert_eq!(check.verdict, Verdict::Ok, "{check:?}");
    }
}

#[test]
fn a_restore_into_an_empty_folder_exports_the_same_bytes() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    let restored = restore(&backups, &name, &other, CAREFUL).unwrap();
    assert_eq!((restored.memories, restored.gone, restored.safety_backup), (5, 0, None));
    assert_eq!(restored.written[..2], ["logs/events.jsonl", "perihelion.toml"]);
    assert_eq!(restored.kept, [] as [String; 0]);
    assert_eq!(export(&other), export(&engine));
    assert!(finds(&other, "拍照", "王芳喜欢在周末拍照"));
    is_well(&other);
    // The audit log goes on where that of the backup ended, and tells of the restore.
    let told = other.events(&LogQuery { kinds: vec![EventKind::BackupRestored], ..LogQuery::default() });
    assert_eq!(told.unwrap().events.len(), 1);
    let numbers: Vec<u64> =
        other.events(&LogQuery::default()).unwrap().events.iter().map(|event| event.number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.len() > 5, "{numbers:?}");
    keep(&other, "and it goes on from here");
    other.close().unwrap();
    is_well(&open_at(to.path(), &time));
}

#[test]
fn engines_that_stay_open_follow_a_restore_and_the_way_back() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let watcher = open_at(folder.path(), &time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let before = export(&engine);
    let server = all(&engine, Trashed::Without)
        .into_iter()
        .find(|memory| memory.content.contains("Ganymede"))
        .unwrap();
    let revise = Revise { content: Some("The staging server is called Io".to_owned()), ..Revise::default() };
    engine.revise(&Scope::All, server.id, revise).unwrap();
    keep(&engine, "Callisto is the new production server");
    let chinese =
        all(&engine, Trashed::Without).into_iter().find(|memory| memory.content.contains("拍照")).unwrap();
    engine.forget(&Scope::All, chinese.id).unwrap();
    engine.purge(&Scope::All, chinese.id).unwrap();
    engine
        .remember(Remember::new("a namespace of its own").in_namespace("new/one".parse().unwrap()))
        .unwrap();
    assert!(finds(&watcher, "Callisto", "Callisto is the new production server"));
    assert!(!finds(&watcher, "拍照", "王芳喜欢在周末拍照"));
    watcher.maintain().unwrap();
    let after = export(&engine);

    let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!((restored.memories, restored.gone), (5, 2));
    assert_eq!((export(&engine), export(&watcher)), (before.clone(), before));
    for one in [&engine, &watcher] {
        assert!(!finds(one, "Callisto", "Callisto is the new production server"));
        assert!(finds(one, "拍照", "王芳喜欢在周末拍照"));
        assert!(finds(one, "Ganymede", "The staging server is called Ganymede"));
        assert!(!finds(one, "namespace of its own", "a namespace of its own"));
        let neighbours = one.edges(&Scope::All, chinese.id).unwrap();
        assert_eq!(neighbours.len(), 1, "the link is back");
        is_well(one);
    }
    // What was recalled meanwhile counts for the state that is replaced.
    engine.maintain().unwrap();
    watcher.maintain().unwrap();
    let safety = restored.safety_backup.unwrap();
    assert!(safety.is_before_restore());
    restore(&backups, &safety, &watcher, OVERWRITE).unwrap();
    let other = open_at(folder.path(), &time);
    for one in [&engine, &watcher, &other] {
        assert_eq!(export(one), after);
    }
    for one in [&engine, &watcher, &other] {
        assert!(finds(one, "Callisto", "Callisto is the new production server"));
        assert!(!finds(one, "拍照", "王芳喜欢在周末拍照"));
        is_well(one);
    }
}

#[test]
fn what_is_newer_is_never_replaced_unasked_and_what_would_be_lost_is_counted() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    keep(&engine, "something new");
    let now = export(&engine);
    match restore(&backups, &name, &engine, CAREFUL) {
        Err(ref error @ BackupError::WouldOverwrite { ref loss, .. }) => {
            assert_eq!((loss.added, loss.changed, loss.moved, loss.purged), (1, 0, 0, 0));
            assert_eq!(error.kind(), ErrorKind::Conflict);
            assert!(error.hint().unwrap().contains("--overwrite"));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(export(&engine), now);
    assert_eq!(backups.list().unwrap().len(), 1, "nothing to come back to was needed");
    let skipped = Restore { overwrite: Overwrite::Allowed, safety: SafetyBackup::Skipped };
    assert_eq!(restore(&backups, &name, &engine, skipped).unwrap().safety_backup, None);
    // Now it holds what the backup holds, so that nothing can be lost by doing it again.
    restore(&backups, &name, &engine, CAREFUL).unwrap();
}

#[test]
fn the_very_state_and_what_came_before_it_are_replaced_without_asking() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let same = create(&backups, &engine).manifest.name;
    assert_eq!(restore(&backups, &same, &engine, CAREFUL).unwrap().safety_backup, None);
    engine.close().unwrap();
    let earlier = tempfile::tempdir().unwrap();
    std::fs::copy(folder.path().join("perihelion.db"), earlier.path().join("perihelion.db")).unwrap();
    let engine = open_at(folder.path(), &time);
    keep(&engine, "something new");
    let newer = create(&backups, &engine).manifest.name;
    let earlier_engine = open_at(earlier.path(), &time);
    restore(&backups, &newer, &earlier_engine, CAREFUL).unwrap();
    assert_eq!(export(&earlier_engine), export(&engine));
}

#[test]
fn a_key_that_is_revoked_here_stays_revoked_and_a_new_one_stays() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let key = |name: &str| {
        let new = NewKey { name: name.to_owned(), role: Role::Writer, scope: Scope::All };
        engine.create_key(new).unwrap().key.id
    };
    let (kept, revoked) = (key("kept"), key("revoked"));
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let new = key("new");
    engine.revoke_key(revoked).unwrap();
    restore(&backups, &name, &engine, OVERWRITE).unwrap();
    let state = |engine: &Perihelion| {
        let mut keys: Vec<_> =
            engine.keys().unwrap().into_iter().map(|key| (key.id, key.revoked_at.is_some())).collect();
        keys.sort();
        keys
    };
    let mut expected = vec![(kept, false), (revoked, true), (new, false)];
    expected.sort();
    assert_eq!(state(&engine), expected);
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    restore(&backups, &name, &other, CAREFUL).unwrap();
    let mut expected = vec![(kept, false), (revoked, false)];
    expected.sort();
    assert_eq!(state(&other), expected, "an empty folder knows of no revocation");
}

#[test]
fn other_files_are_written_where_there_are_none_and_replaced_only_when_asked() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    engine.maintain().unwrap();
    let config = folder.path().join("perihelion.toml");
    std::fs::write(&config, "[recall]\nlimit = 3\n").unwrap();
    let restored = restore(&backups, &name, &engine, CAREFUL).unwrap();
    assert_eq!(
        (restored.written, restored.kept),
        (vec![], vec!["logs/events.jsonl".to_owned(), "perihelion.toml".to_owned()])
    );
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "[recall]\nlimit = 3\n");
    let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!(
        (restored.written, restored.kept),
        (vec!["perihelion.toml".to_owned()], vec!["logs/events.jsonl".to_owned()])
    );
    assert_eq!(std::fs::read_to_string(&config).unwrap(), "[recall]\nlimit = 7\n");
}

#[test]
fn a_backup_of_another_store_is_told_from_ones_own() {
    let time = clock();
    let (_one, engine) = furnished(&time);
    let (two, other) = furnished(&time);
    let backups = Backups::beside(two.path());
    let name = create(&backups, &other).manifest.name;
    assert!(matches!(restore(&backups, &name, &engine, CAREFUL), Err(BackupError::WouldOverwrite { .. })));
    let identity = engine.store_facts().unwrap().identity;
    restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!(export(&engine), export(&other));
    assert_eq!(engine.store_facts().unwrap().identity, identity);
}

#[test]
fn restoring_again_and_again_ends_in_the_same_place() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let expected = export(&engine);
    for _ in 0..3 {
        restore(&backups, &name, &engine, OVERWRITE).unwrap();
        engine.maintain().unwrap();
        assert_eq!(export(&engine), expected);
        is_well(&engine);
    }
    let again = create(&backups, &engine).manifest.name;
    assert_eq!(backups.verify(&again, Depth::Deep, &mut |_| {}).unwrap().problems, [] as [String; 0]);
}
