use perihelion::{
    ErrorKind, JournalDirection, JournalQuery, JournalStatus, Kept, NewEntry, Order, Perihelion, Redaction,
    Scope, Timestamp, TurnId,
};
use serde_json::json;

use super::{gone, on_faulty, recent, said, texts, timed};
use crate::support::{fresh, kind_of, ns, options, scope, time};

#[test]
fn an_entry_comes_back_as_it_was_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Perihelion::open(timed(folder.path()).0).unwrap();
    let turn = TurnId::generate(Timestamp::UNIX_EPOCH);
    let new = NewEntry {
        namespace: ns("team/agent"),
        session: Some("아침 회의".to_owned()),
        actor: Some("小明".to_owned()),
        kind: Some("world_data".to_owned()),
        direction: Some(JournalDirection::Inbound),
        status: Some(JournalStatus::Timeout),
        turn: Some(turn),
        at: Some(time("2026-03-01T08:00:00.1239Z")),
        text: "배포가 끝났다".to_owned(),
        body: Some(json!({ "온도": 21.5, "nested": [1, null, "x"] })),
        gate: Some(json!({ "action": "SINK", "scene": "chat", "score": 0.25, "reasons": ["quiet"] })),
        metadata: json!({ "source": "sensor" }).as_object().unwrap().clone(),
        ..NewEntry::default()
    };
    let appended = engine.append(new.clone()).unwrap();
    assert_eq!((appended.state, appended.memory), (Kept::Stored, None));
    let found = engine.journal_entry(&scope("team/*"), appended.id).unwrap();
    assert_eq!(found.at, time("2026-03-01T08:00:00.123Z"), "in whole milliseconds");
    assert_eq!(found.created_at, time("2026-03-04T05:06:07Z"));
    assert_eq!((found.session, found.actor, found.kind), (new.session, new.actor, new.kind.unwrap()));
    assert_eq!((found.direction, found.status, found.turn), (new.direction, new.status, new.turn));
    assert_eq!((found.text, found.body, found.gate), (new.text, new.body, new.gate));
    assert_eq!((found.metadata, found.remember), (new.metadata, false));
    assert_eq!(kind_of(engine.journal_entry(&scope("other"), appended.id)), Some(ErrorKind::NotFound));
}

#[test]
fn an_entry_that_nobody_describes_is_a_message_of_now() {
    let (_folder, engine) = fresh();
    let appended = engine.append(NewEntry::default()).unwrap();
    let found = engine.journal_entry(&Scope::All, appended.id).unwrap();
    assert_eq!((found.kind.as_str(), found.text.as_str(), found.at), ("message", "", found.created_at));
}

#[test]
fn appending_the_same_id_again_changes_nothing() {
    let (_folder, engine) = fresh();
    let first = engine.append(said("first").remembered()).unwrap();
    let again =
        NewEntry { id: Some(first.id), at: Some(Timestamp::UNIX_EPOCH), ..said("second").remembered() };
    assert_eq!(engine.append(again).unwrap().state, Kept::Stored);
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["first"]);
    assert_eq!(engine.memories_from(&Scope::All, first.id).unwrap().len(), 1);
}

#[test]
fn malformed_entries_are_refused_and_nothing_of_their_call_is_kept() {
    let (_folder, engine) = fresh();
    let long = "가".repeat(100_000);
    let bad = [
        NewEntry { text: "a\0b".to_owned(), ..NewEntry::default() },
        NewEntry { text: long.clone(), ..NewEntry::default() },
        NewEntry { session: Some(" ".to_owned()), ..NewEntry::default() },
        NewEntry { actor: Some("x".repeat(300)), ..NewEntry::default() },
        NewEntry { kind: Some(String::new()), ..NewEntry::default() },
        NewEntry { body: Some(json!({ "large": long })), ..NewEntry::default() },
        NewEntry { gate: Some(json!([long])), ..NewEntry::default() },
        NewEntry { metadata: json!({ "large": long }).as_object().unwrap().clone(), ..NewEntry::default() },
    ];
    for (number, bad) in bad.into_iter().enumerate() {
        let outcome = engine.append_all(vec![NewEntry::new("good"), bad]);
        assert_eq!(kind_of(outcome), Some(ErrorKind::InvalidInput), "case {number}");
    }
    assert!(recent(&engine, None, 10).entries.is_empty());
}

