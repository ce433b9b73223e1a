//! How an engine is opened.

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;
use peri_orbit::OrbitSettings;
use peri_orbit::tuner::TunerSettings;
use peri_seal::Key;
use peri_store::{Address, ServerSettings};
use peri_types::{Clock, Limits};

use crate::deadlines::Deadlines;
use crate::journal::JournalSettings;
use crate::layers::LayerSettings;
use crate::learn::LearningSettings;
use crate::notes::NotesSettings;
use crate::queue::QueueSettings;
use crate::rank::Stages;
use crate::reindex::PreparedEngine;

/// Where the data lies and how the engine behaves. Every part but the folder has a default.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder. It is created if it does not exist.
    pub folder: PathBuf,
    /// Where memories are kept: in the folder, or on a server.
    pub store: StoreChoice,
    /// The key that the embedded store, and what lies beside it, is encrypted with; none leaves everything plain.
    pub encryption: Option<Key>,
    /// Which embedding engine gives memories their meaning.
    pub engine: EngineChoice,
    /// Upper bounds on requests.
    pub limits: Limits,
    /// Whether secrets are taken out of what is stored.
    pub redaction: Redaction,
    /// How recall ranks and what it leaves out.
    pub recall: RecallSettings,
    /// Where large namespaces are searched.
    pub search: SearchSettings,
    /// How long to wait for another process that is writing, where nobody waits for an answer.
    pub busy_timeout: Duration,
    /// How long whoever asks waits for others.
    pub deadlines: Deadlines,
    /// How long a forgotten memory can be restored before chores purge it.
    pub trash_retention: Duration,
    /// How long answers are kept for those who send a request again.
    pub answers_kept: Duration,
    /// How memories orbit.
    pub orbit: OrbitSettings,
    /// How often the orbits are brought up to date.
    pub reorbit_interval: Duration,
    /// How long each layer keeps what it holds.
    pub layers: LayerSettings,
    /// How the journal is kept.
    pub journal: JournalSettings,
    /// How notes are kept of conversations.
    pub notes: NotesSettings,
    /// How memories are linked.
    pub graph: GraphSettings,
    /// What becomes of statements that repeat or replace others.
    pub consolidation: ConsolidationSettings,
    /// Whether how much a memory matters is judged from its words when nobody says.
    pub evaluation: Evaluation,
    /// Whether feedback moves the weights of the memory function.
    pub tuning: Tuning,
    /// How far and how readily it does.
    pub tuner: TunerSettings,
    /// How the engine learns from what was done.
    pub learning: LearningSettings,
    /// Where events are kept.
    pub events: EventSettings,
    /// How the latest episodes are written to files.
    pub snapshots: SnapshotSettings,
    /// What is written down each day.
    pub reports: ReportSettings,
    /// How writes are queued that the store cannot take.
    pub queue: QueueSettings,
    /// Whether the engine runs its chores on a thread of its own.
    pub chores: Chores,
    /// Where "now" comes from.
    pub clock: Clock,
    /// Whose days "yesterday" and "last week" mean when a request does not say; UTC unless set.
    pub time_zone: TimeZone,
}

/// Where memories are kept.
#[derive(Debug, Clone, Default)]
#[expect(clippy::large_enum_variant, reason = "there is one of it in a process")]
pub enum StoreChoice {
    /// In one file of the data folder.
    #[default]
    Embedded,
    /// On PostgreSQL, or on MySQL or MariaDB, where several machines share them. The folder then holds what is derived,
    /// logs, and what waits for the server.
    Server {
        /// Which database.
        address: Address,
        /// How long to wait for it, and how many connections to take.
        settings: ServerSettings,
    },
}

/// Which embedding engine to use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// The static table in the binary: English, microseconds, nothing to install.
    #[default]
    Bundled,
    /// A BERT-like transformer from a local folder, such as all-MiniLM-L6-v2.
    Transformer {
        /// Holds `config.json`, `model.safetensors` and the vocabulary.
        folder: PathBuf,
    },
    /// One that the program prepared, such as one that asks a server.
    Prepared(PreparedEngine),
    /// None: memories are found by their words alone.
    Off,
}

/// Whether secrets are taken out of what is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Redaction {
    /// Keys, tokens and passwords are replaced by a mark before anything is written.
    #[default]
    On,
    /// Everything is stored as it was given.
    Off,
}

/// How recall ranks and what it leaves out.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallSettings {
    /// How many results a request gets that does not say.
    pub limit: usize,
    /// The least score of a result; 0 leaves it to the floor, which knows more than the score.
    pub score_min: f32,
    /// Which stages take part.
    pub stages: Stages,
}

impl Default for RecallSettings {
    fn default() -> Self {
        Self { limit: 10, score_min: 0.0, stages: Stages::default() }
    }
}

