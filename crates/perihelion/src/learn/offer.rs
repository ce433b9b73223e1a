//! Offering patterns: those that matter to a task, found like memories are, by words and by meaning.

use peri_index::{Superseded, View};
use peri_learn::bank;
use peri_types::{Filter, Namespace, Pattern, PatternId, Scope};
use serde::Serialize;

use crate::engine::{Core, Perihelion};
use crate::rank::{self, Question};
use crate::reindex::Sense;
use crate::{Error, Recall};

/// What to look for among patterns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternQuery {
    /// What is to be done, in words.
    pub query: String,
    /// Where to look; the default namespace if empty.
    pub scopes: Vec<Scope>,
    /// Of this field only.
    pub domain: Option<String>,
    /// At most so many; 10 if left out.
    pub limit: Option<usize>,
}

impl PatternQuery {
    /// Looks in the default namespace.
    pub fn new(query: impl Into<String>) -> Self {
        Self { query: query.into(), ..Self::default() }
    }

    /// The same, asked of this scope; may be repeated.
    pub fn in_scope(mut self, scope: Scope) -> Self {
        self.scopes.push(scope);
        self
    }
}

/// A pattern that matters to a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatternMatch {
    /// The pattern.
    pub pattern: Pattern,
    /// How close it is to the task, from 0 to 1.
    pub similarity: f32,
    /// How much it is recommended, from 0 to 1: how close it is, how well it works and how lately it did.
    pub score: f32,
}

/// What was found among patterns, the best first.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatternsFound {
    /// The patterns.
    pub matches: Vec<PatternMatch>,
    /// What did not take part although it should have, in words for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
}

impl Perihelion {
    /// Patterns that matter to a task, the best first. What is not relevant is left out.
    pub fn search_patterns(&self, request: &PatternQuery) -> Result<PatternsFound, Error> {
        let core = &self.core;
        let limit = request.limit.unwrap_or(10);
        core.options.limits.check_results(limit)?;
        let sense = core.sense();
        let recall =
            Recall { query: request.query.clone(), scopes: request.scopes.clone(), ..Recall::default() };
        let (question, namespaces) = core.ask(&recall, &sense)?;
        let mut degraded: Vec<String> = question.degraded.clone().into_iter().collect();
        degraded.extend(sense.trouble.clone());
        let mut matches =
            core.matching(&sense, &question, &namespaces, (request.domain.as_deref(), limit))?;
        matches.truncate(limit);
        Ok(PatternsFound { matches, degraded })
    }
}

impl Core {
    /// Patterns of namespaces that matter to a question, the best first.
    pub(super) fn matching(
        &self,
        sense: &Sense,
        question: &Question,
        namespaces: &[Namespace],
        (domain, limit): (Option<&str>, usize),
    ) -> Result<Vec<PatternMatch>, Error> {
        let (now, settings) = (self.now(), &self.options.learning.bank);
        // Fields are kept in lower case.
        let tags = domain.map(|domain| domain.trim().to_lowercase()).into_iter().collect();
        let filter = Filter { tags, ..Filter::default() };
        let view = View { now, superseded: Superseded::LeftOut };
        let sight = rank::Sight { filter: &filter, view, graph: None };
        let mut found = Vec::new();
        for namespace in namespaces {
            let bank = self.bank(sense, namespace)?;
            let bank = bank.read();
            if bank.index.is_empty() {
                continue;
            }
            let ranking = rank::rank(&bank.index, &self.lexicon, question, &sight, limit);
            for one in ranking.ranked {
                let id = PatternId::from_bytes(*one.id.as_bytes());
                let Some((pattern, _)) = bank.patterns.get(&id) else { continue };
                let score = bank::match_score(one.score, pattern, now, settings);
                found.push(PatternMatch { pattern: pattern.clone(), similarity: one.score, score });
            }
        }
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.pattern.id.cmp(&b.pattern.id)));
        Ok(found)
    }

    /// The patterns that are offered with an answer. Trouble costs the offer and nothing else; the answer says so.
    pub(crate) fn offered(
        &self,
        sense: &Sense,
        question: &Question,
        namespaces: &[Namespace],
        degraded: &mut Vec<String>,
    ) -> Vec<PatternMatch> {
        let settings = &self.options.learning;
        if settings.patterns_offered == 0 {
            return Vec::new();
        }
        match self.matching(sense, question, namespaces, (None, settings.patterns_offered)) {
            Ok(mut found) => {
                found.retain(|one| one.similarity >= settings.offer_score_min);
                found.truncate(settings.patterns_offered);
                found
            }
            Err(error) => {
                degraded.push(format!("no pattern took part: {error}"));
                Vec::new()
            }
        }
    }
}
