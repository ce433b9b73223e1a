//! What was tried and learned, in an export and in an import: trajectories, patterns, and sets that were learned as a
//! whole.
//!
//! What background jobs did and found stays where it is: it is about that installation.

use peri_store::{Embedding, LearnedSet, Order, Store, StoreError, TrajectoryQuery, WholePattern, Write};
use peri_types::{ChangeNumber, Filter, Namespace, Pattern, PatternId, Scope, Trajectory};

use super::export::{Export, ExportOptions};
use super::import::{ImportMode, ImportOptions};
use super::line::{LearnedLine, Line};
use crate::engine::Core;
use crate::redact::redact_text;
use crate::{Error, RedactedSecret};

/// So many records are read at a time.
const PAGE: usize = 256;

/// So many sets of a name are asked for, which is more than a store keeps.
const SETS_MAX: usize = 10_000;

impl Export<'_> {
    /// Whether anything was tried or learned in a namespace.
    pub(super) fn has_learned(&self, namespace: &Namespace) -> Result<bool, Error> {
        let stats = self.store.learning_stats(&Scope::Exact(namespace.clone()))?;
        Ok(!stats.is_empty() || !self.store.learned_marks(namespace)?.is_empty())
    }

    /// Writes the trajectories of a namespace by id, its patterns by id, and its learned sets by name and number.
    pub(super) fn learning(&mut self, namespace: &Namespace) -> Result<(), Error> {
        if speaks_of_trajectories(self.options) {
            self.trajectories(namespace)?;
        }
        // Patterns and sets were drawn from all that is there.
        if self.options.is_partial() {
            return Ok(());
        }
        self.patterns(namespace)?;
        self.sets(namespace)
    }

    fn trajectories(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let Filter { session, since, until, .. } = self.options.filter.clone();
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let mut query = TrajectoryQuery { scope, session, order, limit: PAGE, ..TrajectoryQuery::default() };
        loop {
            let page = self.store.trajectories(&query)?;
            for trajectory in page.trajectories {
                let at = trajectory.at;
                if since.is_some_and(|since| at < since) || until.is_some_and(|until| at >= until) {
                    continue;
                }
                self.line(&Line::Trajectory(Box::new(trajectory)))?;
                self.written.trajectories += 1;
            }
            (self.watch)(&self.written);
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }

    /// The store knows them in the order of their changes, which is not the same in every store.
    fn patterns(&mut self, namespace: &Namespace) -> Result<(), Error> {
        let scope = Scope::Exact(namespace.clone());
        for id in pattern_ids(self.store, namespace)? {
            let Some((pattern, _)) = self.store.pattern(&scope, id, None)? else { continue };
            self.line(&Line::Pattern(Box::new(pattern)))?;
            self.written.patterns += 1;
        }
        (self.watch)(&self.written);
        Ok(())
    }

    fn sets(&mut self, namespace: &Namespace) -> Result<(), Error> {
        for set in sets(self.store, namespace)? {
            let LearnedSet { name, at, value, reason, .. } = set;
            let line = LearnedLine { namespace: namespace.clone(), name, at, value, reason };
            self.line(&Line::Learned(Box::new(line)))?;
            self.written.learned += 1;
        }
        Ok(())
    }
}

/// Whether what is asked for can be told of trajectories too.
fn speaks_of_trajectories(options: &ExportOptions) -> bool {
    let Filter { session, since, until, .. } = options.filter.clone();
    let told = Filter { session, since, until, ..Filter::default() };
    options.limit.is_none() && told == options.filter
}

fn pattern_ids(store: &dyn Store, namespace: &Namespace) -> Result<Vec<PatternId>, StoreError> {
    let (mut ids, mut after) = (Vec::new(), ChangeNumber::default());
    loop {
        let page = store.patterns(namespace, None, after, PAGE)?;
        let Some((last, _)) = page.last() else { break };
        after = last.change;
        ids.extend(page.iter().map(|(pattern, _)| pattern.id));
    }
    ids.sort_unstable();
    Ok(ids)
}

