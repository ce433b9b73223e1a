//! What was learned, from a learning file.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use peri_learn::bank::{self, Held};
use peri_learn::rvf::{
    AdapterRecord, Ending, EwcRecord, Origin, ReadReport, Record, RvfError, RvfFile, RvfLearningStore,
};
use peri_store::{Embedding, OnConflict, WholePattern, Write, Written};
use peri_types::{
    Happening, LimitError, Namespace, Pattern, PatternId, PatternTerm, Scope, SpaceId, Trajectory,
};

use super::super::adapt::ADAPTER;
use super::super::bank::Bank;
use super::super::record::STEPS_MAX;
use super::{LearningImported, adapter};
use crate::engine::{Core, Perihelion};
use crate::redact::redact_text;
use crate::reindex::Sense;
use crate::{Effect, Error, RedactedSecret, Redaction};

/// So many trajectories are written together.
const BATCH: usize = 256;

/// A pattern as the file has it: with its vector, if that is of the space that is in use.
type Brought = (Pattern, Option<Vec<f32>>);

impl Perihelion {
    /// Takes in a learning file. What names no namespace goes to this one. What is here already stays as it is; a pattern
    /// that says the same as one that is here is joined into it; whatever cannot be used is told, and the rest is taken.
    pub fn import_learning(
        &self,
        path: &Path,
        namespace: &Namespace,
        effect: Effect,
    ) -> Result<LearningImported, Error> {
        if let Err(source) = std::fs::metadata(path) {
            return Err(RvfError::File { path: path.to_owned(), doing: "read", source }.into());
        }
        let mut store = RvfLearningStore::new(path);
        let report = store.initialize()?;
        let origin = Origin { namespace: namespace.clone(), at: self.core.now() };
        let mut arrival = Arrival { core: &self.core, effect, found: told(&report) };
        arrival.trajectories(store.file(), &origin)?;
        arrival.patterns(store.file(), &origin)?;
        arrival.adapters(store.file(), &origin)?;
        self.core.publish();
        self.core.nudge();
        Ok(arrival.found)
    }
}

fn told(report: &ReadReport) -> LearningImported {
    let mut found = LearningImported {
        foreign: report.foreign as u64,
        torn: report.ending == Ending::CutLine,
        refused: report.skipped as u64,
        ..LearningImported::default()
    };
    let problems = report.problems.iter();
    found.problems = problems.map(|problem| format!("line {}: {}", problem.line, problem.reason)).collect();
    found
}

struct Arrival<'a> {
    core: &'a Core,
    effect: Effect,
    found: LearningImported,
}

