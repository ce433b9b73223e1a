//! The key that the store is encrypted with.

use std::path::Path;

use perihelion::{EncryptionKey, KeyError};

use super::ConfigError;
use super::keys::Keys;

/// The environment variable that holds the key itself.
pub(crate) const VARIABLE: &str = "PERI_ENCRYPTION_KEY";

/// The setting that names the file of the key.
pub(crate) const SETTING: &str = "encryption.key_file";

impl Keys<'_> {
    /// The key, from the environment or from its file; none if nothing is encrypted.
    pub(super) fn encryption(&self, home: &Path) -> Result<Option<EncryptionKey>, ConfigError> {
        let given = std::env::var(VARIABLE).unwrap_or_default();
        let file = self.text(SETTING)?.trim();
        let key = match (given.trim(), file) {
            ("", "") => return Ok(None),
            ("", file) => {
                EncryptionKey::read(&home.join(file)).map_err(|error| self.bad(SETTING, told(&error)))?
            }
            (key, _) => EncryptionKey::parse(key).map_err(|error| {
                self.bad(SETTING, format!("the environment variable {VARIABLE}: {error}"))
            })?,
        };
        if !self.text("store.url")?.trim().is_empty() {
            let why =
                "memories are on a server (store.url), whose encryption is its own matter; leave the key out";
            return Err(self.bad(SETTING, why));
        }
        Ok(Some(key))
    }
}

/// What is wrong with a key, with what the system said.
pub(crate) fn told(error: &KeyError) -> String {
    let source = std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    let hint =
        if matches!(error, KeyError::Exposed { .. }) { "; take that right away: chmod 600" } else { "" };
    format!("{error}{source}{hint}")
}
