//! The journal as its callers see it, on every backend.

use peri_store::{
    Embedding, IdOrigin, JournalQuery, Links, ListQuery, NewMemory, Order, Store, TurnQuery, Write, Written,
};
use peri_types::{EntryId, JournalEntry, JournalStatus, MemoryId, Scope, Turn, TurnId};

use crate::support::{at, memory, ns, open};

fn entry(namespace: &str, number: u8, second: i64) -> JournalEntry {
    JournalEntry {
        id: EntryId::from_bytes([number; 16]),
        namespace: ns(namespace),
        at: at(second),
        created_at: at(1000),
        session: Some(format!("회의 {}", number % 2)),
        actor: Some("小明".to_owned()),
        kind: if number == 0 { "alert" } else { "message" }.to_owned(),
        direction: None,
        status: Some(JournalStatus::Ok),
        turn: Some(TurnId::from_bytes([9; 16])),
        text: format!("말 {number} DEPLOYÉ 100%"),
        body: Some(serde_json::json!({ "深": [1, { "a": null }] })),
        gate: None,
        remember: number == 1,
        metadata: serde_json::Map::new(),
    }
}

fn turn(namespace: &str, number: u8, second: i64) -> Turn {
    Turn {
        id: TurnId::from_bytes([number; 16]),
        namespace: ns(namespace),
        started_at: at(second),
        finished_at: None,
        session: Some("회의".to_owned()),
        input: Some(EntryId::from_bytes([1; 16])),
        plan: None,
        tool_calls: vec![serde_json::json!({ "tool": "검색" })],
        tool_results: Vec::new(),
        output: None,
        output_text: None,
        status: None,
        error: None,
        metadata: serde_json::Map::new(),
    }
}

fn append(store: &dyn Store, entries: Vec<JournalEntry>) -> u64 {
    match store.write(vec![Write::AppendEntries { entries, at: at(0) }]).unwrap()[..] {
        [Written::Appended(count)] => count,
        ref other => panic!("not appended: {other:?}"),
    }
}

fn numbers(store: &dyn Store, query: JournalQuery) -> Vec<u8> {
    store.journal(&query).unwrap().entries.iter().map(|entry| entry.id.as_bytes()[0]).collect()
}

#[test]
fn entries_come_back_whole_and_an_id_that_is_there_is_left_as_it_is() {
    let (_house, store) = open();
    let entries = vec![entry("team/a", 0, 5), entry("team/a", 1, 3)];
    assert_eq!(append(&*store, entries.clone()), 2);
    let changed = JournalEntry { text: "other".to_owned(), ..entry("team/a", 0, 99) };
    assert_eq!(append(&*store, vec![changed, entry("team/b", 2, 4)]), 1);
    let ids: Vec<_> = [1, 7, 0].map(|number| EntryId::from_bytes([number; 16])).to_vec();
    let found = store.entries(&Scope::All, &ids).unwrap();
    assert_eq!(found, [entries[1].clone(), entries[0].clone()], "in the order asked for");
    assert!(store.entries(&Scope::Exact(ns("team/b")), &ids).unwrap().is_empty());
}

#[test]
fn queries_agree_with_their_definition_over_several_namespaces() {
    let (_house, store) = open();
    let all: Vec<_> = (0..8)
        .map(|number| entry(["a", "b/c"][usize::from(number % 2)], number, i64::from(number / 2)))
        .collect();
    append(&*store, all.clone());
    let any = JournalQuery::default;
    let queries = [
        any(),
        JournalQuery { scope: Scope::Under(ns("b")), ..any() },
        JournalQuery { session: Some("회의 1".to_owned()), ..any() },
        JournalQuery { actor: Some("nobody".to_owned()), ..any() },
        JournalQuery { kind: Some("alert".to_owned()), ..any() },
        JournalQuery { status: Some(JournalStatus::Error), ..any() },
        JournalQuery { turn: Some(TurnId::from_bytes([9; 16])), since: Some(at(2)), ..any() },
        JournalQuery { since: Some(at(1)), until: Some(at(3)), ..any() },
        JournalQuery { text: Some("deployé 말".to_owned()), ..any() },
        JournalQuery { text: Some("00% 3".to_owned()), ..any() },
        JournalQuery { text: Some("0_%".to_owned()), ..any() },
        JournalQuery { remembered_only: true, ..any() },
    ];
    for (number, query) in queries.into_iter().enumerate() {
        for order in [Order::NewestFirst, Order::OldestFirst] {
            let mut expected: Vec<_> = all.iter().filter(|entry| query.matches(entry)).collect();
            expected.sort_by_key(|entry| entry.position());
            if order == Order::NewestFirst {
                expected.reverse();
            }
            let expected: Vec<u8> = expected.iter().map(|entry| entry.id.as_bytes()[0]).collect();
            let query = JournalQuery { order, ..query.clone() };
            assert_eq!(numbers(&*store, query.clone()), expected, "case {number}");
            let (mut paged, mut page) = (Vec::new(), JournalQuery { limit: 3, ..query });
            loop {
                let read = store.journal(&page).unwrap();
                paged.extend(read.entries.iter().map(|entry| entry.id.as_bytes()[0]));
                page.after = read.next;
                if page.after.is_none() {
                    break;
                }
            }
            assert_eq!(paged, expected, "case {number}, page by page");
        }
    }
}

