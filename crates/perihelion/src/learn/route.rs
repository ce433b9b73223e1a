//! Routing: who should take a task, by a table at first and by outcomes after that.
//!
//! What a router knows follows from the trajectories that name an agent, in their order. A trained one is kept in the
//! store from time to time; what was recorded since is learned by each process by itself before it routes.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use peri_learn::route::{PatternVote, Route, Router, Settings, Task};
use peri_store::{Embedding, Order, TrajectoryQuery, Write};
use peri_types::{Namespace, Scope, SpaceId, Trajectory, TrajectoryId};
use serde::{Deserialize, Serialize};

use super::adapt::Mark;
use super::offer::PatternMatch;
use crate::engine::{Core, Perihelion};
use crate::reindex::Sense;
use crate::{Error, Recall};

/// What a trained router is called among what was learned.
pub(super) const ROUTER: &str = "router";

/// Trajectories are learned from so many at a time.
const PAGE: usize = 256;

/// So many alternatives are told.
const ALTERNATIVES: usize = 5;

/// A task to be routed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RouteRequest {
    /// What is to be done.
    pub task: String,
    /// Whose outcomes and patterns are gone by.
    pub namespace: Namespace,
}

impl RouteRequest {
    /// A task of the default namespace.
    pub fn new(task: impl Into<String>) -> Self {
        Self { task: task.into(), namespace: Namespace::default() }
    }
}

/// Who should take a task, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Routed {
    /// Who should.
    pub agent: String,
    /// The probability that this is right, from 0 to 1.
    pub confidence: f32,
    /// Why, in one sentence.
    pub reasoning: String,
    /// Why, point by point.
    pub reasons: Vec<String>,
    /// Who else might, the most probable first.
    pub alternatives: Vec<Alternative>,
    /// The field it belongs to.
    pub domain: String,
    /// Strategies that worked for such tasks, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternMatch>,
    /// From how many outcomes was learned.
    pub outcomes: u64,
    /// What did not take part although it should have, in words for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
}

/// Somebody else who might take a task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alternative {
    /// Who.
    pub agent: String,
    /// The probability that this is right, from 0 to 1.
    pub confidence: f32,
}

/// A router as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Everything up to this one was learned.
    through: Option<TrajectoryId>,
    router: Router,
}

impl Kept {
    /// A router that knows the table and nothing else.
    fn nothing() -> Self {
        Self { through: None, router: Router::new(Settings::default()) }
    }
}

/// A router and how far it has learned.
struct Known {
    /// Which set it was read from.
    mark: Option<Mark>,
    through: Option<TrajectoryId>,
    router: Router,
}

/// The routers of the namespaces in use.
#[derive(Default)]
pub(crate) struct Routers {
    open: Mutex<HashMap<Namespace, Arc<Mutex<Known>>>>,
}

/// What training a router came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainedRouter {
    /// The number of the set that holds now.
    pub set: u64,
    /// From how many outcomes was learned.
    pub outcomes: u64,
    /// Everybody who can be routed to.
    pub agents: Vec<String>,
}

impl Perihelion {
    /// Who should take a task.
    pub fn route_task(&self, request: &RouteRequest) -> Result<Routed, Error> {
        let core = &self.core;
        let sense = core.sense();
        let scope = Scope::Exact(request.namespace.clone());
        let recall = Recall { query: request.task.clone(), scopes: vec![scope], ..Recall::default() };
        let (question, namespaces) = core.ask(&recall, &sense)?;
        let mut degraded: Vec<String> = sense.trouble.clone().into_iter().collect();
        let patterns = core.offered(&sense, &question, &namespaces, &mut degraded);
        let known = core.router(&sense, &request.namespace).unwrap_or_else(|error| {
            degraded.push(format!("outcomes took no part: {error}"));
            Arc::new(Mutex::new(Known {
                mark: None,
                through: None,
                router: Router::new(Settings::default()),
            }))
        });
        let known = known.lock();
        let vector = core.meaning_of(&sense, &request.task);
        let task = Task {
            text: &request.task,
            vector: vector.as_ref().map(|vector| &vector.values[..]),
            space: vector.as_ref().map(|vector| &vector.space),
        };
        let votes: Vec<PatternVote<'_>> = patterns.iter().filter_map(vote).collect();
        let route = known.router.route_with(&task, &votes);
        Ok(told(&request.task, route, (patterns, known.router.learned()), degraded))
    }

    /// Learns routing anew from everything that is recorded of a namespace, and keeps it; none if nothing was.
    pub fn train_router(&self, namespace: &Namespace) -> Result<Option<TrainedRouter>, Error> {
        let core = &self.core;
        let sense = core.sense();
        let mut known = Known { mark: None, through: None, router: Router::new(Settings::default()) };
        core.catch_up(&sense, namespace, &mut known)?;
        if known.router.learned() == 0 {
            return Ok(None);
        }
        let (outcomes, agents) = (known.router.learned(), known.router.agents().to_vec());
        let last = core.latest_router(namespace)?;
        let kept = Kept { through: known.through, router: known.router };
        if let Some((number, before)) = last
            && before.through == kept.through
            && before.router == kept.router
        {
            return Ok(Some(TrainedRouter { set: number, outcomes, agents }));
        }
        let value = serde_json::to_value(&kept).map_err(|error| Error::Transfer(error.into()))?;
        let reason = format!("learned from {outcomes} outcomes");
        let set = core.set_learned(namespace, ROUTER, value, reason)?;
        Ok(Some(TrainedRouter { set, outcomes, agents }))
    }
}

