//! Where memories are kept.

use std::time::Duration;

use perihelion::{Address, Deadlines, ServerSettings, StoreChoice};

use super::ConfigError;
use super::keys::Keys;

/// An hour, and nobody would wait for longer.
const TIMEOUT_MS_MAX: u64 = 60 * 60 * 1000;
/// More connections than a server takes.
const CONNECTIONS_MAX: u64 = 10_000;

impl Keys<'_> {
    /// How long whoever asks waits for others.
    pub(super) fn deadlines(&self) -> Result<Deadlines, ConfigError> {
        let millis = |key| Ok(Duration::from_millis(self.between(key, 1, TIMEOUT_MS_MAX)?));
        Ok(Deadlines { read: millis("deadlines.read_ms")?, write: millis("deadlines.write_ms")? })
    }

    /// In the data folder, or on a server.
    pub(super) fn store(&self, busy_timeout: Duration) -> Result<StoreChoice, ConfigError> {
        let millis = |key| Ok(Duration::from_millis(self.between(key, 1, TIMEOUT_MS_MAX)?));
        let settings = ServerSettings {
            connections_max: usize::try_from(self.between("store.connections_max", 1, CONNECTIONS_MAX)?)
                .unwrap_or(usize::MAX),
            connect_timeout: millis("store.connect_timeout_ms")?,
            statement_timeout: millis("store.statement_timeout_ms")?,
            busy_timeout,
        };
        match self.text("store.url")?.trim() {
            "" => Ok(StoreChoice::Embedded),
            url => {
                let url = filled(url, &|name| std::env::var(name).ok()).map_err(|name| {
                    self.bad("store.url", format!("the environment has no variable {name}"))
                })?;
                let address =
                    Address::parse(&url).map_err(|error| self.bad("store.url", error.to_string()))?;
                Ok(StoreChoice::Server { address, settings })
            }
        }
    }
}

/// How the address is shown: without its password.
pub(super) fn shown(url: &str) -> String {
    match Address::parse(url) {
        _ if url.trim().is_empty() => String::new(),
        Ok(address) => address.to_string(),
        Err(_) => "(set, and not shown)".to_owned(),
    }
}

/// Puts variables of the environment in the places of `${NAME}` in an address, escaped, since what stands in a password as
/// it is would end the address there; or the first name that there is none for.
pub(crate) fn filled(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut parts = text.split("${");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((name, rest)) = part.split_once('}') else {
            filled.push_str("${");
            filled.push_str(part);
            continue;
        };
        let value = variable(name).ok_or_else(|| name.to_owned())?;
        filled.extend(percent_encoding::utf8_percent_encode(&value, percent_encoding::NON_ALPHANUMERIC));
        filled.push_str(rest);
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_take_their_places_escaped() {
        let variable = |name: &str| (name == "PASSWORD").then(|| "p@ss/w:rd".to_owned());
        let url = filled("postgres://peri:${PASSWORD}@host/db", &variable);
        assert_eq!(url.as_deref(), Ok("postgres://peri:p%40ss%2Fw%3Ard@host/db"));
        assert_eq!(filled("postgres://peri:${OTHER}@host/db", &variable), Err("OTHER".to_owned()));
        assert_eq!(filled("plain", &variable).as_deref(), Ok("plain"));
        let half = filled("mysql://u:${half@${PASSWORD}/d", &variable);
        assert_eq!(half.as_deref(), Ok("mysql://u:${half@p%40ss%2Fw%3Ard/d"));
    }

    #[test]
    fn passwords_are_never_shown() {
        assert!(!shown("postgres://peri:secret@host/db").contains("secret"));
        assert!(!shown("postgres:/peri:secret@host/db").contains("secret"));
        assert_eq!(shown(""), "");
    }
}
