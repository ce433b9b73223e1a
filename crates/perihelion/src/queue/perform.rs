//! Calls that read before they write: made at once, or kept as a whole and made through the same code when their turn
//! comes.

use std::sync::Arc;
use std::time::Instant;

use peri_queue::{Failure, Record, RecordId, Severity};
use peri_store::{StoreError, Write};
use peri_types::{Memory, MemoryId, Namespace, Scope, Timestamp};

use super::call::{Call, severity};
use super::intent::Intent;
use super::making::{Main, Making, Transaction, token};
use super::{BEFORE_OWN_WRITE, WriteQueue};
use crate::deadlines::Awaited;
use crate::engine::{Core, Perihelion};
use crate::{Chores, Error};

impl Core {
    /// Makes a call that reads before it writes. If the store cannot be read or written now, or if other calls wait, it
    /// waits as a whole: [`Error::Queued`]. What it wants is asked for in any case, and checked as far as possible.
    pub(crate) fn perform<T>(
        &self,
        wanted: impl FnOnce() -> Result<Intent, Error>,
        operation: &'static str,
        make: impl FnOnce(&Making<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.perform_claimed(None, wanted, operation, make)
    }

    /// The same, once for a request if it is claimed.
    pub(crate) fn perform_claimed<T>(
        &self,
        claim: Option<Write>,
        wanted: impl FnOnce() -> Result<Intent, Error>,
        operation: &'static str,
        make: impl FnOnce(&Making<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.awaited(Awaited::Receipt, || self.performed(claim, wanted, operation, make))
    }

    fn performed<T>(
        &self,
        claim: Option<Write>,
        wanted: impl FnOnce() -> Result<Intent, Error>,
        operation: &'static str,
        make: impl FnOnce(&Making<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let queue = match &self.queue {
            Some(queue) if !self.store.is_read_only() => queue,
            _ => return make(&Making::plainly(self, operation).claimed(claim)),
        };
        queue.make_way();
        let id = RecordId::generate(self.now());
        if let Some(trouble) = queue.must_wait() {
            return queue.keep_intent(id, (self.now(), claim), wanted()?, trouble);
        }
        let making = Making::asked(self, queue, operation, id).claimed(claim.clone());
        match make(&making) {
            Err(Error::Store(error)) if error.is_passing() => {
                queue.keep_intent(id, (making.at(), claim), wanted()?, error)
            }
            outcome => outcome,
        }
    }
}

impl Perihelion {
    /// A memory that is about to be changed, for those who look at it first; none if that cannot be told because the
    /// change will wait. The trash is included.
    pub fn look_before_change(&self, scope: &Scope, id: MemoryId) -> Result<Option<Memory>, Error> {
        self.unless_away(|engine| engine.get(scope, id))
    }

    /// What is read before a change for the change's sake; none if the change will wait, and what is read now might not be
    /// what it meets.
    pub fn unless_away<T>(&self, read: impl FnOnce(&Self) -> Result<T, Error>) -> Result<Option<T>, Error> {
        if self.core.will_wait() {
            return Ok(None);
        }
        match read(self) {
            Err(Error::Store(error)) if error.is_passing() && self.core.will_queue() => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}

impl Core {
    /// Whether a change that is asked for now waits for others, or for a store that is known not to answer.
    pub(crate) fn will_wait(&self) -> bool {
        let queue = self.queue.as_ref().filter(|_| self.will_queue());
        queue.is_some_and(|queue| {
            queue.make_way();
            queue.must_wait().is_some()
        })
    }

    /// Whether changes that the store cannot take wait at all.
    pub(crate) fn will_queue(&self) -> bool {
        self.queue.is_some() && !self.store.is_read_only()
    }
}

impl WriteQueue {
    /// Takes over what others left behind, the first time, and lets what waits go first where no thread does.
    pub(super) fn make_way(self: &Arc<Self>) {
        self.adopt_once();
        if self.chores == Chores::ByHand && !self.is_empty() {
            let started = Instant::now();
            self.replay(&|| started.elapsed() < BEFORE_OWN_WRITE);
        }
    }

    /// Why a call that comes now waits, if it does: others do, or the store is known not to answer.
    pub(super) fn must_wait(&self) -> Option<StoreError> {
        let waits = !self.is_empty() || !self.may_try();
        let met = || self.outage.lock().as_ref().and_then(|outage| outage.trouble.clone());
        waits.then(|| self.circuit.trouble().or_else(met).unwrap_or(StoreError::Closed))
    }

    fn keep_intent<T>(
        self: &Arc<Self>,
        id: RecordId,
        (at, claim): (Timestamp, Option<Write>),
        intent: Intent,
        trouble: StoreError,
    ) -> Result<T, Error> {
        self.keep(id, &Call::wanted(intent, at).claimed(claim), trouble)?;
        Err(Error::Queued)
    }

    /// Makes a call that waited as a whole, unless it was made before.
    pub(super) fn make_intent(
        self: &Arc<Self>,
        record: &Record,
        (intent, at, claim): (Intent, Timestamp, Option<Box<Write>>),
    ) -> Result<(), Failure> {
        let Some(core) = self.core.get().and_then(std::sync::Weak::upgrade) else {
            return Err(Failure { severity: Severity::Passing, reason: "the engine is closing".to_owned() });
        };
        self.find_out().map_err(|error| refused(&error))?;
        let engine = Perihelion::on_behalf(Arc::clone(&core));
        let making = Making::queued(&core, self, intent.operation(), (record.id, at))
            .claimed(claim.map(|claim| *claim));
        let failure = match intent.make(&engine, &making) {
            Ok(()) => return Ok(()),
            Err(Error::Store(error)) => refused(&error),
            Err(error) => Failure { severity: Severity::Final, reason: crate::failures::with_causes(&error) },
        };
        let is_made = match (making.main(), failure.severity) {
            (_, Severity::Passing) | (Main::Made, _) | (Main::Open, Severity::Unclear) => false,
            // There is nothing to tell of what an earlier attempt has made.
            (Main::Repeated, _) => true,
            (Main::Open, Severity::Final) => self.was_made(record.id)?,
        };
        if is_made { Ok(()) } else { Err(failure) }
    }

    /// Asks a store that did not answer whether it does now: whoever reads through the gate would be told at once that
    /// it does not.
    pub(super) fn find_out(self: &Arc<Self>) -> Result<(), StoreError> {
        if self.circuit.is_broken() {
            self.noted(self.store.head(&Namespace::default()))?;
        }
        Ok(())
    }

    /// Whether a call was made before: what it did may be why it is refused now.
    fn was_made(self: &Arc<Self>, id: RecordId) -> Result<bool, Failure> {
        // No graph has this revision, so that nothing is written under a token that is new.
        let nothing = Write::AdvanceKnowledge { namespace: Namespace::default(), read: u64::MAX };
        match self.noted(self.store.write_once(token(id, Transaction::Main), vec![nothing])) {
            Ok(_) => Ok(true),
            Err(StoreError::Overtaken { .. }) => Ok(false),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Notes what became of a call to the store, and hands it on.
    pub(super) fn noted<T>(self: &Arc<Self>, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        self.note(&outcome);
        outcome
    }
}

/// Why a call could not be made that reads first.
fn refused(error: &StoreError) -> Failure {
    let severity = match error {
        // Others were faster, again and again; or the store answered what nobody expects.
        StoreError::Overtaken { .. } | StoreError::Closed => Severity::Unclear,
        error => severity(error),
    };
    Failure { severity, reason: error.to_string() }
}
