//! The engine itself: its parts, and how it starts and stops.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use peri_embed::{Engine, StaticEngine};
use peri_seal::Seal;
use peri_store::{ServerStore, SqliteSettings, SqliteStore, Store};
use peri_text::Comparison;
use peri_types::{Namespace, SpaceId, Timestamp};

use crate::acquaintance::Acquaintance;
use crate::answers::HeldAnswers;
use crate::audit::Audit;
use crate::breaker::Breaker;
use crate::chores::Worker;
use crate::deadlines::Awaited;
use crate::episodes::SnapshotTimes;
use crate::events::AuditLog;
use crate::failures::Failures;
use crate::graphs::Graphs;
use crate::journal::Journal;
use crate::keys::KeyUses;
use crate::learn::{Adapters, Banks, Routers};
use crate::notes::{self, Scribe, ThinkerChoice};
use crate::pool::Pools;
use crate::queue::{Queueing, WriteQueue};
use crate::refusals::Refusals;
use crate::reindex::{Named, Senses};
use crate::report::ReportTimes;
use crate::timekeeping::{FoundAhead, Timekeeper};
use crate::usage::UsageLog;
use crate::{Chores, Error, Options, StoreChoice};

/// A memory engine on one data folder. Cheap to share: all methods take `&self`, and threads may call them
/// at once. Any number of processes may open the same folder.
pub struct Perihelion {
    pub(crate) core: Arc<Core>,
    worker: Option<Worker>,
    /// Makes the notes, which may take long.
    scribe: Option<Worker>,
    /// Set by closing, so that dropping does not finish a second time.
    closed: bool,
}

/// What the engine and its background thread share.
pub(crate) struct Core {
    pub(crate) options: Options,
    /// Seals what lies in files beside the store, if that is encrypted.
    pub(crate) seal: Seal,
    /// Fails at once while it does not answer. What somebody asked for is written by [`Core::write`] instead.
    pub(crate) store: Arc<dyn Store>,
    /// Where writes wait that the store cannot take; none if they are not to.
    pub(crate) queue: Option<Arc<WriteQueue>>,
    /// What processes of the folder waited for in vain.
    pub(crate) breaker: Arc<Breaker>,
    /// What was last seen of the store, for when it cannot be asked.
    pub(crate) acquaintance: Arc<Acquaintance>,
    /// The engine and the indexes of the space that answers.
    pub(crate) senses: Senses,
    /// The bundled table, which also tells which words mean nearly the same, whatever the engine.
    pub(crate) lexicon: Arc<StaticEngine>,
    /// Compares new memories with those that are there, and knows the sentences it has read lately.
    pub(crate) comparison: Mutex<Comparison>,
    pub(crate) graphs: Graphs,
    /// The pattern banks of the namespaces in use.
    pub(crate) banks: Banks,
    /// The routers of the namespaces in use.
    pub(crate) routers: Routers,
    /// What the namespaces in use have learned about questions.
    pub(crate) adapters: Adapters,
    /// Which namespaces are searched inside the database.
    pub(crate) pools: Pools,
    pub(crate) audit: Audit,
    pub(crate) usage: UsageLog,
    /// Whether the clock can be believed.
    pub(crate) timekeeper: Timekeeper,
    pub(crate) found_ahead: FoundAhead,
    pub(crate) key_uses: KeyUses,
    pub(crate) held_answers: HeldAnswers,
    pub(crate) refusals: Refusals,
    pub(crate) failures: Failures,
    pub(crate) journal: Journal,
    pub(crate) scribe: Scribe,
    pub(crate) snapshot_times: SnapshotTimes,
    pub(crate) report_times: ReportTimes,
    /// By what name this engine takes leases; process numbers repeat between containers.
    pub(crate) holder: String,
    /// Set when there are chores to do.
    pub(crate) nudged: AtomicBool,
    /// Namespaces into which this process wrote enough to make the next cold start slow.
    pub(crate) written: Mutex<HashSet<Namespace>>,
    /// How far the orbits of namespaces are settled at least.
    pub(crate) settled: Mutex<HashMap<Namespace, Timestamp>>,
    /// When the orbits are due again.
    pub(crate) next_reorbit: Mutex<Option<Timestamp>>,
    /// When what has expired is due to be taken away again.
    pub(crate) next_sweep: Mutex<Option<Timestamp>>,
    /// Whether chores that grow with the store are left to the next program: this one has imported, and promises to do
    /// with as much memory as it needs for that.
    pub(crate) leaves_chores: AtomicBool,
    /// Whether this engine is the one that does the chores of all.
    pub(crate) holds_chores: AtomicBool,
}

