//! Merged values by their keys, as the sort of thing that is asked for.

use peri_llm::{Address, PlainHttp};

use super::{ConfigError, Setting, Value};

/// Every setting, by its key.
pub(super) struct Keys<'a>(pub(super) &'a [Setting]);

impl Keys<'_> {
    /// One setting.
    pub(super) fn setting(&self, key: &str) -> Result<&Setting, ConfigError> {
        self.0.iter().find(|setting| setting.key == key).ok_or_else(|| self.bad(key, "it has no default"))
    }

    /// That a key's value cannot be used, and why.
    pub(super) fn bad(&self, key: &str, why: impl Into<String>) -> ConfigError {
        let origin = self.0.iter().find(|setting| setting.key == key).map(|setting| setting.origin.clone());
        ConfigError::BadValue {
            origin: origin.unwrap_or(super::Origin::Default),
            key: key.to_owned(),
            why: why.into(),
        }
    }

    /// That a key's value is none of those it takes.
    pub(super) fn none_of(&self, key: &str, given: &str, known: &str) -> ConfigError {
        self.bad(key, format!("{given:?} is none of: {known}"))
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Result<&str, ConfigError> {
        match &self.setting(key)?.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.bad(key, "it is not a text")),
        }
    }

    /// A whole number.
    pub(super) fn count(&self, key: &str) -> Result<u64, ConfigError> {
        match &self.setting(key)?.value {
            Value::Count(count) => Ok(*count),
            _ => Err(self.bad(key, "it is not a whole number")),
        }
    }

    /// A whole number of at most so many.
    pub(super) fn at_most(&self, key: &str, most: u64) -> Result<u64, ConfigError> {
        match self.count(key)? {
            count if count > most => {
                Err(self.bad(key, format!("{count} is more than {most}, the most it takes")))
            }
            count => Ok(count),
        }
    }

    /// A whole number that counts things in memory.
    pub(super) fn size(&self, key: &str) -> Result<usize, ConfigError> {
        usize::try_from(self.count(key)?).map_err(|_| self.bad(key, "it is too large for this machine"))
    }

    /// Yes or no.
    pub(super) fn flag(&self, key: &str) -> Result<bool, ConfigError> {
        match &self.setting(key)?.value {
            Value::Flag(flag) => Ok(*flag),
            _ => Err(self.bad(key, "it is not true or false")),
        }
    }

    /// A whole number between two others.
    pub(super) fn between(&self, key: &str, least: u64, most: u64) -> Result<u64, ConfigError> {
        match self.at_most(key, most)? {
            count if count < least => Err(self.bad(key, format!("it must be at least {least}"))),
            count => Ok(count),
        }
    }

    /// The address of a server of models, and the setting that lets texts travel there unencrypted.
    pub(super) fn web_address(&self, key: &str, url: &str, allows: &str) -> Result<Address, ConfigError> {
        let address = Address::parse(url).map_err(|error| self.bad(key, error.to_string()))?;
        if address.check(self.plain_http(allows)?).is_err() {
            let why = format!("texts would travel unencrypted over a network: use https, or set {allows}");
            return Err(self.bad(key, why));
        }
        Ok(address)
    }

    /// Whether texts may travel unencrypted.
    pub(super) fn plain_http(&self, key: &str) -> Result<PlainHttp, ConfigError> {
        Ok(if self.flag(key)? { PlainHttp::Anywhere } else { PlainHttp::Loopback })
    }

    /// The name of an environment variable that holds a key; none if it is left empty.
    pub(super) fn variable(&self, key: &str) -> Result<Option<String>, ConfigError> {
        let name = self.text(key)?.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.len() > 128 || !name.chars().all(is_name) || name.starts_with(|c: char| c.is_ascii_digit()) {
            // Whoever writes the key itself here must not find it in an error.
            let why =
                "write the name of an environment variable, such as OPENAI_API_KEY, and put the key there";
            return Err(self.bad(key, why));
        }
        Ok((!name.is_empty()).then(|| name.to_owned()))
    }

    /// A number from 0 to 1.
    pub(super) fn share(&self, key: &str) -> Result<f64, ConfigError> {
        match self.setting(key)?.value {
            Value::Number(number) if (0.0..=1.0).contains(&number) => Ok(number),
            Value::Number(number) => Err(self.bad(key, format!("{number} is not between 0 and 1"))),
            _ => Err(self.bad(key, "it is not a number")),
        }
    }
}
