//! Feedback, the weights that were drawn from it, and what else was learned as a whole.

use peri_store::{FeedbackRecord, JudgedResult, LearnedMark, LearnedSet, Store, WeightSet, Write, Written};
use peri_types::{Happening, MemoryId};
use serde_json::json;

use super::{make, told_after};
use crate::support::{at, ns, open};

fn result(number: u8, used: bool, context: Option<f64>) -> JudgedResult {
    let id = MemoryId::from_bytes([number; 16]);
    JudgedResult { id, used, recall: 0.1, freshness: 1.0 / 3.0, importance: f64::MIN_POSITIVE, context }
}

fn feedback(namespace: &str, query: &str, second: i64, results: Vec<JudgedResult>) -> FeedbackRecord {
    FeedbackRecord { namespace: ns(namespace), at: at(second), query: query.to_owned(), results }
}

fn judge(store: &dyn Store, record: &FeedbackRecord) {
    assert_eq!(make(store, Write::Judge(Box::new(record.clone()))), Written::Done);
}

#[test]
fn feedback_is_kept_to_the_last_digit_and_read_from_either_end() {
    let (house, store) = open();
    let both = vec![result(1, true, Some(-0.1)), result(2, false, None), result(3, true, Some(1e-300))];
    let records = [
        feedback("a", "李娜住在哪里？ 🍵", 3, both),
        feedback("a", "", 1, Vec::new()),
        feedback("a", "누가 \"말\"했나\\n\n", 2, vec![result(4, false, None)]),
    ];
    let elsewhere = feedback("b", "elsewhere", 4, vec![result(5, true, None)]);
    records.iter().for_each(|record| judge(&*store, record));
    judge(&*store, &elsewhere);
    drop(store);
    let store = house.open();
    let [first, second, third] = records;
    assert_eq!(store.feedback(&ns("a"), 2).unwrap(), [third.clone(), second.clone()], "the latest first");
    assert_eq!(store.feedback(&ns("a"), 0).unwrap(), []);
    assert_eq!(store.feedback(&ns("b"), 9).unwrap(), [elsewhere]);
    assert_eq!(store.feedback(&ns("nowhere"), 9).unwrap(), []);
    let numbered = [(1, first), (2, second), (3, third)];
    assert_eq!(store.feedback_after(&ns("a"), 0, 9).unwrap(), numbered);
    assert_eq!(store.feedback_after(&ns("a"), 1, 1).unwrap(), numbered[1..2]);
    assert_eq!(store.feedback_after(&ns("a"), 3, 9).unwrap(), []);
    assert_eq!(store.feedback_after(&ns("nowhere"), 0, 9).unwrap(), []);
    let id = |number| MemoryId::from_bytes([number; 16]);
    let given = Happening::FeedbackGiven { used: vec![id(1), id(3)], unused: vec![id(2)] };
    assert_eq!(told_after(&*store, 0)[0], (at(3), given));
}

#[test]
fn of_much_feedback_the_oldest_leaves_and_numbers_go_on() {
    let (_house, store) = open();
    let write = |n: i64| Write::Judge(Box::new(feedback("a", &format!("물음 {n}"), n, Vec::new())));
    store.write((1..=2003).map(write).collect()).unwrap();
    let kept = store.feedback_after(&ns("a"), 0, 5000).unwrap();
    assert_eq!((kept.len(), kept[0].0, kept[1999].0), (2000, 4, 2003));
    assert_eq!(kept[0].1, feedback("a", "물음 4", 4, Vec::new()));
}

#[test]
fn sets_of_weights_are_numbered_where_they_hold() {
    let (_house, store) = open();
    let set = |namespace: &str, value, reason: &str, second| {
        let (namespace, reason) = (ns(namespace), reason.to_owned());
        make(&*store, Write::SetWeights { namespace, value, reason, at: at(second) })
    };
    let value = json!({ "recall": 0.1, "깊이": [null, 1e-7, -3, "\u{0}값"] });
    assert_eq!(set("a", value.clone(), "피드백 3건", 5), Written::WeightsSet(1));
    assert_eq!(set("b", json!(null), "", 6), Written::WeightsSet(1));
    assert_eq!(set("a", json!({}), "again", 4), Written::WeightsSet(2));
    let of = |number, second, value, reason: &str| WeightSet {
        number,
        at: at(second),
        value,
        reason: reason.to_owned(),
    };
    let sets = [of(1, 5, value, "피드백 3건"), of(2, 4, json!({}), "again")];
    assert_eq!(store.weights(&ns("a")).unwrap(), sets);
    assert_eq!(store.weights(&ns("b")).unwrap(), [of(1, 6, json!(null), "")]);
    assert_eq!(store.weights(&ns("nowhere")).unwrap(), []);
    let changed = |set, reason: &str| Happening::WeightsChanged { set, reason: reason.to_owned() };
    let told = [(at(5), changed(1, "피드백 3건")), (at(6), changed(1, "")), (at(4), changed(2, "again"))];
    assert_eq!(told_after(&*store, 0), told);
}

