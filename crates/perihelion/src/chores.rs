//! What is done beside answering: usage, late vectors, snapshots, the trash, old answers.

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod turns;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use peri_store::{Embedding, ListQuery, Order, Write, Written};
use peri_types::{Memory, Scope, Timestamp, patience};

use crate::deadlines::Awaited;
use crate::engine::Core;
use crate::{Chores, Error, StoreChoice};
pub(crate) use turns::{Afterwards, Turn};

/// An idle engine wakes this often, and when somebody else's lease runs out; a busy one is nudged.
const IDLE: Duration = Duration::from_secs(60);

/// After a nudge the thread waits, so that a burst of calls is served by one round.
const GATHER: Duration = Duration::from_secs(1);

/// Memories embedded late are handed to the engine so many at a time.
const BACKFILL_BATCH: usize = 128;

/// Held by the process that purges the trash.
const PURGE_LEASE: &str = "purge-trash";

/// Held by the process that gives late memories their vectors.
const VECTORS_LEASE: &str = "vectors";

/// Held by the process that reorbits, so that of many one does; kept until that is due again.
pub(crate) const CHORES_LEASE: &str = "chores";

/// Programs that answer once and leave reorbit when nobody has for so long, and in a large store, where it takes
/// longer than an answer, more rarely.
const STALE_AFTER: Duration = Duration::from_secs(3600);
const STALE_AFTER_IF_LARGE: Duration = Duration::from_secs(24 * 3600);
const STALE_LARGE_BYTES: u64 = 20_000_000;

/// A program that is about to leave waits for another one that writes for no longer than writing takes.
const LEAVING_WAIT: Duration = Duration::from_millis(100);

/// A program that is about to leave sweeps the layers for so long.
const LEAVING_SWEEP: Duration = Duration::from_secs(1);

/// The background thread. Dropping it stops the thread after the step under way.
pub(crate) struct Worker {
    stop: Option<SyncSender<()>>,
    stopping: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread; without one the engine still works, and closing does the chores.
    pub(crate) fn start(
        core: Arc<Core>,
        name: &str,
        work: fn(&Arc<Core>, &Receiver<()>, &AtomicBool),
    ) -> Option<Self> {
        let (stop, stopped) = sync_channel(0);
        let stopping = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopping);
        let thread =
            std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&core, &stopped, &flag));
        match thread {
            Ok(thread) => Some(Self { stop: Some(stop), stopping, thread: Some(thread) }),
            Err(error) => {
                tracing::warn!(%error, name, "no thread for the chores");
                None
            }
        }
    }
}

impl Worker {
    /// Tells the thread to stop and does not wait for it: it may be in the middle of something that takes long and
    /// that another process can do again.
    pub(crate) fn leave(mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.thread = None;
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.stop = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the chores' thread panicked");
        }
    }
}

/// Does the chores until it is told to stop.
pub(crate) fn serve(core: &Arc<Core>, stopped: &Receiver<()>, stopping: &AtomicBool) {
    let mut idle = Duration::ZERO;
    let mut wake_at: Option<Timestamp> = None;
    // The channel only ever closes; waiting on it is how the thread sleeps and still stops at once.
    while stopped.recv_timeout(GATHER) == Err(RecvTimeoutError::Timeout) {
        idle += GATHER;
        let is_due = wake_at.is_some_and(|wake_at| wake_at <= core.now());
        let nudged = core.take_nudge();
        if !nudged && !is_due && idle < IDLE {
            continue;
        }
        let is_idle = !nudged && idle >= IDLE;
        idle = Duration::ZERO;
        wake_at = core.round(&|| !stopping.load(Ordering::Relaxed)).unwrap_or_else(|error| {
            tracing::warn!(%error, "chores failed and will be tried again");
            core.note_failure("chores", &crate::failures::with_causes(&error));
            core.keep_records();
            None
        });
        if is_idle {
            core.store.rest();
        }
    }
}

impl Core {
    /// Tells the background thread that there is something to do.
    pub(crate) fn nudge(&self) {
        self.nudged.store(true, Ordering::Relaxed);
    }

    fn take_nudge(&self) -> bool {
        let changed = self.queue.as_ref().is_some_and(|queue| queue.take_changed());
        self.nudged.swap(false, Ordering::Relaxed) | changed
    }

    /// All chores, to the end, whoever else is at them.
    pub(crate) fn maintain(&self) -> Result<(), Error> {
        self.round(&|| true)?;
        if let Some(trouble) = self.queue.as_ref().and_then(|queue| queue.trouble()) {
            return Err(trouble.into());
        }
        if !self.store.is_read_only() {
            self.backfill(&|| true)?;
            let believed = self.clock_leap().is_none();
            if believed {
                self.sweep_layers(&|| true)?;
            }
            while self.tie_pending(&|| true)? {}
            if believed {
                self.reorbit(&Scope::All, &|| true)?;
            }
            self.refusals.flush(&*self.store, self.now())?;
            self.failures.flush(&*self.store, self.now())?;
        }
        self.publish();
        self.flush_events();
        self.believe_clock()
    }

