//! What every request has at hand: the engine, the limits, the counters.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use parking_lot::Mutex;
use peri_workers::{WorkerManager, WorkersSettings};
use perihelion::Perihelion;
use tokio::sync::{Semaphore, oneshot, watch};

use crate::awaited::awaited;
use crate::gauges::Sights;
use crate::guard::Rates;
use crate::loans::Loans;
use crate::metrics::{Face, Metrics};
use crate::owners::Owners;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::surroundings::Surroundings;
use crate::under_way::UnderWay;

/// So many may listen to events at once.
const READERS_MAX: usize = 64;
/// So many exports and imports may be under way at once.
const TRANSFERS_MAX: usize = 8;

/// Shared by all requests; cloning is cheap.
pub(crate) type App = Arc<Shared>;

/// The server's parts.
pub(crate) struct Shared {
    pub(crate) engine: Arc<Perihelion>,
    /// The background workers, once they are known.
    pub(crate) worker_manager: OnceLock<Arc<WorkerManager>>,
    /// What surrounds the engine, once it is known.
    pub(crate) surroundings: OnceLock<Surroundings>,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    /// What scrapes have seen of the store.
    pub(crate) sights: Sights,
    pub(crate) rates: Rates,
    /// Requests that are being answered.
    pub(crate) visits: UnderWay,
    /// The sessions of MCP clients, once there can be any.
    pub(crate) mcp_sessions: OnceLock<peri_mcp::Sessions>,
    /// Who began them.
    pub(crate) owners: Owners,
    /// Turns at the engine.
    turns: Arc<Semaphore>,
    /// Places for readers of events, who stay as long as they like.
    pub(crate) readers: Arc<Semaphore>,
    /// Places for exports and imports, each of which holds a thread.
    pub(crate) transfers: Arc<Semaphore>,
    /// Writes with an idempotency key that are being worked on, by caller and key.
    pub(crate) under_way: Mutex<HashSet<(String, String)>>,
    /// What was lent to agents and is not confirmed yet.
    pub(crate) loans: Loans,
    /// Turns true when the server stops, for answers that have no end of their own.
    pub(crate) stopping: watch::Receiver<bool>,
}

/// What a blocking thread does.
type Work = Box<dyn FnOnce(&Perihelion) + Send>;

impl Shared {
    pub(crate) fn new(engine: Arc<Perihelion>, settings: Settings, stopping: watch::Receiver<bool>) -> App {
        let rates = Rates::per_minute(settings.requests_per_minute);
        let turns = Arc::new(Semaphore::new(settings.concurrency_max));
        let metrics = Metrics::default();
        Arc::new(Self {
            engine,
            worker_manager: OnceLock::new(),
            surroundings: OnceLock::new(),
            settings,
            metrics,
            sights: Sights::default(),
            rates,
            visits: UnderWay::default(),
            mcp_sessions: OnceLock::new(),
            owners: Owners::default(),
            turns,
            readers: Arc::new(Semaphore::new(READERS_MAX)),
            transfers: Arc::new(Semaphore::new(TRANSFERS_MAX)),
            under_way: Mutex::default(),
            loans: Loans::default(),
            stopping,
        })
    }

    /// The background workers: those that the server was given, or those of the table.
    pub(crate) fn workers(&self) -> Arc<WorkerManager> {
        let usual =
            || Arc::new(WorkerManager::new(Arc::clone(&self.engine), None, WorkersSettings::default()));
        Arc::clone(self.worker_manager.get_or_init(usual))
    }

    /// What surrounds the engine: as the server was given it, or nothing.
    pub(crate) fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(Surroundings::default)
    }

    /// Whether the server has been told to stop.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Hands work beside that of a route to a blocking thread.
    pub(crate) async fn work<T, F>(self: &Arc<Self>, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Perihelion) -> Result<T, Problem> + Send + 'static,
    {
        self.call("aside", work).await
    }

    /// Hands work to a blocking thread when there is a turn for it. Once begun it is finished, even when the
    /// client has left: what was written must also be told to the next who asks. `call` is the name of what is
    /// asked for, under which it is measured and traced.
    pub(crate) async fn call<T, F>(self: &Arc<Self>, call: &'static str, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Perihelion) -> Result<T, Problem> + Send + 'static,
    {
        let (tell, told) = oneshot::channel();
        // Whoever left is told nothing.
        let work = Box::new(move |engine: &Perihelion| drop(tell.send(work(engine))));
        self.take_turn(call, work).await?;
        told.await.unwrap_or_else(|_| Err(Problem::internal()))
    }

    /// The same for all kinds of work, of which there are many.
    async fn take_turn(self: &Arc<Self>, call: &'static str, work: Work) -> Result<(), Problem> {
        let turn = Arc::clone(&self.turns).acquire_owned();
        let turn = tokio::time::timeout(self.settings.queue_timeout, turn).await;
        let Ok(Ok(turn)) = turn else { return Err(Problem::overloaded()) };
        let app = Arc::clone(self);
        let span = tracing::info_span!("engine", otel.name = call, call);
        let done = tokio::task::spawn_blocking(move || {
            // The turn ends with the work, and not already when the client leaves.
            let (_entered, _turn) = (span.enter(), turn);
            let began = Instant::now();
            app.engine.awaited(awaited(call), || work(&app.engine));
            app.metrics.called(Face::Http, call, began.elapsed());
        });
        done.await.map_err(|error| {
            tracing::error!(%error, "a request broke off");
            Problem::internal()
        })
    }
}
