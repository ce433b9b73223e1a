//! The events of some days, each once, from wherever they are; and how far they can be trusted to be all.

use std::collections::BTreeMap;

use peri_types::{Event, EventKind, Scope, Timestamp};

use crate::Error;
use crate::engine::Core;
use crate::events::LogQuery;

/// Events are read from the store so many at a time.
const PAGE: usize = 2000;

/// Among so many of the earliest events, one is looked for whose time says since when all are known.
const EARLIEST: usize = 2000;

/// From one moment up to another, which is no longer part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Timestamp,
    pub(crate) until: Timestamp,
}

/// Which events are gathered, besides when and where they happened.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Of these kinds.
    pub(crate) kinds: Vec<EventKind>,
    /// Those alone whose line in the log holds one of these texts; all if there are none.
    pub(crate) texts: Vec<String>,
}

impl Wanted {
    fn takes(&self, event: &Event) -> bool {
        let holds = || {
            let line = serde_json::to_string(event).unwrap_or_default();
            self.texts.iter().any(|text| line.contains(text.as_str()))
        };
        self.kinds.contains(&event.what.kind()) && (self.texts.is_empty() || holds())
    }
}

/// The events of a span, and what is known of how complete they are.
pub(crate) struct Gathered {
    /// By their numbers.
    pub(crate) events: Vec<Event>,
    /// The earliest event that is known, whenever that was.
    pub(super) first_at: Option<Timestamp>,
    reach: Reach,
    troubles: Vec<String>,
    pub(super) waiting: u64,
    pub(super) lost: u64,
}

/// Since when every event is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Since the first one.
    Always,
    /// Since this time.
    Since(Timestamp),
    /// Nobody can tell.
    Unknown,
}

impl Span {
    pub(crate) fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }
}

impl Gathered {
    /// Whether every event of a span is here, and what to say if not.
    pub(crate) fn trust(&self, span: &Span) -> (bool, Vec<String>) {
        let mut notes = Vec::new();
        match self.reach {
            Reach::Always => {}
            Reach::Since(at) if at <= span.from => {}
            Reach::Since(at) => notes.push(format!(
                "Events before {at} are no longer in the audit log: what happened before that is not counted."
            )),
            Reach::Unknown => notes.push(
                "The audit log no longer goes back to its beginning: earlier events may be missing here."
                    .to_owned(),
            ),
        }
        if self.lost > 0 {
            notes.push(format!(
                "{} events were lost since the store was made, because the audit log could not be written: if it was \
                 in these days, more happened than is counted.",
                self.lost
            ));
        }
        notes.extend(self.troubles.iter().cloned());
        (notes.is_empty(), notes)
    }
}

impl Core {
    /// Every wanted event of a span and a scope that is in the log or in the store.
    pub(crate) fn gather(&self, span: &Span, scope: &Scope, wanted: &Wanted) -> Result<Gathered, Error> {
        if !self.store.is_read_only() {
            self.usage.flush(&*self.store)?;
            self.refusals.flush(&*self.store, self.now())?;
            self.failures.flush(&*self.store, self.now())?;
        }
        self.flush_events();
        let mut troubles: Vec<String> = Vec::new();
        let logged = self.read_log(span, scope, wanted).unwrap_or_else(|error| {
            troubles.push(format!(
                "The audit log cannot be read, so only what the store still has is counted: {error}"
            ));
            Logged::default()
        });
        if logged.skipped_lines > 0 {
            let lines = logged.skipped_lines;
            troubles.push(format!("{lines} lines of the audit log cannot be read and are not counted."));
        }
        let mut events: BTreeMap<u64, Event> =
            logged.events.into_iter().map(|event| (event.number, event)).collect();
        let mut kept = Kept::default();
        self.read_store(&mut kept, &mut |event| {
            if span.holds(event.at) && within(scope, &event) && wanted.takes(&event) {
                events.entry(event.number).or_insert(event);
            }
        })?;
        let known = Known { logged: logged.earliest, last_logged: logged.last, kept: kept.earliest };
        Ok(Gathered {
            events: events.into_values().collect(),
            first_at: known.earliest().map(|event| event.at),
            reach: known.reach(kept.any),
            troubles,
            waiting: kept.waiting,
            lost: kept.lost,
        })
    }

