//! From merged values to what the program works with: every value has a meaning, and none is missing.

use std::path::Path;
use std::time::Duration;

use jiff::tz::TimeZone;
use perihelion::{
    Chores, ConsolidationSettings, Deadlines, EncryptionKey, EngineChoice, Evaluation, EventSettings,
    GraphSettings, JournalSettings, LayerSettings, LearningSettings, Limits, Namespace, NotesSettings,
    Options, OrbitSettings, QueueSettings, RecallSettings, Redaction, ReportSettings, Seal, SearchSettings,
    SnapshotSettings, Stage, Stages, StoreChoice, TunerSettings, Tuning,
};

use super::keys::Keys;
use super::{
    BackupSettings, ConfigError, Endpoint, LlmSettings, LogSettings, Setting, Value, VaultSettings,
    WorkersChoice, lifetimes, orbit,
};

/// The settings, ready for use.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// Where memories go unless somebody says otherwise.
    pub(crate) namespace: Namespace,
    /// Whose days and hours are meant and shown.
    pub(crate) time_zone: TimeZone,
    /// Upper bounds on requests.
    pub(crate) limits: Limits,
    /// Tokens that one answer may hold; the largest number there is when there is no budget.
    pub(crate) tokens_max: usize,
    /// How recall ranks.
    pub(crate) recall: RecallSettings,
    /// The key that the store is encrypted with; none if it is not.
    pub(crate) encryption: Option<EncryptionKey>,
    /// Where backups go, when, and which are kept.
    pub(crate) backup: BackupSettings,
    /// The folder of documents, if there is one.
    pub(crate) vault: VaultSettings,
    /// Which language model is asked, if one is.
    pub(crate) llm: LlmSettings,
    /// The background workers.
    pub(crate) workers: WorkersChoice,
    /// How `peri serve` behaves.
    pub(crate) server: peri_http::Settings,
    /// What MCP clients are offered.
    pub(crate) mcp: peri_mcp::Settings,
    /// How programs that stay log.
    pub(crate) log: LogSettings,
    /// Where traces are sent, if they are.
    pub(crate) telemetry: Option<Endpoint>,
    store: StoreChoice,
    search: SearchSettings,
    embedding: EngineChoice,
    redaction: Redaction,
    busy_timeout: Duration,
    /// How long whoever asks waits for others.
    pub(crate) deadlines: Deadlines,
    trash_retention: Duration,
    orbit: OrbitSettings,
    reorbit_interval: Duration,
    layers: LayerSettings,
    graph: GraphSettings,
    consolidation: ConsolidationSettings,
    evaluation: Evaluation,
    tuning: Tuning,
    tuner: TunerSettings,
    events: EventSettings,
    snapshots: SnapshotSettings,
    reports: ReportSettings,
    journal: JournalSettings,
    queue: QueueSettings,
    notes: NotesSettings,
    learning: LearningSettings,
}

impl Config {
    /// How to open the engine. Commands answer once and leave, so the chores are done by hand.
    pub(crate) fn options(&self, folder: &Path) -> Options {
        Options {
            store: self.store.clone(),
            encryption: self.encryption.clone(),
            search: self.search,
            engine: self.embedding.clone(),
            limits: self.limits.clone(),
            redaction: self.redaction,
            recall: self.recall.clone(),
            busy_timeout: self.busy_timeout,
            deadlines: self.deadlines,
            trash_retention: self.trash_retention,
            orbit: self.orbit,
            reorbit_interval: self.reorbit_interval,
            layers: self.layers,
            graph: self.graph,
            consolidation: self.consolidation,
            evaluation: self.evaluation,
            tuning: self.tuning,
            tuner: self.tuner,
            events: self.events.clone(),
            snapshots: self.snapshots,
            reports: self.reports,
            journal: self.journal,
            queue: self.queue.clone(),
            notes: NotesSettings {
                thinker: crate::llm::thinker(&self.llm, &self.time_zone),
                ..self.notes.clone()
            },
            learning: self.learning.clone(),
            chores: Chores::ByHand,
            time_zone: self.time_zone.clone(),
            ..Options::at(folder)
        }
    }

    /// Seals what is kept in the data folder; off unless the store is encrypted.
    pub(crate) fn seal(&self) -> Seal {
        Seal::new(self.encryption.clone())
    }

    /// How long the trash is kept, in whole days.
    pub(crate) fn trash_days(&self) -> u64 {
        self.trash_retention.as_secs() / DAY_SECONDS
    }
}

pub(super) const DAY_SECONDS: u64 = 24 * 60 * 60;

/// A thousand years; what is older is before every time there is.
pub(super) const RETENTION_DAYS_MAX: u64 = 365_250;

/// A terabyte; what is larger is not rotated in any sense.
const LOG_MB_MAX: u64 = 1_000_000;

/// More files than anybody wants in a folder.
const LOG_FILES_MAX: u64 = 1000;

