//! The queue of those who write in a process, and the one at its head who commits for all of them.
//!
//! Who comes while nobody writes commits by itself, on its own thread: a lone caller waits for one flush and for nobody to
//! wake it. Who comes while a commit waits for the disk joins the queue; when that is done, the first in the queue
//! takes everybody's changes into the next one, once it has the database's lock. So a hundred callers share a flush. Each
//! call runs in a savepoint of its own: a call that fails takes back its own changes and nobody else's. A caller who has
//! waited for as long as it may leaves the queue, and nothing of its call is made.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use peri_types::{Timestamp, patience};
use rusqlite::params;

use super::Backend;
use super::apply::Ledger;
use super::connection::Connection;
use super::trouble::Trouble;
use crate::server::Failure;
use crate::{Asked, KeyUse, Lease, StoreError, Told, Usage, Write, Written};

/// Calls that share a commit at most. Enough to hide the flush, few enough to bound the wait.
const JOBS_PER_COMMIT: usize = 512;
/// A connection that broke while it lay idle says so at once. One that takes longer leads to a server that hangs, for which
/// nobody should wait a second time.
pub(crate) const AT_ONCE: Duration = Duration::from_millis(500);
/// What is in a commit already is waited for so much longer.
const GRACE: Duration = Duration::from_millis(100);
/// Tokens of calls that were made once are kept for so long: much longer than anybody waits to make one again.
const TOKENS_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What can be asked of the writer.
#[derive(Clone)]
pub(crate) enum Task {
    Write(Vec<Write>),
    WriteOnce([u8; 16], Vec<Write>),
    Usage(Vec<Usage>, Vec<Told>, Vec<Asked>),
    KeyUses(Vec<KeyUse>),
    AcquireLease { name: String, holder: String, now: Timestamp, until: i64 },
    ReleaseLease { name: String, holder: String },
}

/// What the writer answers.
pub(crate) enum Answer {
    Written(Vec<Written>),
    /// What the call expected was no longer so. It was taken back.
    Stale,
    Done,
    Lease(bool),
}

type Outcome = Result<Answer, StoreError>;

/// What somebody who waits in the queue hears.
enum Turn {
    /// Another one committed it.
    Answered(Outcome),
    /// It is the first in the queue, and nobody writes.
    Yours,
}

struct Job {
    /// What tells it from others in the queue.
    number: u64,
    task: Task,
    reply: SyncSender<Turn>,
}

/// What a transaction is about to do, for a backend that treats one differently from another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// Whether a caller must not be answered before the disk has it.
    pub(crate) durable: bool,
    /// How many changes are asked for.
    pub(crate) changes: usize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// The number of the next one.
    next: u64,
    /// Whether somebody commits, or was told to.
    taken: bool,
    /// Whether somebody panicked while committing: nobody knows then what state the connection is in.
    broken: bool,
}

impl Queue {
    /// What the first and those behind it are about to do together.
    fn plan(&self, first: &Task) -> Plan {
        let behind = self.jobs.iter().take(JOBS_PER_COMMIT - 1).map(|job| &job.task);
        behind.chain([first]).fold(Plan { durable: false, changes: 0 }, |plan, task| Plan {
            durable: plan.durable || is_vital(task),
            changes: plan.changes + changes(task),
        })
    }

    /// Takes those out who may share a commit that was begun with a plan.
    fn share(&mut self, plan: &Plan) -> impl Iterator<Item = Job> {
        let fits = |job: &&Job| plan.durable || !is_vital(&job.task);
        let count = self.jobs.iter().take(JOBS_PER_COMMIT - 1).take_while(fits).count();
        self.jobs.drain(..count)
    }
}

/// Where writes of a process meet. Dropping it closes the connection; whoever waits borrows it, so that nobody does then.
pub(crate) struct Writer<B> {
    backend: Arc<B>,
    queue: Mutex<Queue>,
    /// Locked by who commits, and free otherwise.
    desk: Mutex<Desk<B>>,
}

impl<B: Backend> Writer<B> {
    pub(crate) fn new(backend: Arc<B>) -> Self {
        let desk = Mutex::new(Desk::new(Arc::clone(&backend)));
        Self { backend, queue: Mutex::default(), desk }
    }

