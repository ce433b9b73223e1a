//! From trajectories to patterns: what did the tasks that succeeded have in common?
//!
//! Trajectories are grouped by namespace, field and what their task is about. Within a group, successes that share
//! steps in the same order become one pattern, whose strategy names what the tasks have in common, the shared steps,
//! and what only failures did. A single success that was sure of itself may become a pattern of low quality, which is
//! replaced as soon as a second one confirms it. No group of trajectories gives a pattern twice.

mod group;
mod phrase;
mod shared;
mod step;
mod strategy;

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use peri_types::{ChangeNumber, Pattern, PatternId, PatternTerm, TaskOutcome, Trajectory, TrajectoryId};

use super::merge::{merge, united};
use super::quality::estimate;
use super::settings::BankSettings;
use group::groups;
use shared::{Shared, alike, follows};
use step::{Step, steps_of};

pub use step::step_key;

/// When trajectories become a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct DistilSettings {
    /// Tasks whose vectors are at least so close are about the same. 0.6
    pub task_cosine: f32,
    /// Tasks without vectors are about the same if they share at least this part of the shorter one's words. 0.5
    pub task_words: f32,
    /// A single success becomes a pattern only if it has so many steps, 3, …
    pub single_steps_min: usize,
    /// … of which whoever did them was at least so sure on average, 0.8.
    pub single_confidence_min: f32,
    /// The quality of a pattern that was drawn from a single success; below the start, so that it leaves after a day
    /// unless somebody follows it. 0.45
    pub single_quality: f32,
    /// How many steps of a trajectory are looked at: the first ones. 200
    pub steps_max: usize,
    /// How many characters a strategy has at most. 600
    pub strategy_chars_max: usize,
    /// How many steps that only failures had are warned of. 3
    pub avoid_max: usize,
}

impl Default for DistilSettings {
    fn default() -> Self {
        Self {
            task_cosine: 0.6,
            task_words: 0.5,
            single_steps_min: 3,
            single_confidence_min: 0.8,
            single_quality: 0.45,
            steps_max: 200,
            strategy_chars_max: 600,
            avoid_max: 3,
        }
    }
}

/// A pattern that was drawn from trajectories. Whoever keeps it retires what it replaces in the same transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct Distilled {
    /// The new pattern. Its id follows from its sources.
    pub pattern: Pattern,
    /// Every trajectory it was drawn from, also those beyond what a pattern remembers as its sources. The others still
    /// wait for their like.
    pub drawn: Vec<TrajectoryId>,
    /// Patterns of single successes that it takes the place of; their uses are counted in it.
    pub replaces: Vec<PatternId>,
    /// How many successes share its steps.
    pub support: usize,
}

/// One trajectory with what distilling needs to know of it.
struct Traced<'a> {
    trajectory: &'a Trajectory,
    vector: Option<&'a [f32]>,
    steps: Vec<Step>,
    /// Whether a pattern was drawn from it already, so that it only serves as a comparison.
    is_spent: bool,
    /// The pattern that was drawn from it alone, which a group may still replace.
    single: Option<&'a Pattern>,
}

impl Traced<'_> {
    fn succeeded(&self) -> bool {
        self.trajectory.outcome == TaskOutcome::Success
    }
}

/// Draws patterns from trajectories, each given with the vector of its task if there is one.
///
/// `known` are the patterns that are there, retired ones among them: what they were drawn from is not drawn from
/// again. Neither is a trajectory that is marked as distilled; whoever marks everything that was looked at takes the
/// mark off before calling. The outcome depends on what is given and not on its order.
pub fn distil(
    trajectories: &[(Trajectory, Option<Vec<f32>>)],
    known: &[Pattern],
    now: Timestamp,
    settings: &DistilSettings,
    bank: &BankSettings,
) -> Vec<Distilled> {
    let traced = traced(trajectories, known, settings);
    let mut distilled = Vec::new();
    for group in groups(&traced, settings) {
        let drawing = Drawing { group: &group, now, settings, bank };
        drawing.draw(&mut distilled);
    }
    distilled
}

fn traced<'a>(
    trajectories: &'a [(Trajectory, Option<Vec<f32>>)],
    known: &'a [Pattern],
    settings: &DistilSettings,
) -> Vec<Traced<'a>> {
    let mut singles: HashMap<TrajectoryId, &Pattern> = HashMap::new();
    let mut grouped: HashSet<TrajectoryId> = HashSet::new();
    for pattern in known {
        match pattern.sources.as_slice() {
            [only] => drop(singles.insert(*only, pattern)),
            several => grouped.extend(several),
        }
    }
    let mut traced: Vec<Traced<'a>> = trajectories
        .iter()
        .map(|(trajectory, vector)| {
            let single = singles.get(&trajectory.id).copied();
            let was_drawn = trajectory.distilled_at.is_some() && single.is_none();
            let is_spent = grouped.contains(&trajectory.id) || was_drawn;
            let steps = steps_of(&trajectory.steps, settings.steps_max);
            Traced { trajectory, vector: vector.as_deref(), steps, is_spent, single }
        })
        .collect();
    traced.sort_by_key(|one| (one.trajectory.at, one.trajectory.id));
    traced.dedup_by_key(|one| one.trajectory.id);
    traced
}

