//! What each write does to the tables. Everything here runs inside the writer's transaction.

use super::connection::{Connection, Optional};
use peri_types::{Happening, Layer, Memory, MemoryId, Namespace, Scope, SpaceId, Timestamp, TrashedBy};
use rusqlite::params;
use serde::Serialize;

use super::happenings::Waiting;
use super::read;
use super::row;
use super::trouble::Trouble;
use crate::{Embedding, GIVEN_ID, IdOrigin, NewMemory, Revision, StoreError, Write, Written};

/// The writer's transaction and the number of the last change made in it.
pub(crate) struct Ledger<'a> {
    pub(super) connection: &'a Connection,
    change: u64,
    /// The last change before this transaction.
    before: u64,
    /// Whether something was destroyed in it.
    destroyed: bool,
    /// What the call under way writes at its end.
    pub(super) call: Option<Call>,
}

/// What is written once for a whole call instead of once for each of its changes, and what need not be looked up again.
#[derive(Default)]
pub(super) struct Call {
    /// The last changes of namespaces.
    heads: Vec<(i64, u64)>,
    /// What happened.
    pub(super) events: Vec<Waiting>,
    /// The namespace that was looked up last.
    namespace: Option<(Namespace, i64)>,
    /// The hour of use that was noted last, and of which namespace.
    pub(super) used: Option<(i64, i64)>,
    /// The space that was looked up last.
    space: Option<(SpaceId, i64)>,
    /// Which space answers, once it was looked up; none inside if none was chosen.
    pub(super) answers: Option<Option<Option<SpaceId>>>,
}

/// What a destroyed memory took the place of is current again. Left to the planner, the whole namespace would be read.
pub(super) const FREE_SUPERSEDED: &str =
    "UPDATE memories INDEXED BY memories_superseded SET superseded_by = NULL
    WHERE namespace_id = ?1 AND superseded_by = ?2";

/// Marks of so many writers are kept; an index that is older than all of them is built anew.
const MARKS_KEPT: i64 = 20_000;

impl<'a> Ledger<'a> {
    /// Opens the ledger at the last committed change.
    pub(crate) fn open(connection: &'a Connection) -> Result<Self, Trouble> {
        let change = connection
            .prepare_cached("SELECT value FROM counters WHERE name = 'change'")?
            .query_row(params![], |row| row.get(0))?;
        Ok(Self { connection, change, before: change, destroyed: false, call: None })
    }

    /// Notes the last change made, so that the next transaction goes on from there. A writer that has left
    /// no mark yet leaves one at its first change; whether it has one now is the answer.
    pub(super) fn close(self, marked: bool) -> Result<bool, Trouble> {
        if self.change == self.before {
            return Ok(marked);
        }
        if self.destroyed {
            self.drop_told_contents()?;
        }
        if !marked {
            self.leave_mark()?;
        }
        self.connection
            .prepare_cached("UPDATE counters SET value = ?1 WHERE name = 'change' AND value <> ?1")?
            .execute([self.change])?;
        Ok(true)
    }

    fn leave_mark(&self) -> Result<(), Trouble> {
        let mark = MemoryId::generate(Timestamp::now()).to_string();
        self.connection
            .execute("INSERT INTO lineage (change, mark) VALUES (?1, ?2)", params![self.before + 1, mark])?;
        let last: i64 = self
            .connection
            .prepare("SELECT max(number) FROM lineage")?
            .query_row(params![], |row| row.get(0))?;
        self.connection.execute("DELETE FROM lineage WHERE number <= ?1", [last - MARKS_KEPT])?;
        Ok(())
    }

    /// Begins a call. What it tells and moves on is gathered until it ends.
    pub(super) fn begin_call(&mut self) {
        self.call = Some(Call::default());
    }

    /// Ends a call that was made, and writes what it gathered.
    pub(super) fn end_call(&mut self) -> Result<(), Trouble> {
        self.write_events()?;
        let Some(call) = self.call.take() else { return Ok(()) };
        call.heads.into_iter().try_for_each(|(namespace, change)| self.set_head(namespace, change))
    }

    /// Ends a call that is taken back, and what it gathered with it.
    pub(super) fn drop_call(&mut self) {
        self.call = None;
    }

