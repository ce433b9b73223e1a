//! From the store's events to subscribers and to the audit log.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use peri_store::{StoreError, Write};
use peri_types::{Event, EventKind};

use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::events::{
    AuditLog, Bus, Follow, FollowFrom, LogPage, LogQuery, LogWarning, Shipping, Subscription,
};
use crate::failures::operation_of;

/// Events are read from the store so many at a time.
const PAGE: usize = 2000;

/// So many events stay in the store after they are in the log, for subscribers in other processes.
const KEPT: u64 = 10_000;

/// What an engine knows of its events.
pub(crate) struct Audit {
    pub(crate) bus: Bus,
    pub(crate) log: AuditLog,
    /// Up to which number subscribers were told.
    told: AtomicU64,
    /// Whether there may be something that they were not.
    untold: AtomicBool,
    /// One thread tells at a time, so that nobody hears of events out of order.
    telling: Mutex<()>,
    /// Why the log could not be written last, if it could not.
    trouble: Mutex<Option<String>>,
}

impl Audit {
    pub(crate) fn new(log: AuditLog) -> Self {
        Self {
            bus: Bus::new(),
            log,
            told: AtomicU64::new(0),
            untold: AtomicBool::new(false),
            telling: Mutex::default(),
            trouble: Mutex::default(),
        }
    }

    pub(crate) fn trouble(&self) -> Option<String> {
        self.trouble.lock().clone()
    }
}

impl Perihelion {
    /// Calls a handler for every event from now on, of some kinds or of all, until the subscription is dropped.
    /// Events of this process come at once, those of other processes with the next chores. A handler that panics
    /// harms nobody else.
    pub fn subscribe(
        &self,
        kinds: Option<Vec<EventKind>>,
        handler: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Subscription, Error> {
        let audit = &self.core.audit;
        if !audit.bus.has_subscribers() {
            // Nobody listened until now; what happened before is not told.
            let last = self.core.last_event()?;
            audit.told.fetch_max(last, Ordering::Relaxed);
        }
        Ok(audit.bus.subscribe(kinds, handler))
    }

    /// The audit log, the latest events that match, in order. What has not been written to the log yet is
    /// written first.
    pub fn events(&self, query: &LogQuery) -> Result<LogPage, Error> {
        self.core.flush_events();
        let mut page = self.core.audit.log.read(query).map_err(|source| self.log_error(source))?;
        page.events = page.events.into_iter().map(|event| event.within(&query.scope)).collect();
        Ok(page)
    }

    /// The events that follow a number, the earliest first, at most so many of them; of whichever process. What the
    /// store no longer has is read from the audit log; a hole before the first one tells that it is in neither.
    pub fn events_after(&self, after: u64, limit: usize) -> Result<Vec<Event>, Error> {
        let core = &self.core;
        // The store's numbers end there.
        let after = after.min(u64::MAX >> 1);
        let kept = core.store.events(after, limit)?.events;
        let follows = kept.first().is_none_or(|event| event.number <= after.saturating_add(1));
        if follows || !core.options.events.log {
            return Ok(kept);
        }
        let logged = core.audit.log.read_after(after, limit).map_err(|source| self.log_error(source))?;
        let reaches = |logged: &[Event]| match (logged.first(), kept.first()) {
            (Some(logged), Some(kept)) => logged.number < kept.number,
            _ => false,
        };
        Ok(if reaches(&logged) { logged } else { kept })
    }

    /// The number of the latest event, or 0 if there was none.
    pub fn last_event_number(&self) -> Result<u64, Error> {
        self.core.last_event()
    }

    /// Follows the audit log: events as they come, of whichever process.
    pub fn follow_events(&self, from: FollowFrom) -> Result<Follow, Error> {
        self.core.flush_events();
        self.core.audit.log.follow(from).map_err(|source| self.log_error(source))
    }

    fn log_error(&self, source: std::io::Error) -> Error {
        Error::Folder { path: self.core.audit.log.folder().to_owned(), source }
    }
}

impl Core {
    /// Makes changes and tells subscribers of them. Changes that the store cannot take now are kept on this machine, and
    /// the answer is [`peri_store::Written::Queued`] for each of them.
    pub(crate) fn write(&self, writes: Vec<Write>) -> Result<Vec<peri_store::Written>, Error> {
        let operation = operation_of(&writes);
        let outcome = match &self.queue {
            Some(queue) => queue.write(operation, writes),
            None => self.settle_before(&writes).and_then(|()| self.store.write(writes)).map_err(Error::from),
        };
        // Opened for reading because the disk is full, it takes nothing, and nothing waits either.
        let outcome = match outcome {
            Err(error @ Error::Store(StoreError::DiskFull { .. })) if self.store.is_read_only() => {
                Err(error.or_not_kept())
            }
            outcome => outcome,
        };
        if let Err(Error::Store(error) | Error::NotKept { store: error, .. }) = &outcome {
            self.note_refused_write(operation, error);
        }
        let written = outcome?;
        self.publish();
        Ok(written)
    }

