//! The record at the centre of everything.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ChangeNumber, Context, EntryId, Fingerprint, Kind, Layer, MemoryId, Namespace, SpaceId, Zone};

/// How much a memory was said to matter, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Importance(f32);

/// A number that is not an importance.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("importance {given} is not between 0 and 1")]
pub struct InvalidImportance {
    /// What was given.
    pub given: f64,
}

impl Importance {
    /// What a memory gets when nobody says how much it matters.
    pub const ORDINARY: Self = Self(0.5);

    /// The importance with this value, which must lie between 0 and 1.
    pub fn new(value: f64) -> Result<Self, InvalidImportance> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value as f32))
        } else {
            Err(InvalidImportance { given: value })
        }
    }

    /// The value, from 0 to 1.
    pub fn value(self) -> f32 {
        self.0
    }
}

impl Default for Importance {
    fn default() -> Self {
        Self::ORDINARY
    }
}

impl TryFrom<f64> for Importance {
    type Error = InvalidImportance;

    fn try_from(value: f64) -> Result<Self, InvalidImportance> {
        Self::new(value)
    }
}

impl From<Importance> for f64 {
    fn from(importance: Importance) -> f64 {
        // Through text, so that 0.7 is written as 0.7 and not as 0.699999988079071.
        importance.0.to_string().parse().unwrap_or(f64::from(importance.0))
    }
}

/// What a person or an agent says about a memory besides its content. All of it may be left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Facets {
    /// Words to file it under; filters ask for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Other names of what it is about; recall finds it by them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// The conversation it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Where it came from, such as a file or a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The journal event it came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryId>,
    /// When it was said or happened, if that is known and not simply now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurred_at: Option<Timestamp>,
    /// From when on it must not be seen any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// From when on it holds, if that is known and not simply since it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it holds, or held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// The memory that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<MemoryId>,
    /// Kept near and never decayed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// What it is called by in the working memory of its session. There is one of each name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The circumstances of an episode: when, where, in what mood, with whom.
    #[serde(skip_serializing_if = "Context::is_empty")]
    pub context: Context,
    /// The same as the content with its structure: a value, what is known of a concept, the steps of a procedure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<serde_json::Value>,
    /// The layer it was promoted from, by the engine or by hand. What it was made from is linked by `derived_from`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promoted_from: Option<Layer>,
    /// The memory of a longer-lived layer that it became a source of. It is put aside for that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promoted_to: Option<MemoryId>,
    /// Never promoted by the engine, because somebody undid that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub promotion_undone: bool,
    /// Anything else, untouched.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// What moves memories to the trash without being asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TrashedBy {
    /// It faded: it was in the cloud and not used for long.
    Decay,
    /// It was an episode, and the retention of episodes was over.
    Retention,
    /// Long-term memory was over a limit that was set.
    Limits,
    /// It was to expire by a time that was given with it.
    Expiry,
}

impl TrashedBy {
    /// The number the store keeps.
    pub const fn code(self) -> u8 {
        match self {
            Self::Decay => 1,
            Self::Retention => 2,
            Self::Limits => 3,
            Self::Expiry => 4,
        }
    }

    /// The one with a number.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            1 => Some(Self::Decay),
            2 => Some(Self::Retention),
            3 => Some(Self::Limits),
            4 => Some(Self::Expiry),
            _ => None,
        }
    }
}

/// One statement worth keeping.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Memory {
    /// Its identity, for good.
    pub id: MemoryId,
    /// The one namespace it belongs to.
    pub namespace: Namespace,
    /// The statement.
    pub content: String,
    /// How long it is meant to live.
    pub layer: Layer,
    /// What it is.
    pub kind: Kind,
    /// How much it was said to matter.
    pub importance: Importance,
    /// How near it orbits, as of the last settled step.
    #[serde(default)]
    pub zone: Zone,
    /// What else was said about it.
    #[serde(flatten)]
    pub facets: Facets,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts revisions, from 1.
    pub version: u32,
    /// Since when it lies in the trash, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trashed_at: Option<Timestamp>,
    /// What moved it to the trash, if nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trashed_by: Option<TrashedBy>,
    /// The space of its vector, or none while it has no vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
    /// The change that last touched it.
    pub change: ChangeNumber,
}

impl Memory {
    /// When it was said or happened: as told, or else when it was stored.
    pub fn at(&self) -> Timestamp {
        self.facets.occurred_at.unwrap_or(self.created_at)
    }

    /// What makes it the same statement as another; see [`Fingerprint`]. A part of a knowledge graph is the same as
    /// another only if it is the same part, a document only if it is the same file, and what has a key in a working
    /// memory only if it has the same one there.
    /// What was put aside for a promotion leaves its place to the memory that it became a source of.
    pub fn fingerprint(&self) -> Fingerprint {
        let facets = &self.facets;
        if facets.promoted_to.is_some() {
            return Fingerprint::of_aside(self.id);
        }
        if let Some(part) = self.part() {
            return part.fingerprint(&self.content, facets.occurred_at);
        }
        if let Some(fingerprint) = self.fingerprint_of_document() {
            return fingerprint;
        }
        if let (Layer::Working, Some(key)) = (self.layer, &facets.key) {
            return Fingerprint::of_key(facets.session.as_deref(), key);
        }
        Fingerprint::of(
            &self.content,
            facets.speaker.as_deref(),
            facets.session.as_deref(),
            facets.occurred_at,
        )
    }

    /// From when on it holds: as told, or else since it was said.
    pub fn valid_from(&self) -> Timestamp {
        self.facets.valid_from.unwrap_or_else(|| self.at())
    }

    /// Whether its time is over.
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.facets.expires_at.is_some_and(|at| at <= now)
    }

    /// Whether recall may return it at this time.
    pub fn is_visible(&self, now: Timestamp) -> bool {
        self.trashed_at.is_none()
            && self.facets.superseded_by.is_none()
            && self.facets.expires_at.is_none_or(|at| now < at)
            && self.facets.valid_until.is_none_or(|until| now < until)
    }

    /// Whether it held at a time in the past, and may be seen now.
    pub fn held_at(&self, then: Timestamp, now: Timestamp) -> bool {
        self.trashed_at.is_none()
            && self.facets.expires_at.is_none_or(|at| now < at)
            && self.valid_from() <= then
            && self.facets.valid_until.is_none_or(|until| then < until)
    }
}

/// What a memory said before a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Version {
    /// The revision's number, from 1.
    pub version: u32,
    /// The content it had.
    pub content: String,
    /// From when on it had it.
    pub since: Timestamp,
    /// Until when it had it.
    pub until: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_is_written_as_it_was_given() {
        let importance = Importance::new(0.7).unwrap();
        assert_eq!(serde_json::to_string(&importance).unwrap(), "0.7");
        assert!(Importance::new(1.5).is_err() && Importance::new(f64::NAN).is_err());
        assert!(serde_json::from_str::<Importance>("-1").is_err());
    }
}
