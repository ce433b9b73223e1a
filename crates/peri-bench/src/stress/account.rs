//! What one actor did and saw, and whether it adds up at the end.

use std::collections::{BTreeMap, HashMap, HashSet};

use perihelion::{Error, ErrorKind, Memory, MemoryId, Perihelion, Scope};
use serde::{Deserialize, Serialize};

use super::events::Told;
use crate::Outcome;

/// So many violations are told in full.
const TOLD_MAX: usize = 50;

/// What was done and seen.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Account {
    /// How long each call took, in microseconds, by the name of the operation.
    pub(super) micros: BTreeMap<String, Vec<f64>>,
    /// Calls that were refused because others were faster, by operation and reason.
    pub(super) refused: BTreeMap<String, u64>,
    /// Episodes and long-term memories that were acknowledged.
    pub(super) kept: Vec<MemoryId>,
    /// Memories whose destruction was acknowledged.
    pub(super) destroyed: HashSet<MemoryId>,
    /// What must not be.
    pub(super) violations: Vec<String>,
}

impl Account {
    /// Notes how long a call took and whether its refusal was to be expected. What it answered comes back.
    pub(super) fn note<T>(&mut self, operation: &str, time: f64, outcome: Result<T, Error>) -> Option<T> {
        self.micros.entry(operation.to_owned()).or_default().push(time);
        match outcome {
            Ok(answer) => Some(answer),
            // Beside chores and other actors, what was there a moment ago may be gone.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Conflict) => {
                *self.refused.entry(format!("{operation}: {}", reason(&error))).or_default() += 1;
                None
            }
            Err(error) => {
                self.violate(format!("{operation} failed: {error}"));
                None
            }
        }
    }

    /// Notes something that must not be.
    pub(super) fn violate(&mut self, what: String) {
        if self.violations.len() < TOLD_MAX {
            self.violations.push(what);
        }
    }

    /// Adds what another did.
    pub(super) fn join(&mut self, other: Self) {
        for (operation, micros) in other.micros {
            self.micros.entry(operation).or_default().extend(micros);
        }
        for (what, count) in other.refused {
            *self.refused.entry(what).or_default() += count;
        }
        self.kept.extend(other.kept);
        self.destroyed.extend(other.destroyed);
        other.violations.into_iter().for_each(|what| self.violate(what));
    }

    /// Checks at the end that everything acknowledged is there or accounted for, and that what is gone stays gone.
    pub(super) fn check(&mut self, engine: &Perihelion, told: &Told) -> Outcome<()> {
        let kept: HashSet<MemoryId> = self.kept.drain(..).collect();
        for id in &kept {
            match engine.get(&Scope::All, *id) {
                Ok(memory) => self.check_there(&memory, told),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    if !told.destroyed.contains(id) {
                        self.violate(format!("{id} is lost: it is not there, and no event says why"));
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        let gone: Vec<MemoryId> = told.destroyed.union(&self.destroyed).copied().collect();
        for id in gone {
            if engine.get(&Scope::All, id).is_ok() {
                self.violate(format!("{id} was destroyed and came back"));
            }
        }
        self.kept = kept.into_iter().collect();
        Ok(())
    }

    /// A memory that is not current must say why, and so must the log.
    fn check_there(&mut self, memory: &Memory, told: &Told) {
        let id = memory.id;
        if memory.trashed_at.is_some() && !told.trashed.contains(&id) {
            self.violate(format!("{id} lies in the trash, and no event says why"));
        }
        if memory.facets.promoted_to.is_some() && !told.promoted.contains(&id) {
            self.violate(format!("{id} was promoted, and no event says so"));
        }
    }
}

/// The beginning of an error's text: without ids, so that equal reasons are counted together.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    let words = text.split_whitespace().filter(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words.take(8).collect::<Vec<_>>().join(" ")
}

/// How many there are of each.
pub(super) type Counts = HashMap<String, u64>;
