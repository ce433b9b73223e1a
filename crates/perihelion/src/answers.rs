//! Answers that are kept for a while, so that a request that is sent again is answered again and not done again.

use std::collections::VecDeque;

use parking_lot::Mutex;
use peri_store::{KeptAnswer, StoreError, Write, Written};
use peri_types::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::engine::{Core, Perihelion};

/// So many answers are held in memory while the store cannot take them; then the oldest leaves.
const HELD_MAX: usize = 10_000;

/// An answer to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAnswer {
    /// Who asked. Callers do not see each other's answers.
    pub caller: String,
    /// What the caller calls the request, such as an idempotency key.
    pub key: String,
    /// What was asked, as [`digest_of`] makes it.
    pub digest: [u8; 32],
    /// The answer's status.
    pub status: u16,
    /// The answer.
    pub body: Vec<u8>,
}

/// A request that is made once, under the name that its caller gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Who asks.
    pub caller: String,
    /// What the caller calls the request.
    pub key: String,
    /// What is asked, as [`digest_of`] makes it.
    pub digest: [u8; 32],
    /// What it came to, if it was made before and its answer was not kept: the body of a [`KeptAnswer`] whose status is
    /// [`KeptAnswer::MADE`].
    pub made: Option<Vec<u8>>,
}

impl Claim {
    /// What the request came to, if it was made before.
    pub(crate) fn made<T: DeserializeOwned>(claim: Option<&Self>) -> Result<Option<T>, Error> {
        let Some(body) = claim.and_then(|claim| claim.made.as_deref()) else { return Ok(None) };
        // What another release wrote may be beyond this one; that it was made holds all the same.
        serde_json::from_slice(body).map(Some).map_err(|_| Error::MadeBefore)
    }
}

/// A digest of the parts of a request. Where one part ends and the next begins makes a difference.
pub fn digest_of(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

impl Perihelion {
    /// What a caller was answered under a name, while that is kept. Whoever finds another digest than that of the
    /// request at hand has the same name for two requests, which is a mistake of the caller.
    pub fn kept_answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, Error> {
        let core = &self.core;
        check(core, caller, key)?;
        let oldest = core.answers_kept_since();
        let held = core.held_answers.find(caller, key);
        let kept = match held {
            Some(held) => Some(held),
            None => core.unless_away(core.store.answer(caller, key).map_err(Error::from))?.flatten(),
        };
        Ok(kept.filter(|answer| answer.at >= oldest))
    }

    /// Keeps an answer in this process alone: what it tells of waits for the store, which would take an answer that came
    /// before it for a sign that it was made.
    pub fn hold_answer(&self, new: NewAnswer) -> Result<KeptAnswer, Error> {
        check(&self.core, &new.caller, &new.key)?;
        let NewAnswer { caller, key, digest, status, body } = new;
        let at = self.core.now();
        Ok(self.core.held_answers.keep(KeptAnswer { caller, key, digest, status, body, at }))
    }

    /// Keeps an answer. If the caller was answered under that name meanwhile, that answer stays; whichever is kept is
    /// handed back. While the store does not answer, this process alone remembers it.
    pub fn keep_answer(&self, new: NewAnswer) -> Result<KeptAnswer, Error> {
        let core = &self.core;
        check(core, &new.caller, &new.key)?;
        let NewAnswer { caller, key, digest, status, body } = new;
        let answer = KeptAnswer { caller, key, digest, status, body, at: core.now() };
        // An answer that is too old must not stand in the way of a new one until the chores come.
        let drop = Write::DropAnswers { before: core.answers_kept_since() };
        let keep = Write::KeepAnswer(Box::new(answer.clone()));
        let Some(mut written) = core.unless_away(core.change(vec![drop, keep]))? else {
            return Ok(core.held_answers.keep(answer));
        };
        match written.pop() {
            Some(Written::Answer(kept)) => Ok(*kept),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}

/// Answers that were given while the store did not answer, the oldest first. Requests are queued then, so that what was
/// answered is that they are; contents are in none of them.
#[derive(Default)]
pub(crate) struct HeldAnswers(Mutex<VecDeque<KeptAnswer>>);

impl HeldAnswers {
    fn find(&self, caller: &str, key: &str) -> Option<KeptAnswer> {
        self.0.lock().iter().find(|held| held.caller == caller && held.key == key).cloned()
    }

    fn keep(&self, answer: KeptAnswer) -> KeptAnswer {
        let mut held = self.0.lock();
        if held.len() >= HELD_MAX {
            held.pop_front();
        }
        held.push_back(answer.clone());
        answer
    }
}

/// The same when looking as when keeping, so that nobody finds out only after the request is done.
fn check(core: &Core, caller: &str, key: &str) -> Result<(), Error> {
    core.options.limits.check_label("caller", caller)?;
    Ok(core.options.limits.check_label("idempotency key", key)?)
}

impl Core {
    /// The write that makes those after it once for a request, and keeps what it comes to with them.
    pub(crate) fn claiming<T: Serialize>(
        &self,
        claim: Option<&Claim>,
        receipt: &T,
    ) -> Result<Option<Write>, Error> {
        let Some(claim) = claim else { return Ok(None) };
        check(self, &claim.caller, &claim.key)?;
        // A receipt has no names but texts, and is written as text.
        let body = serde_json::to_vec(receipt).map_err(|_| Error::Store(StoreError::Closed))?;
        let (caller, key, digest) = (claim.caller.clone(), claim.key.clone(), claim.digest);
        let (status, at) = (KeptAnswer::MADE, self.now());
        let answer = Box::new(KeptAnswer { caller, key, digest, status, body, at });
        Ok(Some(Write::Claim { answer, before: self.answers_kept_since() }))
    }

    /// Makes changes, or lets them wait; once if they are claimed.
    pub(crate) fn write_claimed(
        &self,
        claim: Option<Write>,
        writes: Vec<Write>,
    ) -> Result<Vec<Written>, Error> {
        let Some(claim) = claim else { return self.write(writes) };
        let written = self.write(std::iter::once(claim).chain(writes).collect())?;
        unclaimed(written)
    }

    fn answers_kept_since(&self) -> Timestamp {
        self.now().checked_sub(self.options.answers_kept).unwrap_or(Timestamp::MIN)
    }

    /// Drops answers that are too old.
    pub(crate) fn drop_old_answers(&self) -> Result<(), Error> {
        let before = self.answers_kept_since();
        self.held_answers.0.lock().retain(|held| held.at >= before);
        if self.store.oldest_answer()?.is_some_and(|oldest| oldest < before) {
            self.store.write(vec![Write::DropAnswers { before }])?;
            tracing::debug!(%before, "old answers to repeated requests are dropped");
        }
        Ok(())
    }
}

/// What became of the changes behind a claim, unless another attempt has made them.
pub(crate) fn unclaimed(mut written: Vec<Written>) -> Result<Vec<Written>, Error> {
    if written.first() == Some(&Written::Repeated) {
        return Err(Error::MadeBefore);
    }
    Ok(written.split_off(written.len().min(1)))
}
