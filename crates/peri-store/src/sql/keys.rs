//! Keys: created, revoked, and looked up by their id at every request.

use super::connection::{Connection, Row};
use peri_types::{Happening, KeyId, Role, Timestamp};
use rusqlite::params;

use super::apply::Ledger;
use super::row;
use super::trouble::Trouble;
use crate::{KeyRecord, KeyUse, StoreError, Written};

impl Ledger<'_> {
    pub(super) fn create_key(&mut self, key: &KeyRecord) -> Result<Written, Trouble> {
        let created = self
            .connection
            .prepare_cached(
                "INSERT OR IGNORE INTO keys (id, name, hash, role, scope, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                key.id.as_str(),
                key.name,
                key.hash,
                key.role.code(),
                key.scope.to_string(),
                key.created_at.as_millisecond(),
            ])?;
        if created == 0 {
            return Err(StoreError::KeyTaken { id: key.id }.into());
        }
        let told = Happening::KeyCreated { key: key.id, role: key.role, scope: key.scope.clone() };
        self.tell(None, key.created_at, &told)?;
        self.key(key.id)
    }

    /// Revokes a key. One that is revoked already stays as it is, and nothing is told.
    pub(super) fn revoke_key(&mut self, id: KeyId, at: Timestamp) -> Result<Written, Trouble> {
        let revoked = self
            .connection
            .prepare_cached("UPDATE keys SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL")?
            .execute(params![id.as_str(), at.as_millisecond()])?;
        if revoked > 0 {
            self.tell(None, at, &Happening::KeyRevoked { key: id })?;
        }
        self.key(id)
    }

    fn key(&self, id: KeyId) -> Result<Written, Trouble> {
        let found = find(self.connection, id)?;
        Ok(Written::Key(Box::new(found.ok_or(StoreError::NoKey { id })?)))
    }
}

const KEY: &str = "SELECT id, name, hash, role, scope, created_at, revoked_at, used_at FROM keys";

fn key(row: Row<'_>) -> Result<KeyRecord, Trouble> {
    Ok(KeyRecord {
        id: row.get::<String>(0)?.parse().map_err(row::malformed)?,
        name: row.get(1)?,
        hash: row.get(2)?,
        role: Role::from_code(row.get(3)?).ok_or_else(|| row::malformed("unknown role"))?,
        scope: row.get::<String>(4)?.parse().map_err(row::malformed)?,
        created_at: row::time(row.get(5)?)?,
        revoked_at: row::optional_time(row.get(6)?)?,
        used_at: row::optional_time(row.get(7)?)?,
    })
}

/// One key, revoked or not.
pub(super) fn find(connection: &Connection, id: KeyId) -> Result<Option<KeyRecord>, Trouble> {
    let sql = format!("{KEY} WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([id.as_str()])?;
    rows.next()?.map(key).transpose()
}

/// Every key, the earliest first.
pub(super) fn list(connection: &Connection) -> Result<Vec<KeyRecord>, Trouble> {
    let sql = format!("{KEY} ORDER BY created_at, id");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(key(row)?);
    }
    Ok(found)
}

/// Whether there is a key that is not revoked.
pub(super) fn any(connection: &Connection) -> Result<bool, Trouble> {
    connection.prepare_cached("SELECT 1 FROM keys WHERE revoked_at IS NULL LIMIT 1")?.exists(params![])
}

/// Notes when keys were last used. Several processes may tell of the same one, in any order.
pub(super) fn note_uses(connection: &Connection, uses: &[KeyUse]) -> Result<(), Trouble> {
    let mut statement = connection
        .prepare_cached("UPDATE keys SET used_at = max(coalesce(used_at, ?2), ?2) WHERE id = ?1")?;
    for one in uses {
        statement.execute(params![one.id.as_str(), one.at.as_millisecond()])?;
    }
    Ok(())
}
