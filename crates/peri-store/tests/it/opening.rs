//! Files in every state, and several hands on one file.

use peri_notes::{Collection, Key};
use peri_store::{ListQuery, NotesCommit, Order, SqliteSettings, SqliteStore, Store, StoreError, Write};
use peri_types::{Happening, Scope, Zone};

use crate::support::{at, keep, key, ns, open};

fn try_open(path: &std::path::Path) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, &SqliteSettings::default())
}

#[test]
fn a_file_that_is_no_database_is_reported_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    let garbage = b"this is certainly not a database, but it is long enough to be taken for one".repeat(20);
    std::fs::write(&path, &garbage).unwrap();
    let error = try_open(&path).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), garbage);
}

#[test]
fn a_damaged_page_is_found_and_the_file_is_left_alone() {
    let (folder, store) = open();
    for i in 0..500 {
        keep(&*store, "a", &format!("memory {i} {}", "x".repeat(200)));
    }
    drop(store);
    let path = folder.path().join("perihelion.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0xA5);
    std::fs::write(&path, &bytes).unwrap();
    match try_open(&path).and_then(|store| store.check()) {
        Ok(problems) => assert!(!problems.is_empty()),
        Err(error) => assert!(matches!(error, StoreError::Corrupt { .. }), "{error}"),
    }
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn another_programs_database_and_a_newer_format_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = folder.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(matches!(try_open(&foreign).map(drop).unwrap_err(), StoreError::Foreign { .. }));
    let newer = folder.path().join("newer.db");
    drop(try_open(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(try_open(&newer).map(drop).unwrap_err(), StoreError::TooNew { found: 99, .. }));
}

/// What each format added to the one before.
const FORMATS: [&str; 9] = [
    include_str!("../../src/sqlite/migrations/001_memories.sql"),
    include_str!("../../src/sqlite/migrations/002_lineage.sql"),
    include_str!("../../src/sqlite/migrations/003_superseded.sql"),
    include_str!("../../src/sqlite/migrations/004_orbit.sql"),
    include_str!("../../src/sqlite/migrations/005_keys.sql"),
    include_str!("../../src/sqlite/migrations/006_layers.sql"),
    include_str!("../../src/sqlite/migrations/007_journal.sql"),
    include_str!("../../src/sqlite/migrations/008_notes.sql"),
    include_str!("../../src/sqlite/migrations/009_learning.sql"),
];

/// The format that brought orbits, edges, sessions and events.
const ORBITS: usize = 4;
/// The format that brought kept answers.
const ANSWERS: usize = 5;
/// The format that brought notes.
const NOTES: usize = 8;
/// The last format in which layers were no more than a word.
const BEFORE_LAYERS: usize = 5;

/// A memory that replaced another long ago, as formats 1 to 3 wrote them.
const REPLACED: &str = "
    INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, superseded_by,
        created_at, updated_at, version, embedding, change)
    VALUES (1, x'01980000000070008000000000000002', 'replaced', x'01', 2, 0, 0.5, 0,
        x'01980000000070008000000000000001', 1600000000000, 1600000000000, 1, 0, 2);
    INSERT INTO usage (namespace_id, id, recalls, last_at)
    VALUES (1, x'01980000000070008000000000000001', 7, 1600000000000);
    UPDATE counters SET value = 2 WHERE name = 'change';
    UPDATE namespaces SET change = 2";

fn written_by(format: usize, path: &std::path::Path) {
    let old = rusqlite::Connection::open(path).unwrap();
    FORMATS[..format].iter().for_each(|step| old.execute_batch(step).unwrap());
    old.execute_batch(include_str!("format_1.sql")).unwrap();
    old.execute_batch(REPLACED).unwrap();
    if format >= ORBITS {
        old.execute_batch(include_str!("format_4.sql")).unwrap();
    }
    if format >= NOTES {
        old.execute_batch(include_str!("format_8.sql")).unwrap();
    }
    old.pragma_update(None, "application_id", 0x5045_5249).unwrap();
    old.pragma_update(None, "user_version", format as u32).unwrap();
}

fn log() -> Key {
    Key::named(Collection::Pending, "회의").unwrap()
}

/// Adds a line to a log of notes.
fn note(store: &dyn Store, line: &str) {
    let lines = vec![peri_notes::Change::Append { key: log(), lines: vec![line.to_owned()] }];
    let commit = NotesCommit::new(ns("a"), lines, Vec::new()).unwrap();
    store.write(vec![Write::CommitNotes(Box::new(commit))]).unwrap();
}

fn learn() -> Write {
    let (namespace, name, value) = (ns("a"), "router".to_owned(), serde_json::json!([0.5]));
    Write::SetLearned { namespace, name, value, reason: "배움".to_owned(), at: at(1) }
}

#[test]
fn stores_of_every_earlier_format_still_open() {
    for format in 1..=FORMATS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perihelion.db");
        written_by(format, &path);
        let store = try_open(&path).unwrap();
        let query = ListQuery { order: Order::OldestFirst, ..ListQuery::default() };
        let kept = store.list(&query).unwrap().memories;
        let told: Vec<_> = kept.iter().map(|memory| memory.content.as_str()).collect();
        assert_eq!(told, ["written by format 1", "replaced"]);
        assert_eq!(kept[1].facets.superseded_by, Some(kept[0].id));
        assert_eq!(kept[1].facets.valid_until, Some(kept[0].created_at));
        keep(&store, "a", "written by this one");
        let noted = if format >= NOTES { vec!["format 8이 적은 것"] } else { Vec::new() };
        assert_eq!(store.shelf_lines(&ns("a"), &log()).unwrap(), noted);
        note(&store, "적어 둔 것");
        assert_eq!(store.learning_stats(&Scope::All).unwrap(), [], "nothing was learned yet");
        store.write(vec![learn()]).unwrap();
        assert!(store.check().unwrap().is_empty());
        drop(store);
        let store = try_open(&path).unwrap();
        assert_eq!(store.list(&query).unwrap().memories.len(), 3);
        assert_eq!(store.shelf_lines(&ns("a"), &log()).unwrap(), [noted, vec!["적어 둔 것"]].concat());
        assert_eq!(store.learned(&ns("a"), "router", 0, 9).unwrap().len(), 1);
        assert_eq!(store.facts().unwrap().format, 11);
    }
}

