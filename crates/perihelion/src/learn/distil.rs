//! Distilling: what follows from the tasks that were recorded since the last time.
//!
//! How a task ended counts for the patterns it followed; tasks that succeeded in the same way become a pattern; patterns
//! that say the same are joined, proven ones are kept for good, failing ones are put aside. All of it is one
//! transaction with the mark that says what it was drawn from.

use std::collections::{BTreeMap, HashMap, HashSet};

use peri_learn::bank::{self, DistilSettings, Held};
use peri_store::{Distilled, Embedding, Order, TrajectoryQuery, WholePattern, Write, Written};
use peri_types::{
    Happening, Namespace, Pattern, PatternId, PatternTerm, Scope, Timestamp, Trajectory, TrajectoryId, Vector,
};
use serde::Serialize;

use super::bank::Bank;
use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::reindex::Sense;

/// So many new trajectories are looked at together.
const BATCH: usize = 200;

/// So many earlier ones of the same fields are looked at beside them: a task waits for its like.
const EARLIER: usize = 300;

/// So many patterns without a meaning are looked at together.
const EMBEDDED: usize = 32;

/// So often it is tried when others change the bank meanwhile.
const ATTEMPTS: usize = 8;

/// What was drawn from the trajectories of a namespace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Distilling {
    /// Where.
    pub namespace: Namespace,
    /// How many trajectories were new.
    pub trajectories: u64,
    /// Patterns that are new.
    pub learned: Vec<PatternId>,
    /// Patterns for which it counted how a task ended.
    pub judged: Vec<PatternId>,
    /// Patterns that are kept for good now.
    pub promoted: Vec<PatternId>,
    /// Patterns that are put aside.
    pub retired: Vec<PatternId>,
    /// How many patterns were joined into others.
    pub merged: u64,
}

impl Distilling {
    fn of(namespace: &Namespace) -> Self {
        Self {
            namespace: namespace.clone(),
            trajectories: 0,
            learned: Vec::new(),
            judged: Vec::new(),
            promoted: Vec::new(),
            retired: Vec::new(),
            merged: 0,
        }
    }

    /// Whether nothing came of it.
    pub fn is_empty(&self) -> bool {
        *self == Self::of(&self.namespace)
    }

    fn add(&mut self, other: Self) {
        self.trajectories += other.trajectories;
        self.learned.extend(other.learned);
        self.judged.extend(other.judged);
        self.promoted.extend(other.promoted);
        self.retired.extend(other.retired);
        self.merged += other.merged;
    }
}

impl Perihelion {
    /// Draws what follows from the trajectories of a scope, as long as `go_on` says so; for each namespace in which
    /// something came of it. By timer or by hand, once or a hundred times, it ends in the same place.
    pub fn distil(&self, scope: &Scope, go_on: &dyn Fn() -> bool) -> Result<Vec<Distilling>, Error> {
        let core = &self.core;
        let mut all = Vec::new();
        for stats in core.store.learning_stats(scope)? {
            let mut whole = Distilling::of(&stats.namespace);
            while go_on() {
                let part = core.distil_some(&stats.namespace)?;
                let is_last = part.trajectories < BATCH as u64;
                whole.add(part);
                if is_last {
                    break;
                }
            }
            let kept = core.options.learning.trajectories_kept;
            if stats.trajectories > kept as u64 && go_on() {
                core.store.write(vec![Write::DropTrajectories { namespace: stats.namespace, kept }])?;
            }
            if !whole.is_empty() {
                all.push(whole);
            }
        }
        core.publish();
        Ok(all)
    }
}

impl Core {
    /// Draws from the next trajectories of a namespace, again if somebody else was faster.
    fn distil_some(&self, namespace: &Namespace) -> Result<Distilling, Error> {
        for _ in 0..ATTEMPTS {
            let sense = self.sense();
            let new = self.new_trajectories(namespace)?;
            let bank = self.bank(&sense, namespace)?;
            let at = self.now();
            self.embed_patterns(&sense, namespace, &bank.read())?;
            let beside = self.beside(&sense, namespace, &new)?;
            // It works on a copy: nobody who recalls waits for it.
            let drawing = Drawing::of(&bank.read(), self);
            let drawn = drawing.draw(&new, &beside, at);
            if drawn.is_nothing() {
                return Ok(drawn.outcome);
            }
            let outcome = drawn.outcome.clone();
            let write =
                drawn.written(&bank.read(), namespace, &new, at, |text| self.meaning_of(&sense, text));
            if !self.store.write(vec![write])?.contains(&Written::Stale) {
                return Ok(outcome);
            }
        }
        Err(Error::PatternsBusy)
    }

