//! A sample to explore: what an invented team and its agent remembered over the last two months.
//!
//! The story lies in files beside this one. It is told by an engine of its own on the same store, whose clock stands in
//! the past: every memory, edge, session, note and pattern comes about by the calls and rules of real ones, and every
//! move between zones is told by the events of the time. All of it is in one namespace. What came with it is noted, and
//! removed by that note: what others left there stays.

mod brought;
mod deed;
mod story;
mod teller;

use std::sync::Arc;

use peri_store::{
    JournalQuery, LearningStats, ListQuery, Revision, StoreError, Trashed, TurnQuery, Write, Written,
};
use peri_types::{Clock, Filter, Namespace, Scope};
use serde::Serialize;

use self::brought::Parted;
use self::story::{Step, story};
use self::teller::Teller;
use crate::chores::{Afterwards, Turn};
use crate::engine::{Core, Perihelion};
use crate::queue::{QueueSettings, Queueing};
use crate::{
    Chores, Deletion, Error, ErrorKind, EventSettings, NotesSettings, Options, ThinkerChoice, TurnsKept,
};

/// The tag of the first memory of the sample, which tells it from what somebody else keeps under the same name.
const MARK: &str = "perihelion-sample";

/// Held by the process that loads or removes the sample.
const LEASE: &str = "sample";

/// Whether the sample is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleStatus {
    /// Where it is, or would be.
    pub namespace: Namespace,
    /// Whether it is there, wholly or in part.
    pub loaded: bool,
    /// How many memories its namespace has.
    pub memories: u64,
    /// How many memories there did not come with it, those in the trash included. They stay when it is removed.
    pub own: u64,
}

/// What the sample holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleLoaded {
    /// Where it is.
    pub namespace: Namespace,
    /// How many memories.
    pub memories: u64,
    /// How many edges between them.
    pub edges: u64,
    /// How many sessions.
    pub sessions: u64,
    /// How many tasks that were recorded.
    pub trajectories: u64,
    /// How many patterns that were drawn from them and are in use.
    pub patterns: u64,
}

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleRemoved {
    /// Where it was.
    pub namespace: Namespace,
    /// How many memories, those in the trash included.
    pub memories: u64,
    /// How many memories are still there, because they did not come with it or were revised since.
    pub kept: u64,
}

/// Why the sample was neither loaded nor removed. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// It is there. Remove it first.
    #[error("the sample is loaded already, in the namespace {}", Perihelion::SAMPLE)]
    Loaded,
    /// Somebody keeps something else there, which must not be mixed with it, and not be removed as if it were it.
    #[error("the namespace {} holds what did not come with the sample", Perihelion::SAMPLE)]
    Occupied,
    /// It is not there. Load it first.
    #[error("the sample is not loaded")]
    NotLoaded,
    /// It is being loaded or removed. Try again in a moment.
    #[error("somebody is loading or removing the sample")]
    Busy,
}

impl SampleError {
    pub(crate) fn kind(self) -> ErrorKind {
        match self {
            Self::Loaded | Self::Occupied => ErrorKind::Conflict,
            Self::NotLoaded => ErrorKind::NotFound,
            Self::Busy => ErrorKind::Busy,
        }
    }

    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::Loaded => "nothing was changed; if it was broken off midway, remove it and load it again",
            Self::Occupied => "nothing was changed; `peri namespace move` makes room without losing anything",
            Self::NotLoaded => "`peri sample load` loads it",
            Self::Busy => "nothing was changed; try again in a moment",
        }
    }
}

impl Perihelion {
    /// The namespace of the sample.
    pub const SAMPLE: &str = "sample";

    /// Whether the sample is loaded.
    pub fn sample_status(&self) -> Result<SampleStatus, Error> {
        let namespace = namespace()?;
        let loaded = self.core.has_sample(&namespace)?;
        let memories = if loaded { self.core.held(&namespace)?.0 } else { 0 };
        let own = if loaded { self.core.part(&namespace)?.own } else { 0 };
        Ok(SampleStatus { namespace, loaded, memories, own })
    }

