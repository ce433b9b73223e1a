//! The settings of embedding engines.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_embed_remote::{Address, RemoteSettings};
use perihelion::EngineChoice;

use super::ConfigError;
use super::keys::Keys;

/// An hour, and nobody would wait for longer.
const TIMEOUT_SECONDS_MAX: u64 = 60 * 60;
/// A day; a server that rests for longer is none.
const REST_SECONDS_MAX: u64 = 24 * 60 * 60;
/// More than any model has.
const DIMENSIONS_MAX: u64 = 1_000_000;
/// More than any server takes.
const BATCH_MAX: u64 = 10_000;
/// More than any model reads.
const TEXT_BYTES_MAX: u64 = 10_000_000;
/// Where OpenAI's own models are asked, and which variable usually holds the key.
const USUAL: (&str, &str) = ("https://api.openai.com/v1", "OPENAI_API_KEY");

/// A model on a server, and what stands in for it. Keys are not among it.
#[derive(Debug, Clone)]
pub(crate) struct RemoteModel {
    /// How it is asked, without its key.
    pub(crate) settings: RemoteSettings,
    /// The environment variable that holds its key; none if it wants none.
    pub(crate) key_variable: Option<String>,
    /// Which languages it knows.
    pub(crate) languages: Languages,
    /// What stands in for it while it is away.
    pub(crate) fallback: Fallback,
}

/// Which languages a model on a server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    /// All that it is asked about.
    Any,
    /// English; texts in other languages are found by their words.
    English,
}

/// What stands in for a server that is away.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fallback {
    /// Nothing: memories get their vectors later.
    Nothing,
    /// The same model in a folder.
    Folder(PathBuf),
    /// The same model on another server, which is given the key if somebody named one for both.
    Server(Address, Option<String>),
}

impl RemoteModel {
    /// What it is called, for people.
    pub(crate) fn name(&self) -> String {
        let first = format!("{} at {}", self.settings.model, self.settings.address);
        match &self.fallback {
            Fallback::Nothing => first,
            Fallback::Folder(folder) => format!("{first}, or else the model in {}", folder.display()),
            Fallback::Server(address, _) => format!("{first}, or else at {address}"),
        }
    }
}

