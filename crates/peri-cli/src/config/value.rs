//! A setting's value before it has a meaning.

use std::fmt;
use std::mem::discriminant;

use serde::Serialize;

/// What a setting can hold. The default file decides which of these each key takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// A text.
    Text(String),
    /// A whole number, zero or more.
    Count(u64),
    /// A number that need not be whole.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Names.
    Names(Vec<String>),
}

impl Value {
    /// What to call such a value in a message.
    pub(crate) fn sort(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text in quotes",
            Self::Count(_) => "a whole number, zero or more",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Names(_) => "a list of texts",
        }
    }

    /// The same value as the sort that this one has: a whole number is a number too.
    pub(crate) fn fitted(&self, given: Self) -> Option<Self> {
        match (self, given) {
            (Self::Number(_), Self::Count(count)) => Some(Self::Number(count as f64)),
            (own, given) if discriminant(own) == discriminant(&given) => Some(given),
            _ => None,
        }
    }

    /// A value of the same sort, read from the text of an environment variable.
    pub(crate) fn like(&self, text: &str) -> Option<Self> {
        match self {
            Self::Text(_) => Some(Self::Text(text.to_owned())),
            Self::Count(_) => text.trim().parse().ok().map(Self::Count),
            Self::Number(_) => text.trim().parse().ok().map(Self::Number),
            Self::Flag(_) => match text.trim() {
                "true" | "1" | "yes" | "on" => Some(Self::Flag(true)),
                "false" | "0" | "no" | "off" => Some(Self::Flag(false)),
                _ => None,
            },
            Self::Names(_) => {
                let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
                Some(Self::Names(names.map(ToOwned::to_owned).collect()))
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Names(names) => write!(f, "{names:?}"),
        }
    }
}
