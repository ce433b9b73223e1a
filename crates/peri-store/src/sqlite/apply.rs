//! What each write does to the tables. Everything here runs inside the writer's transaction.

use peri_types::{Happening, Layer, Memory, MemoryId, Namespace, Scope, SpaceId, Timestamp};
use rusqlite::{Connection, OptionalExtension, ToSql, params, params_from_iter};
use serde::Serialize;

use super::error::Trouble;
use super::read;
use super::row;
use crate::{Embedding, Links, NewMemory, Revision, StoreError, Write, Written, vectors};

/// The writer's transaction and the number of the last change made in it.
pub(super) struct Ledger<'a> {
    pub(super) connection: &'a Connection,
    change: u64,
    /// The last change before this transaction.
    before: u64,
    /// Whether something was destroyed in it.
    destroyed: bool,
}

/// Marks of so many writers are kept; an index that is older than all of them is built anew.
const MARKS_KEPT: i64 = 20_000;

impl<'a> Ledger<'a> {
    /// Opens the ledger at the last committed change.
    pub(super) fn open(connection: &'a Connection) -> Result<Self, Trouble> {
        let change = connection
            .prepare_cached("SELECT value FROM counters WHERE name = 'change'")?
            .query_row([], |row| row.get(0))?;
        Ok(Self { connection, change, before: change, destroyed: false })
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
            self.connection.execute(
                "INSERT INTO lineage (change, mark) VALUES (?1, lower(hex(randomblob(16))))",
                [self.before + 1],
            )?;
            let oldest = self.connection.last_insert_rowid() - MARKS_KEPT;
            self.connection.execute("DELETE FROM lineage WHERE number <= ?1", [oldest])?;
        }
        self.connection
            .prepare_cached("UPDATE counters SET value = ?1 WHERE name = 'change' AND value <> ?1")?
            .execute([self.change])?;
        Ok(true)
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
            Write::SetWeights { namespace, value, reason, at } => {
                self.set_weights(&namespace, &value, &reason, at)
            }
            Write::MoveNamespace { from, to, at } => self.move_namespace(&from, &to, at),
            Write::DeleteNamespace { namespace, purge, at } => self.delete_namespace(&namespace, purge, at),
            Write::Adopt { whole, on_conflict, at } => self.adopt(*whole, on_conflict, at),
            Write::AdoptSession(session) => self.adopt_session(&session),
            Write::AdoptSettled { namespace, settled_at } => self.adopt_settled(&namespace, settled_at),
            Write::ShipEvents { through, keep } => self.ship_events(through, keep),
            Write::Tell(told) => {
                self.tell(told.namespace.as_ref(), told.at, &told.what)?;
                Ok(Written::Done)
            }
            Write::CreateKey(key) => self.create_key(&key),
            Write::RevokeKey { id, at } => self.revoke_key(id, at),
            Write::KeepAnswer(answer) => self.keep_answer(*answer),
            Write::DropAnswers { before } => self.drop_answers(before),
        }
    }

    fn remember(&mut self, new: NewMemory) -> Result<Written, Trouble> {
        let NewMemory { mut memory, embedding, links } = new;
        let namespace = self.namespace_number(&memory.namespace)?;
        if let Some(twin) = self.standing_twin(namespace, &mut memory)? {
            return self.merge(namespace, twin, &memory);
        }
        if self.exists(namespace, memory.id)? {
            return Err(StoreError::IdTaken { id: memory.id, namespace: memory.namespace }.into());
        }
        memory.change = self.next_change(namespace)?;
        memory.space = None;
        self.insert(namespace, &memory, links)?;
        self.set_embedding(namespace, &mut memory, &embedding)?;
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
        for (key, value) in &new.facets.metadata {
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
        revise_record(&mut memory, revision);
        memory.version += 1;
        memory.updated_at = at;
        if let Some(twin) = self.twin(namespace, &memory)?.filter(|twin| twin.id != id) {
            return Err(StoreError::Duplicate { twin: twin.id, namespace: memory.namespace }.into());
        }
        self.update(namespace, &mut memory)?;
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
        if memory.trashed_at.is_none() {
            self.trash(namespace, &mut memory, at)?;
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
    ) -> Result<(), Trouble> {
        memory.trashed_at = Some(at);
        self.update(namespace, memory)?;
        self.touch_superseded(namespace, memory.id)?;
        self.touch_edges(namespace, memory.id)
    }

    fn restore(&mut self, scope: &Scope, id: MemoryId, at: Timestamp) -> Result<Written, Trouble> {
        let (namespace, mut memory) = self.find(scope, id)?;
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

    fn bring_back(&mut self, namespace: i64, memory: &mut Memory, at: Timestamp) -> Result<(), Trouble> {
        let id = memory.id;
        memory.trashed_at = None;
        memory.updated_at = at;
        self.update(namespace, memory)?;
        self.arrive(namespace, id, at)?;
        self.touch_superseded(namespace, id)?;
        self.touch_edges(namespace, id)?;
        self.tell(Some(&memory.namespace), at, &Happening::Restored { id })
    }

    fn purge(&mut self, scope: &Scope, id: MemoryId, at: Timestamp) -> Result<Written, Trouble> {
        let (namespace, memory) = self.find(scope, id)?;
        if memory.trashed_at.is_none() {
            return Err(StoreError::NotTrashed { id }.into());
        }
        self.destroy(namespace, id)?;
        self.tell(Some(&memory.namespace), at, &Happening::Purged { count: 1, ids: vec![id] })?;
        Ok(Written::Purged(1))
    }

    fn purge_trashed(&mut self, scope: &Scope, before: Timestamp, at: Timestamp) -> Result<Written, Trouble> {
        let mut purged = 0;
        for (namespace, path) in read::namespace_numbers(self.connection, scope)? {
            let mut statement = self.connection.prepare_cached(
                "SELECT id FROM memories WHERE namespace_id = ?1 AND trashed_at IS NOT NULL AND trashed_at < ?2
                 AND coalesce(arrived_at < ?2, true)",
            )?;
            let ids = statement
                .query_map(params![namespace, before.as_millisecond()], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<[u8; 16]>>>()?;
            debug_assert!(scope.contains(&path));
            if ids.is_empty() {
                continue;
            }
            let ids: Vec<MemoryId> = ids.into_iter().map(row::id).collect();
            for id in &ids {
                self.destroy(namespace, *id)?;
            }
            let count = ids.len() as u64;
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
        let found = read::find(self.connection, scope, id)?;
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
        Ok(statement.exists(params![namespace, id.as_bytes()])?)
    }

    pub(super) fn namespace_number(&self, path: &Namespace) -> Result<i64, Trouble> {
        let mut select = self.connection.prepare_cached("SELECT id FROM namespaces WHERE path = ?1")?;
        if let Some(number) = select.query_row([path.as_str()], |row| row.get(0)).optional()? {
            return Ok(number);
        }
        self.connection.execute("INSERT INTO namespaces (path) VALUES (?1)", [path.as_str()])?;
        Ok(self.connection.last_insert_rowid())
    }

    fn space_number(&self, space: &SpaceId) -> Result<i64, Trouble> {
        let mut select =
            self.connection.prepare_cached("SELECT id FROM spaces WHERE model = ?1 AND dimensions = ?2")?;
        if let Some(number) =
            select.query_row(params![space.model, space.dimensions], |row| row.get(0)).optional()?
        {
            return Ok(number);
        }
        let insert = "INSERT INTO spaces (model, dimensions) VALUES (?1, ?2)";
        self.connection.execute(insert, params![space.model, space.dimensions])?;
        Ok(self.connection.last_insert_rowid())
    }

    pub(super) fn next_change(&mut self, namespace: i64) -> Result<peri_types::ChangeNumber, Trouble> {
        self.change += 1;
        self.connection
            .prepare_cached("UPDATE namespaces SET change = ?2 WHERE id = ?1")?
            .execute(params![namespace, self.change])?;
        Ok(peri_types::ChangeNumber(self.change))
    }

    pub(super) fn insert(&self, namespace: i64, memory: &Memory, links: Links) -> Result<(), Trouble> {
        let facets = &memory.facets;
        self.write_record(
            "INSERT INTO memories (namespace_id, id, content, fingerprint, layer, kind, importance, pinned, tags,
             aliases, expires_at, valid_from, metadata, updated_at, version, trashed_at, change, context, data,
             promotion_undone, session, speaker, source, occurred_at, created_at, superseded_by, valid_until, zone,
             linked, key, promoted_from, embedding) VALUES
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
             ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, 0)",
            namespace,
            memory,
            params![
                facets.session,
                facets.speaker,
                facets.source,
                facets.occurred_at.map(Timestamp::as_millisecond),
                memory.created_at.as_millisecond(),
                facets.superseded_by.as_ref().map(MemoryId::as_bytes),
                facets.valid_until.map(Timestamp::as_millisecond),
                memory.zone.code(),
                links == Links::Sought,
                facets.key,
                facets.promoted_from.map(Layer::code),
            ],
        )
    }

    /// Writes a changed record under a new change number. Vectors are not touched, nor are what took its place
    /// and until when it held: those are read in the light of other memories.
    pub(super) fn update(&mut self, namespace: i64, memory: &mut Memory) -> Result<(), Trouble> {
        memory.change = self.next_change(namespace)?;
        self.write_record(
            "UPDATE memories SET content = ?3, fingerprint = ?4, layer = ?5, kind = ?6, importance = ?7, pinned = ?8,
             tags = ?9, aliases = ?10, expires_at = ?11, valid_from = ?12, metadata = ?13, updated_at = ?14,
             version = ?15, trashed_at = ?16, change = ?17, context = ?18, data = ?19, promotion_undone = ?20
             WHERE namespace_id = ?1 AND id = ?2",
            namespace,
            memory,
            &[],
        )
    }

    /// Executes a statement that takes a record: what it is found by and what may change of it as ?1 to ?20,
    /// and after them what never changes, if the statement wants it.
    fn write_record(
        &self,
        sql: &str,
        namespace: i64,
        memory: &Memory,
        unchanging: &[&dyn ToSql],
    ) -> Result<(), Trouble> {
        let facets = &memory.facets;
        let changing = params![
            namespace,
            memory.id.as_bytes(),
            memory.content,
            memory.fingerprint().0,
            memory.layer.code(),
            memory.kind.code(),
            f64::from(memory.importance),
            facets.pinned,
            list(&facets.tags)?,
            list(&facets.aliases)?,
            facets.expires_at.map(Timestamp::as_millisecond),
            facets.valid_from.map(Timestamp::as_millisecond),
            if facets.metadata.is_empty() { None } else { Some(written(&facets.metadata)?) },
            memory.updated_at.as_millisecond(),
            memory.version,
            memory.trashed_at.map(Timestamp::as_millisecond),
            memory.change.0,
            if facets.context.is_empty() { None } else { Some(written(&facets.context)?) },
            facets.data.as_ref().map(written).transpose()?,
            facets.promotion_undone,
        ];
        let parameters = params_from_iter(changing.iter().chain(unchanging));
        self.connection.prepare_cached(sql)?.execute(parameters)?;
        Ok(())
    }

    pub(super) fn set_embedding(
        &self,
        namespace: i64,
        memory: &mut Memory,
        embedding: &Embedding,
    ) -> Result<(), Trouble> {
        let (state, space) = match embedding {
            Embedding::Ready(vector) => {
                let space = self.space_number(&vector.space)?;
                self.connection
                    .prepare_cached(
                        "INSERT OR REPLACE INTO vectors (namespace_id, id, space_id, value) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute(params![namespace, memory.id.as_bytes(), space, vectors::encode(&vector.values)])?;
                memory.space = Some(vector.space.clone());
                (1, Some(space))
            }
            Embedding::Pending => (0, None),
            Embedding::NotApplicable => (2, None),
        };
        if space.is_none() {
            memory.space = None;
        }
        self.connection
            .prepare_cached(
                "UPDATE memories SET embedding = ?3, space_id = ?4 WHERE namespace_id = ?1 AND id = ?2",
            )?
            .execute(params![namespace, memory.id.as_bytes(), state, space])?;
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

    fn drop_vectors(&self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("DELETE FROM vectors WHERE namespace_id = ?1 AND id = ?2")?
            .execute(params![namespace, id.as_bytes()])?;
        Ok(())
    }

    pub(super) fn destroy(&mut self, namespace: i64, id: MemoryId) -> Result<(), Trouble> {
        self.touch_superseded(namespace, id)?;
        self.connection
            .prepare_cached(
                "UPDATE memories SET superseded_by = NULL WHERE namespace_id = ?1 AND superseded_by = ?2",
            )?
            .execute(params![namespace, id.as_bytes()])?;
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
}

fn list(labels: &[String]) -> Result<Option<String>, Trouble> {
    if labels.is_empty() { Ok(None) } else { written(labels).map(Some) }
}

pub(super) fn written<T: Serialize + ?Sized>(value: &T) -> Result<String, Trouble> {
    serde_json::to_string(value).map_err(row::malformed)
}
