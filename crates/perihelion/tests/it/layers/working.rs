//! Working memory: keys, lifetimes, capacity.

use std::time::Duration;

use perihelion::{
    ErrorKind, EventKind, Layer, LayerSettings, MemoryId, Namespace, PromotionSettings, Recall, Remember,
    Revise, Scope, SetWork, TimeToLive, Trashed, WorkItem, WorkingSettings,
};
use serde_json::{Value, json};

use super::Bench;
use crate::support::{all, kind_of, ns};

fn here() -> Namespace {
    Namespace::default()
}

fn set(bench: &Bench, key: &str, value: impl Into<Value>) -> MemoryId {
    bench.engine.work_set(SetWork::new(key, value).in_session("today")).unwrap().item.id
}

fn get(bench: &Bench, key: &str) -> Option<Value> {
    bench.engine.work_get(&here(), Some("today"), key).unwrap().map(|item| item.value)
}

fn keys(items: &[WorkItem]) -> Vec<&str> {
    items.iter().filter_map(|item| item.key.as_deref()).collect()
}

/// Nothing is promoted, so that only lifetimes decide.
fn plain(working: WorkingSettings) -> LayerSettings {
    let promotion = PromotionSettings { enabled: false, ..PromotionSettings::default() };
    LayerSettings { working, promotion, ..LayerSettings::default() }
}

#[test]
fn a_key_holds_what_was_set_last_whatever_it_is() {
    let bench = Bench::usual();
    let values = [
        json!("마이그레이션 먼저"),
        json!(""),
        json!(" \n"),
        json!(0),
        json!(-1.5),
        json!(false),
        json!([]),
        json!({}),
        json!({ "步骤": ["备份", { "done": true }], "retries": 3 }),
    ];
    for value in &values {
        set(&bench, "plan", value.clone());
        assert_eq!(get(&bench, "plan").as_ref(), Some(value));
    }
    let items = bench.engine.work_list(&here(), Some("today")).unwrap();
    assert_eq!(items.len(), 1, "one value a key: {items:?}");
    let null = bench.engine.work_set(SetWork::new("plan", Value::Null).in_session("today"));
    assert_eq!(kind_of(null), Some(ErrorKind::InvalidInput));
    assert_eq!(get(&bench, "plan").as_ref(), values.last());
}

#[test]
fn sessions_and_namespaces_do_not_see_each_others_keys() {
    let bench = Bench::usual();
    let places = [(here(), Some("a")), (here(), Some("b")), (here(), None), (ns("team/bot"), Some("a"))];
    for (number, (namespace, session)) in places.iter().enumerate() {
        let mut work = SetWork::new("plan", json!(number)).in_namespace(namespace.clone());
        work.session = session.map(str::to_owned);
        bench.engine.work_set(work).unwrap();
    }
    for (number, (namespace, session)) in places.iter().enumerate() {
        let item = bench.engine.work_get(namespace, *session, "plan").unwrap().unwrap();
        assert_eq!(item.value, json!(number));
        assert_eq!(bench.engine.work_list(namespace, *session).unwrap().len(), 1);
    }
    let sessions = bench.engine.work_sessions(&here()).unwrap();
    let held: Vec<_> = sessions.iter().map(|one| (one.session.as_deref(), one.items)).collect();
    assert_eq!(held, [(None, 1), (Some("a"), 1), (Some("b"), 1)]);
}

