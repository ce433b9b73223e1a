//! What becomes of a loan: it was given, or it comes back.

use peri_types::Namespace;

use super::given::Lending;
use super::{LoanId, Notes, Plan, delivery};
use crate::record::{Listed, from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key};
use crate::{NotesError, Session};

/// What became of the confirmation of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Confirmed {
    /// What was lent counts as given.
    Done,
    /// The loan was taken back, by the session itself or because somebody else was lent the same when the lease was
    /// over. Nothing counts as given: whoever was shown it must not use it.
    TooLate,
}

impl Notes {
    /// Tells that a session's agent was given what was lent, and these texts from memory with it. From now on it counts
    /// as given, all at once. To confirm a loan again changes nothing.
    pub fn confirm(
        &self,
        namespace: &Namespace,
        session: &Session,
        id: &LoanId,
        handed_out: &[String],
    ) -> Result<Confirmed, NotesError> {
        self.commit(namespace, session.as_str(), || {
            let mut plan = Plan::nothing(Confirmed::Done);
            if !id.is_nothing() {
                let (text, mut given) = self.read_given(namespace, session)?;
                if given.confirmed.as_ref() == Some(id) {
                    return Ok(plan);
                }
                let Some(lending) = given.loan.take_if(|loan| loan.id == *id) else {
                    return Ok(Plan::nothing(Confirmed::TooLate));
                };
                if !self.deliver(namespace, session, &lending, &mut plan)? {
                    return Ok(Plan::nothing(Confirmed::TooLate));
                }
                self.settle_own(namespace, session, &lending, &mut plan)?;
                if lending.digest {
                    given.digest_at = Some(self.clock.now());
                }
                given.confirmed = Some(lending.id);
                plan.keep_given(session, text.as_ref(), &given);
            }
            let handed = self.remembering_handed(namespace, session, handed_out)?;
            plan.changes.extend(handed.changes);
            plan.expected.extend(handed.expected);
            Ok(plan)
        })
    }

    /// Gives a loan back: what was lent can be lent again at once. One that was confirmed or taken back stays so.
    pub fn give_back(&self, namespace: &Namespace, session: &Session, id: &LoanId) -> Result<(), NotesError> {
        self.commit(namespace, session.as_str(), || {
            let mut plan = Plan::nothing(());
            let (text, mut given) = self.read_given(namespace, session)?;
            let Some(lending) = given.loan.take_if(|loan| loan.id == *id) else { return Ok(plan) };
            if let Some(other) = &lending.handover {
                let key = Key::new(Collection::Delivered, other);
                let before = self.shelf.read(namespace, &key)?;
                let mut delivered = delivery::delivered(other, before.as_ref())?;
                delivered.lent.retain(|lent| lent.to != *session);
                plan.keep_delivered(other, before.as_ref(), &delivered);
            }
            plan.keep_given(session, text.as_ref(), &given);
            Ok(plan)
        })
    }

    /// The notes of another session count as given. False if they are no longer lent to this one.
    fn deliver(
        &self,
        namespace: &Namespace,
        session: &Session,
        lending: &Lending,
        plan: &mut Plan<Confirmed>,
    ) -> Result<bool, NotesError> {
        let Some(other) = &lending.handover else { return Ok(true) };
        let text = self.shelf.read(namespace, &Key::new(Collection::Delivered, other))?;
        let mut delivered = delivery::delivered(other, text.as_ref())?;
        let is_ours = |lent: &delivery::Lent| lent.to == *session && lent.loan == lending.id;
        let Some(at) = delivered.lent.iter().position(is_ours) else { return Ok(false) };
        let lent = delivered.lent.remove(at);
        delivered.items.extend(lent.items);
        plan.keep_delivered(other, text.as_ref(), &delivered);
        Ok(true)
    }

    /// The new notes of the session count as given, and the flag is taken down unless it was raised again.
    fn settle_own(
        &self,
        namespace: &Namespace,
        session: &Session,
        lending: &Lending,
        plan: &mut Plan<Confirmed>,
    ) -> Result<(), NotesError> {
        if let Some(version) = &lending.flag {
            let key = Key::new(Collection::Inject, session);
            let flag = self.shelf.read(namespace, &key)?;
            plan.expected.push((key.clone(), Expected::unchanged(flag.as_ref())));
            if flag.is_some_and(|flag| flag.version == *version) {
                plan.changes.push(Change::Remove { key });
            }
        }
        if lending.new.is_empty() {
            return Ok(());
        }
        let key = Key::new(Collection::NewItems, session);
        let Some(text) = self.shelf.read(namespace, &key)? else { return Ok(()) };
        let listed: Option<Listed> = from_json("list of new notes", session.as_str(), Some(&text))?;
        let mut left = listed.unwrap_or_default();
        left.items.retain(|id| !lending.new.contains(id));
        plan.expected.push((key.clone(), Expected::Version(text.version)));
        plan.changes.push(match left.items.is_empty() {
            true => Change::Remove { key },
            false => Change::Put { key, text: to_json(&left) },
        });
        Ok(())
    }
}