impl Arrival<'_> {
    fn trajectories(&mut self, file: &RvfFile, origin: &Origin) -> Result<(), Error> {
        let mut batch = Vec::new();
        for record in file.trajectories.records() {
            let trajectory = match record.to_trajectory(origin) {
                Ok((trajectory, _)) => trajectory,
                Err(error) => {
                    self.found.refuse(error.to_string());
                    continue;
                }
            };
            let trajectory = self.redacted_trajectory(trajectory);
            if let Err(error) = self.core.check_adopted(&trajectory) {
                self.found.refuse(format!("trajectory {:?}: {error}", record.id));
                continue;
            }
            batch.push(trajectory);
            if batch.len() == BATCH {
                self.adopt(std::mem::take(&mut batch))?;
            }
        }
        self.adopt(batch)
    }

    fn adopt(&mut self, batch: Vec<Trajectory>) -> Result<(), Error> {
        let (core, at) = (self.core, self.core.now());
        let mut new = Vec::new();
        for trajectory in batch {
            let scope = Scope::Exact(trajectory.namespace.clone());
            if core.store.trajectory(&scope, trajectory.id)?.is_some() {
                self.found.trajectories_known += 1;
            } else {
                new.push(trajectory);
            }
        }
        if self.effect == Effect::Rehearsed || new.is_empty() {
            self.found.trajectories += new.len() as u64;
            return Ok(());
        }
        let adopted = |trajectory| Write::AdoptTrajectory {
            trajectory: Box::new(trajectory),
            on_conflict: OnConflict::Keep,
            at,
        };
        for written in core.store.write(new.into_iter().map(adopted).collect())? {
            match written {
                Written::TrajectoryAdopted(false) => self.found.trajectories_known += 1,
                _ => self.found.trajectories += 1,
            }
        }
        Ok(())
    }

    fn patterns(&mut self, file: &RvfFile, origin: &Origin) -> Result<(), Error> {
        let sense = self.core.sense();
        let space = sense.indexes.space().cloned();
        let mut by_namespace: BTreeMap<Namespace, Vec<Brought>> = BTreeMap::new();
        for record in file.patterns.records() {
            let (pattern, vector) = match record.to_pattern(origin) {
                Ok(brought) => brought,
                Err(error) => {
                    self.found.refuse(error.to_string());
                    continue;
                }
            };
            let strategy = pattern.strategy.clone();
            let pattern = self.redacted_pattern(pattern);
            if let Err(error) = self.core.check_brought(&pattern) {
                self.found.refuse(format!("pattern {:?}: {error}", record.id));
                continue;
            }
            // Words that were changed have another meaning.
            let is_same = pattern.strategy == strategy;
            let vector =
                vector.filter(|vector| is_same && fits(vector, record.space.as_ref(), space.as_ref()));
            by_namespace.entry(pattern.namespace.clone()).or_default().push((pattern, vector));
        }
        by_namespace.into_iter().try_for_each(|(namespace, brought)| self.join(&namespace, &brought))
    }

    /// Brings the patterns of one namespace in, all of them in one transaction.
    fn join(&mut self, namespace: &Namespace, brought: &[Brought]) -> Result<(), Error> {
        let (core, effect) = (self.core, self.effect);
        let joined = core.change_patterns(namespace, |bank, sense| {
            let mut joining = Joining::onto(core, bank);
            let vectors = core.vectors_of(sense, bank, brought);
            for ((pattern, given), vector) in brought.iter().zip(vectors) {
                joining.take(pattern, given.is_some(), vector);
            }
            let (whole, told) = match effect {
                Effect::Written => joining.written(bank),
                Effect::Rehearsed => (Vec::new(), Vec::new()),
            };
            Ok((whole, told, joining.counts))
        })?;
        let found = &mut self.found;
        found.patterns += joined.patterns;
        found.merged += joined.merged;
        found.patterns_known += joined.patterns_known;
        found.vectors_taken += joined.vectors_taken;
        found.vectors_made += joined.vectors_made;
        Ok(())
    }

    fn adapters(&mut self, file: &RvfFile, origin: &Origin) -> Result<(), Error> {
        let sense = self.core.sense();
        for lora in file.adapters.records() {
            let ewc = file.ewc.get(&lora.key());
            if self.take_adapter(lora, ewc, sense.indexes.space(), origin)? {
                self.found.adapters += 1;
            } else {
                self.found.adapters_left += 1;
            }
        }
        Ok(())
    }

    /// What a namespace has learned by itself stays; one that has learned nothing goes by what others have.
    fn take_adapter(
        &self,
        lora: &AdapterRecord,
        ewc: Option<&EwcRecord>,
        space: Option<&SpaceId>,
        origin: &Origin,
    ) -> Result<bool, Error> {
        let core = self.core;
        let mode = core.options.learning.mode;
        let Some(kept) = space.and_then(|space| adapter::kept(lora, ewc, space, mode)) else {
            return Ok(false);
        };
        let namespace = lora.namespace.as_ref().unwrap_or(&origin.namespace);
        if !core.store.learned(namespace, ADAPTER, 0, 1)?.is_empty() {
            return Ok(false);
        }
        if self.effect == Effect::Written {
            let value = serde_json::to_value(&kept).map_err(|error| Error::Transfer(error.into()))?;
            let reason =
                "brought in by a learning file; it has proved itself where it was learned".to_owned();
            core.set_learned(namespace, ADAPTER, value, reason)?;
            core.adapters.forget(namespace);
        }
        Ok(true)
    }

    fn redacted_trajectory(&mut self, mut trajectory: Trajectory) -> Trajectory {
        let Trajectory { session, task, domain, agent, steps, .. } = &mut trajectory;
        let labels = [session, agent].into_iter().flatten();
        let steps = steps.iter_mut().flat_map(|step| [&mut step.input, &mut step.output]);
        self.redact([task, domain].into_iter().chain(labels).chain(steps));
        trajectory
    }

    fn redacted_pattern(&mut self, mut pattern: Pattern) -> Pattern {
        let Pattern { strategy, domain, agent, .. } = &mut pattern;
        self.redact([strategy, domain].into_iter().chain(agent));
        pattern
    }

    fn redact<'t>(&mut self, texts: impl Iterator<Item = &'t mut String>) {
        if self.core.options.redaction == Redaction::On {
            let mut found: Vec<RedactedSecret> = Vec::new();
            texts.for_each(|text| redact_text(text, &mut found));
            self.found.redacted += found.len() as u64;
        }
    }
}

