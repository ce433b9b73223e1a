//! The store as the engine sees it: calls fail at once while it is known that the store does not answer.

use std::sync::Arc;
use std::time::Duration;

use peri_notes::{Collection, Key};
use peri_store::{
    AlertRecord, Asked, Change, ClockRecord, CurrentSpace, EdgeChanges, EdgeKey, EventPage, FeedbackRecord,
    ImportState, JournalPage, JournalQuery, JournalStats, KeptAnswer, KeyRecord, KeyUse, LearnedMark,
    LearnedSet, LearningStats, Lease, ListQuery, Merge, NamespaceStats, OrbitState, OrbitView, Page,
    PatternRow, Problem, Searcher, Session, SpaceStats, Store, StoreError, Told, TrajectoryPage,
    TrajectoryQuery, TurnPage, TurnQuery, Upkeep, Usage, WeightSet, WorkerRun, Write, Written,
};
use peri_types::{
    ChangeNumber, DayInUse, Edge, EntryId, Fingerprint, JournalEntry, KeyId, Memory, MemoryId, Namespace,
    PatternId, Scope, SpaceId, Timestamp, Trajectory, TrajectoryId, Turn, TurnId, Version,
};

use super::WriteQueue;
use super::ask::Asking;

/// Stands before a store. What is written through it is never queued: that is for those writes which somebody asked
/// for, and [`WriteQueue::write`] does it.
pub(crate) struct Gate(pub(super) Arc<WriteQueue>);

