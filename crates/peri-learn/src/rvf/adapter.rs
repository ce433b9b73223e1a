//! What an adapter of queries has learned, and what protects it, as the file holds them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::Timestamp;
use peri_types::{Namespace, SpaceId};
use serde::{Deserialize, Serialize};

use super::entry::{Record, number_fault, text_fault};

/// The state of elastic weight consolidation. The first three fields are those that every learning file has.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EwcRecord {
    /// How many tasks have been learned.
    #[serde(default)]
    pub tasks_learned: u32,
    /// How strongly earlier tasks are protected.
    #[serde(default)]
    pub protection_strength: f32,
    /// The weights that each task ended with.
    #[serde(default)]
    pub task_weights: BTreeMap<String, Vec<f32>>,
    /// How much each of these weights mattered to the task: the diagonal of its Fisher information.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub task_importance: BTreeMap<String, Vec<f32>>,
    /// The adapter that it protects, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The namespace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
}

impl Record for EwcRecord {
    const KIND: &'static str = "ewc";

    fn key(&self) -> Cow<'_, str> {
        key(self.namespace.as_ref(), self.name.as_deref().unwrap_or_default())
    }

    fn fault(&self) -> Option<String> {
        let names = self.task_weights.keys().chain(self.task_importance.keys()).chain(&self.name);
        text_fault(names.map(String::as_str))
            .or_else(|| number_fault("protection_strength", [&self.protection_strength]))
            .or_else(|| number_fault("task_weights", self.task_weights.values().flatten()))
            .or_else(|| number_fault("task_importance", self.task_importance.values().flatten()))
    }
}

/// One matrix of an adapter, row after row.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// How many rows it has.
    pub rows: u32,
    /// How many columns it has.
    pub columns: u32,
    /// Its numbers, rows × columns.
    pub values: Vec<f32>,
}

/// The weights of a low-rank adapter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AdapterRecord {
    /// What it is called.
    pub name: String,
    /// The rank of the correction.
    pub rank: u32,
    /// How many dimensions the vectors have that it adapts.
    pub dimensions: u32,
    /// Its matrices by name.
    pub factors: BTreeMap<String, Factor>,
    /// The namespace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Namespace>,
    /// The space that it adapts vectors of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<SpaceId>,
    /// When it was last trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trained_at: Option<Timestamp>,
}

impl Record for AdapterRecord {
    const KIND: &'static str = "lora";

    fn key(&self) -> Cow<'_, str> {
        key(self.namespace.as_ref(), &self.name)
    }

    fn fault(&self) -> Option<String> {
        let texts = self.factors.keys().chain([&self.name]).map(String::as_str);
        text_fault(texts).or_else(|| self.factors.iter().find_map(|(name, factor)| factor.fault(name)))
    }
}

impl Factor {
    fn fault(&self, name: &str) -> Option<String> {
        let size = u64::from(self.rows) * u64::from(self.columns);
        if size != self.values.len() as u64 {
            let (rows, columns, count) = (self.rows, self.columns, self.values.len());
            return Some(format!("factor {name:?} is {rows} by {columns} but holds {count} numbers"));
        }
        number_fault(name, &self.values)
    }
}

/// Neither part may hold a NUL character, so that no two pairs give the same key.
fn key<'a>(namespace: Option<&Namespace>, name: &'a str) -> Cow<'a, str> {
    match namespace {
        Some(namespace) => Cow::Owned(format!("{namespace}\0{name}")),
        None => Cow::Borrowed(name),
    }
}
