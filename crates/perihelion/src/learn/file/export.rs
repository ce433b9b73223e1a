//! What was learned, to a learning file.

use std::path::Path;

use peri_learn::rvf::{PatternRecord, Persisted, RvfLearningStore, TrajectoryRecord};
use peri_store::{Order, TrajectoryQuery};
use peri_types::{ChangeNumber, Namespace, Scope};

use super::super::adapt::{self, ADAPTER};
use super::{LearningExported, adapter};
use crate::Error;
use crate::engine::{Core, Perihelion};

/// So many records are read at a time.
const PAGE: usize = 256;

impl Perihelion {
    /// Writes what a scope has learned to a learning file: patterns with their vectors, trajectories, and adapters with
    /// what protects them. A learning file that is there is brought up to date, and whatever it holds besides stays;
    /// any other file is left as it is.
    pub fn export_learning(&self, path: &Path, scope: &Scope) -> Result<LearningExported, Error> {
        let core = &self.core;
        let mut file = RvfLearningStore::new(path);
        file.initialize()?;
        let mut exported =
            LearningExported { patterns: 0, trajectories: 0, adapters: 0, kept: 0, damaged: None };
        for namespace in core.store.namespaces(scope)? {
            exported.patterns += core.save_patterns(&namespace, &mut file)?;
            exported.trajectories += core.save_trajectories(&namespace, &mut file)?;
            exported.adapters += core.save_adapter(&namespace, &mut file)?;
        }
        let written = exported.patterns + exported.trajectories + 2 * exported.adapters;
        exported.kept = (file.file().len() as u64).saturating_sub(written);
        if let Persisted::Written { damaged } = file.persist()? {
            exported.damaged = damaged;
        }
        Ok(exported)
    }
}

impl Core {
    fn save_patterns(&self, namespace: &Namespace, file: &mut RvfLearningStore) -> Result<u64, Error> {
        let sense = self.sense();
        let space = sense.indexes.space();
        let (mut rows, mut after) = (Vec::new(), ChangeNumber::default());
        loop {
            let page = self.store.patterns(namespace, space, after, PAGE)?;
            let Some((last, _)) = page.last() else { break };
            after = last.change;
            rows.extend(page);
        }
        // The store knows them in the order of their changes, which is not the same in every store.
        rows.sort_by_key(|(pattern, _)| pattern.id);
        let count = rows.len() as u64;
        for (pattern, vector) in rows {
            let space = vector.is_some().then(|| space.cloned()).flatten();
            file.save_pattern(PatternRecord { space, ..PatternRecord::of(&pattern, vector) })?;
        }
        Ok(count)
    }

    fn save_trajectories(&self, namespace: &Namespace, file: &mut RvfLearningStore) -> Result<u64, Error> {
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let mut query = TrajectoryQuery { scope, order, limit: PAGE, ..TrajectoryQuery::default() };
        let mut count = 0;
        loop {
            let page = self.store.trajectories(&query)?;
            for trajectory in &page.trajectories {
                file.save_trajectory(TrajectoryRecord::of(trajectory, None))?;
                count += 1;
            }
            query.after = page.next;
            if query.after.is_none() {
                return Ok(count);
            }
        }
    }

    fn save_adapter(&self, namespace: &Namespace, file: &mut RvfLearningStore) -> Result<u64, Error> {
        let Some(set) = self.store.learned(namespace, ADAPTER, 0, 1)?.pop() else { return Ok(0) };
        let at = set.at;
        let Some(kept) = adapt::read(set) else { return Ok(0) };
        let (lora, ewc) = adapter::records(&kept, namespace, at);
        file.save_ewc(ewc)?;
        file.save_adapter(lora)?;
        Ok(1)
    }
}