    /// Makes the changes of a task; returns once its commit is on the disk.
    pub(crate) fn write(&self, task: Task) -> Outcome {
        let mut queue = self.queue.lock();
        if queue.broken {
            return Err(StoreError::Closed);
        }
        if !queue.taken {
            queue.taken = true;
            drop(queue);
            return self.lead(Some(task));
        }
        let (reply, turn) = sync_channel(1);
        let number = queue.next;
        queue.next += 1;
        queue.jobs.push_back(Job { number, task, reply });
        drop(queue);
        match self.wait(number, &turn)? {
            Turn::Answered(outcome) => outcome,
            Turn::Yours => self.lead(None),
        }
    }

    /// Waits for what becomes of a job, and takes it out of the queue when its caller may wait no longer. What is in a
    /// commit already is waited for, unless whoever asks again can tell whether it was made.
    fn wait(&self, number: u64, turn: &Receiver<Turn>) -> Result<Turn, StoreError> {
        let Some(left) = patience::left() else {
            return turn.recv().map_err(|_| StoreError::Closed);
        };
        match turn.recv_timeout(left) {
            Ok(turn) => return Ok(turn),
            Err(RecvTimeoutError::Disconnected) => return Err(StoreError::Closed),
            Err(RecvTimeoutError::Timeout) => patience::spend(left),
        }
        {
            let mut queue = self.queue.lock();
            if let Ok(turn) = turn.try_recv() {
                return Ok(turn);
            }
            let found = queue.jobs.iter().position(|job| job.number == number);
            if let Some(at) = found {
                queue.jobs.remove(at);
                return Err(self.backend.overdue(left));
            }
        }
        if B::COMMITS_ARE_CERTAIN {
            return turn.recv().map_err(|_| StoreError::Closed);
        }
        match turn.recv_timeout(GRACE) {
            Ok(turn) => Ok(turn),
            Err(RecvTimeoutError::Disconnected) => Err(StoreError::Closed),
            Err(RecvTimeoutError::Timeout) => Err(self.backend.tell(Trouble::Uncertain)),
        }
    }

    /// What is read on the connection that writes, if the caller wrote last, nobody writes and it can be read. Others do
    /// not get it: while many come and go, whoever writes should find it free.
    pub(crate) fn lend<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Option<T> {
        if !B::LENDS_WRITER || self.queue.lock().taken {
            return None;
        }
        let desk = self.desk.try_lock()?;
        let (thread, connection) = desk.connection.as_ref()?;
        if *thread != std::thread::current().id() {
            return None;
        }
        match work(connection) {
            Ok(read) => Some(read),
            Err(trouble) => {
                tracing::debug!(?trouble, "what could not be read beside a writer is read by itself");
                None
            }
        }
    }

    /// Gives back what connections hold only to answer faster.
    pub(crate) fn rest(&self) {
        // Who writes just now is not at rest.
        if let Some(desk) = self.desk.try_lock() {
            desk.backend.rest(desk.connection.as_ref().map(|(_, connection)| connection));
        }
    }

    /// Commits for the one at the head, who brings its task or left it in the queue, and for those behind it.
    fn lead(&self, own: Option<Task>) -> Outcome {
        let mut handover = Handover { queue: &self.queue, finished: false };
        let first = own.or_else(|| self.queue.lock().jobs.pop_front().map(|job| job.task));
        let mut group = Group { queue: &self.queue, tasks: Vec::from_iter(first), replies: Vec::new() };
        let mut outcomes = self.desk.lock().commit(&mut group).into_iter();
        let replies = group.replies;
        let own = outcomes.next().unwrap_or(Err(StoreError::Closed));
        handover.finished = true;
        drop(handover);
        for (outcome, reply) in outcomes.zip(replies) {
            // Who waits borrows the writer, so that somebody hears it.
            if reply.send(Turn::Answered(outcome)).is_err() {
                tracing::debug!("a caller left before its answer");
            }
        }
        own
    }
}