#[test]
fn a_turn_is_written_whole_each_time() {
    let (_house, store) = open();
    let begun = turn("team/a", 1, 10);
    let put =
        |turn: &Turn| store.write(vec![Write::PutTurn { turn: Box::new(turn.clone()), at: at(0) }]).unwrap();
    put(&begun);
    put(&turn("team/b", 2, 5));
    assert_eq!(store.turn(&Scope::All, begun.id).unwrap(), Some(begun.clone()));
    assert_eq!(store.turn(&Scope::Exact(ns("team/b")), begun.id).unwrap(), None);
    let finished = Turn {
        status: Some(JournalStatus::Error),
        error: Some("超时".to_owned()),
        finished_at: Some(at(20)),
        tool_calls: Vec::new(),
        plan: Some(serde_json::json!(["하나"])),
        ..begun
    };
    put(&finished);
    put(&finished);
    let page = store.turns(&TurnQuery::default()).unwrap();
    assert_eq!(page.turns, [finished.clone(), turn("team/b", 2, 5)]);
    let failed = TurnQuery { status: Some(JournalStatus::Error), ..TurnQuery::default() };
    assert_eq!(store.turns(&failed).unwrap().turns, [finished]);
    let first = store.turns(&TurnQuery { limit: 1, ..TurnQuery::default() }).unwrap();
    let rest = store.turns(&TurnQuery { after: first.next, ..TurnQuery::default() }).unwrap();
    assert_eq!((rest.turns, rest.next), (vec![turn("team/b", 2, 5)], None));
}

#[test]
fn what_is_old_is_dropped_and_told_of_and_the_rest_is_counted() {
    let (_house, store) = open();
    append(&*store, vec![entry("a", 0, 1), entry("a", 1, 2), entry("a", 2, 3), entry("b", 3, 1)]);
    store.write(vec![Write::PutTurn { turn: Box::new(turn("a", 1, 1)), at: at(0) }]).unwrap();
    let drop = || Write::DropJournal { scope: Scope::Exact(ns("a")), before: at(3), at: at(100) };
    let dropped = store.write(vec![drop()]).unwrap();
    assert_eq!(dropped, [Written::JournalDropped { entries: 2, turns: 1 }]);
    assert_eq!(store.write(vec![drop()]).unwrap(), [Written::JournalDropped { entries: 0, turns: 0 }]);
    let stats = store.journal_stats(&Scope::All).unwrap();
    let told: Vec<_> = stats.iter().map(|one| (one.namespace.as_str(), one.entries, one.turns)).collect();
    assert_eq!(told, [("a", 1, 0), ("b", 1, 0)]);
    assert_eq!((stats[0].oldest_at, stats[0].newest_at), (Some(at(3)), Some(at(3))));
    assert_eq!(stats[0].kinds, [("message".to_owned(), 1)]);
    assert_eq!(store.events(0, 100).unwrap().events.len(), 1, "told once");
    let late = Write::AppendEntries { entries: vec![entry("a", 9, 1)], at: at(50) };
    store.write(vec![late]).unwrap();
    let kept = store.write(vec![drop()]).unwrap();
    assert_eq!(kept, [Written::JournalDropped { entries: 0, turns: 0 }], "what has just come is not too old");
    let old = |before| JournalQuery { arrived_before: Some(at(before)), ..JournalQuery::default() };
    assert_eq!((numbers(&*store, old(50)).len(), numbers(&*store, old(51)).len()), (2, 3));
}

#[test]
fn a_memory_of_an_entry_is_made_once_and_found_by_it() {
    let (_house, store) = open();
    let entry = entry("a", 1, 1);
    append(&*store, vec![entry.clone()]);
    let mut made = memory("a", &entry.text);
    made.id = entry.id.memory();
    made.facets.entry = Some(entry.id);
    let derive = |content: &str| {
        let memory = peri_types::Memory { content: content.to_owned(), ..made.clone() };
        let new = Box::new(NewMemory {
            memory,
            embedding: Embedding::Pending,
            links: Links::Later,
            id: IdOrigin::Given,
        });
        store.write(vec![Write::Derive { new, at: at(50) }]).unwrap().remove(0)
    };
    assert_eq!(derive(&made.content), Written::Derived(true));
    assert_eq!(derive(&made.content), Written::Derived(false));
    let query = || ListQuery { entry: Some(entry.id), ..ListQuery::default() };
    let found: Vec<MemoryId> =
        store.list(&query()).unwrap().memories.iter().map(|memory| memory.id).collect();
    assert_eq!(found, [made.id]);
    store.write(vec![Write::Forget { scope: Scope::All, id: made.id, at: at(60) }]).unwrap();
    assert_eq!(derive("other words"), Written::Derived(false), "what lies in the trash stays there");
    assert!(store.list(&query()).unwrap().memories.is_empty());
}

#[test]
fn a_journal_moves_with_its_namespace_and_is_destroyed_with_it() {
    let (_house, store) = open();
    append(&*store, vec![entry("old", 0, 1), entry("old", 1, 2), entry("new", 1, 9)]);
    store.write(vec![Write::PutTurn { turn: Box::new(turn("old", 1, 1)), at: at(0) }]).unwrap();
    store.write(vec![Write::MoveNamespace { from: ns("old"), to: ns("new"), at: at(10) }]).unwrap();
    let at_new = |order| JournalQuery { scope: Scope::Exact(ns("new")), order, ..JournalQuery::default() };
    assert_eq!(numbers(&*store, at_new(Order::OldestFirst)), [0, 1]);
    assert_eq!(store.entries(&Scope::All, &[EntryId::from_bytes([1; 16])]).unwrap()[0].at, at(9));
    assert_eq!(store.turns(&TurnQuery::default()).unwrap().turns, [turn("new", 1, 1)]);
    store.write(vec![Write::DeleteNamespace { namespace: ns("new"), purge: true, at: at(11) }]).unwrap();
    assert!(store.journal_stats(&Scope::All).unwrap().is_empty());
}
