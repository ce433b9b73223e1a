//! Notes that are proposed for the digest, of all sessions of a namespace.

use peri_types::Namespace;

use super::{Batch, Cleared, Notes, Plan};
use crate::shelf::{Collection, Key, Mark};
use crate::{Candidate, NotesError, Session};

/// The candidates of one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCandidates {
    /// Of which session.
    pub session: Session,
    /// What is proposed, the oldest first.
    pub candidates: Vec<Candidate>,
    pub(super) mark: Mark,
}

/// The candidates of all sessions of a namespace at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllCandidates {
    /// By session.
    pub sessions: Vec<SessionCandidates>,
    /// How many tokens they have together.
    pub tokens: usize,
}

impl AllCandidates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.sessions.iter().map(|own| own.candidates.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Notes {
    /// Proposes notes of a session for the digest.
    pub fn append_candidates(
        &self,
        namespace: &Namespace,
        session: &Session,
        candidates: &[Candidate],
    ) -> Result<(), NotesError> {
        self.append(namespace, Key::new(Collection::Candidates, session), candidates)
    }

    /// What a session proposes.
    pub fn candidates(
        &self,
        namespace: &Namespace,
        session: &Session,
    ) -> Result<Batch<Candidate>, NotesError> {
        self.batch(namespace, &Key::new(Collection::Candidates, session))
    }

    /// What all sessions of a namespace propose, and how many tokens that is.
    pub fn all_candidates(&self, namespace: &Namespace) -> Result<AllCandidates, NotesError> {
        let mut all = AllCandidates::default();
        for key in self.shelf.list(namespace, Collection::Candidates)? {
            let Batch { entries, mark, .. } = self.batch::<Candidate>(namespace, &key)?;
            if !entries.is_empty() {
                all.tokens +=
                    entries.iter().map(|candidate| self.tokens.count(&candidate.text)).sum::<usize>();
                all.sessions.push(SessionCandidates {
                    session: key.session().clone(),
                    candidates: entries,
                    mark,
                });
            }
        }
        Ok(all)
    }

    /// The first candidates of all sessions for as long as they are wanted, to consider no more than these.
    pub fn first_candidates(
        &self,
        namespace: &Namespace,
        mut wanted: impl FnMut(&Candidate) -> bool,
    ) -> Result<AllCandidates, NotesError> {
        let mut all = AllCandidates::default();
        for key in self.shelf.list(namespace, Collection::Candidates)? {
            let Batch { entries, mark, .. } = self.first::<Candidate>(namespace, &key, &mut wanted)?;
            if !entries.is_empty() {
                let tokens = entries.iter().map(|candidate| self.tokens.count(&candidate.text));
                all.tokens += tokens.sum::<usize>();
                let session = key.session().clone();
                all.sessions.push(SessionCandidates { session, candidates: entries, mark });
            }
        }
        Ok(all)
    }

    /// Removes the candidates that were considered, all at once, and none that came meanwhile. If any of them is gone
    /// already, nothing is done: somebody else has considered it.
    pub fn clear_candidates(
        &self,
        namespace: &Namespace,
        considered: &AllCandidates,
    ) -> Result<Cleared, NotesError> {
        self.commit(namespace, "all candidates", || {
            let mut plan = Plan::nothing(Cleared::Done);
            if !self.consider(namespace, considered, &mut plan)? {
                return Ok(Plan::nothing(Cleared::Already));
            }
            Ok(plan)
        })
    }

    /// Adds to a plan what removes candidates that were considered. False if any of them is gone.
    pub(super) fn consider<T>(
        &self,
        namespace: &Namespace,
        considered: &AllCandidates,
        plan: &mut Plan<T>,
    ) -> Result<bool, NotesError> {
        for own in &considered.sessions {
            let key = Key::new(Collection::Candidates, &own.session);
            let Some((changes, expected)) = self.clearing::<Candidate>(namespace, &key, &own.mark)? else {
                return Ok(false);
            };
            plan.changes.extend(changes);
            plan.expected.push(expected);
        }
        Ok(true)
    }
}