impl Perihelion {
    /// The database's name in the data folder.
    pub const DATABASE: &str = "perihelion.db";

    /// Opens the data folder, creating it if need be. A server that does not answer is no hindrance, whether it was met from
    /// this folder before or not: writes wait until it does.
    pub fn open(options: Options) -> Result<Self, Error> {
        let folder = &options.folder;
        crate::privacy::settle(folder).map_err(|source| Error::Folder { path: folder.clone(), source })?;
        let store: Arc<dyn Store> = match &options.store {
            StoreChoice::Embedded => {
                let settings =
                    SqliteSettings { busy_timeout: options.busy_timeout, key: options.encryption.clone() };
                let path = folder.join(Self::DATABASE);
                Arc::new(match options.chores {
                    Chores::Background => SqliteStore::open(&path, &settings)?,
                    Chores::ByHand => SqliteStore::open_or_read(&path, &settings)?,
                })
            }
            StoreChoice::Server { address, .. } if options.encryption.is_some() => {
                return Err(Error::ServerEncryption { place: address.to_string() });
            }
            StoreChoice::Server { address, settings } => {
                Arc::new(ServerStore::open_unseen(address.clone(), settings.clone()))
            }
        };
        Self::on_store(options, store)
    }

    /// Opens the engine on a store of the caller's choosing; the folder then holds only derived files.
    pub fn on_store(options: Options, store: Arc<dyn Store>) -> Result<Self, Error> {
        let named = Named::chosen(&options.engine, &options.folder);
        Self::assemble(options, store, named)
    }

    /// Opens the engine on a store and an embedding engine of the caller's choosing. Where the store's memories are in
    /// another space, they answer in that one or by their words until [`Perihelion::reindex`] has moved them.
    pub fn with_engine(
        options: Options,
        store: Arc<dyn Store>,
        engine: Option<Arc<dyn Engine>>,
    ) -> Result<Self, Error> {
        Self::assemble(options, store, Named::brought(engine))
    }

    fn assemble(options: Options, store: Arc<dyn Store>, named: Named) -> Result<Self, Error> {
        let breaker = Arc::new(Breaker::of(&options.folder, options.clock.clone()));
        let named = named.watched(&breaker, &options);
        let seal = Seal::new(options.encryption.clone());
        let queue = (options.queue.queueing == Queueing::On).then(|| {
            let (folder, clock) = ((options.folder.clone(), seal.clone()), options.clock.clone());
            let place = match &options.store {
                StoreChoice::Embedded => Self::DATABASE.to_owned(),
                StoreChoice::Server { address, .. } => address.to_string(),
            };
            let waits = (Arc::clone(&breaker), place, options.deadlines.write / 2);
            WriteQueue::new(Arc::clone(&store), folder, &options.queue, clock, options.chores, waits)
        });
        let store = queue.as_ref().map_or(store, WriteQueue::gate);
        let lexicon = Arc::new(StaticEngine::bundled().map_err(Error::Engine)?);
        let acquaintance = Arc::new(Acquaintance::with(&options));
        let folder = options.folder.clone();
        let (words, known) = (Arc::clone(&lexicon), Arc::clone(&acquaintance));
        let senses = Senses::begin(named, folder, &*store, words, known, seal.clone())?;
        options.orbit.check()?;
        let log = audit_log(&options, &seal);
        let background = options.chores == Chores::Background;
        let usage = UsageLog::new(options.orbit.step);
        let journal = Journal::new(&options.journal);
        let core = Arc::new(Core {
            options,
            seal,
            store,
            queue,
            breaker,
            acquaintance,
            senses,
            lexicon,
            comparison: Mutex::default(),
            graphs: Graphs::default(),
            banks: Banks::default(),
            routers: Routers::default(),
            adapters: Adapters::default(),
            pools: Pools::default(),
            audit: Audit::new(log),
            usage,
            timekeeper: Timekeeper::default(),
            found_ahead: FoundAhead::default(),
            key_uses: KeyUses::default(),
            held_answers: HeldAnswers::default(),
            refusals: Refusals::default(),
            failures: Failures::default(),
            journal,
            scribe: Scribe::default(),
            snapshot_times: SnapshotTimes::default(),
            report_times: ReportTimes::default(),
            holder: crate::holder::name(),
            nudged: AtomicBool::new(true),
            written: Mutex::default(),
            settled: Mutex::default(),
            next_reorbit: Mutex::default(),
            next_sweep: Mutex::default(),
            leaves_chores: AtomicBool::new(false),
            holds_chores: AtomicBool::new(false),
        });
        if let Some(queue) = &core.queue {
            queue.belong_to(&core);
            queue.serve();
        }
        let start = |name, work| background.then(|| Worker::start(Arc::clone(&core), name, work)).flatten();
        let worker = start("peri-chores", crate::chores::serve);
        let scribe = start("peri-notes", notes::serve);
        Ok(Self { core, worker, scribe, closed: false })
    }

