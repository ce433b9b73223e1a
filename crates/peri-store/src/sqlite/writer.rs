//! The one thread of a process that writes, and the queue in front of it.
//!
//! While a commit waits for the disk, further calls gather in the queue; the next transaction takes them
//! all. So a lone caller waits for one flush, and a hundred callers share one. Each call runs in a
//! savepoint of its own: a call that fails takes back its own changes and nobody else's.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use peri_types::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::apply::Ledger;
use super::error::Trouble;
use super::open::{Access, Location};
use crate::{KeyUse, StoreError, Told, Usage, Write, Written};

/// Calls that share a commit at most. Enough to hide the flush, few enough to bound the wait.
const JOBS_PER_COMMIT: usize = 512;
/// From so many changes in one commit on, the log may grow longer before it is moved into the database: most pages of
/// the indexes are written again by the next such commit, and moving them once for several is enough.
const LARGE_COMMIT: usize = 256;
/// So many pages the log may hold after an ordinary commit, and after a large one. The next ordinary one moves it all.
const LOG_PAGES: u32 = 1000;
const LOG_PAGES_IF_LARGE: u32 = 4000;
/// How often a writer looks whether another process has finished. SQLite's own waiting grows to looking ten times a
/// second, and beside processes that write without pause a lock is free for so short a time that one of them could
/// look past it until its patience was over.
const TURN_POLL: Duration = Duration::from_millis(2);

/// What can be asked of the writer.
pub(super) enum Task {
    Write(Vec<Write>),
    Usage(Vec<Usage>, Vec<Told>),
    KeyUses(Vec<KeyUse>),
    AcquireLease { name: String, holder: String, now: Timestamp, until: i64 },
    ReleaseLease { name: String, holder: String },
}

/// What the writer answers.
pub(super) enum Answer {
    Written(Vec<Written>),
    Done,
    Lease(bool),
}

struct Job {
    task: Task,
    reply: SyncSender<Result<Answer, StoreError>>,
}

/// A handle on the writer's thread; dropping it finishes what is queued and stops the thread.
pub(super) struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub(super) fn start(location: Arc<Location>) -> Result<Self, StoreError> {
        if location.access != Access::ReadWrite {
            return Err(StoreError::ReadOnly { path: location.path.clone() });
        }
        let connection = location.connect_writer().map_err(|trouble| location.tell(trouble))?;
        let (jobs, queue) = channel();
        let cannot = |error: std::io::Error| StoreError::CannotOpen {
            path: location.path.clone(),
            detail: format!("no thread for the writer: {error}"),
        };
        let shared = Arc::clone(&location);
        let thread = std::thread::Builder::new()
            .name("peri-writer".to_owned())
            .spawn(move || serve(connection, &shared, &queue))
            .map_err(cannot)?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Queues a task; [`Pending::wait`] returns once its commit is on the disk.
    pub(super) fn submit(&self, task: Task) -> Pending {
        let (reply, answer) = sync_channel(1);
        let queued = self.jobs.as_ref().is_some_and(|jobs| jobs.send(Job { task, reply }).is_ok());
        Pending(queued.then_some(answer))
    }
}

/// An answer that is on its way.
pub(super) struct Pending(Option<Receiver<Result<Answer, StoreError>>>);

impl Pending {
    pub(super) fn wait(self) -> Result<Answer, StoreError> {
        let answer = self.0.ok_or(StoreError::Closed)?;
        answer.recv().map_err(|_| StoreError::Closed)?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the writer's thread panicked");
        }
    }
}

fn serve(mut connection: Connection, location: &Location, queue: &Receiver<Job>) {
    let mut marked = false;
    while let Ok(first) = queue.recv() {
        let mut jobs = vec![first];
        while jobs.len() < JOBS_PER_COMMIT {
            match queue.try_recv() {
                Ok(job) => jobs.push(job),
                Err(_) => break,
            }
        }
        commit(&mut connection, &mut marked, location, jobs);
    }
}

/// Runs the jobs in one transaction and answers each once that is durable.
fn commit(connection: &mut Connection, marked: &mut bool, location: &Location, jobs: Vec<Job>) {
    let (tasks, replies): (Vec<_>, Vec<_>) = jobs.into_iter().map(|job| (job.task, job.reply)).unzip();
    let answers: Vec<_> = match run(connection, marked, location.busy_timeout, tasks) {
        Ok(answers) => {
            answers.into_iter().map(|answer| answer.map_err(|trouble| location.tell(trouble))).collect()
        }
        Err(trouble) => {
            let error = location.tell(trouble);
            tracing::warn!(%error, "a commit failed and was taken back");
            replies.iter().map(|_| Err(error.clone())).collect()
        }
    };
    for (answer, reply) in answers.into_iter().zip(replies) {
        // A caller that is gone does not need its answer; its write is durable all the same.
        if reply.send(answer).is_err() {
            tracing::debug!("a caller left before its answer");
        }
    }
}

type Answers = Vec<Result<Answer, Trouble>>;

