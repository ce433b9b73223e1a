//! Notes for faces that keep nothing themselves between two requests: loans by their number, and what was handed out.

use serde::Serialize;

use peri_notes::{Confirmed, HandedOut, LoanId};
use peri_types::Namespace;

use super::AgentContext;
use crate::Error;
use crate::engine::{Core, Perihelion};

/// What became of the confirmation of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// What was lent counts as given.
    Confirmed,
    /// The loan was taken back meanwhile, and may be given to somebody else. Whoever has it must not use it.
    TooLate,
}

impl AgentContext {
    /// The number of the loan that has to be confirmed once the agent has the text; none if nothing was lent.
    pub fn loan_number(&self) -> Option<String> {
        self.loan.as_ref().map(ToString::to_string)
    }
}

impl Perihelion {
    /// The same as [`Perihelion::confirm_context`] for who has only the number of the loan, and the texts that the agent
    /// was given. To confirm a loan again changes nothing.
    pub fn confirm_loan(
        &self,
        namespace: &Namespace,
        session: &str,
        loan: &str,
        handed_out: &[String],
    ) -> Result<Confirmation, Error> {
        let session = self.core.session_named(session)?;
        let texts = self.core.fitting(handed_out);
        match self.core.notes()?.confirm(namespace, &session, &numbered(loan), &texts)? {
            Confirmed::Done => Ok(Confirmation::Confirmed),
            Confirmed::TooLate => Ok(Confirmation::TooLate),
        }
    }

    /// The same as [`Perihelion::give_back_context`] for who has only the number of the loan.
    pub fn return_loan(&self, namespace: &Namespace, session: &str, loan: &str) -> Result<(), Error> {
        let session = self.core.session_named(session)?;
        Ok(self.core.notes()?.give_back(namespace, &session, &numbered(loan))?)
    }

    /// Keeps which texts from memory the agent of a session was given, so that they are not learned again when it repeats
    /// them. Nobody waits for that: it is written before anything else is heard of the session, by the thread for notes,
    /// or when the engine closes. Where nothing may be written, nothing is kept: nothing is learned there either.
    pub fn note_handed_out(
        &self,
        namespace: &Namespace,
        session: &str,
        texts: &[String],
    ) -> Result<(), Error> {
        let session = self.core.session_named(session)?;
        let texts = self.core.fitting(texts);
        if texts.is_empty() || self.core.store.is_read_only() {
            return Ok(());
        }
        self.core.scribe.handed_out.lock().entry((namespace.clone(), session)).or_default().extend(texts);
        self.core.nudge_notes();
        Ok(())
    }

    /// What the agent of a session was given from memory, the earliest first, as far back as it is remembered.
    pub fn handed_out(&self, namespace: &Namespace, session: &str) -> Result<Vec<HandedOut>, Error> {
        let session = self.core.session_named(session)?;
        // What was given a moment ago waits to be written, and whoever looks wants to see it.
        if !self.core.store.is_read_only() {
            self.core.keep_handed_out()?;
        }
        Ok(self.core.notes()?.handed_out(namespace, &session)?.entries)
    }
}

impl Core {
    /// Writes down what was handed out since the last time. What cannot be written now is tried again.
    pub(crate) fn keep_handed_out(&self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut *self.scribe.handed_out.lock());
        let mut trouble = None;
        for ((namespace, session), texts) in waiting {
            let kept =
                self.notes().and_then(|notes| Ok(notes.append_turn(&namespace, &session, &[], &texts)?));
            if let Err(error) = kept {
                self.scribe.handed_out.lock().entry((namespace, session)).or_default().extend(texts);
                trouble.get_or_insert(error);
            }
        }
        trouble.map_or(Ok(()), Err)
    }

    /// Texts as the notes can keep them: none that are blank, and no part of one that no memory is long enough for.
    fn fitting(&self, texts: &[String]) -> Vec<String> {
        let bytes_max = self.options.limits.content_bytes_max;
        let fit = |text: &String| -> String {
            let mut end = text.len().min(bytes_max);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text[..end].chars().filter(|c| *c != '\0').collect()
        };
        texts.iter().map(fit).filter(|text| !text.trim().is_empty()).collect()
    }
}

/// A loan by its number. Any text is taken: one that is no loan's number is too late to be confirmed.
fn numbered(loan: &str) -> LoanId {
    match loan.parse() {
        Ok(id) => id,
        Err(never) => match never {},
    }
}