/// Those who share a commit: the one at the head, and who joins it when it has the database's lock.
struct Group<'q> {
    queue: &'q Mutex<Queue>,
    tasks: Vec<Task>,
    /// Where those who joined hear what became of their tasks, which follow the first.
    replies: Vec<SyncSender<Turn>>,
}

impl Group<'_> {
    /// What they are about to do, as far as it is known who joins.
    fn plan(&self) -> Plan {
        match &self.tasks[..] {
            [only] => self.queue.lock().plan(only),
            tasks => Plan {
                durable: tasks.iter().any(is_vital),
                changes: tasks.iter().map(changes).sum::<usize>(),
            },
        }
    }

    /// Lets those join who came until now, once.
    fn gather(&mut self, plan: &Plan) {
        if self.tasks.len() == 1 {
            for job in self.queue.lock().share(plan) {
                self.tasks.push(job.task);
                self.replies.push(job.reply);
            }
        }
    }
}

/// Passes the desk on when a commit is over, however it ended.
struct Handover<'q> {
    queue: &'q Mutex<Queue>,
    finished: bool,
}

impl Drop for Handover<'_> {
    fn drop(&mut self) {
        let mut queue = self.queue.lock();
        if !self.finished {
            tracing::error!("a commit panicked; nothing more is written by this process");
            queue.broken = true;
            // Whoever waits hears that by its channel's end.
            queue.jobs.clear();
            return;
        }
        while let Some(next) = queue.jobs.front() {
            if next.reply.send(Turn::Yours).is_ok() {
                return;
            }
            queue.jobs.pop_front();
        }
        queue.taken = false;
    }
}

type Answers = Vec<Result<Answer, Trouble>>;

/// Whether tasks may be needed for another attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tasks {
    Kept,
    Taken,
}

/// What is needed to commit.
struct Desk<B> {
    backend: Arc<B>,
    /// The connection, once there is one, and the thread that wrote on it last; one that broke is thrown away.
    connection: Option<(ThreadId, Connection)>,
    /// Whether this process has left its mark.
    marked: bool,
    /// Whether tokens that are too old were dropped.
    tidied: bool,
}

impl<B: Backend> Desk<B> {
    fn new(backend: Arc<B>) -> Self {
        Self { backend, connection: None, marked: false, tidied: false }
    }

    /// Does the tasks in one transaction; what became of each is told once that is durable.
    fn commit(&mut self, group: &mut Group<'_>) -> Vec<Outcome> {
        match self.run(group) {
            Ok(answers) => answers
                .into_iter()
                .map(|answer| match answer {
                    Err(Trouble::Stale) => Ok(Answer::Stale),
                    answer => answer.map_err(|trouble| self.backend.tell(trouble)),
                })
                .collect(),
            Err(trouble) => {
                let error = self.backend.tell(trouble);
                tracing::warn!(%error, "a commit failed and was taken back");
                (0..=group.replies.len()).map(|_| Err(error.clone())).collect()
            }
        }
    }

    /// Makes the changes, again where somebody was in the way or an idle connection turned out to be broken.
    fn run(&mut self, group: &mut Group<'_>) -> Result<Answers, Trouble> {
        for _ in 1..B::ATTEMPTS {
            let (was_idle, began) = (self.connection.is_some(), Instant::now());
            match self.attempt(group, Tasks::Kept) {
                Err(Trouble::Server(Failure::Again(why))) if patience::left() != Some(Duration::ZERO) => {
                    tracing::debug!(why, "a commit is tried again");
                }
                Err(Trouble::Server(Failure::Unreachable(_))) if was_idle && began.elapsed() < AT_ONCE => {}
                outcome => return outcome,
            }
        }
        self.attempt(group, Tasks::Taken)
    }

    fn attempt(&mut self, group: &mut Group<'_>, tasks: Tasks) -> Result<Answers, Trouble> {
        let connection = match self.connection.take().filter(|(_, idle)| self.backend.suits(idle)) {
            Some((_, connection)) => connection,
            None => self.backend.connect_writer()?,
        };
        let outcome = self.transact(&connection, group, tasks);
        // What SQLite could open for reading alone, be it for a moment's failure, stays so as long as it is open.
        let is_lost = outcome.as_ref().is_err_and(|trouble| {
            matches!(trouble, Trouble::Uncertain) || trouble.is_read_only() || trouble.is_missing()
        });
        if connection.is_alive() && !is_lost {
            self.connection = Some((std::thread::current().id(), connection));
        }
        outcome
    }

