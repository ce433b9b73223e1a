//! The failure queue: writes that the store cannot take wait on this machine, durably, and are made once, in their order,
//! when it can.
//!
//! [`WriteQueue`] stands between the engine and its store. A write that fails because the store does not answer, is locked
//! or has no room goes to the queue; while something waits there, so do all others, which keeps their order. [`Gate`] is
//! the same store for everything else: while it is known that the store does not answer, calls fail at once.

mod ask;
mod call;
mod chores;
mod circuit;
mod gate;
mod intent;
mod making;
mod perform;
mod replay;
mod settings;
mod status;
mod worker;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use peri_queue::{Backoff, QueueError, Queues, RecordId};
use peri_seal::{Purpose, Seal};
use peri_store::{Store, StoreError, Write, Written};
use peri_types::{Clock, Timestamp};

use ask::Asking;
use call::{Call, may_wait};
use circuit::{Circuit, Turned};
use worker::Worker;

use crate::breaker::Breaker;
use crate::engine::Core;
use crate::{Chores, Error};

pub(crate) use gate::Gate;
pub(crate) use intent::Intent;
pub(crate) use making::{Making, Transaction};
pub use peri_queue::RecordId as QueuedId;
pub use settings::{QueueSettings, Queueing};
pub use status::{DeadCall, QueueStatus, QueuedCall};

/// A program that answers once and leaves works off what waits for so long before its own write.
const BEFORE_OWN_WRITE: Duration = Duration::from_secs(1);

/// So many reports are kept until somebody hears of them.
const REPORTS_MAX: usize = 100;

/// Where the queues of all processes lie in the data folder.
pub(crate) const FOLDER: &str = "queue";

/// Stands between the engine and its store.
pub(crate) struct WriteQueue {
    store: Arc<dyn Store>,
    /// The engine that decides on calls which read before they write.
    core: OnceLock<Weak<Core>>,
    circuit: Circuit,
    /// What processes of this folder waited for in vain.
    breaker: Arc<Breaker>,
    /// Where the store is.
    place: String,
    /// From so long on a wait in vain is told to other processes.
    hung_after: Duration,
    /// Whether there was a data folder in the beginning.
    had_folder: bool,
    queues: Queues,
    /// What waits holds what somebody wanted to remember.
    seal: Seal,
    clock: Clock,
    chores: Chores,
    /// Whether queues of processes that are gone were looked for.
    adopted: AtomicBool,
    /// Held by whoever makes what waits.
    replaying: Mutex<()>,
    /// What is told once the store can be told.
    outage: Mutex<Option<Outage>>,
    /// Calls that were made out of the queue since the process began.
    replayed: AtomicU64,
    /// Set when the store has changed without anybody calling.
    changed: AtomicBool,
    /// What somebody should hear of.
    reports: Mutex<Vec<(&'static str, String)>>,
    worker: Worker,
}

/// A time during which writes wait.
struct Outage {
    began_at: Timestamp,
    reason: String,
    /// What is the matter with the store, if this process has met it.
    trouble: Option<StoreError>,
    replayed: u64,
    dead: u64,
}

impl WriteQueue {
    /// Stands before a store, with the queues in a data folder.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        (folder, seal): (PathBuf, Seal),
        settings: &QueueSettings,
        clock: Clock,
        chores: Chores,
        (breaker, place, hung_after): (Arc<Breaker>, String, Duration),
    ) -> Arc<Self> {
        let files = settings.of_files();
        let queue = Self {
            store,
            core: OnceLock::new(),
            circuit: Circuit::new(
                clock.clone(),
                Backoff::new(&files),
                files.backoff_max.max(files.backoff_min),
            ),
            breaker,
            place,
            hung_after,
            had_folder: folder.is_dir(),
            queues: Queues::new(folder.join(FOLDER), files),
            seal,
            clock,
            chores,
            adopted: AtomicBool::new(false),
            replaying: Mutex::default(),
            outage: Mutex::default(),
            replayed: AtomicU64::new(0),
            changed: AtomicBool::new(false),
            reports: Mutex::default(),
            worker: Worker::default(),
        };
        queue.heed();
        Arc::new(queue)
    }

    /// Tells it whose store this is.
    pub(crate) fn belong_to(&self, core: &Arc<Core>) {
        // Only the first counts, and nobody tells it twice.
        self.core.get_or_init(|| Arc::downgrade(core));
    }

    /// The store behind the gate.
    pub(crate) fn gate(self: &Arc<Self>) -> Arc<dyn Store> {
        Arc::new(Gate(Arc::clone(self)))
    }

    /// Whether the store does not answer.
    pub(crate) fn is_store_away(&self) -> bool {
        self.circuit.is_broken()
    }

    /// Why the store does not answer, if it does not.
    pub(crate) fn trouble(&self) -> Option<StoreError> {
        self.circuit.trouble()
    }

    /// Whether a write of this process had to wait and still does.
    pub(crate) fn had_trouble(&self) -> bool {
        self.outage.lock().is_some()
    }

    /// Whether something waits to be made.
    pub(crate) fn is_empty(&self) -> bool {
        self.queues.is_empty()
    }

