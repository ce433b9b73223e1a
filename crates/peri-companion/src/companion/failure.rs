//! What becomes of a step that failed.

use jiff::SignedDuration;
use peri_notes::{Batch, Message, NotesError, Session, Trouble};
use peri_types::Timestamp;

use super::{At, Companion, Stepped};
use crate::event::{Event, Step};
use crate::thinker::{Severity, ThinkError};

impl Companion {
    /// Keeps that a step failed, and when it is tried again.
    pub(super) fn fail(
        &self,
        at: At<'_>,
        step: Step,
        error: &ThinkError,
        stepped: &mut Stepped,
    ) -> Result<Trouble, NotesError> {
        tracing::warn!(step = step.name(), %error, "a step of the notes failed; what it was to consider is kept");
        let change = |before: Option<Trouble>, now| self.trouble(before, now, error);
        let trouble = self.notes.note_trouble(at.namespace, at.place, step.name(), change)?;
        stepped.tell(Event::Failed {
            step,
            session: at.session().cloned(),
            error: trouble.error.clone(),
            attempts: trouble.attempts,
            next_at: trouble.next_at,
        });
        Ok(trouble)
    }

    /// The same for messages, which are put aside when they are given up, so that those behind them are observed.
    pub(super) fn fail_to_observe(
        &self,
        at: At<'_>,
        session: &Session,
        batch: &Batch<Message>,
        error: &ThinkError,
        stepped: &mut Stepped,
    ) -> Result<(), NotesError> {
        let trouble = self.fail(at, Step::Observe, error, stepped)?;
        if trouble.next_at.is_none() {
            self.put_aside(at, session, batch, &trouble.error, stepped)?;
        }
        Ok(())
    }

    /// Puts aside messages that were given up.
    pub(super) fn put_aside(
        &self,
        at: At<'_>,
        session: &Session,
        batch: &Batch<Message>,
        error: &str,
        stepped: &mut Stepped,
    ) -> Result<(), NotesError> {
        let why = (Step::Observe.name(), error);
        match self.notes.put_aside(at.namespace, session, batch, why)? {
            peri_notes::Cleared::Done => stepped.tell(Event::SetAside {
                session: session.clone(),
                messages: batch.entries.len(),
                error: error.to_owned(),
            }),
            peri_notes::Cleared::Already => stepped.tell(Event::Elsewhere { step: Step::Observe }),
        }
        Ok(())
    }

    /// What is kept of a failure, given what was kept before.
    fn trouble(&self, before: Option<Trouble>, now: Timestamp, error: &ThinkError) -> Trouble {
        let (attempts, unusable) = before.as_ref().map_or((0, 0), |own| (own.attempts, own.unusable));
        let attempts = attempts.saturating_add(1);
        let unusable = match error.severity() {
            Severity::Passing => unusable,
            Severity::Unclear => unusable.saturating_add(1),
        };
        let is_given_up = unusable >= self.settings.attempts_max;
        let wait = SignedDuration::try_from(self.settings.backoff(attempts)).unwrap_or(SignedDuration::MAX);
        let next_at = now.saturating_add(wait).unwrap_or(Timestamp::MAX);
        Trouble {
            attempts,
            unusable,
            since: before.map_or(now, |own| own.since),
            next_at: (!is_given_up).then_some(next_at),
            error: error.to_string(),
        }
    }
}
