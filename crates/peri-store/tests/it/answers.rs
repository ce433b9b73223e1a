//! Answers that are kept for those who ask again.

use peri_store::{KeptAnswer, Store, Write, Written};

use crate::support::{at, open};

fn answer(caller: &str, key: &str, second: i64) -> KeptAnswer {
    KeptAnswer {
        caller: caller.to_owned(),
        key: key.to_owned(),
        digest: [3; 32],
        status: 201,
        body: b"{\"id\":\"\xff\0\"}".to_vec(),
        at: at(second),
    }
}

fn keep(store: &dyn Store, answer: &KeptAnswer) -> KeptAnswer {
    match store.write(vec![Write::KeepAnswer(Box::new(answer.clone()))]).unwrap().remove(0) {
        Written::Answer(kept) => *kept,
        other => panic!("not kept: {other:?}"),
    }
}

#[test]
fn an_answer_comes_back_whole_to_its_caller_alone_after_opening_again() {
    let (folder, store) = open();
    let given = answer("k3tq7zab", "request 1", 0);
    assert_eq!(keep(&*store, &given), given);
    drop(store);
    let store = folder.open();
    assert_eq!(store.answer("k3tq7zab", "request 1").unwrap(), Some(given));
    assert_eq!(store.answer("k3tq7zab", "request 2").unwrap(), None);
    assert_eq!(store.answer("somebody", "request 1").unwrap(), None);
}

#[test]
fn the_first_answer_stays() {
    let (_folder, store) = open();
    let first = answer("a", "x", 0);
    keep(&*store, &first);
    let second = KeptAnswer { status: 500, digest: [4; 32], ..answer("a", "x", 1) };
    assert_eq!(keep(&*store, &second), first);
    assert_eq!(store.answer("a", "x").unwrap(), Some(first));
}

#[test]
fn answers_from_before_a_time_are_dropped_and_no_others() {
    let (_folder, store) = open();
    assert_eq!(store.oldest_answer().unwrap(), None);
    for second in [1, 2, 3] {
        keep(&*store, &answer("a", &second.to_string(), second));
    }
    assert_eq!(store.oldest_answer().unwrap(), Some(at(1)));
    store.write(vec![Write::DropAnswers { before: at(3) }]).unwrap();
    assert_eq!(store.oldest_answer().unwrap(), Some(at(3)));
    assert_eq!(store.answer("a", "2").unwrap(), None);
    assert_eq!(store.answer("a", "3").unwrap(), Some(answer("a", "3", 3)));
    assert!(store.events(0, 9).unwrap().events.is_empty(), "answers are no events");
}