    /// Gives patterns their meaning that have none in the space in use, some at a time.
    fn embed_patterns(&self, sense: &Sense, namespace: &Namespace, bank: &Bank) -> Result<(), Error> {
        let mut bare: Vec<&Pattern> = bank
            .patterns
            .values()
            .filter(|(pattern, vector)| vector.is_none() && pattern.retired_at.is_none())
            .map(|(pattern, _)| pattern)
            .collect();
        bare.sort_by_key(|pattern| pattern.id);
        let texts: Vec<&str> = bare.iter().take(EMBEDDED).map(|pattern| pattern.strategy.as_str()).collect();
        if texts.is_empty() || sense.engine.is_none() {
            return Ok(());
        }
        let vectors = self.embed_with(sense, &texts);
        let ready = bare.into_iter().zip(vectors).filter_map(|(pattern, embedding)| match embedding {
            Embedding::Ready(vector) => Some(bank.whole(pattern.clone(), Some(vector.values))),
            _ => None,
        });
        let patterns: Vec<WholePattern> = ready.collect();
        if !patterns.is_empty() {
            // If somebody else was faster, the next time will do.
            self.store.write(vec![Write::PutPatterns { patterns }])?;
            tracing::debug!(%namespace, "patterns were given their meaning");
        }
        Ok(())
    }

    fn new_trajectories(&self, namespace: &Namespace) -> Result<Vec<Trajectory>, Error> {
        let query = TrajectoryQuery {
            scope: Scope::Exact(namespace.clone()),
            undistilled: true,
            order: Order::OldestFirst,
            limit: BATCH,
            ..TrajectoryQuery::default()
        };
        Ok(self.store.trajectories(&query)?.trajectories)
    }

    /// New trajectories with earlier ones of the same fields, each with the meaning of its task.
    fn beside(&self, sense: &Sense, namespace: &Namespace, new: &[Trajectory]) -> Result<Vec<Traced>, Error> {
        let domains: HashSet<&str> = new.iter().map(|one| one.domain.as_str()).collect();
        let mut all: BTreeMap<TrajectoryId, Trajectory> =
            new.iter().map(|one| (one.id, one.clone())).collect();
        for domain in domains {
            let query = TrajectoryQuery {
                scope: Scope::Exact(namespace.clone()),
                domain: Some(domain.to_owned()),
                limit: EARLIER,
                ..TrajectoryQuery::default()
            };
            let page = self.store.trajectories(&query)?.trajectories;
            all.extend(page.into_iter().map(|one| (one.id, one)));
        }
        let texts: Vec<&str> = all.values().map(|one| one.task.as_str()).collect();
        let vectors = self.embed_with(sense, &texts);
        let with_vector = |(mut one, vector): (Trajectory, Embedding)| {
            // Whether something was drawn from it is told by the sources of patterns; the mark says that it was looked at.
            one.distilled_at = None;
            let vector = if let Embedding::Ready(vector) = vector { Some(vector.values) } else { None };
            (one, vector)
        };
        Ok(all.into_values().zip(vectors).map(with_vector).collect())
    }
}

/// A trajectory with the meaning of its task.
type Traced = (Trajectory, Option<Vec<f32>>);

/// What is drawn, on a copy of the bank.
struct Drawing {
    settings: bank::BankSettings,
    before: HashMap<PatternId, Pattern>,
    patterns: BTreeMap<PatternId, Pattern>,
    vectors: HashMap<PatternId, Vec<f32>>,
    outcome: Distilling,
}

impl Drawing {
    fn of(bank: &Bank, core: &Core) -> Self {
        let namespace = bank.patterns.values().next().map(|(pattern, _)| pattern.namespace.clone());
        let patterns: BTreeMap<_, _> =
            bank.patterns.iter().map(|(id, (pattern, _))| (*id, pattern.clone())).collect();
        let vectors = bank.patterns.iter().filter_map(|(id, (_, vector))| Some((*id, vector.clone()?)));
        Self {
            settings: core.options.learning.bank.clone(),
            before: patterns.clone().into_iter().collect(),
            vectors: vectors.collect(),
            patterns,
            outcome: Distilling::of(&namespace.unwrap_or_default()),
        }
    }

