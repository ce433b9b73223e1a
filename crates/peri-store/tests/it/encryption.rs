//! Stores under a key: what opens them, what lies on the disk, and moving them from one key to another.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_seal::Key;
use peri_store::{
    ListQuery, Rekeying, Replacement, SqliteSettings, SqliteStore, Store, StoreCopy, StoreError, hold_alone,
    is_hinted_encrypted, lies_plain, rekey,
};
use peri_types::{Memory, Scope};

use crate::support::{at, keep};

const MARKER: &str = "하늘빛목련 天蓝色的木兰 sky-blue-magnolia";

fn key(seed: &str) -> Key {
    Key::parse(&seed.repeat(16)).unwrap()
}

fn settings(key: Option<&Key>) -> SqliteSettings {
    SqliteSettings { busy_timeout: Duration::from_secs(5), key: key.cloned() }
}

fn open(path: &Path, key: Option<&Key>) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(path, &settings(key))
}

fn failed(path: &Path, key: Option<&Key>) -> StoreError {
    open(path, key).map(drop).unwrap_err()
}

/// A store with a few memories, closed.
fn filled(folder: &Path, key: Option<&Key>) -> PathBuf {
    let path = folder.join("perihelion.db");
    let store = open(&path, key).unwrap();
    for number in 0..40 {
        keep(&store, "팀/민지", &format!("{MARKER} {number} {}", "나무".repeat(number)));
    }
    path
}

fn memories(store: &SqliteStore) -> Vec<Memory> {
    let query = ListQuery { scope: Scope::All, limit: 1000, ..ListQuery::default() };
    store.list(&query).unwrap().memories
}

/// Whether any file of a folder holds one of the marker's words, in any of the ways that SQLite writes text.
fn shows_marker(folder: &Path) -> Option<PathBuf> {
    let words = MARKER.split(' ').flat_map(|word| {
        let wide = |order: fn(u16) -> [u8; 2]| word.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        [word.as_bytes().to_vec(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)]
    });
    let words: Vec<Vec<u8>> = words.collect();
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| {
        let bytes = std::fs::read(path).unwrap();
        words.iter().any(|word| bytes.windows(word.len()).any(|part| part == word))
    })
}

fn moved(path: &Path, from: Option<&Key>, to: Option<&Key>) -> peri_store::Rekeyed {
    rekey(&Rekeying { path: path.to_owned(), from: from.cloned(), to: to.cloned() }).unwrap()
}

#[test]
fn nothing_on_the_disk_tells_what_an_encrypted_store_holds() {
    let folder = tempfile::tempdir().unwrap();
    let own = key("0123");
    let path = filled(folder.path(), Some(&own));
    let store = open(&path, Some(&own)).unwrap();
    keep(&store, "a", MARKER);
    assert!(path.with_file_name("perihelion.db-wal").exists(), "what was written last lies in the log");
    assert_eq!(shows_marker(folder.path()), None);
    assert_eq!(memories(&store).len(), 41);
    assert!(is_hinted_encrypted(&path) && !lies_plain(&path));
}

#[test]
fn each_wrong_key_has_its_own_message_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (own, other) = (key("0123"), key("4567"));
    let path = filled(folder.path(), Some(&own));
    let before = std::fs::read(&path).unwrap();
    assert!(matches!(failed(&path, None), StoreError::KeyMissing { .. }));
    let wrong = failed(&path, Some(&other));
    assert!(matches!(wrong, StoreError::WrongKey { .. }), "{wrong}");
    assert!(!format!("{wrong} {wrong:?}").contains("4567"), "keys are never shown");
    // Without the hint beside it, it is said less exactly.
    std::fs::remove_file(folder.path().join("perihelion.db.encrypted")).unwrap();
    assert!(matches!(failed(&path, None), StoreError::Corrupt { .. }));
    assert!(matches!(failed(&path, Some(&other)), StoreError::WrongKey { .. }));
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(memories(&open(&path, Some(&own)).unwrap()).len(), 40);
    assert!(is_hinted_encrypted(&path), "whoever opens it leaves the hint again");
    let damaged: Vec<u8> = before.iter().map(|byte| byte ^ 0x55).collect();
    std::fs::write(&path, damaged).unwrap();
    assert!(matches!(failed(&path, Some(&own)), StoreError::Corrupt { .. }), "the key is right");
    let plain = tempfile::tempdir().unwrap();
    let path = filled(plain.path(), None);
    assert!(matches!(failed(&path, Some(&own)), StoreError::NotEncrypted { .. }));
    assert_eq!(memories(&open(&path, None).unwrap()).len(), 40);
}

