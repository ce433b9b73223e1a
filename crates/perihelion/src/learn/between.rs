//! Looking up patterns by the beginning of their ids, which is how people type them.

use peri_types::{PatternId, Scope};

use crate::Error;
use crate::engine::Perihelion;

impl Perihelion {
    /// The ids of patterns between two, both included, sorted; those that were put aside too. At most so many.
    pub fn pattern_ids_between(
        &self,
        scope: &Scope,
        (first, last): (PatternId, PatternId),
        limit: usize,
    ) -> Result<Vec<PatternId>, Error> {
        let core = &self.core;
        let sense = core.sense();
        let mut found = Vec::new();
        for namespace in core.store.namespaces(scope)? {
            let bank = core.bank(&sense, &namespace)?;
            let bank = bank.read();
            found.extend(bank.patterns.keys().filter(|id| (first..=last).contains(id)).copied());
        }
        found.sort_unstable();
        found.truncate(limit);
        Ok(found)
    }
}