#[test]
fn secrets_are_taken_out_of_every_part() {
    let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let (_folder, engine) = fresh();
    let new = NewEntry {
        body: Some(json!({ "deep": [{ "token": secret }] })),
        gate: Some(json!({ "reasons": [format!("saw {secret}")] })),
        metadata: json!({ "password": "hunter2hunter2" }).as_object().unwrap().clone(),
        ..NewEntry::new(format!("use {secret} please")).remembered()
    };
    let appended = engine.append(new.clone()).unwrap();
    assert!(appended.redacted.iter().map(|one| one.count).sum::<usize>() >= 4, "{:?}", appended.redacted);
    let stored = serde_json::to_string(&engine.journal_entry(&Scope::All, appended.id).unwrap()).unwrap();
    assert!(!stored.contains(secret) && !stored.contains("hunter2"), "{stored}");
    let memory = engine.get(&Scope::All, appended.memory.unwrap()).unwrap();
    assert!(!memory.content.contains(secret));

    let folder = tempfile::tempdir().unwrap();
    let open = perihelion::Options { redaction: Redaction::Off, ..options(folder.path()) };
    let engine = Perihelion::open(open).unwrap();
    let appended = engine.append(new).unwrap();
    assert!(engine.journal_entry(&Scope::All, appended.id).unwrap().text.contains(secret));
}

#[test]
fn what_neither_the_store_nor_the_queue_takes_is_refused_as_not_kept_and_nobody_sees_it() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, store) = on_faulty(folder.path());
    engine.append(said("stored")).unwrap();
    store.break_down("write", gone());
    let refused = engine.append(said("refused").remembered()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotKept);
    assert!(refused.to_string().starts_with("not kept: "), "{refused}");
    assert!(refused.to_string().contains("unplugged"), "{refused}");
    assert!(refused.hint().unwrap().contains("send it again"), "{:?}", refused.hint());
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["stored"], "nothing that is not kept is shown");
    store.mend();
    engine.maintain().unwrap();
    let page = engine.journal(&JournalQuery::default()).unwrap();
    assert_eq!(texts(&page.entries), ["stored"], "what was refused does not come later");
    engine.append(said("refused").remembered()).unwrap();
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["refused", "stored"]);
    assert!(engine.health().healthy);
}

#[test]
fn with_the_store_away_and_no_room_for_the_queue_every_write_is_refused_as_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = crate::faults::store::faulty::Faulty::open(folder.path());
    let shared = std::sync::Arc::clone(&store) as std::sync::Arc<dyn peri_store::Store>;
    let queue = perihelion::QueueSettings::default();
    let options = perihelion::Options { queue, ..timed(folder.path()).0 };
    let engine = Perihelion::with_engine(options, shared, None).unwrap();
    // A file where the queue's folder should be: it can be no more written than on a full disk.
    std::fs::write(folder.path().join("queue"), "").unwrap();
    let (place, detail) = ("db".to_owned(), "gone".to_owned());
    store.break_down("*", peri_store::StoreError::Unreachable { place, detail });
    assert_eq!(kind_of(engine.append(said("a"))), Some(ErrorKind::NotKept));
    assert_eq!(kind_of(engine.begin_turn(perihelion::NewTurn::default())), Some(ErrorKind::NotKept));
    assert_eq!(kind_of(engine.remember(perihelion::Remember::new("a"))), Some(ErrorKind::NotKept));
    assert_eq!(
        kind_of(engine.end_session(&ns("default"), "아침")),
        Some(ErrorKind::NotKept),
        "what reads before it writes, too"
    );
    assert!(recent(&engine, None, 10).entries.is_empty());
    std::fs::remove_file(folder.path().join("queue")).unwrap();
    assert_eq!(engine.append(said("b")).unwrap().state, Kept::Queued);
}

#[test]
fn what_is_queued_is_seen_at_once_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, store) = on_faulty(folder.path());
    store.queue_writes();
    let queued = engine.append(said("queued")).unwrap();
    assert_eq!(queued.state, Kept::Queued);
    assert!(engine.journal(&JournalQuery::default()).unwrap().entries.is_empty());
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["queued"]);
    assert_eq!(engine.journal_stats(&Scope::All).unwrap().waiting.queued, 1);
    store.deliver();
    assert_eq!(texts(&recent(&engine, None, 10).entries), ["queued"]);
    assert_eq!(engine.journal_stats(&Scope::All).unwrap().waiting.queued, 0, "it was found in the store");
}