fn run(
    connection: &mut Connection,
    marked: &mut bool,
    patience: Duration,
    tasks: Vec<Task>,
) -> Result<Answers, Trouble> {
    let durable = tasks.iter().any(is_vital);
    connection.pragma_update(None, "synchronous", if durable { "FULL" } else { "NORMAL" })?;
    let large = tasks.iter().map(changes).sum::<usize>() >= LARGE_COMMIT;
    let log_pages = if large { LOG_PAGES_IF_LARGE } else { LOG_PAGES };
    connection.pragma_update_and_check(None, "wal_autocheckpoint", log_pages, |_| Ok(()))?;
    let transaction = take_turn(connection, patience)?;
    let mut ledger = Ledger::open(&transaction)?;
    let alone = tasks.len() == 1;
    let mut answers = Vec::with_capacity(tasks.len());
    for task in tasks {
        if alone {
            // There is nobody else's work to keep: the transaction itself is taken back, and no page is kept twice.
            match perform(&mut ledger, task) {
                Err(trouble @ Trouble::Sqlite(_)) => return Err(trouble),
                Err(trouble) => return Ok(vec![Err(trouble)]),
                Ok(answer) => answers.push(Ok(answer)),
            }
        } else {
            answers.push(in_savepoint(&mut ledger, task)?);
        }
    }
    let mark = ledger.close(*marked)?;
    transaction.commit()?;
    *marked = mark;
    Ok(answers)
}

/// How many changes a task asks for.
fn changes(task: &Task) -> usize {
    match task {
        Task::Write(writes) => writes
            .iter()
            .map(|write| match write {
                Write::Import(part) => part.writes.len(),
                _ => 1,
            })
            .sum(),
        Task::Usage(usage, _) => usage.len(),
        Task::KeyUses(uses) => uses.len(),
        Task::AcquireLease { .. } | Task::ReleaseLease { .. } => 1,
    }
}

/// Begins a transaction as soon as no other process is in one.
pub(super) fn take_turn(connection: &mut Connection, patience: Duration) -> Result<Transaction<'_>, Trouble> {
    let started = Instant::now();
    // A failed attempt leaves nothing behind; trying on a shared borrow lets the loop go on with it.
    loop {
        match Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(Trouble::from) {
            Err(trouble) if trouble.is_busy() && started.elapsed() < patience => {
                std::thread::sleep(TURN_POLL)
            }
            outcome => return outcome,
        }
    }
}

/// Whether a caller must not be answered before the disk has it. Losing the last counts in a power cut harms nobody,
/// and what the audit log holds, whose links were sought or which answers are too old is found out again.
fn is_vital(task: &Task) -> bool {
    match task {
        Task::Usage(..) | Task::KeyUses(_) => false,
        Task::Write(writes) => !writes.iter().all(|write| {
            matches!(
                write,
                Write::ShipEvents { .. }
                    | Write::MarkLinked { .. }
                    | Write::DropAnswers { .. }
                    | Write::TouchWorking { .. }
            )
        }),
        Task::AcquireLease { .. } | Task::ReleaseLease { .. } => true,
    }
}

/// The outer error ends the whole commit; the inner one concerns this call alone.
fn in_savepoint(ledger: &mut Ledger<'_>, task: Task) -> Result<Result<Answer, Trouble>, Trouble> {
    let connection = ledger.connection;
    connection.prepare_cached("SAVEPOINT call")?.execute([])?;
    let outcome = perform(ledger, task);
    match &outcome {
        Err(Trouble::Sqlite(_)) => return outcome.map(Ok),
        Err(_) => connection.prepare_cached("ROLLBACK TO call")?.execute([])?,
        Ok(_) => 0,
    };
    connection.prepare_cached("RELEASE call")?.execute([])?;
    Ok(outcome)
}

/// Makes a call's changes, and writes at the end what they have in common.
fn perform(ledger: &mut Ledger<'_>, task: Task) -> Result<Answer, Trouble> {
    ledger.begin_call();
    let outcome = make(ledger, task);
    match &outcome {
        Ok(_) => ledger.end_call()?,
        Err(_) => ledger.drop_call(),
    }
    outcome
}

fn make(ledger: &mut Ledger<'_>, task: Task) -> Result<Answer, Trouble> {
    match task {
        Task::Write(writes) => {
            let written =
                writes.into_iter().map(|write| ledger.apply(write)).collect::<Result<Vec<_>, _>>()?;
            Ok(Answer::Written(written))
        }
        Task::Usage(usage, told) => {
            record_usage(ledger.connection, &usage)?;
            for one in &told {
                ledger.tell(one.namespace.as_ref(), one.at, &one.what)?;
            }
            Ok(Answer::Done)
        }
        Task::KeyUses(uses) => {
            super::keys::note_uses(ledger.connection, &uses)?;
            Ok(Answer::Done)
        }
        Task::AcquireLease { name, holder, now, until } => {
            let taken = ledger
                .connection
                .prepare_cached(
                    "INSERT INTO leases (name, holder, expires_at) VALUES (?1, ?2, ?4)
                     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
                     WHERE leases.holder = excluded.holder OR leases.expires_at <= ?3",
                )?
                .execute(params![name, holder, now.as_millisecond(), until])?;
            Ok(Answer::Lease(taken > 0))
        }
        Task::ReleaseLease { name, holder } => {
            ledger
                .connection
                .prepare_cached("DELETE FROM leases WHERE name = ?1 AND holder = ?2")?
                .execute(params![name, holder])?;
            Ok(Answer::Done)
        }
    }
}

/// Notes recalls of memories that still exist; the next settled step counts them.
fn record_usage(connection: &Connection, usage: &[Usage]) -> Result<(), Trouble> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO uses (namespace_id, id, at, recalls)
         SELECT m.namespace_id, m.id, ?4, ?3 FROM memories m JOIN namespaces n ON n.id = m.namespace_id
         WHERE n.path = ?1 AND m.id = ?2",
    )?;
    for one in usage {
        let last_at = one.last_at.as_millisecond();
        statement.execute(params![one.namespace.as_str(), one.id.as_bytes(), one.recalls, last_at])?;
    }
    Ok(())
}
