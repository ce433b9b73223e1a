//! Links that the engine finds by itself.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

use peri_store::{
    Change, CurrentSpace, EdgeChanges, EdgeKey, EventPage, FeedbackRecord, ImportState, KeptAnswer,
    KeyRecord, KeyUse, Lease, ListQuery, Merge, NamespaceStats, OrbitState, Page, Problem, Session,
    SpaceStats, SqliteSettings, SqliteStore, Store, StoreError, Told, Usage, WeightSet, Write, Written,
};
use perihelion::embed::{Engine as _, StaticEngine};
use perihelion::{
    ChangeNumber, ConsolidationSettings, Edge, EdgeType, EntryId, Fingerprint, GraphSettings, JournalEntry,
    KeyId, Memory, MemoryId, Namespace, Options, PatternId, Perihelion, Remember, Scope, SpaceId, Timestamp,
    Trajectory, TrajectoryId, Trashed, Turn, TurnId, Version,
};

use crate::support::{all, fresh, keep, ns, options};

/// Links are found, and nothing is merged or replaced.
fn linking(folder: &std::path::Path, graph: GraphSettings) -> Perihelion {
    let consolidation =
        ConsolidationSettings { merge: false, supersede: false, ..ConsolidationSettings::default() };
    Perihelion::open(Options { graph, consolidation, ..options(folder) }).unwrap()
}

/// Pairs and a triple that are close in meaning, among others that are not.
const TEXTS: [&str; 9] = [
    "The red car stands in the garage",
    "Our database is backed up every night",
    "A red automobile stands in the garage",
    "She plays the violin in an orchestra",
    "The database has a backup every night",
    "There is a red car inside the garage",
    "He plays the cello in the orchestra",
    "Penguins cannot fly but swim well",
    "The tax return is due in April",
];

/// A word that nobody knows and no other memory holds.
fn nonsense(number: usize) -> String {
    let digit = |at: usize| char::from(b"bdfgklmnprst"[(number >> (2 * at)) & 3 | (at & 1) << 2]);
    format!("Qu{}ixo{}uvy{}a{}", digit(0), digit(1), digit(2), digit(3))
}

/// What is linked to what, by content.
fn links(engine: &Perihelion) -> BTreeSet<(String, String)> {
    let memories = all(engine, Trashed::Without);
    let content = |id: MemoryId| memories.iter().find(|one| one.id == id).unwrap().content.clone();
    let edges = memories.iter().flat_map(|memory| engine.edges(&Scope::All, memory.id).unwrap());
    edges.map(|edge| (content(edge.source), content(edge.target))).collect()
}

