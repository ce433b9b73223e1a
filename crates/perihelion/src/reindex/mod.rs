//! Which space answers, and moving to another one while the old one still does.
//!
//! A store has one current space for all its memories. [`Perihelion::reindex`] gives every memory a vector in another
//! space beside the one it has, batch by batch; whoever recalls meanwhile is answered from the old one. When nothing
//! is missing, one small transaction makes the new space the current one, and every process follows on its next call.
//! What the rows of memories say of their own meaning is brought along afterwards, in pieces (`follow`); whoever finds
//! that undone goes on with it.

mod build;
mod follow;
mod patient;
mod prepared;
mod recipe;
mod sense;
mod status;

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use peri_embed::Engine;
use peri_store::{CurrentSpace, SpaceStats, Write, Written};
use peri_types::{MemoryId, Namespace, Scope, SpaceId, Timestamp};
use serde::Serialize;

use crate::engine::{Core, Perihelion};
use crate::{EngineChoice, Error, Pace};
use build::Built;
pub use prepared::PreparedEngine;
pub(crate) use recipe::Named;
use recipe::Recipe;
pub(crate) use sense::{Sense, Senses};
pub use status::Spaces;

/// Held by the one who reindexes.
const LEASE: &str = "reindex";

/// Whoever dies holds up others for so long.
const LEASE_TIME: Duration = Duration::from_secs(15);

/// It is renewed by the first batch after so long.
const LEASE_RENEWED: SignedDuration = SignedDuration::from_secs(5);

/// One memory in so many may fail, and one in any case: the others need not wait for it.
const FAILED_SHARE: u64 = 100;

/// What to move to, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ReindexRequest {
    /// Which engine makes the new vectors.
    pub engine: ReindexEngine,
    /// Only memories of this scope are embedded. The new space answers once no memory of the whole store lacks one.
    pub scope: Scope,
    /// So many memories are embedded and written at a time; at least one.
    pub batch: usize,
    /// What becomes of the vectors of the space that answered before.
    pub old: OldVectors,
}

impl Default for ReindexRequest {
    fn default() -> Self {
        Self { engine: ReindexEngine::default(), scope: Scope::All, batch: 64, old: OldVectors::default() }
    }
}

/// Which engine makes the new vectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ReindexEngine {
    /// The one that the settings name or the program brought along; the current one if that was chosen instead.
    #[default]
    Named,
    /// This one. From then on it is used whatever the settings named until now.
    Choice(EngineChoice),
}

/// What becomes of the vectors of the space that answered before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OldVectors {
    /// They stay until the next time, so that the way back is short. Those of any space before it go.
    #[default]
    Kept,
    /// They go as soon as the new space answers.
    Dropped,
}

/// How far a reindexing is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReindexProgress {
    /// How many memories there are to do, those in the trash included.
    pub total: u64,
    /// How many of them are done.
    pub done: u64,
    /// How many could not be embedded so far.
    pub failed: u64,
}

/// What a reindexing did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reindexed {
    /// How it ended.
    pub ending: ReindexEnding,
    /// The space that answered before.
    pub from: Option<SpaceId>,
    /// The space that was built.
    pub to: Option<SpaceId>,
    /// How many memories have a vector since this run.
    pub embedded: u64,
    /// How many the engine has no vector for since this run, as for languages it does not know.
    pub without: u64,
    /// How many could not be embedded. They are found by their words, and the chores try again.
    pub failed: u64,
    /// The first of those, and why.
    pub failures: Vec<ReindexFailure>,
    /// How many vectors of other spaces were dropped.
    pub dropped: u64,
    /// What the vectors of each space take now.
    pub spaces: Vec<SpaceStats>,
}

/// How a reindexing ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReindexEnding {
    /// The new space answers.
    Switched,
    /// The space answered before already; what it lacked was added.
    Current,
    /// It was told to stop. The old space answers, and the next run goes on from here.
    Stopped,
    /// Too many memories could not be embedded. The old space answers.
    TooManyFailed,
    /// All of the scope is done, and other namespaces are not. The old space answers.
    OthersLeft,
}

