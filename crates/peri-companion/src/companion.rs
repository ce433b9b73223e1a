//! Keeps what was said and does whatever is due.

mod digest;
mod failure;
mod limit;
mod observe;
mod reflect;
mod retry;

use std::sync::Arc;

use peri_notes::{Confirmed, LoanId, Message, Notes, NotesError, Place, Replaced, Session};
use peri_types::{Clock, Namespace};

use crate::event::{Event, Step};
use crate::settings::{Settings, SettingsError};
use crate::sift::{LeftOut, is_speech, whole};
use crate::thinker::Thinker;

/// Goes along with conversations and keeps notes of them.
///
/// Any number of processes may do so for the same notes: what two do at the same time counts once.
#[derive(Clone)]
pub struct Companion {
    notes: Notes,
    thinker: Arc<dyn Thinker>,
    clock: Clock,
    settings: Settings,
}

/// When messages are observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Once there are enough of them, or the last one is old.
    Due,
    /// At once, as at the end of a session or before its agent forgets.
    Now,
}

/// What became of a turn. Whatever became of the steps, its messages are kept.
#[derive(Debug)]
pub struct Turned {
    /// How many messages are kept that were not before.
    pub kept: usize,
    /// How many were kept lately already, whether they still wait or not.
    pub repeated: usize,
    /// What is not kept because no step would read it.
    pub left_out: LeftOut,
    /// How many keys and tokens were taken out of what is kept.
    pub redacted: usize,
    /// What was done then, or why it could not be; it is done by a later step.
    pub stepped: Result<Stepped, NotesError>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stepped {
    /// Everything that happened, in order.
    pub events: Vec<Event>,
}

impl Stepped {
    /// What is no longer so. It is kept with the notes too, until whoever has the memories clears it.
    pub fn replaced(&self) -> impl Iterator<Item = &Replaced> {
        self.events.iter().flat_map(|event| match event {
            Event::Observed { replaced, .. } => replaced.as_slice(),
            _ => &[],
        })
    }

    /// Whether a step failed.
    pub fn has_failed(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Failed { .. } | Event::SetAside { .. }))
    }

    fn tell(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// Where a step is made.
#[derive(Debug, Clone, Copy)]
struct At<'a> {
    namespace: &'a Namespace,
    place: Place<'a>,
}

impl<'a> At<'a> {
    fn session(self) -> Option<&'a Session> {
        match self.place {
            Place::Session(session) => Some(session),
            Place::Digest => None,
        }
    }
}

/// Whether there may be more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Again,
    Done,
}

/// A step that finds more to do as often as this leaves the rest for the next time.
const ROUNDS_MAX: usize = 1000;

