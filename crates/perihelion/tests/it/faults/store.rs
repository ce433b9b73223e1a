//! A store that fails at any call in turn: the error is told, nothing is half done, and the next try works.

mod chores;
pub mod faulty;

use std::path::Path;
use std::sync::Arc;

use peri_store::{ListQuery, Store, StoreError};
use perihelion::{
    EdgeType, ErrorKind, Feedback, MemoryId, Namespace, NewAnswer, NewEdge, NewKey, Perihelion, Recall,
    Remember, Revise, Role, Scope, Trashed,
};

use crate::support::{all, ask, contents, finds, keep, options};
use faulty::Faulty;

const METHODS: [&str; 33] = [
    "identity",
    "write",
    "get",
    "list",
    "versions",
    "head",
    "changes",
    "namespaces",
    "stats",
    "record_usage",
    "usage",
    "acquire_lease",
    "release_lease",
    "lease",
    "orbit",
    "unsettled",
    "edge_changes",
    "edges_of",
    "edges_after",
    "sessions_after",
    "feedback_after",
    "frozen",
    "merges",
    "sessions",
    "feedback",
    "weights",
    "events",
    "keys",
    "key",
    "has_keys",
    "note_key_uses",
    "answer",
    "oldest_answer",
];

pub fn errors() -> [(StoreError, ErrorKind); 2] {
    let path = std::path::PathBuf::from("perihelion.db");
    [
        (StoreError::DiskFailed { path: path.clone(), detail: "planned".into() }, ErrorKind::Unavailable),
        (StoreError::Database { path, detail: "planned".into() }, ErrorKind::Internal),
    ]
}

/// What is there, apart from ids and times, so that two runs can be compared.
fn picture(engine: &Perihelion) -> Vec<(String, bool, u32, usize)> {
    let sides = [(Trashed::Without, false), (Trashed::Only, true)];
    let memories = sides
        .into_iter()
        .flat_map(|(side, trashed)| all(engine, side).into_iter().map(move |m| (m, trashed)));
    memories
        .map(|(memory, trashed)| {
            let history = engine.history(&Scope::All, memory.id).unwrap().versions.len();
            (memory.content, trashed, memory.version, history)
        })
        .collect()
}

type Step = fn(&Perihelion, &[MemoryId]) -> Result<Vec<MemoryId>, perihelion::Error>;