/// A year; what is taken more rarely is no habit.
const INTERVAL_SECONDS_MAX: u64 = 366 * DAY_SECONDS;

/// More files than anybody wants in a folder.
const SNAPSHOTS_MAX: u64 = 100_000;

/// An hour. SQLite cannot wait for longer than 24 days, and nobody would.
const BUSY_TIMEOUT_MS_MAX: u64 = 60 * 60 * 1000;

/// Gives every setting its meaning, or says which one has none.
pub(super) fn resolve(settings: &[Setting], folder: &Path) -> Result<Config, ConfigError> {
    let keys = Keys(settings);
    let limits = Limits {
        content_bytes_max: keys.size("limits.content_bytes_max")?,
        labels_max: keys.size("limits.labels_max")?,
        label_bytes_max: keys.size("limits.label_bytes_max")?,
        metadata_bytes_max: keys.size("limits.metadata_bytes_max")?,
        query_bytes_max: keys.size("limits.query_bytes_max")?,
        results_max: keys.size("limits.results_max")?,
    };
    let limit = keys.size("recall.limit")?;
    if limit == 0 {
        return Err(keys.bad("recall.limit", "it must be at least 1"));
    }
    if limit > limits.results_max {
        let why = format!("{limit} results are more than the {} of limits.results_max", limits.results_max);
        return Err(keys.bad("recall.limit", why));
    }
    let tokens = keys.size("recall.max_tokens")?;
    let days = keys.at_most("trash.retention_days", RETENTION_DAYS_MAX)?;
    let namespace = keys.text("namespace")?.parse::<Namespace>();
    let encryption = keys.encryption(folder)?;
    let busy_timeout = Duration::from_millis(keys.at_most("store.busy_timeout_ms", BUSY_TIMEOUT_MS_MAX)?);
    Ok(Config {
        namespace: namespace.map_err(|error| keys.bad("namespace", error.to_string()))?,
        time_zone: keys.time_zone()?,
        limits,
        tokens_max: if tokens == 0 { usize::MAX } else { tokens },
        recall: RecallSettings { limit, stages: keys.stages()?, ..RecallSettings::default() },
        embedding: keys.embedding(folder)?,
        redaction: if keys.flag("redaction.enabled")? { Redaction::On } else { Redaction::Off },
        store: keys.store(busy_timeout)?,
        encryption: encryption.clone(),
        search: SearchSettings { in_database_from: keys.count("search.in_database_from")? },
        busy_timeout,
        deadlines: keys.deadlines()?,
        trash_retention: Duration::from_secs(days * DAY_SECONDS),
        orbit: orbit::orbit(&keys)?,
        reorbit_interval: Duration::from_secs(keys.between("orbit.reorbit_seconds", 1, DAY_SECONDS)?),
        layers: lifetimes::layers(&keys)?,
        graph: keys.graph()?,
        consolidation: keys.consolidation()?,
        evaluation: if keys.flag("importance.evaluate")? { Evaluation::Rules } else { Evaluation::Off },
        tuning: if keys.flag("feedback.tune")? { Tuning::On } else { Tuning::Off },
        tuner: orbit::tuner(&keys)?,
        events: keys.events()?,
        snapshots: keys.snapshots()?,
        reports: keys.reports()?,
        journal: keys.journal()?,
        queue: keys.queue()?,
        notes: keys.notes()?,
        llm: LlmSettings { seal: Seal::new(encryption), ..keys.llm(folder)? },
        backup: keys.backup(folder)?,
        vault: keys.vault(folder)?,
        learning: keys.learning()?,
        workers: keys.workers(folder)?,
        server: keys.server(folder)?,
        mcp: keys.mcp()?,
        log: keys.log()?,
        telemetry: keys.telemetry()?,
    })
}

