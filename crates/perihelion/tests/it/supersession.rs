//! What replaces what, until when things held, and what held at a time in the past.

use jiff::SignedDuration;
use perihelion::{
    Clock, ConsolidationSettings, EdgeType, ErrorKind, MemoryId, Options, Perihelion, Recall, Remember,
    Revise, Scope, Timestamp,
};
use tempfile::TempDir;

use crate::support::{ask, contents, keep, kind_of, ns, options, time};

const DAY: SignedDuration = SignedDuration::from_hours(24);

/// An engine whose clock is moved by hand.
pub fn clocked() -> (TempDir, Perihelion, Clock) {
    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::manual(time("2026-01-01T00:00:00Z"));
    let engine = Perihelion::open(Options { clock: clock.clone(), ..options(folder.path()) }).unwrap();
    (folder, engine, clock)
}

fn held(engine: &Perihelion, query: &str, then: Timestamp) -> Vec<String> {
    let found = engine.recall(&Recall::new(query).as_of(then)).unwrap();
    found.hits.into_iter().map(|hit| hit.memory.content).collect()
}

fn successor(engine: &Perihelion, id: MemoryId) -> Option<MemoryId> {
    engine.get(&Scope::All, id).unwrap().facets.superseded_by
}

/// An old value, a new one, and a question about it.
const CHANGES: [(&str, &str, &str); 7] = [
    ("Ana lives in Berlin", "Ana moved to Lisbon", "Ana Berlin Lisbon"),
    ("The staging server is Ganymede", "The staging server is Callisto now", "what is the staging server?"),
    ("We use MySQL", "We switched from MySQL to PostgreSQL", "do we use MySQL or PostgreSQL?"),
    ("Standup is at 9:30", "Standup moved to 10:00", "when is standup?"),
    ("Ana's favourite colour is blue", "Ana's favourite colour is green", "what is Ana's favourite colour?"),
    ("민수는 서울에 산다.", "민수는 부산으로 이사했다.", "민수는 서울 부산"),
    ("默认分支是master", "默认分支现在是main", "默认分支"),
];

#[test]
fn a_new_value_replaces_the_old_one_and_the_past_is_still_known() {
    for (old, new, question) in CHANGES {
        let (_folder, engine, clock) = clocked();
        let first = keep(&engine, old);
        let at_first = clock.now();
        clock.advance(DAY * 10);
        let receipt = engine.remember(Remember::new(new)).unwrap();
        assert_eq!(receipt.superseded, [first], "{new}");
        clock.advance(DAY * 10);
        assert_eq!(contents(&ask(&engine, question)), [new]);
        assert_eq!(held(&engine, question, at_first + DAY * 5), [old]);
        assert_eq!(held(&engine, question, at_first + DAY * 15), [new]);
        assert!(held(&engine, question, at_first - DAY).is_empty(), "nothing held before it was said");
        let old = engine.get(&Scope::All, first).unwrap();
        assert_eq!(old.facets.superseded_by, Some(receipt.id));
        assert_eq!(old.facets.valid_until, Some(at_first + DAY * 10));
        let edges = engine.edges(&Scope::All, first).unwrap();
        let replaces = |edge: &&perihelion::Edge| edge.edge_type == EdgeType::Supersedes;
        assert_eq!(edges.iter().find(replaces).map(|edge| edge.source), Some(receipt.id));
    }
}

#[test]
fn a_chain_of_changes_is_known_at_every_time_and_told_by_its_history() {
    let (_folder, engine, clock) = clocked();
    let values = ["Ana lives in Berlin", "Ana now lives in Lisbon", "Ana now lives in Oslo"];
    let (mut ids, mut times) = (Vec::new(), Vec::new());
    for value in values {
        times.push(clock.now());
        ids.push(keep(&engine, value));
        clock.advance(DAY * 10);
    }
    assert_eq!(contents(&ask(&engine, "where does Ana live?")), [values[2]]);
    for (then, value) in times.iter().zip(values) {
        assert_eq!(held(&engine, "where does Ana live?", *then + DAY), [value]);
    }
    let told = |memories: Vec<perihelion::Memory>| memories.iter().map(|one| one.id).collect::<Vec<_>>();
    let history = |at: usize| engine.history(&Scope::All, ids[at]).unwrap();
    assert_eq!(told(history(0).replaced_by), [ids[1], ids[2]]);
    assert_eq!(told(history(2).replaces), [ids[1], ids[0]], "the latest first");
    assert_eq!((told(history(1).replaced_by), told(history(1).replaces)), (vec![ids[2]], vec![ids[0]]));
}

