//! Why: what became of one memory in a recall, and what would have to be otherwise for it to be there.
//!
//! Whether it is recalled is asked of recall itself. The reason is what recall would have to be told otherwise: where to
//! look, under which conditions, from which score on, how many results, and how many tokens.

mod verdict;

use std::collections::HashSet;

use peri_types::{Filter, Memory, MemoryId, Scope, Timestamp};
use serde::Serialize;

use crate::engine::{Core, Perihelion};
use crate::rank::{Ranked, Stage};
use crate::recall::{Recall, Recalled, is_held_elsewhere};
use crate::{Error, ErrorKind};

/// What became of a memory in a recall.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Why {
    /// The memory.
    pub id: MemoryId,
    /// The question.
    pub query: String,
    /// Whether it is among the results.
    pub recalled: bool,
    /// What became of it, in a sentence for people.
    pub verdict: String,
    /// The same for programs.
    pub reason: WhyReason,
    /// How relevant it seems, from 0 to 1; none if it was not weighed.
    pub score: Option<f32>,
    /// The least score of a result.
    pub score_min: f32,
    /// The most results.
    pub limit: usize,
    /// Its place among all that were weighed, from 1, as if there were no floor, no limit and no budget. Results that are
    /// about equally relevant may be handed out in another order.
    pub place: Option<usize>,
    /// How many were weighed.
    pub weighed: usize,
    /// What each stage says of it, the largest share first. Empty if it was not weighed.
    pub stages: Vec<StagePlace>,
    /// The conditions that shut it out.
    pub filtered_by: Vec<FilterCondition>,
    /// The memory as it is now.
    pub memory: Memory,
}

/// Why a memory is or is not among the results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyReason {
    /// It is among them.
    Recalled,
    /// It is not relevant enough.
    BelowFloor,
    /// It is relevant, and a larger limit would bring it.
    BeyondLimit,
    /// It is among the best, and more tokens would bring it.
    OverBudget,
    /// It does not meet the conditions.
    Filtered,
    /// Another memory took its place.
    Superseded,
    /// What it says does not hold any more.
    Expired,
    /// It lies in the trash.
    Trashed,
    /// Nothing of it came near the question.
    NotWeighed,
    /// It is in a namespace where was not looked.
    Elsewhere,
}

/// A condition of a recall, by the name that it is given by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FilterCondition {
    /// Its layer is none of these.
    Layers,
    /// Its kind is none of these.
    Kinds,
    /// It has not all of these tags.
    Tags,
    /// It was said or happened before.
    Since,
    /// It was said or happened then or later.
    Until,
    /// It is of another session, or of none.
    Session,
    /// Somebody else said it, or nobody knows who.
    Speaker,
    /// It is pinned, or it is not.
    Pinned,
    /// Its circumstances are others.
    Context,
    /// It did not hold yet at the time in the past that was asked for.
    AsOf,
    /// It is in the working memory of another session than the one in which is asked.
    InSession,
}

impl FilterCondition {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::Kinds => "kinds",
            Self::Tags => "tags",
            Self::Since => "since",
            Self::Until => "until",
            Self::Session => "session",
            Self::Speaker => "speaker",
            Self::Pinned => "pinned",
            Self::Context => "context",
            Self::AsOf => "as_of",
            Self::InSession => "in_session",
        }
    }
}

/// What one stage says of a memory, beside all others that were weighed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StagePlace {
    /// The stage.
    pub stage: Stage,
    /// Its share of the sum; negative when it speaks against the memory.
    pub value: f32,
    /// The memory's place, from 1, if only this stage counted. Those with the same share have the same place.
    pub place: usize,
    /// Among so many.
    pub of: usize,
}

