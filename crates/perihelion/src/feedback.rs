//! Feedback: which results were of use, and what follows from it for the weights of the memory function.

use std::collections::HashSet;

use peri_orbit::tuner::{self, Shown, Terms, TunerSettings, Usage};
use peri_orbit::{Body, Weights};
use peri_store::{FeedbackRecord, JudgedResult, StoreError, Write, Written};
use peri_types::{Memory, MemoryId, Namespace, Scope, Timestamp};
use serde::{Deserialize, Serialize};

use crate::engine::{Core, Perihelion};
use crate::queue::{Intent, Making, Transaction};
use crate::redact::redact_text;
use crate::{Claim, Error, LimitError, Redaction, Tuning};

/// So much of the latest feedback is looked at, which is all that is kept.
const LOOKED_AT: usize = 2000;

/// What somebody says of the results of one recall.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Feedback {
    /// What was asked.
    pub query: String,
    /// The results that were of use.
    pub used: Vec<MemoryId>,
    /// The results that were shown and not of use.
    pub unused: Vec<MemoryId>,
    /// The session in which was asked, if there was one.
    pub session: Option<String>,
}

/// What became of feedback.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackReceipt {
    /// How many results it was kept for; what is gone meanwhile does not count.
    pub judged: usize,
    /// The weights that hold from now on, if they were changed by it.
    pub weights: Option<LearnedWeights>,
}

/// Weights of the memory function that hold in a namespace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedWeights {
    /// The number of the set; 0 for the configured one.
    pub number: u64,
    /// How much it counts how often a memory was recalled.
    pub recall: f64,
    /// How much it counts how lately it was used.
    pub freshness: f64,
    /// How much it counts how much it was said to matter.
    pub importance: f64,
    /// How much it counts how close it is to what the session is about.
    pub context: f64,
    /// Why they were taken.
    pub reason: String,
}

impl Perihelion {
    /// Keeps which results of a recall were of use. What was of use counts as used once more; and with
    /// [`Tuning::On`], when enough has come together that tells the same, the weights of the memory function move a
    /// little, or back.
    pub fn feedback(&self, namespace: &Namespace, request: &Feedback) -> Result<FeedbackReceipt, Error> {
        self.feedback_within(&Scope::Exact(namespace.clone()), request)
    }

    /// The same for results that lie somewhere in a scope, all of them in one namespace: what is learned holds there.
    pub fn feedback_within(&self, scope: &Scope, request: &Feedback) -> Result<FeedbackReceipt, Error> {
        self.feedback_once(None, scope, request)
    }

    /// The same, once for a request: whoever makes it again gets the first receipt, but for the weights that it changed.
    ///
    /// # Errors
    /// Also [`Error::MadeBefore`], if another process made it meanwhile.
    pub fn feedback_once(
        &self,
        claim: Option<&Claim>,
        scope: &Scope,
        request: &Feedback,
    ) -> Result<FeedbackReceipt, Error> {
        let core = &self.core;
        core.options.limits.check_query(&request.query)?;
        core.options.limits.check_results((request.used.len() + request.unused.len()).max(1))?;
        let mut request = request.clone();
        if core.options.redaction == Redaction::On {
            redact_text(&mut request.query, &mut Vec::new());
        }
        if request.used.is_empty() && request.unused.is_empty() {
            return Ok(FeedbackReceipt { judged: 0, weights: None });
        }
        if let Some(made) = Claim::made(claim)? {
            return Ok(made);
        }
        let judged = request.used.iter().chain(&request.unused).collect::<HashSet<_>>().len();
        let claim = core.claiming(claim, &FeedbackReceipt { judged, weights: None })?;
        let wanted = || Ok(Intent::Feedback { scope: scope.clone(), feedback: request.clone() });
        core.perform_claimed(claim, wanted, "feedback", |making| self.make_feedback(making, scope, &request))
    }

    pub(crate) fn make_feedback(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        request: &Feedback,
    ) -> Result<FeedbackReceipt, Error> {
        let core = &self.core;
        let namespace = &self.namespace_of_results(scope, request)?;
        let mut results = Vec::new();
        let used = request.used.iter().map(|id| (*id, true));
        let unused = request.unused.iter().map(|id| (*id, false));
        let mut seen = HashSet::new();
        for (id, used) in used.chain(unused).filter(|(id, _)| seen.insert(*id)) {
            results.extend(core.judged(namespace, (id, used), request.session.as_deref(), making.at())?);
        }
        let judged = results.len();
        if judged == 0 {
            let id = request.used.iter().chain(&request.unused).next().copied();
            return match id {
                Some(id) => Err(Error::Store(StoreError::NotFound { id })),
                None => Ok(FeedbackReceipt { judged, weights: None }),
            };
        }
        let used: Vec<_> = results.iter().filter(|result| result.used).map(|result| result.id).collect();
        let (namespace, query) = (namespace.clone(), request.query.clone());
        let record = FeedbackRecord { namespace: namespace.clone(), at: making.at(), query, results };
        let written = making.write(Transaction::Main, vec![Write::Judge(Box::new(record))])?;
        if !written.contains(&Written::Repeated) {
            used.into_iter().for_each(|id| core.usage.note(&namespace, id, making.at()));
        }
        core.nudge();
        let weights = if core.options.tuning == Tuning::On { core.tune(making, &namespace)? } else { None };
        Ok(FeedbackReceipt { judged, weights })
    }

