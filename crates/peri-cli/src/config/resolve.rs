//! From merged values to what the program works with: every value has a meaning, and none is missing.

use std::path::Path;
use std::time::Duration;

use perihelion::{
    Chores, EngineChoice, Limits, Namespace, Options, RecallSettings, Redaction, Stage, Stages,
};

use super::{ConfigError, Setting, Value};

/// The settings, ready for use.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// Where memories go unless somebody says otherwise.
    pub(crate) namespace: Namespace,
    /// Upper bounds on requests.
    pub(crate) limits: Limits,
    /// Tokens that one answer may hold; the largest number there is when there is no budget.
    pub(crate) tokens_max: usize,
    /// How recall ranks.
    pub(crate) recall: RecallSettings,
    embedding: EngineChoice,
    redaction: Redaction,
    busy_timeout: Duration,
    trash_retention: Duration,
}

impl Config {
    /// How to open the engine. Commands answer once and leave, so the chores are done by hand.
    pub(crate) fn options(&self, folder: &Path) -> Options {
        Options {
            engine: self.embedding.clone(),
            limits: self.limits.clone(),
            redaction: self.redaction,
            recall: self.recall.clone(),
            busy_timeout: self.busy_timeout,
            trash_retention: self.trash_retention,
            chores: Chores::ByHand,
            ..Options::at(folder)
        }
    }

    /// How long the trash is kept, in whole days.
    pub(crate) fn trash_days(&self) -> u64 {
        self.trash_retention.as_secs() / DAY_SECONDS
    }
}

const DAY_SECONDS: u64 = 24 * 60 * 60;

/// A thousand years; what is older is before every time there is.
const RETENTION_DAYS_MAX: u64 = 365_250;

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
    Ok(Config {
        namespace: namespace.map_err(|error| keys.bad("namespace", error.to_string()))?,
        limits,
        tokens_max: if tokens == 0 { usize::MAX } else { tokens },
        recall: RecallSettings { limit, stages: keys.stages()?, ..RecallSettings::default() },
        embedding: keys.embedding(folder)?,
        redaction: if keys.flag("redaction.enabled")? { Redaction::On } else { Redaction::Off },
        busy_timeout: Duration::from_millis(keys.at_most("store.busy_timeout_ms", BUSY_TIMEOUT_MS_MAX)?),
        trash_retention: Duration::from_secs(days * DAY_SECONDS),
    })
}

struct Keys<'a>(&'a [Setting]);

impl Keys<'_> {
    fn setting(&self, key: &str) -> Result<&Setting, ConfigError> {
        self.0.iter().find(|setting| setting.key == key).ok_or_else(|| self.bad(key, "it has no default"))
    }

    fn bad(&self, key: &str, why: impl Into<String>) -> ConfigError {
        let origin = self.0.iter().find(|setting| setting.key == key).map(|setting| setting.origin.clone());
        ConfigError::BadValue {
            origin: origin.unwrap_or(super::Origin::Default),
            key: key.to_owned(),
            why: why.into(),
        }
    }

    fn text(&self, key: &str) -> Result<&str, ConfigError> {
        match &self.setting(key)?.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.bad(key, "it is not a text")),
        }
    }

    fn count(&self, key: &str) -> Result<u64, ConfigError> {
        match &self.setting(key)?.value {
            Value::Count(count) => Ok(*count),
            _ => Err(self.bad(key, "it is not a whole number")),
        }
    }

    fn at_most(&self, key: &str, most: u64) -> Result<u64, ConfigError> {
        match self.count(key)? {
            count if count > most => {
                Err(self.bad(key, format!("{count} is more than {most}, the most it takes")))
            }
            count => Ok(count),
        }
    }

    fn size(&self, key: &str) -> Result<usize, ConfigError> {
        usize::try_from(self.count(key)?).map_err(|_| self.bad(key, "it is too large for this machine"))
    }

    fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        match &self.setting(key)?.value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(self.bad(key, "it is not true or false")),
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

    fn embedding(&self, home: &Path) -> Result<EngineChoice, ConfigError> {
        let folder = self.text("embedding.folder")?;
        match self.text("embedding.engine")? {
            "bundled" => Ok(EngineChoice::Bundled),
            "off" => Ok(EngineChoice::Off),
            "transformer" if folder.is_empty() => {
                Err(self.bad("embedding.folder", "the transformer needs the folder of its model"))
            }
            "transformer" => Ok(EngineChoice::Transformer { folder: home.join(folder) }),
            other => {
                let why = format!("there is no engine {other:?} (one of: bundled, transformer, off)");
                Err(self.bad("embedding.engine", why))
            }
        }
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
        assert_eq!((options.busy_timeout, options.trash_retention), (own.busy_timeout, own.trash_retention));
    }
}
