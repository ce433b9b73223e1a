//! What background jobs did and found.

use std::borrow::Cow;
use std::collections::HashSet;

use peri_types::{Happening, MemoryId, Namespace, Severity, Timestamp};
use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::apply::{Ledger, written};
use super::connection::{Connection, Optional, Row};
use super::row;
use super::trouble::Trouble;
use crate::Written;
use crate::learning::{AlertRecord, Looked, NewAlert, WorkerRun};

/// So many runs of a job are kept; the oldest leave first.
const RUNS_KEPT: u64 = 200;

/// So many findings that are no more are kept; the oldest leave first.
const RESOLVED_KEPT: usize = 500;

/// Longest mark, in bytes: it is part of a key, and not every database has long ones.
const MARK_BYTES_MAX: usize = 255;

/// So many of them are the digest of a mark that was cut.
const DIGEST_BYTES: usize = 32;

/// What an alert is about.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct About {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ids: Vec<MemoryId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl Ledger<'_> {
    pub(super) fn keep_run(&mut self, run: &WorkerRun) -> Result<Written, Trouble> {
        let last: Option<Option<u64>> = self
            .connection
            .prepare_cached("SELECT max(number) FROM worker_runs WHERE worker = ?1")?
            .query_row([&run.worker], |row| row.get(0))
            .optional()?;
        let number = last.flatten().unwrap_or(0) + 1;
        self.connection
            .prepare_cached(
                "INSERT INTO worker_runs (worker, number, started_at, finished_at, status, summary, detail)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                run.worker,
                number,
                run.started_at.as_millisecond(),
                run.finished_at.as_millisecond(),
                run.status,
                run.summary,
                written(&run.detail)?,
            ])?;
        self.connection
            .prepare_cached("DELETE FROM worker_runs WHERE worker = ?1 AND number <= ?2")?
            .execute(params![run.worker, number.saturating_sub(RUNS_KEPT)])?;
        self.count_change();
        let spent = run.finished_at.as_millisecond() - run.started_at.as_millisecond();
        let completed = Happening::WorkerCompleted {
            worker: run.worker.clone(),
            ok: run.status == "done",
            duration_ms: spent.max(0).unsigned_abs(),
        };
        self.tell(None, run.finished_at, &completed)?;
        Ok(Written::Numbered(number))
    }

    /// Keeps what a job found. What was not known, or was thought to be no more, is told.
    pub(super) fn raise_alerts(
        &mut self,
        worker: &str,
        alerts: &[NewAlert],
        looked: Looked,
        at: Timestamp,
    ) -> Result<Written, Trouble> {
        let mut told = 0;
        let mut found = HashSet::new();
        for alert in alerts {
            let mark = kept_mark(&alert.mark);
            let is_news = self.raise(worker, &mark, alert, at)?;
            found.insert(mark.into_owned());
            if is_news {
                told += 1;
                let what = Happening::WorkerAlert {
                    worker: worker.to_owned(),
                    severity: alert.severity,
                    message: alert.message.clone(),
                    ids: alert.ids.clone(),
                    file: alert.file.clone(),
                };
                self.tell(alert.namespace.as_ref(), at, &what)?;
            }
        }
        if looked == Looked::Everywhere {
            self.resolve_others(worker, &found, at)?;
        }
        self.drop_resolved(worker)?;
        self.count_change();
        Ok(Written::Numbered(told))
    }

    /// Puts down that whatever a job found before, and not now, is no more.
    fn resolve_others(&self, worker: &str, found: &HashSet<String>, at: Timestamp) -> Result<(), Trouble> {
        let standing: Vec<String> = self
            .connection
            .prepare_cached("SELECT mark FROM worker_alerts WHERE worker = ?1 AND resolved_at IS NULL")?
            .query_all([worker], |row| row.get(0))?;
        for mark in standing.iter().filter(|mark| !found.contains(*mark)) {
            self.connection
                .prepare_cached("UPDATE worker_alerts SET resolved_at = ?3 WHERE worker = ?1 AND mark = ?2")?
                .execute(params![worker, mark, at.as_millisecond()])?;
        }
        Ok(())
    }

    /// Findings about a namespace follow it.
    pub(super) fn move_alerts(&self, from: &Namespace, to: &Namespace) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("UPDATE worker_alerts SET namespace = ?2 WHERE namespace = ?1")?
            .execute([from.as_str(), to.as_str()])?;
        Ok(())
    }

    /// Findings about a namespace leave with it.
    pub(super) fn drop_alerts(&self, path: &Namespace) -> Result<(), Trouble> {
        self.connection
            .prepare_cached("DELETE FROM worker_alerts WHERE namespace = ?1")?
            .execute([path.as_str()])?;
        Ok(())
    }

    /// Writes one finding; whether it is news is the answer.
    fn raise(&self, worker: &str, mark: &str, alert: &NewAlert, at: Timestamp) -> Result<bool, Trouble> {
        let known: Option<(i64, u64, Option<i64>)> = self
            .connection
            .prepare_cached(
                "SELECT first_at, seen, resolved_at FROM worker_alerts WHERE worker = ?1 AND mark = ?2",
            )?
            .query_row(params![worker, mark], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let is_news = known.is_none_or(|(_, _, resolved_at)| resolved_at.is_some());
        let (first_at, seen) = match known {
            Some((first_at, seen, None)) => (first_at, seen + 1),
            _ => (at.as_millisecond(), 1),
        };
        self.connection
            .prepare_cached("DELETE FROM worker_alerts WHERE worker = ?1 AND mark = ?2")?
            .execute(params![worker, mark])?;
        let about = About { ids: alert.ids.clone(), file: alert.file.clone() };
        self.connection
            .prepare_cached(
                "INSERT INTO worker_alerts (worker, mark, namespace, severity, message, detail, first_at, last_at, seen)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                worker,
                mark,
                alert.namespace.as_ref().map(|namespace| namespace.as_str().to_owned()),
                alert.severity.code(),
                alert.message,
                written(&about)?,
                first_at,
                at.as_millisecond(),
                seen,
            ])?;
        Ok(is_news)
    }

    fn drop_resolved(&self, worker: &str) -> Result<(), Trouble> {
        let resolved: Vec<String> = self
            .connection
            .prepare_cached(
                "SELECT mark FROM worker_alerts WHERE worker = ?1 AND resolved_at IS NOT NULL
                 ORDER BY resolved_at DESC, mark",
            )?
            .query_all([worker], |row| row.get(0))?;
        for mark in resolved.iter().skip(RESOLVED_KEPT) {
            self.connection
                .prepare_cached("DELETE FROM worker_alerts WHERE worker = ?1 AND mark = ?2")?
                .execute(params![worker, mark])?;
        }
        Ok(())
    }
}