    /// The namespace that all results are of. What is gone by now tells nothing.
    fn namespace_of_results(&self, scope: &Scope, request: &Feedback) -> Result<Namespace, Error> {
        if let Scope::Exact(namespace) = scope {
            return Ok(namespace.clone());
        }
        let ids: Vec<MemoryId> = request.used.iter().chain(&request.unused).copied().collect();
        let results = self.core.store.get(scope, &ids)?;
        let Some(first) = results.first() else {
            let id = *ids.first().ok_or(LimitError::Empty { what: "list of results" })?;
            return Err(Error::Store(StoreError::NotFound { id }));
        };
        let one = first.namespace.clone();
        match results.into_iter().find(|result| result.namespace != one) {
            Some(other) => Err(Error::TwoNamespaces { one, other: other.namespace }),
            None => Ok(one),
        }
    }

    /// The weights that held in a namespace, the earliest first: those that were configured, then what feedback
    /// taught.
    pub fn weights(&self, namespace: &Namespace) -> Result<Vec<LearnedWeights>, Error> {
        let Weights { recall, freshness, importance, context } = self.core.options.orbit.weights;
        let reason = "configured".to_owned();
        let configured = LearnedWeights { number: 0, recall, freshness, importance, context, reason };
        let learned = self.core.store.weights(namespace)?;
        let told = learned.into_iter().map(|set| {
            // A set that holds nothing sensible stands for what is configured.
            let weights = parse(&set.value).unwrap_or(self.core.options.orbit.weights);
            let Weights { recall, freshness, importance, context } = weights;
            let (number, reason) = (set.number, set.reason);
            LearnedWeights { number, recall, freshness, importance, context, reason }
        });
        Ok(std::iter::once(configured).chain(told).collect())
    }

    /// Goes back to an earlier set of weights, by its number; 0 is the configured one. The sets since then stay in
    /// the history.
    pub fn rollback_weights(&self, namespace: &Namespace, number: u64) -> Result<LearnedWeights, Error> {
        let wanted = || Ok(Intent::RollBackWeights { namespace: namespace.clone(), number });
        let make = |making: &Making<'_>| self.make_rollback(making, namespace, number);
        self.core.perform(wanted, "roll back weights", make)
    }

    pub(crate) fn make_rollback(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        number: u64,
    ) -> Result<LearnedWeights, Error> {
        let sets = self.weights(namespace)?;
        let known = sets.len() as u64 - 1;
        // What holds already is not taken once more.
        if let Some(holds) = self.holds(namespace, &sets, number)? {
            return Ok(holds);
        }
        let Some(set) = sets.into_iter().find(|set| set.number == number) else {
            return Err(Error::NoWeights { number, known });
        };
        let LearnedWeights { recall, freshness, importance, context, .. } = set;
        let weights = Weights { recall, freshness, importance, context };
        // The configured weights are not copied: what is configured later shall hold then.
        let taken = if number == 0 { None } else { Some(weights) };
        let reason = format!("rolled back to {number}");
        let take = TakenWeights { weights: taken, reason: reason.clone() };
        let number = self.core.take_weights((making, Transaction::Only), namespace, take)?;
        Ok(LearnedWeights { number, recall, freshness, importance, context, reason })
    }
}

impl Perihelion {
    /// The set that holds, if it is the one of this number, or what that was rolled back to.
    fn holds(
        &self,
        namespace: &Namespace,
        sets: &[LearnedWeights],
        number: u64,
    ) -> Result<Option<LearnedWeights>, Error> {
        let taken = self.core.store.weights(namespace)?;
        let value = |number: u64| taken.iter().find(|set| set.number == number).map(|set| &set.value);
        let holds = sets.last().filter(|last| {
            let configured = |number| number == 0 || value(number).is_some_and(serde_json::Value::is_null);
            last.number == number
                || (configured(last.number) && configured(number))
                || (value(number).is_some() && value(last.number) == value(number))
        });
        Ok(holds.cloned())
    }
}

/// Weights that somebody takes; none for the configured ones.
struct TakenWeights {
    weights: Option<Weights>,
    reason: String,
}