/// Draws the patterns of one group.
struct Drawing<'a> {
    group: &'a [&'a Traced<'a>],
    now: Timestamp,
    settings: &'a DistilSettings,
    bank: &'a BankSettings,
}

impl Drawing<'_> {
    fn draw(&self, distilled: &mut Vec<Distilled>) {
        let successes = || self.group.iter().copied().filter(|one| one.succeeded());
        let mut waiting: Vec<&Traced<'_>> = successes().filter(|one| !one.is_spent).collect();
        let mut alone = Vec::new();
        while !waiting.is_empty() {
            let first = waiting.remove(0);
            let shared = shared::gather(first, &waiting);
            if shared.members.len() < 2 {
                alone.push(first);
                continue;
            }
            waiting
                .retain(|one| !shared.members.iter().any(|member| member.trajectory.id == one.trajectory.id));
            distilled.push(self.pattern_of(&shared));
        }
        for one in alone.into_iter().filter(|one| self.may_stand_alone(one)) {
            if !successes().any(|other| other.trajectory.id != one.trajectory.id && alike(one, other)) {
                distilled.push(self.single_of(one));
            }
        }
    }

    fn pattern_of(&self, shared: &Shared<'_>) -> Distilled {
        let steps = strategy::needed(&shared.steps, self.group);
        let tasks: Vec<&str> = shared.members.iter().map(|one| one.trajectory.task.as_str()).collect();
        let avoid = strategy::only_failures(self.group, self.settings.avoid_max);
        let strategy = strategy::write(&tasks, &steps, &avoid, self.settings.strategy_chars_max);
        // Whoever took these steps speaks for or against them; whoever went another way does not.
        let followed = self.group.iter().filter(|one| !one.is_spent && follows(one, &shared.steps));
        let quality = estimate(followed.map(|one| one.trajectory.outcome), self.bank);
        let mut pattern = self.pattern(&shared.members, strategy, quality);
        let singles = shared.members.iter().filter_map(|one| one.single);
        let replaced: Vec<&Pattern> = singles.filter(|single| single.retired_at.is_none()).collect();
        for single in &replaced {
            let counted = merge(&pattern, single, self.bank);
            // Nobody's guess about one success weighs against what the group shows.
            pattern = Pattern {
                quality: if single.uses == 0 { pattern.quality } else { counted.quality },
                ..counted
            };
            pattern.created_at = self.now;
        }
        Distilled {
            pattern,
            drawn: shared.members.iter().map(|one| one.trajectory.id).collect(),
            replaces: replaced.iter().map(|single| single.id).collect(),
            support: shared.members.len(),
        }
    }

    fn may_stand_alone(&self, one: &Traced<'_>) -> bool {
        let steps = &one.trajectory.steps;
        let sum: f64 = steps.iter().map(|step| f64::from(step.confidence)).sum();
        one.single.is_none()
            && one.steps.len() >= self.settings.single_steps_min.max(1)
            && sum / steps.len() as f64 >= f64::from(self.settings.single_confidence_min)
    }

    fn single_of(&self, one: &Traced<'_>) -> Distilled {
        let avoid = strategy::only_failures(self.group, self.settings.avoid_max);
        let task = [one.trajectory.task.as_str()];
        let strategy = strategy::write(&task, &one.steps, &avoid, self.settings.strategy_chars_max);
        Distilled {
            pattern: self.pattern(&[one], strategy, self.settings.single_quality),
            drawn: vec![one.trajectory.id],
            replaces: Vec::new(),
            support: 1,
        }
    }

    fn pattern(&self, members: &[&Traced<'_>], strategy: String, quality: f32) -> Pattern {
        let sources: Vec<TrajectoryId> = members.iter().map(|one| one.trajectory.id).collect();
        let latest = members.iter().map(|one| one.trajectory.at).max().unwrap_or(self.now);
        Pattern {
            id: pattern_id_of(&sources, latest),
            namespace: members[0].trajectory.namespace.clone(),
            strategy,
            domain: members[0].trajectory.domain.clone(),
            agent: majority_agent(members),
            quality,
            uses: 0,
            successes: 0,
            term: PatternTerm::Short,
            sources: united(&sources, &[], self.bank.sources_max),
            created_at: self.now,
            used_at: None,
            retired_at: None,
            change: ChangeNumber::default(),
        }
    }
}

/// The agent of more than half of the members.
fn majority_agent(members: &[&Traced<'_>]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for agent in members.iter().filter_map(|one| one.trajectory.agent.as_deref()) {
        *counts.entry(agent).or_default() += 1;
    }
    let (agent, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 2 > members.len()).then(|| agent.to_owned())
}

/// The id of a pattern that was drawn from these trajectories: whoever draws it again gives it the same.
pub fn pattern_id_of(sources: &[TrajectoryId], latest: Timestamp) -> PatternId {
    let mut sorted: Vec<TrajectoryId> = sources.to_vec();
    sorted.sort_unstable();
    let bytes: Vec<u8> = sorted.iter().flat_map(|id| *id.as_bytes()).collect();
    PatternId::from_bytes(crate::derived_id::of(&bytes, latest))
}
