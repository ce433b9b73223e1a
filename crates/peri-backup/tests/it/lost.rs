//! What a restore would lose besides memories is never lost unasked, and files are saved before they are replaced.

use peri_backup::{BackupError, Backups, Loss};
use perihelion::{
    Feedback, Namespace, NewEntry, NewPattern, NewTrajectory, NewTurn, Perihelion, TaskOutcome, Verdict,
};

use crate::support::{CAREFUL, OVERWRITE, clock, create, export, furnished, keep, open_at, restore};

type Deed = fn(&Perihelion);
type Counted = fn(&Loss) -> u64;

/// One deed for everything that is kept besides memories, and where it is counted.
fn deeds() -> Vec<(Deed, Counted)> {
    vec![
        (
            |engine| {
                engine.append(NewEntry::new("회의가 시작되었다")).unwrap();
            },
            |loss| loss.journal,
        ),
        (
            |engine| {
                engine.begin_turn(NewTurn::default()).unwrap();
            },
            |loss| loss.turns,
        ),
        (
            |engine| {
                let used = vec![keep(engine, "a memory that was used")];
                let feedback = Feedback { query: "拍照".to_owned(), used, ..Feedback::default() };
                engine.feedback(&Namespace::default(), &feedback).unwrap();
            },
            |loss| loss.feedback,
        ),
        (
            |engine| {
                engine.store_pattern(NewPattern::new("먼저 시험을 돌린다")).unwrap();
            },
            |loss| loss.patterns,
        ),
        (
            |engine| {
                let task = NewTrajectory::new("修好测试", TaskOutcome::Success);
                engine.record_trajectory(task).unwrap();
            },
            |loss| loss.trajectories,
        ),
        (
            |engine| {
                engine.start_session(&Namespace::default(), "월요일").unwrap();
            },
            |loss| loss.sessions,
        ),
    ]
}

#[test]
fn nothing_that_was_written_since_is_replaced_unasked_and_all_of_it_is_saved_first() {
    for (number, (deed, counted)) in deeds().into_iter().enumerate() {
        let time = clock();
        let (folder, engine) = furnished(&time);
        let backups = Backups::beside(folder.path());
        let name = create(&backups, &engine).manifest.name;
        deed(&engine);
        match restore(&backups, &name, &engine, CAREFUL) {
            Err(BackupError::WouldOverwrite { loss, .. }) => {
                assert!(counted(&loss) >= 1, "{number}: {loss:?}");
                assert!(loss.to_string().ends_with(" since"), "{loss}");
            }
            other => panic!("{number}: {other:?}"),
        }
        let before = export(&engine);
        let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
        assert_ne!(export(&engine), before, "{number}");
        let safety = restored.safety_backup.unwrap();
        restore(&backups, &safety, &engine, OVERWRITE).unwrap();
        assert_eq!(export(&engine), before, "{number}: the way back");
    }
}

#[test]
fn a_store_that_holds_only_a_journal_is_not_taken_for_an_empty_one() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    other.append(NewEntry::new("会议开始了")).unwrap();
    let refused = restore(&backups, &name, &other, CAREFUL);
    assert!(
        matches!(&refused, Err(BackupError::WouldOverwrite { loss, .. }) if loss.journal == 1),
        "{refused:?}"
    );
}

#[test]
fn a_backup_is_made_before_another_file_is_replaced_although_the_database_is_the_same() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let document = folder.path().join("vault/knowledge/계획.md");
    std::fs::create_dir_all(document.parent().unwrap()).unwrap();
    std::fs::write(&document, "처음").unwrap();
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    assert_eq!(restore(&backups, &name, &engine, OVERWRITE).unwrap().safety_backup, None);
    let name = create(&backups, &engine).manifest.name;
    std::fs::write(&document, "나중").unwrap();
    let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!(std::fs::read_to_string(&document).unwrap(), "처음");
    let safety = restored.safety_backup.unwrap();
    assert_eq!(backups.find("latest").unwrap(), name, "nobody means what was replaced by the latest");
    restore(&backups, &safety, &engine, OVERWRITE).unwrap();
    assert_eq!(std::fs::read_to_string(&document).unwrap(), "나중");
}

#[test]
fn events_go_on_in_the_log_after_the_database_was_lost_and_restored() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    for number in 0..9 {
        keep(&engine, &format!("later {number}"));
    }
    engine.close().unwrap();
    for busy in [false, true] {
        for end in ["", "-wal", "-shm"] {
            let file = folder.path().join(format!("perihelion.db{end}"));
            if file.exists() {
                std::fs::remove_file(file).unwrap();
            }
        }
        let engine = open_at(folder.path(), &time);
        if busy {
            // Somebody went on with the empty store before.
            keep(&engine, "나중에 쓴 것");
            let told = engine.doctor().into_iter().find(|check| check.name == "audit log").unwrap();
            assert_eq!(told.verdict, Verdict::Warning, "{told:?}");
        }
        restore(&backups, &name, &engine, OVERWRITE).unwrap();
        keep(&engine, "and on");
        let checks = engine.doctor();
        assert!(checks.iter().all(|check| check.verdict == Verdict::Ok), "{checks:?}");
        let all = perihelion::LogQuery { limit: usize::MAX, ..Default::default() };
        let numbers: Vec<u64> =
            engine.events(&all).unwrap().events.iter().map(|event| event.number).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        engine.close().unwrap();
    }
}