/// Whether a vector that a file brings can be compared with those that are here.
fn fits(vector: &[f32], stated: Option<&SpaceId>, space: Option<&SpaceId>) -> bool {
    let is_sound = vector.iter().all(|value| value.is_finite()) && vector.iter().any(|value| *value != 0.0);
    space.is_some_and(|space| stated == Some(space) && vector.len() == space.dimensions as usize) && is_sound
}

/// Patterns that come in, on a copy of the bank.
struct Joining<'a> {
    core: &'a Core,
    patterns: Vec<Brought>,
    places: HashMap<PatternId, usize>,
    changed: Vec<usize>,
    learned: Vec<usize>,
    counts: LearningImported,
}

impl<'a> Joining<'a> {
    fn onto(core: &'a Core, bank: &Bank) -> Self {
        let mut patterns: Vec<Brought> = bank.patterns.values().cloned().collect();
        patterns.sort_by_key(|(pattern, _)| pattern.id);
        let places = patterns.iter().enumerate().map(|(at, (pattern, _))| (pattern.id, at)).collect();
        let counts = LearningImported::default();
        Self { core, patterns, places, changed: Vec::new(), learned: Vec::new(), counts }
    }

    fn take(&mut self, pattern: &Pattern, is_given: bool, vector: Option<Vec<f32>>) {
        if self.places.contains_key(&pattern.id) {
            self.counts.patterns_known += 1;
            return;
        }
        let Some(at) = self.same(pattern, vector.as_deref()) else {
            match (is_given, &vector) {
                (true, _) => self.counts.vectors_taken += 1,
                (false, Some(_)) => self.counts.vectors_made += 1,
                (false, None) => {}
            }
            self.counts.patterns += 1;
            self.places.insert(pattern.id, self.patterns.len());
            self.changed.push(self.patterns.len());
            self.learned.push(self.patterns.len());
            self.patterns.push((pattern.clone(), vector));
            return;
        };
        let own = &mut self.patterns[at].0;
        let joined = joined(own, pattern, self.core.options.learning.bank.sources_max);
        // What was put aside here stays aside, and gains nothing from elsewhere.
        if joined == *own || own.retired_at.is_some() || pattern.retired_at.is_some() {
            self.counts.patterns_known += 1;
            return;
        }
        *own = joined;
        self.counts.merged += 1;
        if !self.changed.contains(&at) {
            self.changed.push(at);
        }
    }

    /// The one that says the same; rather one that is offered than one that was put aside.
    fn same(&self, pattern: &Pattern, vector: Option<&[f32]>) -> Option<usize> {
        let settings = &self.core.options.learning.bank;
        let new = Held { pattern, vector };
        let says_the_same = |(_, (own, vector)): &(usize, &Brought)| {
            bank::say_the_same(Held { pattern: own, vector: vector.as_deref() }, new, settings)
        };
        let same = self.patterns.iter().enumerate().filter(says_the_same);
        same.min_by_key(|(at, (own, _))| (own.retired_at.is_some(), *at)).map(|(at, _)| at)
    }