fn learn(namespace: &str, name: &str, value: serde_json::Value, second: i64) -> Write {
    let reason = format!("왜: \"{name}\" {second}");
    Write::SetLearned { namespace: ns(namespace), name: name.to_owned(), value, reason, at: at(second) }
}

fn set(name: &str, number: u64, value: serde_json::Value, second: i64) -> LearnedSet {
    let reason = format!("왜: \"{name}\" {second}");
    LearnedSet { name: name.to_owned(), number, at: at(second), value, reason }
}

fn mark(name: &str, number: u64, second: i64) -> LearnedMark {
    LearnedMark { name: name.to_owned(), number, at: at(second) }
}

#[test]
fn sets_of_a_name_are_numbered_where_they_hold_and_told() {
    let (house, store) = open();
    let value = json!({ "무게": [0.1, 1e-7, -3, null, "\u{0}🎚"], "z": { "a": f64::MIN_POSITIVE } });
    let long = "긴 이름 ".repeat(20);
    for (number, write) in [
        (1, learn("a", "router", value.clone(), 5)),
        (2, learn("a", "router", json!(null), 3)),
        (1, learn("a", &long, json!([]), 4)),
        (1, learn("a", "Router", json!(1), 6)),
        (1, learn("b", "router", json!(2), 7)),
    ] {
        assert_eq!(make(&*store, write), Written::Numbered(number));
    }
    drop(store);
    let store = house.open();
    let sets = |after, limit| store.learned(&ns("a"), "router", after, limit).unwrap();
    let both = [set("router", 2, json!(null), 3), set("router", 1, value, 5)];
    assert_eq!(sets(0, 9), both);
    assert_eq!(sets(0, 1), both[..1]);
    assert_eq!(sets(1, 9), both[..1]);
    assert_eq!(sets(2, 9), [], "whoever has the latest is told nothing");
    assert_eq!(store.learned(&ns("a"), "unknown", 0, 9).unwrap(), []);
    assert_eq!(store.learned(&ns("nowhere"), "router", 0, 9).unwrap(), []);
    let marks = store.learned_marks(&ns("a")).unwrap();
    assert_eq!(marks, [mark("Router", 1, 6), mark("router", 2, 3), mark(&long, 1, 4)]);
    assert_eq!(store.learned_marks(&ns("nowhere")).unwrap(), []);
    let told = Happening::Learned { name: "router".into(), set: 2, reason: "왜: \"router\" 3".into() };
    assert_eq!(told_after(&*store, 0)[1], (at(3), told));
}

#[test]
fn of_many_sets_the_oldest_leave_and_numbers_go_on() {
    let (_house, store) = open();
    make(&*store, learn("a", "other", json!(0), 1));
    store.write((1..=23).map(|n| learn("a", "router", json!(n), n)).collect()).unwrap();
    let kept = store.learned(&ns("a"), "router", 0, 99).unwrap();
    assert_eq!((kept.len(), kept[0].number, kept[19].number), (20, 23, 4));
    assert_eq!(store.learned(&ns("a"), "other", 0, 99).unwrap().len(), 1);
}

#[test]
fn sets_follow_their_namespace_unless_the_other_has_some_of_their_name_and_leave_with_it() {
    let (_house, store) = open();
    for second in 1..=3 {
        make(&*store, learn("a", "router", json!(["a", second]), second));
        make(&*store, learn("a", "adapter", json!(["a", second]), second));
    }
    make(&*store, learn("b", "router", json!("b"), 9));
    make(&*store, Write::MoveNamespace { from: ns("a"), to: ns("b"), at: at(90) });
    assert_eq!(store.learned_marks(&ns("a")).unwrap(), []);
    assert_eq!(store.learned_marks(&ns("b")).unwrap(), [mark("adapter", 3, 3), mark("router", 1, 9)]);
    assert_eq!(store.learned(&ns("b"), "adapter", 0, 9).unwrap().len(), 3);
    assert_eq!(store.learned(&ns("b"), "router", 0, 9).unwrap(), [set("router", 1, json!("b"), 9)]);
    make(&*store, Write::DeleteNamespace { namespace: ns("b"), purge: false, at: at(91) });
    assert_eq!(store.learned_marks(&ns("b")).unwrap().len(), 2);
    make(&*store, Write::DeleteNamespace { namespace: ns("b"), purge: true, at: at(92) });
    assert_eq!(store.learned_marks(&ns("b")).unwrap(), []);
}
