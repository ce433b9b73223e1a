//! Where a model is served.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::Secret;

/// The address below which a model is asked, for example `https://api.openai.com/v1`. Passwords and what follows a
/// question mark are kept and sent, but never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
    login: Option<(String, Secret)>,
}

/// Whether keys and texts may travel unencrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlainHttp {
    /// Only to this machine.
    #[default]
    Loopback,
    /// Anywhere, because the way there is protected otherwise.
    Anywhere,
}

/// Why an address cannot be used. Set another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is not the address of a web server.
    #[error("the model's address is not one of a web server: {detail}")]
    Malformed {
        /// What is wrong with it.
        detail: String,
    },
    /// It would carry keys and texts unencrypted over a network.
    #[error(
        "the model's address {shown} would carry texts unencrypted over a network: use https, or allow plain http"
    )]
    Unencrypted {
        /// The address.
        shown: String,
    },
}

impl Address {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let malformed = |detail: &str| AddressError::Malformed { detail: detail.to_owned() };
        let mut url = Url::parse(text.trim()).map_err(|error| malformed(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(malformed("it has to begin with https:// or http://"));
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(malformed("it names no host"));
        }
        let login = (!url.username().is_empty() || url.password().is_some())
            .then(|| (url.username().to_owned(), Secret::new(url.password().unwrap_or_default())));
        if url.set_username("").and_then(|()| url.set_password(None)).is_err() {
            return Err(malformed("it names no host"));
        }
        url.set_fragment(None);
        Ok(Self { url, login })
    }

    /// Whether it may be asked as the setting says.
    pub fn check(&self, plain: PlainHttp) -> Result<(), AddressError> {
        if self.url.scheme() == "https" || plain == PlainHttp::Anywhere || self.is_loopback() {
            return Ok(());
        }
        Err(AddressError::Unencrypted { shown: self.to_string() })
    }

    /// Whether it is on this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.host().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
    }

    /// The host, as it is written.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// The address of something below it; a part that the address ends with already is not repeated.
    pub fn below(&self, parts: &[&str]) -> Url {
        let path = self.url.path().trim_end_matches('/');
        let repeated = parts.first().is_some_and(|first| path.rsplit('/').next() == Some(first));
        let path = [path].into_iter().chain(parts.iter().skip(usize::from(repeated)).copied());
        let path = path.collect::<Vec<_>>().join("/");
        let mut url = self.url.clone();
        url.set_path(&path);
        url
    }

    /// Name and password, if the address holds some.
    pub fn login(&self) -> Option<(&str, &Secret)> {
        self.login.as_ref().map(|(name, password)| (name.as_str(), password))
    }

    /// A text with the password, and what follows the question mark, taken out.
    pub fn hide_in(&self, text: &str) -> String {
        let text = match &self.login {
            Some((_, password)) => password.hide_in(text),
            None => text.to_owned(),
        };
        match self.url.query() {
            Some(query) if !query.is_empty() => text.replace(query, "[…]"),
            _ => text,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.url.clone();
        shown.set_query(None);
        formatter.write_str(shown.as_str().trim_end_matches('/'))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_asked_unless_allowed() {
        for (text, allowed) in [
            ("https://api.example.org/v1", true),
            ("http://localhost:8080", true),
            ("http://127.0.0.1:1", true),
            ("http://127.3.2.1", true),
            ("http://[::1]:8080/v1", true),
            ("http://api.example.org/v1", false),
            ("http://192.168.0.7:8080", false),
            ("http://localhost.example.org", false),
            ("http://127.0.0.1.example.org", false),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.check(PlainHttp::Loopback).is_ok(), allowed, "{text}");
            assert_eq!(address.check(PlainHttp::Anywhere), Ok(()));
        }
    }

    #[test]
    fn passwords_and_queries_are_kept_but_never_shown() {
        let address = Address::parse("https://me:hunter2@example.org/v1/?api=topsecret#x").unwrap();
        let shown = format!("{address} {address:?}");
        assert!(
            !shown.contains("hunter2") && !shown.contains("topsecret") && !shown.contains("me:"),
            "{shown}"
        );
        assert_eq!(address.below(&["chat"]).as_str(), "https://example.org/v1/chat?api=topsecret");
        assert_eq!(address.login().unwrap().1.reveal(), "hunter2");
        assert!(!address.hide_in("at ?api=topsecret with hunter2").contains("secret"));
    }

    #[test]
    fn parts_are_put_below_once() {
        let below = |text: &str| Address::parse(text).unwrap().below(&["v1", "messages"]).to_string();
        assert_eq!(below("https://example.org"), "https://example.org/v1/messages");
        assert_eq!(below("https://example.org/v1/"), "https://example.org/v1/messages");
        assert_eq!(below("https://example.org/proxy"), "https://example.org/proxy/v1/messages");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "example.org", "ftp://example.org", "file:///etc/passwd", "http://", "모델"] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
