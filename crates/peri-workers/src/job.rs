//! What a worker is given, and what it gives back.

use std::path::Path;

use parking_lot::Mutex;
use peri_vault::Vault;
use perihelion::{Looked, NewAlert, Perihelion, Scope, WorkerRun};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::pause::Breath;
use crate::settings::WorkersSettings;
use crate::work::Recalls;

/// What set a run off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Somebody asked for it.
    Hand,
    /// It was due.
    Timer,
}

/// What a worker is given.
pub struct Job<'a> {
    /// The memory engine.
    pub engine: &'a Perihelion,
    /// Which namespaces it looks after.
    pub scope: &'a Scope,
    /// The folder of code, if one is configured.
    pub workspace: Option<&'a Path>,
    /// The vault, if there is one.
    pub vault: Option<&'a Vault>,
    /// What set it off.
    pub trigger: Trigger,
    /// How workers are configured.
    pub settings: &'a WorkersSettings,
    /// Its earlier runs, the latest first.
    pub earlier: &'a [WorkerRun],
    /// Whether to go on: false once somebody cancels it, its time is over, or another process has its turn.
    pub go_on: &'a dyn Fn() -> bool,
    /// Its pauses.
    pub(crate) breath: Breath,
    /// What this process knows of recalls from earlier runs.
    pub(crate) recalls: &'a Mutex<Recalls>,
}

impl Job<'_> {
    /// What the last run that was done left for the next one; null if it left nothing.
    pub fn left_behind(&self) -> &Value {
        let last = self.earlier.iter().find(|run| run.status == "done");
        last.and_then(|run| run.detail.get("state")).unwrap_or(&Value::Null)
    }

    /// The folder of code, or why the worker can do nothing without one.
    pub fn need_workspace(&self) -> Result<&Path, Trouble> {
        let Some(workspace) = self.workspace else {
            return Err(Trouble::Unavailable("no workspace is configured (workers.workspace)".to_owned()));
        };
        if workspace.is_dir() {
            Ok(workspace)
        } else {
            Err(Trouble::Unavailable(format!("the workspace {} is not a folder", workspace.display())))
        }
    }

    /// Stops a worker that is told to.
    pub fn check(&self) -> Result<(), Trouble> {
        if (self.go_on)() { Ok(()) } else { Err(Trouble::Stopped) }
    }

    /// The same, and lets those who ask go first: while somebody does, a worker pauses for as long as it has worked since
    /// its last pause. To be called between steps of a few milliseconds.
    pub fn breathe(&self) -> Result<(), Trouble> {
        self.breath.take(self.engine, self.go_on);
        self.check()
    }
}

/// What a run came to.
#[derive(Debug, Clone)]
pub struct Findings {
    /// What it did, in one or two sentences.
    pub summary: String,
    /// What it measured, by name.
    pub figures: Map<String, Value>,
    /// What somebody should look at.
    pub alerts: Vec<NewAlert>,
    /// Whether it looked at everything, so that what it did not find is no more.
    pub looked: Looked,
    /// What it leaves for its next run.
    pub state: Value,
}

impl Findings {
    /// A run that looked at everything and found nothing that somebody should look at.
    pub fn new(summary: impl Into<String>) -> Self {
        Self {
            summary: summary.into(),
            figures: Map::new(),
            alerts: Vec::new(),
            looked: Looked::Everywhere,
            state: Value::Null,
        }
    }

    /// The same with a figure.
    pub fn figure(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.figures.insert(name.to_owned(), value.into());
        self
    }

    /// The same with something that somebody should look at.
    pub fn alert(mut self, alert: NewAlert) -> Self {
        self.alerts.push(alert);
        self
    }
}

/// Why a worker has nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It lacks what it needs. Configure that, or leave the worker off.
    #[error("unavailable: {0}")]
    Unavailable(String),
    /// It was told to stop, or its time was over. What it did until then stays.
    #[error("stopped")]
    Stopped,
    /// The memory engine could not do what it was asked.
    #[error(transparent)]
    Engine(#[from] perihelion::Error),
    /// Something else went wrong.
    #[error("{0}")]
    Failed(String),
}
