//! Whole namespaces: moved and deleted.

use peri_types::{Happening, Memory, MemoryId, Namespace, Scope, Timestamp};
use rusqlite::params;

use super::apply::Ledger;
use super::connection::Dialect;
use super::trouble::Trouble;
use super::{read, row};
use crate::{LoadedRows, StoreError, Written};

/// Tables whose rows belong to one memory, and move and leave with it.
pub(super) const OF_A_MEMORY: [&str; 4] = ["vectors", "versions", "usage", "uses"];

/// Tables whose rows belong to a namespace as a whole, and leave with it.
const OF_A_NAMESPACE: [&str; 9] = [
    "days_in_use",
    "sessions",
    "journal_entries",
    "journal_turns",
    "note_documents",
    "note_lines",
    "trajectories",
    "patterns",
    "learned",
];

impl Ledger<'_> {
    pub(super) fn move_namespace(
        &mut self,
        from: &Namespace,
        to: &Namespace,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let Some(old) = read::namespace_number(self.connection, from)? else {
            return Err(StoreError::NoNamespace { namespace: from.clone() }.into());
        };
        let new = self.namespace_number(to)?;
        let (mut memories, mut repeated) = (0, 0);
        if old == new {
            return Ok(Written::NamespaceGone { memories, repeated });
        }
        for id in self.ids(old)? {
            memories += 1;
            repeated += u64::from(self.move_memory(old, new, from, id, at)?);
        }
        self.move_rows("edges", &["source", "type", "target"], old, new)?;
        self.move_rows("merges", &["absorbed"], old, new)?;
        self.move_rows("sessions", &["name"], old, new)?;
        self.move_rows("journal_entries", &["id"], old, new)?;
        self.move_rows("journal_turns", &["id"], old, new)?;
        self.move_rows("trajectories", &["id"], old, new)?;
        self.move_learned(old, new)?;
        self.move_patterns(old, new)?;
        self.move_alerts(from, to)?;
        self.forget_learned(old)?;
        self.moved_edges(old, new)?;
        self.move_days(old, new)?;
        let settled_at = read::settled_at(self.connection, old)?.map(Timestamp::as_millisecond);
        self.connection
            .prepare_cached("UPDATE namespaces SET settled_at = ?1 WHERE id = ?2 AND settled_at IS NULL")?
            .execute(params![settled_at, new])?;
        self.tell(Some(to), at, &Happening::NamespaceMoved { from: Some(from.clone()), memories })?;
        Ok(Written::NamespaceGone { memories, repeated })
    }

    /// Moves the rows of a table whose like is not at the new place, and drops the others.
    pub(super) fn move_rows(&self, table: &str, key: &[&str], old: i64, new: i64) -> Result<(), Trouble> {
        let update = match self.connection.dialect() {
            Dialect::Sqlite => "UPDATE OR IGNORE",
            Dialect::Mysql => "UPDATE IGNORE",
            Dialect::Postgres => {
                let same = key.iter().map(|column| format!("AND t.{column} = {table}.{column}"));
                let same = same.collect::<Vec<_>>().join(" ");
                let sql = format!(
                    "DELETE FROM {table} WHERE namespace_id = ?1
                     AND EXISTS (SELECT 1 FROM {table} t WHERE t.namespace_id = ?2 {same})"
                );
                self.connection.prepare_cached(&sql)?.execute([old, new])?;
                "UPDATE"
            }
        };
        let sql = format!("{update} {table} SET namespace_id = ?2 WHERE namespace_id = ?1");
        self.connection.prepare_cached(&sql)?.execute([old, new])?;
        let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1");
        self.connection.prepare_cached(&sql)?.execute([old])?;
        Ok(())
    }

    fn ids(&self, namespace: i64) -> Result<Vec<MemoryId>, Trouble> {
        let mut select =
            self.connection.prepare_cached("SELECT id FROM memories WHERE namespace_id = ?1 ORDER BY id")?;
        let ids = select.query_all([namespace], |row| row.get(0))?;
        Ok(ids.into_iter().map(row::id).collect())
    }

    /// Moves one memory. One that is said at the new place already goes to the trash there; whether it did is the
    /// answer.
    fn move_memory(
        &mut self,
        old: i64,
        new: i64,
        from: &Namespace,
        id: MemoryId,
        at: Timestamp,
    ) -> Result<bool, Trouble> {
        let (_, memory) = self.find(&Scope::Exact(from.clone()), id)?;
        if self.exists(new, id)? {
            let namespace = read::path_of(self.connection, new)?;
            return Err(StoreError::IdTaken { id, namespace }.into());
        }
        let repeated = memory.trashed_at.is_none() && self.twin(new, &memory)?.is_some();
        let trashed_at = if repeated { Some(at) } else { memory.trashed_at };
        let change = self.next_change(new)?;
        self.connection
            .prepare_cached(
                "UPDATE memories SET namespace_id = ?3, change = ?4, trashed_at = ?5
                 WHERE namespace_id = ?1 AND id = ?2",
            )?
            .execute(params![old, id.as_bytes(), new, change.0, trashed_at.map(Timestamp::as_millisecond)])?;
        for table in OF_A_MEMORY {
            let sql = format!("UPDATE {table} SET namespace_id = ?3 WHERE namespace_id = ?1 AND id = ?2");
            self.connection.prepare_cached(&sql)?.execute(params![old, id.as_bytes(), new])?;
        }
        self.bury(old, id)?;
        Ok(repeated)
    }

    /// Graphs of both namespaces must read again what moved.
    fn moved_edges(&mut self, old: i64, new: i64) -> Result<(), Trouble> {
        let change = self.next_change(new)?;
        self.connection
            .prepare_cached(
                "INSERT INTO edge_changes (namespace_id, source, change)
                 SELECT namespace_id, source, ?2 FROM edges WHERE namespace_id = ?1 GROUP BY namespace_id, source
                 ON CONFLICT (namespace_id, source) DO UPDATE SET change = excluded.change",
            )?
            .execute(params![new, change.0])?;
        let change = self.next_change(old)?;
        self.connection
            .prepare_cached("UPDATE edge_changes SET change = ?2 WHERE namespace_id = ?1")?
            .execute(params![old, change.0])?;
        Ok(())
    }

    pub(super) fn delete_namespace(
        &mut self,
        path: &Namespace,
        purge: bool,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let Some(namespace) = read::namespace_number(self.connection, path)? else {
            return Err(StoreError::NoNamespace { namespace: path.clone() }.into());
        };
        let mut memories = 0;
        let ids = self.ids(namespace)?;
        if purge {
            self.blank_questions(&ids)?;
        }
        for id in ids {
            let mut memory: Memory = self.find(&Scope::Exact(path.clone()), id)?.1;
            if purge {
                self.destroy(namespace, id)?;
                memories += 1;
            } else if memory.trashed_at.is_none() {
                self.trash(namespace, &mut memory, at, None)?;
                memories += 1;
            }
        }
        if purge {
            for table in OF_A_NAMESPACE {
                let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1");
                self.connection.prepare_cached(&sql)?.execute([namespace])?;
            }
            self.forget_learned(namespace)?;
            // What comes there later orbits from its own beginning.
            self.connection
                .prepare_cached(
                    "UPDATE namespaces SET settled_at = NULL, faded_on = NULL, faded = 0 WHERE id = ?1",
                )?
                .execute([namespace])?;
            self.drop_alerts(path)?;
            self.count_change();
        }
        self.tell(Some(path), at, &Happening::NamespaceDeleted { memories, purged: purge })?;
        Ok(Written::NamespaceGone { memories, repeated: 0 })
    }

    /// Destroys these rows of a namespace, and nothing else there.
    pub(super) fn remove_loaded(
        &mut self,
        path: &Namespace,
        rows: &LoadedRows,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let Some(namespace) = read::namespace_number(self.connection, path)? else {
            return Err(StoreError::NoNamespace { namespace: path.clone() }.into());
        };
        let mut ids = Vec::new();
        for id in &rows.memories {
            if self.exists(namespace, *id)? {
                self.destroy(namespace, *id)?;
                ids.push(*id);
            }
        }
        self.blank_questions(&ids)?;
        let bytes = |id: &[u8; 16]| rusqlite::types::Value::from(id.to_vec());
        let keys = [
            ("journal_entries", rows.entries.iter().map(|id| bytes(id.as_bytes())).collect::<Vec<_>>()),
            ("journal_turns", rows.turns.iter().map(|id| bytes(id.as_bytes())).collect()),
            ("trajectories", rows.trajectories.iter().map(|id| bytes(id.as_bytes())).collect()),
            ("patterns", rows.patterns.iter().map(|id| bytes(id.as_bytes())).collect()),
        ];
        for (table, ids) in keys {
            let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1 AND id = ?2");
            for id in ids {
                self.connection.prepare_cached(&sql)?.execute(params![namespace, id])?;
            }
        }
        for name in &rows.sessions {
            self.connection
                .prepare_cached("DELETE FROM sessions WHERE namespace_id = ?1 AND name = ?2")?
                .execute(params![namespace, name])?;
        }
        for (name, number) in &rows.learned {
            self.connection
                .prepare_cached("DELETE FROM learned WHERE namespace_id = ?1 AND name = ?2 AND number <= ?3")?
                .execute(params![namespace, name, number])?;
        }
        for (table, through) in [("feedback", rows.feedback_through), ("weights", rows.weights_through)] {
            let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1 AND number <= ?2");
            self.connection.prepare_cached(&sql)?.execute(params![namespace, through])?;
        }
        self.count_change();
        let count = ids.len() as u64;
        self.tell(Some(path), at, &Happening::Purged { count, ids })?;
        Ok(Written::Purged(count))
    }

    /// What was learned from use belongs to the memories it was learned from.
    fn forget_learned(&self, namespace: i64) -> Result<(), Trouble> {
        for table in ["feedback", "weights"] {
            let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1");
            self.connection.prepare_cached(&sql)?.execute([namespace])?;
        }
        Ok(())
    }
}
