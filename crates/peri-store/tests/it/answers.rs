//! Answers that are kept for those who ask again.

use peri_store::{KeptAnswer, Store, StoreError, Write, Written};

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

#[test]
fn what_is_claimed_is_made_once_and_keeps_what_it_came_to_until_the_answer_is_there() {
    let (_folder, store) = open();
    let came_to = KeptAnswer { status: KeptAnswer::MADE, ..answer("a", "x", 5) };
    let claim =
        |came_to: &KeptAnswer, before| Write::Claim { answer: Box::new(came_to.clone()), before: at(before) };
    let make = |claim: Write, content: &str| {
        let write =
            crate::support::remember(crate::support::memory("a", content), peri_store::Embedding::Pending);
        store.write(vec![claim, write])
    };
    let made = make(claim(&came_to, 0), "one").unwrap();
    assert!(matches!(&made[..], [Written::Done, Written::Stored(_)]), "{made:?}");
    assert_eq!(store.answer("a", "x").unwrap(), Some(came_to.clone()), "written with what it tells of");
    assert_eq!(make(claim(&came_to, 0), "two").unwrap(), [Written::Repeated, Written::Repeated]);
    let other = KeptAnswer { digest: [9; 32], ..came_to.clone() };
    let error = make(claim(&other, 0), "three").unwrap_err();
    assert!(matches!(&error, StoreError::RequestKeyTaken { key } if key == "x"), "{error}");
    // The answer takes its place, and then stays.
    let given = answer("a", "x", 6);
    assert_eq!(keep(&*store, &given), given);
    assert_eq!(make(claim(&came_to, 0), "four").unwrap(), [Written::Repeated, Written::Repeated]);
    assert_eq!(store.stats(&peri_types::Scope::All).unwrap()[0].memories, 1);
    // What is too old to count stands in nobody's way, and what fails claims nothing.
    assert!(matches!(make(claim(&came_to, 7), "five").unwrap()[1], Written::Stored(_)));
    let again = KeptAnswer { status: KeptAnswer::MADE, ..answer("a", "y", 8) };
    let missing = Write::Forget {
        scope: peri_types::Scope::All,
        id: peri_types::MemoryId::from_bytes([1; 16]),
        at: at(8),
    };
    store.write(vec![claim(&again, 0), missing]).unwrap_err();
    assert_eq!(store.answer("a", "y").unwrap(), None);
}