    /// Makes one change.
    pub(super) fn apply(&mut self, write: Write) -> Result<Written, Trouble> {
        match write {
            Write::Remember(new) => self.remember(*new),
            Write::Revise { scope, id, revision, expected_version, at } => {
                self.revise(&scope, id, *revision, expected_version, at)
            }
            Write::Forget { scope, id, at } => self.forget(&scope, id, at),
            Write::Restore { scope, id, at } => self.restore(&scope, id, at),
            Write::Purge { scope, id, at } => self.purge(&scope, id, at),
            Write::PurgeTrashed { scope, before, at } => self.purge_trashed(&scope, before, at),
            Write::Embed { namespace, id, version, embedding } => {
                self.embed(&namespace, id, version, &embedding)
            }
            Write::AdoptSpace { space, recipe, at } => self.adopt_space(space, recipe, at),
            Write::SwitchSpace { to, read, at } => self.switch_space(*to, read, at),
            Write::PutVectors { space, vectors } => self.put_vectors(&space, &vectors),
            Write::DropVectors { namespace, kept } => self.drop_vectors_but(&namespace, &kept),
            Write::Link { namespace, edges, max, missing } => self.link(&namespace, &edges, max, missing),
            Write::Unlink { namespace, source, target, edge_type, at } => {
                self.unlink(&namespace, source, target, edge_type, at)
            }
            Write::AdvanceKnowledge { namespace, read } => self.advance_knowledge(&namespace, read),
            Write::MarkLinked { namespace, ids } => self.mark_linked(&namespace, &ids),
            Write::Supersede { namespace, older, newer, at } => self.supersede(&namespace, older, newer, at),
            Write::Merge { namespace, survivor, absorbed, at } => {
                self.consolidate(&namespace, survivor, absorbed, at)
            }
            Write::Split { scope, id, at } => self.split(&scope, id, at),
            Write::Settle(settlement) => self.settle(&settlement),
            Write::StartSession { namespace, name, at } => self.start_session(&namespace, &name, at),
            Write::EndSession { namespace, name, summary, at } => {
                self.end_session(&namespace, &name, summary, at)
            }
            Write::Judge(feedback) => self.judge(&feedback),
            Write::SetWeights { namespace, value, reason, at } => self.weigh(&namespace, &value, &reason, at),
            Write::TrimWorking { namespace, session, capacity, matters, at } => {
                self.trim_working(&namespace, session.as_deref(), capacity, matters.as_ref(), at)
            }
            Write::TouchWorking { namespace, ids, at } => self.touch_working(&namespace, &ids, at),
            Write::ClearWorking { namespace, session, key, at } => {
                self.clear_working(&namespace, session.as_deref(), key.as_deref(), at)
            }
            Write::Lapse { now, matters, limit } => self.lapse(now, matters.as_ref(), limit),
            Write::Promote { namespace, sources, to, at } => self.promote(&namespace, &sources, to, at),
            Write::UndoPromotion { scope, id, working_until, at } => {
                self.undo_promotion(&scope, id, working_until, at)
            }
            Write::Release { namespace, released, at } => self.release(&namespace, &released, at),
            Write::MoveNamespace { from, to, at } => self.move_namespace(&from, &to, at),
            Write::DeleteNamespace { namespace, purge, at } => self.delete_namespace(&namespace, purge, at),
            Write::Adopt { whole, on_conflict, at } => self.adopt(*whole, on_conflict, at),
            Write::AdoptSession(session) => self.adopt_session(&session),
            Write::Import(part) => self.import(*part),
            Write::DropImport { name } => self.drop_import(&name),
            Write::DropImports { before } => self.drop_imports(before),
            Write::AppendEntries { entries, at } => self.append_entries(&entries, at),
            Write::Derive { new, at } => self.derive(*new, at),
            Write::PutTurn { turn, at } => self.put_turn(*turn, at),
            Write::DropJournal { scope, before, at } => self.drop_journal(&scope, before, at),
            Write::CreateKey(key) => self.create_key(&key),
            Write::RevokeKey { id, at } => self.revoke_key(id, at),
            Write::KeepAnswer(answer) => self.keep_answer(*answer),
            // Made before the others of its call were.
            Write::Claim { .. } => Ok(Written::Done),
            Write::DropAnswers { before } => self.drop_answers(before),
            Write::CommitNotes(commit) => self.commit_notes(&commit),
            learned => self.apply_learned(learned),
        }
    }

