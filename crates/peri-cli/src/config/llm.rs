//! The settings of language models.

use std::path::{Path, PathBuf};
use std::time::Duration;

use peri_companion::Fallback;
use peri_llm::{Address, KeptTexts, Provider, Secret, SecretError, Settings};

use perihelion::Seal;

use super::ConfigError;
use super::keys::Keys;

/// An hour, and nobody would wait for longer.
const TIMEOUT_SECONDS_MAX: u64 = 60 * 60;
/// The warmest that servers take.
const TEMPERATURE_MAX: f64 = 2.0;

/// Whether a language model is asked, which one, and within what limits. Keys are not among it.
#[derive(Debug, Clone)]
pub(crate) struct LlmSettings {
    /// The model; none when nothing is sent anywhere.
    pub(crate) model: Option<ModelSettings>,
    /// So many tokens may be spent in a day (UTC).
    pub(crate) tokens_per_day: u64,
    /// Where calls are recorded.
    pub(crate) ledger: PathBuf,
    /// Seals that record, if the store is encrypted.
    pub(crate) seal: Seal,
    /// Where files lie that override prompts.
    pub(crate) prompts: PathBuf,
}

/// A model and how it is asked.
#[derive(Debug, Clone)]
pub(crate) struct ModelSettings {
    /// The environment variable that holds its key; none if it wants none.
    pub(crate) key_variable: Option<String>,
    /// What is done when it may not be asked.
    pub(crate) fallback: Fallback,
    /// How freely it chooses its words.
    pub(crate) temperature: f32,
    client: Settings,
}

impl ModelSettings {
    /// How the client is made: this is where the key is read.
    pub(crate) fn client(&self) -> Result<Settings, SecretError> {
        let key = self.key_variable.as_deref().map(Secret::from_variable).transpose()?;
        Ok(Settings { key, ..self.client.clone() })
    }

    /// The model's name.
    pub(crate) fn name(&self) -> &str {
        &self.client.model
    }

    /// What its server speaks, as in the setting.
    pub(crate) fn provider(&self) -> &'static str {
        match self.client.provider {
            Provider::OpenAi => "openai",
            Provider::Anthropic => "anthropic",
        }
    }

    /// Where it is, without what must not be shown.
    pub(crate) fn place(&self) -> String {
        self.client.address.to_string()
    }
}

impl Keys<'_> {
    /// Language models.
    pub(super) fn llm(&self, home: &Path) -> Result<LlmSettings, ConfigError> {
        let prompts = self.text("llm.prompts")?;
        if prompts.trim().is_empty() || prompts.starts_with('~') {
            let why = "write the path of a folder, such as prompts; a ~ is not replaced here";
            return Err(self.bad("llm.prompts", why));
        }
        let tokens_per_day = self.count("llm.tokens_per_day")?;
        Ok(LlmSettings {
            model: self.model(tokens_per_day)?,
            tokens_per_day,
            ledger: home.join("llm"),
            seal: Seal::default(),
            prompts: home.join(prompts),
        })
    }

    fn model(&self, tokens_per_day: u64) -> Result<Option<ModelSettings>, ConfigError> {
        let provider = match self.text("llm.provider")? {
            "none" => None,
            "openai" => Some(Provider::OpenAi),
            "anthropic" => Some(Provider::Anthropic),
            other => return Err(self.none_of("llm.provider", other, "none, openai, anthropic")),
        };
        let timeout = self.between("llm.timeout_seconds", 1, TIMEOUT_SECONDS_MAX)?;
        let fallback = match self.text("llm.fallback")? {
            "wait" => Fallback::Wait,
            "rules" => Fallback::Rules,
            other => return Err(self.none_of("llm.fallback", other, "wait, rules")),
        };
        let temperature = self.temperature()?;
        let kept_texts = if self.flag("llm.keep_texts")? { KeptTexts::All } else { KeptTexts::None };
        let plain_http = self.plain_http("llm.plain_http")?;
        let Some(provider) = provider else { return Ok(None) };
        let name = self.text("llm.model")?.trim();
        if name.is_empty() {
            return Err(self.bad("llm.model", "name the model that is asked"));
        }
        let client = Settings {
            tokens_per_day,
            attempt_timeout: Duration::from_secs(timeout),
            // As often as one waits for an answer, waits in between included.
            deadline: Duration::from_secs(timeout * 5 / 2),
            plain_http,
            kept_texts,
            ..Settings::new(provider, self.address(provider)?, name)
        };
        Ok(Some(ModelSettings { key_variable: self.key_variable(provider)?, fallback, temperature, client }))
    }

    fn temperature(&self) -> Result<f32, ConfigError> {
        match self.setting("llm.temperature")?.value {
            super::Value::Number(number) if (0.0..=TEMPERATURE_MAX).contains(&number) => Ok(number as f32),
            _ => Err(self.bad("llm.temperature", "it is not a number between 0 and 2")),
        }
    }

    fn address(&self, provider: Provider) -> Result<Address, ConfigError> {
        let text = match self.text("llm.url")?.trim() {
            "" => usual_address(provider),
            url => url,
        };
        self.web_address("llm.url", text, "llm.plain_http")
    }

    /// The key of a provider is never sent to another server, unless somebody says so.
    fn key_variable(&self, provider: Provider) -> Result<Option<String>, ConfigError> {
        match self.variable("llm.key_variable")? {
            None => Ok(self.text("llm.url")?.trim().is_empty().then(|| usual_variable(provider).to_owned())),
            named => Ok(named),
        }
    }
}

