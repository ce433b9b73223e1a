//! Sessions: begun, ended, taken over, and read in order.

use peri_store::{Session, Store, StoreError, Write, Written};
use peri_types::{Happening, MemoryId, Scope};

use super::{events, make, told_after};
use crate::support::{at, ns, open};

fn session(name: &str, started: i64, ended: Option<i64>, summary: Option<u8>) -> Session {
    Session {
        namespace: ns("a"),
        name: name.to_owned(),
        started_at: at(started),
        ended_at: ended.map(at),
        summary: summary.map(|number| MemoryId::from_bytes([number; 16])),
    }
}

fn start(store: &dyn Store, name: &str, second: i64) -> Written {
    make(store, Write::StartSession { namespace: ns("a"), name: name.to_owned(), at: at(second) })
}

fn end(namespace: &str, name: &str, summary: Option<u8>, second: i64) -> Write {
    let summary = summary.map(|number| MemoryId::from_bytes([number; 16]));
    Write::EndSession { namespace: ns(namespace), name: name.to_owned(), summary, at: at(second) }
}

fn told(session: Session) -> Written {
    Written::Session(Box::new(session))
}

#[test]
fn a_session_ends_with_its_summary_and_may_go_on() {
    let (house, store) = open();
    assert_eq!(start(&*store, "회의 🍵", 1), told(session("회의 🍵", 1, None, None)));
    assert_eq!(make(&*store, end("a", "회의 🍵", Some(7), 5)), told(session("회의 🍵", 1, Some(5), Some(7))));
    assert_eq!(start(&*store, "회의 🍵", 8), told(session("회의 🍵", 1, None, Some(7))), "it goes on");
    assert_eq!(start(&*store, "회의 🍵", 9), told(session("회의 🍵", 1, None, Some(7))), "as it is");
    let ended = session("회의 🍵", 1, Some(10), Some(7));
    assert_eq!(make(&*store, end("a", "회의 🍵", None, 10)), told(ended.clone()), "what sums it up stays");
    let begun = || Happening::SessionStarted { session: "회의 🍵".into() };
    let over = |summary: Option<u8>| Happening::SessionEnded {
        session: "회의 🍵".into(),
        summary: summary.map(|number| MemoryId::from_bytes([number; 16])),
    };
    let expected = [(at(1), begun()), (at(5), over(Some(7))), (at(8), begun()), (at(10), over(None))];
    assert_eq!(told_after(&*store, 0), expected);
    drop(store);
    assert_eq!(house.open().sessions(&Scope::All, 9).unwrap(), [ended]);
}

#[test]
fn a_session_that_nobody_began_cannot_end() {
    let (_house, store) = open();
    start(&*store, "Chat", 1);
    let before = events(&*store);
    for (namespace, name) in [("a", "chat"), ("a", "Chat "), ("b", "Chat"), ("a", "")] {
        let error = store.write(vec![end(namespace, name, None, 5)]).unwrap_err();
        let StoreError::NoSession { name: told, namespace: place } = error else { panic!("{error}") };
        assert_eq!((told.as_str(), place), (name, ns(namespace)));
    }
    assert_eq!(events(&*store), before);
    assert_eq!(store.sessions(&Scope::All, 9).unwrap(), [session("Chat", 1, None, None)]);
}

#[test]
fn a_session_from_another_store_is_taken_over_unless_it_is_here() {
    let (_house, store) = open();
    start(&*store, "here", 1);
    let adopt = |session: &Session| make(&*store, Write::AdoptSession(Box::new(session.clone())));
    let whole = session("다른 곳", 2, Some(3), Some(9));
    let before = events(&*store);
    assert_eq!(adopt(&whole), Written::Done);
    assert_eq!(adopt(&session("here", 50, Some(60), Some(1))), Written::Done);
    assert_eq!(adopt(&session("다른 곳", 0, None, None)), Written::Done);
    let elsewhere = Session { namespace: ns("b/c"), ..session("here", 4, None, None) };
    assert_eq!(adopt(&elsewhere), Written::Done);
    let here = session("here", 1, None, None);
    assert_eq!(store.sessions(&Scope::All, 9).unwrap(), [elsewhere.clone(), whole.clone(), here.clone()]);
    assert_eq!(store.sessions(&Scope::Exact(ns("a")), 9).unwrap(), [whole.clone(), here]);
    assert_eq!(store.sessions(&Scope::Under(ns("b")), 9).unwrap(), std::slice::from_ref(&elsewhere));
    assert_eq!(store.sessions(&Scope::All, 2).unwrap(), [elsewhere, whole]);
    assert_eq!(events(&*store), before, "that they once began is no news");
}

#[test]
fn sessions_are_read_page_by_page_in_the_order_of_their_bytes() {
    let (_house, store) = open();
    let names = ["Z", "a", "a ", "a b", "b", "é", "中文", "가", "나", "🍵"];
    for (second, name) in (1..).zip(names.iter().rev()) {
        start(&*store, name, second);
    }
    make(&*store, Write::StartSession { namespace: ns("b"), name: "elsewhere".into(), at: at(0) });
    for size in 1..=4 {
        let mut read: Vec<String> = Vec::new();
        loop {
            let page = store.sessions_after(&ns("a"), read.last().map(String::as_str), size).unwrap();
            assert!(page.len() <= size);
            if page.is_empty() {
                break;
            }
            read.extend(page.into_iter().map(|session| session.name));
        }
        assert_eq!(read, names, "{size} at a time");
    }
    assert_eq!(store.sessions_after(&ns("a"), Some("나"), 9).unwrap(), [session("🍵", 1, None, None)]);
    assert_eq!(store.sessions_after(&ns("a"), Some("없는 이름"), 1).unwrap()[0].name, "🍵");
    assert_eq!(store.sessions_after(&ns("nowhere"), None, 9).unwrap(), []);
}
