//! How a call that reads before it writes makes its changes: for its caller, or out of the queue.

use std::cell::Cell;
use std::sync::Arc;

use peri_queue::RecordId;
use peri_store::{Write, Written};
use peri_types::{MemoryId, Timestamp};

use super::WriteQueue;
use super::ask::Asking;
use crate::Error;
use crate::engine::Core;

/// A call that is being made. Its changes go through here, and carry the time at which somebody asked for them.
pub(crate) struct Making<'a> {
    core: &'a Core,
    operation: &'static str,
    at: Timestamp,
    way: Way<'a>,
    main: Cell<Main>,
    /// What makes the transaction that it is about once for a request.
    claim: Option<Write>,
}

/// What became of the transaction that a call is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Main {
    /// Nothing yet.
    Open,
    /// This attempt made it.
    Made,
    /// An earlier attempt had made it.
    Repeated,
}

/// What stands behind a call.
enum Way<'a> {
    /// Nothing: what fails has failed.
    Plain,
    /// Its caller, who is told that it waits if the store cannot take it.
    Asked { queue: &'a Arc<WriteQueue>, id: RecordId },
    /// The queue, which it waited in.
    Queued { queue: &'a Arc<WriteQueue>, id: RecordId },
}

/// Which of a call's transactions. Each has a token of its own, so that one that was made is never made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transaction {
    /// The only one.
    Only,
    /// The one that the call is about, of several.
    Main,
    /// One that must come before it.
    Before,
    /// One that follows from it.
    After,
}

impl<'a> Making<'a> {
    pub(super) fn plainly(core: &'a Core, operation: &'static str) -> Self {
        Self { core, operation, at: core.now(), way: Way::Plain, main: Cell::new(Main::Open), claim: None }
    }

    pub(super) fn asked(
        core: &'a Core,
        queue: &'a Arc<WriteQueue>,
        operation: &'static str,
        id: RecordId,
    ) -> Self {
        let (way, main) = (Way::Asked { queue, id }, Cell::new(Main::Open));
        Self { core, operation, at: core.now(), way, main, claim: None }
    }

    pub(super) fn queued(
        core: &'a Core,
        queue: &'a Arc<WriteQueue>,
        operation: &'static str,
        (id, at): (RecordId, Timestamp),
    ) -> Self {
        Self { core, operation, at, way: Way::Queued { queue, id }, main: Cell::new(Main::Open), claim: None }
    }

    /// The same, claimed for a request.
    pub(super) fn claimed(self, claim: Option<Write>) -> Self {
        Self { claim, ..self }
    }

    /// When somebody asked for it.
    pub(crate) fn at(&self) -> Timestamp {
        self.at
    }

    /// What became of the transaction that it is about.
    pub(super) fn main(&self) -> Main {
        self.main.get()
    }

    /// The id of a memory that the call makes: whenever it is tried, it is the same.
    pub(crate) fn memory_id(&self) -> MemoryId {
        match &self.way {
            Way::Plain => MemoryId::generate(self.at),
            Way::Asked { id, .. } | Way::Queued { id, .. } => MemoryId::from_bytes(*id.as_bytes()),
        }
    }

    /// Makes changes together, unless that was done before: then the answer is [`Written::Repeated`] for each. What
    /// fails here is never queued by itself; the call is, as a whole.
    pub(crate) fn write(&self, transaction: Transaction, writes: Vec<Write>) -> Result<Vec<Written>, Error> {
        let is_main = matches!(transaction, Transaction::Only | Transaction::Main);
        let claim = self.claim.clone().filter(|_| is_main);
        let Some(claim) = claim else { return self.write_plainly(transaction, writes) };
        let written = self.write_plainly(transaction, std::iter::once(claim).chain(writes).collect())?;
        match self.way {
            // There is nothing to tell of what an earlier attempt has made.
            Way::Queued { .. } => Ok(written.into_iter().skip(1).collect()),
            Way::Plain | Way::Asked { .. } => crate::answers::unclaimed(written),
        }
    }

    fn write_plainly(&self, transaction: Transaction, writes: Vec<Write>) -> Result<Vec<Written>, Error> {
        let settled = self.core.settle_before(&writes);
        let outcome = settled.and_then(|()| match &self.way {
            Way::Plain => self.core.store.write(writes),
            // Where a commit that failed was surely not made, the first attempt needs no token.
            Way::Asked { queue, .. }
                if transaction == Transaction::Only && queue.store.commits_are_certain() =>
            {
                queue.ask(Asking::ToWrite, |store| store.write(writes))
            }
            Way::Asked { queue, id } | Way::Queued { queue, id } => {
                queue.ask(Asking::ToWrite, |store| store.write_once(token(*id, transaction), writes))
            }
        });
        let is_kept = !matches!(self.way, Way::Plain);
        if let Err(error) = outcome.as_ref()
            && !(is_kept && error.is_passing())
        {
            self.core.note_refused_write(self.operation, error);
        }
        let written = outcome?;
        if matches!(transaction, Transaction::Only | Transaction::Main) {
            let repeated = written.contains(&Written::Repeated);
            self.main.set(if repeated { Main::Repeated } else { Main::Made });
        }
        self.core.publish();
        Ok(written)
    }
}

/// What tells a transaction of a call from every other one.
pub(super) fn token(id: RecordId, transaction: Transaction) -> [u8; 16] {
    let of_the_call = |name: &[u8]| {
        let mut hasher = blake3::Hasher::new();
        hasher.update(id.as_bytes()).update(name);
        let mut token = [0; 16];
        token.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        token
    };
    match transaction {
        Transaction::Only | Transaction::Main => *id.as_bytes(),
        Transaction::Before => of_the_call(b"before"),
        Transaction::After => of_the_call(b"after"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_a_call_has_a_token_of_its_own_that_never_changes() {
        let id: RecordId = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5b6a".parse().unwrap();
        let tokens = [Transaction::Main, Transaction::Before, Transaction::After]
            .map(|transaction| token(id, transaction));
        assert_eq!(tokens[0], *id.as_bytes());
        assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2]);
        assert_eq!(
            tokens,
            [Transaction::Main, Transaction::Before, Transaction::After]
                .map(|transaction| token(id, transaction))
        );
    }
}
