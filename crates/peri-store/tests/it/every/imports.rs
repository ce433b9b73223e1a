//! Taking over an export part by part, and how far that is.

use peri_store::{
    Adopted, Embedding, ImportNote, ImportPart, ImportState, Links, Missing, OnConflict, Session, StoreError,
    Told, WholeMemory, Write, Written,
};
use peri_types::{Edge, EdgeType, Happening, Memory, Scope, Severity, Version};

use super::{events, forget, get, make, nobody, told_after, vector_of};
use crate::support::{at, keep, memory, ns, open, vector};

fn whole(memory: Memory, x: f32) -> WholeMemory {
    let before = Version { version: 1, content: "전에는".into(), since: at(0), until: at(1) };
    WholeMemory {
        memory: Memory { version: 2, ..memory },
        versions: vec![before],
        recalls: 4,
        last_used_at: Some(at(2)),
        embedding: Embedding::Ready(vector(x)),
        merge: None,
        links: Links::Sought,
    }
}

fn adopt(whole: &WholeMemory, on_conflict: OnConflict) -> Write {
    Write::Adopt { whole: Box::new(whole.clone()), on_conflict, at: at(9) }
}

fn import(writes: Vec<Write>, note: Option<ImportNote>) -> Write {
    Write::Import(Box::new(ImportPart { writes, note }))
}

fn note(name: &str, state: &ImportState, second: i64) -> Option<ImportNote> {
    Some(ImportNote { name: name.to_owned(), state: state.clone(), at: at(second) })
}

fn link(source: &Memory, target: &Memory) -> Write {
    let (edge_type, weight, created_at) = (EdgeType::RelatedTo, 0.5, at(3));
    let edge = Edge { source: source.id, target: target.id, edge_type, weight, created_at };
    Write::Link { namespace: ns("a"), edges: vec![edge], max: 20, missing: Missing::Skipped }
}

fn session(name: &str) -> Write {
    let (namespace, name) = (ns("a"), name.to_owned());
    Write::AdoptSession(Box::new(Session {
        namespace,
        name,
        started_at: at(1),
        ended_at: None,
        summary: None,
    }))
}

#[test]
fn a_part_is_taken_over_with_a_note_of_what_became_of_it() {
    let (house, store) = open();
    let [one, two] = ["하나", "둘"].map(|content| whole(memory("a", content), 0.25));
    let begun = ImportState { started_at: at(5), lines: 4, bytes: 1 << 40, ..ImportState::default() };
    let writes = vec![
        adopt(&one, OnConflict::Keep),
        adopt(&two, OnConflict::Keep),
        link(&one.memory, &two.memory),
        link(&one.memory, &Memory { id: nobody(), ..two.memory.clone() }),
        session("회의"),
    ];
    let added = || Written::Adopted(Adopted::Added);
    let expected = vec![added(), added(), Written::Linked(1), Written::Linked(0), Written::Done];
    assert_eq!(make(&*store, import(writes, note("가져오기 1", &begun, 6))), Written::Imported(expected));
    let state = ImportState { added: 2, edges: 1, refused: 1, ..begun };
    assert_eq!(store.import_state("가져오기 1").unwrap(), Some(state.clone()));
    assert_eq!(store.import_state("가져오기").unwrap(), None);
    for one in [&one, &two] {
        let here = get(&*store, one.memory.id).unwrap();
        let expected = Memory { space: Some(vector(0.25).space), change: here.change, ..one.memory.clone() };
        assert_eq!(here, expected);
        assert_eq!(store.versions(&ns("a"), here.id).unwrap(), one.versions);
        assert_eq!(store.usage(&ns("a"), here.id).unwrap(), Some((4, at(2))));
        assert_eq!(vector_of(&*store, &here), Some(vector(0.25).values));
    }

    let mut said = whole(memory("a", "둘"), 0.5);
    said.memory.facets.tags = vec!["새".into()];
    let second = ImportState { lines: 9, ..state };
    let writes = vec![
        adopt(&one, OnConflict::Keep),
        adopt(
            &whole(Memory { content: "하나, 고침".into(), updated_at: at(8), ..one.memory.clone() }, 0.75),
            OnConflict::Replace,
        ),
        adopt(&said, OnConflict::Replace),
        adopt(&said, OnConflict::TakeOver),
    ];
    let expected = [
        Adopted::Known,
        Adopted::Replaced,
        Adopted::SaidBy(two.memory.id),
        Adopted::InsteadOf(two.memory.id),
    ];
    let expected = expected.map(Written::Adopted).to_vec();
    assert_eq!(make(&*store, import(writes, note("가져오기 1", &second, 7))), Written::Imported(expected));
    drop(store);
    let store = house.open();
    let state = ImportState { known: 2, replaced: 2, trashed: 1, ..second };
    assert_eq!(store.import_state("가져오기 1").unwrap(), Some(state), "the note is replaced");
    assert_eq!(get(&*store, one.memory.id).unwrap().content, "하나, 고침");
    assert_eq!(get(&*store, two.memory.id).unwrap().trashed_at, Some(at(9)));
    assert_eq!(store.said_by(&ns("a"), said.memory.fingerprint()).unwrap(), Some(said.memory.id));
}

