//! A store that fails at any call in turn: the error is told, nothing is half done, and the next try works.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use peri_store::{
    Change, EdgeChanges, EventPage, FeedbackRecord, Lease, ListQuery, Merge, NamespaceStats, OrbitState, Page,
    Problem, Session, SqliteSettings, SqliteStore, Store, StoreError, Told, Usage, WeightSet, Write, Written,
};
use perihelion::{
    ChangeNumber, Edge, ErrorKind, Memory, MemoryId, Namespace, Perihelion, Recall, Remember, Revise, Scope,
    SpaceId, Timestamp, Trashed, Version,
};

use crate::support::{all, ask, contents, finds, keep, options};

type Hook = Box<dyn FnOnce() + Send>;

/// SQLite with a fault or an interruption planned for some calls.
struct Faulty {
    inner: SqliteStore,
    plan: Mutex<Plan>,
}

#[derive(Default)]
struct Plan {
    calls: HashMap<&'static str, usize>,
    /// Fails this method's call with this number, counted from when it was planned.
    fault: Option<(&'static str, usize, StoreError)>,
    failed: bool,
    /// Runs after the next reading of a head, before it is handed out.
    after_head: Option<Hook>,
    /// The numbers after which changes were asked for.
    changes_after: Vec<u64>,
}

impl Faulty {
    fn open(folder: &Path) -> Arc<Self> {
        let path = folder.join(Perihelion::DATABASE);
        let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
        Arc::new(Self { inner, plan: Mutex::default() })
    }

    fn fail(&self, method: &'static str, call: usize, error: StoreError) {
        let mut plan = self.plan.lock().unwrap();
        plan.calls.clear();
        plan.fault = Some((method, call, error));
        plan.failed = false;
    }

    fn has_failed(&self) -> bool {
        self.plan.lock().unwrap().failed
    }

    /// How many memories there are, trash apart, without counting as a call.
    fn count(&self) -> usize {
        self.inner.list(&ListQuery { limit: 1000, ..ListQuery::default() }).unwrap().memories.len()
    }

    fn enter(&self, method: &'static str) -> Result<(), StoreError> {
        let mut plan = self.plan.lock().unwrap();
        let calls = plan.calls.entry(method).or_default();
        *calls += 1;
        let calls = *calls;
        match plan.fault.take() {
            Some((planned, call, error)) if planned == method && call == calls => {
                plan.failed = true;
                Err(error)
            }
            fault => {
                plan.fault = fault;
                Ok(())
            }
        }
    }
}

impl Store for Faulty {
    fn identity(&self) -> Result<String, StoreError> {
        self.enter("identity")?;
        self.inner.identity()
    }

    fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError> {
        self.enter("lineage")?;
        self.inner.lineage(at)
    }

    fn is_read_only(&self) -> bool {
        self.inner.is_read_only()
    }

    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        self.enter("write")?;
        self.inner.write(writes)
    }

    fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.enter("get")?;
        self.inner.get(scope, ids)
    }

    fn list(&self, query: &ListQuery) -> Result<Page, StoreError> {
        self.enter("list")?;
        self.inner.list(query)
    }

    fn versions(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Version>, StoreError> {
        self.enter("versions")?;
        self.inner.versions(namespace, id)
    }

    fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, StoreError> {
        self.enter("head")?;
        let head = self.inner.head(namespace);
        let hook = self.plan.lock().unwrap().after_head.take();
        if let Some(hook) = hook {
            hook();
        }
        head
    }

    fn changes(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        self.enter("changes")?;
        self.plan.lock().unwrap().changes_after.push(after.0);
        self.inner.changes(namespace, space, after, limit)
    }

    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError> {
        self.enter("namespaces")?;
        self.inner.namespaces(scope)
    }

    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError> {
        self.enter("stats")?;
        self.inner.stats(scope)
    }

    fn record_usage(&self, usage: &[Usage], told: &[Told]) -> Result<(), StoreError> {
        self.enter("record_usage")?;
        self.inner.record_usage(usage, told)
    }

    fn usage(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<(u64, Timestamp)>, StoreError> {
        self.enter("usage")?;
        self.inner.usage(namespace, id)
    }

    fn acquire_lease(
        &self,
        name: &str,
        holder: &str,
        now: Timestamp,
        time_to_live: Duration,
    ) -> Result<bool, StoreError> {
        self.enter("acquire_lease")?;
        self.inner.acquire_lease(name, holder, now, time_to_live)
    }

    fn release_lease(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        self.enter("release_lease")?;
        self.inner.release_lease(name, holder)
    }

    fn lease(&self, name: &str) -> Result<Option<Lease>, StoreError> {
        self.enter("lease")?;
        self.inner.lease(name)
    }

    fn orbit(&self, namespace: &Namespace) -> Result<OrbitState, StoreError> {
        self.enter("orbit")?;
        self.inner.orbit(namespace)
    }

    fn unsettled(&self, before: Timestamp) -> Result<Vec<Namespace>, StoreError> {
        self.enter("unsettled")?;
        self.inner.unsettled(before)
    }

    fn edge_changes(&self, namespace: &Namespace, after: ChangeNumber) -> Result<EdgeChanges, StoreError> {
        self.enter("edge_changes")?;
        self.inner.edge_changes(namespace, after)
    }

    fn edges_of(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Edge>, StoreError> {
        self.enter("edges_of")?;
        self.inner.edges_of(namespace, id)
    }

    fn all_edges(&self, namespace: &Namespace) -> Result<Vec<Edge>, StoreError> {
        self.enter("all_edges")?;
        self.inner.all_edges(namespace)
    }

    fn merges(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Merge>, StoreError> {
        self.enter("merges")?;
        self.inner.merges(namespace, id)
    }

    fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, StoreError> {
        self.enter("sessions")?;
        self.inner.sessions(scope, limit)
    }

    fn feedback(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, StoreError> {
        self.enter("feedback")?;
        self.inner.feedback(namespace, limit)
    }

    fn weights(&self, namespace: &Namespace) -> Result<Vec<WeightSet>, StoreError> {
        self.enter("weights")?;
        self.inner.weights(namespace)
    }

    fn events(&self, after: u64, limit: usize) -> Result<EventPage, StoreError> {
        self.enter("events")?;
        self.inner.events(after, limit)
    }

    fn check(&self) -> Result<Vec<Problem>, StoreError> {
        self.enter("check")?;
        self.inner.check()
    }
}

const METHODS: [&str; 13] = [
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
];

fn errors() -> [(StoreError, ErrorKind); 2] {
    let path = std::path::PathBuf::from("perihelion.db");
    [
        (StoreError::Busy { path: path.clone(), waited_ms: 1 }, ErrorKind::Busy),
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
const STEPS: [(&str, Step); 13] = [
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
    ("purge", |engine, ids| engine.purge(&Scope::All, ids[2]).map(|()| Vec::new())),
    ("maintain", |engine, _| engine.maintain().map(|()| Vec::new())),
    ("look", |engine, ids| {
        engine.get(&Scope::All, ids[0])?;
        engine.history(&Scope::All, ids[0])?;
        engine.usage(&Namespace::default(), ids[0])?;
        engine.stats(&Scope::All)?;
        engine.namespaces(&Scope::All)?;
        engine.list(ListQuery::default()).map(|_| Vec::new())
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
