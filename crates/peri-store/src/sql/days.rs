//! On which days namespaces were used, and what is known of the machines' clocks.

use peri_types::{DayInUse, Namespace, Scope, Timestamp};
use rusqlite::params;

use super::apply::Ledger;
use super::connection::{Connection, Dialect, Optional};
use super::trouble::Trouble;
use super::{read, row};
use crate::{Asked, ClockRecord, Rewound, Written};

/// The one row of the table.
const CLOCK: &str = "clock";

impl Ledger<'_> {
    /// Notes that somebody used a namespace. An hour is noted once, in whatever order its uses come.
    pub(super) fn use_day(&mut self, namespace: i64, at: Timestamp) -> Result<(), Trouble> {
        let one = DayInUse::of(at.as_millisecond());
        if let Some(call) = &mut self.call
            && call.used.replace((namespace, one.last)) == Some((namespace, one.last))
        {
            return Ok(());
        }
        self.put_day(namespace, &one)
    }

    fn put_day(&self, namespace: i64, one: &DayInUse) -> Result<(), Trouble> {
        let (least, greatest) = match self.connection.dialect() {
            Dialect::Sqlite => ("min", "max"),
            Dialect::Postgres | Dialect::Mysql => ("least", "greatest"),
        };
        let sql = format!(
            "INSERT INTO days_in_use (namespace_id, day, first_at, last_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (namespace_id, day) DO UPDATE SET
             first_at = {least}(days_in_use.first_at, excluded.first_at),
             last_at = {greatest}(days_in_use.last_at, excluded.last_at)"
        );
        self.connection.prepare_cached(&sql)?.execute(params![namespace, one.day, one.first, one.last])?;
        Ok(())
    }

    /// Notes which namespaces were asked. One that is not there is none.
    pub(super) fn note_asked(&mut self, asked: &[Asked]) -> Result<(), Trouble> {
        for one in asked {
            if let Some(namespace) = read::namespace_number(self.connection, &one.namespace)? {
                self.put_day(namespace, &DayInUse::of(one.at.as_millisecond()))?;
            }
        }
        Ok(())
    }

    /// A namespace that takes another in was used whenever that was.
    pub(super) fn move_days(&self, old: i64, new: i64) -> Result<(), Trouble> {
        for day in days_in_use(self.connection, old)? {
            self.put_day(new, &day)?;
        }
        self.connection.prepare_cached("DELETE FROM days_in_use WHERE namespace_id = ?1")?.execute([old])?;
        Ok(())
    }

    /// Keeps what was seen of the clocks, unless another process was faster.
    pub(super) fn keep_clock(&mut self, clock: &ClockRecord) -> Result<Written, Trouble> {
        let known = stored_clock(self.connection)?.map_or(0, |(revision, _)| revision);
        if known != clock.revision {
            return Ok(Written::Done);
        }
        self.connection
            .prepare_cached(
                "INSERT INTO clocks (name, revision, state) VALUES (?1, ?2, ?3)
                 ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, state = excluded.state",
            )?
            .execute(params![CLOCK, known + 1, clock.state])?;
        Ok(Written::Done)
    }

    /// Takes back what happened by itself after a time: what went to the trash then comes back, and no memory, use or
    /// settled step lies later than now.
    pub(super) fn rewind(
        &mut self,
        scope: &Scope,
        after: Timestamp,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let mut rewound = Rewound::default();
        for (namespace, path) in read::namespace_numbers(self.connection, scope)? {
            rewound.restored += self.restore_trashed_after(namespace, &path, after, at)?;
            rewound.corrected += self.correct_times(namespace, at)?;
        }
        Ok(Written::Rewound(rewound))
    }

    fn restore_trashed_after(
        &mut self,
        namespace: i64,
        path: &Namespace,
        after: Timestamp,
        at: Timestamp,
    ) -> Result<u64, Trouble> {
        let ids = {
            let mut statement = self.connection.prepare_cached(
                "SELECT id FROM memories WHERE namespace_id = ?1 AND trashed_at > ?2 AND trashed_by IS NOT NULL
                 ORDER BY id",
            )?;
            statement.query_all(params![namespace, after.as_millisecond()], |row| row.get::<[u8; 16]>(0))?
        };
        let mut restored = 0;
        for id in ids {
            let mut memory = self.find(&Scope::Exact(path.clone()), row::id(id))?.1;
            if self.twin(namespace, &memory)?.is_none() {
                self.bring_back(namespace, &mut memory, at)?;
                restored += 1;
            }
        }
        Ok(restored)
    }

    /// Times later than now were set under a clock that went ahead.
    fn correct_times(&mut self, namespace: i64, at: Timestamp) -> Result<u64, Trouble> {
        let now = at.as_millisecond();
        let ids = {
            let mut statement = self.connection.prepare_cached(
                "SELECT id FROM memories WHERE namespace_id = ?1
                 AND (created_at > ?2 OR updated_at > ?2 OR trashed_at > ?2 OR arrived_at > ?2) ORDER BY id",
            )?;
            statement.query_all(params![namespace, now], |row| row.get::<[u8; 16]>(0))?
        };
        for id in &ids {
            let change = self.next_change(namespace)?;
            self.connection
                .prepare_cached(
                    "UPDATE memories SET
                     expires_at = CASE WHEN layer = 0 AND updated_at > ?3 THEN expires_at - (updated_at - ?3)
                         ELSE expires_at END,
                     created_at = CASE WHEN created_at > ?3 THEN ?3 ELSE created_at END,
                     trashed_at = CASE WHEN trashed_at > ?3 THEN ?3 ELSE trashed_at END,
                     arrived_at = CASE WHEN arrived_at > ?3 THEN ?3 ELSE arrived_at END,
                     change = ?4 WHERE namespace_id = ?1 AND id = ?2",
                )?
                .execute(params![namespace, id, now, change.0])?;
            // After the rest, because MySQL sees what was set before in the same statement.
            self.connection
                .prepare_cached(
                    "UPDATE memories SET updated_at = ?3 WHERE namespace_id = ?1 AND id = ?2 AND updated_at > ?3",
                )?
                .execute(params![namespace, id, now])?;
        }
        for sql in [
            "UPDATE usage SET last_at = ?2 WHERE namespace_id = ?1 AND last_at > ?2",
            "UPDATE uses SET at = ?2 WHERE namespace_id = ?1 AND at > ?2",
            "UPDATE namespaces SET settled_at = ?2, faded_on = NULL, faded = 0 WHERE id = ?1 AND settled_at > ?2",
            "DELETE FROM days_in_use WHERE namespace_id = ?1 AND first_at > ?2",
        ] {
            self.connection.prepare_cached(sql)?.execute(params![namespace, now])?;
        }
        Ok(ids.len() as u64)
    }

    /// What was put into working memory under a clock that went ahead begins its time now.
    pub(super) fn correct_expiry(&mut self, now: Timestamp) -> Result<(), Trouble> {
        self.connection
            .prepare_cached(
                "UPDATE memories SET expires_at = ?1 + (expires_at - updated_at)
                 WHERE layer = 0 AND trashed_at IS NULL AND expires_at > ?2 AND updated_at > ?2",
            )?
            .execute(params![now.as_millisecond(), now.as_millisecond() + AHEAD_MS])?;
        self.connection
            .prepare_cached(
                "UPDATE memories SET updated_at = ?1
                 WHERE layer = 0 AND trashed_at IS NULL AND expires_at IS NOT NULL AND updated_at > ?2",
            )?
            .execute(params![now.as_millisecond(), now.as_millisecond() + AHEAD_MS])?;
        Ok(())
    }
}

