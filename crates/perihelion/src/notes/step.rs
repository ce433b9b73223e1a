//! The steps of the notes: observe, reflect, promote, compact, and telling the memories.

use peri_companion::{Event, Stepped, When};
use peri_notes::Session;
use peri_store::{Told, Write};
use peri_types::{Happening, Namespace};

use crate::Error;
use crate::chores::{Afterwards, Turn};
use crate::engine::Perihelion;

/// Held by whoever makes the notes of a namespace, so that a model is not asked twice.
const NOTES_LEASE: &str = "notes";

impl Perihelion {
    /// Makes notes of what waits in a session, at once, and does whatever is due then. Doing so again changes nothing.
    pub fn observe(&self, namespace: &Namespace, session: &str) -> Result<Vec<Event>, Error> {
        let session = self.core.session_named(session)?;
        Ok(self.step_session(namespace, &session, When::Now)?.events)
    }

    /// Does whatever is due for the notes of all sessions of a namespace. What failed before and waits for its time stays.
    pub fn observe_due(&self, namespace: &Namespace) -> Result<Vec<Event>, Error> {
        self.core.keep_handed_out()?;
        let companion = self.core.companion()?;
        let stepped = companion.step_all(namespace);
        self.after_steps(namespace, None, stepped)
    }

    /// Lets what was given up in a session be tried again.
    pub fn retry_notes(&self, namespace: &Namespace, session: &str) -> Result<Vec<Event>, Error> {
        let session = self.core.session_named(session)?;
        self.core.companion()?.retry(namespace, &session)?;
        Ok(self.step_session(namespace, &session, When::Now)?.events)
    }
}

impl Perihelion {
    /// Does whatever is due for a session, and tells the memories of it.
    pub(super) fn step_session(
        &self,
        namespace: &Namespace,
        session: &Session,
        when: When,
    ) -> Result<Stepped, Error> {
        self.core.keep_handed_out()?;
        let stepped = self.core.companion()?.step(namespace, session, when);
        let events = self.after_steps(namespace, Some(session), stepped)?;
        Ok(Stepped { events })
    }

    /// Does whatever is due everywhere, unless another process is at it.
    pub(crate) fn step_everywhere(&self, go_on: &dyn Fn() -> bool) -> Result<(), Error> {
        self.core.keep_handed_out()?;
        let companion = self.core.companion()?;
        let namespaces = companion.notes().namespaces()?;
        if namespaces.is_empty() {
            return Ok(());
        }
        let turn = self.core.in_turn(NOTES_LEASE, Afterwards::GivenBack, go_on, |go_on| {
            let mut trouble = None;
            for namespace in namespaces.iter().take_while(|_| go_on()) {
                let stepped = companion.step_all(namespace);
                // The notes of one namespace do not keep the others waiting.
                if let Err(error) = self.after_steps(namespace, None, stepped) {
                    trouble.get_or_insert(error);
                }
            }
            trouble.map_or(Ok(()), Err)
        })?;
        if let Turn::Elsewhere(_) = turn {
            tracing::debug!("another process makes the notes");
        }
        Ok(())
    }

    /// What follows from steps: events, and memories of what was noted. What of it fails is made up for after the next
    /// step, since the notes know what the memories were told.
    fn after_steps(
        &self,
        namespace: &Namespace,
        session: Option<&Session>,
        stepped: Result<Stepped, peri_notes::NotesError>,
    ) -> Result<Vec<Event>, Error> {
        let told = self.tell_memories(namespace, session);
        let events = stepped?.events;
        self.publish_steps(namespace, &events);
        if let Err(error) = told {
            tracing::warn!(%error, "what was noted is not among the memories yet");
            self.core.note_failure("notes", &crate::failures::with_causes(&error));
        }
        Ok(events)
    }

    /// Tells subscribers and the audit log what was done. Trouble with that harms nobody.
    fn publish_steps(&self, namespace: &Namespace, events: &[Event]) {
        let at = self.core.now();
        let told: Vec<Write> = events
            .iter()
            .filter_map(happening)
            .map(|what| Write::Tell(Told { namespace: Some(namespace.clone()), at, what }))
            .collect();
        for event in events {
            if let Event::Failed { step, error, .. } = event {
                self.core.note_failure("notes", &format!("{}: {error}", step.name()));
            }
        }
        if told.is_empty() || self.core.store.is_read_only() {
            return;
        }
        match self.core.store.write(told) {
            Ok(_) => self.core.publish(),
            Err(error) => tracing::warn!(%error, "the audit log lacks what was noted"),
        }
    }
}

/// What an event of the notes is in the audit log.
fn happening(event: &Event) -> Option<Happening> {
    match event {
        Event::Observed { session, .. } => Some(Happening::Observed { session: session.to_string() }),
        Event::Reflected { session, .. } => Some(Happening::Reflected { session: session.to_string() }),
        Event::Promoted { promoted, .. } => Some(Happening::Promoted { candidates: *promoted as u64 }),
        Event::Compacted { tokens_after, .. } => Some(Happening::Compacted { tokens: *tokens_after as u64 }),
        _ => None,
    }
}