#[test]
fn a_store_that_cannot_be_read_is_named_and_the_latest_are_told_from_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, store) = on_faulty(folder.path());
    for text in ["하나", "둘", "셋"] {
        engine.append(said(text)).unwrap();
    }
    store.break_down("*", gone());
    let told = recent(&engine, Some("아침"), 2);
    assert_eq!(texts(&told.entries), ["셋", "둘"]);
    assert!(told.missing.unwrap().contains("unplugged"));
    store.mend();
    assert_eq!(recent(&engine, None, 2).missing, None);
}

#[test]
fn the_ring_holds_as_many_as_the_setting_says() {
    for (ring, told) in [(0, vec![]), (2, vec!["c", "b"]), (1000, vec!["c", "b", "a"])] {
        let folder = tempfile::tempdir().unwrap();
        let store = crate::faults::store::faulty::Faulty::open(folder.path());
        let (mut options, _) = timed(folder.path());
        options.journal.ring = ring;
        let shared = std::sync::Arc::clone(&store) as std::sync::Arc<dyn peri_store::Store>;
        let engine = Perihelion::with_engine(options, shared, None).unwrap();
        for text in ["a", "b", "c"] {
            engine.append(NewEntry::new(text)).unwrap();
        }
        store.break_down("*", gone());
        assert_eq!(texts(&recent(&engine, None, 10).entries), told, "{ring}");
    }
}

#[test]
fn each_condition_finds_what_fits_and_pages_tell_everything_once() {
    let folder = tempfile::tempdir().unwrap();
    let (options, clock) = timed(folder.path());
    let engine = Perihelion::open(options).unwrap();
    let turn = TurnId::generate(Timestamp::UNIX_EPOCH);
    let entries = [
        NewEntry {
            kind: Some("alert".to_owned()),
            status: Some(JournalStatus::Error),
            ..said("Deploy 100% failed")
        },
        NewEntry {
            session: Some("저녁".to_owned()),
            actor: Some("민수".to_owned()),
            ..NewEntry::new("배포 실패")
        },
        NewEntry { turn: Some(turn), namespace: ns("team/b"), ..said("the deploy_is GREEN") },
        NewEntry { remember: true, ..NewEntry::new("部署成功了") },
    ];
    for entry in entries {
        engine.append(entry).unwrap();
        clock.advance(jiff::SignedDuration::from_secs(60));
    }
    let at = |minute: u32| time(&format!("2026-03-04T05:{:02}:07Z", 6 + minute));
    let all = JournalQuery::default;
    let cases: [(JournalQuery, &[usize]); 14] = [
        (all(), &[3, 2, 1, 0]),
        (JournalQuery { order: Order::OldestFirst, ..all() }, &[0, 1, 2, 3]),
        (JournalQuery { session: Some("아침".to_owned()), ..all() }, &[2, 0]),
        (JournalQuery { actor: Some("민수".to_owned()), ..all() }, &[1]),
        (JournalQuery { kind: Some("alert".to_owned()), ..all() }, &[0]),
        (JournalQuery { status: Some(JournalStatus::Error), ..all() }, &[0]),
        (JournalQuery { turn: Some(turn), ..all() }, &[2]),
        (JournalQuery { scope: scope("team/*"), ..all() }, &[2]),
        (JournalQuery { since: Some(at(1)), until: Some(at(3)), ..all() }, &[2, 1]),
        (JournalQuery { text: Some("green DEPLOY".to_owned()), ..all() }, &[2]),
        (JournalQuery { text: Some("100%".to_owned()), ..all() }, &[0]),
        (JournalQuery { text: Some("deploy_".to_owned()), ..all() }, &[2]),
        (JournalQuery { text: Some("部署".to_owned()), ..all() }, &[3]),
        (JournalQuery { remembered_only: true, ..all() }, &[3]),
    ];
    let texts = ["Deploy 100% failed", "배포 실패", "the deploy_is GREEN", "部署成功了"];
    for (number, (query, expected)) in cases.into_iter().enumerate() {
        let page = engine.journal(&query).unwrap();
        let expected: Vec<_> = expected.iter().map(|place| texts[*place]).collect();
        assert_eq!(super::texts(&page.entries), expected, "case {number}");
        assert!(page.entries.iter().all(|entry| query.matches(entry)), "case {number}: the definition");
        let mut paged = Vec::new();
        let mut one = JournalQuery { limit: 1, ..query };
        loop {
            let page = engine.journal(&one).unwrap();
            paged.extend(page.entries.into_iter().map(|entry| entry.text));
            one.after = page.next;
            if one.after.is_none() {
                break;
            }
        }
        assert_eq!(paged, expected, "case {number}: page by page");
    }
}