    /// Makes one change of what was tried and learned, of what background jobs did, and of times and events. A test makes every write, so that
    /// none is made nowhere.
    fn apply_learned(&mut self, write: Write) -> Result<Written, Trouble> {
        match write {
            Write::RecordTrajectory { trajectory, at } => self.record_trajectory(&trajectory, at),
            Write::AdoptTrajectory { trajectory, on_conflict, at } => {
                self.adopt_trajectory(&trajectory, on_conflict, at)
            }
            Write::PutPatterns { patterns } => self.put_patterns(&patterns),
            Write::Distil(distilled) => self.distil(&distilled),
            Write::DropTrajectories { namespace, kept } => self.drop_trajectories(&namespace, kept),
            Write::SetLearned { namespace, name, value, reason, at } => {
                self.set_learned(&namespace, &name, (&value, &reason), at)
            }
            Write::RemoveLoaded { namespace, rows, at } => self.remove_loaded(&namespace, &rows, at),
            Write::KeepRun(run) => self.keep_run(&run),
            Write::RaiseAlerts { worker, alerts, looked, at } => {
                self.raise_alerts(&worker, &alerts, looked, at)
            }
            Write::Rewind { scope, after, at } => self.rewind(&scope, after, at),
            Write::KeepClock(clock) => self.keep_clock(&clock),
            Write::AdoptSettled { namespace, settled_at } => self.adopt_settled(&namespace, settled_at),
            Write::ShipEvents { through, keep } => self.ship_events(through, keep),
            Write::Tell(told) => self.tell_apart(&told),
            // What it holds is nobody's business in an error.
            _ => Err(row::malformed("nothing makes this change")),
        }
    }

