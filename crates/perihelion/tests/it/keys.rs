//! Keys: who is let in, and that their secrets are nowhere.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use peri_store::{SqliteSettings, SqliteStore};
use perihelion::{
    ApiKey, Clock, CreatedKey, ErrorKind, EventKind, Happening, KeyId, NewKey, OrbitSettings, Perihelion,
    Role, Scope,
};

use crate::graph::found::Unreadable;
use crate::orbit::{logged, move_to, plain, start};
use crate::support::{Worker, fresh, kind_of, open, options, role, scope, tell, worker_command};

fn new(name: &str) -> NewKey {
    NewKey { name: name.to_owned(), role: Role::Writer, scope: scope("team/*") }
}

fn create(engine: &Perihelion) -> CreatedKey {
    engine.create_key(new("ci")).unwrap()
}

/// The secret with its character at a place replaced by another one.
fn altered(secret: &str, at: usize) -> String {
    let mut bytes = secret.as_bytes().to_vec();
    bytes[at] = if bytes[at] == b'a' { b'b' } else { b'a' };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_key_lets_its_holder_in_as_what_it_was_created_for() {
    let (folder, engine) = fresh();
    assert!(!engine.has_keys().unwrap());
    let CreatedKey { secret, key } = create(&engine);
    assert_eq!((key.name.as_str(), key.role, key.scope.to_string().as_str()), ("ci", Role::Writer, "team/*"));
    assert!(secret.starts_with(&format!("peri_{}_", key.id)), "the id is a part of it");
    assert_eq!(engine.authenticate(&secret).unwrap(), Some(key.clone()));
    assert!(engine.has_keys().unwrap());
    engine.close().unwrap();
    let again = open(folder.path());
    let kept = ApiKey { used_at: again.keys().unwrap()[0].used_at, ..key };
    assert_eq!(again.keys().unwrap(), std::slice::from_ref(&kept));
    assert_eq!(again.authenticate(&secret).unwrap(), Some(kept));
}

#[test]
fn whatever_is_wrong_with_a_secret_nobody_is_let_in() {
    let (_folder, engine) = fresh();
    let CreatedKey { secret, key } = create(&engine);
    let other = create(&engine);
    for at in 0..secret.len() {
        assert_eq!(engine.authenticate(&altered(&secret, at)).unwrap(), None, "character {at}");
    }
    let swapped = format!("peri_{}_{}", other.key.id, secret.rsplit('_').next().unwrap());
    let upper = secret.to_uppercase();
    let padded =
        [format!("{secret} "), format!(" {secret}"), format!("{secret}\0"), format!("Bearer {secret}")];
    let cut = &secret[..secret.len() - 1];
    let strangers =
        ["", "peri_", "peri_aaaaaaaa_", "no key at all", "열쇠", &swapped, &upper, cut, key.id.as_str()];
    for wrong in strangers.into_iter().chain(padded.iter().map(String::as_str)) {
        assert_eq!(engine.authenticate(wrong).unwrap(), None, "{wrong:?}");
    }
    assert!(engine.authenticate(&secret).unwrap().is_some());
}

#[test]
fn a_revoked_key_opens_nothing_and_stays_on_the_list() {
    let (_folder, engine) = fresh();
    let (one, two) = (create(&engine), create(&engine));
    let revoked = engine.revoke_key(one.key.id).unwrap();
    assert!(revoked.revoked_at.is_some());
    assert_eq!(engine.authenticate(&one.secret).unwrap(), None);
    assert!(engine.authenticate(&two.secret).unwrap().is_some());
    assert_eq!(engine.revoke_key(one.key.id).unwrap(), revoked, "revoking it again changes nothing");
    let listed = engine.keys().unwrap();
    // Those of the same moment come in whatever order.
    assert!(listed.len() == 2 && listed.contains(&revoked) && listed.contains(&two.key), "{listed:?}");
    assert!(engine.has_keys().unwrap());
    engine.revoke_key(two.key.id).unwrap();
    assert!(!engine.has_keys().unwrap());
    let kinds: Vec<_> = logged(&engine, &[]).iter().map(|event| event.what.kind()).collect();
    let (created, gone) = (EventKind::KeyCreated, EventKind::KeyRevoked);
    assert_eq!(kinds, [created, created, gone, gone]);
    let (key, role, scope) = (one.key.id, Role::Writer, scope("team/*"));
    assert_eq!(logged(&engine, &[created])[0].what, Happening::KeyCreated { key, role, scope });
}

#[test]
fn an_unknown_key_and_a_bad_name_are_refused_with_a_hint() {
    let (_folder, engine) = fresh();
    let stranger: KeyId = "aaaaaaaa".parse().unwrap();
    let error = engine.revoke_key(stranger).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::NotFound, "there is no key aaaaaaaa"));
    assert!(error.hint().is_some());
    for bad in ["", "  ", "a\0b", &"x".repeat(100_000)] {
        assert_eq!(kind_of(engine.create_key(new(bad))), Some(ErrorKind::InvalidInput));
    }
    let error = perihelion::Error::from("peri".parse::<KeyId>().unwrap_err());
    assert!(error.kind() == ErrorKind::InvalidInput && error.hint().is_some());
    assert_eq!(engine.keys().unwrap(), []);
}