    /// Makes changes, or lets them wait if the store cannot take them: [`Written::Queued`] for each.
    pub(crate) fn write(
        self: &Arc<Self>,
        operation: &str,
        writes: Vec<Write>,
    ) -> Result<Vec<Written>, Error> {
        if !may_wait(&writes) || self.store.is_read_only() {
            return Ok(self.pass(Asking::ToWrite, |store| store.write(writes))?);
        }
        self.make_way();
        let id = RecordId::generate(self.clock.now());
        if let Some(trouble) = self.must_wait() {
            return self.keep_changes(id, operation, writes, trouble);
        }
        if let Err(error) = self.settle_before(&writes) {
            return self.keep_changes(id, operation, writes, error);
        }
        let kept = writes.clone();
        // Where a commit that failed was surely not made, the first attempt needs no token.
        let outcome = self.ask(Asking::ToWrite, |store| {
            if store.commits_are_certain() {
                store.write(writes)
            } else {
                store.write_once(*id.as_bytes(), writes)
            }
        });
        match outcome {
            Err(error) if error.is_passing() => self.keep_changes(id, operation, kept, error),
            outcome => Ok(outcome?),
        }
    }

    /// Settles the orbits that are due before these changes, as of when somebody asked for them.
    fn settle_before(&self, writes: &[Write]) -> Result<(), StoreError> {
        let core = self.core.get().and_then(Weak::upgrade);
        core.map_or(Ok(()), |core| core.settle_before(writes))
    }

    /// Calls the store, unless it is known that it does not answer.
    fn pass<T>(
        self: &Arc<Self>,
        asking: Asking,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Some(trouble) = self.circuit.trouble().filter(|_| !self.may_try()) {
            return Err(trouble);
        }
        self.ask(asking, call)
    }

    /// Whether a caller may ask the store. Where a thread finds out whether it answers again, callers do not.
    fn may_try(&self) -> bool {
        !self.circuit.is_broken() || (self.chores == Chores::ByHand && self.circuit.is_due())
    }

    /// Notes what became of a call to the store.
    fn note<T>(self: &Arc<Self>, outcome: &Result<T, StoreError>) {
        match self.circuit.note(outcome) {
            Turned::Broke => {
                if let Err(error) = outcome {
                    tracing::warn!(%error, "the store does not answer; writes wait on this machine until it does");
                }
                self.wake();
            }
            Turned::Mended => {
                tracing::info!("the store answers again");
                self.changed.store(true, Ordering::Relaxed);
                self.wake();
            }
            Turned::Not => {}
        }
    }

    /// Lets changes wait.
    fn keep_changes(
        self: &Arc<Self>,
        id: RecordId,
        operation: &str,
        writes: Vec<Write>,
        trouble: StoreError,
    ) -> Result<Vec<Written>, Error> {
        let count = writes.len();
        self.keep(id, &Call::changes(operation, writes), trouble)?;
        Ok(vec![Written::Queued; count])
    }

    /// Lets a call wait.
    fn keep(self: &Arc<Self>, id: RecordId, call: &Call, trouble: StoreError) -> Result<(), Error> {
        let unwritten = |error: std::io::Error| QueueError::Disk {
            path: self.queues.root().to_owned(),
            what: "written",
            detail: error.to_string(),
            full: false,
        };
        let kept = self
            .find_folder()
            .and_then(|()| Ok(serde_json::to_string(call)?))
            .and_then(|payload| self.seal.seal_line(Purpose::Queue, payload))
            .map_err(unwritten)
            .and_then(|payload| self.queues.push(id, self.clock.now(), payload.into_owned()));
        if let Err(queue) = kept {
            return Err(Error::NotKept { store: trouble, queue: Some(Box::new(queue)) });
        }
        self.begin_outage(&trouble);
        self.wake();
        Ok(())
    }

    /// Where the data folder was removed or renamed, none is made in its place: nobody would look for the queue there.
    fn find_folder(&self) -> std::io::Result<()> {
        let folder = self.queues.root().parent().filter(|_| self.had_folder);
        folder.map_or(Ok(()), |folder| std::fs::metadata(folder).map(drop))
    }

    /// What a payload says, whether it is sealed or not.
    fn opened<'a>(&self, payload: &'a str) -> Result<Cow<'a, str>, String> {
        match self.seal.open_line(Purpose::Queue, payload.as_bytes()) {
            Ok(Cow::Borrowed(_)) => Ok(payload.into()),
            Ok(Cow::Owned(bytes)) => {
                String::from_utf8(bytes).map(Cow::Owned).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn begin_outage(&self, trouble: &StoreError) {
        let mut outage = self.outage.lock();
        if outage.is_none() {
            let (began_at, reason) = (self.clock.now(), trouble.to_string());
            tracing::warn!(reason, "writes wait on this machine until the store takes them");
            *outage = Some(Outage { began_at, reason, trouble: Some(trouble.clone()), replayed: 0, dead: 0 });
        }
    }

    /// Takes over the queues of processes that are gone, the first time.
    fn adopt_once(&self) {
        if !self.adopted.swap(true, Ordering::AcqRel) {
            self.adopt();
        }
    }

    /// Takes over the queues of processes that are gone.
    pub(crate) fn adopt(&self) {
        self.adopted.store(true, Ordering::Release);
        match self.queues.adopt() {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "writes that another process left behind were taken over"),
            Err(error) => self.report("queue", error.to_string()),
        }
        for report in self.queues.take_reports() {
            self.report("queue", report);
        }
    }

    /// Keeps something that somebody should hear of.
    fn report(&self, operation: &'static str, what: String) {
        tracing::warn!(operation, what, "the queue needs somebody");
        let mut reports = self.reports.lock();
        if reports.len() < REPORTS_MAX {
            reports.push((operation, what));
        }
    }

    /// What somebody should hear of, each once.
    pub(crate) fn take_reports(&self) -> Vec<(&'static str, String)> {
        std::mem::take(&mut *self.reports.lock())
    }

    /// Whether the store has changed without anybody calling, told once.
    pub(crate) fn take_changed(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }
}
