//! Namespaces and scopes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A path such as `team/agent/user`. Every record belongs to exactly one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Namespace(String);

/// Text that is not a namespace, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not a namespace: {why}")]
pub struct InvalidNamespace {
    /// What was given.
    pub given: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Namespace {
    /// Longest namespace, in bytes.
    pub const BYTES_MAX: usize = 255;

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Namespace {
    fn default() -> Self {
        Self("default".to_owned())
    }
}

impl fmt::Display for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Namespace {
    type Err = InvalidNamespace;

    fn from_str(text: &str) -> Result<Self, InvalidNamespace> {
        let refuse = |why| Err(InvalidNamespace { given: text.to_owned(), why });
        if text.is_empty() {
            return refuse("it is empty");
        }
        if text.len() > Self::BYTES_MAX {
            return refuse("it is longer than 255 bytes");
        }
        for segment in text.split('/') {
            if segment.is_empty() {
                return refuse("it has an empty segment; write team/agent/user, without / at either end");
            }
            if segment == "." || segment == ".." {
                return refuse("a segment may not be . or ..");
            }
            if !segment.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | ':' | '+'))
            {
                return refuse("segments hold letters, digits and - _ . @ : + only");
            }
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for Namespace {
    type Error = InvalidNamespace;

    fn try_from(text: String) -> Result<Self, InvalidNamespace> {
        text.parse()
    }
}

impl From<Namespace> for String {
    fn from(namespace: Namespace) -> String {
        namespace.0
    }
}

/// Where to look: one namespace, or everything under a prefix.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Scope {
    /// This namespace alone.
    Exact(Namespace),
    /// This namespace and all that begin with it and a slash; written `team/*`.
    Under(Namespace),
    /// Every namespace of the store; written `*`.
    All,
}

impl Scope {
    /// Whether a namespace lies in the scope.
    pub fn contains(&self, namespace: &Namespace) -> bool {
        match self {
            Self::Exact(own) => own == namespace,
            Self::Under(prefix) => match namespace.0.strip_prefix(&prefix.0) {
                Some(rest) => rest.is_empty() || rest.starts_with('/'),
                None => false,
            },
            Self::All => true,
        }
    }

    /// Whether every namespace that lies in the other scope, or ever may, lies in this one.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All, _) => true,
            (_, Self::All) | (Self::Exact(_), Self::Under(_)) => false,
            (_, Self::Exact(namespace)) | (Self::Under(_), Self::Under(namespace)) => {
                self.contains(namespace)
            }
        }
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self::Exact(Namespace::default())
    }
}

impl From<Namespace> for Scope {
    fn from(namespace: Namespace) -> Self {
        Self::Exact(namespace)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(namespace) => namespace.fmt(f),
            Self::Under(prefix) => write!(f, "{prefix}/*"),
            Self::All => f.write_str("*"),
        }
    }
}

impl FromStr for Scope {
    type Err = InvalidNamespace;

    fn from_str(text: &str) -> Result<Self, InvalidNamespace> {
        match text.strip_suffix("/*") {
            _ if text == "*" => Ok(Self::All),
            Some(prefix) => prefix.parse().map(Self::Under),
            None => text.parse().map(Self::Exact),
        }
    }
}

impl TryFrom<String> for Scope {
    type Error = InvalidNamespace;

    fn try_from(text: String) -> Result<Self, InvalidNamespace> {
        text.parse()
    }
}

impl From<Scope> for String {
    fn from(scope: Scope) -> String {
        scope.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_paths_parse_and_bad_ones_say_why() {
        for good in ["default", "team/agent/user", "팀/김민수", "a.b@c:d+e-f_g"] {
            assert_eq!(good.parse::<Namespace>().map(String::from).as_deref(), Ok(good));
        }
        for bad in ["", "/a", "a/", "a//b", "..", "a/../b", "a b", "a*", "a\\b", &"x".repeat(256)] {
            assert!(bad.parse::<Namespace>().is_err(), "{bad:?} should be refused");
        }
    }

    #[test]
    fn a_scope_stops_at_segment_borders() {
        let scope: Scope = "team/*".parse().unwrap();
        for (namespace, inside) in
            [("team", true), ("team/a", true), ("team/a/b", true), ("teams", false), ("x", false)]
        {
            assert_eq!(scope.contains(&namespace.parse().unwrap()), inside, "{namespace}");
        }
        for text in ["*", "team/*", "team/agent"] {
            assert_eq!(text.parse::<Scope>().unwrap().to_string(), text);
        }
    }
    /// Every path of one to three of these segments, among them one that begins like another.
    fn paths() -> Vec<Namespace> {
        let segments = ["a", "ab", "b"];
        let mut paths: Vec<String> = segments.map(str::to_owned).to_vec();
        for _ in 0..2 {
            let longer: Vec<_> =
                paths.iter().flat_map(|path| segments.map(|last| format!("{path}/{last}"))).collect();
            paths.extend(longer);
        }
        paths.iter().map(|path| path.parse().unwrap()).collect()
    }

    #[test]
    fn a_scope_covers_another_exactly_if_it_contains_all_that_the_other_may_hold() {
        let paths = paths();
        let exact = paths.iter().cloned().map(Scope::Exact);
        let scopes: Vec<Scope> =
            exact.chain(paths.iter().cloned().map(Scope::Under)).chain([Scope::All]).collect();
        // One segment deeper than any scope, so that what lies under each is among them.
        let below = paths.iter().map(|path| format!("{path}/other").parse().unwrap());
        let elsewhere = "other".parse().unwrap();
        let world: Vec<Namespace> = paths.iter().cloned().chain(below).chain([elsewhere]).collect();
        for own in &scopes {
            for other in &scopes {
                let all = world.iter().filter(|path| other.contains(path)).all(|path| own.contains(path));
                assert_eq!(own.covers(other), all, "{own} covers {other}");
            }
        }
    }
}
