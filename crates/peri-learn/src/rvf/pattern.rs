//! Patterns as the file holds them.

use std::borrow::Cow;

use jiff::Timestamp;
use peri_types::{Namespace, PatternTerm, SpaceId, TrajectoryId};
use serde::{Deserialize, Serialize};

use super::entry::{Record, number_fault, text_fault};

/// A pattern. The first six fields are those that every learning file has; the others are missing in files of others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PatternRecord {
    /// Its identity; any text in files of others.
    pub id: String,
    /// What to do, in words.
    pub strategy: String,
    /// The vector of the strategy; empty if there is none.
    #[serde(default)]
    pub embedding: Vec<f32>,
    /// Which share of its uses succeeded, from 0 to 1.
    #[serde(default)]
    pub success_rate: f32,
    /// How often it was followed.
    #[serde(default)]
    pub use_count: u32,
    /// When it was last followed, or learned if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used: Option<Timestamp>,
    /// The space of the vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
    /// The namespace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// The field it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How well it works, from 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<f32>,
    /// How often following it succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successes: Option<u32>,
    /// How long it is meant to be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<PatternTerm>,
    /// The same in files of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_long_term: Option<bool>,
    /// The trajectories it was drawn from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<TrajectoryId>,
    /// When it was learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// When it was last followed; missing if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
    /// When it was put aside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
}

impl Record for PatternRecord {
    const KIND: &'static str = "pattern";

    fn key(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn fault(&self) -> Option<String> {
        let texts = [Some(&self.id), Some(&self.strategy), self.domain.as_ref(), self.agent.as_ref()];
        text_fault(texts.into_iter().flatten().map(String::as_str))
            .or_else(|| number_fault("embedding", &self.embedding))
            .or_else(|| number_fault("success_rate", [&self.success_rate]))
            .or_else(|| number_fault("quality", &self.quality))
    }
}