    fn draw(mut self, new: &[Trajectory], beside: &[Traced], now: Timestamp) -> Self {
        self.outcome.trajectories = new.len() as u64;
        if let Some(first) = new.first() {
            self.outcome.namespace = first.namespace.clone();
        }
        for trajectory in new {
            self.judge(trajectory);
        }
        if !new.is_empty() {
            self.learn(beside, now);
        }
        self.tend(now);
        self
    }

    /// How a task ended counts for the patterns that it followed.
    fn judge(&mut self, trajectory: &Trajectory) {
        for id in &trajectory.patterns {
            if let Some(pattern) = self.patterns.get_mut(id) {
                bank::record_outcome(pattern, trajectory.outcome, trajectory.at, &self.settings);
                self.outcome.judged.push(*id);
            }
        }
        self.outcome.judged.sort();
        self.outcome.judged.dedup();
    }

    fn learn(&mut self, beside: &[Traced], now: Timestamp) {
        let known: Vec<Pattern> = self.patterns.values().cloned().collect();
        for drawn in bank::distil(beside, &known, now, &DistilSettings::default(), &self.settings) {
            for replaced in drawn.replaces {
                if let Some(pattern) = self.patterns.get_mut(&replaced) {
                    pattern.retired_at.get_or_insert(now);
                    self.outcome.retired.push(replaced);
                }
            }
            self.outcome.learned.push(drawn.pattern.id);
            self.patterns.insert(drawn.pattern.id, drawn.pattern);
        }
    }

    fn tend(&mut self, now: Timestamp) {
        let held: Vec<Held<'_>> = self
            .patterns
            .values()
            .map(|pattern| Held { pattern, vector: self.vectors.get(&pattern.id).map(Vec::as_slice) })
            .collect();
        let tending = bank::tend(&held, now, &self.settings);
        let mut patterns: Vec<Pattern> = self.patterns.values().cloned().collect();
        tending.apply(&mut patterns, now, &self.settings);
        self.patterns = patterns.into_iter().map(|pattern| (pattern.id, pattern)).collect();
        self.outcome.promoted.extend(tending.promoted);
        self.outcome.retired.extend(tending.retired.into_iter().map(|(id, _)| id));
        self.outcome.merged += tending.merged.len() as u64;
    }

    fn changed(&self) -> impl Iterator<Item = &Pattern> {
        self.patterns.values().filter(|pattern| self.before.get(&pattern.id) != Some(pattern))
    }

    fn is_nothing(&self) -> bool {
        self.outcome.trajectories == 0 && self.changed().next().is_none()
    }

    /// The transaction that makes it so.
    fn written(
        mut self,
        bank: &Bank,
        namespace: &Namespace,
        new: &[Trajectory],
        at: Timestamp,
        meaning: impl Fn(&str) -> Option<Vector>,
    ) -> Write {
        let changed: Vec<Pattern> = self.changed().cloned().collect();
        for pattern in changed.iter().filter(|pattern| !self.before.contains_key(&pattern.id)) {
            if let Some(vector) = meaning(&pattern.strategy) {
                self.vectors.insert(pattern.id, vector.values);
            }
        }
        let told = self.told();
        let whole = |pattern: Pattern| -> WholePattern {
            let vector = self.vectors.get(&pattern.id).cloned();
            bank.whole(pattern, vector)
        };
        Write::Distil(Box::new(Distilled {
            namespace: namespace.clone(),
            patterns: changed.into_iter().map(whole).collect(),
            trajectories: new.iter().map(|trajectory| trajectory.id).collect(),
            told,
            at,
        }))
    }

    fn told(&self) -> Vec<Happening> {
        let quality = |id: &PatternId| self.patterns.get(id).map_or(0.0, |pattern| pattern.quality);
        let learned = self.outcome.learned.iter();
        let learned = learned.map(|id| Happening::PatternLearned { pattern: *id, quality: quality(id) });
        let is_long =
            |id: &&PatternId| self.patterns.get(*id).is_some_and(|pattern| pattern.term == PatternTerm::Long);
        let promoted = self.outcome.promoted.iter().filter(is_long);
        let promoted = promoted.map(|id| Happening::PatternPromoted { pattern: *id });
        let retired = self.outcome.retired.iter().map(|id| Happening::PatternRetired { pattern: *id });
        learned.chain(promoted).chain(retired).collect()
    }
}