    /// Does what is due and nobody else is at. When something will be due next is the answer.
    fn round(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        self.look_after_queue();
        if self.is_store_away() {
            // The rest is found out again when it answers.
            return Ok(None);
        }
        self.tried("looking for queued journal events", self.look_for_queued());
        let mut wakes = Vec::new();
        if !self.store.is_read_only() {
            self.usage.flush(&*self.store)?;
            self.flush_access()?;
            self.note_clock()?;
            let believed = self.clock_leap().is_none();
            self.drop_old_answers()?;
            self.senses.mend();
            self.bring_along_once(go_on)?;
            wakes.extend(self.backfill_in_turn(go_on)?);
            self.feed_searches(go_on)?;
            if self.tie_pending_in_turn(go_on)? {
                self.nudge();
            }
            if believed {
                wakes.extend(self.purge_old_trash(go_on)?);
                self.drop_old_journal(go_on)?;
                wakes.extend(self.sweep_if_due(go_on)?);
                wakes.extend(self.reorbit_if_due(go_on)?);
            }
        }
        let sense = self.sense();
        for namespace in std::mem::take(&mut *self.written.lock()) {
            if self.searched_in_database(&sense, &namespace)?.is_none() {
                sense.indexes.fresh(&*self.store, &namespace)?;
            }
        }
        for shelf in sense.indexes.open_shelves() {
            if self.searched_in_database(&sense, shelf.namespace())?.is_some() {
                sense.indexes.put_away(shelf.namespace());
                continue;
            }
            let shelf = sense.indexes.fresh(&*self.store, shelf.namespace())?;
            // Recalls of a process that stays find links faster in memory.
            if let Err(error) = self.graphs.fresh(&*self.store, shelf.namespace()) {
                tracing::warn!(%error, namespace = %shelf.namespace(), "the graph cannot be read");
            }
            sense.indexes.compact_if_due(&shelf);
            sense.indexes.weave(&shelf, go_on);
            sense.indexes.save_if_due(&*self.store, &shelf);
        }
        self.keep_records();
        self.publish();
        self.flush_events();
        Ok(wakes.into_iter().min())
    }

    /// Reorbits when the interval is over, if no other process has taken that on. When to look again is the answer: when
    /// the orbits are due, or when the lease of whoever has taken it on runs out.
    fn reorbit_if_due(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        if self.options.chores == Chores::ByHand {
            return Ok(None);
        }
        let now = self.now();
        let next = *self.next_reorbit.lock();
        if next.is_some_and(|next| now < next) {
            return Ok(next);
        }
        let due = now.checked_add(self.options.reorbit_interval).unwrap_or(Timestamp::MAX);
        // Whatever comes of it: what fails is not tried again at every round.
        *self.next_reorbit.lock() = Some(due);
        let turn = self.in_turn(CHORES_LEASE, Afterwards::KeptUntil(due), go_on, |go_on| {
            self.sweep_in_turn(go_on)?;
            self.sweep_episodes_and_beyond(go_on)?;
            self.reorbit(&Scope::All, go_on).map(drop)
        })?;
        self.holds_chores.store(turn == Turn::Done, Ordering::Relaxed);
        let next = turn.wake_at().unwrap_or(due);
        *self.next_reorbit.lock() = Some(next);
        Ok(Some(next))
    }

    /// What must be done before the engine goes: the rest can wait for the next process.
    pub(crate) fn finish(&self) -> Result<(), Error> {
        // Whoever ends a program waits for that as for a receipt: a lock that is held is no reason to stay.
        let outcome = self.awaited(Awaited::Receipt, || self.finish_chores());
        self.queue.iter().for_each(|queue| queue.close());
        outcome
    }

    fn finish_chores(&self) -> Result<(), Error> {
        self.finish_queue();
        if self.is_store_away() {
            tracing::warn!("the store does not answer; chores are left to the next program");
            return Ok(());
        }
        // What is in memory of the journal is written by now. The rest saves others time, and is not worth waiting for.
        match self.options.store {
            StoreChoice::Embedded => patience::within(LEAVING_WAIT, || self.finish_rest())?,
            StoreChoice::Server { .. } => self.finish_rest()?,
        }
        Ok(())
    }