#[test]
fn a_part_that_fails_leaves_nothing_and_the_note_as_it_was() {
    let (_house, store) = open();
    let state = ImportState { lines: 1, ..ImportState::default() };
    assert_eq!(make(&*store, import(Vec::new(), note("x", &state, 1))), Written::Imported(Vec::new()));
    let one = whole(memory("a", "하나"), 0.25);
    let unknown = Memory { id: nobody(), ..one.memory.clone() };
    let later = ImportState { lines: 5, ..state.clone() };
    let writes = vec![adopt(&one, OnConflict::Keep), session("회의"), forget(&unknown, 1)];
    let error = store.write(vec![import(writes, note("x", &later, 2))]).unwrap_err();
    assert!(matches!(error, StoreError::NotFound { id } if id == nobody()), "{error}");
    assert_eq!(store.import_state("x").unwrap(), Some(state));
    assert_eq!((get(&*store, one.memory.id), store.sessions(&Scope::All, 9).unwrap()), (None, Vec::new()));
    let without_note = import(vec![adopt(&one, OnConflict::Keep)], None);
    assert_eq!(make(&*store, without_note), Written::Imported(vec![Written::Adopted(Adopted::Added)]));
    assert_eq!(store.import_state("").unwrap(), None);
}

#[test]
fn notes_of_imports_are_dropped_by_name_or_by_age() {
    let (_house, store) = open();
    let state = ImportState::default();
    for (name, second) in [("가", 1), ("나", 2), ("다", 3), ("Da", 1)] {
        make(&*store, import(Vec::new(), note(name, &state, second)));
    }
    let left = || {
        let known = |name: &&str| store.import_state(name).unwrap().is_some();
        ["가", "나", "다", "Da"].into_iter().filter(known).collect::<Vec<_>>()
    };
    for name in ["unknown", "", "da"] {
        assert_eq!(make(&*store, Write::DropImport { name: name.into() }), Written::Done);
    }
    assert_eq!(left(), ["가", "나", "다", "Da"]);
    assert_eq!(make(&*store, Write::DropImport { name: "Da".into() }), Written::Done);
    assert_eq!(left(), ["가", "나", "다"]);
    assert_eq!(make(&*store, Write::DropImports { before: at(2) }), Written::Done);
    assert_eq!(left(), ["나", "다"]);
    assert_eq!(make(&*store, Write::DropImports { before: at(100) }), Written::Done);
    assert_eq!(left(), [""; 0]);
}

#[test]
fn up_to_when_orbits_are_settled_is_taken_over_once() {
    let (_house, store) = open();
    keep(&*store, "a", "하나");
    keep(&*store, "b", "둘");
    let adopt = |namespace, second| {
        make(&*store, Write::AdoptSettled { namespace: ns(namespace), settled_at: at(second) })
    };
    assert_eq!(adopt("a", 100), Written::Done);
    assert_eq!(adopt("a", 200), Written::Done);
    assert_eq!(store.orbit(&ns("a")).unwrap().settled_at, Some(at(100)), "it was settled");
    assert_eq!(store.orbit(&ns("b")).unwrap().settled_at, None);
    assert_eq!(store.unsettled(at(100)).unwrap(), [ns("b")]);
    assert_eq!(adopt("새로운-곳", 300), Written::Done);
    assert_eq!(store.orbit(&ns("새로운-곳")).unwrap().settled_at, Some(at(300)));
}

#[test]
fn what_is_told_apart_is_an_event_like_any_other() {
    let (_house, store) = open();
    keep(&*store, "a", "하나");
    let before = events(&*store);
    let imported = Told { namespace: None, at: at(5), what: Happening::Imported { memories: 3, edges: 0 } };
    let (worker, ids) = ("연결".to_owned(), vec![nobody()]);
    let what = Happening::WorkerAlert {
        worker,
        severity: Severity::Critical,
        message: "느리다 🐢".into(),
        ids,
        file: Some("C:\\길".into()),
    };
    let alert = Told { namespace: Some(ns("nowhere")), at: at(4), what };
    let told = [imported, alert];
    let written = store.write(told.iter().cloned().map(Write::Tell).collect()).unwrap();
    assert_eq!(written, [Written::Done, Written::Done]);
    let page = store.events(before.last().unwrap().number, 9).unwrap();
    let read: Vec<_> = page
        .events
        .into_iter()
        .map(|one| Told { namespace: one.namespace, at: one.at, what: one.what })
        .collect();
    assert_eq!(read, told);
    assert_eq!(page.waiting, before.len() as u64 + 2);
    assert_eq!(told_after(&*store, before.len()).len(), 2);
    assert_eq!(store.namespaces(&Scope::All).unwrap(), [ns("a")], "no namespace comes of it");
}

#[test]
fn when_a_memory_came_in_is_told_of_those_that_did() {
    let (_house, store) = open();
    let told = keep(&*store, "a", "여기서 말한 것");
    let came = whole(memory("a", "들어온 것"), 0.25);
    make(&*store, adopt(&came, OnConflict::Keep));
    assert_eq!(store.arrived_at(&ns("a"), came.memory.id).unwrap(), Some(at(9)));
    assert_eq!(store.arrived_at(&ns("a"), told.id).unwrap(), None);
    assert_eq!(store.arrived_at(&ns("a"), nobody()).unwrap(), None);
    assert_eq!(store.arrived_at(&ns("nowhere"), came.memory.id).unwrap(), None);
}

#[test]
fn a_session_is_found_by_its_exact_name_where_it_is() {
    let (_house, store) = open();
    make(&*store, session("회의"));
    make(&*store, session("Standup"));
    let found = |namespace: &str, name: &str| {
        store.session(&ns(namespace), name).unwrap().map(|own| (own.name, own.started_at))
    };
    assert_eq!(found("a", "회의"), Some(("회의".to_owned(), at(1))));
    assert_eq!(found("a", "Standup"), Some(("Standup".to_owned(), at(1))));
    for (namespace, name) in [("a", "standup"), ("a", "Standup "), ("a", ""), ("b", "회의")] {
        assert_eq!(found(namespace, name), None, "{namespace} {name:?}");
    }
}
