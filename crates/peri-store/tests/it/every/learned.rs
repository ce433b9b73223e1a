//! Feedback, and the weights that were drawn from it.

use peri_store::{FeedbackRecord, JudgedResult, Store, WeightSet, Write, Written};
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