#[test]
fn answers_of_an_earlier_format_are_known_to_tell_or_not() {
    for format in ANSWERS..=FORMATS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perihelion.db");
        written_by(format, &path);
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute_batch(
                r#"INSERT INTO answers (caller, key, digest, status, body, at) VALUES
                    ('a', 'memory', zeroblob(32), 200, CAST('{"content":"비밀"}' AS BLOB), 1),
                    ('a', 'receipt', zeroblob(32), 201, CAST('{"id":"contents"}' AS BLOB), 1)"#,
            )
            .unwrap();
        let store = try_open(&path).unwrap();
        let kept = |key: &str| store.answer("a", key).unwrap().is_some();
        assert_eq!((kept("memory"), kept("receipt")), (true, true));
        destroy(&store);
        assert_eq!((kept("memory"), kept("receipt")), (false, true), "format {format}");
    }
}

/// Keeps a memory and destroys it.
fn destroy(store: &dyn Store) {
    let gone = keep(store, "a", "to be destroyed");
    let (scope, id) = (Scope::All, gone.id);
    let forget = Write::Forget { scope: scope.clone(), id, at: at(5) };
    store.write(vec![forget, Write::Purge { scope, id, at: at(6) }]).unwrap();
}

#[test]
fn memories_of_an_earlier_format_orbit_from_the_migration_on_and_wait_for_their_links() {
    for format in 1..ORBITS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("perihelion.db");
        written_by(format, &path);
        let before = jiff::Timestamp::from_millisecond(jiff::Timestamp::now().as_millisecond()).unwrap();
        let store = try_open(&path).unwrap();
        let orbit = store.orbit(&ns("a")).unwrap();
        let [body] = &orbit.bodies[..] else { panic!("the replaced one does not orbit: {orbit:?}") };
        assert!(body.arrived_at.is_some_and(|arrived| arrived >= before), "not idle from before: {body:?}");
        assert_eq!((body.zone, body.recalls, orbit.settled_at), (Zone::Outer, 7, None));
        let stats = store.stats(&Scope::All).unwrap().remove(0);
        assert_eq!((stats.zones, stats.unlinked), (vec![(Zone::Outer, 1)], 2));
    }
}