    /// An engine for what others asked for earlier: leaving it finishes nothing.
    pub(crate) fn on_behalf(core: Arc<Core>) -> Self {
        Self { core, worker: None, scribe: None, closed: true }
    }

    /// Seals what others keep in the data folder; off unless the store is encrypted.
    pub fn seal(&self) -> &Seal {
        &self.core.seal
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.core.options.folder
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        self.folder().join(Self::DATABASE)
    }

    /// How the engine was opened.
    pub fn options(&self) -> &Options {
        &self.core.options
    }

    /// The space new vectors are made in, if an embedding engine is at work.
    pub fn space(&self) -> Option<SpaceId> {
        self.core.space()
    }

    /// Whether the folder can only be read, so that recall works and every write is refused.
    pub fn is_read_only(&self) -> bool {
        self.core.store.is_read_only()
    }

    /// Does the chores that wait: writes usage back, gives late memories their vectors, saves indexes, and
    /// purges what has lain in the trash for too long, looks for links, and reorbits. The background thread does the same.
    pub fn maintain(&self) -> Result<(), Error> {
        self.core.maintain()?;
        self.step_everywhere(&|| true)
    }

    fn stop_threads(&mut self) {
        self.worker = None;
        match (self.scribe.take(), &self.core.options.notes.thinker) {
            // A model may take minutes to answer, and whoever comes next asks it again.
            (Some(scribe), ThinkerChoice::Brought(_)) => scribe.leave(),
            (scribe, _) => drop(scribe),
        }
    }

    /// Leaves at once: what was used is noted, and everything else waits for the next program. For programs that
    /// somebody waits for.
    pub fn leave(mut self) {
        self.closed = true;
        self.stop_threads();
        let core = &self.core;
        if !core.store.is_read_only()
            && !core.is_store_away()
            && let Err(error) = core.awaited(Awaited::Receipt, || core.usage.flush(&*core.store))
        {
            tracing::debug!(%error, "what was used is not noted");
        }
        core.queue.iter().for_each(|queue| queue.close());
    }

    /// Finishes what is under way and closes. Dropping the engine does the same but cannot tell of trouble.
    pub fn close(mut self) -> Result<(), Error> {
        self.stop_threads();
        self.closed = true;
        self.core.finish()
    }
}

fn audit_log(options: &Options, seal: &Seal) -> AuditLog {
    AuditLog::new(options.folder.join("logs"))
        .size_max_bytes(options.events.log_bytes_max)
        .generations_max(options.events.log_files_kept)
        .sealed(seal.clone())
}

impl Drop for Perihelion {
    fn drop(&mut self) {
        if self.closed {
            return;
        }
        self.stop_threads();
        if let Err(error) = self.core.finish() {
            tracing::warn!(%error, "closing left chores undone; the memories themselves are safe");
        }
    }
}

impl Core {
    pub(crate) fn now(&self) -> Timestamp {
        self.options.clock.now()
    }
}
