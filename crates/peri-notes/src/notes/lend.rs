//! Lending what an agent is to be given: it counts as given once that is confirmed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::SignedDuration;
use peri_types::{Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use super::delivery::{Deliveries, Handover};
use super::given::{Given, Lending};
use super::{Notes, Plan};
use crate::item::{Item, ItemId};
use crate::record::{Digest, Listed, Record, from_json};
use crate::shelf::{Collection, Key};
use crate::{NotesError, Session};

/// What somebody wants lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wanted {
    digest: bool,
    own: bool,
    new: bool,
    handover: bool,
}

impl Wanted {
    /// Nothing, to begin with.
    pub const NOTHING: Self = Self { digest: false, own: false, new: false, handover: false };
    /// All there is.
    pub const ALL: Self = Self { digest: true, own: true, new: true, handover: true };

    /// And the digest, unless the session was given it since it began or last lost its context.
    pub const fn with_digest(self) -> Self {
        Self { digest: true, ..self }
    }

    /// And the session's notes, if they were asked for; see [`Notes::raise_inject_flag`].
    pub const fn with_own(self) -> Self {
        Self { own: true, ..self }
    }

    /// And the session's notes that its agent was not given yet.
    pub const fn with_new(self) -> Self {
        Self { new: true, ..self }
    }

    /// And the notes of another session that no session was given yet.
    pub const fn with_handover(self) -> Self {
        Self { handover: true, ..self }
    }
}

/// The number of a loan. It tells a loan from all others of its session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LoanId(String);

impl LoanId {
    /// The number of a loan of nothing, which nothing is kept of.
    const NOTHING: &str = "0";

    fn new(number: u64, at: Timestamp) -> Self {
        Self(format!("{number}-{}", at.as_millisecond()))
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.0 == Self::NOTHING
    }
}

impl fmt::Display for LoanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for LoanId {
    type Err = std::convert::Infallible;

    /// Any text; one that is no loan's number is too late to be confirmed.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// What is lent to a session: nobody else sees it until the lease is over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Loan {
    /// To confirm it by, or to give it back.
    pub id: LoanId,
    /// The digest, if it was wanted and is to be given.
    pub digest: Option<Digest>,
    /// The session's notes, if they were wanted and asked for.
    pub own: Option<Record>,
    /// The new notes of the session, without those that are among `own`.
    pub new: Vec<Item>,
    /// The notes of another session.
    pub handover: Option<Handover>,
}

impl Loan {
    /// Whether nothing was lent. It may be confirmed all the same.
    pub fn is_empty(&self) -> bool {
        self.id.is_nothing()
    }

    fn nothing() -> Self {
        let id = LoanId(LoanId::NOTHING.to_owned());
        Self { id, digest: None, own: None, new: Vec::new(), handover: None }
    }
}

impl Notes {
    /// Lends what an agent is to be given. It counts as given when that is confirmed ([`Notes::confirm`]); until then
    /// nobody else is lent it, for as long as the lease is. What was lent to the same session before and was neither
    /// confirmed nor given back is taken back, whatever its lease.
    pub fn lend(
        &self,
        namespace: &Namespace,
        session: &Session,
        what: Wanted,
        lease: Duration,
    ) -> Result<Loan, NotesError> {
        self.commit(namespace, session.as_str(), || {
            let now = self.clock.now();
            let (text, mut given) = self.read_given(namespace, session)?;
            let before = given.loan.take();
            let id = LoanId::new(given.loans + 1, now);
            let mut loan = Loan::nothing();
            let mut lending =
                Lending { id: id.clone(), digest: false, flag: None, new: BTreeSet::new(), handover: None };
            self.lend_digest(namespace, what, &given, (&mut loan, &mut lending))?;
            self.lend_own(namespace, session, what, (&mut loan, &mut lending))?;
            let left = before.as_ref().and_then(|before| before.handover.as_ref());
            let mut deliveries = self.deliveries(namespace, what.handover, left)?;
            deliveries.take_back(session);
            if what.handover {
                let until = ending(now, lease);
                loan.handover = self.lend_handover(namespace, (session, &id, until), &mut deliveries)?;
                lending.handover = loan.handover.as_ref().map(|over| over.session.clone());
            }
            let is_lent = lending.digest
                || lending.flag.is_some()
                || !lending.new.is_empty()
                || lending.handover.is_some();
            let mut plan = Plan::nothing(loan);
            if is_lent {
                plan.answer.id = id;
                (given.loans, given.loan) = (given.loans + 1, Some(lending));
            }
            if is_lent || before.is_some() {
                deliveries.keep(&mut plan);
                plan.keep_given(session, text.as_ref(), &given);
            }
            Ok(plan)
        })
    }

    fn lend_digest(
        &self,
        namespace: &Namespace,
        what: Wanted,
        given: &Given,
        (loan, lending): (&mut Loan, &mut Lending),
    ) -> Result<(), NotesError> {
        if what.digest && given.digest_at.is_none() {
            loan.digest = Some(self.digest(namespace)?).filter(|digest| !digest.sheet.is_empty());
            lending.digest = loan.digest.is_some();
        }
        Ok(())
    }

    /// The notes of the session itself. Those that are new count as given with all of them.
    fn lend_own(
        &self,
        namespace: &Namespace,
        session: &Session,
        what: Wanted,
        (loan, lending): (&mut Loan, &mut Lending),
    ) -> Result<(), NotesError> {
        let flag = match what.own {
            true => self.shelf.read(namespace, &Key::new(Collection::Inject, session))?,
            false => None,
        };
        if !what.new && flag.is_none() {
            return Ok(());
        }
        // What people wrote is put on the list first. The notes are read after the list, so that none is missing.
        self.record(namespace, session)?;
        let new = self.new_list(namespace, session)?;
        let Some(record) = self.record(namespace, session)?.filter(|record| !record.sheet.is_empty()) else {
            return Ok(());
        };
        let items: Vec<Item> =
            record.sheet.items().filter(|item| new.items.contains(&item.id)).cloned().collect();
        lending.new = items.iter().map(|item| item.id).collect::<BTreeSet<ItemId>>();
        match flag {
            Some(flag) => (lending.flag, loan.own) = (Some(flag.version), Some(record)),
            None => loan.new = items,
        }
        Ok(())
    }

    fn new_list(&self, namespace: &Namespace, session: &Session) -> Result<Listed, NotesError> {
        let text = self.shelf.read(namespace, &Key::new(Collection::NewItems, session))?;
        let new: Option<Listed> = from_json("list of new notes", session.as_str(), text.as_ref())?;
        Ok(new.unwrap_or_default())
    }

    /// What was handed over of the sessions: of all, or of the one that is left to be looked at.
    fn deliveries(
        &self,
        namespace: &Namespace,
        all: bool,
        one: Option<&Session>,
    ) -> Result<Deliveries, NotesError> {
        let mut texts = BTreeMap::new();
        if all {
            texts.extend(self.by_session(namespace, Collection::Delivered)?);
        } else if let Some(one) = one {
            let text = self.shelf.read(namespace, &Key::new(Collection::Delivered, one))?;
            texts.extend(text.map(|text| (one.clone(), text)));
        }
        Ok(Deliveries::read(texts))
    }
}

/// When a lease that begins now is over.
fn ending(now: Timestamp, lease: Duration) -> Timestamp {
    let lease = SignedDuration::try_from(lease).unwrap_or(SignedDuration::MAX);
    now.saturating_add(lease).unwrap_or(Timestamp::MAX)
}