    fn remember(&mut self, mut new: NewMemory) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(&new.memory.namespace)?;
        if new.id == IdOrigin::Given {
            self.settle_id(namespace, &mut new.memory)?;
        }
        self.use_day(namespace, new.memory.updated_at)?;
        if !self.insert_if_new(namespace, &mut new.memory, &new.embedding, new.links, None)? {
            return self.remember_again(namespace, new);
        }
        let memory = new.memory;
        let stored = Happening::Stored { id: memory.id, zone: memory.zone };
        self.tell(Some(&memory.namespace), memory.updated_at, &stored)?;
        Ok(Written::Stored(Box::new(memory)))
    }

    /// Stores a statement that is there already, or whose id is.
    fn remember_again(&mut self, namespace: i64, new: NewMemory) -> Result<Written, Trouble> {
        let now = new.memory.updated_at;
        let expired = |twin: &Memory| twin.facets.expires_at.is_some_and(|until| until <= now);
        let held = self.held_value(namespace, &new)?;
        let NewMemory { mut memory, embedding, links, id: _ } = new;
        if let Some(held) = held {
            if !expired(&held) {
                return self.replace_value(namespace, held, memory, &embedding);
            }
            self.lapse_twin(namespace, held, now)?;
        }
        if let Some(twin) = self.twin(namespace, &memory)?.filter(expired) {
            self.lapse_twin(namespace, twin, now)?;
        }
        if let Some(twin) = self.standing_twin(namespace, &mut memory)? {
            return self.merge(namespace, twin, &memory);
        }
        if !self.insert_if_new(namespace, &mut memory, &embedding, links, None)? {
            return Err(StoreError::IdTaken { id: memory.id, namespace: memory.namespace }.into());
        }
        let stored = Happening::Stored { id: memory.id, zone: memory.zone };
        self.tell(Some(&memory.namespace), memory.updated_at, &stored)?;
        Ok(Written::Stored(Box::new(memory)))
    }

    /// The memory that a statement repeats, or the one that this was merged into. A statement that no longer held
    /// and is made again is another one, told apart by its time.
    fn standing_twin(&self, namespace: i64, memory: &mut Memory) -> Result<Option<Memory>, Trouble> {
        let Some(mut twin) = self.twin(namespace, memory)? else { return Ok(None) };
        while let Some(newer) = twin.facets.superseded_by {
            let merged = super::replace::merges(self.connection, namespace, twin.id)?;
            if !merged.iter().any(|merge| merge.absorbed == twin.id && merge.survivor == newer) {
                memory.facets.occurred_at.get_or_insert(memory.created_at);
                return self.twin(namespace, memory);
            }
            twin = self.find(&Scope::Exact(twin.namespace), newer)?.1;
        }
        Ok(Some(twin))
    }

    /// Joins what is new of a repeated statement into the one that is there.
    fn merge(&mut self, namespace: i64, mut twin: Memory, new: &Memory) -> Result<Written, Trouble> {
        let before = twin.clone();
        let union = |own: &mut Vec<String>, other: &[String]| {
            let missing: Vec<_> = other.iter().filter(|label| !own.contains(label)).cloned().collect();
            own.extend(missing);
        };
        union(&mut twin.facets.tags, &new.facets.tags);
        union(&mut twin.facets.aliases, &new.facets.aliases);
        twin.facets.pinned |= new.facets.pinned;
        if new.importance > twin.importance {
            twin.importance = new.importance;
        }
        // What it came with is no id of the one that is there.
        for (key, value) in new.facets.metadata.iter().filter(|(key, _)| *key != GIVEN_ID) {
            twin.facets.metadata.entry(key.clone()).or_insert_with(|| value.clone());
        }
        for circumstance in new.facets.context.circumstances() {
            let side = twin.facets.context.aspect_mut(circumstance.aspect);
            side.entry(circumstance.name).or_insert(circumstance.value);
        }
        if twin.facets.data.is_none() {
            twin.facets.data.clone_from(&new.facets.data);
        }
        // What is said again, to be kept for longer, is kept for longer.
        twin.layer = twin.layer.max(new.layer);
        twin.facets.expires_at = match (twin.facets.expires_at, new.facets.expires_at) {
            (Some(own), Some(other)) => Some(own.max(other)),
            _ => None,
        };
        if twin != before {
            twin.updated_at = new.updated_at;
            self.update(namespace, &mut twin)?;
        }
        self.note_use(namespace, twin.id, new.updated_at)?;
        self.tell(Some(&twin.namespace), new.updated_at, &Happening::Repeated { id: twin.id })?;
        Ok(Written::Merged(Box::new(twin)))
    }

    fn revise(
        &mut self,
        scope: &Scope,
        id: MemoryId,
        revision: Revision,
        expected: Option<u32>,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, id)?;
        let id = memory.id;
        if memory.trashed_at.is_some() {
            return Err(StoreError::NotFound { id }.into());
        }
        if let Some(expected) = expected.filter(|expected| *expected != memory.version) {
            return Err(StoreError::VersionConflict { id, expected, found: memory.version }.into());
        }
        let (replaced, until) = (revision.superseded_by, revision.valid_until);
        if let Some(Some(newer)) = replaced
            && self.leads_to(namespace, newer, id)?
        {
            return Err(StoreError::Circular { id }.into());
        }
        if let Some(Some(newer)) = replaced.filter(|newer| *newer != memory.facets.superseded_by)
            && !self.exists(namespace, newer)?
        {
            return Err(StoreError::NotFound { id: newer }.into());
        }
        let content = revision.content.clone().filter(|(content, _)| *content != memory.content);
        if content.is_some() {
            self.keep_version(namespace, &memory, at)?;
        }
        let source = revision.source.clone();
        revise_record(&mut memory, revision);
        memory.version += 1;
        memory.updated_at = at;
        if let Some(twin) = self.twin(namespace, &memory)?.filter(|twin| twin.id != id) {
            return Err(StoreError::Duplicate { twin: twin.id, namespace: memory.namespace }.into());
        }
        self.update(namespace, &mut memory)?;
        if let Some(source) = source {
            self.connection
                .prepare_cached("UPDATE memories SET source = ?3 WHERE namespace_id = ?1 AND id = ?2")?
                .execute(params![namespace, id.as_bytes(), source])?;
        }
        if let Some((_, embedding)) = content {
            self.drop_vectors(namespace, id)?;
            self.set_embedding(namespace, &mut memory, &embedding)?;
        }
        self.set_validity(namespace, id, replaced, until)?;
        if replaced.is_some() {
            self.erase_supersedes(namespace, id)?;
        }
        self.note_use(namespace, id, at)?;
        let revised = Happening::Revised { id, version: memory.version };
        self.tell(Some(&memory.namespace), at, &revised)?;
        if let Some(Some(newer)) = replaced {
            self.note_superseded(namespace, &memory.namespace, id, newer, at)?;
        }
        let (_, memory) = self.find(scope, id)?;
        Ok(Written::Revised(Box::new(memory)))
    }

    fn forget(&mut self, scope: &Scope, id: MemoryId, at: Timestamp) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, id)?;
        let id = memory.id;
        if memory.trashed_at.is_none() {
            // What it was promoted from says the same, and goes with it.
            let sources = self.sources_of(namespace, id)?;
            self.trash(namespace, &mut memory, at, None)?;
            for mut source in sources {
                self.trash(namespace, &mut source, at, None)?;
            }
            self.tell(Some(&memory.namespace), at, &Happening::Forgotten { id })?;
        }
        Ok(Written::Forgotten(Box::new(memory)))
    }

    /// Moves a memory to the trash, without telling.
    pub(super) fn trash(
        &mut self,
        namespace: i64,
        memory: &mut Memory,
        at: Timestamp,
        by: Option<TrashedBy>,
    ) -> Result<(), Trouble> {
        (memory.trashed_at, memory.trashed_by) = (Some(at), by);
        self.update(namespace, memory)?;
        self.touch_superseded(namespace, memory.id)?;
        self.touch_edges(namespace, memory.id)
    }

    fn restore(&mut self, scope: &Scope, id: MemoryId, at: Timestamp) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, id)?;
        let id = memory.id;
        let Some(trashed_at) = memory.trashed_at else {
            return Err(StoreError::NotTrashed { id }.into());
        };
        if let Some(twin) = self.twin(namespace, &memory)? {
            return Err(StoreError::Duplicate { twin: twin.id, namespace: memory.namespace }.into());
        }
        self.bring_back(namespace, &mut memory, at)?;
        // What went with it comes back with it, and stays behind it as before.
        for older in self.replaced(namespace, id, Some(trashed_at))? {
            let mut older = self.find(scope, older)?.1;
            if self.twin(namespace, &older)?.is_none() {
                self.bring_back(namespace, &mut older, at)?;
            }
        }
        Ok(Written::Restored(Box::new(memory)))
    }

    pub(super) fn bring_back(
        &mut self,
        namespace: i64,
        memory: &mut Memory,
        at: Timestamp,
    ) -> Result<(), Trouble> {
        let id = memory.id;
        (memory.trashed_at, memory.trashed_by) = (None, None);
        memory.updated_at = at;
        // Who brings it back wants to see it.
        memory.facets.expires_at.take_if(|until| *until <= at);
        self.update(namespace, memory)?;
        self.arrive(namespace, id, at)?;
        self.touch_superseded(namespace, id)?;
        self.touch_edges(namespace, id)?;
        self.tell(Some(&memory.namespace), at, &Happening::Restored { id })
    }

    fn purge(&mut self, scope: &Scope, id: MemoryId, at: Timestamp) -> Result<Written, Trouble> {
        let (namespace, memory) = self.find(scope, id)?;
        let id = memory.id;
        if memory.trashed_at.is_none() {
            return Err(StoreError::NotTrashed { id }.into());
        }
        let mut ids = vec![id];
        ids.extend(self.sources_of(namespace, id)?.into_iter().map(|source| source.id));
        for id in &ids {
            self.destroy(namespace, *id)?;
        }
        let count = ids.len() as u64;
        self.blank_questions(&ids)?;
        self.tell(Some(&memory.namespace), at, &Happening::Purged { count, ids })?;
        Ok(Written::Purged(count))
    }

    fn purge_trashed(&mut self, scope: &Scope, before: Timestamp, at: Timestamp) -> Result<Written, Trouble> {
        let mut purged = 0;
        for (namespace, path) in read::namespace_numbers(self.connection, scope)? {
            let mut statement = self.connection.prepare_cached(
                "SELECT id FROM memories WHERE namespace_id = ?1 AND trashed_at IS NOT NULL AND trashed_at < ?2
                 AND coalesce(arrived_at < ?2, true)",
            )?;
            let ids = statement.query_all(params![namespace, before.as_millisecond()], |row| row.get(0))?;
            debug_assert!(scope.contains(&path));
            if ids.is_empty() {
                continue;
            }
            let ids: Vec<MemoryId> = ids.into_iter().map(row::id).collect();
            for id in &ids {
                self.destroy(namespace, *id)?;
            }
            let count = ids.len() as u64;
            self.blank_questions(&ids)?;
            purged += count;
            self.tell(Some(&path), at, &Happening::Purged { count, ids })?;
        }
        Ok(Written::Purged(purged))
    }

    fn embed(
        &mut self,
        path: &Namespace,
        id: MemoryId,
        version: u32,
        embedding: &Embedding,
    ) -> Result<Written, Trouble> {
        let (namespace, mut memory) = match self.find(&Scope::Exact(path.clone()), id) {
            Err(Trouble::Told(StoreError::NotFound { .. })) => return Ok(Written::Embedded(false)),
            found => found?,
        };
        if memory.version != version {
            return Ok(Written::Embedded(false));
        }
        self.update(namespace, &mut memory)?;
        self.set_embedding(namespace, &mut memory, embedding)?;
        Ok(Written::Embedded(true))
    }

    pub(super) fn find(&self, scope: &Scope, id: MemoryId) -> Result<(i64, Memory), Trouble> {
        let found = match (read::find(self.connection, scope, id)?, scope) {
            // It may have come with an id that another namespace held, and have got one of its own.
            (None, Scope::Exact(path)) => read::find(self.connection, scope, id.within(path))?,
            (found, _) => found,
        };
        found.ok_or_else(|| StoreError::NotFound { id }.into())
    }

    /// The memory outside the trash that says the same, if there is one.
    pub(super) fn twin(&self, namespace: i64, memory: &Memory) -> Result<Option<Memory>, Trouble> {
        let sql = format!(
            "{} WHERE m.namespace_id = ?1 AND m.fingerprint = ?2 AND m.trashed_at IS NULL",
            row::MEMORY
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![namespace, memory.fingerprint().0])?;
        rows.next()?.map(row::memory).transpose()
    }

    pub(super) fn exists(&self, namespace: i64, id: MemoryId) -> Result<bool, Trouble> {
        let mut statement =
            self.connection.prepare_cached("SELECT 1 FROM memories WHERE namespace_id = ?1 AND id = ?2")?;
        statement.exists(params![namespace, id.as_bytes()])
    }

    pub(super) fn namespace_number(&self, path: &Namespace) -> Result<i64, Trouble> {
        let mut select = self.connection.prepare_cached("SELECT id FROM namespaces WHERE path = ?1")?;
        if let Some(number) = select.query_row([path.as_str()], |row| row.get(0)).optional()? {
            return Ok(number);
        }
        let number = self.next_number("namespaces")?;
        self.connection
            .execute("INSERT INTO namespaces (id, path) VALUES (?1, ?2)", params![number, path.as_str()])?;
        Ok(number)
    }

    /// The same, remembered for the rest of the call.
    pub(super) fn known_namespace(&mut self, path: &Namespace) -> Result<i64, Trouble> {
        let known = self.call.as_ref().and_then(|call| call.namespace.as_ref());
        if let Some((_, number)) = known.filter(|(own, _)| own == path) {
            return Ok(*number);
        }
        let number = self.namespace_number(path)?;
        if let Some(call) = &mut self.call {
            call.namespace = Some((path.clone(), number));
        }
        Ok(number)
    }

    /// A space's number, remembered for the rest of the call.
    pub(super) fn known_space(&mut self, space: &SpaceId) -> Result<i64, Trouble> {
        let known = self.call.as_ref().and_then(|call| call.space.as_ref());
        if let Some((_, number)) = known.filter(|(own, _)| own == space) {
            return Ok(*number);
        }
        let number = self.space_number(space)?;
        if let Some(call) = &mut self.call {
            call.space = Some((space.clone(), number));
        }
        Ok(number)
    }

    pub(super) fn space_number(&self, space: &SpaceId) -> Result<i64, Trouble> {
        let mut select =
            self.connection.prepare_cached("SELECT id FROM spaces WHERE model = ?1 AND dimensions = ?2")?;
        if let Some(number) =
            select.query_row(params![space.model, space.dimensions], |row| row.get(0)).optional()?
        {
            return Ok(number);
        }
        let number = self.next_number("spaces")?;
        let insert = "INSERT INTO spaces (id, model, dimensions) VALUES (?1, ?2, ?3)";
        self.connection.execute(insert, params![number, space.model, space.dimensions])?;
        Ok(number)
    }

    /// The number of a table's next row. Whoever writes is alone.
    fn next_number(&self, table: &str) -> Result<i64, Trouble> {
        let sql = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
        self.connection.prepare(&sql)?.query_row(params![], |row| row.get(0))
    }

    pub(super) fn next_change(&mut self, namespace: i64) -> Result<peri_types::ChangeNumber, Trouble> {
        self.change += 1;
        let Some(call) = &mut self.call else {
            self.set_head(namespace, self.change)?;
            return Ok(peri_types::ChangeNumber(self.change));
        };
        match call.heads.iter_mut().find(|(own, _)| *own == namespace) {
            Some((_, head)) => *head = self.change,
            None => call.heads.push((namespace, self.change)),
        }
        Ok(peri_types::ChangeNumber(self.change))
    }

    /// Takes a change number for what no index follows, so that the store's last change still tells one state of it
    /// from another.
    pub(super) fn count_change(&mut self) {
        self.change += 1;
    }

    /// The number that the next change will have.
    pub(super) fn coming_change(&self) -> peri_types::ChangeNumber {
        peri_types::ChangeNumber(self.change + 1)
    }

    fn set_head(&self, namespace: i64, change: u64) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("UPDATE namespaces SET change = ?2 WHERE id = ?1")?
            .execute(params![namespace, change])?;
        Ok(())
    }

    fn keep_version(&self, namespace: i64, memory: &Memory, until: Timestamp) -> Result<(), Trouble> {
        let key = params![namespace, memory.id.as_bytes()];
        let since: Option<i64> = self
            .connection
            .prepare_cached("SELECT max(until) FROM versions WHERE namespace_id = ?1 AND id = ?2")?
            .query_row(key, |row| row.get(0))?;
        self.connection
            .prepare_cached(
                "INSERT INTO versions (namespace_id, id, version, content, since, until) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                namespace,
                memory.id.as_bytes(),
                memory.version,
                memory.content,
                since.unwrap_or(memory.created_at.as_millisecond()),
                until.as_millisecond(),
            ])?;
        Ok(())
    }

    pub(super) fn drop_vectors(&self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("DELETE FROM vectors WHERE namespace_id = ?1 AND id = ?2")?
            .execute(params![namespace, id.as_bytes()])?;
        Ok(())
    }

    pub(super) fn destroy(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        self.touch_superseded(namespace, id)?;
        self.connection.prepare_cached(FREE_SUPERSEDED)?.execute(params![namespace, id.as_bytes()])?;
        self.drop_edges(namespace, id)?;
        for table in ["memories", "vectors", "versions", "usage", "uses"] {
            let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1 AND id = ?2");
            self.connection.prepare_cached(&sql)?.execute(params![namespace, id.as_bytes()])?;
        }
        self.drop_merges(namespace, id)?;
        self.destroyed = true;
        self.bury(namespace, id)
    }

    /// Tells indexes of a namespace that a memory is no longer in it.
    pub(super) fn bury(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        let change = self.next_change(namespace)?;
        self.connection
            .prepare_cached("INSERT INTO tombstones (namespace_id, change, id) VALUES (?1, ?2, ?3)")?
            .execute(params![namespace, change.0, id.as_bytes()])?;
        Ok(())
    }
}

