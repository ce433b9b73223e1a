//! SQLite with faults and interruptions planned for some calls.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use peri_notes::{Collection, Key};
use peri_store::{
    AlertRecord, Asked, Change, ClockRecord, CurrentSpace, EdgeChanges, EdgeKey, EventPage, FeedbackRecord,
    ImportState, JournalPage, JournalQuery, JournalStats, KeptAnswer, KeyRecord, KeyUse, LearnedMark,
    LearnedSet, LearningStats, Lease, ListQuery, Merge, NamespaceStats, OrbitState, Page, PatternRow,
    Problem, Session, SpaceStats, SqliteSettings, SqliteStore, Store, StoreError, Told, TrajectoryPage,
    TrajectoryQuery, TurnPage, TurnQuery, Usage, WeightSet, WorkerRun, Write, Written,
};
use perihelion::{
    ChangeNumber, Edge, EntryId, Fingerprint, JournalEntry, KeyId, Memory, MemoryId, Namespace, PatternId,
    Perihelion, Scope, SpaceId, Timestamp, Trajectory, TrajectoryId, Turn, TurnId, Version,
};

pub type Hook = Box<dyn FnOnce() + Send>;

/// SQLite with a fault or an interruption planned for some calls.
pub struct Faulty {
    pub inner: Box<dyn Store>,
    pub plan: Arc<Mutex<Plan>>,
}