#[test]
fn what_is_said_later_about_an_earlier_time_takes_its_place_in_the_past() {
    let (_folder, engine, clock) = clocked();
    let current = keep(&engine, "Ana now lives in Lisbon");
    let said = clock.now();
    clock.advance(DAY);
    let mut request = Remember::new("Ana lives in Berlin");
    request.facets.valid_from = Some(said - DAY * 100);
    let receipt = engine.remember(request).unwrap();
    assert!(receipt.superseded.is_empty(), "it replaces nothing");
    assert_eq!(successor(&engine, receipt.id), Some(current));
    assert_eq!(contents(&ask(&engine, "where does Ana live?")), ["Ana now lives in Lisbon"]);
    assert_eq!(held(&engine, "where does Ana live?", said - DAY * 50), ["Ana lives in Berlin"]);
    assert_eq!(held(&engine, "where does Ana live?", said), ["Ana now lives in Lisbon"]);
}

#[test]
fn what_holds_for_a_time_is_not_seen_after_it_and_still_known_of_it() {
    let (_folder, engine, clock) = clocked();
    let start = clock.now();
    let content = "The heating is off for repairs";
    let mut request = Remember::new(content);
    request.facets.valid_until = Some(start + DAY * 3);
    let id = engine.remember(request).unwrap().id;
    assert_eq!(contents(&ask(&engine, "heating")), [content]);
    clock.advance(DAY * 3);
    assert!(ask(&engine, "heating").hits.is_empty());
    assert_eq!(held(&engine, "heating", start + DAY * 2), [content]);
    assert!(held(&engine, "heating", start + DAY * 3).is_empty());
    engine.revise(&Scope::All, id, Revise { valid_until: Some(None), ..Revise::default() }).unwrap();
    assert_eq!(contents(&ask(&engine, "heating")), [content]);
    let expires_at = Some(Some(start + DAY));
    engine.revise(&Scope::All, id, Revise { expires_at, ..Revise::default() }).unwrap();
    assert!(held(&engine, "heating", start).is_empty(), "what has expired is not told of any time");
}

#[test]
fn the_old_value_is_current_while_its_successor_is_away_also_when_it_was_revised_meanwhile() {
    let (_folder, engine, clock) = clocked();
    let old = keep(&engine, "Ana lives in Berlin");
    clock.advance(DAY);
    let new = keep(&engine, "Ana moved to Lisbon");
    let question = "Ana Berlin Lisbon";
    engine.forget(&Scope::All, new).unwrap();
    assert_eq!(contents(&ask(&engine, question)), ["Ana lives in Berlin"]);
    let content = Some("Ana lives in Berlin, in Kreuzberg".to_owned());
    engine.revise(&Scope::All, old, Revise { content, ..Revise::default() }).unwrap();
    assert_eq!(contents(&ask(&engine, question)), ["Ana lives in Berlin, in Kreuzberg"]);
    engine.restore(&Scope::All, new).unwrap();
    assert_eq!(contents(&ask(&engine, question)), ["Ana moved to Lisbon"]);
    assert_eq!(successor(&engine, old), Some(new));
    engine.forget(&Scope::All, new).unwrap();
    engine.purge(&Scope::All, new).unwrap();
    assert_eq!(contents(&ask(&engine, question)), ["Ana lives in Berlin, in Kreuzberg"]);
    assert_eq!(successor(&engine, old), None);
}

#[test]
fn circles_and_successors_that_are_not_there_are_refused() {
    let (_folder, engine, _clock) = clocked();
    let ids = ["a heron", "a stork", "a crane"].map(|text| keep(&engine, text));
    let by = |newer| Revise { superseded_by: Some(Some(newer)), ..Revise::default() };
    engine.revise(&Scope::All, ids[0], by(ids[1])).unwrap();
    engine.revise(&Scope::All, ids[1], by(ids[2])).unwrap();
    for newer in ids {
        let refused = engine.revise(&Scope::All, ids[2], by(newer));
        assert_eq!(kind_of(refused), Some(ErrorKind::Conflict));
    }
    let elsewhere = engine.remember(Remember::new("a swan").in_namespace(ns("other"))).unwrap().id;
    let refused = engine.revise(&Scope::All, ids[2], by(elsewhere));
    assert_eq!(kind_of(refused), Some(ErrorKind::NotFound));
    assert_eq!(contents(&ask(&engine, "a crane")), ["a crane"]);
}