/// Where large namespaces are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchSettings {
    /// A namespace of at least so many memories is searched inside the database, where that can search; 0 means every
    /// one. Smaller ones are searched in memory, which is faster.
    pub in_database_from: u64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { in_database_from: 200_000 }
    }
}

/// How memories are linked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GraphSettings {
    /// Whether new memories are linked to those that are close in meaning.
    pub auto_link: bool,
    /// How close, as a cosine.
    pub link_cosine_min: f32,
    /// To at most so many.
    pub links_per_memory: usize,
    /// At most so many edges may begin at one memory; the lightest leave.
    pub edges_max: usize,
}

impl Default for GraphSettings {
    fn default() -> Self {
        Self { auto_link: true, link_cosine_min: 0.7, links_per_memory: 5, edges_max: 20 }
    }
}

/// What becomes of statements that repeat or replace others. Turns of conversations are left alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConsolidationSettings {
    /// Whether a statement that says the same as another in other words is merged into it.
    pub merge: bool,
    /// How close their meanings must be for that, as a cosine.
    pub merge_cosine_min: f32,
    /// Whether a statement that gives a new value takes the place of the one with the old value.
    pub supersede: bool,
}

impl Default for ConsolidationSettings {
    fn default() -> Self {
        Self { merge: true, merge_cosine_min: 0.85, supersede: true }
    }
}

/// Whether how much a memory matters is judged from its words when nobody says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// By rules, for English, Korean and Chinese.
    #[default]
    Rules,
    /// Not at all: what nobody judges is ordinary.
    Off,
}

/// Whether feedback moves the weights of the memory function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tuning {
    /// Yes, within bounds, and it can be rolled back.
    On,
    /// No: feedback is kept and nothing is drawn from it. The default, since users who change their minds are worse
    /// off for a while (`peri-bench tune`).
    #[default]
    Off,
}

/// Where events are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSettings {
    /// Whether they are written to the audit log.
    pub log: bool,
    /// Whether recalls are among the events, with what was asked.
    pub recalls: bool,
    /// A log file of so many bytes is put aside and a new one begun.
    pub log_bytes_max: u64,
    /// So many of those are kept.
    pub log_files_kept: u32,
}

impl Default for EventSettings {
    fn default() -> Self {
        Self { log: true, recalls: true, log_bytes_max: 10 * 1024 * 1024, log_files_kept: 5 }
    }
}

/// How the latest episodes are written to files, from which one can restore them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotSettings {
    /// How often; zero means only when somebody asks.
    pub interval: Duration,
    /// The latest so many of each namespace.
    pub episodes: usize,
    /// The latest so many files stay; at least one does.
    pub kept: usize,
}

impl Default for SnapshotSettings {
    fn default() -> Self {
        Self { interval: Duration::from_secs(1800), episodes: 150, kept: 48 }
    }
}

/// What is written down each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportSettings {
    /// Whether the chores write a report of each day once it has ended.
    pub daily: bool,
    /// Reports of so many days stay; zero means all of them.
    pub kept_days: u32,
}

impl Default for ReportSettings {
    fn default() -> Self {
        Self { daily: true, kept_days: 365 }
    }
}

/// Whether the engine runs its chores on a thread of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Chores {
    /// Yes: for programs that stay.
    #[default]
    Background,
    /// No: [`crate::Perihelion::maintain`] and closing do them; for programs that answer once and leave.
    ByHand,
}

impl Options {
    /// The defaults, with the data in this folder.
    pub fn at(folder: impl AsRef<Path>) -> Self {
        Self {
            folder: folder.as_ref().to_owned(),
            store: StoreChoice::default(),
            encryption: None,
            engine: EngineChoice::default(),
            limits: Limits::default(),
            redaction: Redaction::default(),
            recall: RecallSettings::default(),
            search: SearchSettings::default(),
            busy_timeout: Duration::from_secs(30),
            deadlines: Deadlines::default(),
            trash_retention: Duration::from_secs(30 * 24 * 60 * 60),
            answers_kept: Duration::from_secs(24 * 60 * 60),
            orbit: OrbitSettings::default(),
            reorbit_interval: Duration::from_secs(300),
            layers: LayerSettings::default(),
            journal: JournalSettings::default(),
            notes: NotesSettings::default(),
            graph: GraphSettings::default(),
            consolidation: ConsolidationSettings::default(),
            evaluation: Evaluation::default(),
            tuning: Tuning::default(),
            tuner: TunerSettings::default(),
            learning: LearningSettings::default(),
            events: EventSettings::default(),
            snapshots: SnapshotSettings::default(),
            reports: ReportSettings::default(),
            queue: QueueSettings::default(),
            chores: Chores::default(),
            clock: Clock::system(),
            time_zone: TimeZone::UTC,
        }
    }
}