/// A memory that could not be embedded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReindexFailure {
    /// Where it is.
    pub namespace: Namespace,
    /// Which one.
    pub id: MemoryId,
    /// Why, in words for a person.
    pub why: String,
}

impl Perihelion {
    /// Moves all memories to the space of another engine, or goes on with that where it was interrupted. The old
    /// space answers until the new one is complete. An engine that cannot be started changes nothing.
    pub fn reindex(
        &self,
        request: &ReindexRequest,
        progress: &mut dyn FnMut(ReindexProgress) -> Pace,
    ) -> Result<Reindexed, Error> {
        let core = &self.core;
        let target = core.target(&request.engine)?;
        let lease = Lease::take(core)?;
        core.senses.keep_at_hand(target.engine.clone());
        let moved = core.move_to(&target, request, &lease, progress);
        core.senses.keep_at_hand(None);
        moved
    }
}

/// What to move to.
struct Target {
    recipe: Recipe,
    engine: Option<Arc<dyn Engine>>,
}

impl Target {
    fn space(&self) -> Option<&SpaceId> {
        self.engine.as_ref().map(|engine| engine.space())
    }

    /// What is put down of it in the store.
    fn chosen(&self, named: &Recipe) -> CurrentSpace {
        CurrentSpace {
            space: self.space().cloned(),
            recipe: self.recipe.is_for_all().then(|| self.recipe.written()),
            instead_of: (*named != self.recipe).then(|| named.written()),
            revision: 0,
            in_use: false,
        }
    }
}

impl Core {
    fn target(&self, asked: &ReindexEngine) -> Result<Target, Error> {
        let (named, folder) = (&self.senses.named, &self.options.folder);
        let other = match asked {
            ReindexEngine::Choice(choice) => Some(Named::chosen(choice, folder)),
            ReindexEngine::Named => self.chosen_instead().map(Named::kept),
        };
        let other = other.filter(|other| other.recipe != named.recipe);
        let target = other.as_ref().unwrap_or(named);
        let engine = target.engine(folder, None)?;
        Ok(Target { recipe: target.recipe.clone(), engine })
    }

    /// The engine in use, if it was chosen instead of the one that the settings name.
    fn chosen_instead(&self) -> Option<Recipe> {
        let sense = self.sense();
        let current = sense.current.as_ref()?;
        let own = self.senses.named.recipe.written();
        let instead = current.instead_of.as_deref() == Some(own.as_str());
        let recipe = current.recipe.as_deref().filter(|_| instead).and_then(Recipe::read);
        // One that somebody else prepared cannot be started here.
        recipe.filter(|recipe| !matches!(recipe, Recipe::Prepared { .. }))
    }

    fn move_to(
        &self,
        target: &Target,
        request: &ReindexRequest,
        lease: &Lease<'_>,
        progress: &mut dyn FnMut(ReindexProgress) -> Pace,
    ) -> Result<Reindexed, Error> {
        // A run that was killed after its switch may have left some behind.
        self.bring_along(&mut || lease.renew().map(|()| Pace::GoOn))?;
        let current = self.store.current_space()?;
        let from = current.as_ref().and_then(|current| current.space.clone());
        let built = match target.space() {
            Some(space) if from.as_ref() == Some(space) => {
                self.build(target, request, Way::InPlace, lease, progress)?
            }
            Some(_) => self.build(target, request, Way::Beside, lease, progress)?,
            None => Built::default(),
        };
        let mut done = Reindexed {
            ending: ReindexEnding::Switched,
            to: target.space().cloned(),
            from,
            embedded: built.embedded,
            without: built.without,
            failed: built.failed,
            failures: built.failures,
            dropped: 0,
            spaces: Vec::new(),
        };
        done.ending = match built.ending {
            Some(ending) => ending,
            None => self.choose(target, current.as_ref())?,
        };
        if matches!(done.ending, ReindexEnding::Switched | ReindexEnding::Current) {
            self.finish_move(&mut done, request.old, lease, built.told, progress)?;
        }
        done.spaces = self.store.spaces()?;
        Ok(done)
    }