fn cosine(a: &str, b: &str) -> f32 {
    let vectors = StaticEngine::bundled().unwrap().embed(&[a, b]).unwrap();
    let [Some(a), Some(b)] = &vectors[..] else { panic!("{a} and {b} have vectors") };
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn a_new_memory_is_linked_to_the_earlier_ones_above_the_threshold_and_to_no_others() {
    for link_cosine_min in [0.5, 0.7, 0.85] {
        let folder = tempfile::tempdir().unwrap();
        let engine = linking(folder.path(), GraphSettings { link_cosine_min, ..GraphSettings::default() });
        TEXTS.iter().map(|text| keep(&engine, text)).for_each(drop);
        let linked = links(&engine);
        for (at, newer) in TEXTS.iter().enumerate() {
            for older in &TEXTS[..at] {
                let (is_linked, cosine) =
                    (linked.contains(&(newer.to_string(), older.to_string())), cosine(newer, older));
                // Indexes keep vectors a little more coarsely.
                if (cosine - link_cosine_min).abs() > 0.02 {
                    assert_eq!(is_linked, cosine > link_cosine_min, "{newer} and {older}: {cosine}");
                }
                assert!(!linked.contains(&(older.to_string(), newer.to_string())), "only from the newer one");
            }
        }
        assert!(!linked.is_empty(), "the texts are close enough for {link_cosine_min}");
        assert_eq!(engine.health().queue.unlinked, 0);
    }
}

#[test]
fn a_link_that_was_found_weighs_what_the_meanings_share_and_never_as_much_as_one_that_was_drawn() {
    let (_folder, engine) = fresh();
    let old = keep(&engine, TEXTS[0]);
    let new = keep(&engine, TEXTS[2]);
    let edges = engine.edges(&Scope::All, old).unwrap();
    assert_eq!((edges.len(), edges[0].source, edges[0].edge_type), (1, new, EdgeType::RelatedTo));
    let expected = cosine(TEXTS[0], TEXTS[2]).min(0.94);
    assert!((edges[0].weight - expected).abs() < 0.02, "{} instead of {expected}", edges[0].weight);
}

#[test]
fn a_batch_of_any_size_is_linked_like_the_same_memories_one_by_one() {
    let texts: Vec<String> = (0..72)
        .map(|i| match TEXTS.get(i) {
            Some(text) => (*text).to_owned(),
            None => nonsense(i),
        })
        .collect();
    let one_by_one = {
        let folder = tempfile::tempdir().unwrap();
        let engine = linking(folder.path(), GraphSettings::default());
        texts.iter().map(|text| keep(&engine, text)).for_each(drop);
        links(&engine)
    };
    assert!((4..20).contains(&one_by_one.len()), "{one_by_one:?}");
    for size in [2, 9, 72] {
        let folder = tempfile::tempdir().unwrap();
        let engine = linking(folder.path(), GraphSettings::default());
        for batch in texts.chunks(size) {
            engine.remember_all(batch.iter().map(Remember::new).collect()).unwrap();
        }
        engine.maintain().unwrap();
        assert_eq!(engine.health().queue.unlinked, 0);
        assert!(links(&engine) == one_by_one, "in batches of {size}: {:?}", links(&engine));
        engine.maintain().unwrap();
        assert_eq!(links(&engine), one_by_one, "looking again changes nothing");
    }
}

#[test]
fn memories_without_a_vector_are_linked_by_their_words() {
    for [one, two, other] in [
        [
            "김민수는 서울에서 데이터베이스를 관리한다",
            "김민수는 부산에서 데이터베이스를 관리한다",
            "오늘은 비가 온다",
        ],
        ["数据库每天晚上备份一次", "数据库每天早上备份一次", "他喜欢喝咖啡"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        let engine = linking(folder.path(), GraphSettings::default());
        let [one, two, other] = [one, two, other].map(|text| keep(&engine, text));
        let ends = |id| engine.edges(&Scope::All, id).unwrap();
        assert_eq!(ends(one).iter().map(|edge| (edge.source, edge.target)).collect::<Vec<_>>(), [(two, one)]);
        assert!(ends(other).is_empty());
    }
}

#[test]
fn each_setting_of_the_graph_changes_what_is_linked() {
    let outgoing = |graph: GraphSettings| {
        let folder = tempfile::tempdir().unwrap();
        let engine = linking(folder.path(), graph);
        let mut last = keep(&engine, TEXTS[0]);
        for text in [TEXTS[2], TEXTS[5], "In the garage there stands a red car"] {
            last = keep(&engine, text);
        }
        let edges = engine.edges(&Scope::All, last).unwrap();
        edges.iter().filter(|edge| edge.source == last).count()
    };
    let usual = GraphSettings::default();
    assert_eq!(outgoing(usual), 3);
    assert_eq!(outgoing(GraphSettings { auto_link: false, ..usual }), 0);
    assert_eq!(outgoing(GraphSettings { link_cosine_min: 0.999, ..usual }), 0);
    assert_eq!(outgoing(GraphSettings { links_per_memory: 2, ..usual }), 2);
    assert_eq!(outgoing(GraphSettings { edges_max: 1, ..usual }), 1);
}

#[test]
fn links_stay_within_a_namespace() {
    let (_folder, engine) = fresh();
    let here = keep(&engine, TEXTS[0]);
    engine.remember(Remember::new(TEXTS[2]).in_namespace(ns("other"))).unwrap();
    assert!(engine.edges(&Scope::All, here).unwrap().is_empty());
}

/// SQLite whose calls of one kind can be made to fail; where it cannot be written, it says so.
pub struct Unreadable {
    pub inner: SqliteStore,
    pub failing: Mutex<Option<&'static str>>,
}

macro_rules! pass_on {
    ($(fn $name:ident($($given:ident: $kind:ty),*) -> $told:ty;)*) => {
        $(fn $name(&self, $($given: $kind),*) -> Result<$told, StoreError> {
            if *self.failing.lock().unwrap() == Some(stringify!($name)) {
                return Err(StoreError::Closed);
            }
            self.inner.$name($($given),*)
        })*
    };
}

impl Store for Unreadable {
    fn is_read_only(&self) -> bool {
        *self.failing.lock().unwrap() == Some("write")
    }

    fn commits_are_certain(&self) -> bool {
        self.inner.commits_are_certain()
    }

    pass_on! {
        fn identity() -> String;
        fn lineage(at: ChangeNumber) -> String;
        fn write(writes: Vec<Write>) -> Vec<Written>;
        fn write_once(token: [u8; 16], writes: Vec<Write>) -> Vec<Written>;
        fn journal(query: &peri_store::JournalQuery) -> peri_store::JournalPage;
        fn entries(scope: &Scope, ids: &[EntryId]) -> Vec<JournalEntry>;
        fn turns(query: &peri_store::TurnQuery) -> peri_store::TurnPage;
        fn turn(scope: &Scope, id: TurnId) -> Option<Turn>;
        fn journal_stats(scope: &Scope) -> Vec<peri_store::JournalStats>;
        fn get(scope: &Scope, ids: &[MemoryId]) -> Vec<Memory>;
        fn list(query: &ListQuery) -> Page;
        fn versions(namespace: &Namespace, id: MemoryId) -> Vec<Version>;
        fn head(namespace: &Namespace) -> ChangeNumber;
        fn changes(namespace: &Namespace, space: Option<&SpaceId>, after: ChangeNumber, limit: usize) -> Vec<Change>;
        fn current_space() -> Option<CurrentSpace>;
        fn spaces() -> Vec<SpaceStats>;
        fn namespaces(scope: &Scope) -> Vec<Namespace>;
        fn stats(scope: &Scope) -> Vec<NamespaceStats>;
        fn record_usage(usage: &[Usage], told: &[Told], asked: &[peri_store::Asked]) -> ();
        fn days_in_use(namespace: &Namespace) -> Vec<peri_types::DayInUse>;
        fn clock() -> (peri_store::ClockRecord, Option<Timestamp>);
        fn usage(namespace: &Namespace, id: MemoryId) -> Option<(u64, Timestamp)>;
        fn acquire_lease(name: &str, holder: &str, now: Timestamp, time_to_live: Duration) -> bool;
        fn lease(name: &str) -> Option<Lease>;
        fn release_lease(name: &str, holder: &str) -> ();
        fn orbit(namespace: &Namespace) -> OrbitState;
        fn orbit_view(namespace: &Namespace, now: Timestamp, beginning_chars: usize) -> peri_store::OrbitView;
        fn unsettled(before: Timestamp) -> Vec<Namespace>;
        fn edge_changes(namespace: &Namespace, after: ChangeNumber) -> EdgeChanges;
        fn edges_of(namespace: &Namespace, id: MemoryId) -> Vec<Edge>;
        fn all_edges(namespace: &Namespace) -> Vec<Edge>;
        fn knowledge_revision(namespace: &Namespace) -> u64;
        fn merges(namespace: &Namespace, id: MemoryId) -> Vec<Merge>;
        fn sessions(scope: &Scope, limit: usize) -> Vec<Session>;
        fn feedback(namespace: &Namespace, limit: usize) -> Vec<FeedbackRecord>;
        fn weights(namespace: &Namespace) -> Vec<WeightSet>;
        fn events(after: u64, limit: usize) -> EventPage;
        fn keys() -> Vec<KeyRecord>;
        fn key(id: KeyId) -> Option<KeyRecord>;
        fn has_keys() -> bool;
        fn note_key_uses(uses: &[KeyUse]) -> ();
        fn answer(caller: &str, key: &str) -> Option<KeptAnswer>;
        fn oldest_answer() -> Option<Timestamp>;
        fn has_lapsed(now: Timestamp) -> bool;
        fn working_value(namespace: &Namespace, session: Option<&str>, key: &str) -> Option<Memory>;
        fn working_sessions(namespace: &Namespace, now: Timestamp) -> Vec<(Option<String>, u64)>;
        fn old_episodes(before: Timestamp, after: Option<(Timestamp, MemoryId)>, limit: usize) -> Vec<(Memory, Timestamp)>;
        fn edges_after(namespace: &Namespace, after: Option<EdgeKey>, limit: usize) -> Vec<Edge>;
        fn sessions_after(namespace: &Namespace, after: Option<&str>, limit: usize) -> Vec<Session>;
        fn feedback_after(namespace: &Namespace, after: u64, limit: usize) -> Vec<(u64, FeedbackRecord)>;
        fn said_by(namespace: &Namespace, said: Fingerprint) -> Option<MemoryId>;
        fn import_state(name: &str) -> Option<ImportState>;
        fn patterns(namespace: &Namespace, space: Option<&SpaceId>, after: ChangeNumber, limit: usize) -> Vec<peri_store::PatternRow>;
        fn pattern(scope: &Scope, id: PatternId, space: Option<&SpaceId>) -> Option<peri_store::PatternRow>;
        fn trajectories(query: &peri_store::TrajectoryQuery) -> peri_store::TrajectoryPage;
        fn trajectory(scope: &Scope, id: TrajectoryId) -> Option<Trajectory>;
        fn learned(namespace: &Namespace, name: &str, after: u64, limit: usize) -> Vec<peri_store::LearnedSet>;
        fn learning_stats(scope: &Scope) -> Vec<peri_store::LearningStats>;
        fn worker_runs(worker: Option<&str>, limit: usize) -> Vec<peri_store::WorkerRun>;
        fn pattern_mark(namespace: &Namespace) -> (u64, ChangeNumber);
        fn learned_marks(namespace: &Namespace) -> Vec<peri_store::LearnedMark>;
        fn worker_alerts(resolved: bool, limit: usize) -> Vec<peri_store::AlertRecord>;
        fn shelf_read(namespace: &Namespace, key: &peri_notes::Key) -> Option<String>;
        fn shelf_lines(namespace: &Namespace, key: &peri_notes::Key) -> Vec<String>;
        fn shelf_list(namespace: &Namespace, collection: peri_notes::Collection) -> Vec<peri_notes::Key>;
        fn shelf_documents(namespace: &Namespace, collection: peri_notes::Collection) -> Vec<(peri_notes::Key, String)>;
        fn shelf_namespaces() -> Vec<Namespace>;
        fn frozen() -> Box<dyn Store>;
        fn check() -> Vec<Problem>;
    }
}

#[test]
fn a_memory_is_stored_although_its_links_cannot_be_looked_for_and_they_are_found_later() {
    for failing in ["head", "changes", "get", "edge_changes", "merges", "list"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Perihelion::DATABASE);
        let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
        let store = Arc::new(Unreadable { inner, failing: Mutex::default() });
        let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
        let old = keep(&engine, TEXTS[0]);
        *store.failing.lock().unwrap() = Some(failing);
        let new = keep(&engine, TEXTS[5]);
        *store.failing.lock().unwrap() = None;
        engine.maintain().unwrap();
        let edges = engine.edges(&Scope::All, old).unwrap();
        assert!(edges.iter().any(|edge| edge.source == new), "while {failing} fails");
        assert_eq!(engine.health().queue.unlinked, 0);
    }
}

#[test]
fn a_recall_goes_on_without_a_graph_that_cannot_be_read_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(Perihelion::DATABASE);
    let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
    let store = Arc::new(Unreadable { inner, failing: Mutex::default() });
    let engine = Perihelion::on_store(options(folder.path()), store.clone()).unwrap();
    keep(&engine, TEXTS[0]);
    *store.failing.lock().unwrap() = Some("edges_of");
    let recalled = crate::support::ask(&engine, "red car");
    assert_eq!((recalled.hits.len(), recalled.degraded.len()), (1, 1), "{:?}", recalled.degraded);
}