impl Core {
    /// The terms of the memory function for one result, at a time; none if the memory is gone.
    fn judged(
        &self,
        namespace: &Namespace,
        (id, used): (MemoryId, bool),
        session: Option<&str>,
        at: Timestamp,
    ) -> Result<Option<JudgedResult>, Error> {
        let scope = Scope::Exact(namespace.clone());
        let Some(memory) = self.store.get(&scope, &[id])?.pop() else { return Ok(None) };
        let body = self.body_of(&memory)?;
        let context = session.map_or(Ok(None), |session| self.closeness(&memory, session))?;
        let score = peri_orbit::score(&self.options.orbit, &body, context, at.as_millisecond());
        Ok(Some(JudgedResult {
            id,
            used,
            recall: score.recall,
            freshness: score.freshness,
            importance: score.importance,
            context: score.context,
        }))
    }

    /// What the orbit needs to know of a memory, with its latest recalls.
    pub(crate) fn body_of(&self, memory: &Memory) -> Result<Body, Error> {
        let usage = self.store.usage(&memory.namespace, memory.id)?;
        let arrived = self.store.arrived_at(&memory.namespace, memory.id)?;
        let born = arrived.map_or(memory.created_at, |at| at.max(memory.created_at)).as_millisecond();
        let last_used = usage.map_or(born, |(_, at)| at.as_millisecond().max(born));
        Ok(Body {
            born,
            last_used,
            recalls: usage.map_or(0, |(recalls, _)| recalls),
            importance: memory.importance,
            pinned: memory.facets.pinned,
            kept: memory.is_kept(),
        })
    }

    /// Draws new weights from feedback, if it tells enough.
    fn tune(&self, making: &Making<'_>, namespace: &Namespace) -> Result<Option<LearnedWeights>, Error> {
        let sets = self.store.weights(namespace)?;
        let mut records = self.store.feedback(namespace, LOOKED_AT)?;
        // What was given before the weights last changed has had its say.
        records.retain(|record| sets.last().is_none_or(|set| record.at > set.at));
        let settings = self.options.tuner;
        if !is_time_to_try(&settings, records.len()) {
            return Ok(None);
        }
        records.truncate(settings.feedbacks_max);
        let feedback: Vec<tuner::Feedback> = records.iter().map(judgements).collect();
        let configured = self.options.orbit.weights;
        let current = self.orbit_settings(namespace)?.weights;
        let before =
            sets.iter().rev().nth(1).map_or(configured, |set| parse(&set.value).unwrap_or(configured));
        let back = sets.last().and_then(|_| tuner::roll_back(before, current, &feedback, &settings));
        let Some(tuning) = back.or_else(|| tuner::tune(current, &feedback, &settings)) else {
            return Ok(None);
        };
        let Weights { recall, freshness, importance, context } = tuning.weights;
        let reason = tuning.reason.to_string();
        let take = TakenWeights { weights: Some(tuning.weights), reason: reason.clone() };
        let number = self.take_weights((making, Transaction::After), namespace, take)?;
        Ok(Some(LearnedWeights { number, recall, freshness, importance, context, reason }))
    }

    /// Takes other weights, or, with none, those that are configured; the number of the set.
    fn take_weights(
        &self,
        (making, transaction): (&Making<'_>, Transaction),
        namespace: &Namespace,
        TakenWeights { weights, reason }: TakenWeights,
    ) -> Result<u64, Error> {
        let value = weights.map_or(serde_json::Value::Null, |weights| {
            let Weights { recall, freshness, importance, context } = weights;
            serde_json::json!({
                "recall": recall, "freshness": freshness, "importance": importance, "context": context,
            })
        });
        let write = Write::SetWeights { namespace: namespace.clone(), value, reason, at: making.at() };
        match making.write(transaction, vec![write])?.pop() {
            Some(Written::WeightsSet(number)) => Ok(number),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// The weights that feedback has taught, if it has.
    pub(crate) fn learned_weights(&self, namespace: &Namespace) -> Result<Option<Weights>, Error> {
        let sets = self.store.weights(namespace)?;
        Ok(sets.last().and_then(|set| parse(&set.value)))
    }
}

/// Whether the tuner should look at feedback of which there is so much since the weights last changed.
fn is_time_to_try(settings: &TunerSettings, feedbacks: usize) -> bool {
    let mut next = settings.next_try(0);
    while next < feedbacks {
        next = settings.next_try(next);
    }
    next == feedbacks
}

/// Weights as they are stored; none if somebody else has written them.
fn parse(value: &serde_json::Value) -> Option<Weights> {
    let part = |name: &str| value.get(name)?.as_f64().filter(|part| (0.0..=1.0).contains(part));
    Some(Weights {
        recall: part("recall")?,
        freshness: part("freshness")?,
        importance: part("importance")?,
        context: part("context")?,
    })
}

fn judgements(record: &FeedbackRecord) -> tuner::Feedback {
    let shown = record.results.iter().map(|result| Shown {
        terms: Terms {
            recall: result.recall,
            freshness: result.freshness,
            importance: result.importance,
            context: result.context,
        },
        usage: if result.used { Usage::Used } else { Usage::Unused },
    });
    tuner::Feedback { shown: shown.collect() }
}
