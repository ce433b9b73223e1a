//! What the agent of a session was given, is being given, and has to be given again.

use std::collections::BTreeSet;

use peri_types::{Namespace, Timestamp};
use serde::{Deserialize, Serialize};

use super::{LoanId, Notes, Plan};
use crate::item::ItemId;
use crate::record::{from_json, to_json};
use crate::shelf::{Change, Collection, Expected, Key, Text, Version};
use crate::{NotesError, Session};

/// So many occasions are remembered; of more, the oldest are forgotten.
const OCCASIONS_MAX: usize = 100;

/// Whether something is asked for the first time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// It is, and was done.
    First,
    /// The same occasion asked before. Nothing was done.
    Again,
}

/// The document of a session about what its agent was given.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Given {
    /// Whose session it is, if somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) user: Option<String>,
    /// When it began or last lost its context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) began_at: Option<Timestamp>,
    /// When it was given the digest since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) digest_at: Option<Timestamp>,
    /// On which occasions it began, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) began_on: Vec<String>,
    /// On which occasions its notes were asked for, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) raised_on: Vec<String>,
    /// How many loans there were.
    #[serde(default)]
    pub(super) loans: u64,
    /// The loan that is neither confirmed nor given back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) loan: Option<Lending>,
    /// The loan that was confirmed last, so that whoever confirms it again is told the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) confirmed: Option<LoanId>,
}

/// What is lent to a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lending {
    pub(super) id: LoanId,
    /// Whether the digest is part of it.
    #[serde(default)]
    pub(super) digest: bool,
    /// Which flag asked for the session's notes, if they are part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) flag: Option<Version>,
    /// The new notes of the session.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) new: BTreeSet<ItemId>,
    /// The other session whose notes are part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) handover: Option<Session>,
}

/// What the flag says: when it was raised, and why.
#[derive(Serialize)]
struct Raised<'a> {
    at: Timestamp,
    occasion: &'a str,
}

impl Notes {
    /// A session began, or its agent lost its context: the digest may be given again, and what is lent to it counts as
    /// not given. The same occasion, which is any id of the call that tells, does so once.
    pub fn begin(
        &self,
        namespace: &Namespace,
        session: &Session,
        user: Option<&str>,
        occasion: &str,
    ) -> Result<Asked, NotesError> {
        self.commit(namespace, session.as_str(), || {
            let (text, mut given) = self.read_given(namespace, session)?;
            if !remember(&mut given.began_on, occasion) {
                return Ok(Plan::nothing(Asked::Again));
            }
            let mut plan = Plan::nothing(Asked::First);
            if let Some(user) = user {
                given.user = Some(user.to_owned());
                let named = self.naming(namespace, session, user)?;
                plan.changes.extend(named.changes);
                plan.expected.extend(named.expected);
            }
            (given.began_at, given.digest_at, given.loan) = (Some(self.clock.now()), None, None);
            plan.keep_given(session, text.as_ref(), &given);
            Ok(plan)
        })
    }

    /// Asks for a session's notes to be given to the agent at its next request. The same occasion, which is any id of
    /// the call that asks, does so once, also if they were given in between.
    pub fn raise_inject_flag(
        &self,
        namespace: &Namespace,
        session: &Session,
        occasion: &str,
    ) -> Result<Asked, NotesError> {
        let key = Key::new(Collection::Inject, session);
        self.commit(namespace, session.as_str(), || {
            let (text, mut given) = self.read_given(namespace, session)?;
            if !remember(&mut given.raised_on, occasion) {
                return Ok(Plan::nothing(Asked::Again));
            }
            let mut plan = Plan::nothing(Asked::First);
            let raised = to_json(&Raised { at: self.clock.now(), occasion });
            plan.changes.push(Change::Put { key: key.clone(), text: raised });
            plan.keep_given(session, text.as_ref(), &given);
            Ok(plan)
        })
    }

    /// When a session began or last lost its context; none if nobody told.
    pub fn began_at(
        &self,
        namespace: &Namespace,
        session: &Session,
    ) -> Result<Option<Timestamp>, NotesError> {
        Ok(self.read_given(namespace, session)?.1.began_at)
    }

    pub(super) fn read_given(
        &self,
        namespace: &Namespace,
        session: &Session,
    ) -> Result<(Option<Text>, Given), NotesError> {
        let text = self.shelf.read(namespace, &Key::new(Collection::Given, session))?;
        let given = from_json("list of what the agent was given", session.as_str(), text.as_ref())?;
        Ok((text, given.unwrap_or_default()))
    }
}

impl<T> Plan<T> {
    /// Keeps what the agent of a session was given, in the place of what was read.
    pub(super) fn keep_given(&mut self, session: &Session, before: Option<&Text>, given: &Given) {
        let key = Key::new(Collection::Given, session);
        self.expected.push((key.clone(), Expected::unchanged(before)));
        self.changes.push(Change::Put { key, text: to_json(given) });
    }
}

/// Remembers an occasion. False if it is remembered already.
fn remember(occasions: &mut Vec<String>, occasion: &str) -> bool {
    if occasions.iter().any(|own| own == occasion) {
        return false;
    }
    occasions.push(occasion.to_owned());
    let surplus = occasions.len().saturating_sub(OCCASIONS_MAX);
    occasions.drain(..surplus);
    true
}