#[test]
fn a_store_goes_from_plain_to_a_key_to_another_and_back_and_stays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path(), None);
    let (one, two) = (key("0123"), key("89ab"));
    let before = memories(&open(&path, None).unwrap());
    let facts = open(&path, None).unwrap().facts().unwrap();
    assert!(shows_marker(folder.path()).is_some(), "the search for it works");
    let mut digests = Vec::new();
    for (from, to) in [(None, Some(&one)), (Some(&one), Some(&two)), (Some(&two), None)] {
        digests.push(moved(&path, from, to).digest);
        assert_eq!(shows_marker(folder.path()).is_none(), to.is_some());
        let store = open(&path, to).unwrap();
        assert_eq!(memories(&store), before);
        assert_eq!(store.facts().unwrap(), facts);
        assert_eq!(store.check().unwrap(), []);
        assert!(open(&path, from).is_err());
    }
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]), "{digests:?}");
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name.to_string_lossy().starts_with("perihelion.db")), "{names:?}");
    assert!(!is_hinted_encrypted(&path) && lies_plain(&path));
}

#[test]
fn a_store_that_is_open_elsewhere_is_not_moved() {
    let folder = tempfile::tempdir().unwrap();
    let path = filled(folder.path(), None);
    let reader = open(&path, None).unwrap();
    let request = Rekeying { path: path.clone(), from: None, to: Some(key("0123")) };
    assert!(matches!(rekey(&request), Err(StoreError::InUse { .. })));
    assert!(matches!(hold_alone(&path, None).map(drop), Err(StoreError::InUse { .. })));
    keep(&reader, "a", "still here");
    drop(reader);
    let held = hold_alone(&path, None).unwrap();
    let quick = SqliteSettings { busy_timeout: Duration::from_millis(20), key: None };
    assert!(matches!(SqliteStore::open(&path, &quick).map(drop), Err(StoreError::Busy { .. })));
    drop(held);
    rekey(&request).unwrap();
    assert_eq!(memories(&open(&path, Some(&key("0123"))).unwrap()).len(), 41);
    for wrong in [None, Some(key("4567"))] {
        let request = Rekeying { path: path.clone(), from: wrong, to: None };
        assert!(rekey(&request).is_err());
        assert!(shows_marker(folder.path()).is_none());
    }
}

#[test]
fn what_a_killed_move_left_goes_when_the_store_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let own = key("0123");
    let path = filled(folder.path(), Some(&own));
    let left = folder.path().join("perihelion.db.moving");
    std::fs::write(&left, MARKER).unwrap();
    std::fs::write(folder.path().join("perihelion.db.moving-journal"), MARKER).unwrap();
    drop(open(&path, Some(&own)).unwrap());
    assert_eq!(shows_marker(folder.path()), None);
}

#[test]
fn several_hands_write_to_an_encrypted_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let own = key("0123");
    let path = folder.path().join("perihelion.db");
    std::thread::scope(|scope| {
        for hand in 0..4 {
            let (path, own) = (&path, &own);
            scope.spawn(move || {
                let store = open(path, Some(own)).unwrap();
                for number in 0..10 {
                    keep(&store, "a", &format!("손 {hand} 手 {number}"));
                }
            });
        }
    });
    assert_eq!(memories(&open(&path, Some(&own)).unwrap()).len(), 40);
}

#[test]
fn a_copy_of_an_encrypted_store_is_encrypted_and_takes_its_place_again() {
    let folder = tempfile::tempdir().unwrap();
    let own = key("0123");
    let path = filled(folder.path(), Some(&own));
    let store = open(&path, Some(&own)).unwrap();
    let copy = folder.path().join("copy.db");
    store.copy_to(&copy, &|_| {}).unwrap();
    assert_eq!(shows_marker(folder.path()), None);
    let read = StoreCopy::open(&copy, Some(&own)).unwrap();
    assert_eq!(read.facts().unwrap(), store.facts().unwrap());
    assert_eq!(read.deep_check().unwrap(), []);
    for wrong in [None, Some(key("4567"))] {
        let error = StoreCopy::open(&copy, wrong.as_ref()).map(drop).unwrap_err();
        assert_eq!(matches!(error, StoreError::WrongKey { .. }), wrong.is_some(), "{error}");
    }
    drop(read);
    keep(&store, "a", "later");
    assert!(store.parts_apart(&copy).unwrap().is_empty());
    let replacement = Replacement {
        copy: copy.clone(),
        name: "b".to_owned(),
        taken_at: at(1),
        at: at(2),
        events_after: None,
    };
    let replaced = store.replace_with(&replacement, &mut |_| Ok(())).unwrap();
    assert_eq!((replaced.memories, replaced.gone), (40, 1));
    // A plain copy takes its place too: whether that may be is said by whoever has it.
    let plain = tempfile::tempdir().unwrap();
    let replacement = Replacement { copy: filled(plain.path(), None), ..replacement };
    assert_eq!(store.replace_with(&replacement, &mut |_| Ok(())).unwrap().memories, 40);
    assert_eq!(shows_marker(folder.path()), None);
}
