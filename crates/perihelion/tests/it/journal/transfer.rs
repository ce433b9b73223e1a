use perihelion::{
    ExportOptions, Filter, ImportMode, ImportOptions, JournalQuery, JournalStatus, NewEntry, NewTurn,
    Perihelion, Scope, TurnQuery, TurnUpdate,
};
use serde_json::json;

use super::{said, texts, timed};
use crate::support::{fresh, ns, scope};

fn filled() -> (tempfile::TempDir, Perihelion) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(timed(folder.path()).0).unwrap();
    let turn =
        engine.begin_turn(NewTurn { session: Some("아침".to_owned()), ..NewTurn::default() }).unwrap().turn;
    engine
        .append(NewEntry {
            turn: Some(turn.id),
            body: Some(json!({ "글": [1, 2] })),
            ..said("하나").remembered()
        })
        .unwrap();
    engine.append(NewEntry { session: Some("저녁".to_owned()), ..NewEntry::new("二") }).unwrap();
    // A namespace that holds nothing but its journal.
    engine.append(NewEntry { namespace: ns("quiet/place"), ..NewEntry::new("three") }).unwrap();
    let done = TurnUpdate { output_text: Some("끝".to_owned()), ..TurnUpdate::default() };
    engine.finish_turn(&Scope::All, turn.id, done).unwrap();
    (folder, engine)
}

fn export(engine: &Perihelion, what: impl Into<ExportOptions>) -> String {
    let mut file = Vec::new();
    engine.export(what, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

fn import(engine: &Perihelion, file: &str, mode: ImportMode) -> perihelion::Imported {
    engine.import(&mut file.as_bytes(), ImportOptions { mode, ..ImportOptions::default() }).unwrap()
}

#[test]
fn the_journal_goes_out_and_in_again_and_the_file_stays_the_same_byte_for_byte() {
    let (_folder, engine) = filled();
    let file = export(&engine, Scope::All);
    assert!(file.contains(r#""entries":3,"turns":1}"#), "{file}");
    let (_other, other) = fresh();
    let told = import(&other, &file, ImportMode::Append);
    assert_eq!((told.entries, told.turns, told.refused.len()), (3, 1, 0), "{told:?}");
    assert_eq!(export(&other, Scope::All), file);
    let again = import(&other, &file, ImportMode::Append);
    assert_eq!((again.entries, again.turns), (0, 0), "everything is there");
    assert_eq!(import(&other, &file, ImportMode::Replace).nothing_trashed, None);
    assert_eq!(export(&other, Scope::All), file);
}

#[test]
fn a_turn_that_is_here_stays_unless_it_is_to_be_replaced() {
    let (_folder, engine) = filled();
    let file = export(&engine, Scope::All);
    let (_other, other) = fresh();
    import(&other, &file, ImportMode::Append);
    let turn = other.turns(&TurnQuery::default()).unwrap().turns.remove(0);
    let failed = TurnUpdate { error: Some("故障".to_owned()), ..TurnUpdate::default() };
    other.finish_turn(&Scope::All, turn.id, failed).unwrap();
    let status = || other.turn(&Scope::All, turn.id).unwrap().status;
    import(&other, &file, ImportMode::Append);
    assert_eq!(status(), Some(JournalStatus::Error));
    let told = import(&other, &file, ImportMode::Upsert);
    assert_eq!((told.turns, status()), (1, Some(JournalStatus::Ok)));
}

#[test]
fn an_import_that_is_rehearsed_counts_and_writes_nothing() {
    let (_folder, engine) = filled();
    let file = export(&engine, Scope::All);
    let (_other, other) = fresh();
    let rehearsed = ImportOptions { effect: perihelion::Effect::Rehearsed, ..ImportOptions::default() };
    let told = other.import(&mut file.as_bytes(), rehearsed).unwrap();
    assert_eq!((told.entries, told.turns), (3, 1));
    assert!(other.journal(&JournalQuery::default()).unwrap().entries.is_empty());
}

#[test]
fn a_file_that_lost_a_line_of_the_journal_is_noticed() {
    let (_folder, engine) = filled();
    let file = export(&engine, Scope::All);
    let cut: String =
        file.lines().filter(|line| !line.contains("three")).map(|line| format!("{line}\n")).collect();
    let (_other, other) = fresh();
    let told = import(&other, &cut, ImportMode::Append);
    assert!(told.refused[0].1.contains("journal events"), "{told:?}");
}

#[test]
fn bad_lines_of_the_journal_are_refused_and_files_of_earlier_releases_are_taken() {
    let (_folder, engine) = fresh();
    let old = "{\"record\":\"header\",\"perihelion\":2}\n{\"record\":\"end\",\"memories\":0,\"edges\":0,\"sessions\":0}\n";
    assert_eq!(import(&engine, old, ImportMode::Append).ending, perihelion::Ending::Whole);
    let at = "2026-03-04T05:06:07Z";
    let id = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a";
    let lines = [
        json!({ "record": "entry", "id": id, "namespace": "a", "at": at, "created_at": at, "kind": "message", "text": "a\u{0}b" }),
        json!({ "record": "entry", "id": "x", "namespace": "a", "at": at, "created_at": at, "kind": "message" }),
        json!({ "record": "turn", "id": id, "namespace": "a", "started_at": at, "error": "x".repeat(300_000) }),
        json!({ "record": "turn", "id": id, "namespace": "a" }),
    ];
    let file: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let told = import(&engine, &file, ImportMode::Append);
    assert_eq!((told.refused.len(), told.entries, told.turns), (4, 0, 0), "{told:?}");
    let within = ImportOptions { within: scope("b"), ..ImportOptions::default() };
    let good = json!({ "record": "entry", "id": id, "namespace": "a", "at": at, "created_at": at, "kind": "message" });
    let told = engine.import(&mut format!("{good}\n").as_bytes(), within).unwrap();
    assert_eq!((told.refused.len(), told.entries), (1, 0));
}

#[test]
fn an_export_of_a_part_holds_that_part_of_the_journal() {
    let (_folder, engine) = filled();
    let lines = |filter: Filter, limit: Option<u64>| -> (usize, usize) {
        let options = ExportOptions { filter, limit, ..ExportOptions::from(Scope::All) };
        let file = export(&engine, options);
        let count = |record: &str| {
            file.lines().filter(|line| line.contains(&format!("\"record\":\"{record}\""))).count()
        };
        (count("entry"), count("turn"))
    };
    let morning = || Filter { session: Some("아침".to_owned()), ..Filter::default() };
    assert_eq!(lines(Filter::default(), None), (3, 1));
    assert_eq!(lines(morning(), None), (1, 1));
    assert_eq!(lines(Filter { speaker: Some("Ana".to_owned()), ..Filter::default() }, None), (1, 0));
    assert_eq!(lines(Filter { tags: vec!["x".to_owned()], ..morning() }, None), (0, 0));
    assert_eq!(lines(Filter::default(), Some(1)), (0, 0));
}

#[test]
fn a_journal_moves_and_goes_with_its_namespace() {
    let (_folder, engine) = filled();
    engine.move_namespace(&ns("quiet/place"), &ns("loud")).unwrap();
    let at = |path: &str| JournalQuery { scope: scope(path), ..JournalQuery::default() };
    assert_eq!(texts(&engine.journal(&at("loud")).unwrap().entries), ["three"]);
    engine.delete_namespace(&ns("loud"), perihelion::Deletion::Purge).unwrap();
    assert!(engine.journal(&at("*")).unwrap().entries.iter().all(|entry| entry.text != "three"));
}