/// A mark as it is kept: a long one is cut, and told from others that begin alike by a digest of the whole.
fn kept_mark(mark: &str) -> Cow<'_, str> {
    if mark.len() <= MARK_BYTES_MAX {
        return Cow::Borrowed(mark);
    }
    let digest = blake3::hash(mark.as_bytes()).to_hex();
    let digest = &digest[..DIGEST_BYTES];
    let mut end = MARK_BYTES_MAX - DIGEST_BYTES - 1;
    while !mark.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(format!("{}~{digest}", &mark[..end]))
}

/// Runs of one job or of all, the latest first.
pub(super) fn runs(
    connection: &Connection,
    worker: Option<&str>,
    limit: usize,
) -> Result<Vec<WorkerRun>, Trouble> {
    const RUN: &str =
        "SELECT worker, number, started_at, finished_at, status, summary, detail FROM worker_runs";
    let read = |row: Row<'_>| {
        Ok(WorkerRun {
            worker: row.get(0)?,
            number: row.get(1)?,
            started_at: row::time(row.get(2)?)?,
            finished_at: row::time(row.get(3)?)?,
            status: row.get(4)?,
            summary: row.get(5)?,
            detail: row::json(row.get(6)?)?,
        })
    };
    match worker {
        Some(worker) => {
            let sql = format!("{RUN} WHERE worker = ?1 ORDER BY number DESC LIMIT ?2");
            connection.prepare_cached(&sql)?.query_all(params![worker, limit], read)
        }
        None => {
            let sql = format!("{RUN} ORDER BY started_at DESC, worker, number DESC LIMIT ?1");
            connection.prepare_cached(&sql)?.query_all([limit], read)
        }
    }
}

/// What was found and still is so, or all of it, the latest first.
pub(super) fn alerts(
    connection: &Connection,
    resolved: bool,
    limit: usize,
) -> Result<Vec<AlertRecord>, Trouble> {
    let still = if resolved { "" } else { "WHERE resolved_at IS NULL" };
    let sql = format!(
        "SELECT worker, mark, namespace, severity, message, detail, first_at, last_at, seen, resolved_at
         FROM worker_alerts {still} ORDER BY last_at DESC, severity DESC, worker, mark LIMIT ?1"
    );
    connection.prepare_cached(&sql)?.query_all([limit], |row| {
        let About { ids, file } = row::json(row.get(5)?)?;
        let namespace = row.get::<Option<String>>(2)?.map(|path| path.parse()).transpose();
        Ok(AlertRecord {
            worker: row.get(0)?,
            mark: row.get(1)?,
            namespace: namespace.map_err(row::malformed)?,
            severity: Severity::from_code(row.get(3)?).ok_or_else(|| row::malformed("unknown severity"))?,
            message: row.get(4)?,
            ids,
            file,
            first_at: row::time(row.get(6)?)?,
            last_at: row::time(row.get(7)?)?,
            seen: row.get(8)?,
            resolved_at: row::optional_time(row.get(9)?)?,
        })
    })
}