impl Core {
    /// The router of a namespace with everything that was recorded.
    fn router(&self, sense: &Sense, namespace: &Namespace) -> Result<Arc<Mutex<Known>>, Error> {
        let known = {
            let mut open = self.routers.open.lock();
            let fresh = || {
                let router = Router::new(Settings::default());
                Arc::new(Mutex::new(Known { mark: None, through: None, router }))
            };
            Arc::clone(open.entry(namespace.clone()).or_insert_with(fresh))
        };
        {
            let mut held = known.lock();
            let mark = self.learned_mark(namespace, ROUTER)?;
            if mark != held.mark {
                let kept = self.latest_router(namespace)?.map(|(_, kept)| kept);
                let kept = kept.unwrap_or_else(Kept::nothing);
                *held = Known { mark, through: kept.through, router: kept.router };
            }
            self.catch_up(sense, namespace, &mut held)?;
        }
        Ok(known)
    }

    /// The latest router. One that cannot be read, or was put aside, is learned anew.
    fn latest_router(&self, namespace: &Namespace) -> Result<Option<(u64, Kept)>, Error> {
        let Some(set) = self.store.learned(namespace, ROUTER, 0, 1)?.pop() else { return Ok(None) };
        Ok(match serde_json::from_value::<Kept>(set.value) {
            Ok(kept) => Some((set.number, kept)),
            Err(error) => {
                tracing::debug!(%error, %namespace, "a router that was kept cannot be read and is learned anew");
                Some((set.number, Kept::nothing()))
            }
        })
    }

    /// Learns what was recorded since.
    fn catch_up(&self, sense: &Sense, namespace: &Namespace, known: &mut Known) -> Result<(), Error> {
        let mut query = TrajectoryQuery {
            scope: Scope::Exact(namespace.clone()),
            order: Order::OldestFirst,
            after: known.through,
            limit: PAGE,
            ..TrajectoryQuery::default()
        };
        loop {
            let page = self.store.trajectories(&query)?;
            let named: Vec<&Trajectory> =
                page.trajectories.iter().filter(|one| one.agent.is_some()).collect();
            self.learn_routes(sense, &named, &mut known.router);
            known.through = page.trajectories.last().map(|one| one.id).or(known.through);
            query.after = page.next;
            if query.after.is_none() {
                return Ok(());
            }
        }
    }

    fn learn_routes(&self, sense: &Sense, trajectories: &[&Trajectory], router: &mut Router) {
        let texts: Vec<&str> = trajectories.iter().map(|one| one.task.as_str()).collect();
        if texts.is_empty() {
            return;
        }
        let space: Option<&SpaceId> = sense.indexes.space();
        if space.is_some() && router.space().is_some_and(|own| Some(own) != space) {
            router.leave_space();
        }
        for (one, embedding) in trajectories.iter().zip(self.embed_with(sense, &texts)) {
            let vector = if let Embedding::Ready(vector) = embedding { Some(vector) } else { None };
            let task = Task {
                text: &one.task,
                vector: vector.as_ref().map(|vector| &vector.values[..]),
                space: vector.as_ref().map(|vector| &vector.space),
            };
            let agent = one.agent.as_deref().unwrap_or_default();
            if let Err(error) = router.learn(&task, agent, one.outcome) {
                tracing::debug!(%error, id = %one.id, "an outcome taught nothing");
            }
        }
    }

    /// Keeps something that was learned as a whole; its number.
    pub(super) fn set_learned(
        &self,
        namespace: &Namespace,
        name: &str,
        value: serde_json::Value,
        reason: String,
    ) -> Result<u64, Error> {
        let (namespace, name, at) = (namespace.clone(), name.to_owned(), self.now());
        let write = Write::SetLearned { namespace, name, value, reason, at };
        let written = self.store.write(vec![write])?;
        self.publish();
        let number = written.iter().find_map(|one| match one {
            peri_store::Written::Numbered(number) => Some(*number),
            _ => None,
        });
        Ok(number.unwrap_or(0))
    }
}

fn vote(one: &PatternMatch) -> Option<PatternVote<'_>> {
    let agent = one.pattern.agent.as_deref()?;
    Some(PatternVote { agent, similarity: one.similarity, quality: one.pattern.quality })
}

fn told(
    task: &str,
    route: Route,
    (patterns, outcomes): (Vec<PatternMatch>, u64),
    degraded: Vec<String>,
) -> Routed {
    let alternatives = route.alternatives.iter().take(ALTERNATIVES);
    let alternatives =
        alternatives.map(|(agent, confidence)| Alternative { agent: agent.clone(), confidence: *confidence });
    Routed {
        reasoning: route.reasoning(),
        reasons: route.reasons.iter().map(ToString::to_string).collect(),
        alternatives: alternatives.collect(),
        domain: peri_learn::domains::domain_of(task).to_owned(),
        agent: route.agent,
        confidence: route.confidence,
        patterns,
        outcomes,
        degraded,
    }
}