#[test]
fn a_store_of_format_4_keeps_everything_and_can_hold_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    written_by(ORBITS, &path);
    let store = try_open(&path).unwrap();
    let stats = store.stats(&Scope::All).unwrap().remove(0);
    assert_eq!((stats.zones, stats.unlinked, stats.edges), (vec![(Zone::Inner, 1)], 1, 1));
    assert_eq!(store.orbit(&ns("a")).unwrap().settled_at, Some(at(100)));
    assert_eq!(store.sessions(&Scope::All, 9).unwrap()[0].ended_at, Some(at(60)));
    assert_eq!(store.weights(&ns("a")).unwrap()[0].reason, "by hand");
    let session = "standup".to_owned();
    assert_eq!(store.events(0, 9).unwrap().events[0].what, Happening::SessionStarted { session });
    assert_eq!((store.keys().unwrap(), store.has_keys().unwrap()), (Vec::new(), false));
    let key = key("k3tq7zab");
    store.write(vec![Write::CreateKey(Box::new(key.clone()))]).unwrap();
    assert_eq!(store.keys().unwrap(), [key]);
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn episodes_of_an_earlier_format_begin_their_time_with_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    written_by(BEFORE_LAYERS, &path);
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute("UPDATE memories SET layer = 1, arrived_at = NULL, expires_at = NULL", []).unwrap();
    drop(old);
    let before = jiff::Timestamp::from_millisecond(jiff::Timestamp::now().as_millisecond()).unwrap();
    let store = try_open(&path).unwrap();
    let day = jiff::SignedDuration::from_hours(24);
    assert!(store.old_episodes(before - day, None, 9).unwrap().is_empty(), "not over at once");
    let came: Vec<_> =
        store.old_episodes(before + day, None, 9).unwrap().into_iter().map(|(_, at)| at).collect();
    assert!(!came.is_empty() && came.iter().all(|at| *at >= before), "{came:?}");
    assert!(!store.has_lapsed(before + day).unwrap());
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn a_path_that_cannot_exist_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = try_open(&folder.path().join("no/such/folder/x.db")).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error}");
}

/// As a disk that fails or is full while a log is made; here the log's name is taken.
#[test]
fn what_cannot_be_written_although_it_may_be_is_not_opened_for_reading_alone() {
    let (folder, store) = open();
    keep(&*store, "a", "kept");
    drop(store);
    let path = folder.path().join("perihelion.db");
    let log = folder.path().join("perihelion.db-wal");
    std::fs::create_dir(&log).unwrap();
    let error = try_open(&path).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::CannotOpen { .. }), "{error:?}");
    std::fs::remove_dir(&log).unwrap();
    let store = try_open(&path).unwrap();
    assert!(!store.is_read_only());
    keep(&store, "a", "kept as well");
}

#[test]
fn odd_characters_in_the_path_are_part_of_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("한글 100%?#&.db");
    keep(&try_open(&path).unwrap(), "a", "one");
    assert!(path.is_file());
}

#[test]
fn the_space_of_most_memories_of_an_earlier_format_answers_and_the_others_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("perihelion.db");
    written_by(BEFORE_LAYERS, &path);
    rusqlite::Connection::open(&path)
        .unwrap()
        .execute_batch(
            "INSERT INTO spaces (id, model, dimensions) VALUES (1, 'rare', 1), (2, '모델 \"2\"', 1);
             INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned,
                 created_at, updated_at, version, embedding, space_id, change)
             VALUES (1, x'01980000000070008000000000000011', 'a', x'11', 2, 0, 0.5, 0, 0, 0, 1, 1, 1, 1),
                    (1, x'01980000000070008000000000000012', 'b', x'12', 2, 0, 0.5, 0, 0, 0, 1, 1, 2, 1),
                    (1, x'01980000000070008000000000000013', 'c', x'13', 2, 0, 0.5, 0, 0, 0, 1, 1, 2, 1);
             INSERT INTO vectors (namespace_id, id, space_id, value)
             VALUES (1, x'01980000000070008000000000000011', 1, x'0000'),
                    (1, x'01980000000070008000000000000012', 2, x'0000'),
                    (1, x'01980000000070008000000000000013', 2, x'0000');",
        )
        .unwrap();
    let before = peri_types::SpaceId { model: "모델 \"2\"".into(), dimensions: 1 };
    let store = try_open(&path).unwrap();
    let current = store.current_space().unwrap().unwrap();
    assert_eq!((current.space, current.recipe, current.revision), (Some(before.clone()), None, 1));
    let query = ListQuery { order: Order::OldestFirst, ..ListQuery::default() };
    let spaces: Vec<_> =
        store.list(&query).unwrap().memories.into_iter().map(|memory| memory.space).collect();
    assert_eq!(spaces.iter().flatten().collect::<Vec<_>>(), [&before, &before]);
    assert_eq!(store.spaces().unwrap().len(), 2, "no vector is lost");
    assert!(store.check().unwrap().is_empty());
}

#[test]
fn sqlite_is_compiled_as_the_configuration_of_the_build_says() {
    // Both options of `.cargo/config.toml` are one variable, and SQLite tells of this one alone. Whoever sets the variable
    // in the environment takes its place, and should pass on what is in there.
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    let mut statement = connection.prepare("PRAGMA compile_options").unwrap();
    let told = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let told: Vec<String> = told.map(Result::unwrap).collect();
    assert!(told.iter().any(|option| option == "DEFAULT_MEMSTATUS=0"), "{told:?}");
}
