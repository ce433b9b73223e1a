//! Which workers there are: one line each.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use perihelion::UnknownName;
use serde::{Deserialize, Serialize};

use crate::job::{Findings, Job, Trouble};
use crate::work;

/// How much a worker matters: what matters more runs first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WorkerPriority {
    /// Before all others.
    Critical,
    /// Before the ordinary ones.
    High,
    /// Like most.
    Normal,
    /// When nothing else is due.
    Low,
}

impl WorkerPriority {
    /// Its name in output and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Normal => "normal",
            Self::Low => "low",
        }
    }
}

impl fmt::Display for WorkerPriority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a worker is and does.
#[derive(Clone, Copy)]
pub struct Line {
    /// Which one.
    pub kind: WorkerKind,
    /// How much it matters.
    pub priority: WorkerPriority,
    /// How often it runs, unless configured otherwise.
    pub interval: Duration,
    /// What it is for, in a few words.
    pub purpose: &'static str,
    /// Its work.
    pub work: fn(&Job<'_>) -> Result<Findings, Trouble>,
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line")
            .field("kind", &self.kind)
            .field("priority", &self.priority)
            .finish_non_exhaustive()
    }
}

macro_rules! workers {
    ($($(#[$doc:meta])* $variant:ident = $name:ident, $priority:ident, $seconds:literal, $purpose:literal;)+) => {
        /// The workers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum WorkerKind { $($(#[$doc])* $variant,)+ }

        impl WorkerKind {
            /// Every worker, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name in output, on the wire and in the configuration.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => stringify!($name)),+ }
            }
        }

        /// Every worker with its priority, its interval and its work.
        pub static TABLE: &[Line] = &[$(Line {
            kind: WorkerKind::$variant,
            priority: WorkerPriority::$priority,
            interval: Duration::from_secs($seconds),
            purpose: $purpose,
            work: work::$name::run,
        }),+];
    };
}

workers! {
    /// Draws patterns from what was done.
    Ultralearn = ultralearn, Normal, 60, "draw patterns from trajectories and finished turns";
    /// Looks for what should not be there.
    Audit = audit, Critical, 600, "secrets, planted instructions, permissions and integrity";
    /// Keeps indexes and the database fast.
    Optimize = optimize, High, 300, "index and database upkeep, slow recalls explained";
    /// Joins, promotes and moves memories.
    Consolidate = consolidate, Low, 1800, "merge near-duplicates, promote, reorbit";
    /// Warms what a session will need next.
    Predict = predict, Normal, 300, "what sessions will need next, measured by what they asked";
    /// Turns the structure of a workspace into knowledge.
    Map = map, Normal, 600, "the structure of the workspace as knowledge";
    /// Finds topics of memory and the dependencies of a workspace.
    Deepdive = deepdive, Normal, 600, "topics of memory, dependencies of the workspace";
    /// Writes the daily report and a page for each topic.
    Document = document, Normal, 1800, "the daily report, a page of the vault for each topic";
    /// Finds what is said or written twice.
    Refactor = refactor, Normal, 600, "duplicate and contradictory memories, duplicate code";
    /// Measures recall on what users said of it.
    Benchmark = benchmark, Normal, 600, "recall latency and quality on the user's own feedback";
    /// Finds what nobody has checked.
    Testgaps = testgaps, Normal, 600, "files without tests, memories that were never verified";
    /// Trains what can be trained.
    Learning = learning, Normal, 900, "train the router and the adapter";
}

impl WorkerKind {
    /// The name of its turn among all processes.
    pub(crate) fn turn(self) -> String {
        format!("worker.{}", self.as_str())
    }

    /// The name of the flag that tells whoever is at it to stop.
    pub(crate) fn cancel_flag(self) -> String {
        format!("worker.{}.cancel", self.as_str())
    }
}

impl fmt::Display for WorkerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for WorkerKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let wanted = text.trim().to_ascii_lowercase();
        Self::ALL.iter().copied().find(|kind| kind.as_str() == wanted).ok_or_else(|| UnknownName {
            what: "worker",
            given: text.to_owned(),
            expected: Self::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", "),
        })
    }
}