impl Companion {
    /// A companion that keeps notes as a thinker decides. Counts tokens itself, as `peri-tokens` does.
    pub fn new(
        notes: Notes,
        thinker: Arc<dyn Thinker>,
        clock: Clock,
        settings: Settings,
    ) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { notes, thinker, clock, settings })
    }

    /// The notes.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Keeps what was said in a turn, and what the agent was given from memory for it, and does whatever is due.
    pub fn turn(
        &self,
        namespace: &Namespace,
        session: &Session,
        messages: &[Message],
        handed_out: &[String],
    ) -> Result<Turned, NotesError> {
        let mut turned = self.keep(namespace, session, messages, handed_out)?;
        turned.stepped = self.step(namespace, session, When::Due);
        Ok(turned)
    }

    /// Only keeps what was said, for callers in a hurry. It is durable when this returns.
    pub fn keep(
        &self,
        namespace: &Namespace,
        session: &Session,
        messages: &[Message],
        handed_out: &[String],
    ) -> Result<Turned, NotesError> {
        let (mut speech, traces): (Vec<Message>, Vec<Message>) =
            messages.iter().cloned().partition(is_speech);
        let mut left_out = LeftOut::default();
        traces.iter().for_each(|message| left_out.add(whole(&message.text)));
        let mut redacted = 0;
        for message in &mut speech {
            let without = peri_text::redact(&message.text);
            redacted += without.found.len();
            message.text = without.text.into_owned();
        }
        let handed_out = without_keys(handed_out);
        let kept = self.notes.append_turn(namespace, session, &speech, &handed_out)?;
        Ok(Turned {
            kept: kept.messages,
            repeated: kept.repeated,
            left_out,
            redacted,
            stepped: Ok(Stepped::default()),
        })
    }

    /// Tells that a session's agent was given a loan, and these texts from memory with it; see [`Notes::confirm`]. Keys
    /// and tokens are taken out of what is kept.
    pub fn confirm(
        &self,
        namespace: &Namespace,
        session: &Session,
        loan: &LoanId,
        handed_out: &[String],
    ) -> Result<Confirmed, NotesError> {
        self.notes.confirm(namespace, session, loan, &without_keys(handed_out))
    }

    /// Does whatever is due for a session and for the digest, in order. May be called again at any time, also after a
    /// crash anywhere.
    pub fn step(&self, namespace: &Namespace, session: &Session, when: When) -> Result<Stepped, NotesError> {
        let mut stepped = Stepped::default();
        self.step_session(namespace, session, when, &mut stepped)?;
        self.step_digest(namespace, &mut stepped)?;
        Ok(stepped)
    }

    /// Does whatever is due for all sessions of a namespace and for its digest. A session whose notes cannot be read
    /// does not keep the others waiting; the first such error is told at the end.
    pub fn step_all(&self, namespace: &Namespace) -> Result<Stepped, NotesError> {
        let mut stepped = Stepped::default();
        let mut error = None;
        let long = self.notes.sizes(namespace)?.into_iter();
        let long = long.filter(|(_, tokens)| *tokens > self.settings.reflect_tokens);
        let mut sessions = self.notes.pending_sessions(namespace)?;
        sessions.extend(long.map(|(session, _)| session));
        sessions.sort();
        sessions.dedup();
        for session in &sessions {
            if let Err(own) = self.step_session(namespace, session, When::Due, &mut stepped) {
                error.get_or_insert(own);
            }
        }
        self.step_digest(namespace, &mut stepped)?;
        error.map_or(Ok(stepped), Err)
    }

    fn step_session(
        &self,
        namespace: &Namespace,
        session: &Session,
        when: When,
        stepped: &mut Stepped,
    ) -> Result<(), NotesError> {
        let at = At { namespace, place: Place::Session(session) };
        rounds(|| self.observe(at, session, when, stepped))?;
        rounds(|| self.reflect(at, session, stepped))
    }

    fn step_digest(&self, namespace: &Namespace, stepped: &mut Stepped) -> Result<(), NotesError> {
        let at = At { namespace, place: Place::Digest };
        rounds(|| self.promote(at, stepped))?;
        rounds(|| self.compact(at, stepped))
    }

    /// Whether a step failed before and has to wait, or was given up.
    fn is_held(&self, at: At<'_>, step: Step, stepped: &mut Stepped) -> Result<bool, NotesError> {
        let Some(trouble) = self.notes.troubles(at.namespace, at.place)?.remove(step.name()) else {
            return Ok(false);
        };
        let is_over = trouble.next_at.is_some_and(|next_at| next_at <= self.clock.now());
        if !is_over {
            let (error, next_at) = (trouble.error, trouble.next_at);
            stepped.tell(Event::Held { step, session: at.session().cloned(), error, next_at });
        }
        Ok(!is_over)
    }
}

/// Texts without keys and tokens.
fn without_keys(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| peri_text::redact(text).text.into_owned()).collect()
}

fn rounds(mut round: impl FnMut() -> Result<Next, NotesError>) -> Result<(), NotesError> {
    for _ in 0..ROUNDS_MAX {
        if round()? == Next::Done {
            break;
        }
    }
    Ok(())
}
