//! The engine behind a server, which may still be opening when the first client speaks.

use std::sync::Arc;
use std::time::Duration;

use perihelion::{Error, Perihelion};
use tokio::sync::watch;

/// How long a call waits for the engine before it says that it is still opening.
const OPENING_WAIT: Duration = Duration::from_secs(60);

/// An engine that is open, opening, or could not be opened. Clients are greeted at once in all three cases: a
/// model that is told why memory does not work can tell its user, and a server that never answers cannot.
#[derive(Clone)]
pub struct SharedEngine(watch::Receiver<State>);

#[derive(Clone)]
enum State {
    Opening,
    Open(Arc<Perihelion>),
    Failed(String),
}

impl SharedEngine {
    /// An engine that is open already.
    pub fn open(engine: Arc<Perihelion>) -> Self {
        Self(watch::channel(State::Open(engine)).1)
    }

    /// Opens the engine on a thread of its own.
    pub fn opening(open: impl FnOnce() -> Result<Perihelion, Error> + Send + 'static) -> Self {
        let (sender, receiver) = watch::channel(State::Opening);
        let opened = move || {
            let state = match open() {
                Ok(engine) => State::Open(Arc::new(engine)),
                Err(error) => {
                    tracing::error!(%error, "the memories cannot be opened");
                    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    State::Failed(format!("the memories cannot be opened: {error}{hint}"))
                }
            };
            sender.send_replace(state);
        };
        let shared = Self(receiver);
        match std::thread::Builder::new().name("peri-open".to_owned()).spawn(opened) {
            Ok(_) => shared,
            Err(error) => Self(watch::channel(State::Failed(format!("no thread to open with: {error}"))).1),
        }
    }

    /// The engine, once it is open, or why it is not.
    pub async fn get(&self) -> Result<Arc<Perihelion>, String> {
        let mut receiver = self.0.clone();
        let settled = receiver.wait_for(|state| !matches!(state, State::Opening));
        let state = match tokio::time::timeout(OPENING_WAIT, settled).await {
            Ok(Ok(state)) => state.clone(),
            Ok(Err(_)) => return Err("opening the memories broke off; the log says why".to_owned()),
            Err(_) => return Err("the memories are still being opened; try again in a minute".to_owned()),
        };
        match state {
            State::Open(engine) => Ok(engine),
            State::Failed(why) => Err(why),
            State::Opening => Err("the memories are still being opened".to_owned()),
        }
    }

    /// Takes the engine out for closing, if it is open and nobody else holds it.
    pub fn into_inner(self) -> Option<Perihelion> {
        let state = self.0.borrow().clone();
        drop(self);
        match state {
            State::Open(engine) => Arc::into_inner(engine),
            State::Opening | State::Failed(_) => None,
        }
    }
}