/// A value from further ahead than this was set under a wrong clock, and not on another machine a little ahead.
const AHEAD_MS: i64 = 86_400_000;

/// Whether something in working memory was set under a clock that went ahead.
pub(super) fn is_ahead(connection: &Connection, now: Timestamp) -> Result<bool, Trouble> {
    connection
        .prepare_cached(
            "SELECT 1 FROM memories INDEXED BY memories_working
             WHERE layer = 0 AND trashed_at IS NULL AND expires_at > ?1 AND updated_at > ?1 LIMIT 1",
        )?
        .exists([now.as_millisecond() + AHEAD_MS])
}

/// The days on which a namespace was used, in order.
pub(super) fn days_in_use(connection: &Connection, namespace: i64) -> Result<Vec<DayInUse>, Trouble> {
    connection
        .prepare_cached(
            "SELECT day, first_at, last_at FROM days_in_use WHERE namespace_id = ?1 ORDER BY day",
        )?
        .query_all([namespace], |row| {
            Ok(DayInUse { day: row.get(0)?, first: row.get(1)?, last: row.get(2)? })
        })
}

/// The days on which a namespace was used, in order, by its path.
pub(super) fn days_of(connection: &Connection, path: &Namespace) -> Result<Vec<DayInUse>, Trouble> {
    match read::namespace_number(connection, path)? {
        Some(namespace) => days_in_use(connection, namespace),
        None => Ok(Vec::new()),
    }
}

/// What was kept of the clocks, and the latest time that the store knows of.
pub(super) fn clock(connection: &Connection) -> Result<(ClockRecord, Option<Timestamp>), Trouble> {
    let (revision, state) = stored_clock(connection)?.unwrap_or_default();
    let latest: (Option<i64>, Option<i64>) = connection
        .prepare_cached(
            "SELECT (SELECT max(settled_at) FROM namespaces), (SELECT max(last_at) FROM days_in_use)",
        )?
        .query_row(params![], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((ClockRecord { revision, state }, row::optional_time(latest.0.max(latest.1))?))
}

fn stored_clock(connection: &Connection) -> Result<Option<(u64, String)>, Trouble> {
    connection
        .prepare_cached("SELECT revision, state FROM clocks WHERE name = ?1")?
        .query_row([CLOCK], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}
