//! The settings of logs and traces.

use std::fmt;

use tracing_subscriber::filter::{LevelFilter, Targets};

use super::ConfigError;
use super::keys::Keys;

/// How programs that stay log.
#[derive(Debug, Clone)]
pub(crate) struct LogSettings {
    /// What is logged, by where it comes from.
    pub(crate) levels: Targets,
    /// What a line looks like.
    pub(crate) format: LogFormat,
}

/// What a line of the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// One object a line, for programs.
    Json,
}

/// Where traces are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    /// A name or an address, as in a URL.
    pub(crate) host: String,
    /// The port.
    pub(crate) port: u16,
    /// The path of the traces.
    pub(crate) path: String,
}

/// The path under an endpoint where a collector takes traces.
const TRACES: &str = "/v1/traces";

const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

impl Keys<'_> {
    /// The log.
    pub(super) fn log(&self) -> Result<LogSettings, ConfigError> {
        let levels = levels(self.text("log.level")?).map_err(|why| self.bad("log.level", why))?;
        let format = match self.text("log.format")? {
            "text" => LogFormat::Text,
            "json" => LogFormat::Json,
            other => {
                let why = format!("there is no format {other:?} (one of: text, json)");
                return Err(self.bad("log.format", why));
            }
        };
        Ok(LogSettings { levels, format })
    }

    /// Where traces are sent, if they are.
    pub(super) fn telemetry(&self) -> Result<Option<Endpoint>, ConfigError> {
        match self.text("telemetry.otlp_endpoint")? {
            "" => Ok(None),
            text => match endpoint(text) {
                Ok(endpoint) => Ok(Some(endpoint)),
                Err(why) => Err(self.bad("telemetry.otlp_endpoint", why)),
            },
        }
    }
}

/// A level, or several between commas of which each but one names whose it is: `info,peri_http=debug`.
fn levels(text: &str) -> Result<Targets, String> {
    let mut targets = Targets::new();
    for part in text.split(',').map(str::trim) {
        let (target, name) = part.split_once('=').map_or((None, part), |(target, name)| (Some(target), name));
        if !LEVELS.contains(&name) {
            return Err(format!("there is no level {name:?} (one of: {})", LEVELS.join(", ")));
        }
        let level: LevelFilter = name.parse().map_err(|_| format!("there is no level {name:?}"))?;
        targets = match target {
            None => targets.with_default(level),
            Some("") => return Err(format!("{part:?} does not say whose level it is")),
            Some(target) => targets.with_target(target, level),
        };
    }
    Ok(targets)
}

fn endpoint(text: &str) -> Result<Endpoint, String> {
    let uri: http::Uri =
        text.parse().map_err(|_| "it is no URL, such as http://127.0.0.1:4318".to_owned())?;
    match uri.scheme_str() {
        Some("http") => {}
        Some("https") => {
            return Err("only http is spoken: let a collector on this machine send traces on".to_owned());
        }
        _ => return Err("it begins with http://, as in http://127.0.0.1:4318".to_owned()),
    }
    let base = uri.path().trim_end_matches('/');
    let path = if base.ends_with(TRACES) { base.to_owned() } else { format!("{base}{TRACES}") };
    let host = uri.host().unwrap_or_default().to_owned();
    Ok(Endpoint { host, port: uri.port_u16().unwrap_or(80), path })
}

impl Endpoint {
    /// The host as a resolver takes it, without the brackets of an IPv6 address.
    pub(crate) fn name(&self) -> &str {
        self.host.trim_matches(['[', ']'])
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}:{}{}", self.host, self.port, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_leads_to_the_traces() {
        for (text, whole) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
            ("http://collector/otlp", "http://collector:80/otlp/v1/traces"),
            ("http://[::1]:4318/v1/traces", "http://[::1]:4318/v1/traces"),
        ] {
            assert_eq!(endpoint(text).unwrap().to_string(), whole);
        }
        for text in ["127.0.0.1:4318", "https://collector", "ftp://collector", "two words", "http://"] {
            assert!(endpoint(text).is_err(), "{text}");
        }
    }

    #[test]
    fn levels_are_named_for_all_and_for_some() {
        let own = levels("warn, peri_http=debug").unwrap();
        assert!(own.would_enable("peri_http::guard", &tracing::Level::DEBUG));
        assert!(!own.would_enable("perihelion", &tracing::Level::INFO));
        for text in ["", "loud", "peri_http=loud", "=info", "peri_http"] {
            assert!(levels(text).is_err(), "{text:?}");
        }
    }
}