    /// Loads the sample. Whoever is broken off leaves a part of it, which can be removed.
    pub fn load_sample(&self) -> Result<SampleLoaded, Error> {
        let (core, namespace) = (&self.core, namespace()?);
        let turn = core.in_turn(LEASE, Afterwards::GivenBack, &|| true, |_| {
            core.check_room(&namespace)?;
            core.tell_sample(&namespace)
        })?;
        if turn != Turn::Done {
            return Err(SampleError::Busy.into());
        }
        self.reorbit(&Scope::Exact(namespace.clone()))?;
        core.note_brought(&namespace)?;
        core.sample_of(namespace)
    }

    /// Removes the sample for good: exactly what came with it. What somebody else left in its namespace, or revised, stays.
    pub fn remove_sample(&self) -> Result<SampleRemoved, Error> {
        let (core, namespace) = (&self.core, namespace()?);
        let (mut memories, mut kept) = (0, 0);
        let turn = core.in_turn(LEASE, Afterwards::GivenBack, &|| true, |_| {
            if !core.has_sample(&namespace)? {
                let occupied = core.check_room(&namespace).is_err();
                return Err(if occupied { SampleError::Occupied } else { SampleError::NotLoaded }.into());
            }
            // What was used a moment ago must not be written down after it is gone.
            core.usage.flush(&*core.store)?;
            core.keep_handed_out()?;
            let parted = core.part(&namespace)?;
            kept = parted.own;
            memories = match parted {
                Parted { own: 0, others_left_more: false, .. } => {
                    self.delete_namespace(&namespace, Deletion::Purge)?
                }
                parted => core.remove_brought(&namespace, parted)?,
            };
            Ok(())
        })?;
        if turn == Turn::Done {
            Ok(SampleRemoved { namespace, memories, kept })
        } else {
            Err(SampleError::Busy.into())
        }
    }
}

/// The memories of a namespace that tell that the sample is there.
fn marked(namespace: &Namespace, trashed: Trashed) -> ListQuery {
    let filter = Filter { tags: vec![MARK.to_owned()], ..Filter::default() };
    let scope = Scope::Exact(namespace.clone());
    ListQuery { scope, filter, trashed, limit: 1, ..ListQuery::default() }
}

/// Patterns that are in use.
fn patterns(stats: &LearningStats) -> u64 {
    stats.short_term + stats.long_term
}

fn namespace() -> Result<Namespace, Error> {
    Ok(Perihelion::SAMPLE.parse()?)
}