#[derive(Default)]
pub struct Plan {
    calls: HashMap<&'static str, usize>,
    /// Fails this method's call with this number, counted from when it was planned.
    pub fault: Option<(&'static str, usize, StoreError)>,
    /// Fails every call of this method until it is mended; of all methods if it is `*`.
    broken: Option<(&'static str, StoreError)>,
    failed: bool,
    /// Breaks off after every commit, so that nobody knows whether it was made.
    uncertain: bool,
    /// Keeps writes until they are delivered, as a queue in front of a store that cannot be reached does.
    queue: Option<Vec<Vec<Write>>>,
    /// Runs after the next reading of a head, before it is handed out.
    pub after_head: Option<Hook>,
    /// Runs after the next reading of an orbit, before it is handed out.
    pub after_orbit: Option<Hook>,
    /// The numbers after which changes were asked for.
    pub changes_after: Vec<u64>,
}

impl Faulty {
    pub fn open(folder: &Path) -> Arc<Self> {
        let path = folder.join(Perihelion::DATABASE);
        let inner = SqliteStore::open(&path, &SqliteSettings::default()).unwrap();
        Arc::new(Self { inner: Box::new(inner), plan: Arc::default() })
    }

    pub fn fail(&self, method: &'static str, call: usize, error: StoreError) {
        let mut plan = self.plan.lock().unwrap();
        plan.calls.clear();
        plan.fault = Some((method, call, error));
        plan.failed = false;
    }

    /// Fails every call of a method, or of all with `*`, until [`Faulty::mend`].
    pub fn break_down(&self, method: &'static str, error: StoreError) {
        self.plan.lock().unwrap().broken = Some((method, error));
    }

    pub fn mend(&self) {
        let mut plan = self.plan.lock().unwrap();
        (plan.broken, plan.uncertain) = (None, false);
    }

    /// Breaks off after every commit of a call with a token, until [`Faulty::mend`].
    pub fn break_off(&self) {
        self.plan.lock().unwrap().uncertain = true;
    }

    /// How often a method was called since a fault was last planned.
    pub fn calls(&self, method: &'static str) -> usize {
        self.plan.lock().unwrap().calls.get(method).copied().unwrap_or(0)
    }

    /// Lets writes wait until [`Faulty::deliver`].
    pub fn queue_writes(&self) {
        self.plan.lock().unwrap().queue.get_or_insert_default();
    }

    /// Makes the writes that wait, in their order, and all further ones at once.
    pub fn deliver(&self) {
        let waiting = self.plan.lock().unwrap().queue.take();
        waiting.into_iter().flatten().for_each(|writes| drop(self.inner.write(writes).unwrap()));
    }

    pub fn has_failed(&self) -> bool {
        self.plan.lock().unwrap().failed
    }

    /// How many memories there are, trash apart, without counting as a call.
    pub fn count(&self) -> usize {
        self.inner.list(&ListQuery { limit: 1000, ..ListQuery::default() }).unwrap().memories.len()
    }

    fn enter(&self, method: &'static str) -> Result<(), StoreError> {
        let mut plan = self.plan.lock().unwrap();
        let calls = plan.calls.entry(method).or_default();
        *calls += 1;
        let calls = *calls;
        if let Some((_, error)) = plan.broken.as_ref().filter(|(broken, _)| [method, "*"].contains(broken)) {
            return Err(error.clone());
        }
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
        if let Some(queue) = &mut self.plan.lock().unwrap().queue {
            let queued = vec![Written::Queued; writes.len()];
            queue.push(writes);
            return Ok(queued);
        }
        self.inner.write(writes)
    }

    fn write_once(&self, token: [u8; 16], writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        self.enter("write_once")?;
        let made = self.inner.write_once(token, writes)?;
        if self.plan.lock().unwrap().uncertain {
            return Err(StoreError::Uncertain { place: "db.example".into(), token });
        }
        Ok(made)
    }

    fn commits_are_certain(&self) -> bool {
        !self.plan.lock().unwrap().uncertain
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

    fn current_space(&self) -> Result<Option<CurrentSpace>, StoreError> {
        self.enter("current_space")?;
        self.inner.current_space()
    }

    fn spaces(&self) -> Result<Vec<SpaceStats>, StoreError> {
        self.enter("spaces")?;
        self.inner.spaces()
    }

    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError> {
        self.enter("namespaces")?;
        self.inner.namespaces(scope)
    }

    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError> {
        self.enter("stats")?;
        self.inner.stats(scope)
    }

    fn record_usage(&self, usage: &[Usage], told: &[Told], asked: &[Asked]) -> Result<(), StoreError> {
        self.enter("record_usage")?;
        self.inner.record_usage(usage, told, asked)
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
        let orbit = self.inner.orbit(namespace);
        let hook = self.plan.lock().unwrap().after_orbit.take();
        if let Some(hook) = hook {
            hook();
        }
        orbit
    }

    fn orbit_view(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        beginning_chars: usize,
    ) -> Result<peri_store::OrbitView, StoreError> {
        self.enter("orbit_view")?;
        self.inner.orbit_view(namespace, now, beginning_chars)
    }

    fn unsettled(&self, before: Timestamp) -> Result<Vec<Namespace>, StoreError> {
        self.enter("unsettled")?;
        self.inner.unsettled(before)
    }

    fn days_in_use(&self, namespace: &Namespace) -> Result<Vec<peri_types::DayInUse>, StoreError> {
        self.enter("days_in_use")?;
        self.inner.days_in_use(namespace)
    }

    fn clock(&self) -> Result<(ClockRecord, Option<Timestamp>), StoreError> {
        self.enter("clock")?;
        self.inner.clock()
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

    fn knowledge_revision(&self, namespace: &Namespace) -> Result<u64, StoreError> {
        self.enter("knowledge_revision")?;
        self.inner.knowledge_revision(namespace)
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

    fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.enter("keys")?;
        self.inner.keys()
    }

    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError> {
        self.enter("key")?;
        self.inner.key(id)
    }

    fn has_keys(&self) -> Result<bool, StoreError> {
        self.enter("has_keys")?;
        self.inner.has_keys()
    }

    fn note_key_uses(&self, uses: &[KeyUse]) -> Result<(), StoreError> {
        self.enter("note_key_uses")?;
        self.inner.note_key_uses(uses)
    }

    fn answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, StoreError> {
        self.enter("answer")?;
        self.inner.answer(caller, key)
    }

    fn oldest_answer(&self) -> Result<Option<Timestamp>, StoreError> {
        self.enter("oldest_answer")?;
        self.inner.oldest_answer()
    }

    fn edges_after(
        &self,
        namespace: &Namespace,
        after: Option<EdgeKey>,
        limit: usize,
    ) -> Result<Vec<Edge>, StoreError> {
        self.enter("edges_after")?;
        self.inner.edges_after(namespace, after, limit)
    }

    fn sessions_after(
        &self,
        namespace: &Namespace,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Session>, StoreError> {
        self.enter("sessions_after")?;
        self.inner.sessions_after(namespace, after, limit)
    }

    fn feedback_after(
        &self,
        namespace: &Namespace,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, FeedbackRecord)>, StoreError> {
        self.enter("feedback_after")?;
        self.inner.feedback_after(namespace, after, limit)
    }

    fn said_by(&self, namespace: &Namespace, said: Fingerprint) -> Result<Option<MemoryId>, StoreError> {
        self.enter("said_by")?;
        self.inner.said_by(namespace, said)
    }

    fn journal(&self, query: &JournalQuery) -> Result<JournalPage, StoreError> {
        self.enter("journal")?;
        self.inner.journal(query)
    }

    fn entries(&self, scope: &Scope, ids: &[EntryId]) -> Result<Vec<JournalEntry>, StoreError> {
        self.enter("entries")?;
        self.inner.entries(scope, ids)
    }

    fn turns(&self, query: &TurnQuery) -> Result<TurnPage, StoreError> {
        self.enter("turns")?;
        self.inner.turns(query)
    }

    fn turn(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, StoreError> {
        self.enter("turn")?;
        self.inner.turn(scope, id)
    }

    fn journal_stats(&self, scope: &Scope) -> Result<Vec<JournalStats>, StoreError> {
        self.enter("journal_stats")?;
        self.inner.journal_stats(scope)
    }

    fn import_state(&self, name: &str) -> Result<Option<ImportState>, StoreError> {
        self.enter("import_state")?;
        self.inner.import_state(name)
    }

    fn patterns(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<PatternRow>, StoreError> {
        self.enter("patterns")?;
        self.inner.patterns(namespace, space, after, limit)
    }

    fn pattern(
        &self,
        scope: &Scope,
        id: PatternId,
        space: Option<&SpaceId>,
    ) -> Result<Option<PatternRow>, StoreError> {
        self.enter("pattern")?;
        self.inner.pattern(scope, id, space)
    }

    fn trajectories(&self, query: &TrajectoryQuery) -> Result<TrajectoryPage, StoreError> {
        self.enter("trajectories")?;
        self.inner.trajectories(query)
    }

    fn trajectory(&self, scope: &Scope, id: TrajectoryId) -> Result<Option<Trajectory>, StoreError> {
        self.enter("trajectory")?;
        self.inner.trajectory(scope, id)
    }

    fn learned(
        &self,
        namespace: &Namespace,
        name: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LearnedSet>, StoreError> {
        self.enter("learned")?;
        self.inner.learned(namespace, name, after, limit)
    }

    fn learning_stats(&self, scope: &Scope) -> Result<Vec<LearningStats>, StoreError> {
        self.enter("learning_stats")?;
        self.inner.learning_stats(scope)
    }

    fn worker_runs(&self, worker: Option<&str>, limit: usize) -> Result<Vec<WorkerRun>, StoreError> {
        self.enter("worker_runs")?;
        self.inner.worker_runs(worker, limit)
    }

    fn pattern_mark(&self, namespace: &Namespace) -> Result<(u64, ChangeNumber), StoreError> {
        self.enter("pattern_mark")?;
        self.inner.pattern_mark(namespace)
    }

    fn learned_marks(&self, namespace: &Namespace) -> Result<Vec<LearnedMark>, StoreError> {
        self.enter("learned_marks")?;
        self.inner.learned_marks(namespace)
    }

    fn worker_alerts(&self, resolved: bool, limit: usize) -> Result<Vec<AlertRecord>, StoreError> {
        self.enter("worker_alerts")?;
        self.inner.worker_alerts(resolved, limit)
    }

    fn shelf_read(&self, namespace: &Namespace, key: &Key) -> Result<Option<String>, StoreError> {
        self.enter("shelf_read")?;
        self.inner.shelf_read(namespace, key)
    }

    fn shelf_lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, StoreError> {
        self.enter("shelf_lines")?;
        self.inner.shelf_lines(namespace, key)
    }

    fn shelf_list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, StoreError> {
        self.enter("shelf_list")?;
        self.inner.shelf_list(namespace, collection)
    }

    fn shelf_documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.enter("shelf_documents")?;
        self.inner.shelf_documents(namespace, collection)
    }

    fn shelf_namespaces(&self) -> Result<Vec<Namespace>, StoreError> {
        self.enter("shelf_namespaces")?;
        self.inner.shelf_namespaces()
    }

    fn frozen(&self) -> Result<Box<dyn Store>, StoreError> {
        self.enter("frozen")?;
        Ok(Box::new(Self { inner: self.inner.frozen()?, plan: Arc::clone(&self.plan) }))
    }

    fn has_lapsed(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.enter("has_lapsed")?;
        self.inner.has_lapsed(now)
    }

    fn working_value(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: &str,
    ) -> Result<Option<Memory>, StoreError> {
        self.enter("working_value")?;
        self.inner.working_value(namespace, session, key)
    }

    fn working_sessions(
        &self,
        namespace: &Namespace,
        now: Timestamp,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError> {
        self.enter("working_sessions")?;
        self.inner.working_sessions(namespace, now)
    }

    fn old_episodes(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, MemoryId)>,
        limit: usize,
    ) -> Result<Vec<(Memory, Timestamp)>, StoreError> {
        self.enter("old_episodes")?;
        self.inner.old_episodes(before, after, limit)
    }

    fn check(&self) -> Result<Vec<Problem>, StoreError> {
        self.enter("check")?;
        self.inner.check()
    }
}