#[test]
fn a_value_is_seen_until_the_moment_it_expires_and_on_no_path_after_that() {
    let bench = Bench::new(plain(WorkingSettings::default()));
    let id = set(&bench, "codename", "the codename is Ganymede");
    bench.pass(899);
    bench.clock.advance(jiff::SignedDuration::from_millis(999));
    assert!(get(&bench, "codename").is_some());
    assert_eq!(bench.engine.recall(&Recall::new("what is the codename?")).unwrap().hits.len(), 1);
    bench.clock.advance(jiff::SignedDuration::from_millis(1));
    let unseen = |bench: &Bench, when: &str| {
        assert_eq!(get(bench, "codename"), None, "{when}");
        assert!(bench.engine.work_list(&here(), Some("today")).unwrap().is_empty(), "{when}");
        assert!(bench.engine.work_sessions(&here()).unwrap().is_empty(), "{when}");
        let asked = Recall::new("what is the codename Ganymede?");
        assert!(bench.engine.recall(&asked).unwrap().hits.is_empty(), "{when}");
        assert!(
            bench.engine.search(&asked.clone().as_of(bench.clock.now())).unwrap().hits.is_empty(),
            "{when}"
        );
        assert_eq!(kind_of(bench.engine.get(&Scope::All, id)), Some(ErrorKind::NotFound), "{when}");
        assert_eq!(kind_of(bench.engine.history(&Scope::All, id)), Some(ErrorKind::NotFound), "{when}");
        assert_eq!(kind_of(bench.engine.forget(&Scope::All, id)), Some(ErrorKind::NotFound), "{when}");
        assert_eq!(kind_of(bench.engine.restore(&Scope::All, id)), Some(ErrorKind::NotFound), "{when}");
        let longer = Revise { expires_at: Some(None), ..Revise::default() };
        assert_eq!(
            kind_of(bench.engine.revise(&Scope::All, id, longer)),
            Some(ErrorKind::NotFound),
            "{when}"
        );
        assert_eq!(
            kind_of(bench.engine.promote(&Scope::All, &[id], None)),
            Some(ErrorKind::NotFound),
            "{when}"
        );
        assert!(all(&bench.engine, Trashed::Without).is_empty(), "{when}");
        assert!(all(&bench.engine, Trashed::Only).is_empty(), "{when}");
        assert!(!bench.export().contains("Ganymede"), "{when}");
    };
    unseen(&bench, "before the sweep");
    let swept = bench.engine.sweep().unwrap();
    assert_eq!((swept.expired, swept.count()), (1, 1));
    unseen(&bench, "after the sweep");
    assert_eq!(bench.engine.sweep().unwrap().count(), 0);
    assert_eq!(bench.events(&[EventKind::Expired]).len(), 1);
}

#[test]
fn setting_a_key_again_begins_its_time_anew() {
    let bench = Bench::new(plain(WorkingSettings::default()));
    let id = set(&bench, "step", "one");
    bench.pass(600);
    assert_eq!(set(&bench, "step", "two"), id);
    bench.pass(600);
    assert_eq!(get(&bench, "step"), Some(json!("two")));
    bench.pass(300);
    assert_eq!(get(&bench, "step"), None);
    let next = set(&bench, "step", "three");
    assert_ne!(next, id, "what has expired does not come back under its old id");
    assert_eq!(get(&bench, "step"), Some(json!("three")));
}

#[test]
fn times_to_live_can_be_given_and_switched_off() {
    let off = WorkingSettings { time_to_live: Duration::ZERO, ..WorkingSettings::default() };
    let bench = Bench::new(plain(off));
    set(&bench, "lasting", "for good");
    let short = SetWork::new("short", "a minute").in_session("today");
    bench.engine.work_set(short.for_time(TimeToLive::For(Duration::from_secs(60)))).unwrap();
    bench.pass(60);
    assert_eq!(get(&bench, "short"), None);
    bench.pass_days(400);
    bench.engine.maintain().unwrap();
    assert_eq!(get(&bench, "lasting"), Some(json!("for good")));

    let bench = Bench::usual();
    let lasting = SetWork::new("lasting", "for good").in_session("today").for_time(TimeToLive::NoEnd);
    bench.engine.work_set(lasting).unwrap();
    bench.pass_days(400);
    assert!(get(&bench, "lasting").is_some());
    let none = SetWork::new("x", "y").for_time(TimeToLive::For(Duration::ZERO));
    assert_eq!(kind_of(bench.engine.work_set(none)), Some(ErrorKind::InvalidInput));
}

#[test]
fn the_value_used_longest_ago_leaves_a_full_working_memory() {
    let bench = Bench::new(plain(WorkingSettings { capacity: 3, ..WorkingSettings::default() }));
    for key in ["a", "b", "c"] {
        set(&bench, key, key);
        bench.pass(1);
    }
    assert!(get(&bench, "a").is_some(), "asking is use");
    bench.pass(1);
    let receipt = bench.engine.work_set(SetWork::new("d", "d").in_session("today")).unwrap();
    assert_eq!((keys(&receipt.evicted), receipt.replaced), (vec!["b"], false));
    let mut held = bench.engine.work_list(&here(), Some("today")).unwrap();
    held.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(keys(&held), ["a", "c", "d"]);
    bench.pass(1);
    set(&bench, "c", "again");
    bench.pass(1);
    bench.engine.work_set(SetWork::new("elsewhere", 1).in_session("other")).unwrap();
    set(&bench, "e", "e");
    assert_eq!(get(&bench, "a"), None, "a was used before c was set again");
    assert!(get(&bench, "c").is_some());
    assert!(bench.engine.work_get(&here(), Some("other"), "elsewhere").unwrap().is_some());
    assert_eq!(bench.events(&[EventKind::Evicted]).len(), 2);
}