    fn written(&self, bank: &Bank) -> (Vec<WholePattern>, Vec<Happening>) {
        let whole = |at: &usize| {
            let (pattern, vector) = self.patterns[*at].clone();
            bank.whole(pattern, vector)
        };
        let learned = |at: &usize| {
            let pattern = &self.patterns[*at].0;
            Happening::PatternLearned { pattern: pattern.id, quality: pattern.quality }
        };
        (self.changed.iter().map(whole).collect(), self.learned.iter().map(learned).collect())
    }
}

/// A pattern with what another one that says the same knows. Both may know the same tasks, so that the larger count is
/// taken and nothing is added up: a second time brings nothing.
fn joined(own: &Pattern, other: &Pattern, sources_max: usize) -> Pattern {
    let knows_more = other.uses > own.uses;
    let best = if knows_more { other } else { own };
    let mut sources = own.sources.clone();
    let room = sources_max.saturating_sub(sources.len());
    sources.extend(other.sources.iter().filter(|id| !own.sources.contains(id)).take(room));
    let is_long = [own.term, other.term].contains(&PatternTerm::Long);
    Pattern {
        agent: own.agent.clone().or_else(|| other.agent.clone()),
        quality: best.quality,
        uses: best.uses,
        successes: best.successes,
        term: if is_long { PatternTerm::Long } else { PatternTerm::Short },
        sources,
        created_at: own.created_at.min(other.created_at),
        used_at: own.used_at.max(other.used_at),
        ..own.clone()
    }
}

impl Core {
    /// The vectors of patterns that come in. Those that the file does not bring are made, but not for what is here.
    fn vectors_of(&self, sense: &Sense, bank: &Bank, brought: &[Brought]) -> Vec<Option<Vec<f32>>> {
        let needs =
            |(pattern, vector): &&Brought| vector.is_none() && !bank.patterns.contains_key(&pattern.id);
        let texts: Vec<&str> =
            brought.iter().filter(needs).map(|(pattern, _)| pattern.strategy.as_str()).collect();
        let made = if texts.is_empty() { Vec::new() } else { self.embed_with(sense, &texts) };
        let mut made = made.into_iter().map(|embedding| match embedding {
            Embedding::Ready(vector) => Some(vector.values),
            Embedding::Pending | Embedding::NotApplicable(_) => None,
        });
        let vector = |one: &Brought| if needs(&one) { made.next().flatten() } else { one.1.clone() };
        brought.iter().map(vector).collect()
    }

    fn check_brought(&self, pattern: &Pattern) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(&pattern.strategy)?;
        limits.check_label("domain", &pattern.domain)?;
        Ok(pattern.agent.as_deref().map_or(Ok(()), |agent| limits.check_label("agent", agent))?)
    }

    fn check_adopted(&self, trajectory: &Trajectory) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(&trajectory.task)?;
        limits.check_label("domain", &trajectory.domain)?;
        for (what, label) in [("session", &trajectory.session), ("agent", &trajectory.agent)] {
            label.as_deref().map_or(Ok(()), |label| limits.check_label(what, label))?;
        }
        if trajectory.steps.len() > STEPS_MAX {
            let (what, size, max) = ("list of steps", trajectory.steps.len(), STEPS_MAX);
            return Err(LimitError::TooLarge { what, size, unit: "items", max, setting: "fixed" }.into());
        }
        for step in &trajectory.steps {
            limits.check_journal_text("step", &step.input)?;
            limits.check_journal_text("output of a step", &step.output)?;
        }
        let bytes = trajectory.steps.iter().map(|step| step.input.len() + step.output.len()).sum();
        Ok(limits.check_journal_json("steps", bytes)?)
    }
}
