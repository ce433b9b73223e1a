//! Answers that are kept for those who send a request again.

use std::time::Duration;

use peri_store::{SqliteSettings, SqliteStore};
use perihelion::{
    Clock, ErrorKind, KeptAnswer, NewAnswer, Options, OrbitSettings, Perihelion, Remember, Scope, Store as _,
    digest_of,
};

use crate::orbit::{move_to, plain, start};
use crate::support::{fresh, kind_of, open};

const HOUR: i64 = 3600;

fn answer(caller: &str, key: &str, body: &str) -> NewAnswer {
    let digest = digest_of(&[b"POST", b"/v1/memories", b"{}"]);
    NewAnswer { caller: caller.into(), key: key.into(), digest, status: 201, body: body.into() }
}

#[test]
fn an_answer_is_given_again_to_its_caller_by_every_process() {
    let (folder, engine) = fresh();
    assert_eq!(engine.kept_answer("k3tq7zab", "one").unwrap(), None);
    let kept = engine.keep_answer(answer("k3tq7zab", "one", "the first")).unwrap();
    assert_eq!((kept.status, kept.body.as_slice()), (201, &b"the first"[..]));
    let other = open(folder.path());
    assert_eq!(other.kept_answer("k3tq7zab", "one").unwrap(), Some(kept.clone()));
    assert_eq!(other.kept_answer("k3tq7zab", "two").unwrap(), None);
    assert_eq!(other.kept_answer("somebody", "one").unwrap(), None);
    assert_eq!(other.keep_answer(answer("k3tq7zab", "one", "the second")).unwrap(), kept, "the first stays");
}

#[test]
fn a_digest_tells_requests_apart_by_their_parts() {
    let parts: [&[&[u8]]; 6] = [&[], &[b""], &[b"ab"], &[b"a", b"b"], &[b"", b"ab"], &[b"ab", b""]];
    for (number, one) in parts.iter().enumerate() {
        for (other_number, other) in parts.iter().enumerate() {
            assert_eq!(digest_of(one) == digest_of(other), number == other_number);
        }
    }
}

#[test]
fn an_answer_is_kept_for_a_day_and_then_dropped_by_the_chores() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let engine = Perihelion::open(plain(folder.path(), &clock, OrbitSettings::default())).unwrap();
    engine.keep_answer(answer("a", "old", "x")).unwrap();
    move_to(&clock, HOUR);
    engine.keep_answer(answer("a", "new", "x")).unwrap();
    move_to(&clock, 24 * HOUR);
    assert!(engine.kept_answer("a", "old").unwrap().is_some());
    move_to(&clock, 25 * HOUR);
    assert_eq!(engine.kept_answer("a", "old").unwrap(), None, "whether the chores have come or not");
    assert!(engine.kept_answer("a", "new").unwrap().is_some());
    engine.maintain().unwrap();
    let store = SqliteStore::open(&engine.database(), &SqliteSettings::default()).unwrap();
    let kept = |key: &str| store.answer("a", key).unwrap().is_some();
    assert_eq!((kept("old"), kept("new")), (false, true));
}

#[test]
fn an_answer_that_is_too_old_makes_room_for_a_new_one() {
    let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(start()));
    let answers_kept = Duration::from_secs(60);
    let options = Options { answers_kept, ..plain(folder.path(), &clock, OrbitSettings::default()) };
    let engine = Perihelion::open(options).unwrap();
    engine.keep_answer(answer("a", "one", "the first")).unwrap();
    move_to(&clock, 61);
    let kept: KeptAnswer = engine.keep_answer(answer("a", "one", "the second")).unwrap();
    assert_eq!((kept.body.as_slice(), kept.at), (&b"the second"[..], clock.now()));
}

#[test]
fn a_name_that_cannot_be_kept_is_refused_before_anything_is_done() {
    let (_folder, engine) = fresh();
    for (caller, key) in [("a", ""), ("a", "x\0"), ("", "x"), ("a", &*"x".repeat(100_000))] {
        assert_eq!(kind_of(engine.kept_answer(caller, key)), Some(ErrorKind::InvalidInput), "{key:?}");
        assert_eq!(kind_of(engine.keep_answer(answer(caller, key, "x"))), Some(ErrorKind::InvalidInput));
    }
}

#[test]
fn what_is_purged_does_not_live_on_in_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open(folder.path());
    let keep = |key: &str, body: String| {
        let answer = NewAnswer {
            caller: "a".to_owned(),
            key: key.to_owned(),
            digest: [1; 32],
            status: 200,
            body: body.into(),
        };
        engine.keep_answer(answer).unwrap();
    };
    let id = engine.remember(Remember::new("Ana keeps her spare key under the third flowerpot")).unwrap().id;
    keep("receipt", format!("{{\"id\":\"{id}\"}}"));
    let memory = engine.forget(&Scope::All, id).unwrap();
    keep("memory", serde_json::to_string(&memory).unwrap());
    assert!(engine.kept_answer("a", "memory").unwrap().is_some());
    engine.purge(&Scope::All, id).unwrap();
    assert!(engine.kept_answer("a", "memory").unwrap().is_none());
    assert!(engine.kept_answer("a", "receipt").unwrap().is_some());
}
