//! Notes go where memories go: into exports and back, to other namespaces, and to other stores.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use perihelion::{
    Clock, ContextSettings, Deletion, Effect, Error, ErrorKind, ExportOptions, Filter, ImportMode,
    ImportOptions, Imported, Kind, NotesPlace, NotesSettings, Options, Perihelion, Place, Recall, Relocation,
    Resume, Scope, ServerSettings, Start, StoreChoice,
};
use tempfile::TempDir;

use super::{noted, say};
use crate::support::{Worker, keep, kind_of, ns, options, role, scope, tell, time, worker_command};
use crate::transfer::{export, import};

fn clock() -> Clock {
    Clock::manual(time("2026-03-02T09:00:00Z"))
}

fn kept_in(place: NotesPlace, folder: &Path) -> Perihelion {
    let notes = NotesSettings { place, context: ContextSettings::default(), ..NotesSettings::default() };
    Perihelion::open(Options { notes, clock: clock(), ..options(folder) }).unwrap()
}

fn empty(place: NotesPlace) -> (TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = kept_in(place, folder.path());
    (folder, engine)
}

/// Two namespaces with notes of three sessions, in three scripts.
fn talk(engine: &Perihelion) {
    say(engine, "default", "월요일", "앞으로 배포는 금요일에 하지 않기로 결정했어.");
    say(engine, "default", "monday", "We decided to use PostgreSQL for the billing service.");
    say(engine, "팀/记忆", "周一", "我们决定以后用 PostgreSQL 作为账单数据库。");
}

const SESSIONS: [(&str, &str); 3] = [("default", "월요일"), ("default", "monday"), ("팀/记忆", "周一")];

fn all_noted(engine: &Perihelion) -> Vec<Vec<String>> {
    let found: Vec<_> =
        SESSIONS.iter().map(|(namespace, session)| noted(engine, namespace, session)).collect();
    assert!(found.iter().all(|notes| !notes.is_empty()), "{found:?}");
    found
}

fn import_as(engine: &Perihelion, lines: &str, mode: ImportMode, effect: Effect) -> Imported {
    let options = ImportOptions { mode, effect, ..ImportOptions::default() };
    engine.import(&mut lines.as_bytes(), options).unwrap()
}