impl Core {
    /// Whether the namespace holds the sample, or a part of it.
    fn has_sample(&self, namespace: &Namespace) -> Result<bool, Error> {
        for trashed in [Trashed::Without, Trashed::Only] {
            if !self.store.list(&marked(namespace, trashed))?.memories.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Refuses where something is already.
    fn check_room(&self, namespace: &Namespace) -> Result<(), Error> {
        if self.has_sample(namespace)? {
            return Err(SampleError::Loaded.into());
        }
        let scope = || Scope::Exact(namespace.clone());
        let (memories, trashed) = self.held(namespace)?;
        let entries = JournalQuery { scope: scope(), limit: 1, ..JournalQuery::default() };
        let turns = TurnQuery { scope: scope(), limit: 1, ..TurnQuery::default() };
        let learned = self.store.learning_stats(&scope())?;
        let is_free = memories + trashed == 0
            && self.store.sessions(&scope(), 1)?.is_empty()
            && self.store.journal(&entries)?.entries.is_empty()
            && self.store.turns(&turns)?.turns.is_empty()
            && learned.iter().all(|stats| stats.trajectories + patterns(stats) + stats.retired == 0)
            && !self.notes()?.namespaces()?.contains(namespace);
        if is_free { Ok(()) } else { Err(SampleError::Occupied.into()) }
    }

    /// Removes what came with the sample from beside what did not.
    fn remove_brought(&self, namespace: &Namespace, parted: Parted) -> Result<u64, Error> {
        let Parted { brought, others_left_more, own_sessions, .. } = parted;
        if others_left_more {
            let notes = self.notes()?;
            for session in notes.sessions(namespace)? {
                if !own_sessions.contains(session.as_str())
                    && brought.sessions.iter().any(|own| own == session.as_str())
                {
                    notes.forget(namespace, &session)?;
                }
            }
        } else {
            // Nobody else has talked there.
            self.forget_notes(namespace)?;
        }
        let (of, namespace) = (namespace.clone(), namespace.clone());
        let (rows, at) = (Box::new(brought), self.now());
        match self.change(vec![Write::RemoveLoaded { namespace, rows, at }])?.pop() {
            Some(Written::Purged(count)) => {
                self.unmark(&of)?;
                Ok(count)
            }
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// Takes the sample's mark from what somebody has made their own: it would be taken for the sample.
    fn unmark(&self, namespace: &Namespace) -> Result<(), Error> {
        let scope = Scope::Exact(namespace.clone());
        let left = self.store.list(&ListQuery { limit: 100, ..marked(namespace, Trashed::Without) })?;
        for memory in left.memories {
            let tags = memory.facets.tags.into_iter().filter(|tag| tag != MARK).collect();
            let revision = Box::new(Revision { tags: Some(tags), ..Revision::default() });
            let (scope, id, expected_version, at) = (scope.clone(), memory.id, None, self.now());
            self.change(vec![Write::Revise { scope, id, revision, expected_version, at }])?;
        }
        Ok(())
    }

    /// How many memories a namespace has outside the trash and in it.
    fn held(&self, namespace: &Namespace) -> Result<(u64, u64), Error> {
        let stats = self.store.stats(&Scope::Exact(namespace.clone()))?;
        Ok(stats.iter().fold((0, 0), |sum, one| (sum.0 + one.memories, sum.1 + one.trashed)))
    }

    fn tell_sample(&self, namespace: &Namespace) -> Result<(), Error> {
        let now = self.now();
        // Whoever reorbits meanwhile would settle the past before all of it is told.
        *self.next_reorbit.lock() = now.checked_add(self.options.reorbit_interval).ok();
        // The clock is judged by what was there before the story.
        self.clock_leap();
        let steps = story(now, &self.options.time_zone);
        let clock = Clock::manual(steps.first().map_or(now, |step: &Step| step.at));
        let engine = Perihelion::on_store(self.at_time_of(clock.clone()), Arc::clone(&self.store))?;
        engine.core.timekeeper.follow_a_story();
        Teller::new(engine, clock, namespace.clone(), now).tell(steps)
    }

    /// The engine's own options at another time. Nobody is paid for an invented conversation, and how long recalls took
    /// says nothing of a time when there were none.
    fn at_time_of(&self, clock: Clock) -> Options {
        let own = &self.options;
        Options {
            clock,
            chores: Chores::ByHand,
            queue: QueueSettings { queueing: Queueing::Off, ..own.queue.clone() },
            notes: NotesSettings {
                thinker: ThinkerChoice::Rules,
                turns: TurnsKept::Journal,
                ..own.notes.clone()
            },
            events: EventSettings { recalls: false, ..own.events.clone() },
            ..own.clone()
        }
    }

    fn sample_of(&self, namespace: Namespace) -> Result<SampleLoaded, Error> {
        let scope = Scope::Exact(namespace.clone());
        let stats = self.store.stats(&scope)?;
        let learned = self.store.learning_stats(&scope)?;
        let sessions = self.store.sessions(&scope, usize::MAX >> 1)?.len() as u64;
        Ok(SampleLoaded {
            memories: stats.iter().map(|one| one.memories).sum(),
            edges: stats.iter().map(|one| one.edges).sum(),
            sessions,
            trajectories: learned.iter().map(|one| one.trajectories).sum(),
            patterns: learned.iter().map(patterns).sum(),
            namespace,
        })
    }
}
