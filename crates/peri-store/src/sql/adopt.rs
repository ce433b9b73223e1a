//! Taking over memories from another store, with everything that belongs to them.

use peri_types::{Happening, Memory, Scope, Timestamp, Version};
use rusqlite::params;

use super::apply::Ledger;
use super::namespaces::OF_A_MEMORY;
use super::trouble::Trouble;
use super::{orbit, read};
use crate::{Adopted, OnConflict, StoreError, WholeMemory, Written};

impl Ledger<'_> {
    pub(super) fn adopt(
        &mut self,
        mut whole: WholeMemory,
        on_conflict: OnConflict,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let namespace = self.known_namespace(&whole.memory.namespace)?;
        self.settle_ids(namespace, &mut whole)?;
        self.use_day(namespace, at)?;
        if self.take_over(namespace, &mut whole, at)? {
            return Ok(Written::Adopted(Adopted::Added));
        }
        let scope = Scope::Exact(whole.memory.namespace.clone());
        let own = read::find(self.connection, &scope, whole.memory.id)?.map(|(_, memory)| memory);
        let here = own.is_some();
        if here && on_conflict == OnConflict::Keep {
            return Ok(Written::Adopted(Adopted::Known));
        }
        if let Some(own) = own.as_ref().filter(|_| on_conflict == OnConflict::Replace)
            && Adopted::stays(own, &whole.memory, at)
        {
            return Ok(Written::Adopted(Adopted::NewerHere));
        }
        let twin = self.twin(namespace, &whole.memory)?.filter(|twin| twin.id != whole.memory.id);
        let mut twin = twin.filter(|_| whole.memory.trashed_at.is_none());
        if let Some(twin) = &mut twin {
            if on_conflict != OnConflict::TakeOver {
                return Ok(Written::Adopted(Adopted::SaidBy(twin.id)));
            }
            self.trash(namespace, twin, at, None)?;
            self.tell(Some(&twin.namespace), at, &Happening::Forgotten { id: twin.id })?;
        }
        if let Some(own) = &own {
            self.keep_past(own, &mut whole, at)?;
            self.clear(namespace, &whole.memory)?;
        }
        if !self.take_over(namespace, &mut whole, at)? {
            return Err(StoreError::IdTaken { id: whole.memory.id, namespace: whole.memory.namespace }.into());
        }
        Ok(Written::Adopted(match twin {
            Some(twin) => Adopted::InsteadOf(twin.id),
            None if here => Adopted::Replaced,
            None => Adopted::Added,
        }))
    }

    /// Takes what a memory said, and how often it was used, over into the one that replaces it.
    fn keep_past(&self, own: &Memory, whole: &mut WholeMemory, at: Timestamp) -> Result<(), Trouble> {
        let mut past = read::versions(self.connection, &own.namespace, own.id)?;
        let since = past.last().map_or(own.created_at, |last| last.until);
        past.push(Version { version: own.version, content: own.content.clone(), since, until: at });
        let said = |content: &str| whole.versions.iter().any(|version| version.content == content);
        past.retain(|version| version.content != whole.memory.content && !said(&version.content));
        if !past.is_empty() {
            whole.versions.extend(past);
            whole.versions.sort_by_key(|version| (version.since, version.version));
            (1..).zip(&mut whole.versions).for_each(|(number, version)| version.version = number);
            let versions = u32::try_from(whole.versions.len()).unwrap_or(u32::MAX);
            whole.memory.version = whole.memory.version.max(versions.saturating_add(1));
        }
        // Whoever has seen a state of it must not take the new one for that.
        whole.memory.version = whole.memory.version.max(own.version);
        if let Some((recalls, last_used_at)) = orbit::usage(self.connection, &own.namespace, own.id)? {
            whole.recalls = whole.recalls.max(recalls);
            whole.last_used_at = whole.last_used_at.max(Some(last_used_at));
        }
        Ok(())
    }

    /// Makes room for a memory that replaces the one with its id; edges stay.
    fn clear(&mut self, namespace: i64, memory: &Memory) -> Result<(), Trouble> {
        for table in OF_A_MEMORY.into_iter().chain(["memories"]) {
            let sql = format!("DELETE FROM {table} WHERE namespace_id = ?1 AND id = ?2");
            self.connection.prepare_cached(&sql)?.execute(params![namespace, memory.id.as_bytes()])?;
        }
        // What was merged into it stays merged; into what it was merged itself comes with the new one.
        self.connection
            .prepare_cached("DELETE FROM merges WHERE namespace_id = ?1 AND absorbed = ?2")?
            .execute(params![namespace, memory.id.as_bytes()])?;
        Ok(())
    }

    /// Writes a memory with all that belongs to it, unless its id is taken or another makes its statement. Whether it
    /// was written is the answer.
    fn take_over(&mut self, namespace: i64, whole: &mut WholeMemory, at: Timestamp) -> Result<bool, Trouble> {
        let WholeMemory { memory, versions, recalls, last_used_at, embedding, merge, links } = whole;
        if !self.insert_if_new(namespace, memory, embedding, *links, Some(at))? {
            return Ok(false);
        }
        for version in versions {
            self.connection
                .prepare_cached(
                    "INSERT INTO versions (namespace_id, id, version, content, since, until)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (namespace_id, id, version) DO UPDATE SET content = excluded.content,
                     since = excluded.since, until = excluded.until",
                )?
                .execute(params![
                    namespace,
                    memory.id.as_bytes(),
                    version.version,
                    version.content,
                    version.since.as_millisecond(),
                    version.until.as_millisecond(),
                ])?;
        }
        if let Some(last_used_at) = last_used_at {
            self.connection
                .prepare_cached(
                    "INSERT INTO usage (namespace_id, id, recalls, last_at) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![namespace, memory.id.as_bytes(), *recalls, last_used_at.as_millisecond()])?;
        }
        // It may have come from the trash or gone there.
        self.touch_superseded(namespace, memory.id)?;
        self.touch_edges(namespace, memory.id)?;
        if let Some(merge) = merge {
            self.put_merge(namespace, merge)?;
        }
        Ok(true)
    }
}