#[test]
fn no_two_keys_are_alike() {
    let (_folder, engine) = fresh();
    let created: Vec<_> = (0..40).map(|_| create(&engine)).collect();
    for one in &created {
        assert_eq!(created.iter().filter(|other| other.key.id == one.key.id).count(), 1);
        assert_eq!(created.iter().filter(|other| other.secret[14..] == one.secret[14..]).count(), 1);
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn the_secret_is_nowhere_in_the_data_folder() {
    let (folder, engine) = fresh();
    let created = create(&engine);
    engine.authenticate(&created.secret).unwrap().unwrap();
    engine.authenticate(&altered(&created.secret, 65)).unwrap();
    let action = "POST /v1/memories";
    engine.tell_refused(None, action, Some(created.key.id), "unknown key");
    engine.maintain().unwrap();
    let secret = &created.secret.as_bytes()[14..];
    let holds = |needle: &[u8]| {
        let mut found = Vec::new();
        files(folder.path(), &mut found);
        found.iter().any(|file| {
            let bytes = std::fs::read(file).unwrap();
            bytes.windows(needle.len()).any(|window| window == needle)
        })
    };
    // While the log is there as well as after everything was folded into the database.
    for _ in 0..2 {
        assert!(holds(created.key.id.as_str().as_bytes()) && holds(action.as_bytes()));
        assert!(!holds(secret) && !holds(&secret[..20]) && !holds(&secret[20..40]));
        assert!(!format!("{created:?}").contains(std::str::from_utf8(secret).unwrap()));
        open(folder.path()).close().unwrap();
    }
}

#[test]
fn when_a_key_was_used_is_kept_to_the_minute() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    let created = create(&engine);
    let used_at = |seconds: i64| {
        move_to(&clock, seconds);
        engine.authenticate(&created.secret).unwrap().unwrap();
        engine.maintain().unwrap();
        engine.keys().unwrap()[0].used_at.unwrap().duration_since(start()).as_secs()
    };
    let told: Vec<_> = [10, 11, 69, 70, 75, 500].into_iter().map(used_at).collect();
    assert_eq!(told, [10, 10, 10, 70, 70, 500]);
}

#[test]
fn where_nothing_can_be_written_a_key_still_lets_its_holder_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Perihelion::DATABASE);
    let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    let store = Arc::new(Unreadable { inner, failing: Mutex::default() });
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let created = create(&engine);
    *store.failing.lock().unwrap() = Some("write");
    assert!(engine.is_read_only());
    assert!(engine.authenticate(&created.secret).unwrap().is_some());
    engine.tell_refused(None, "GET /v1/memories", None, "no key");
    engine.maintain().unwrap();
    assert!(engine.revoke_key(created.key.id).is_err());
    assert_eq!(engine.keys().unwrap(), [created.key]);
}

#[test]
fn what_another_engine_on_the_folder_revoked_is_refused_at_once() {
    let (folder, engine) = fresh();
    let other = open(folder.path());
    for _ in 0..5 {
        let created = create(&engine);
        assert!(other.authenticate(&created.secret).unwrap().is_some(), "new keys are known at once too");
        engine.revoke_key(created.key.id).unwrap();
        assert_eq!(other.authenticate(&created.secret).unwrap(), None);
        assert!(!other.has_keys().unwrap());
    }
}

/// The worker: tells whether it would let in whoever shows the secret on each line.
#[test]
fn doorkeeper() {
    let Some(folder) = role("keys::doorkeeper") else { return };
    let engine = open(folder);
    for line in std::io::stdin().lines().map(Result::unwrap) {
        tell(engine.authenticate(&line).unwrap().is_some());
    }
}

#[test]
fn what_one_process_revokes_another_refuses_on_its_next_call() {
    let (folder, engine) = fresh();
    let created = create(&engine);
    let mut doorkeeper = Worker::start(worker_command("keys::doorkeeper", folder.path()));
    assert_eq!(doorkeeper.ask(&created.secret), "true");
    engine.revoke_key(created.key.id).unwrap();
    assert_eq!(doorkeeper.ask(&created.secret), "false");
    doorkeeper.finish();
}

#[test]
fn keys_do_not_leave_with_an_export() {
    let (_folder, engine) = fresh();
    let created = create(&engine);
    let mut written = Vec::new();
    engine.export(&Scope::All, &mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert!(!written.contains(created.key.id.as_str()), "{written}");
}