fn sets_of_notes(lines: &str) -> usize {
    lines.lines().filter(|line| line.starts_with(r#"{"record":"notes""#)).count()
}

#[test]
fn notes_come_back_from_an_export_byte_for_byte_from_files_and_from_tables() {
    for (from, to) in [
        (NotesPlace::Files, NotesPlace::Files),
        (NotesPlace::Files, NotesPlace::Store),
        (NotesPlace::Store, NotesPlace::Files),
    ] {
        let (_folder, engine) = empty(from);
        talk(&engine);
        let first = export(&engine);
        assert_eq!(sets_of_notes(&first), 3, "{first}");
        let (_other_folder, other) = empty(to);
        let imported = import(&other, &first);
        assert_eq!((imported.notes, imported.refused.len()), (3, 0), "{imported:?}");
        assert_eq!(export(&other), first, "{from:?} to {to:?}");
        assert_eq!(all_noted(&other), all_noted(&engine));
        // The memories were told of these notes, and are not told again.
        other.maintain().unwrap();
        assert_eq!(
            export(&other).matches(r#"{"record":"memory""#).count(),
            first.matches(r#"{"record":"memory""#).count()
        );
        let again = import(&other, &first);
        assert_eq!((again.notes, again.added), (0, 0), "{again:?}");
        assert_eq!(all_noted(&other), all_noted(&engine));
    }
}

#[test]
fn a_namespace_of_which_only_notes_are_kept_is_exported_too() {
    let (_folder, engine) = empty(NotesPlace::Files);
    engine.note_handed_out(&ns("조용한-곳"), "회의", &["기억 하나".to_owned()]).unwrap();
    engine.maintain().unwrap();
    let first = export(&engine);
    assert_eq!(sets_of_notes(&first), 1, "{first}");
    let (_other_folder, other) = empty(NotesPlace::Store);
    assert_eq!(import(&other, &first).notes, 1);
    assert_eq!(export(&other), first);
}

#[test]
fn what_is_here_is_joined_replaced_or_only_counted_as_the_mode_says() {
    let (_folder, engine) = empty(NotesPlace::Files);
    talk(&engine);
    let lines = export(&engine);
    for (mode, keeps_own) in
        [(ImportMode::Append, true), (ImportMode::Upsert, false), (ImportMode::Replace, false)]
    {
        let (_folder, other) = empty(NotesPlace::Files);
        say(&other, "default", "monday", "We decided to call the staging server Ganymede.");
        say(&other, "default", "only here", "We decided to move the kiln into the barn.");
        let before = (noted(&other, "default", "monday"), noted(&other, "default", "only here"));
        let foretold = import_as(&other, &lines, mode, Effect::Rehearsed);
        assert_eq!((noted(&other, "default", "monday"), noted(&other, "default", "only here")), before);
        let imported = import_as(&other, &lines, mode, Effect::Written);
        assert_eq!((foretold.notes, imported.notes), (3, 3), "{mode:?}");
        let now = noted(&other, "default", "monday");
        assert!(now.contains(&noted(&engine, "default", "monday")[0]), "{now:?}");
        assert_eq!(now.contains(&before.0[0]), keeps_own, "{mode:?} {now:?}");
        assert_eq!(noted(&other, "default", "only here"), before.1, "notes know no trash");
        let state = export(&other);
        assert_eq!(import_as(&other, &lines, mode, Effect::Written).notes, 0);
        assert_eq!(notes_of(&export(&other)), notes_of(&state), "{mode:?}: twice is once");
    }
}

fn notes_of(lines: &str) -> Vec<&str> {
    lines.lines().filter(|line| line.starts_with(r#"{"record":"notes""#)).collect()
}

#[test]
fn a_part_of_the_memories_comes_without_notes_and_a_namespace_with_its_own() {
    let (_folder, engine) = empty(NotesPlace::Files);
    talk(&engine);
    let exported = |options: ExportOptions| {
        let mut out = Vec::new();
        let counted = engine.export(options, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        assert_eq!(counted.notes as usize, sets_of_notes(&lines));
        lines
    };
    let filtered = Filter { kinds: vec![Kind::Decision], ..Filter::default() };
    for options in [
        ExportOptions { filter: filtered, ..Scope::All.into() },
        ExportOptions { limit: Some(1), ..Scope::All.into() },
        ExportOptions {
            filter: Filter { session: Some("monday".into()), ..Filter::default() },
            ..Scope::All.into()
        },
    ] {
        assert_eq!(sets_of_notes(&exported(options)), 0);
    }
    let team = exported(scope("팀/记忆").into());
    assert_eq!(notes_of(&team).len(), 1);
    assert!(team.contains("周一") && !team.contains("월요일"), "{team}");
}

#[test]
fn exports_of_earlier_releases_and_bad_lines_harm_nothing() {
    let (_folder, engine) = empty(NotesPlace::Files);
    talk(&engine);
    let before = all_noted(&engine);
    let old = r#"{"record":"header","perihelion":3}
{"record":"end","memories":0,"edges":0,"sessions":0}
"#;
    let imported = import_as(&engine, old, ImportMode::Replace, Effect::Written);
    assert_eq!((imported.notes, imported.refused.len()), (0, 0), "{imported:?}");
    let bad = [
        r#"{"record":"notes"}"#,
        r#"{"record":"notes","namespace":"default","session":"monday","documents":{"meta":"{"}}"#,
        r#"{"record":"notes","namespace":"default","session":"monday","documents":{"꿈":"x"}}"#,
        r#"{"record":"notes","namespace":"default","session":"monday","logs":{"pending":["a\nb"]}}"#,
    ];
    let lines = bad.join("\n");
    let imported = import_as(&engine, &lines, ImportMode::Upsert, Effect::Written);
    assert_eq!((imported.notes, imported.refused.len()), (0, 4), "{imported:?}");
    assert_eq!(all_noted(&engine), before);
    let good = r#"{"record":"notes","namespace":"default","session":"새것","documents":{"observations":"- 🔴 내 비밀번호는 AKIAIOSFODNN7EXAMPLE 이다\n"}}"#;
    let imported = import(&engine, good);
    assert_eq!(imported.notes, 1, "{imported:?}");
    assert!(!export(&engine).contains("AKIAIOSFODNN7EXAMPLE"), "secrets are taken out");
    assert_eq!(imported.redacted.len(), 1);
}

#[test]
fn notes_move_with_their_namespace_and_are_destroyed_only_with_it() {
    for place in [NotesPlace::Files, NotesPlace::Store] {
        let (_folder, engine) = empty(place);
        talk(&engine);
        say(&engine, "b", "monday", "We decided to call the staging server Ganymede.");
        let (ours, theirs) = (noted(&engine, "default", "monday"), noted(&engine, "b", "monday"));
        engine.move_namespace(&ns("default"), &ns("b")).unwrap();
        assert!(noted(&engine, "default", "monday").is_empty() && !engine.has_notes(&ns("default")).unwrap());
        let joined = noted(&engine, "b", "monday");
        assert!(ours.iter().chain(&theirs).all(|note| joined.contains(note)), "{joined:?}");
        assert!(!noted(&engine, "b", "월요일").is_empty());

        engine.delete_namespace(&ns("b"), Deletion::ToTrash).unwrap();
        assert_eq!(noted(&engine, "b", "monday"), joined, "what lies in the trash can come back");
        assert!(engine.recall(&Recall::new("Ganymede")).unwrap().hits.is_empty());
        engine.delete_namespace(&ns("b"), Deletion::Purge).unwrap();
        assert!(!engine.has_notes(&ns("b")).unwrap() && engine.has_notes(&ns("팀/记忆")).unwrap());
        assert!(!export(&engine).contains("Ganymede"));
    }
}

#[test]
fn a_namespace_of_which_only_notes_are_kept_can_be_moved_and_purged() {
    let (_folder, engine) = empty(NotesPlace::Files);
    engine.note_handed_out(&ns("a"), "회의", &["기억 하나".to_owned()]).unwrap();
    assert_eq!(engine.move_namespace(&ns("a"), &ns("b")).unwrap().memories, 0);
    assert!(engine.has_notes(&ns("b")).unwrap() && !engine.has_notes(&ns("a")).unwrap());
    assert_eq!(engine.delete_namespace(&ns("b"), Deletion::Purge).unwrap(), 0);
    assert!(!engine.has_notes(&ns("b")).unwrap());
    assert_eq!(kind_of(engine.move_namespace(&ns("a"), &ns("b"))), Some(ErrorKind::NotFound));
}

fn relocate(from: &Place, to: &Place) -> Result<Relocation, Error> {
    perihelion::relocate(from, to, &mut |_| {}, &AtomicBool::new(false))
}

#[test]
fn notes_in_files_go_along_to_another_folder_which_must_have_none() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = kept_in(NotesPlace::Usual, from.path());
    talk(&engine);
    engine.maintain().unwrap();
    let before = export(&engine);
    engine.close().unwrap();
    let (source, target) = (Place::in_folder(from.path()), Place::in_folder(to.path()));
    std::fs::create_dir_all(to.path().join("notes/default/observations")).unwrap();
    std::fs::write(to.path().join("notes/default/observations/남의 것.md"), "- 🔴 남의 것\n").unwrap();
    let refused = relocate(&source, &target);
    assert_eq!(kind_of(refused), Some(ErrorKind::Conflict));
    assert!(to.path().join("notes/default/observations/남의 것.md").exists());
    std::fs::remove_dir_all(to.path().join("notes")).unwrap();
    // An attempt that was broken off leaves this behind.
    std::fs::create_dir_all(to.path().join("notes.part/default/observations")).unwrap();
    std::fs::write(to.path().join("notes.part/default/observations/half.md"), "- 🔴 half\n").unwrap();
    let moved = relocate(&source, &target).unwrap();
    assert!(moved.notes.is_some_and(|notes| notes.documents > 3), "counted");
    assert!(!to.path().join("notes.part").exists());
    assert_eq!(export(&kept_in(NotesPlace::Usual, to.path())), before);
    assert_eq!(export(&kept_in(NotesPlace::Usual, from.path())), before, "the source is as it was");
}

#[test]
fn notes_go_from_files_over_both_servers_and_back_into_files() {
    if peri_servers::may_be_left_out() {
        return;
    }
    let (from, back) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let engine = kept_in(NotesPlace::Usual, from.path());
    talk(&engine);
    engine.maintain().unwrap();
    let before = export(&engine);
    engine.close().unwrap();
    let postgres = peri_servers::Postgres::shared().fresh_database().unwrap();
    let mariadb = peri_servers::MariaDb::shared().fresh_database().unwrap();
    let places = [
        Place::in_folder(from.path()),
        Place::parse(&postgres).unwrap(),
        Place::parse(&mariadb).unwrap(),
        Place::in_folder(back.path()),
    ];
    let moved: Vec<_> = places.windows(2).map(|pair| relocate(&pair[0], &pair[1]).unwrap().notes).collect();
    assert!(moved[0].is_some() && moved[0] == moved[2] && moved[1].is_none(), "{moved:?}");
    for place in &places[1..3] {
        let Place::Server(address) = place else { panic!("{place} is a server") };
        let beside = tempfile::tempdir().unwrap();
        let store = StoreChoice::Server { address: address.clone(), settings: ServerSettings::default() };
        let engine = Perihelion::open(Options { store, clock: clock(), ..options(beside.path()) }).unwrap();
        assert_eq!(export(&engine), before, "{place}");
        engine.close().unwrap();
    }
    let engine = kept_in(NotesPlace::Usual, back.path());
    assert_eq!(export(&engine), before);
    engine.close().unwrap();
    let engine = kept_in(NotesPlace::Store, back.path());
    assert_eq!(sets_of_notes(&export(&engine)), 0, "there is no second, older set of them in the tables");
}

/// The worker: imports a file again and again, into what it has and resuming, until it is killed.
#[test]
fn importer() {
    let Some(folder) = role("notes::travel::importer") else { return };
    let folder = Path::new(&folder);
    let lines = std::fs::read_to_string(folder.join("export.jsonl")).unwrap();
    let engine = kept_in(NotesPlace::Files, folder);
    tell("begin");
    let resume = Some(Resume { name: "file".to_owned(), start: Start::WhereItWas });
    engine.import(&mut lines.as_bytes(), ImportOptions { resume, ..ImportOptions::default() }).unwrap();
    tell("done");
}

#[test]
fn an_import_of_notes_that_is_killed_again_and_again_ends_as_one_that_is_not() {
    let (_folder, engine) = empty(NotesPlace::Files);
    talk(&engine);
    for number in 0..40 {
        say(
            &engine,
            "default",
            &format!("세션 {number}"),
            &format!("We decided to use tool{number} for step{number}."),
        );
    }
    let lines = export(&engine);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("export.jsonl"), &lines).unwrap();
    let mut random = crate::support::Random(7);
    let (mut kills, mut is_done) = (0, false);
    while !is_done && kills < 60 {
        let mut worker = Worker::start(worker_command("notes::travel::importer", folder.path()));
        assert_eq!(worker.hear().as_deref(), Some("begin"));
        (0..random.below(20_000_000)).for_each(|_| std::hint::spin_loop());
        // It may be done by now.
        drop(worker.child.kill());
        is_done = worker.hear().as_deref() == Some("done");
        worker.child.wait().unwrap();
        kills += 1;
    }
    let target = kept_in(NotesPlace::Files, folder.path());
    let last = import(&target, &lines);
    assert_eq!(last.refused, [], "{last:?}");
    assert_eq!(export(&target), lines);
}

#[test]
fn notes_that_were_told_are_not_told_twice_after_an_import() {
    let (_folder, engine) = empty(NotesPlace::Files);
    talk(&engine);
    keep(&engine, "the kiln is hot");
    let lines = export(&engine);
    let (_other_folder, other) = empty(NotesPlace::Files);
    import(&other, &lines);
    say(&other, "default", "monday", "Thanks, that is all for today.");
    let memories = |engine: &Perihelion| export(engine).matches(r#"{"record":"memory""#).count();
    assert_eq!(memories(&other), memories(&engine));
}