impl Store for Gate {
    fn identity(&self) -> Result<String, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.identity())
    }

    fn lineage(&self, at: ChangeNumber) -> Result<String, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.lineage(at))
    }

    fn is_read_only(&self) -> bool {
        self.0.store.is_read_only()
    }

    fn in_place(&self) -> Result<(), StoreError> {
        self.0.pass(Asking::ToRead, |store| store.in_place())
    }

    fn write(&self, writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.write(writes))
    }

    fn write_once(&self, token: [u8; 16], writes: Vec<Write>) -> Result<Vec<Written>, StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.write_once(token, writes))
    }

    fn commits_are_certain(&self) -> bool {
        self.0.store.commits_are_certain()
    }

    fn get(&self, scope: &Scope, ids: &[MemoryId]) -> Result<Vec<Memory>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.get(scope, ids))
    }

    fn list(&self, query: &ListQuery) -> Result<Page, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.list(query))
    }

    fn versions(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Version>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.versions(namespace, id))
    }

    fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.head(namespace))
    }

    fn changes(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<Change>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.changes(namespace, space, after, limit))
    }

    fn current_space(&self) -> Result<Option<CurrentSpace>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.current_space())
    }

    fn spaces(&self) -> Result<Vec<SpaceStats>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.spaces())
    }

    fn namespaces(&self, scope: &Scope) -> Result<Vec<Namespace>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.namespaces(scope))
    }

    fn stats(&self, scope: &Scope) -> Result<Vec<NamespaceStats>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.stats(scope))
    }

    fn record_usage(&self, usage: &[Usage], told: &[Told], asked: &[Asked]) -> Result<(), StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.record_usage(usage, told, asked))
    }

    fn usage(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<(u64, Timestamp)>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.usage(namespace, id))
    }

    fn acquire_lease(
        &self,
        name: &str,
        holder: &str,
        now: Timestamp,
        time_to_live: Duration,
    ) -> Result<bool, StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.acquire_lease(name, holder, now, time_to_live))
    }

    fn lease(&self, name: &str) -> Result<Option<Lease>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.lease(name))
    }

    fn release_lease(&self, name: &str, holder: &str) -> Result<(), StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.release_lease(name, holder))
    }

    fn orbit(&self, namespace: &Namespace) -> Result<OrbitState, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.orbit(namespace))
    }

    fn orbit_view(
        &self,
        namespace: &Namespace,
        now: Timestamp,
        beginning_chars: usize,
    ) -> Result<OrbitView, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.orbit_view(namespace, now, beginning_chars))
    }

    fn arrived_at(&self, namespace: &Namespace, id: MemoryId) -> Result<Option<Timestamp>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.arrived_at(namespace, id))
    }

    fn unsettled(&self, before: Timestamp) -> Result<Vec<Namespace>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.unsettled(before))
    }

    fn days_in_use(&self, namespace: &Namespace) -> Result<Vec<DayInUse>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.days_in_use(namespace))
    }

    fn clock(&self) -> Result<(ClockRecord, Option<Timestamp>), StoreError> {
        self.0.pass(Asking::ToRead, |store| store.clock())
    }

    fn edge_changes(&self, namespace: &Namespace, after: ChangeNumber) -> Result<EdgeChanges, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.edge_changes(namespace, after))
    }

    fn edges_of(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Edge>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.edges_of(namespace, id))
    }

    fn all_edges(&self, namespace: &Namespace) -> Result<Vec<Edge>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.all_edges(namespace))
    }

    fn knowledge_revision(&self, namespace: &Namespace) -> Result<u64, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.knowledge_revision(namespace))
    }

    fn merges(&self, namespace: &Namespace, id: MemoryId) -> Result<Vec<Merge>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.merges(namespace, id))
    }

    fn sessions(&self, scope: &Scope, limit: usize) -> Result<Vec<Session>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.sessions(scope, limit))
    }

    fn session(&self, namespace: &Namespace, name: &str) -> Result<Option<Session>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.session(namespace, name))
    }

    fn feedback(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.feedback(namespace, limit))
    }

    fn weights(&self, namespace: &Namespace) -> Result<Vec<WeightSet>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.weights(namespace))
    }

    fn events(&self, after: u64, limit: usize) -> Result<EventPage, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.events(after, limit))
    }

    fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.keys())
    }

    fn key(&self, id: KeyId) -> Result<Option<KeyRecord>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.key(id))
    }

    fn has_keys(&self) -> Result<bool, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.has_keys())
    }

    fn note_key_uses(&self, uses: &[KeyUse]) -> Result<(), StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.note_key_uses(uses))
    }

    fn answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.answer(caller, key))
    }

    fn oldest_answer(&self) -> Result<Option<Timestamp>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.oldest_answer())
    }

    fn has_lapsed(&self, now: Timestamp) -> Result<bool, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.has_lapsed(now))
    }

    fn working_value(
        &self,
        namespace: &Namespace,
        session: Option<&str>,
        key: &str,
    ) -> Result<Option<Memory>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.working_value(namespace, session, key))
    }

    fn working_sessions(
        &self,
        namespace: &Namespace,
        now: Timestamp,
    ) -> Result<Vec<(Option<String>, u64)>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.working_sessions(namespace, now))
    }

    fn old_episodes(
        &self,
        before: Timestamp,
        after: Option<(Timestamp, MemoryId)>,
        limit: usize,
    ) -> Result<Vec<(Memory, Timestamp)>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.old_episodes(before, after, limit))
    }

    fn edges_after(
        &self,
        namespace: &Namespace,
        after: Option<EdgeKey>,
        limit: usize,
    ) -> Result<Vec<Edge>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.edges_after(namespace, after, limit))
    }

    fn sessions_after(
        &self,
        namespace: &Namespace,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Session>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.sessions_after(namespace, after, limit))
    }

    fn feedback_after(
        &self,
        namespace: &Namespace,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, FeedbackRecord)>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.feedback_after(namespace, after, limit))
    }

    fn said_by(&self, namespace: &Namespace, said: Fingerprint) -> Result<Option<MemoryId>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.said_by(namespace, said))
    }

    fn import_state(&self, name: &str) -> Result<Option<ImportState>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.import_state(name))
    }

    fn journal(&self, query: &JournalQuery) -> Result<JournalPage, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.journal(query))
    }

    fn entries(&self, scope: &Scope, ids: &[EntryId]) -> Result<Vec<JournalEntry>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.entries(scope, ids))
    }

    fn turns(&self, query: &TurnQuery) -> Result<TurnPage, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.turns(query))
    }

    fn turn(&self, scope: &Scope, id: TurnId) -> Result<Option<Turn>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.turn(scope, id))
    }

    fn journal_stats(&self, scope: &Scope) -> Result<Vec<JournalStats>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.journal_stats(scope))
    }

    fn patterns(
        &self,
        namespace: &Namespace,
        space: Option<&SpaceId>,
        after: ChangeNumber,
        limit: usize,
    ) -> Result<Vec<PatternRow>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.patterns(namespace, space, after, limit))
    }

    fn pattern(
        &self,
        scope: &Scope,
        id: PatternId,
        space: Option<&SpaceId>,
    ) -> Result<Option<PatternRow>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.pattern(scope, id, space))
    }

    fn trajectories(&self, query: &TrajectoryQuery) -> Result<TrajectoryPage, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.trajectories(query))
    }

    fn trajectory(&self, scope: &Scope, id: TrajectoryId) -> Result<Option<Trajectory>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.trajectory(scope, id))
    }

    fn learned(
        &self,
        namespace: &Namespace,
        name: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<LearnedSet>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.learned(namespace, name, after, limit))
    }

    fn learning_stats(&self, scope: &Scope) -> Result<Vec<LearningStats>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.learning_stats(scope))
    }

    fn worker_runs(&self, worker: Option<&str>, limit: usize) -> Result<Vec<WorkerRun>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.worker_runs(worker, limit))
    }

    fn pattern_mark(&self, namespace: &Namespace) -> Result<(u64, ChangeNumber), StoreError> {
        self.0.pass(Asking::ToRead, |store| store.pattern_mark(namespace))
    }

    fn learned_marks(&self, namespace: &Namespace) -> Result<Vec<LearnedMark>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.learned_marks(namespace))
    }

    fn worker_alerts(&self, resolved: bool, limit: usize) -> Result<Vec<AlertRecord>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.worker_alerts(resolved, limit))
    }

    fn shelf_read(&self, namespace: &Namespace, key: &Key) -> Result<Option<String>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.shelf_read(namespace, key))
    }

    fn shelf_lines(&self, namespace: &Namespace, key: &Key) -> Result<Vec<String>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.shelf_lines(namespace, key))
    }

    fn shelf_list(&self, namespace: &Namespace, collection: Collection) -> Result<Vec<Key>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.shelf_list(namespace, collection))
    }

    fn shelf_documents(
        &self,
        namespace: &Namespace,
        collection: Collection,
    ) -> Result<Vec<(Key, String)>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.shelf_documents(namespace, collection))
    }

    fn shelf_namespaces(&self) -> Result<Vec<Namespace>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.shelf_namespaces())
    }

    fn upkeep(&self) -> Result<Upkeep, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.upkeep())
    }

    fn scrub(&self) -> Result<bool, StoreError> {
        self.0.pass(Asking::ToWrite, |store| store.scrub())
    }

    fn rest(&self) {
        self.0.store.rest();
    }

    fn searcher(&self) -> Option<&dyn Searcher> {
        self.0.store.searcher()
    }

    fn frozen(&self) -> Result<Box<dyn Store>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.frozen())
    }

    fn check(&self) -> Result<Vec<Problem>, StoreError> {
        self.0.pass(Asking::ToRead, |store| store.check())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use jiff::SignedDuration;
    use peri_notes::{Change, Commit, Shelf, ShelfError};
    use peri_store::{SqliteSettings, SqliteStore, StoreShelf};
    use peri_types::Clock;

    use super::*;
    use crate::breaker::Breaker;
    use crate::{Chores, QueueSettings};

    #[test]
    fn notes_are_neither_read_nor_changed_nor_queued_while_the_store_is_away() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("x.db"), &SqliteSettings::default()).unwrap();
        let (clock, settings) = (Clock::manual(Timestamp::UNIX_EPOCH), QueueSettings::default());
        let queue = WriteQueue::new(
            Arc::new(store),
            (folder.path().to_owned(), peri_seal::Seal::default()),
            &settings,
            clock.clone(),
            Chores::ByHand,
            (
                Arc::new(Breaker::of(folder.path(), clock.clone())),
                "x.db".to_owned(),
                std::time::Duration::from_secs(1),
            ),
        );
        let shelf = StoreShelf::new(queue.gate());
        let (namespace, key) = (Namespace::default(), Key::named(Collection::Meta, "회의").unwrap());
        let changes = [Change::Put { key: key.clone(), text: "말".to_owned() }];
        // The store behind would answer, so that whatever is asked of it would succeed.
        let away = StoreError::Unreachable { place: "db.example".into(), detail: "refused".into() };
        queue.note::<()>(&Err(away));
        let errors = [
            shelf.read(&namespace, &key).unwrap_err(),
            shelf.lines(&namespace, &Key::named(Collection::Pending, "회의").unwrap()).unwrap_err(),
            shelf.list(&namespace, Collection::Meta).unwrap_err(),
            shelf.documents(&namespace, Collection::Meta).unwrap_err(),
            shelf.namespaces().unwrap_err(),
            shelf.commit(&namespace, &changes, &[]).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(&error, ShelfError::Store { detail } if detail.contains("refused")), "{error}");
        }
        assert!(queue.is_empty());
        clock.advance(SignedDuration::from_hours(1));
        assert_eq!(shelf.read(&namespace, &key).unwrap(), None, "the commit left nothing");
        assert_eq!(shelf.commit(&namespace, &changes, &[]).unwrap(), Commit::Done);
        assert!(queue.is_empty());
    }
}
