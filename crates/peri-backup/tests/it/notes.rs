//! Notes in backups: whole although somebody writes them, and brought back without harm to newer ones.

use std::path::Path;

use peri_backup::{BackupName, Backups, Snapshot};
use perihelion::{Hear, Namespace, NotesDifference, Observe, Perihelion, Said, SaidBy, compare_notes};

use crate::support::{
    CAREFUL, OVERWRITE, Worker, clock, create, export, furnished, open, open_at, restore, role, tell,
};

fn say(engine: &Perihelion, session: &str, text: &str) {
    let at = engine.options().clock.now();
    let messages = vec![Said::new(SaidBy::User, text, at)];
    let heard = Hear { session: session.to_owned(), messages, ..Hear::default() };
    engine.hear(heard, Observe::Now).unwrap();
}

fn noted(engine: &Perihelion, session: &str) -> Vec<String> {
    let notes = engine.session_notes(&Namespace::default(), session).unwrap();
    notes.map(|notes| notes.notes.into_iter().map(|note| note.text).collect()).unwrap_or_default()
}

/// The worker: has notes made one after the other, and tells of each, until it is killed.
#[test]
fn talker() {
    let Some(folder) = role("notes::talker") else { return };
    let engine = open(folder.as_ref());
    for number in 0.. {
        say(&engine, "회의", &format!("We decided to use tool{number} for step{number}."));
        tell(number);
    }
}

/// How many notes the two files of a session tell of: the text, and what is known besides.
fn told_twice(folder: &Path) -> (usize, usize) {
    let engine = open(folder);
    let sessions = engine.note_sessions(&Namespace::default()).unwrap();
    let known = sessions.iter().find(|one| one.session == "회의").map_or(0, |one| one.notes);
    (noted(&engine, "회의").len(), known)
}

#[test]
fn a_backup_under_a_process_that_makes_notes_holds_each_change_whole() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let backups = Backups::beside(folder.path());
    let mut worker = Worker::start(None, "notes::talker", folder.path());
    let mut made: Vec<(usize, BackupName)> = Vec::new();
    for _ in 0..8 {
        let number: usize = worker.hear().unwrap().parse().unwrap();
        made.push((number + 1, create(&backups, &engine).manifest.name));
    }
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    for (least, name) in made {
        let to = tempfile::tempdir().unwrap();
        let other = open(to.path());
        restore(&backups, &name, &other, CAREFUL).unwrap();
        other.close().unwrap();
        let (written, known) = told_twice(to.path());
        assert!(written == known && written >= least, "{written} notes, {known} known, {least} at least");
    }
}

#[test]
fn notes_come_back_into_an_empty_folder_with_whatever_else_lies_among_them() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    say(&engine, "월요일", "앞으로 배포는 금요일에 하지 않기로 결정했어.");
    say(&engine, "周一", "我们决定以后用 PostgreSQL 作为账单数据库。");
    std::fs::write(folder.path().join("notes/default/읽어 주세요.md"), "사람이 쓴 것").unwrap();
    // What a process that was killed had begun is finished before it is backed up.
    let intent =
        r#"{"format":1,"deeds":[{"put":{"file":"conversations/x.jsonl","text":"{}\n","before":null}}]}"#;
    std::fs::create_dir_all(folder.path().join("notes/default/conversations")).unwrap();
    std::fs::write(folder.path().join("notes/default/intent.json"), intent).unwrap();
    let backups = Backups::beside(folder.path());
    let created = create(&backups, &engine);
    let paths: Vec<_> = created.manifest.files.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"notes/default/observations/월요일.md"), "{paths:?}");
    assert!(paths.contains(&"notes/default/conversations/x.jsonl"), "{paths:?}");
    assert!(!paths.iter().any(|path| path.ends_with("/lock") || path.ends_with("intent.json")), "{paths:?}");
    let to = tempfile::tempdir().unwrap();
    let other = open_at(to.path(), &time);
    let restored = restore(&backups, &created.manifest.name, &other, CAREFUL).unwrap();
    assert_eq!(restored.kept, [] as [String; 0]);
    assert_eq!(export(&other), export(&engine));
    let own = std::fs::read_to_string(to.path().join("notes/default/읽어 주세요.md")).unwrap();
    assert_eq!(own, "사람이 쓴 것");
}

#[test]
fn newer_notes_survive_a_restore_unless_they_may_be_replaced_and_then_they_are_in_a_backup() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    say(&engine, "monday", "We decided to use PostgreSQL for the billing service.");
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    let old = noted(&engine, "monday");
    // Only the notes go on, by the hand of a person.
    let path = folder.path().join("notes/default/observations/monday.md");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}- 🔴 사람이 덧붙인 것\n")).unwrap();
    let newer = noted(&engine, "monday");
    assert_eq!(newer.len(), old.len() + 1, "{newer:?}");

    restore(&backups, &name, &engine, CAREFUL).unwrap();
    assert_eq!(noted(&engine, "monday"), newer, "nothing that is newer is lost");

    let restored = restore(&backups, &name, &engine, OVERWRITE).unwrap();
    assert_eq!(noted(&engine, "monday"), old);
    assert!(restored.written.iter().any(|what| what.contains("monday")), "{restored:?}");
    let safety = restored.safety_backup.expect("what was replaced was backed up");
    let local = Backups::beside(folder.path());
    restore(&local, &safety, &engine, OVERWRITE).unwrap();
    assert_eq!(noted(&engine, "monday"), newer, "and comes back from there");
}

#[test]
fn what_became_of_notes_between_two_states_is_told_by_session() {
    let time = clock();
    let (folder, engine) = furnished(&time);
    say(&engine, "monday", "We decided to use PostgreSQL for the billing service.");
    say(&engine, "그대로", "앞으로 배포는 금요일에 하지 않기로 결정했어.");
    let backups = Backups::beside(folder.path());
    let name = create(&backups, &engine).manifest.name;
    say(&engine, "monday", "We decided to call the staging server Ganymede.");
    say(&engine, "周一", "我们决定以后用 Ganymede 作为服务器。");
    let path = folder.path().join("notes/default/observations/monday.md");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("PostgreSQL", "SQLite")).unwrap();
    let then = backups.snapshot(&name, &mut |_| {}).unwrap();
    let now = Snapshot::of_folder(folder.path(), None).unwrap();
    let found = compare_notes(&then.notes().unwrap(), &now.notes().unwrap()).unwrap();
    let of = |session: &str, added, removed, reworded| NotesDifference {
        namespace: Namespace::default(),
        session: Some(session.to_owned()),
        added,
        removed,
        reworded,
    };
    assert_eq!(found, [of("monday", 1, 0, 1), of("周一", 1, 0, 0)]);
    let back = compare_notes(&now.notes().unwrap(), &then.notes().unwrap()).unwrap();
    assert_eq!(back, [of("monday", 0, 1, 1), of("周一", 0, 1, 0)]);
    assert_eq!(compare_notes(&now.notes().unwrap(), &now.notes().unwrap()).unwrap(), []);
}