    /// What is left once the space answers. Whoever wants to stop may: the chores of any process go on with it.
    fn finish_move(
        &self,
        done: &mut Reindexed,
        old: OldVectors,
        lease: &Lease<'_>,
        told: ReindexProgress,
        progress: &mut dyn FnMut(ReindexProgress) -> Pace,
    ) -> Result<(), Error> {
        self.sense();
        if self.bring_along(&mut || lease.renew().map(|()| progress(told)))? == Pace::GoOn {
            self.backfill(&|| true)?;
            done.dropped = self.drop_others(done, old)?;
        }
        Ok(())
    }

    /// Makes the space the current one.
    fn choose(&self, target: &Target, before: Option<&CurrentSpace>) -> Result<ReindexEnding, Error> {
        let choice = target.chosen(&self.senses.named.recipe);
        let same = before.is_some_and(|before| before.space == choice.space);
        if same && before.is_some_and(|before| before.recipe == choice.recipe) {
            return Ok(ReindexEnding::Current);
        }
        let read = before.map_or(0, |before| before.revision);
        match self.write(vec![Write::SwitchSpace { to: Box::new(choice), read, at: self.now() }])?.pop() {
            Some(Written::SpaceSwitched(true)) if same => Ok(ReindexEnding::Current),
            Some(Written::SpaceSwitched(true)) => Ok(ReindexEnding::Switched),
            _ => Err(Error::Reindexing { until: self.now() }),
        }
    }

    /// Drops the vectors of spaces that nobody needs any more.
    fn drop_others(&self, done: &Reindexed, old: OldVectors) -> Result<u64, Error> {
        let mut kept: Vec<SpaceId> = done.to.clone().into_iter().collect();
        match (old, done.ending) {
            (OldVectors::Dropped, _) => {}
            (OldVectors::Kept, ReindexEnding::Switched) => kept.extend(done.from.clone()),
            // Nothing became old; what is there beside may be what an interrupted run has built.
            (OldVectors::Kept, _) => return Ok(0),
        }
        let mut dropped = 0;
        for namespace in self.store.namespaces(&Scope::All)? {
            let write = Write::DropVectors { namespace, kept: kept.clone() };
            if let Some(Written::VectorsDropped(count)) = self.store.write(vec![write])?.pop() {
                dropped += count;
            }
        }
        Ok(dropped)
    }
}

/// Where new vectors go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Into the current space: they are missing there, and answer at once.
    InPlace,
    /// Into a space that does not answer yet.
    Beside,
}

/// The right to reindex, given back when dropped.
struct Lease<'a> {
    core: &'a Core,
    renewed_at: Cell<Timestamp>,
}

impl<'a> Lease<'a> {
    /// Fails if somebody else has it.
    fn take(core: &'a Core) -> Result<Self, Error> {
        let lease = Self { core, renewed_at: Cell::new(core.now()) };
        lease.acquire()?;
        Ok(lease)
    }

    /// Renews it if that was long ago. Fails if somebody else has it.
    fn renew(&self) -> Result<(), Error> {
        let passed = self.core.now().duration_since(self.renewed_at.get());
        if (SignedDuration::ZERO..LEASE_RENEWED).contains(&passed) { Ok(()) } else { self.acquire() }
    }

    fn acquire(&self) -> Result<(), Error> {
        let (now, store) = (self.core.now(), &self.core.store);
        if self.core.take_lease(LEASE, LEASE_TIME)? {
            self.renewed_at.set(now);
            return Ok(());
        }
        let until = store.lease(LEASE)?.map_or(now, |lease| lease.expires_at);
        Err(Error::Reindexing { until })
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        // It runs out by itself.
        if let Err(error) = self.core.store.release_lease(LEASE, &self.core.holder) {
            tracing::debug!(%error, "the right to reindex could not be given back");
        }
    }
}
