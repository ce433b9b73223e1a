//! The engine itself: its parts, and how it starts and stops.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;

use peri_embed::{Engine, StaticEngine, TransformerEngine};
use peri_store::{SqliteSettings, SqliteStore, Store};
use peri_types::{MemoryId, Namespace, SpaceId, Timestamp};

use crate::audit::Audit;
use crate::chores::Worker;
use crate::episodes::SnapshotTimes;
use crate::events::AuditLog;
use crate::failures::Failures;
use crate::graphs::Graphs;
use crate::indexes::Indexes;
use crate::keys::KeyUses;
use crate::refusals::Refusals;
use crate::report::ReportTimes;
use crate::snapshots::Snapshots;
use crate::usage::UsageLog;
use crate::{Chores, EngineChoice, Error, Options};

/// A memory engine on one data folder. Cheap to share: all methods take `&self`, and threads may call them
/// at once. Any number of processes may open the same folder.
pub struct Perihelion {
    pub(crate) core: Arc<Core>,
    worker: Option<Worker>,
    /// Set by closing, so that dropping does not finish a second time.
    closed: bool,
}

/// What the engine and its background thread share.
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) engine: Option<Arc<dyn Engine>>,
    /// The bundled table, which also tells which words mean nearly the same, whatever the engine.
    pub(crate) lexicon: Arc<StaticEngine>,
    pub(crate) indexes: Indexes,
    pub(crate) graphs: Graphs,
    pub(crate) audit: Audit,
    pub(crate) usage: UsageLog,
    pub(crate) key_uses: KeyUses,
    pub(crate) refusals: Refusals,
    pub(crate) failures: Failures,
    pub(crate) snapshot_times: SnapshotTimes,
    pub(crate) report_times: ReportTimes,
    /// By what name this engine takes leases; process numbers repeat between containers.
    pub(crate) holder: String,
    /// Set when there are chores to do.
    pub(crate) nudged: AtomicBool,
    /// Namespaces into which this process wrote enough to make the next cold start slow.
    pub(crate) written: Mutex<HashSet<Namespace>>,
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

    /// Opens the data folder, creating it if need be.
    pub fn open(options: Options) -> Result<Self, Error> {
        let folder = &options.folder;
        if !folder.is_dir() {
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::Folder { path: folder.clone(), source })?;
        }
        let settings = SqliteSettings { busy_timeout: options.busy_timeout };
        let store = SqliteStore::open(&folder.join(Self::DATABASE), &settings)?;
        Self::on_store(options, Arc::new(store))
    }

    /// Opens the engine on a store of the caller's choosing; the folder then holds only derived files.
    pub fn on_store(options: Options, store: Arc<dyn Store>) -> Result<Self, Error> {
        let engine = start_engine(&options.engine)?;
        Self::with_engine(options, store, engine)
    }

    /// Opens the engine on a store and an embedding engine of the caller's choosing.
    pub fn with_engine(
        options: Options,
        store: Arc<dyn Store>,
        engine: Option<Arc<dyn Engine>>,
    ) -> Result<Self, Error> {
        let space = engine.as_ref().map(|engine| engine.space().clone());
        let lexicon = Arc::new(StaticEngine::bundled().map_err(Error::Engine)?);
        let indexes = Indexes::new(
            Snapshots::new(options.folder.join("index"), store.identity()?),
            space,
            Arc::clone(&lexicon),
        );
        options.orbit.check()?;
        let log = AuditLog::new(options.folder.join("logs"))
            .size_max_bytes(options.events.log_bytes_max)
            .generations_max(options.events.log_files_kept);
        let background = options.chores == Chores::Background;
        let usage = UsageLog::new(options.orbit.step);
        let core = Arc::new(Core {
            options,
            store,
            engine,
            lexicon,
            indexes,
            graphs: Graphs::default(),
            audit: Audit::new(log),
            usage,
            key_uses: KeyUses::default(),
            refusals: Refusals::default(),
            failures: Failures::default(),
            snapshot_times: SnapshotTimes::default(),
            report_times: ReportTimes::default(),
            holder: MemoryId::generate(Timestamp::now()).to_string(),
            nudged: AtomicBool::new(true),
            written: Mutex::default(),
            next_reorbit: Mutex::default(),
            next_sweep: Mutex::default(),
            leaves_chores: AtomicBool::new(false),
            holds_chores: AtomicBool::new(false),
        });
        let worker = background.then(|| Worker::start(Arc::clone(&core))).flatten();
        Ok(Self { core, worker, closed: false })
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
    pub fn space(&self) -> Option<&SpaceId> {
        self.core.indexes.space()
    }

    /// Whether the folder can only be read, so that recall works and every write is refused.
    pub fn is_read_only(&self) -> bool {
        self.core.store.is_read_only()
    }

    /// Does the chores that wait: writes usage back, gives late memories their vectors, saves indexes, and
    /// purges what has lain in the trash for too long, looks for links, and reorbits. The background thread does the same.
    pub fn maintain(&self) -> Result<(), Error> {
        self.core.maintain()
    }

    /// Finishes what is under way and closes. Dropping the engine does the same but cannot tell of trouble.
    pub fn close(mut self) -> Result<(), Error> {
        self.worker = None;
        self.closed = true;
        self.core.finish()
    }
}

impl Drop for Perihelion {
    fn drop(&mut self) {
        if self.closed {
            return;
        }
        self.worker = None;
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

fn start_engine(choice: &EngineChoice) -> Result<Option<Arc<dyn Engine>>, Error> {
    Ok(match choice {
        EngineChoice::Bundled => Some(Arc::new(StaticEngine::bundled().map_err(Error::Engine)?)),
        EngineChoice::Transformer { folder } => {
            Some(Arc::new(TransformerEngine::load(folder).map_err(Error::Engine)?))
        }
        EngineChoice::Off => None,
    })
}
