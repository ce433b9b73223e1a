//! Recall: from a question to the memories that matter to it.

use peri_embed::Reading;
use peri_types::{Filter, Memory, MemoryId, Namespace, Scope};
use serde::Serialize;

use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::rank::{self, Ranked, Stage, Stages, features};

/// What to recall. Only the query must be given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recall {
    /// The question, in words.
    pub query: String,
    /// Where to look; the default namespace if empty.
    pub scopes: Vec<Scope>,
    /// Conditions that every result must meet.
    pub filter: Filter,
    /// At most so many results; the engine's setting if left out.
    pub limit: Option<usize>,
    /// Only results with at least this score, from 0 to 1; the engine's setting if left out.
    pub score_min: Option<f32>,
    /// At most so many tokens of content in all results together.
    pub tokens_max: Option<usize>,
    /// Which stages take part; the engine's setting if left out.
    pub stages: Option<Stages>,
}

impl Recall {
    /// A question to the default namespace.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// The same, asked of this scope; may be repeated.
    pub fn in_scope(mut self, scope: Scope) -> Self {
        self.scopes.push(scope);
        self
    }

    /// The same, with at most so many results.
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The same, with results of at least this score only, from 0 to 1.
    pub fn score_min(mut self, score: f32) -> Self {
        self.score_min = Some(score);
        self
    }

    /// The same, with at most so many tokens of content in all.
    pub fn tokens_max(mut self, tokens: usize) -> Self {
        self.tokens_max = Some(tokens);
        self
    }
}

/// What a recall found, the best first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// The memories, the best first. Empty means that nothing is relevant.
    pub hits: Vec<Hit>,
    /// Where was looked.
    pub namespaces: Vec<Namespace>,
    /// How many memories were weighed.
    pub considered: usize,
    /// How many of those were left out because they were not relevant enough.
    pub below_floor: usize,
    /// How many relevant ones were left out because of the token budget.
    pub over_budget: usize,
    /// What did not take part although it should have, in words for a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
}

/// A memory that was recalled, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// How relevant it seems, from 0 to 1.
    pub score: f32,
    /// Tokens of its content.
    pub tokens: usize,
    /// Where the score comes from.
    pub explanation: Explanation,
}

/// Where a score comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Explanation {
    /// What each stage brought, the largest first. The score is a logistic function of their sum.
    pub parts: Vec<Part>,
    /// The words of the query that the memory holds.
    pub matched: Vec<String>,
}

/// A memory that was weighed, with what was measured of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weighed {
    /// The memory.
    pub id: MemoryId,
    /// Its score, from 0 to 1.
    pub score: f32,
    /// The value of each feature, in the order of [`Perihelion::features`].
    pub values: Vec<f32>,
}

/// A feature that memories are weighed by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FeatureInfo {
    /// What it is called.
    pub name: &'static str,
    /// The stage it belongs to.
    pub stage: Stage,
    /// What its value is multiplied by.
    pub weight: f32,
}

/// What one stage brought to a score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// The stage.
    pub stage: Stage,
    /// Its share of the sum; negative when it speaks against the memory.
    pub value: f32,
}

impl Perihelion {
    /// Finds the memories that matter to a question, in every zone and age, the best first.
    pub fn recall(&self, request: &Recall) -> Result<Recalled, Error> {
        let core = &self.core;
        let limit = request.limit.unwrap_or(core.options.recall.limit);
        core.options.limits.check_results(limit)?;
        let (question, namespaces) = core.ask(request)?;
        let mut ranked = Vec::new();
        let (mut considered, mut below_floor) = (0, 0);
        for namespace in &namespaces {
            let shelf = core.indexes.fresh(&*core.store, namespace)?;
            let found =
                rank::rank(&shelf.read(), &core.lexicon, &question, &request.filter, core.now(), limit);
            considered += found.considered;
            below_floor += found.below_floor;
            ranked.extend(found.ranked.into_iter().map(|one| (namespace, one)));
        }
        ranked.sort_by(|(_, a), (_, b)| b.sum.total_cmp(&a.sum).then(a.id.cmp(&b.id)));
        let score_min = request.score_min.unwrap_or(core.options.recall.score_min);
        let found = ranked.len();
        ranked.retain(|(_, one)| one.score >= score_min);
        below_floor += found - ranked.len();
        ranked.truncate(limit);
        let (hits, over_budget) = core.hits(ranked, request.tokens_max)?;
        core.nudge();
        let degraded = question.degraded.into_iter().collect();
        Ok(Recalled { hits, namespaces, considered, below_floor, over_budget, degraded })
    }
}