fn revise_record(memory: &mut Memory, revision: Revision) {
    fn set<T>(place: &mut T, value: Option<T>) {
        if let Some(value) = value {
            *place = value;
        }
    }
    if memory.layer == Layer::Working && revision.layer.is_some_and(|layer| layer != Layer::Working) {
        // What is kept for longer does not end with its working memory.
        memory.facets.expires_at = None;
    }
    set(&mut memory.content, revision.content.map(|(content, _)| content));
    set(&mut memory.layer, revision.layer);
    set(&mut memory.kind, revision.kind);
    set(&mut memory.importance, revision.importance);
    set(&mut memory.facets.tags, revision.tags);
    set(&mut memory.facets.aliases, revision.aliases);
    set(&mut memory.facets.pinned, revision.pinned);
    set(&mut memory.facets.expires_at, revision.expires_at);
    set(&mut memory.facets.superseded_by, revision.superseded_by);
    set(&mut memory.facets.valid_from, revision.valid_from);
    set(&mut memory.facets.valid_until, revision.valid_until);
    set(&mut memory.facets.metadata, revision.metadata);
    set(&mut memory.facets.context, revision.context);
    set(&mut memory.facets.data, revision.data);
    if revision.source.is_some() {
        memory.facets.source = revision.source;
    }
}

pub(super) fn written<T: Serialize + ?Sized>(value: &T) -> Result<String, Trouble> {
    serde_json::to_string(value).map_err(row::malformed)
}