impl Perihelion {
    /// Why a memory is, or is not, among the results of a recall. Nothing counts as used.
    ///
    /// # Errors
    /// As [`Perihelion::recall`], and [`Perihelion::get`] if there is no such memory or its time is over. Unlike a recall,
    /// it does not do without a store that does not answer.
    pub fn why(&self, request: &Recall, id: MemoryId) -> Result<Why, Error> {
        for scope in &request.scopes {
            match self.get(scope, id) {
                Ok(memory) => return self.why_of(request, memory),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        self.why_of(request, self.get(&Scope::All, id)?)
    }

    /// The same of a memory that was looked up.
    ///
    /// # Errors
    /// As [`Perihelion::recall`], but for a store that does not answer, which it does not do without.
    pub fn why_of(&self, request: &Recall, memory: Memory) -> Result<Why, Error> {
        let (core, id) = (&self.core, memory.id);
        let recalled = self.find(request)?;
        let scales = Scales::of(core, request)?;
        let score_min = request.score_min.unwrap_or(core.options.recall.score_min);
        let place = scales.weighed.iter().position(|one| one.id == id);
        let own = place.map(|at| &scales.weighed[at]);
        let hit = recalled.hits.iter().find(|hit| hit.memory.id == id);
        let score = hit.map(|hit| hit.score).or(own.map(|own| own.score));
        let mut filtered_by = Vec::new();
        let reason = if hit.is_some() {
            WhyReason::Recalled
        } else if let Some(reason) = core.shut_out(request, &memory, &recalled, &mut filtered_by) {
            reason
        } else if self.is_over_budget(request, &recalled, id)? {
            WhyReason::OverBudget
        } else {
            scales.reason(own, score_min)
        };
        let mut why = Why {
            id,
            query: request.query.clone(),
            recalled: hit.is_some(),
            verdict: String::new(),
            reason,
            score,
            score_min,
            limit: request.limit.unwrap_or(core.options.recall.limit),
            place: place.map(|at| at + 1),
            weighed: scales.weighed.len(),
            stages: own.map(|own| scales.stages(own)).unwrap_or_default(),
            filtered_by,
            memory,
        };
        why.verdict = why.sentence(request, &recalled);
        Ok(why)
    }

    /// Whether a memory would be among the results if they might hold any number of tokens.
    fn is_over_budget(&self, request: &Recall, recalled: &Recalled, id: MemoryId) -> Result<bool, Error> {
        if recalled.over_budget == 0 {
            return Ok(false);
        }
        let found = self.find(&Recall { tokens_max: None, ..request.clone() })?;
        Ok(found.hits.iter().any(|hit| hit.memory.id == id))
    }
}

impl Core {
    /// Why a memory could not be among the results, whatever it says; none if it could.
    fn shut_out(
        &self,
        request: &Recall,
        memory: &Memory,
        recalled: &Recalled,
        filtered_by: &mut Vec<FilterCondition>,
    ) -> Option<WhyReason> {
        if memory.trashed_at.is_some() {
            return Some(WhyReason::Trashed);
        }
        if !recalled.namespaces.contains(&memory.namespace) {
            return Some(WhyReason::Elsewhere);
        }
        if let Some(over) = over(memory, request.as_of, self.now()) {
            return Some(over);
        }
        filtered_by.extend(unmet(&request.filter, memory));
        if request.as_of.is_some_and(|then| memory.valid_from() > then) {
            filtered_by.push(FilterCondition::AsOf);
        }
        let asked_in = self.asked_in(request);
        if request.filter.session.is_none()
            && asked_in.is_some()
            && is_held_elsewhere(memory, asked_in.as_deref())
        {
            filtered_by.push(FilterCondition::InSession);
        }
        (!filtered_by.is_empty()).then_some(WhyReason::Filtered)
    }
}

/// Why a memory does not hold any more at the time that is asked for; none if it does.
fn over(memory: &Memory, as_of: Option<Timestamp>, now: Timestamp) -> Option<WhyReason> {
    let facets = &memory.facets;
    let is_over = facets.valid_until.is_some_and(|until| until <= as_of.unwrap_or(now));
    match facets.superseded_by {
        Some(_) if is_over || as_of.is_none() => Some(WhyReason::Superseded),
        None if is_over => Some(WhyReason::Expired),
        _ => None,
    }
}

/// The conditions of a filter that a memory does not meet, each asked by itself.
fn unmet(filter: &Filter, memory: &Memory) -> Vec<FilterCondition> {
    use FilterCondition::{Context, Kinds, Layers, Pinned, Session, Since, Speaker, Tags, Until};
    let all = || Filter::default();
    let each = [
        (Layers, Filter { layers: filter.layers.clone(), ..all() }),
        (Kinds, Filter { kinds: filter.kinds.clone(), ..all() }),
        (Tags, Filter { tags: filter.tags.clone(), ..all() }),
        (Since, Filter { since: filter.since, ..all() }),
        (Until, Filter { until: filter.until, ..all() }),
        (Session, Filter { session: filter.session.clone(), ..all() }),
        (Speaker, Filter { speaker: filter.speaker.clone(), ..all() }),
        (Pinned, Filter { pinned: filter.pinned, ..all() }),
        (Context, Filter { context: filter.context.clone(), ..all() }),
    ];
    each.into_iter().filter(|(_, one)| !one.matches(memory)).map(|(condition, _)| condition).collect()
}

/// All that was weighed.
struct Scales {
    /// The best first.
    weighed: Vec<Ranked>,
    /// Those that the floor lets through.
    relevant: HashSet<MemoryId>,
}

impl Scales {
    /// Weighs as recall does, and puts those beside it that the floor leaves out: what is relevant keeps the very sum
    /// that recall gives it.
    fn of(core: &Core, request: &Recall) -> Result<Self, Error> {
        let stages = request.stages.unwrap_or(core.options.recall.stages);
        let mut weighed = core.weigh_all(request, stages)?;
        let relevant: HashSet<MemoryId> = weighed.iter().map(|one| one.id).collect();
        if stages.has(Stage::Floor) {
            let all = core.weigh_all(request, stages.without(Stage::Floor))?;
            weighed.extend(all.into_iter().filter(|one| !relevant.contains(&one.id)));
            weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.id.cmp(&b.id)));
        }
        Ok(Self { weighed, relevant })
    }

    /// Why a memory that could be among the results is not.
    fn reason(&self, own: Option<&Ranked>, score_min: f32) -> WhyReason {
        match own {
            None => WhyReason::NotWeighed,
            Some(own) if self.relevant.contains(&own.id) && own.score >= score_min => WhyReason::BeyondLimit,
            Some(_) => WhyReason::BelowFloor,
        }
    }

    /// What each stage says of a memory. Stages that brought nothing to any memory say nothing.
    fn stages(&self, own: &Ranked) -> Vec<StagePlace> {
        let of = self.weighed.len();
        let mut places = Vec::new();
        for stage in Stage::ALL {
            let values: Vec<f32> = self.weighed.iter().map(|one| share(one, stage)).collect();
            if values.iter().all(|value| *value == 0.0) {
                continue;
            }
            let value = share(own, stage);
            let place = 1 + values.iter().filter(|other| **other > value).count();
            places.push(StagePlace { stage, value, place, of });
        }
        places.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        places
    }
}

/// What a stage brought to a memory.
fn share(one: &Ranked, stage: Stage) -> f32 {
    let parts = &one.explanation.parts;
    parts.iter().find(|part| part.stage == stage).map_or(0.0, |part| part.value)
}