/// A life in steps, each of which can be tried again. A step returns the ids it made.
const STEPS: [(&str, Step); 23] = [
    ("remember", |engine, _| Ok(vec![engine.remember(Remember::new("the first memory, about herons"))?.id])),
    ("remember all", |engine, _| {
        let batch = (0..80).map(|i| Remember::new(format!("heron number {i}"))).collect();
        Ok(engine.remember_all(batch)?.into_iter().map(|receipt| receipt.id).collect())
    }),
    ("recall", |engine, _| {
        assert_eq!(
            engine.recall(&Recall::new("heron number 7").limit(1))?.hits[0].memory.content,
            "heron number 7"
        );
        Ok(Vec::new())
    }),
    ("recall everywhere", |engine, _| {
        engine.recall(&Recall::new("heron").in_scope(Scope::All)).map(|_| Vec::new())
    }),
    ("revise", |engine, ids| {
        let content = Some("the first memory, about storks".to_owned());
        engine.revise(&Scope::All, ids[0], Revise { content, ..Revise::default() }).map(|_| Vec::new())
    }),
    ("recall the revision", |engine, _| {
        let found = engine.recall(&Recall::new("storks"))?;
        assert_eq!(contents(&found), ["the first memory, about storks"]);
        Ok(Vec::new())
    }),
    ("forget", |engine, ids| engine.forget(&Scope::All, ids[1]).map(|_| Vec::new())),
    ("restore", |engine, ids| engine.restore(&Scope::All, ids[1]).map(|_| Vec::new())),
    ("forget again", |engine, ids| engine.forget(&Scope::All, ids[2]).map(|_| Vec::new())),
    ("purge", |engine, ids| engine.purge(&Scope::All, ids[2]).map(|_| Vec::new())),
    ("maintain", |engine, _| engine.maintain().map(|()| Vec::new())),
    ("look", |engine, ids| {
        engine.get(&Scope::All, ids[0])?;
        engine.history(&Scope::All, ids[0])?;
        engine.usage(&Namespace::default(), ids[0])?;
        engine.stats(&Scope::All)?;
        engine.namespaces(&Scope::All)?;
        engine.list(ListQuery::default()).map(|_| Vec::new())
    }),
    ("link", |engine, ids| {
        let (source, target, edge_type) = (ids[3], ids[4], EdgeType::Sequence);
        engine.link(&Scope::All, &NewEdge { source, target, edge_type, weight: 0.5 })?;
        engine.edges(&Scope::All, source).map(|_| Vec::new())
    }),
    ("walk", |engine, ids| {
        let way = engine.path(&Namespace::default(), ids[3], ids[4])?;
        assert!(way.is_some());
        Ok(Vec::new())
    }),
    ("unlink", |engine, ids| engine.unlink(&Scope::All, ids[3], ids[4], None).map(|_| Vec::new())),
    ("start a session", |engine, _| {
        engine.start_session(&Namespace::default(), "standup")?;
        Ok(vec![engine.remember(Remember::new("the lake froze over").said("standup", "Ines"))?.id])
    }),
    ("end it", |engine, _| {
        engine.end_session(&Namespace::default(), "standup")?;
        engine.sessions(&Scope::All, 10).map(|_| Vec::new())
    }),
    ("feedback", |engine, ids| {
        let feedback = Feedback { query: "heron".into(), used: vec![ids[3]], ..Feedback::default() };
        engine.feedback(&Namespace::default(), &feedback).map(|_| Vec::new())
    }),
    ("weights", |engine, _| engine.rollback_weights(&Namespace::default(), 0).map(|_| Vec::new())),
    ("reorbit", |engine, _| engine.reorbit(&Scope::All).map(|_| Vec::new())),
    ("export and health", |engine, _| {
        engine.export(&Scope::All, &mut Vec::new())?;
        engine.health();
        engine.maintain().map(|()| Vec::new())
    }),
    ("keys and answers", |engine, _| {
        let new = NewKey { name: "ci".into(), role: Role::Writer, scope: Scope::All };
        let created = engine.create_key(new)?;
        assert!(engine.has_keys()? && engine.authenticate(&created.secret)?.is_some());
        let (caller, key, digest) = (created.key.id.to_string(), "one".to_owned(), [0; 32]);
        assert_eq!(engine.kept_answer(&caller, &key)?, None);
        engine.keep_answer(NewAnswer { caller, key, digest, status: 200, body: Vec::new() })?;
        engine.maintain()?;
        assert!(engine.keys()?.iter().any(|key| key.used_at.is_some()));
        engine.revoke_key(created.key.id).map(|_| Vec::new())
    }),
    ("remember after all", |engine, _| Ok(vec![engine.remember(Remember::new("the last memory"))?.id])),
];