    /// The same for those who cannot do without what comes of it: changes that were queued are [`Error::Queued`].
    pub(crate) fn change(&self, writes: Vec<Write>) -> Result<Vec<peri_store::Written>, Error> {
        let written = self.write(writes)?;
        if written.contains(&peri_store::Written::Queued) { Err(Error::Queued) } else { Ok(written) }
    }

    /// Tells subscribers what they have not heard of. Trouble with reading is told again next time.
    pub(crate) fn publish(&self) {
        let audit = &self.audit;
        if !audit.bus.has_subscribers() {
            return;
        }
        loop {
            // Whoever is telling already looks again before it leaves, so that nothing waits for the next change.
            audit.untold.store(true, Ordering::SeqCst);
            let Some(telling) = audit.telling.try_lock() else { return };
            while audit.untold.swap(false, Ordering::SeqCst) {
                self.tell_pages();
            }
            drop(telling);
            if !audit.untold.load(Ordering::SeqCst) {
                return;
            }
        }
    }

    fn tell_pages(&self) {
        let audit = &self.audit;
        loop {
            let page = match self.store.events(audit.told.load(Ordering::Relaxed), PAGE) {
                Ok(page) => page.events,
                Err(error) => {
                    tracing::warn!(%error, "events could not be read; subscribers will be told later");
                    return;
                }
            };
            let Some(last) = page.last() else { return };
            audit.told.store(last.number, Ordering::Relaxed);
            audit.bus.publish(&page);
        }
    }

    fn last_event(&self) -> Result<u64, Error> {
        // What is in the audit log already is not read again.
        let shipped = self.store.events(u64::MAX >> 1, 0)?.shipped;
        let mut last = self.audit.told.load(Ordering::Relaxed).max(shipped);
        loop {
            let page = self.store.events(last, PAGE)?;
            match page.events.last() {
                Some(event) => last = event.number,
                None => return Ok(last.max(page.shipped)),
            }
        }
    }

    /// Writes what the audit log lacks. A log that cannot be written stops nothing: the events wait in the
    /// store, and health tells.
    pub(crate) fn flush_events(&self) {
        if self.store.is_read_only() {
            return;
        }
        let outcome = self.ship_events();
        let trouble = outcome.err();
        if let Some(trouble) = &trouble {
            tracing::warn!(%trouble, "the audit log could not be written; events wait in the store");
            self.note_failure("audit log", trouble);
            self.bound_waiting();
        }
        *self.audit.trouble.lock() = trouble;
    }

    /// Lets the store drop the oldest of too many events that wait: a log that is never mended must not fill the disk.
    fn bound_waiting(&self) {
        let nothing_new = Write::ShipEvents { through: 0, keep: KEPT };
        if let Err(error) = self.store.write(vec![nothing_new]) {
            tracing::warn!(%error, "events that wait could not be counted");
        }
    }

    fn ship_events(&self) -> Result<(), String> {
        let mut after = None;
        loop {
            let from = match after {
                Some(after) => after,
                None => self.store.events(u64::MAX >> 1, 0).map_err(|error| error.to_string())?.shipped,
            };
            let page = self.store.events(from, PAGE).map_err(|error| error.to_string())?;
            let Some(last) = page.events.last().map(|event| event.number) else { return Ok(()) };
            if self.options.events.log {
                match self.audit.log.ship(&page.events).map_err(|error| error.to_string())? {
                    Shipping::Busy => return Ok(()),
                    Shipping::Shipped(shipped) => {
                        for warning in shipped.warnings {
                            tracing::warn!(%warning, "the audit log needs somebody");
                            // Events that the log cannot take stay in the store until somebody has looked.
                            if let LogWarning::Diverged { .. } = warning {
                                return Err(format!("{warning}; move the log's files away to begin anew"));
                            }
                        }
                    }
                }
            }
            let note = Write::ShipEvents { through: last, keep: KEPT };
            self.store.write(vec![note]).map_err(|error| error.to_string())?;
            after = Some(last);
        }
    }
}