impl Perihelion {
    /// Everything that a recall would weigh, the best first, without the floor and the limit: for finding out
    /// why a memory was not recalled, and for fitting the weights.
    pub fn weigh(&self, request: &Recall) -> Result<Vec<Weighed>, Error> {
        let core = &self.core;
        let stages = request.stages.unwrap_or(core.options.recall.stages).without(Stage::Floor);
        let (question, namespaces) = core.ask(&Recall { stages: Some(stages), ..request.clone() })?;
        let mut weighed = Vec::new();
        for namespace in &namespaces {
            let shelf = core.indexes.fresh(&*core.store, namespace)?;
            let found =
                rank::rank(&shelf.read(), &core.lexicon, &question, &request.filter, core.now(), usize::MAX);
            weighed.extend(found.ranked);
        }
        weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.id.cmp(&b.id)));
        let told = |one: Ranked| Weighed { id: one.id, score: one.score, values: one.values.to_vec() };
        Ok(weighed.into_iter().map(told).collect())
    }

    /// What memories are weighed by, in the order of [`Weighed::values`].
    pub fn features(&self) -> impl ExactSizeIterator<Item = FeatureInfo> {
        let reading = self.core.engine.as_ref().map_or(Reading::Words, |engine| engine.reading());
        let all = features::FEATURES.iter().zip(features::weights(reading));
        all.map(|(own, weight)| FeatureInfo { name: own.name, stage: own.stage, weight })
    }
}

impl Core {
    /// Analyses a request: what is asked, and where.
    fn ask(&self, request: &Recall) -> Result<(rank::Question, Vec<Namespace>), Error> {
        self.options.limits.check_query(&request.query)?;
        let stages = request.stages.unwrap_or(self.options.recall.stages);
        let namespaces = self.namespaces_of(&request.scopes)?;
        Ok((rank::Question::new(&request.query, self.engine.as_deref(), stages), namespaces))
    }

    /// The namespaces that scopes name, each once. A namespace that does not exist yet holds nothing.
    fn namespaces_of(&self, scopes: &[Scope]) -> Result<Vec<Namespace>, Error> {
        let mut namespaces: Vec<Namespace> = Vec::new();
        let default = [Scope::default()];
        for scope in if scopes.is_empty() { &default } else { scopes } {
            match scope {
                Scope::Exact(namespace) => namespaces.push(namespace.clone()),
                scope => namespaces.extend(self.store.namespaces(scope)?),
            }
        }
        namespaces.sort();
        namespaces.dedup();
        Ok(namespaces)
    }

    /// Fetches the memories, within the token budget, and notes that they were handed out.
    fn hits(
        &self,
        ranked: Vec<(&Namespace, Ranked)>,
        tokens_max: Option<usize>,
    ) -> Result<(Vec<Hit>, usize), Error> {
        let now = self.now();
        let mut left = tokens_max.unwrap_or(usize::MAX);
        let (mut hits, mut over_budget) = (Vec::with_capacity(ranked.len()), 0);
        for (namespace, Ranked { id, score, explanation, .. }) in ranked {
            let found = self.store.get(&Scope::Exact(namespace.clone()), &[id])?.pop();
            // Between ranking and reading, another process may have taken it away.
            let Some(memory) = found.filter(|memory| memory.is_visible(now)) else { continue };
            let tokens = peri_text::count_tokens(&memory.content);
            if tokens > left {
                over_budget += 1;
                continue;
            }
            left -= tokens;
            self.usage.note(namespace, id, now);
            hits.push(Hit { memory, score, tokens, explanation });
        }
        Ok((hits, over_budget))
    }
}