/// Lives through the steps; a step that fails must say so, change nothing, and work at the second try.
fn live(
    store: &Arc<Faulty>,
    folder: &Path,
    fault: Option<(&'static str, usize, StoreError, ErrorKind)>,
) -> Vec<(String, bool, u32, usize)> {
    let open = || Perihelion::on_store(options(folder), Arc::clone(store) as Arc<dyn Store>);
    let kind = fault.as_ref().map(|(.., kind)| *kind);
    if let Some((method, call, error, _)) = fault {
        store.fail(method, call, error);
    }
    let engine = open().or_else(|error| {
        assert_eq!(Some(error.kind()), kind);
        open()
    });
    let engine = engine.unwrap();
    let mut ids = Vec::new();
    for (name, step) in STEPS {
        let quiet = !store.has_failed();
        let before = store.count();
        let made = step(&engine, &ids).unwrap_or_else(|error| {
            assert!(quiet && store.has_failed(), "{name} fails only by the planned fault: {error}");
            assert_eq!(Some(error.kind()), kind, "{name}: {error}");
            if name.starts_with("remember") {
                assert_eq!(store.count(), before, "{name} left nothing");
            }
            step(&engine, &ids).unwrap_or_else(|error| panic!("{name} at the second try: {error}"))
        });
        ids.extend(made);
    }
    store.plan.lock().unwrap().fault = None;
    picture(&engine)
}

#[test]
fn a_store_that_fails_once_at_any_call_surfaces_the_error_and_works_at_the_next_try() {
    let folder = tempfile::tempdir().unwrap();
    let expected = live(&Faulty::open(folder.path()), folder.path(), None);
    let mut struck = 0;
    for method in METHODS {
        for (call, (error, kind)) in (1..=12).zip(errors().into_iter().cycle()) {
            let folder = tempfile::tempdir().unwrap();
            let store = Faulty::open(folder.path());
            let picture = live(&store, folder.path(), Some((method, call, error, kind)));
            assert_eq!(picture, expected, "{method} {call}");
            if !store.has_failed() {
                break;
            }
            struck += 1;
        }
    }
    assert!(struck > 40, "the plan struck often enough: {struck}");
}

#[test]
fn a_remember_that_failed_left_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    keep(&engine, "here before");
    for (error, kind) in errors() {
        store.fail("write", 1, error);
        let failed = engine.remember(Remember::new("a heron that was never stored"));
        assert_eq!(crate::support::kind_of(failed), Some(kind));
        assert_eq!(all(&engine, Trashed::Without).len(), 1);
        assert!(ask(&engine, "heron").hits.is_empty());
    }
    keep(&engine, "a heron that was stored");
    assert!(finds(&engine, "heron", "a heron that was stored"));
}

#[test]
fn usage_that_could_not_be_written_back_is_counted_once_later() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    let id = keep(&engine, "a heron by the lake");
    ask(&engine, "heron");
    for (error, kind) in errors() {
        store.fail("record_usage", 1, error);
        assert_eq!(crate::support::kind_of(engine.maintain()), Some(kind));
        ask(&engine, "heron");
    }
    engine.maintain().unwrap();
    engine.maintain().unwrap();
    let usage = engine.usage(&Namespace::default(), id).unwrap();
    assert_eq!(usage.map(|(recalls, _)| recalls), Some(3));
}

#[test]
fn an_index_that_was_interrupted_while_catching_up_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    engine.remember_all((0..2_500).map(|i| Remember::new(format!("heron number {i}"))).collect()).unwrap();
    for call in 1..=2 {
        store.fail("changes", call, errors()[0].0.clone());
        assert!(engine.recall(&Recall::new("heron number 2400")).is_err());
    }
    assert_eq!(ask(&engine, "heron number 2400").hits[0].memory.content, "heron number 2400");
    assert_eq!(ask(&engine, "heron number 3").hits[0].memory.content, "heron number 3");
    let after = store.plan.lock().unwrap().changes_after.clone();
    assert!(after.iter().filter(|after| **after == 0).count() == 1, "nothing was read twice: {after:?}");
}

#[test]
fn an_index_that_another_thread_brought_further_is_not_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = Faulty::open(folder.path());
    let engine = Arc::new(Perihelion::on_store(options(folder.path()), store.clone()).unwrap());
    keep(&engine, "a heron by the lake");
    ask(&engine, "heron");
    keep(&engine, "a stork on the roof");
    let other = Arc::clone(&engine);
    store.plan.lock().unwrap().changes_after.clear();
    // While one recall has read the head but not yet taken the index, another one overtakes it.
    store.plan.lock().unwrap().after_head = Some(Box::new(move || {
        keep(&other, "a crane at the harbour");
        assert!(finds(&other, "crane", "a crane at the harbour"));
    }));
    assert!(finds(&engine, "stork", "a stork on the roof"));
    let after = store.plan.lock().unwrap().changes_after.clone();
    assert!(!after.contains(&0), "the index was built anew: {after:?}");
}