    fn transact(
        &mut self,
        connection: &Connection,
        group: &mut Group<'_>,
        tasks: Tasks,
    ) -> Result<Answers, Trouble> {
        let plan = group.plan();
        let transaction = self.backend.begin(connection, &plan)?;
        group.gather(&plan);
        let tasks = match tasks {
            Tasks::Kept => group.tasks.clone(),
            Tasks::Taken => std::mem::take(&mut group.tasks),
        };
        let mut ledger = Ledger::open(connection)?;
        let alone = tasks.len() == 1;
        let mut answers = Vec::with_capacity(tasks.len());
        for task in tasks {
            if alone {
                // There is nobody else's work to keep: the transaction itself is taken back, and no page is kept twice.
                match self.perform(&mut ledger, task) {
                    Err(trouble) if trouble.ends_transaction() => return Err(trouble),
                    Err(trouble) => return Ok(vec![Err(trouble)]),
                    Ok(answer) => answers.push(Ok(answer)),
                }
            } else {
                answers.push(self.in_savepoint(&mut ledger, task)?);
            }
        }
        let mark = ledger.close(self.marked)?;
        if let Err(trouble) = self.backend.confirm() {
            drop(transaction);
            return Err(self.backend.take_back(connection, trouble));
        }
        transaction.commit().map_err(|trouble| match trouble {
            Trouble::Server(Failure::Unreachable(why)) => {
                tracing::warn!(why, "the connection broke while a commit was under way");
                Trouble::Uncertain
            }
            trouble => self.backend.take_back(connection, trouble),
        })?;
        self.marked = mark;
        Ok(answers)
    }

    /// The outer error ends the whole commit; the inner one concerns this call alone.
    fn in_savepoint(
        &mut self,
        ledger: &mut Ledger<'_>,
        task: Task,
    ) -> Result<Result<Answer, Trouble>, Trouble> {
        let connection = ledger.connection;
        connection.command("SAVEPOINT one_call")?;
        let outcome = self.perform(ledger, task);
        match &outcome {
            Err(trouble) if trouble.ends_transaction() => return outcome.map(Ok),
            Err(_) => connection.command("ROLLBACK TO SAVEPOINT one_call")?,
            Ok(_) => {}
        }
        connection.command("RELEASE SAVEPOINT one_call")?;
        Ok(outcome)
    }

    /// Makes a call's changes, and writes at the end what they have in common.
    fn perform(&mut self, ledger: &mut Ledger<'_>, task: Task) -> Result<Answer, Trouble> {
        ledger.begin_call();
        let outcome = self.make(ledger, task);
        match &outcome {
            Ok(_) => ledger.end_call()?,
            Err(_) => ledger.drop_call(),
        }
        outcome
    }