impl Keys<'_> {
    fn time_zone(&self) -> Result<TimeZone, ConfigError> {
        match self.text("time_zone")?.trim() {
            "" => Ok(TimeZone::system()),
            name => TimeZone::get(name).map_err(|_| {
                let why = format!("there is no time zone {name:?}; write a name such as Asia/Seoul or UTC");
                self.bad("time_zone", why)
            }),
        }
    }

    fn stages(&self) -> Result<Stages, ConfigError> {
        let mut stages = Stages::ALL;
        if let Value::Names(names) = &self.setting("recall.without")?.value {
            for name in names {
                let stage =
                    name.parse::<Stage>().map_err(|error| self.bad("recall.without", error.to_string()))?;
                stages = stages.without(stage);
            }
        }
        Ok(if self.flag("recall.floor")? { stages } else { stages.without(Stage::Floor) })
    }

    fn graph(&self) -> Result<GraphSettings, ConfigError> {
        Ok(GraphSettings {
            auto_link: self.flag("graph.auto_link")?,
            link_cosine_min: self.share("graph.link_cosine_min")? as f32,
            links_per_memory: self.size("graph.links_per_memory")?,
            edges_max: self.size("graph.edges_max")?,
        })
    }

    fn consolidation(&self) -> Result<ConsolidationSettings, ConfigError> {
        Ok(ConsolidationSettings {
            merge: self.flag("consolidation.merge")?,
            merge_cosine_min: self.share("consolidation.merge_cosine_min")? as f32,
            supersede: self.flag("consolidation.supersede")?,
        })
    }

    fn events(&self) -> Result<EventSettings, ConfigError> {
        let files = self.at_most("events.log_files", LOG_FILES_MAX)?;
        Ok(EventSettings {
            log: self.flag("events.log")?,
            recalls: self.flag("events.recalls")?,
            log_bytes_max: self.between("events.log_mb_max", 1, LOG_MB_MAX)? * 1024 * 1024,
            log_files_kept: u32::try_from(files).unwrap_or(u32::MAX),
        })
    }

    fn snapshots(&self) -> Result<SnapshotSettings, ConfigError> {
        Ok(SnapshotSettings {
            interval: Duration::from_secs(self.at_most("snapshots.interval_seconds", INTERVAL_SECONDS_MAX)?),
            episodes: self.size("snapshots.episodes")?,
            kept: usize::try_from(self.between("snapshots.kept", 1, SNAPSHOTS_MAX)?).unwrap_or(usize::MAX),
        })
    }

    fn reports(&self) -> Result<ReportSettings, ConfigError> {
        let kept_days = self.at_most("reports.kept_days", RETENTION_DAYS_MAX)?;
        let kept_days = u32::try_from(kept_days).unwrap_or(u32::MAX);
        Ok(ReportSettings { daily: self.flag("reports.daily")?, kept_days })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_agrees_with_the_engines_own_defaults() {
        let folder = Path::new("somewhere");
        let options = resolve(&super::super::layers::defaults().unwrap(), folder).unwrap().options(folder);
        let own = Options::at(folder);
        assert_eq!((options.engine, options.limits), (own.engine, own.limits));
        assert_eq!((options.redaction, options.recall), (own.redaction, own.recall));
        assert_eq!(options.search, own.search);
        assert_eq!((options.busy_timeout, options.trash_retention), (own.busy_timeout, own.trash_retention));
        assert_eq!((options.orbit, options.reorbit_interval), (own.orbit, own.reorbit_interval));
        assert_eq!(options.layers, own.layers);
        assert_eq!((options.graph, options.consolidation), (own.graph, own.consolidation));
        assert_eq!(
            (options.evaluation, options.tuning, options.tuner, options.events),
            (own.evaluation, own.tuning, own.tuner, own.events)
        );
        assert_eq!((options.snapshots, options.reports), (own.snapshots, own.reports));
        assert_eq!(options.journal, own.journal);
        assert_eq!(options.queue, own.queue);
    }

    #[test]
    fn the_time_zone_reaches_the_engine_and_a_wrong_one_is_refused() {
        let folder = Path::new("somewhere");
        let with = |zone: &str| {
            let mut settings = super::super::layers::defaults().unwrap();
            let text = format!("time_zone = {zone:?}");
            super::super::layers::add_file(&mut settings, Path::new("x.toml"), &text).unwrap();
            resolve(&settings, folder).map(|config| config.options(folder).time_zone)
        };
        assert_eq!(with("UTC").unwrap(), TimeZone::UTC);
        assert_eq!(with("").unwrap(), TimeZone::system());
        for zone in ["Asia/Nowhere", "KST9", "지구"] {
            let error = with(zone).unwrap_err().to_string();
            assert!(error.starts_with("time_zone (x.toml:1): there is no time zone"), "{error}");
        }
    }

    /// Only programs that stay make use of it, so no command can show it.
    #[test]
    fn how_often_staying_programs_take_snapshots_reaches_the_engine() {
        let folder = Path::new("somewhere");
        for (text, seconds) in [("interval_seconds = 60", 60), ("interval_seconds = 0", 0)] {
            let mut settings = super::super::layers::defaults().unwrap();
            let text = format!("[snapshots]\n{text}");
            super::super::layers::add_file(&mut settings, Path::new("x.toml"), &text).unwrap();
            let options = resolve(&settings, folder).unwrap().options(folder);
            assert_eq!(options.snapshots.interval, Duration::from_secs(seconds));
        }
    }

    /// Only programs that stay make use of it, so no command can show it.
    #[test]
    fn how_often_staying_programs_reorbit_reaches_the_engine() {
        let folder = Path::new("somewhere");
        let mut settings = super::super::layers::defaults().unwrap();
        let text = "[orbit]\nreorbit_seconds = 60";
        super::super::layers::add_file(&mut settings, Path::new("x.toml"), text).unwrap();
        let options = resolve(&settings, folder).unwrap().options(folder);
        assert_eq!(options.reorbit_interval, Duration::from_secs(60));
    }
}