    fn read_log(&self, span: &Span, scope: &Scope, wanted: &Wanted) -> std::io::Result<Logged> {
        let (since, until) = (Some(span.from), Some(span.until));
        let (kinds, scope) = (wanted.kinds.clone(), scope.clone());
        let query = LogQuery { limit: usize::MAX, kinds, since, until, scope, after_number: None };
        let page = self.audit.log.read_holding(&query, &wanted.texts)?;
        Ok(Logged {
            events: page.events,
            skipped_lines: page.skipped_lines,
            earliest: self.audit.log.earliest(EARLIEST)?,
            last: self.audit.log.last_number()?,
        })
    }

    fn read_store(&self, kept: &mut Kept, take: &mut dyn FnMut(Event)) -> Result<(), Error> {
        let mut after = 0;
        loop {
            let page = self.store.events(after, PAGE)?;
            (kept.waiting, kept.lost) = (page.waiting, page.lost);
            kept.any |= page.shipped > 0 || !page.events.is_empty();
            if after == 0 {
                kept.earliest = page.events.clone();
            }
            let Some(last) = page.events.last() else { return Ok(()) };
            after = last.number;
            page.events.into_iter().for_each(&mut *take);
        }
    }
}

#[derive(Default)]
struct Logged {
    events: Vec<Event>,
    skipped_lines: u64,
    earliest: Vec<Event>,
    last: Option<u64>,
}

#[derive(Default)]
struct Kept {
    earliest: Vec<Event>,
    waiting: u64,
    lost: u64,
    /// Whether there ever was an event.
    any: bool,
}

/// The earliest events of the log and of the store.
struct Known {
    logged: Vec<Event>,
    last_logged: Option<u64>,
    kept: Vec<Event>,
}

impl Known {
    fn earliest(&self) -> Option<&Event> {
        self.logged.first().into_iter().chain(self.kept.first()).min_by_key(|event| event.number)
    }

    /// Since when there is no event that is neither in the log nor in the store. Where the two do not meet, only what
    /// the store has is without a hole.
    fn reach(&self, any: bool) -> Reach {
        let meets = match (self.last_logged, self.kept.first()) {
            (Some(last), Some(kept)) => kept.number <= last.saturating_add(1),
            (Some(_), None) => true,
            (None, _) => false,
        };
        let earliest = if meets { &self.logged } else { &self.kept };
        match earliest.first() {
            Some(first) if first.number <= 1 => Reach::Always,
            Some(_) => match earliest.iter().find(|event| is_told_at_once(event.what.kind())) {
                Some(event) => Reach::Since(event.at),
                None => Reach::Unknown,
            },
            None if any => Reach::Unknown,
            None => Reach::Always,
        }
    }
}

/// Whether an event of this kind is written at the time it tells, so that all before it in the log happened before
/// it. Recalls, failures and what time brings about are written later.
fn is_told_at_once(kind: EventKind) -> bool {
    use EventKind::{
        Consolidated, FeedbackGiven, Forgotten, Imported, Purged, Repeated, Restored, Revised, SessionEnded,
        SessionStarted, Stored, Superseded,
    };
    matches!(
        kind,
        Stored
            | Repeated
            | Revised
            | Forgotten
            | Restored
            | Purged
            | Imported
            | Consolidated
            | Superseded
            | FeedbackGiven
            | SessionStarted
            | SessionEnded
    )
}

fn within(scope: &Scope, event: &Event) -> bool {
    event.namespace.as_ref().map_or(*scope == Scope::All, |namespace| scope.contains(namespace))
}
