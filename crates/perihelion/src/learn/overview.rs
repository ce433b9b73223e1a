//! What has been learned, in numbers, and going back to what was learned before.

use peri_store::{LearnedSet, LearningStats};
use peri_types::{Namespace, Scope, Timestamp};
use serde::Serialize;

use super::route::ROUTER;
use crate::Error;
use crate::engine::Perihelion;

/// What routers and adapters are called.
const NAMES: [&str; 2] = [ROUTER, super::adapt::ADAPTER];

/// So many sets are looked at.
const SETS: usize = 20;

/// What has been learned, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearningOverview {
    /// Patterns that have to prove themselves.
    pub short_term: u64,
    /// Patterns that have.
    pub long_term: u64,
    /// Patterns that were put aside.
    pub retired: u64,
    /// Trajectories.
    pub trajectories: u64,
    /// How many of them nothing was drawn from yet.
    pub undistilled: u64,
    /// What recall and routing go by, where something was learned.
    pub learned: Vec<LearnedInfo>,
    /// Each namespace by itself.
    pub namespaces: Vec<LearningStats>,
}

/// Something that was learned as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedInfo {
    /// Where.
    pub namespace: Namespace,
    /// What: `router` or `adapter`.
    pub name: String,
    /// The number of the set.
    pub set: u64,
    /// When it was taken.
    pub at: Timestamp,
    /// Why.
    pub reason: String,
    /// Whether it takes part.
    pub active: bool,
}

impl LearnedInfo {
    fn of(namespace: &Namespace, set: LearnedSet) -> Self {
        Self {
            namespace: namespace.clone(),
            name: set.name,
            set: set.number,
            at: set.at,
            reason: set.reason,
            active: !set.value.is_null(),
        }
    }
}

impl Perihelion {
    /// What has been learned, in numbers.
    pub fn learning(&self, scope: &Scope) -> Result<LearningOverview, Error> {
        let store = &self.core.store;
        let namespaces = store.learning_stats(scope)?;
        let mut learned = Vec::new();
        for namespace in store.namespaces(scope)? {
            for name in NAMES {
                let latest = store.learned(&namespace, name, 0, 1)?;
                learned.extend(latest.into_iter().map(|set| LearnedInfo::of(&namespace, set)));
            }
        }
        let sum = |part: fn(&LearningStats) -> u64| namespaces.iter().map(part).sum();
        Ok(LearningOverview {
            short_term: sum(|stats| stats.short_term),
            long_term: sum(|stats| stats.long_term),
            retired: sum(|stats| stats.retired),
            trajectories: sum(|stats| stats.trajectories),
            undistilled: sum(|stats| stats.undistilled),
            learned,
            namespaces,
        })
    }

    /// What was learned in a namespace under a name, the latest first: that holds.
    pub fn learned_sets(&self, namespace: &Namespace, name: &str) -> Result<Vec<LearnedInfo>, Error> {
        let name = known_name(name)?;
        let sets = self.core.store.learned(namespace, name, 0, SETS)?;
        Ok(sets.into_iter().map(|set| LearnedInfo::of(namespace, set)).collect())
    }

    /// Goes back to what was learned before, by its number; 0 is nothing learned. The sets since then stay in the
    /// history.
    pub fn rollback_learned(
        &self,
        namespace: &Namespace,
        name: &str,
        number: u64,
    ) -> Result<LearnedInfo, Error> {
        let core = &self.core;
        let name = known_name(name)?;
        let sets = core.store.learned(namespace, name, 0, SETS)?;
        let known = sets.first().map_or(0, |set| set.number);
        let value = match sets.into_iter().find(|set| set.number == number) {
            Some(set) => set.value,
            None if number == 0 => serde_json::Value::Null,
            None => return Err(Error::NoLearned { name, number, known }),
        };
        core.set_learned(namespace, name, value, format!("rolled back to {number}"))?;
        core.adapters.forget(namespace);
        let latest = core.store.learned(namespace, name, 0, 1)?.pop();
        let latest = latest.ok_or(Error::NoLearned { name, number, known })?;
        Ok(LearnedInfo::of(namespace, latest))
    }
}

fn known_name(name: &str) -> Result<&'static str, Error> {
    NAMES.into_iter().find(|own| *own == name).ok_or_else(|| {
        Error::Name(peri_types::UnknownName {
            what: "name of what was learned",
            given: name.to_owned(),
            expected: NAMES.join(", "),
        })
    })
}
