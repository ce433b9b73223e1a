//! Messages become notes.

use peri_notes::{
    Batch, Item, ItemId, Message, NotesError, Record, Revised, Reviser, Revision, Session, Trouble,
};

use super::{At, Companion, Next, Stepped, When};
use crate::event::{Event, Step};
use crate::sift::{Sifted, sift};
use crate::thinker::{By, Observed, Observing};

impl Companion {
    /// Observes the first messages that wait, as many as are observed at once.
    pub(super) fn observe(
        &self,
        at: At<'_>,
        session: &Session,
        when: When,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let waiting = self.notes.pending(at.namespace, session)?.entries;
        if waiting.is_empty() {
            return Ok(Next::Done);
        }
        let tokens = sift(&waiting, self.settings.message_tokens_max).weight();
        let is_due =
            when == When::Now || tokens >= self.settings.observe_tokens_min || self.are_old(&waiting);
        if !is_due {
            let of_tokens = self.settings.observe_tokens_min;
            stepped.tell(Event::Waits { session: session.clone(), tokens, of_tokens });
            return Ok(Next::Done);
        }
        let trouble = self.notes.troubles(at.namespace, at.place)?.remove(Step::Observe.name());
        let batch = self.first(at, session, trouble.as_ref())?;
        // Whoever gave it up was broken off before it was put aside.
        if let Some(given_up) = trouble.filter(|trouble| trouble.next_at.is_none()) {
            self.put_aside(at, session, &batch, &given_up.error, stepped)?;
            return Ok(Next::Again);
        }
        if self.is_held(at, Step::Observe, stepped)? {
            return Ok(Next::Done);
        }
        self.observe_batch(at, session, &batch, stepped)
    }

    fn observe_batch(
        &self,
        at: At<'_>,
        session: &Session,
        batch: &Batch<Message>,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let base = self.items(at, session)?;
        let handed_out = self.notes.handed_out(at.namespace, session)?.entries;
        let handed_out: Vec<String> = handed_out.into_iter().map(|own| own.text).collect();
        let sifted = sift(&batch.entries, self.settings.message_tokens_max);
        let given = Observing {
            notes: &base,
            messages: &sifted.messages,
            handed_out: &handed_out,
            now: self.clock.now(),
        };
        let thought = if sifted.messages.is_empty() { Ok(nothing()) } else { self.thinker.observe(&given) };
        match thought {
            Ok(observed) => {
                self.save(at, session, Watched { batch, sifted: &sifted, base }, observed, stepped)
            }
            Err(error) => {
                self.fail_to_observe(at, session, batch, &error, stepped)?;
                Ok(Next::Done)
            }
        }
    }

    /// Saves what was observed, all at once.
    fn save(
        &self,
        at: At<'_>,
        session: &Session,
        watched: Watched<'_>,
        observed: Observed,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let revision = Revision {
            by: Reviser::Observer,
            base: watched.base.clone(),
            drafts: observed.drafts.clone(),
            candidates: observed.candidates.clone(),
            observed: Some(watched.batch.mark.clone()),
            replaced: observed.replaced.clone(),
            reflections: None,
            step: Some(Step::Observe.name()),
        };
        match self.notes.revise(at.namespace, session, &revision)? {
            Revised::Saved(record) => stepped.tell(watched.told(session, &record, observed)),
            Revised::AlreadyObserved | Revised::AlreadyCondensed => {
                stepped.tell(Event::Elsewhere { step: Step::Observe });
            }
        }
        Ok(Next::Again)
    }

    /// The first messages that wait, as many as are observed at once, and one at least. Each time that nothing came of
    /// it these are half as many, so that a message with which it cannot be done takes few others with it.
    fn first(
        &self,
        at: At<'_>,
        session: &Session,
        trouble: Option<&Trouble>,
    ) -> Result<Batch<Message>, NotesError> {
        let halvings = trouble.map_or(0, |trouble| trouble.unusable.min(31));
        let mut left = self.settings.observe_tokens_max >> halvings;
        let mut is_first = true;
        self.notes.first_pending(at.namespace, session, |message| {
            let weight = sift(std::slice::from_ref(message), self.settings.message_tokens_max).weight();
            let fits = is_first || weight <= left;
            left = left.saturating_sub(weight);
            is_first = false;
            fits
        })
    }

    /// The notes of a session.
    pub(super) fn items(&self, at: At<'_>, session: &Session) -> Result<Vec<Item>, NotesError> {
        let record = self.notes.record(at.namespace, session)?;
        Ok(record.map(|record| record.sheet.items().cloned().collect()).unwrap_or_default())
    }

    /// Whether the last message is so old that no other may come.
    fn are_old(&self, waiting: &[Message]) -> bool {
        let latest = waiting.iter().map(|message| message.at).max();
        let age = latest.map(|latest| self.clock.now().duration_since(latest));
        age.and_then(|age| std::time::Duration::try_from(age).ok())
            .is_some_and(|age| age >= self.settings.idle)
    }
}

/// What was observed, and from which notes.
struct Watched<'a> {
    batch: &'a Batch<Message>,
    sifted: &'a Sifted,
    base: Vec<Item>,
}

impl Watched<'_> {
    fn told(self, session: &Session, record: &Record, observed: Observed) -> Event {
        let before = |id: ItemId| self.base.iter().find(|item| item.id == id);
        let says_other = |old: &Item, new: &Item| old.text != new.text || old.priority != new.priority;
        let items = || record.sheet.items();
        let changed = items().filter(|item| before(item.id).is_some_and(|old| says_other(old, item)));
        Event::Observed {
            session: session.clone(),
            messages: self.batch.entries.len(),
            tokens: self.sifted.weight(),
            left_out: self.sifted.left_out,
            new: items().map(|item| item.id).filter(|id| before(*id).is_none()).collect(),
            changed: changed.map(|item| item.id).collect(),
            done: observed.done,
            replaced: observed.replaced,
            candidates: observed.candidates.len(),
            by: observed.by,
        }
    }
}

/// What is observed in messages of which nothing is read.
fn nothing() -> Observed {
    Observed {
        drafts: Vec::new(),
        candidates: Vec::new(),
        replaced: Vec::new(),
        done: Vec::new(),
        by: By::Rules,
    }
}
