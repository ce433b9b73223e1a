//! The sense of meaning: an engine and the indexes of its space, which are only ever changed together.
//!
//! The store says which space answers. Whoever calls looks first whether that is still the one this process works
//! in; if not, both engine and indexes are replaced. A call keeps the sense that it began with, so that a question's
//! vector never meets one of another space.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, RwLock};
use peri_embed::{Engine, StaticEngine};
use peri_seal::Seal;
use peri_store::{CurrentSpace, Store, Write};
use peri_types::{SpaceId, Timestamp};

use super::recipe::{Named, Recipe};
use crate::Error;
use crate::acquaintance::Acquaintance;
use crate::engine::Core;
use crate::failures::with_causes;
use crate::indexes::Indexes;
use crate::snapshots::Snapshots;

/// An engine and the indexes of its space.
pub(crate) struct Sense {
    /// Gives texts their meaning; none if memories are found by their words alone.
    pub(crate) engine: Option<Arc<dyn Engine>>,
    /// With vectors of that engine's space only.
    pub(crate) indexes: Indexes,
    /// What the store said when this was made.
    pub(crate) current: Option<CurrentSpace>,
    /// Why the engine of the current space does not take part, for a person.
    pub(crate) trouble: Option<String>,
    /// Whether this process has seen to it that all memories have followed to this space.
    pub(super) has_followed: AtomicBool,
}

impl Sense {
    fn revision(&self) -> u64 {
        self.current.as_ref().map_or(0, |current| current.revision)
    }
}

/// The sense in use, and what it takes to make another.
pub(crate) struct Senses {
    pub(crate) named: Named,
    folder: PathBuf,
    snapshots: RwLock<Snapshots>,
    /// Set until the store has answered for the first time.
    unmet: AtomicBool,
    seal: Seal,
    lexicon: Arc<StaticEngine>,
    acquaintance: Arc<Acquaintance>,
    now: RwLock<Arc<Sense>>,
    /// Held while another sense is made: a model takes a while to load, and once is enough.
    making: Mutex<()>,
    /// An engine that was started to build a space with.
    at_hand: Mutex<Option<Arc<dyn Engine>>>,
}

impl Senses {
    /// The sense to begin with. An engine that the settings name and that is to answer must start. A store that does not
    /// answer is taken for what it was when it was last met.
    pub(crate) fn begin(
        named: Named,
        folder: PathBuf,
        store: &dyn Store,
        lexicon: Arc<StaticEngine>,
        acquaintance: Arc<Acquaintance>,
        seal: Seal,
    ) -> Result<Self, Error> {
        let workshop = Workshop { named: &named, folder: &folder, lexicon: &lexicon, at_hand: None };
        let met = workshop.meet_or_wait(store, &acquaintance)?;
        let unmet = AtomicBool::new(met.is_none());
        let (identity, current) = met.unwrap_or_default();
        let snapshots = Snapshots::new(folder.join("index"), identity, seal.clone());
        let found = workshop.engine_of(current.as_ref())?;
        let sense = Arc::new(made(found, current, &snapshots, &lexicon));
        let (now, making, at_hand) = (RwLock::new(sense), Mutex::default(), Mutex::default());
        let snapshots = RwLock::new(snapshots);
        Ok(Self { named, folder, snapshots, unmet, seal, lexicon, acquaintance, now, making, at_hand })
    }

    /// The sense in use, without a look at the store.
    pub(crate) fn now(&self) -> Arc<Sense> {
        Arc::clone(&self.now.read())
    }

    /// The sense of the space that the store says. A store that cannot be read leaves it as it was.
    fn followed(&self, store: &dyn Store) -> Arc<Sense> {
        if self.unmet.load(Ordering::Acquire) {
            return self.met_late(store);
        }
        let known = self.now();
        match store.current_space() {
            Ok(current) if current.as_ref().map_or(0, |current| current.revision) == known.revision() => {
                known
            }
            Ok(_) => self.made_anew(store, known.revision()),
            Err(error) => {
                tracing::debug!(%error, "which space answers cannot be read");
                known
            }
        }
    }

    /// The sense of a store that did not answer when the engine was opened, and was never met before.
    fn met_late(&self, store: &dyn Store) -> Arc<Sense> {
        let _making = self.making.lock();
        if !self.unmet.load(Ordering::Acquire) {
            return self.now();
        }
        let workshop = self.workshop();
        let met = workshop.meet(store, &self.acquaintance).and_then(|(identity, current)| {
            let found = workshop.engine_of(current.as_ref())?;
            Ok((Snapshots::new(self.folder.join("index"), identity, self.seal.clone()), current, found))
        });
        match met {
            Ok((snapshots, current, found)) => {
                let sense = Arc::new(made(found, current, &snapshots, &self.lexicon));
                *self.snapshots.write() = snapshots;
                *self.now.write() = Arc::clone(&sense);
                self.unmet.store(false, Ordering::Release);
                tracing::info!("the store answers for the first time");
                sense
            }
            Err(error) => {
                tracing::debug!(%error, "the store was not met yet");
                self.now()
            }
        }
    }