#[test]
fn what_has_expired_takes_no_room() {
    let bench = Bench::new(plain(WorkingSettings { capacity: 2, ..WorkingSettings::default() }));
    let old = SetWork::new("old", 1).in_session("today").for_time(TimeToLive::For(Duration::from_secs(5)));
    bench.engine.work_set(old).unwrap();
    set(&bench, "kept", "kept");
    bench.pass(5);
    let receipt = bench.engine.work_set(SetWork::new("new", "new").in_session("today")).unwrap();
    assert!(receipt.evicted.is_empty(), "{receipt:?}");
    assert!(get(&bench, "kept").is_some());
}

#[test]
fn working_memory_survives_a_restart_and_other_processes_see_it() {
    let mut bench = Bench::usual();
    set(&bench, "plan", json!({ "first": "back up" }));
    let other = bench.again();
    assert!(other.work_get(&here(), Some("today"), "plan").unwrap().is_some());
    other.close().unwrap();
    bench.reopen();
    assert_eq!(get(&bench, "plan"), Some(json!({ "first": "back up" })));
    bench.pass(900);
    bench.reopen();
    assert_eq!(get(&bench, "plan"), None, "and time goes on while nobody is there");
}

#[test]
fn clearing_takes_one_key_or_all_of_a_session_and_nothing_else() {
    let bench = Bench::usual();
    for key in ["a", "b", "c"] {
        set(&bench, key, key);
    }
    bench.engine.work_set(SetWork::new("a", "other").in_session("other")).unwrap();
    bench.engine.remember(Remember::new("Lisbon has seven hills")).unwrap();
    let clear = |key: Option<&str>| bench.engine.work_clear(&here(), Some("today"), key).unwrap();
    assert_eq!((clear(Some("a")), clear(Some("a")), clear(None), clear(None)), (1, 0, 2, 0));
    assert!(bench.engine.work_get(&here(), Some("other"), "a").unwrap().is_some());
    assert_eq!(all(&bench.engine, Trashed::Without).len(), 2);
    assert!(all(&bench.engine, Trashed::Only).is_empty());
}

#[test]
fn what_is_remembered_into_working_memory_lives_as_long_and_takes_room_too() {
    let bench = Bench::new(plain(WorkingSettings { capacity: 2, ..WorkingSettings::default() }));
    let told = |content: &str| Remember {
        layer: Some(Layer::Working),
        ..Remember::new(content).said("today", "Ana").kind(perihelion::Kind::Fact)
    };
    for content in ["the build is red", "the tests hang", "the fix is ready"] {
        let mut request = told(content);
        request.layer = Some(Layer::Working);
        bench.engine.remember(request).unwrap();
        bench.pass(1);
    }
    let items = bench.engine.work_list(&here(), Some("today")).unwrap();
    let held: Vec<_> = items.iter().map(|item| item.value.clone()).collect();
    assert_eq!(held, [json!("the fix is ready"), json!("the tests hang")]);
    bench.pass(900);
    assert!(bench.engine.work_list(&here(), Some("today")).unwrap().is_empty());
}

#[test]
fn working_memory_neither_replaces_nor_joins_what_is_known() {
    let bench = Bench::usual();
    let known = bench.engine.remember(Remember::new("The deploy region is Frankfurt")).unwrap().id;
    set(&bench, "region", "The deploy region is Dublin");
    set(&bench, "same", "The deploy region is Frankfurt");
    bench.engine.maintain().unwrap();
    let memory = bench.engine.get(&Scope::All, known).unwrap();
    assert_eq!(memory.facets.superseded_by, None);
    bench.pass(900);
    bench.engine.sweep().unwrap();
    let hits = bench.engine.recall(&Recall::new("which region do we deploy to?")).unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.memory.id).collect::<Vec<_>>(), [known]);
}

#[test]
fn secrets_are_taken_out_of_values_and_keys_alike() {
    let bench = Bench::usual();
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let receipt = bench
        .engine
        .work_set(SetWork::new(format!("token {secret}"), json!({ "token": secret })).in_session("today"))
        .unwrap();
    assert!(!receipt.redacted.is_empty());
    assert!(!bench.export().contains(secret));
    assert!(get(&bench, &format!("token {secret}")).is_some(), "it is found by what it was called");
}