/// What a namespace has learned as a whole, by name, each name from its earliest set on.
pub(super) fn sets(store: &dyn Store, namespace: &Namespace) -> Result<Vec<LearnedSet>, StoreError> {
    let mut all = Vec::new();
    for mark in store.learned_marks(namespace)? {
        let mut sets = store.learned(namespace, &mark.name, 0, SETS_MAX)?;
        sets.reverse();
        all.extend(sets);
    }
    Ok(all)
}

/// Whether a pattern is here already that is to stay as it is.
pub(super) fn has_pattern(core: &Core, options: &ImportOptions, line: &Line) -> Result<bool, Error> {
    let Line::Pattern(pattern) = line else { return Ok(false) };
    let scope = Scope::Exact(pattern.namespace.clone());
    let stays = options.mode == ImportMode::Append;
    Ok(stays && core.store.pattern(&scope, pattern.id, None)?.is_some())
}

/// Puts a pattern with the meaning that it was given here.
pub(super) fn put(pattern: Pattern, embedding: Embedding) -> Write {
    let vector = match embedding {
        Embedding::Ready(vector) => Some(vector),
        Embedding::Pending | Embedding::NotApplicable(_) => None,
    };
    Write::PutPatterns { patterns: vec![WholePattern { pattern, vector, expected: None }] }
}

impl Core {
    pub(super) fn check_pattern(&self, pattern: &Pattern) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(&pattern.strategy)?;
        limits.check_label("domain", &pattern.domain)?;
        Ok(pattern.agent.as_deref().map_or(Ok(()), |agent| limits.check_label("agent", agent))?)
    }

    pub(super) fn check_trajectory(&self, trajectory: &Trajectory) -> Result<(), Error> {
        let limits = &self.options.limits;
        limits.check_content(&trajectory.task)?;
        limits.check_label("domain", &trajectory.domain)?;
        for (what, label) in [("session", &trajectory.session), ("agent", &trajectory.agent)] {
            label.as_deref().map_or(Ok(()), |label| limits.check_label(what, label))?;
        }
        let mut bytes = 0;
        for step in &trajectory.steps {
            limits.check_journal_text("step", &step.input)?;
            limits.check_journal_text("output of a step", &step.output)?;
            bytes += step.input.len() + step.output.len();
        }
        Ok(limits.check_journal_json("steps", bytes)?)
    }

    /// The set itself is as large as it is: what it means is known only to whoever learned it.
    pub(super) fn check_learned(&self, line: &LearnedLine) -> Result<(), Error> {
        self.options.limits.check_label("name", &line.name)?;
        Ok(self.options.limits.check_journal_text("reason", &line.reason)?)
    }
}

/// What is wrong with the numbers of a line, if anything: not every store could keep them, or read them again.
pub(super) fn wrong_number(line: &Line) -> Option<String> {
    let is_share = |number: f32| (0.0..=1.0).contains(&number);
    match line {
        Line::Pattern(pattern) if !is_share(pattern.quality) => {
            Some(format!("its quality is {}, not from 0 to 1", pattern.quality))
        }
        Line::Trajectory(trajectory) if i64::try_from(trajectory.duration_ms).is_err() => {
            Some(format!("it took {} ms, which is too long to be true", trajectory.duration_ms))
        }
        Line::Trajectory(trajectory) => {
            let wrong = trajectory.steps.iter().find(|step| !is_share(step.confidence))?;
            Some(format!("the confidence of a step is {}, not from 0 to 1", wrong.confidence))
        }
        _ => None,
    }
}

pub(super) fn redact_pattern(pattern: &mut Pattern, found: &mut Vec<RedactedSecret>) {
    redact_text(&mut pattern.strategy, found);
    redact_text(&mut pattern.domain, found);
    pattern.agent.iter_mut().for_each(|agent| redact_text(agent, found));
}

pub(super) fn redact_trajectory(trajectory: &mut Trajectory, found: &mut Vec<RedactedSecret>) {
    let Trajectory { session, task, domain, agent, steps, .. } = trajectory;
    [task, domain].into_iter().for_each(|text| redact_text(text, found));
    [session, agent].into_iter().flatten().for_each(|label| redact_text(label, found));
    for step in steps {
        redact_text(&mut step.input, found);
        redact_text(&mut step.output, found);
    }
}