#[test]
fn a_new_value_replaces_nothing_in_another_namespace_nor_in_a_conversation() {
    let (_folder, engine, _clock) = clocked();
    let here = keep(&engine, "Ana lives in Berlin");
    let turn = engine.remember(Remember::new("Ana lives in Berlin").said("monday", "Ben")).unwrap().id;
    let receipt = engine.remember(Remember::new("Ana moved to Lisbon").in_namespace(ns("other"))).unwrap();
    assert!(receipt.superseded.is_empty());
    let receipt = engine.remember(Remember::new("Ana moved to Lisbon").said("monday", "Ben")).unwrap();
    assert!(receipt.superseded.is_empty());
    engine.maintain().unwrap();
    assert_eq!((successor(&engine, here), successor(&engine, turn)), (None, None));
}

#[test]
fn what_a_memory_said_at_a_time_is_what_it_is_recalled_with() {
    let (_folder, engine, clock) = clocked();
    let start = clock.now();
    let mut request = Remember::new("The gate code is 1111");
    request.facets.occurred_at = Some(start - DAY * 30);
    let id = engine.remember(request).unwrap().id;
    for code in ["2222", "3333"] {
        clock.advance(DAY * 10);
        let content = Some(format!("The gate code is {code}"));
        engine.revise(&Scope::All, id, Revise { content, ..Revise::default() }).unwrap();
    }
    clock.advance(DAY * 10);
    engine.revise(&Scope::All, id, Revise { pinned: Some(true), ..Revise::default() }).unwrap();
    for (days, code) in [(-20, "1111"), (5, "1111"), (10, "2222"), (15, "2222"), (25, "3333"), (35, "3333")] {
        let then = start + DAY * days;
        assert_eq!(held(&engine, "gate code", then), [format!("The gate code is {code}")], "day {days}");
    }
    assert!(held(&engine, "gate code", start - DAY * 31).is_empty());
    assert_eq!(contents(&ask(&engine, "gate code")), ["The gate code is 3333"]);
}

#[test]
fn going_back_to_an_old_value_makes_it_current() {
    let (_folder, engine, clock) = clocked();
    for value in ["Ana lives in Berlin", "Ana now lives in Lisbon", "Ana now lives in Berlin"] {
        keep(&engine, value);
        clock.advance(DAY);
    }
    assert_eq!(contents(&ask(&engine, "where does Ana live?")), ["Ana now lives in Berlin"]);
    let again = engine.remember(Remember::new("Ana now lives in Lisbon")).unwrap();
    assert_eq!(successor(&engine, again.id), None, "said again, it holds again");
    assert_eq!(contents(&ask(&engine, "where does Ana live?")), ["Ana now lives in Lisbon"]);
}

#[test]
fn of_the_values_of_one_batch_the_last_one_holds() {
    for fillers in [0, 70] {
        let (_folder, engine, _clock) = clocked();
        let values = ["blue", "green", "red"].map(|colour| format!("Ana's favourite colour is {colour}"));
        let fillers = (0..fillers).map(|i| format!("Quixou{}", "ab".repeat(i + 1)));
        engine.remember_all(values.iter().cloned().chain(fillers).map(Remember::new).collect()).unwrap();
        engine.maintain().unwrap();
        assert_eq!(contents(&ask(&engine, "what is Ana's favourite colour?")), [&values[2]]);
    }
}

#[test]
fn the_setting_keeps_old_values_current() {
    let folder = tempfile::tempdir().unwrap();
    let consolidation = ConsolidationSettings { supersede: false, ..ConsolidationSettings::default() };
    let engine = Perihelion::open(Options { consolidation, ..options(folder.path()) }).unwrap();
    for (old, new, _) in CHANGES {
        let first = keep(&engine, old);
        assert!(engine.remember(Remember::new(new)).unwrap().superseded.is_empty());
        assert_eq!(successor(&engine, first), None);
    }
}
