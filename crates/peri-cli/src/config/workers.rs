//! The settings of the background workers.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_workers::{WorkerConfig, WorkerKind, WorkersSettings};
use perihelion::{Namespace, Scope};

use super::keys::Keys;
use super::resolve::DAY_SECONDS;
use super::{ConfigError, Value};

/// A year; what is done more rarely is no habit.
const INTERVAL_SECONDS_MAX: u64 = 366 * DAY_SECONDS;

/// Nobody waits for longer.
const TIMEOUT_SECONDS_MAX: u64 = DAY_SECONDS;

/// More than there are workers.
const PARALLEL_MAX: u64 = 64;

/// How the workers run.
#[derive(Debug, Clone)]
pub(crate) struct WorkersChoice {
    /// Whether `peri serve` runs them as they become due.
    pub(crate) enabled: bool,
    /// How they do.
    pub(crate) settings: WorkersSettings,
}

impl Keys<'_> {
    /// The background workers.
    pub(super) fn workers(&self, home: &Path) -> Result<WorkersChoice, ConfigError> {
        let own = WorkersSettings::default();
        let parallel = self.at_most("workers.parallel", PARALLEL_MAX)?;
        let each = WorkerKind::ALL.iter().map(|kind| Ok((*kind, self.worker(*kind)?)));
        let settings = WorkersSettings {
            workers: each.collect::<Result<_, ConfigError>>()?,
            scope: self.worker_scope()?,
            namespace: self.worker_namespace()?,
            parallel: if parallel == 0 {
                own.parallel
            } else {
                usize::try_from(parallel).unwrap_or(own.parallel)
            },
            timeout: Duration::from_secs(self.between("workers.timeout_seconds", 1, TIMEOUT_SECONDS_MAX)?),
            load_max: self.load_max()?,
            memory_free_min: self.share("workers.memory_free_min")?,
            workspace: self.workspace(home)?,
        };
        Ok(WorkersChoice { enabled: self.flag("workers.enabled")?, settings })
    }

    fn worker(&self, kind: WorkerKind) -> Result<WorkerConfig, ConfigError> {
        let interval = format!("workers.{kind}.interval_seconds");
        Ok(WorkerConfig {
            enabled: self.flag(&format!("workers.{kind}.enabled"))?,
            interval: Duration::from_secs(self.between(&interval, 1, INTERVAL_SECONDS_MAX)?),
        })
    }

    fn worker_scope(&self) -> Result<Scope, ConfigError> {
        self.text("workers.scope")?.parse().map_err(|error| {
            let why = format!("{error}; write a namespace, team/* or *");
            self.bad("workers.scope", why)
        })
    }

    fn worker_namespace(&self) -> Result<Namespace, ConfigError> {
        let namespace = self.text("workers.namespace")?.parse::<Namespace>();
        namespace.map_err(|error| self.bad("workers.namespace", error.to_string()))
    }

    fn load_max(&self) -> Result<f64, ConfigError> {
        match self.setting("workers.load_max")?.value {
            Value::Number(number) if number.is_finite() && number >= 0.0 => Ok(number),
            _ => Err(self.bad("workers.load_max", "it is not a number, zero or more")),
        }
    }

    fn workspace(&self, home: &Path) -> Result<Option<PathBuf>, ConfigError> {
        let folder = self.text("workers.workspace")?.trim();
        if folder.starts_with('~') {
            return Err(self.bad("workers.workspace", "write the whole path; a ~ is not replaced here"));
        }
        Ok((!folder.is_empty()).then(|| home.join(folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layers;

    fn with(text: &str) -> Result<WorkersChoice, ConfigError> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), text).unwrap();
        Keys(&settings).workers(Path::new("home"))
    }

    #[test]
    fn the_default_file_agrees_with_the_table_of_workers() {
        let own = with("").unwrap();
        assert!(own.enabled);
        assert_eq!(own.settings, WorkersSettings::default());
    }

    /// Only programs that stay make use of most of them, so no command can show it.
    #[test]
    fn each_setting_reaches_the_workers() {
        let text = "[workers]\nenabled = false\nparallel = 3\ntimeout_seconds = 9\nload_max = 0.5\n\
                    memory_free_min = 0.25\nworkspace = 'code'\nscope = 'team/*'\n\
                    namespace = 'team/code'\n\
                    [workers.map]\nenabled = false\ninterval_seconds = 77";
        let WorkersChoice { enabled, settings } = with(text).unwrap();
        assert!(!enabled);
        assert_eq!((settings.parallel, settings.timeout), (3, Duration::from_secs(9)));
        assert_eq!((settings.load_max, settings.memory_free_min), (0.5, 0.25));
        assert_eq!(settings.workspace, Some(PathBuf::from("home/code")));
        assert_eq!(settings.scope.to_string(), "team/*");
        assert_eq!(settings.namespace.as_str(), "team/code");
        let map = WorkerConfig { enabled: false, interval: Duration::from_secs(77) };
        assert_eq!(settings.config(WorkerKind::Map), map);
        assert!(settings.config(WorkerKind::Audit).enabled);
    }

    #[test]
    fn every_worker_has_its_own_settings() {
        for kind in WorkerKind::ALL {
            let text = format!("[workers.{kind}]\nenabled = false\ninterval_seconds = 61");
            let config = with(&text).unwrap().settings.config(*kind);
            assert_eq!(config, WorkerConfig { enabled: false, interval: Duration::from_secs(61) });
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_its_key() {
        for (text, says) in [
            ("[workers]\ntimeout_seconds = 0", "at least 1"),
            ("[workers]\nparallel = 65", "more than 64"),
            ("[workers]\nload_max = -1.0", "zero or more"),
            ("[workers]\nload_max = nan", "zero or more"),
            ("[workers]\nmemory_free_min = 2.0", "not between 0 and 1"),
            ("[workers]\nscope = 'a b'", "workers.scope"),
            ("[workers]\nworkspace = '~/code'", "a ~ is not replaced"),
            ("[workers.audit]\ninterval_seconds = 0", "workers.audit.interval_seconds"),
        ] {
            let error = with(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