    fn make(&mut self, ledger: &mut Ledger<'_>, task: Task) -> Result<Answer, Trouble> {
        match task {
            Task::Write(writes) => write_all(ledger, writes),
            Task::WriteOnce(token, writes) => {
                if !self.is_new(ledger.connection, token)? {
                    return Ok(Answer::Written(vec![Written::Repeated; writes.len()]));
                }
                write_all(ledger, writes)
            }
            Task::Usage(usage, told, asked) => {
                record_usage(ledger.connection, &usage)?;
                ledger.note_asked(&asked)?;
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
                acquire_lease(ledger.connection, &name, &holder, now, until).map(Answer::Lease)
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

    /// Keeps a token, unless it is kept already.
    fn is_new(&mut self, connection: &Connection, token: [u8; 16]) -> Result<bool, Trouble> {
        let now = Timestamp::now();
        if !std::mem::replace(&mut self.tidied, true) {
            let before = now.checked_sub(TOKENS_KEPT).unwrap_or(Timestamp::MIN);
            connection.execute("DELETE FROM applied WHERE at < ?1", [before.as_millisecond()])?;
        }
        let kept = connection
            .prepare_cached("INSERT INTO applied (token, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute(params![token, now.as_millisecond()])?;
        Ok(kept > 0)
    }
}

fn write_all(ledger: &mut Ledger<'_>, writes: Vec<Write>) -> Result<Answer, Trouble> {
    if let Some(Write::Claim { answer, before }) = writes.first()
        && !ledger.claim(answer, *before)?
    {
        return Ok(Answer::Written(vec![Written::Repeated; writes.len()]));
    }
    let written = writes.into_iter().map(|write| ledger.apply(write)).collect::<Result<Vec<_>, _>>()?;
    Ok(Answer::Written(written))
}

/// How many changes a task asks for.
fn changes(task: &Task) -> usize {
    match task {
        Task::Write(writes) | Task::WriteOnce(_, writes) => writes
            .iter()
            .map(|write| match write {
                Write::Import(part) => part.writes.len(),
                Write::Settle(settlement) => settlement.moves.len() + settlement.faded.len(),
                Write::PutVectors { vectors, .. } => vectors.len(),
                Write::MarkLinked { ids, .. } => ids.len(),
                _ => 1,
            })
            .sum(),
        Task::Usage(usage, ..) => usage.len(),
        Task::KeyUses(uses) => uses.len(),
        Task::AcquireLease { .. } | Task::ReleaseLease { .. } => 1,
    }
}

/// Whether a caller must not be answered before the disk has it. Losing the last counts in a power cut harms nobody,
/// and what the audit log holds, whose links were sought or which answers are too old is found out again. An answer is
/// kept for whom it did not reach. What it tells of was flushed by itself, so that a second flush would only serve who
/// loses the connection in the moment of a power cut. An event that the audit log has must not be lost: its number would
/// be given to another one.
fn is_vital(task: &Task) -> bool {
    match task {
        Task::Usage(_, told, _) => !told.is_empty(),
        Task::KeyUses(_) => false,
        Task::Write(writes) => !writes.iter().all(|write| {
            matches!(
                write,
                Write::ShipEvents { .. }
                    | Write::MarkLinked { .. }
                    | Write::DropAnswers { .. }
                    | Write::KeepAnswer(_)
                    | Write::TouchWorking { .. }
            )
        }),
        Task::WriteOnce(..) | Task::AcquireLease { .. } | Task::ReleaseLease { .. } => true,
    }
}

/// Takes a lease that nobody else holds. Whoever writes is alone, so that looking and taking are one. One that runs for
/// longer than anybody takes a lease for was taken by a clock that was ahead, and would hold everybody up for as long.
fn acquire_lease(
    connection: &Connection,
    name: &str,
    holder: &str,
    now: Timestamp,
    until: i64,
) -> Result<bool, Trouble> {
    let longest = now.checked_add(Lease::LONGEST).unwrap_or(Timestamp::MAX).as_millisecond().max(until);
    let held = connection
        .prepare_cached(
            "SELECT 1 FROM leases WHERE name = ?1 AND holder <> ?2 AND expires_at > ?3 AND expires_at <= ?4",
        )?
        .exists(params![name, holder, now.as_millisecond(), longest])?;
    if held {
        return Ok(false);
    }
    connection
        .prepare_cached(
            "INSERT INTO leases (name, holder, expires_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at",
        )?
        .execute(params![name, holder, until])?;
    Ok(true)
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc::{Receiver, Sender, channel};

    use peri_types::{MemoryId, Scope};

    use super::*;
    use crate::sql::connection::Transaction;
    use crate::sqlite::Sqlite;
    use crate::{KeptAnswer, Problem, SqliteSettings, SqliteStore};

    /// A store whose commits begin when they are told to, and panic if they are told that.
    struct Held {
        store: SqliteStore,
        began: Mutex<Sender<()>>,
        told: Mutex<Receiver<bool>>,
    }

    impl Backend for Held {
        const ATTEMPTS: usize = Sqlite::ATTEMPTS;
        const COMMITS_ARE_CERTAIN: bool = Sqlite::COMMITS_ARE_CERTAIN;
        const LENDS_WRITER: bool = Sqlite::LENDS_WRITER;

        fn read<T>(&self, work: impl Fn(&Connection) -> Result<T, Trouble>) -> Result<T, Trouble> {
            self.store.backend.read(work)
        }

        fn refuses_writes(&self) -> Option<StoreError> {
            None
        }

        fn connect_writer(&self) -> Result<Connection, Trouble> {
            self.store.backend.connect_writer()
        }

        fn begin<'c>(&self, connection: &'c Connection, plan: &Plan) -> Result<Transaction<'c>, Trouble> {
            self.began.lock().send(()).unwrap();
            assert!(self.told.lock().recv().unwrap(), "told to");
            self.store.backend.begin(connection, plan)
        }

        fn freeze(&self) -> Result<Self, StoreError> {
            Err(StoreError::Closed)
        }

        fn check(&self, connection: &Connection) -> Result<Vec<Problem>, Trouble> {
            self.store.backend.check(connection)
        }

        fn tell(&self, trouble: Trouble) -> StoreError {
            self.store.backend.tell(trouble)
        }

        fn overdue(&self, waited: Duration) -> StoreError {
            self.store.backend.overdue(waited)
        }
    }

    /// One that commits, held until three more wait, who are then told as well; what became of them all, and how many
    /// commits were begun.
    fn one_and_three(tell: &[bool]) -> (std::thread::Result<Outcome>, Vec<Outcome>, usize, Writer<Held>) {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("held.db"), &SqliteSettings::default()).unwrap();
        let ((began, begins), (teller, told)) = (channel(), channel());
        let writer = Writer::new(Arc::new(Held { store, began: Mutex::new(began), told: Mutex::new(told) }));
        let task = || Task::Write(vec![Write::DropAnswers { before: Timestamp::UNIX_EPOCH }]);
        let (first, others) = std::thread::scope(|scope| {
            let first = scope.spawn(|| catch_unwind(AssertUnwindSafe(|| writer.write(task()))));
            begins.recv().unwrap();
            let others: Vec<_> = (0..3).map(|_| scope.spawn(|| writer.write(task()))).collect();
            while writer.queue.lock().jobs.len() < 3 {
                std::thread::yield_now();
            }
            tell.iter().for_each(|told| teller.send(*told).unwrap());
            let others = others.into_iter().map(|other| other.join().unwrap()).collect();
            (first.join().unwrap(), others)
        });
        let commits = 1 + begins.try_iter().count();
        (first, others, commits, writer)
    }

    #[test]
    fn those_who_wait_share_the_commit_of_the_first_who_gets_the_lock() {
        let (first, others, commits, writer) = one_and_three(&[true]);
        assert!(first.is_ok_and(|outcome| outcome.is_ok()));
        assert!(others.iter().all(Result::is_ok));
        assert_eq!(commits, 1);
        let queue = writer.queue.lock();
        assert!(!queue.taken && queue.jobs.is_empty());
    }

    #[test]
    fn who_may_wait_no_longer_leaves_the_queue_and_nothing_of_the_call_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("held.db"), &SqliteSettings::default()).unwrap();
        let ((began, begins), (teller, told)) = (channel(), channel());
        let writer = Writer::new(Arc::new(Held { store, began: Mutex::new(began), told: Mutex::new(told) }));
        let task = || Task::Write(vec![Write::DropAnswers { before: Timestamp::UNIX_EPOCH }]);
        std::thread::scope(|scope| {
            let first = scope.spawn(|| writer.write(task()));
            begins.recv().unwrap();
            // The first goes on only after the second has its answer.
            let second = patience::within(Duration::from_millis(20), || writer.write(task()));
            assert!(matches!(second, Err(StoreError::Busy { waited_ms: 20, .. })));
            assert!(writer.queue.lock().jobs.is_empty());
            teller.send(true).unwrap();
            assert!(first.join().unwrap().is_ok());
        });
        assert!(!writer.queue.lock().taken);
    }

    #[test]
    fn a_commit_that_panics_leaves_nobody_waiting_and_ends_writing() {
        let (first, others, commits, writer) = one_and_three(&[false]);
        assert!(first.is_err());
        assert!(others.iter().all(|outcome| matches!(outcome, Err(StoreError::Closed))));
        assert_eq!(commits, 1);
        assert!(matches!(writer.write(Task::KeyUses(Vec::new())), Err(StoreError::Closed)));
    }

    #[test]
    fn a_connection_that_came_to_read_alone_is_used_once() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("once.db"), &SqliteSettings::default()).unwrap();
        let drop_all = || Write::DropAnswers { before: Timestamp::UNIX_EPOCH };
        let write = || store.writer.write(Task::Write(vec![drop_all()]));
        assert!(write().is_ok());
        {
            let desk = store.writer.desk.lock();
            let Some((_, Connection::Sqlite(file))) = &desk.connection else { panic!("it is kept") };
            file.pragma_update(None, "query_only", true).unwrap();
        }
        assert!(matches!(write(), Err(StoreError::ReadOnly { .. })));
        assert!(write().is_ok());
    }

    #[test]
    fn who_wrote_last_reads_on_the_connection_that_writes_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("lent.db"), &SqliteSettings::default()).unwrap();
        let writes = |connection: &Connection| match connection {
            // Connections for reading alone were told so.
            Connection::Sqlite(file) => {
                Ok(!file.pragma_query_value(None, "query_only", |row| row.get::<_, bool>(0))?)
            }
            Connection::Server(_) => unreachable!("it is a file"),
        };
        assert_eq!(store.writer.lend(writes), None, "nobody wrote yet");
        store.writer.write(Task::Write(vec![Write::DropAnswers { before: Timestamp::UNIX_EPOCH }])).unwrap();
        assert_eq!(store.writer.lend(writes), Some(true));
        assert_eq!(
            std::thread::scope(|scope| scope.spawn(|| store.writer.lend(writes)).join().unwrap()),
            None
        );
        store.writer.queue.lock().taken = true;
        assert_eq!(store.writer.lend(writes), None, "somebody is about to write");
        store.writer.queue.lock().taken = false;
        assert_eq!(store.writer.lend(|_| Err::<(), _>(Trouble::NoRow)), None, "then it is read elsewhere");
        assert_eq!(store.writer.lend(writes), Some(true), "and lent again");
    }

    #[test]
    fn what_a_large_commit_may_hold_is_given_back_by_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("cache.db"), &SqliteSettings::default()).unwrap();
        let held = || {
            let desk = store.writer.desk.lock();
            let Some((_, Connection::Sqlite(file))) = &desk.connection else { panic!("it is kept") };
            file.pragma_query_value(None, "cache_size", |row| row.get::<_, i32>(0)).unwrap()
        };
        let write = |count| {
            let drop_none = || Write::DropAnswers { before: Timestamp::UNIX_EPOCH };
            store.writer.write(Task::Write((0..count).map(|_| drop_none()).collect())).unwrap();
        };
        write(1);
        let ordinary = held();
        write(300);
        assert!(held() < ordinary, "kibibytes are told as numbers below zero");
        write(1);
        assert_eq!(held(), ordinary);
    }

    #[test]
    fn what_was_asked_for_waits_for_the_disk_and_the_kept_answer_to_it_does_not() {
        let at = Timestamp::UNIX_EPOCH;
        let (caller, key, body) = ("local".to_owned(), "기억-1".to_owned(), b"{}".to_vec());
        let answer = KeptAnswer { caller, key, digest: [7; 32], status: 201, body, at };
        let keep = || Write::KeepAnswer(Box::new(answer.clone()));
        let forget = || Write::Forget { scope: Scope::All, id: MemoryId::from_bytes([1; 16]), at };
        assert!(!is_vital(&Task::Write(vec![Write::DropAnswers { before: at }, keep()])));
        assert!(is_vital(&Task::Write(vec![forget()])));
        assert!(is_vital(&Task::Write(vec![keep(), forget()])), "together they wait");
        assert!(is_vital(&Task::WriteOnce([0; 16], vec![keep()])));
    }
}
