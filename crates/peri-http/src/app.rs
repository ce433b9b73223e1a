//! What every request has at hand: the engine, the limits, the counters.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use perihelion::Perihelion;
use tokio::sync::{Semaphore, watch};

use crate::guard::Rates;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::settings::Settings;

/// Shared by all requests; cloning is cheap.
pub(crate) type App = Arc<Shared>;

/// The server's parts.
pub(crate) struct Shared {
    pub(crate) engine: Arc<Perihelion>,
    pub(crate) settings: Settings,
    pub(crate) metrics: Metrics,
    pub(crate) rates: Rates,
    /// Turns at the engine.
    turns: Semaphore,
    /// Writes with an idempotency key that are being worked on, by caller and key.
    pub(crate) under_way: Mutex<HashSet<(String, String)>>,
    /// Turns true when the server stops, for answers that have no end of their own.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Shared {
    pub(crate) fn new(engine: Arc<Perihelion>, settings: Settings, stopping: watch::Receiver<bool>) -> App {
        let rates = Rates::per_minute(settings.requests_per_minute);
        let turns = Semaphore::new(settings.concurrency_max);
        let metrics = Metrics::default();
        Arc::new(Self { engine, settings, metrics, rates, turns, under_way: Mutex::default(), stopping })
    }

    /// Hands work to a blocking thread when there is a turn for it. Once begun it is finished, even when the
    /// client has left: what was written must also be told to the next who asks.
    pub(crate) async fn work<T, F>(self: &Arc<Self>, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        F: FnOnce(&Perihelion) -> Result<T, Problem> + Send + 'static,
    {
        let turn = tokio::time::timeout(self.settings.queue_timeout, self.turns.acquire()).await;
        let Ok(Ok(turn)) = turn else { return Err(Problem::overloaded()) };
        let app = Arc::clone(self);
        let span = tracing::Span::current();
        let done = tokio::task::spawn_blocking(move || {
            let _entered = span.enter();
            work(&app.engine)
        });
        let outcome = done.await;
        drop(turn);
        match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::error!(%error, "a request broke off");
                Err(Problem::internal())
            }
        }
    }
}