    fn finish_rest(&self) -> Result<(), Error> {
        self.finish_records();
        if let Err(error) = self.keep_handed_out() {
            tracing::warn!(%error, "what agents were given is not noted, and may be learned again");
        }
        if !self.store.is_read_only() {
            self.usage.flush(&*self.store)?;
            self.key_uses.flush(&*self.store)?;
            self.refusals.flush(&*self.store, self.now())?;
        }
        let sense = self.senses.now();
        for namespace in std::mem::take(&mut *self.written.lock()) {
            if self.searched_in_database(&sense, &namespace)?.is_none() {
                sense.indexes.fresh(&*self.store, &namespace)?;
            }
        }
        for shelf in sense.indexes.open_shelves() {
            sense.indexes.save_if_due(&*self.store, &shelf);
        }
        if self.holds_chores.swap(false, Ordering::Relaxed) {
            self.store.release_lease(CHORES_LEASE, &self.holder)?;
        }
        let leaves = self.leaves_chores.load(Ordering::Relaxed);
        let waits = self.queue.as_ref().is_some_and(|queue| !queue.is_empty());
        if self.options.chores == Chores::ByHand && !self.store.is_read_only() && !leaves && !waits {
            // Both can wait for the next program; a full disk must not make a failure of an answer that was given.
            let settle = || {
                self.note_clock()?;
                if self.clock_leap().is_some() {
                    return Ok(());
                }
                self.sweep_when_leaving().and_then(|()| self.reorbit_if_stale())
            };
            if let Err(error) = settle() {
                tracing::warn!(%error, "chores were left to the next program");
            }
        }
        self.publish();
        self.flush_events();
        Ok(())
    }

    /// Reorbits on behalf of programs that answer once and leave, if nobody else has for long: where such programs
    /// are all there is, memories would never move.
    fn reorbit_if_stale(&self) -> Result<(), Error> {
        let now = self.now();
        let database = self.options.folder.join(crate::Perihelion::DATABASE);
        let bytes = std::fs::metadata(database).map_or(0, |file| file.len());
        let patience = if bytes > STALE_LARGE_BYTES { STALE_AFTER_IF_LARGE } else { STALE_AFTER };
        let before = now.checked_sub(patience).unwrap_or(Timestamp::MIN);
        if self.store.unsettled(before)?.is_empty() {
            return Ok(());
        }
        let somebody = self.store.lease(CHORES_LEASE)?.is_some_and(|lease| lease.is_held(now));
        if !somebody {
            // Who is about to leave does not wait for a month of episodes; the rest waits for the next one.
            let started = std::time::Instant::now();
            self.sweep_layers(&|| started.elapsed() < LEAVING_SWEEP)?;
            self.reorbit(&Scope::All, &|| true)?;
        }
        Ok(())
    }

    /// The same as [`Core::backfill`], by one process at a time. When to look again is the answer if another is at it.
    fn backfill_in_turn(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        let query = ListQuery { unembedded: true, limit: 1, ..ListQuery::default() };
        if self.sense().engine.is_none() || self.store.list(&query)?.memories.is_empty() {
            return Ok(None);
        }
        let turn = self.in_turn(VECTORS_LEASE, Afterwards::GivenBack, go_on, |go_on| self.backfill(go_on))?;
        Ok(turn.wake_at())
    }

    /// Gives vectors to memories that were stored while the engine failed. Stops when it fails for a whole
    /// page again.
    pub(crate) fn backfill(&self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        let sense = self.sense();
        if sense.engine.is_none() {
            return Ok(());
        }
        let mut query = ListQuery {
            unembedded: true,
            order: Order::OldestFirst,
            limit: BACKFILL_BATCH,
            ..ListQuery::default()
        };
        while go_on() {
            let page = self.store.list(&query)?;
            let texts: Vec<&str> = page.memories.iter().map(|memory| memory.content.as_str()).collect();
            if texts.is_empty() {
                return Ok(());
            }
            // One text that the engine cannot take must not hold up the others for ever.
            let embedded = page.memories.iter().zip(self.embed_with(&sense, &texts));
            let writes: Vec<_> =
                embedded.filter(|(_, embedding)| *embedding != Embedding::Pending).map(late_vector).collect();
            if writes.is_empty() {
                return Ok(());
            }
            self.store.write(writes)?;
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Purges what has lain in the trash for too long. When to look again is the answer if another process is at it.
    fn purge_old_trash(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        let now = self.now();
        let before = self.ago(self.options.trash_retention);
        let trash = ListQuery {
            trashed: peri_store::Trashed::Only,
            order: Order::OldestFirst,
            trashed_before: Some(before),
            limit: 1,
            ..ListQuery::default()
        };
        if self.store.list(&trash)?.memories.is_empty() {
            return Ok(None);
        }
        let turn = self.in_turn(PURGE_LEASE, Afterwards::GivenBack, go_on, |_| {
            self.tell_of_use()?;
            let words = self.words_in_trash(&Scope::All, before)?;
            let purge = Write::PurgeTrashed { scope: Scope::All, before, at: now };
            if let Some(Written::Purged(purged)) = self.store.write(vec![purge])?.first() {
                tracing::debug!(purged, "what lay in the trash for longer than the retention is purged");
            }
            for held in self.wipe_words(&words) {
                tracing::warn!(?held, "what was purged is still held");
            }
            Ok(())
        })?;
        Ok(turn.wake_at())
    }
}

fn late_vector((memory, embedding): (&Memory, Embedding)) -> Write {
    Write::Embed { namespace: memory.namespace.clone(), id: memory.id, version: memory.version, embedding }
}