    /// Makes the sense anew, unless another thread has since a revision.
    fn made_anew(&self, store: &dyn Store, seen: u64) -> Arc<Sense> {
        let _making = self.making.lock();
        let known = self.now();
        if known.revision() != seen {
            return known;
        }
        let workshop = self.workshop();
        let current = match store.current_space() {
            Ok(current) => current,
            Err(error) => {
                tracing::debug!(%error, "which space answers cannot be read");
                return known;
            }
        };
        let found = workshop
            .engine_of(current.as_ref())
            .unwrap_or_else(|error| Found::Trouble(workshop.trouble(current.as_ref(), &with_causes(&error))));
        self.acquaintance.space_is(current.as_ref());
        let sense = Arc::new(made(found, current, &self.snapshots.read(), &self.lexicon));
        tracing::info!(space = ?sense.indexes.space(), "another space answers from now on");
        *self.now.write() = Arc::clone(&sense);
        sense
    }

    /// Tries again to start an engine that could not be.
    pub(crate) fn mend(&self) {
        let known = self.now();
        if known.trouble.is_none() {
            return;
        }
        let _making = self.making.lock();
        let current = known.current.clone();
        if let Ok(found @ Found::Engine(_)) = self.workshop().engine_of(current.as_ref()) {
            let sense = made(found, current, &self.snapshots.read(), &self.lexicon);
            let mut now = self.now.write();
            if Arc::ptr_eq(&now, &known) {
                *now = Arc::new(sense);
            }
        }
    }

    /// Keeps an engine at hand that is about to be chosen, so that it need not be started twice.
    pub(super) fn keep_at_hand(&self, engine: Option<Arc<dyn Engine>>) {
        *self.at_hand.lock() = engine;
    }

    fn workshop(&self) -> Workshop<'_> {
        let at_hand = self.at_hand.lock().clone();
        Workshop { named: &self.named, folder: &self.folder, lexicon: &self.lexicon, at_hand }
    }

    /// Whether the settings name another engine than the one in use, and have been changed to do so: what they named
    /// when another was chosen is passed over.
    pub(crate) fn asked_otherwise(&self) -> bool {
        let now = self.now();
        let Some(current) = &now.current else { return false };
        let own = self.named.recipe.written();
        let known = |recipe: &Option<String>| recipe.as_deref() == Some(own.as_str());
        let unused = now.engine.as_ref().is_none_or(|engine| !self.is_named(engine));
        self.named.recipe != Recipe::Off && unused && !known(&current.recipe) && !known(&current.instead_of)
    }

    fn is_named(&self, engine: &Arc<dyn Engine>) -> bool {
        let started = self.named.started();
        started.is_some_and(|own| own.space() == engine.space())
            || (self.named.recipe == Recipe::Bundled && self.lexicon.space() == engine.space())
    }
}

/// What was found for a space.
enum Found {
    /// This engine.
    Engine(Arc<dyn Engine>),
    /// None is wanted.
    Nothing,
    /// None, and this is why.
    Trouble(String),
}

/// What senses are made with.
struct Workshop<'a> {
    named: &'a Named,
    folder: &'a PathBuf,
    lexicon: &'a Arc<StaticEngine>,
    at_hand: Option<Arc<dyn Engine>>,
}

