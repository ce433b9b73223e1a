//! How workers are configured.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use perihelion::{Namespace, Scope};

use crate::kind::{TABLE, WorkerKind};

/// How one worker is configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerConfig {
    /// Whether it runs by itself. By hand it always can.
    pub enabled: bool,
    /// How often.
    pub interval: Duration,
}

/// How all of them are.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkersSettings {
    /// Each worker by itself.
    pub workers: BTreeMap<WorkerKind, WorkerConfig>,
    /// Which namespaces they look after.
    pub scope: Scope,
    /// So many run at once at most.
    pub parallel: usize,
    /// A run that takes longer is stopped.
    pub timeout: Duration,
    /// What is due waits while the machine has more work for each core than this; 0 never waits.
    pub load_max: f64,
    /// What is due waits while a smaller share of the machine's memory is free; 0 never waits.
    pub memory_free_min: f64,
    /// The folder of code that some of them look at.
    pub workspace: Option<PathBuf>,
    /// Where what they learn of it is kept.
    pub namespace: Namespace,
}

impl Default for WorkersSettings {
    fn default() -> Self {
        let config = |line: &crate::Line| WorkerConfig { enabled: true, interval: line.interval };
        // Half of the cores are left to those who ask.
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            workers: TABLE.iter().map(|line| (line.kind, config(line))).collect(),
            scope: Scope::All,
            parallel: (cores / 2).max(1),
            timeout: Duration::from_secs(300),
            load_max: 2.0,
            memory_free_min: 0.1,
            workspace: None,
            namespace: Namespace::default(),
        }
    }
}

impl WorkersSettings {
    /// How a worker is configured.
    pub fn config(&self, kind: WorkerKind) -> WorkerConfig {
        let usual = || {
            let interval =
                TABLE.iter().find(|line| line.kind == kind).map_or(Duration::MAX, |line| line.interval);
            WorkerConfig { enabled: true, interval }
        };
        self.workers.get(&kind).copied().unwrap_or_else(usual)
    }
}