impl Keys<'_> {
    /// What gives memories their meaning.
    pub(super) fn embedding(&self, home: &Path) -> Result<EngineChoice, ConfigError> {
        let folder = self.text("embedding.folder")?;
        let folder = (!folder.is_empty()).then(|| home.join(folder));
        match self.text("embedding.engine")? {
            "bundled" => Ok(EngineChoice::Bundled),
            "off" => Ok(EngineChoice::Off),
            "transformer" => match folder {
                Some(folder) => Ok(EngineChoice::Transformer { folder }),
                None => Err(self.bad("embedding.folder", "the transformer needs the folder of its model")),
            },
            "openai" => Ok(crate::embedding::prepared(self.remote_model(Fallback::Nothing)?)),
            "hybrid" => {
                let fallback = self.fallback(folder)?;
                Ok(crate::embedding::prepared(self.remote_model(fallback)?))
            }
            other => {
                let why = format!(
                    "there is no engine {other:?} (one of: bundled, transformer, openai, hybrid, off)"
                );
                Err(self.bad("embedding.engine", why))
            }
        }
    }

    fn remote_model(&self, fallback: Fallback) -> Result<RemoteModel, ConfigError> {
        let name = self.text("embedding.model")?.trim();
        if name.is_empty() {
            return Err(self.bad("embedding.model", "name the model that is asked"));
        }
        let space = self.text("embedding.space")?.trim();
        let dimensions = self.at_most("embedding.dimensions", DIMENSIONS_MAX)?;
        let dimensions = u32::try_from(dimensions).ok().filter(|dimensions| *dimensions > 0);
        let timeout = self.between("embedding.timeout_seconds", 1, TIMEOUT_SECONDS_MAX)?;
        let rest = self.between("embedding.rest_seconds", 1, REST_SECONDS_MAX)?;
        let texts = self.between("embedding.batch", 1, BATCH_MAX)?;
        let text_bytes = self.between("embedding.text_bytes_max", 1, TEXT_BYTES_MAX)?;
        let url = match self.text("embedding.url")?.trim() {
            "" => USUAL.0,
            url => url,
        };
        let usual =
            RemoteSettings::new(self.web_address("embedding.url", url, "embedding.plain_http")?, name);
        // Where something stands in, nobody has to wait for a second attempt.
        let attempts_max = if fallback == Fallback::Nothing { usual.attempts_max } else { 1 };
        let settings = RemoteSettings {
            space: (!space.is_empty()).then(|| space.to_owned()),
            dimensions,
            attempt_timeout: Duration::from_secs(timeout),
            deadline: Duration::from_secs(timeout * 2),
            breaker_pause: Duration::from_secs(rest),
            batch_texts_max: usize::try_from(texts).unwrap_or(usize::MAX),
            text_bytes_max: usize::try_from(text_bytes).unwrap_or(usize::MAX),
            plain_http: self.plain_http("embedding.plain_http")?,
            attempts_max,
            ..usual
        };
        let key_variable = match self.variable("embedding.key_variable")? {
            // The key of a provider is never sent to another server, unless somebody says so.
            None => self.text("embedding.url")?.trim().is_empty().then(|| USUAL.1.to_owned()),
            named => named,
        };
        Ok(RemoteModel { settings, key_variable, languages: self.languages()?, fallback })
    }

    /// What stands in for the server: exactly one of a folder and another server.
    fn fallback(&self, folder: Option<PathBuf>) -> Result<Fallback, ConfigError> {
        match (folder, self.text("embedding.fallback_url")?.trim()) {
            (Some(folder), "") => Ok(Fallback::Folder(folder)),
            (None, "") => {
                let why = "hybrid needs what stands in: the folder of the same model, or a fallback_url";
                Err(self.bad("embedding.folder", why))
            }
            (None, url) => {
                let key = self.variable("embedding.key_variable")?;
                let address = self.web_address("embedding.fallback_url", url, "embedding.plain_http")?;
                Ok(Fallback::Server(address, key))
            }
            (Some(_), _) => {
                let why = "only one can stand in: set either embedding.folder or embedding.fallback_url";
                Err(self.bad("embedding.fallback_url", why))
            }
        }
    }

    fn languages(&self) -> Result<Languages, ConfigError> {
        match self.text("embedding.languages")? {
            "any" => Ok(Languages::Any),
            "english" => Ok(Languages::English),
            other => Err(self.none_of("embedding.languages", other, "any, english")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{layers, resolve};
    use super::*;
    use peri_embed_remote::PlainHttp;

    fn settings_of(text: &str) -> Vec<super::super::Setting> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), &format!("[embedding]\n{text}")).unwrap();
        settings
    }

    fn model_of(text: &str, fallback: Fallback) -> RemoteModel {
        Keys(&settings_of(text)).remote_model(fallback).unwrap()
    }

    fn choice_of(text: &str) -> Result<EngineChoice, String> {
        let folder = Path::new("somewhere");
        let config = resolve::resolve(&settings_of(text), folder).map_err(|error| error.to_string())?;
        Ok(config.options(folder).engine)
    }

    #[test]
    fn every_setting_reaches_the_engine() {
        let text = "model = 'm'\nurl = 'http://models.example/proxy'\nkey_variable = 'MY_KEY'\n\
                    dimensions = 7\nspace = '공간'\nlanguages = 'english'\ntimeout_seconds = 4\n\
                    rest_seconds = 5\nbatch = 6\ntext_bytes_max = 8\nplain_http = true";
        let model = model_of(text, Fallback::Nothing);
        assert_eq!((model.key_variable.as_deref(), model.languages), (Some("MY_KEY"), Languages::English));
        assert_eq!(model.name(), "m at http://models.example/proxy");
        let own = &model.settings;
        assert_eq!((own.space.as_deref(), own.dimensions), (Some("공간"), Some(7)));
        assert_eq!((own.attempt_timeout.as_secs(), own.deadline.as_secs()), (4, 8));
        assert_eq!((own.breaker_pause.as_secs(), own.batch_texts_max, own.text_bytes_max), (5, 6, 8));
        assert_eq!(own.plain_http, PlainHttp::Anywhere);
    }

    #[test]
    fn the_defaults_are_those_of_the_engine() {
        let address = Address::parse("https://api.openai.com/v1").unwrap();
        let model = model_of("model = 'm'", Fallback::Nothing);
        assert_eq!(model.settings, RemoteSettings::new(address, "m"));
        assert_eq!(model.languages, Languages::Any);
    }

    #[test]
    fn the_key_of_a_provider_goes_to_that_provider_alone() {
        for (text, first, second) in [
            ("", Some("OPENAI_API_KEY"), None),
            ("url = 'http://localhost:1'", None, None),
            ("key_variable = 'X'", Some("X"), Some("X")),
        ] {
            let text = format!("model = 'm'\nfallback_url = 'http://localhost:2'\n{text}");
            let fallback = Keys(&settings_of(&text)).fallback(None).unwrap();
            let Fallback::Server(_, key) = &fallback else { panic!("{fallback:?}") };
            assert_eq!(key.as_deref(), second, "{text}");
            assert_eq!(model_of(&text, fallback).key_variable.as_deref(), first, "{text}");
        }
    }

    #[test]
    fn hybrid_is_a_server_and_exactly_one_that_stands_in() {
        let named = |text: &str| match choice_of(&format!("engine = 'hybrid'\nmodel = 'm'\n{text}")) {
            Ok(EngineChoice::Prepared(prepared)) => prepared.name().to_owned(),
            other => format!("{other:?}"),
        };
        let folder = named("url = 'http://localhost:1'\nfolder = 'mini'");
        assert!(folder.starts_with("m at http://localhost:1, or else the model in somewhere"), "{folder}");
        let server = named("url = 'http://localhost:1'\nfallback_url = 'http://localhost:2/v1'");
        assert_eq!(server, "m at http://localhost:1, or else at http://localhost:2/v1");
        assert!(named("").contains("embedding.folder"), "{}", named(""));
        let both = named("folder = 'mini'\nfallback_url = 'http://localhost:2'");
        assert!(both.contains("only one can stand in"), "{both}");
    }

    #[test]
    fn values_without_meaning_are_refused_and_named() {
        for (text, key) in [
            ("model = ''", "embedding.model (x.toml:3)"),
            ("model = 'm'\nurl = 'models.example'", "embedding.url (x.toml:4)"),
            ("model = 'm'\nurl = '모델'", "embedding.url (x.toml:4)"),
            ("model = 'm'\nurl = 'http://192.168.0.7:8080'", "embedding.url (x.toml:4)"),
            ("model = 'm'\ndimensions = 2000000", "embedding.dimensions (x.toml:4)"),
            ("model = 'm'\ntimeout_seconds = 0", "embedding.timeout_seconds (x.toml:4)"),
            ("model = 'm'\nrest_seconds = 0", "embedding.rest_seconds (x.toml:4)"),
            ("model = 'm'\nbatch = 0", "embedding.batch (x.toml:4)"),
            ("model = 'm'\ntext_bytes_max = 0", "embedding.text_bytes_max (x.toml:4)"),
            ("model = 'm'\nlanguages = 'klingon'", "embedding.languages (x.toml:4)"),
            ("model = 'm'\nkey_variable = 'sk-live-123'", "embedding.key_variable (x.toml:4)"),
        ] {
            let error = choice_of(&format!("engine = 'openai'\n{text}")).unwrap_err();
            assert!(error.starts_with(key), "{error}");
            assert!(!error.contains("sk-live-123"), "{error}");
        }
    }
}