impl Workshop<'_> {
    /// What is known of the store; of one that does not answer, what was last seen. None: it was never met, and writes
    /// wait until it is.
    fn meet_or_wait(
        &self,
        store: &dyn Store,
        acquaintance: &Acquaintance,
    ) -> Result<Option<(String, Option<CurrentSpace>)>, Error> {
        match self.meet(store, acquaintance) {
            Ok(met) => Ok(Some(met)),
            Err(Error::Store(error)) if error.is_unreachable() && acquaintance.is_kept() => {
                let known = acquaintance.last_met();
                match known {
                    Some(_) => tracing::warn!("{error}; it is taken for what it was when it last answered"),
                    None => tracing::warn!(
                        "{error}; it was never met from this folder, and writes wait until it is"
                    ),
                }
                Ok(known)
            }
            Err(error) => Err(error),
        }
    }

    /// The store's name for itself and the space that answers.
    fn meet(
        &self,
        store: &dyn Store,
        acquaintance: &Acquaintance,
    ) -> Result<(String, Option<CurrentSpace>), Error> {
        let (identity, current) = (store.identity()?, self.settled(store)?);
        acquaintance.met(&identity, current.as_ref());
        if acquaintance.is_kept() {
            acquaintance.has_keys(store.has_keys()?);
        }
        Ok((identity, current))
    }

    /// What the store says, after the named engine was put down for a store in which nothing has a meaning yet.
    fn settled(&self, store: &dyn Store) -> Result<Option<CurrentSpace>, Error> {
        let current = store.current_space()?;
        if !self.would_choose(current.as_ref()) || store.is_read_only() {
            return Ok(current);
        }
        let space = current.as_ref().and_then(|current| current.space.as_ref());
        let Some(engine) = self.named.engine(self.folder, space)? else { return Ok(current) };
        let recipe = self.named.recipe.is_for_all().then(|| self.named.recipe.written());
        let write = Write::AdoptSpace { space: engine.space().clone(), recipe, at: Timestamp::now() };
        if let Err(error) = store.write(vec![write]) {
            // Whoever writes next tells of the trouble; nothing depends on this.
            tracing::warn!(%error, "which engine is in use could not be put down");
            return Ok(current);
        }
        Ok(store.current_space()?)
    }

    fn would_choose(&self, current: Option<&CurrentSpace>) -> bool {
        let own = self.named.recipe.written();
        match (current, &self.named.recipe) {
            (_, Recipe::Off) => false,
            (None, _) => true,
            (Some(current), recipe) if current.recipe.is_none() => recipe.is_for_all() || !current.in_use,
            (Some(current), _) => {
                let known = [&current.recipe, &current.instead_of];
                !current.in_use && !known.iter().any(|recipe| recipe.as_deref() == Some(own.as_str()))
            }
        }
    }

    /// The engine of the current space. Fails if the settings name it and it does not start.
    fn engine_of(&self, current: Option<&CurrentSpace>) -> Result<Found, Error> {
        if self.named.recipe == Recipe::Off {
            return Ok(Found::Nothing);
        }
        let Some(current) = current else {
            return Ok(self.named.engine(self.folder, None)?.map_or(Found::Nothing, Found::Engine));
        };
        let Some(space) = &current.space else { return Ok(Found::Nothing) };
        if let Some(engine) = self.at_hand.as_ref().filter(|engine| engine.space() == space) {
            return Ok(Found::Engine(Arc::clone(engine)));
        }
        let kept = current.recipe.as_deref().and_then(Recipe::read);
        if self.named.may_be_of(space, kept.as_ref())
            && let Some(engine) =
                self.named.engine(self.folder, Some(space))?.filter(|engine| engine.space() == space)
        {
            return Ok(Found::Engine(engine));
        }
        if self.lexicon.space() == space {
            return Ok(Found::Engine(Arc::clone(self.lexicon) as Arc<dyn Engine>));
        }
        if let Some(Recipe::Prepared { name }) = &kept {
            let why = format!("their engine is {name}, which the settings do not name here");
            return Ok(Found::Trouble(self.trouble(Some(current), &why)));
        }
        Ok(match kept.filter(|kept| *kept != self.named.recipe).map(|kept| kept.start(self.folder)) {
            Some(Ok(Some(engine))) if engine.space() == space => Found::Engine(engine),
            Some(Ok(_)) => Found::Trouble(self.trouble(Some(current), "its model is another one now")),
            Some(Err(error)) => Found::Trouble(self.trouble(Some(current), &with_causes(&error))),
            None => Found::Trouble(self.trouble(Some(current), "its engine is not known here")),
        })
    }

    fn trouble(&self, current: Option<&CurrentSpace>, why: &str) -> String {
        let space = current.and_then(|current| current.space.as_ref());
        let space = space.map_or_else(|| "another space".to_owned(), ToString::to_string);
        format!(
            "only words were searched: the memories are in the space {space}, and {why}; `peri reindex` moves \
             them to {}",
            self.named.recipe
        )
    }
}

fn made(
    found: Found,
    current: Option<CurrentSpace>,
    snapshots: &Snapshots,
    lexicon: &Arc<StaticEngine>,
) -> Sense {
    let (engine, trouble) = match found {
        Found::Engine(engine) => (Some(engine), None),
        Found::Nothing => (None, None),
        Found::Trouble(why) => (None, Some(why)),
    };
    let space = engine.as_ref().map(|engine| engine.space().clone());
    let revision = current.as_ref().map_or(0, |current| current.revision);
    let indexes = Indexes::new(snapshots.clone(), space, Arc::clone(lexicon), revision);
    // Where nothing was ever chosen, or has a vector, nothing has to follow.
    let has_followed = AtomicBool::new(current.as_ref().is_none_or(|current| !current.in_use));
    Sense { engine, indexes, current, trouble, has_followed }
}

impl Core {
    /// The engine and the indexes of the space that answers now, for one call from its beginning to its end.
    pub(crate) fn sense(&self) -> Arc<Sense> {
        self.senses.followed(&*self.store)
    }

    /// The space in which new vectors are made.
    pub(crate) fn space(&self) -> Option<SpaceId> {
        self.sense().indexes.space().cloned()
    }
}
