//! The circumstances of an episode: when, where, in what mood, with whom.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::UnknownName;

/// The circumstances of an episode, as names and values of whoever tells it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Context {
    /// When, beyond the plain time: `part_of_day`, `season`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub temporal: BTreeMap<String, String>,
    /// Where: `place`, `room`, `url`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub spatial: BTreeMap<String, String>,
    /// In what mood: `mood`, `tone`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub emotional: BTreeMap<String, String>,
    /// With whom: `with`, `team`, `audience`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub social: BTreeMap<String, String>,
}

/// A side of the circumstances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Aspect {
    /// When.
    Temporal,
    /// Where.
    Spatial,
    /// In what mood.
    Emotional,
    /// With whom.
    Social,
}

impl Aspect {
    /// Every side, in the order of the documentation.
    pub const ALL: &'static [Self] = &[Self::Temporal, Self::Spatial, Self::Emotional, Self::Social];

    /// The name used in the CLI, on the wire and in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Temporal => "temporal",
            Self::Spatial => "spatial",
            Self::Emotional => "emotional",
            Self::Social => "social",
        }
    }
}

impl FromStr for Aspect {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().copied().find(|aspect| aspect.as_str() == text);
        found.ok_or_else(|| UnknownName {
            what: "side of the context",
            given: text.to_owned(),
            expected: Self::ALL.iter().map(|aspect| aspect.as_str()).collect::<Vec<_>>().join(", "),
        })
    }
}

impl Context {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is said of one side.
    pub fn aspect(&self, aspect: Aspect) -> &BTreeMap<String, String> {
        match aspect {
            Aspect::Temporal => &self.temporal,
            Aspect::Spatial => &self.spatial,
            Aspect::Emotional => &self.emotional,
            Aspect::Social => &self.social,
        }
    }

    /// The same, to add to it.
    pub fn aspect_mut(&mut self, aspect: Aspect) -> &mut BTreeMap<String, String> {
        match aspect {
            Aspect::Temporal => &mut self.temporal,
            Aspect::Spatial => &mut self.spatial,
            Aspect::Emotional => &mut self.emotional,
            Aspect::Social => &mut self.social,
        }
    }

    /// Everything that is said, each as the condition that it meets.
    pub fn circumstances(&self) -> impl Iterator<Item = Circumstance> + '_ {
        Aspect::ALL.iter().flat_map(move |&aspect| {
            let named = self.aspect(aspect).iter();
            named.map(move |(name, value)| Circumstance { aspect, name: name.clone(), value: value.clone() })
        })
    }

    /// Leaves out what says nothing.
    pub fn tidy(&mut self) {
        for &aspect in Aspect::ALL {
            self.aspect_mut(aspect).retain(|name, value| !name.trim().is_empty() && !value.trim().is_empty());
        }
    }

    /// Adds one circumstance, replacing what was said of that name.
    pub fn add(&mut self, circumstance: Circumstance) {
        self.aspect_mut(circumstance.aspect).insert(circumstance.name, circumstance.value);
    }
}

/// One circumstance, to be told or asked for. It is written as `spatial.place=office`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Circumstance {
    /// Which side.
    pub aspect: Aspect,
    /// What of it.
    pub name: String,
    /// How it was.
    pub value: String,
}

/// Text that is not a circumstance.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{given:?} is not a circumstance such as spatial.place=office: {why}")]
pub struct InvalidCircumstance {
    /// What was given.
    pub given: String,
    /// What is wrong with it.
    pub why: String,
}

impl Circumstance {
    /// Whether its name or its value says nothing.
    pub fn is_blank(&self) -> bool {
        self.name.trim().is_empty() || self.value.trim().is_empty()
    }
}

impl FromStr for Circumstance {
    type Err = InvalidCircumstance;

    fn from_str(text: &str) -> Result<Self, InvalidCircumstance> {
        let bad = |why: &str| InvalidCircumstance { given: text.to_owned(), why: why.to_owned() };
        let (path, value) = text.split_once('=').ok_or_else(|| bad("it has no ="))?;
        let (aspect, name) = path.split_once('.').ok_or_else(|| bad("it has no . before the ="))?;
        let aspect = aspect.trim().parse().map_err(|error: UnknownName| bad(&error.to_string()))?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            return Err(bad("the name or the value is empty"));
        }
        Ok(Self { aspect, name: name.to_owned(), value: value.to_owned() })
    }
}

impl TryFrom<String> for Circumstance {
    type Error = InvalidCircumstance;

    fn try_from(text: String) -> Result<Self, InvalidCircumstance> {
        text.parse()
    }
}

impl From<Circumstance> for String {
    fn from(circumstance: Circumstance) -> Self {
        circumstance.to_string()
    }
}

impl fmt::Display for Circumstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}={}", self.aspect.as_str(), self.name, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circumstance_is_read_as_it_is_written() {
        let place: Circumstance = "spatial.place=회의실 2=B".parse().unwrap();
        assert_eq!((place.name.as_str(), place.value.as_str()), ("place", "회의실 2=B"));
        assert_eq!(place.to_string().parse(), Ok(place.clone()));
        let mut context = Context::default();
        context.add(place.clone());
        assert_eq!(context.circumstances().collect::<Vec<_>>(), [place]);
        for bad in ["place=office", "spatial.place", "spatial.=x", "spatial.place=", "lunar.phase=full"] {
            assert!(bad.parse::<Circumstance>().is_err(), "{bad}");
        }
    }
}
