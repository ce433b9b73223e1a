//! Settings: raw values from defaults, file, environment and arguments, merged in that order, then resolved.

mod backup;
pub(crate) mod edit;
mod embedding;
mod encryption;
mod error;
mod file;
mod journal;
mod keys;
mod layers;
mod learning;
mod lifetimes;
mod llm;
mod notes;
mod observability;
mod orbit;
mod queue;
mod resolve;
mod server;
mod store;
mod value;
mod vault;
mod workers;

use std::path::{Path, PathBuf};

use serde::Serialize;

pub(crate) use self::backup::BackupSettings;
pub(crate) use self::embedding::{Fallback, Languages, RemoteModel};
pub(crate) use self::encryption::{SETTING as KEY_FILE, VARIABLE as KEY_VARIABLE, told as told_of_key};
pub(crate) use self::error::ConfigError;
pub(crate) use self::layers::DEFAULTS;
pub(crate) use self::llm::{LlmSettings, ModelSettings};
pub(crate) use self::observability::{Endpoint, LogFormat, LogSettings};
pub(crate) use self::resolve::Config;
pub(crate) use self::store::filled;
pub(crate) use self::value::Value;
pub(crate) use self::vault::VaultSettings;
pub(crate) use self::workers::WorkersChoice;
use crate::home::Home;

/// The configuration file's name in the data folder.
const FILE: &str = "perihelion.toml";

/// The environment variable that names another configuration file.
const VARIABLE: &str = "PERI_CONFIG";

/// One setting with where its value comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Setting {
    /// The key as in the file, such as `recall.limit`.
    pub(crate) key: String,
    /// The merged value.
    pub(crate) value: Value,
    /// Who set it.
    pub(crate) origin: Origin,
}

/// Who set a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody.
    Default,
    /// A line of a file.
    File(PathBuf, usize),
    /// An environment variable.
    Environment(String),
    /// An argument.
    Argument(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::Argument(name) => write!(f, "argument {name}"),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Whether somebody named the configuration file; if so, it must exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// By `--config` or `PERI_CONFIG`.
    Yes,
    /// It is the one in the data folder, if there is one.
    No,
}

/// Everything there is to know about the configuration.
pub(crate) struct Loaded {
    /// The data folder.
    pub(crate) home: Home,
    /// The configuration file, whether or not it exists.
    pub(crate) file: PathBuf,
    /// Every setting, in the order of the default file.
    pub(crate) settings: Vec<Setting>,
    /// What the program works with.
    pub(crate) config: Config,
    /// What looks like a slip without being wrong.
    pub(crate) warnings: Vec<String>,
}

/// The configuration file that is read, and whether somebody asked for it by name.
pub(crate) fn file_of(home: &Home, argument: Option<&Path>) -> (PathBuf, Named) {
    let variable = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    match argument.map(Path::to_owned).or_else(variable) {
        Some(file) => (file, Named::Yes),
        None => (home.folder.join(FILE), Named::No),
    }
}

/// Reads and merges the settings.
pub(crate) fn load(
    home: Home,
    argument: Option<&Path>,
    namespace: Option<String>,
) -> Result<Loaded, ConfigError> {
    let (file, named) = file_of(&home, argument);
    let mut settings = layers::defaults()?;
    if let Some(text) = file::read(&file, named)? {
        layers::add_file(&mut settings, &file, &text)?;
    }
    layers::add_environment(&mut settings, |name| std::env::var_os(name))?;
    if let Some(namespace) = namespace {
        layers::put(&mut settings, "namespace", Value::Text(namespace), Origin::Argument("--namespace"))?;
    }
    let config = resolve::resolve(&settings, &home.folder)?;
    let names: Vec<_> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    let warnings = layers::slips(&settings, &names);
    hide_secrets(&mut settings);
    Ok(Loaded { home, file, settings, config, warnings })
}

/// Takes out of addresses what nobody should read over a shoulder.
fn hide_secrets(settings: &mut [Setting]) {
    for setting in settings {
        if let Value::Text(url) = &mut setting.value {
            match setting.key.as_str() {
                "store.url" => *url = store::shown(url),
                "llm.url" | "embedding.url" | "embedding.fallback_url" => *url = llm::shown(url),
                _ => {}
            }
        }
    }
}

/// The settings of a file's text and of an environment as they are shown, once all of them have a meaning.
pub(crate) fn resolved(
    text: &str,
    variable: &dyn Fn(&str) -> Option<std::ffi::OsString>,
) -> Result<Vec<Setting>, ConfigError> {
    let mut settings = layers::defaults()?;
    layers::add_file(&mut settings, Path::new(FILE), text)?;
    layers::add_environment(&mut settings, variable)?;
    resolve::resolve(&settings, Path::new("."))?;
    hide_secrets(&mut settings);
    Ok(settings)
}
