//! What the tests share.
#![cfg_attr(not(feature = "model"), allow(dead_code, reason = "fewer tests use it"))]

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use peri_companion::{
    By, Companion, Condensed, Condensing, Event, Observed, Observing, Promoting, Promotion, Rules, Settings,
    Stepped, ThinkError, Thinker, When,
};
use peri_notes::{Draft, Item, MemoryShelf, Message, Notes, Priority, Session, Shelf, Speaker};
use peri_types::{Clock, Namespace, Timestamp};

pub const START: &str = "2026-03-10T09:00:00Z";

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub fn clock() -> Clock {
    Clock::manual(at(START))
}

pub fn team() -> Namespace {
    "팀/김민수".parse().unwrap()
}

pub fn session(name: &str) -> Session {
    name.parse().unwrap()
}

pub fn said(role: Speaker, text: &str) -> Message {
    Message::new(role, text, at(START))
}

pub fn user(text: &str) -> Message {
    said(Speaker::User, text)
}

/// A companion with what the tests look at.
pub struct Desk {
    pub companion: Companion,
    pub clock: Clock,
    pub session: Session,
}

impl Desk {
    pub fn new(shelf: Arc<dyn Shelf>, thinker: Arc<dyn Thinker>, settings: Settings) -> Self {
        Self::with_clock(shelf, thinker, settings, clock())
    }

    pub fn with_clock(
        shelf: Arc<dyn Shelf>,
        thinker: Arc<dyn Thinker>,
        settings: Settings,
        clock: Clock,
    ) -> Self {
        let notes = Notes::new(shelf, clock.clone(), peri_tokens::count);
        let companion = Companion::new(notes, thinker, clock.clone(), settings).unwrap();
        Self { companion, clock, session: session("회의 3/10") }
    }

    /// In memory, by rules.
    pub fn ruled(settings: Settings) -> Self {
        Self::new(Arc::new(MemoryShelf::default()), Arc::new(Rules::default()), settings)
    }

    pub fn in_memory(thinker: impl Thinker + 'static, settings: Settings) -> Self {
        Self::new(Arc::new(MemoryShelf::default()), Arc::new(thinker), settings)
    }

    pub fn notes(&self) -> &Notes {
        self.companion.notes()
    }

    pub fn keep(&self, texts: &[&str]) {
        let messages: Vec<Message> = texts.iter().map(|text| user(text)).collect();
        let turned = self.companion.keep(&team(), &self.session, &messages, &[]).unwrap();
        assert_eq!(turned.kept, texts.len());
    }

    pub fn step(&self, when: When) -> Vec<Event> {
        self.companion.step(&team(), &self.session, when).unwrap().events
    }

    pub fn items(&self) -> Vec<Item> {
        let record = self.notes().record(&team(), &self.session).unwrap();
        record.map(|record| record.sheet.items().cloned().collect()).unwrap_or_default()
    }

    pub fn texts(&self) -> Vec<String> {
        self.items().into_iter().map(|item| item.text).collect()
    }

    pub fn pending(&self) -> Vec<String> {
        let batch = self.notes().pending(&team(), &self.session).unwrap();
        batch.entries.into_iter().map(|message| message.text).collect()
    }

    pub fn aside(&self) -> Vec<String> {
        let batch = self.notes().aside(&team(), &self.session).unwrap();
        batch.entries.into_iter().map(|aside| aside.message.text).collect()
    }

    pub fn digest(&self) -> Vec<Item> {
        self.notes().digest(&team()).unwrap().sheet.items().cloned().collect()
    }

    pub fn advance(&self, by: Duration) {
        self.clock.advance(SignedDuration::try_from(by).unwrap());
    }

    /// Adds notes as a person would.
    pub fn note(&self, notes: &[(Priority, &str)]) {
        self.notes()
            .update(&team(), &self.session, |record, now| {
                for (priority, text) in notes {
                    record.sheet.add(Draft::new(*priority, *text), now).unwrap();
                }
            })
            .unwrap();
    }
}

/// Notes every message in its own words, and proposes it.
pub struct Scribe;

impl Thinker for Scribe {
    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        let fresh = given.messages.iter().map(|message| Draft::new(Priority::Medium, message.text.clone()));
        Ok(Observed {
            drafts: given.notes.iter().map(Draft::of).chain(fresh).collect(),
            candidates: Vec::new(),
            replaced: Vec::new(),
            done: Vec::new(),
            by: By::Model("scribe".to_owned()),
        })
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Rules::default().reflect(given)
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        Rules::default().promote(given)
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Rules::default().compact(given)
    }
}

/// An answer that cannot be used.
pub fn unsound() -> ThinkError {
    ThinkError::Unsound { why: "시험".to_owned() }
}

/// Whether something was observed.
pub fn has_observed(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::Observed { .. }))
}

pub fn ok(stepped: Stepped) -> Vec<Event> {
    stepped.events
}