const fn usual_address(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "https://api.openai.com/v1",
        Provider::Anthropic => "https://api.anthropic.com",
    }
}

const fn usual_variable(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "OPENAI_API_KEY",
        Provider::Anthropic => "ANTHROPIC_API_KEY",
    }
}

/// How the address is shown: without a password and without what follows a question mark.
pub(super) fn shown(url: &str) -> String {
    match Address::parse(url) {
        _ if url.trim().is_empty() => String::new(),
        Ok(address) => address.to_string(),
        Err(_) => "(set, and not shown)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{layers, resolve};
    use super::*;
    use peri_llm::PlainHttp;

    fn llm_with(text: &str) -> Result<LlmSettings, String> {
        let mut settings = layers::defaults().unwrap();
        layers::add_file(&mut settings, Path::new("x.toml"), &format!("[llm]\n{text}")).unwrap();
        let config =
            resolve::resolve(&settings, Path::new("somewhere")).map_err(|error| error.to_string())?;
        Ok(config.llm)
    }

    fn model_with(text: &str) -> ModelSettings {
        llm_with(text).unwrap().model.unwrap()
    }

    #[test]
    fn every_setting_reaches_the_client() {
        let text = "provider = 'anthropic'\nmodel = 'claude-x'\nurl = 'http://models.example/proxy'\n\
                    key_variable = 'MY_KEY'\ntokens_per_day = 5\ntimeout_seconds = 4\nfallback = 'rules'\n\
                    temperature = 1\nkeep_texts = true\nplain_http = true\nprompts = 'mine'";
        let llm = llm_with(text).unwrap();
        assert_eq!((llm.prompts, llm.ledger), ("somewhere/mine".into(), "somewhere/llm".into()));
        let model = llm.model.unwrap();
        assert_eq!((model.key_variable.as_deref(), model.fallback), (Some("MY_KEY"), Fallback::Rules));
        assert_eq!((model.name(), model.place().as_str()), ("claude-x", "http://models.example/proxy"));
        assert!((model.temperature - 1.0).abs() < f32::EPSILON);
        let client = &model.client;
        assert_eq!((client.provider, client.tokens_per_day), (Provider::Anthropic, 5));
        assert_eq!((client.attempt_timeout.as_secs(), client.deadline.as_secs()), (4, 10));
        assert_eq!((client.kept_texts, client.plain_http), (KeptTexts::All, PlainHttp::Anywhere));
    }

    #[test]
    fn nothing_is_asked_by_default_and_the_defaults_are_those_of_the_client() {
        assert!(llm_with("").unwrap().model.is_none());
        let own = model_with("provider = 'openai'\nmodel = 'm'").client;
        let address = Address::parse("https://api.openai.com/v1").unwrap();
        assert_eq!(own, Settings::new(Provider::OpenAi, address, "m"));
    }

    #[test]
    fn the_key_of_a_provider_goes_to_that_provider_alone() {
        for (text, expected) in [
            ("provider = 'openai'", Some("OPENAI_API_KEY")),
            ("provider = 'anthropic'", Some("ANTHROPIC_API_KEY")),
            ("provider = 'openai'\nurl = 'http://localhost:11434/v1'", None),
            ("provider = 'openai'\nurl = 'https://x.example'\nkey_variable = 'X'", Some("X")),
        ] {
            let model = model_with(&format!("{text}\nmodel = 'm'"));
            assert_eq!(model.key_variable.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn values_without_meaning_are_refused_and_named() {
        let openai = "provider = 'openai'\nmodel = 'm'\n";
        for (text, key) in [
            ("provider = 'gpt'".to_owned(), "llm.provider (x.toml:2)"),
            ("model = ''\nprovider = 'openai'".to_owned(), "llm.model (x.toml:2)"),
            ("fallback = 'never'".to_owned(), "llm.fallback (x.toml:2)"),
            ("timeout_seconds = 0".to_owned(), "llm.timeout_seconds (x.toml:2)"),
            ("temperature = 2.5".to_owned(), "llm.temperature (x.toml:2)"),
            ("prompts = ''".to_owned(), "llm.prompts (x.toml:2)"),
            (format!("{openai}url = 'models.example'"), "llm.url (x.toml:4)"),
            (format!("{openai}url = '모델'"), "llm.url (x.toml:4)"),
            (format!("{openai}url = 'http://192.168.0.7:8080'"), "llm.url (x.toml:4)"),
            (format!("{openai}url = 'http://localhost.example.org'"), "llm.url (x.toml:4)"),
            (format!("{openai}key_variable = 'sk-live-123'"), "llm.key_variable (x.toml:4)"),
        ] {
            let error = llm_with(&text).unwrap_err();
            assert!(error.starts_with(key), "{error}");
            assert!(!error.contains("sk-live-123"), "{error}");
        }
        for url in
            ["http://localhost:11434/v1", "http://127.0.0.1:1", "http://[::1]:8080/v1", "https://x.org"]
        {
            assert!(llm_with(&format!("{openai}url = '{url}'")).is_ok(), "{url}");
        }
    }

    #[test]
    fn passwords_in_addresses_are_never_shown() {
        for url in ["https://me:hunter2@example.org/v1?key=hunter2", "https//me:hunter2@example.org"] {
            assert!(!shown(url).contains("hunter2"), "{}", shown(url));
        }
        assert_eq!(shown(""), "");
    }
}
