//! Recall: from a question to the memories that matter to it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use peri_embed::Reading;
use peri_index::{Superseded, View};
use peri_store::{StoreError, Told};
use peri_types::{Filter, Happening, Layer, Memory, MemoryId, Namespace, Scope, Timestamp};
use serde::Serialize;

use crate::deadlines::Awaited;
use crate::engine::{Core, Perihelion};
use crate::graphs::Linked;
use crate::indexes::Shelf;
use crate::learn::{Lens, PatternMatch};
use crate::pool::Need;
use crate::rank::{self, Ranked, Stage, Stages, features};
use crate::redact::redact_text;
use crate::reindex::Sense;
use crate::{Error, Redaction};

/// Of what held in the past so many are ranked: some of it did not hold at the time that was asked for.
const AS_OF_RANKED: usize = 200;

/// So many more than asked for are ranked, in case they are about as relevant as the last one.
const NEAR_TIES: usize = 8;

/// Sums of features that differ by less than this say that two memories are about equally relevant: about one
/// hundredth of a score.
const NEAR_TIE: f32 = 0.05;

/// In a session, those that hold the same words of the question are about equally relevant up to this difference, two or
/// three hundredths of a score. It is what one word makes that the question does not name: "the blue safe" and "the grey
/// safe" differ by 0.1 to 0.2. What is nearer in meaning by more than that stays before it.
const SESSION_TIE: f32 = 0.3;

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
    /// What held at this time in the past, rather than what holds now; "yesterday" then means the day before it.
    pub as_of: Option<Timestamp>,
    /// The session in which is asked: of results that are about equally relevant, its own come first.
    pub session: Option<String>,
    /// Whose days "yesterday" and "last week" in the query mean; the engine's setting if left out.
    pub time_zone: Option<TimeZone>,
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

    /// The same, answered as of a time in the past.
    pub fn as_of(mut self, then: Timestamp) -> Self {
        self.as_of = Some(then);
        self
    }

    /// The same, asked in a session.
    pub fn in_session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }

    /// The same, asked by somebody in this time zone.
    pub fn in_time_zone(mut self, zone: TimeZone) -> Self {
        self.time_zone = Some(zone);
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Strategies that worked for such tasks, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternMatch>,
    /// Whether the question was adapted by what feedback has taught.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adapted: bool,
    /// What was understood of the query's words for time, such as "yesterday", in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<UnderstoodTime>,
    /// What did not take part although it should have, in words for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degraded: Vec<String>,
    /// How long it took.
    #[serde(skip)]
    pub took: Took,
}

impl Recalled {
    /// The answer of a store that does not answer.
    fn of_nothing(trouble: &StoreError) -> Self {
        Self {
            hits: Vec::new(),
            namespaces: Vec::new(),
            considered: 0,
            below_floor: 0,
            over_budget: 0,
            patterns: Vec::new(),
            adapted: false,
            times: Vec::new(),
            degraded: vec![format!("no memory took part: {trouble}")],
            took: Took::default(),
        }
    }
}

/// How long something took. It says nothing of what came of it, so that two answers are the same however long they
/// took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Took(pub Duration);

impl PartialEq for Took {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Words of a query that speak of a time by its distance, and which time that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnderstoodTime {
    /// The words as they were written.
    pub text: String,
    /// The first moment, which is the beginning of a day in the asker's time zone.
    pub from: Timestamp,
    /// The end, which is the beginning of the day after the last one.
    pub until: Timestamp,
}

/// A memory that was recalled, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hit {
    /// The memory.
    pub memory: Memory,
    /// How relevant it seems, from 0 to 1.
    pub score: f32,
    /// Tokens of its content.
    pub tokens: usize,
    /// Whether it reads like an order to an agent, which somebody may have planted. It is data all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads_like_order: bool,
    /// Where the score comes from.
    pub explanation: Explanation,
}

/// Where a score comes from.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// What each stage brought, the largest first. The score is a logistic function of their sum.
    pub parts: Vec<Part>,
    /// The words of the query that the memory holds.
    pub matched: Vec<String>,
}

/// A memory that was weighed, with what was measured of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Part {
    /// The stage.
    pub stage: Stage,
    /// Its share of the sum; negative when it speaks against the memory.
    pub value: f32,
}

impl Perihelion {
    /// Finds the memories that matter to a question, in every zone and age, the best first.
    pub fn recall(&self, request: &Recall) -> Result<Recalled, Error> {
        let recalled = self.search(request)?;
        self.note_recall(request, &recalled);
        Ok(recalled)
    }

    /// Notes that results were handed out, for a caller who searched first and handed out some of them.
    pub fn note_recall(&self, request: &Recall, recalled: &Recalled) {
        let now = self.core.time_of_use();
        recalled.namespaces.iter().for_each(|namespace| self.core.usage.note_asked_in(namespace, now));
        for hit in &recalled.hits {
            self.core.usage.note(&hit.memory.namespace, hit.memory.id, now);
        }
        self.core.tell_of_recall(request, recalled);
        self.core.nudge();
    }

    /// Finds what [`Perihelion::recall`] would, without counting it as used.
    ///
    /// A store that does not answer in time is no failure of the question: nothing is found then, and the answer says why.
    pub fn search(&self, request: &Recall) -> Result<Recalled, Error> {
        match self.awaited(Awaited::Answer, || self.find(request)) {
            Err(Error::Store(error))
                if error.is_unreachable() || matches!(error, StoreError::Busy { .. }) =>
            {
                Ok(Recalled::of_nothing(&error))
            }
            Ok(mut found) => {
                found.degraded.extend(self.clock_leap().map(|leap| leap.to_string()));
                Ok(found)
            }
            found => found,
        }
    }

    /// The same, without being noted as a use of what is found.
    pub(crate) fn find(&self, request: &Recall) -> Result<Recalled, Error> {
        self.find_through(request, Lens::Learned)
    }

    /// The same, with questions adapted in a given way.
    pub(crate) fn find_through(&self, request: &Recall, lens: Lens<'_>) -> Result<Recalled, Error> {
        let (core, started) = (&self.core, Instant::now());
        let limit = request.limit.unwrap_or(core.options.recall.limit);
        core.options.limits.check_results(limit)?;
        let sense = core.sense();
        let (question, namespaces) = core.ask(request, &sense)?;
        let ranked_max = (limit + NEAR_TIES).max(if request.as_of.is_some() { AS_OF_RANKED } else { 0 });
        let mut degraded: Vec<String> = question.degraded.clone().into_iter().collect();
        if question.stages.has(Stage::Meaning) {
            degraded.extend(sense.trouble.clone());
        }
        let mut ranked = Vec::new();
        let (mut considered, mut below_floor) = (0, 0);
        let mut adapted = false;
        for namespace in &namespaces {
            let turned = core.seen_through(&sense, namespace, &question, lens);
            adapted |= turned.is_some();
            let question = turned.as_ref().unwrap_or(&question);
            let shelf = core.shelf(&sense, namespace, &Need::Question(question, &request.filter))?;
            let ranked_max = ranked_max + core.held_elsewhere(&shelf, request);
            let found = core.rank(&shelf, question, request, ranked_max, &mut degraded);
            considered += found.considered;
            below_floor += found.below_floor;
            ranked.extend(found.ranked.into_iter().map(|one| (namespace, one)));
        }
        ranked.sort_by(|(_, a), (_, b)| b.sum.total_cmp(&a.sum).then(a.id.cmp(&b.id)));
        let score_min = request.score_min.unwrap_or(core.options.recall.score_min);
        let found = ranked.len();
        ranked.retain(|(_, one)| one.score >= score_min);
        below_floor += found - ranked.len();
        let (hits, over_budget) = core.hits(ranked, request, limit)?;
        let patterns = match request.as_of {
            Some(_) => Vec::new(),
            None => core.offered(&sense, &question, &namespaces, &mut degraded),
        };
        Ok(Recalled {
            hits,
            namespaces,
            considered,
            below_floor,
            over_budget,
            patterns,
            adapted,
            times: question.times,
            degraded,
            took: Took(started.elapsed()),
        })
    }
}

impl Perihelion {
    /// Everything that a recall would weigh, the best first, without the floor and the limit: for finding out
    /// why a memory was not recalled, and for fitting the weights.
    pub fn weigh(&self, request: &Recall) -> Result<Vec<Weighed>, Error> {
        let stages = request.stages.unwrap_or(self.core.options.recall.stages).without(Stage::Floor);
        let weighed = self.core.weigh_all(request, stages)?;
        let told = |one: Ranked| Weighed { id: one.id, score: one.score, values: one.values.to_vec() };
        Ok(weighed.into_iter().map(told).collect())
    }

    /// What memories are weighed by, in the order of [`Weighed::values`].
    pub fn features(&self) -> impl ExactSizeIterator<Item = FeatureInfo> {
        let reading = self.core.sense().engine.as_ref().map_or(Reading::Words, |engine| engine.reading());
        let all = features::FEATURES.iter().zip(features::weights(reading));
        all.map(|(own, weight)| FeatureInfo { name: own.name, stage: own.stage, weight })
    }
}

impl Core {
    /// Everything that a recall with these stages would weigh, the best first, without the limit.
    pub(crate) fn weigh_all(&self, request: &Recall, stages: Stages) -> Result<Vec<Ranked>, Error> {
        let sense = self.sense();
        let (question, namespaces) = self.ask(&Recall { stages: Some(stages), ..request.clone() }, &sense)?;
        let mut weighed = Vec::new();
        for namespace in &namespaces {
            let turned = self.seen_through(&sense, namespace, &question, Lens::Learned);
            let question = turned.as_ref().unwrap_or(&question);
            let shelf = self.shelf(&sense, namespace, &Need::Question(question, &request.filter))?;
            let found = self.rank(&shelf, question, request, usize::MAX, &mut Vec::new());
            weighed.extend(found.ranked);
        }
        weighed.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.id.cmp(&b.id)));
        Ok(weighed)
    }

    /// Analyses a request: what is asked, and where.
    pub(crate) fn ask(
        &self,
        request: &Recall,
        sense: &Sense,
    ) -> Result<(rank::Question, Vec<Namespace>), Error> {
        self.options.limits.check_query(&request.query)?;
        let stages = request.stages.unwrap_or(self.options.recall.stages);
        let namespaces = self.namespaces_of(&request.scopes)?;
        let zone = request.time_zone.as_ref().unwrap_or(&self.options.time_zone);
        let moment = rank::Moment { at: request.as_of.unwrap_or_else(|| self.now()), zone: zone.clone() };
        Ok((rank::Question::new(&request.query, sense.engine.as_deref(), stages, &moment), namespaces))
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

    /// What of the indexes is looked at: what holds now, or what may have held then.
    fn view(&self, request: &Recall) -> View {
        match request.as_of {
            Some(then) => View { now: then, superseded: Superseded::Included },
            None => View { now: self.now(), superseded: Superseded::LeftOut },
        }
    }

    /// Ranks the memories of one namespace. Links that cannot be read are done without, and the answer says so.
    fn rank(
        &self,
        shelf: &Shelf,
        question: &rank::Question,
        request: &Recall,
        limit: usize,
        degraded: &mut Vec<String>,
    ) -> rank::Ranking {
        let (store, namespace) = (&*self.store, shelf.namespace());
        let wanted = question.stages.has(Stage::Graph);
        let (open, mut trouble) = match self.graphs.in_memory(store, namespace) {
            Ok(open) if wanted => (open, None),
            Err(error) if wanted => (None, Some(error)),
            _ => (None, None),
        };
        let graph = open.as_ref().map(|open| open.read());
        let in_memory = graph.as_ref().map(|graph| &graph.0);
        let linked = (wanted && trouble.is_none()).then(|| Linked::new(in_memory, store, namespace));
        let sight = rank::Sight { filter: &request.filter, view: self.view(request), graph: linked.as_ref() };
        let found = rank::rank(&shelf.read(), &self.lexicon, question, &sight, limit);
        trouble = trouble.or(linked.and_then(Linked::trouble));
        if let Some(error) = trouble {
            tracing::warn!(%error, %namespace, "recall goes on without the graph");
            degraded.push(format!("the graph of {namespace} cannot be read: {error}"));
        }
        found
    }

    /// Fetches the memories, within the limit and the token budget.
    fn hits(
        &self,
        ranked: Vec<(&Namespace, Ranked)>,
        request: &Recall,
        limit: usize,
    ) -> Result<(Vec<Hit>, usize), Error> {
        let mut found: Vec<(f32, Hit)> = Vec::with_capacity(limit.min(ranked.len()));
        let asked_in = self.asked_in(request);
        for (namespace, Ranked { id, sum, score, explanation, .. }) in ranked {
            // Those that are about as relevant as the last one are looked at too: one of them may be nearer.
            let margin = if request.session.is_some() { SESSION_TIE } else { NEAR_TIE };
            if found.len() >= limit && found.last().is_some_and(|(last, _)| last - sum >= margin) {
                break;
            }
            let Some(memory) = self.seen(namespace, id, request.as_of)? else { continue };
            if asked_in.is_some() && is_held_elsewhere(&memory, asked_in.as_deref()) {
                continue;
            }
            let tokens = peri_text::count_tokens(&memory.content);
            let reads_like_order = peri_text::gives_orders(&memory.content);
            found.push((sum, Hit { memory, score, tokens, reads_like_order, explanation }));
        }
        self.break_near_ties(&mut found, request.session.as_deref())?;
        found.truncate(limit);
        let mut left = request.tokens_max.unwrap_or(usize::MAX);
        let (mut hits, mut over_budget) = (Vec::with_capacity(found.len()), 0);
        for (_, hit) in found {
            if hit.tokens > left {
                over_budget += 1;
                continue;
            }
            left -= hit.tokens;
            hits.push(hit);
        }
        Ok((hits, over_budget))
    }

    /// The session whose working memory may be seen beside the namespace's own; none if all may.
    pub(crate) fn asked_in(&self, request: &Recall) -> Option<String> {
        let named = request.filter.session.as_deref().or(request.session.as_deref());
        named.map(|session| self.as_kept(session))
    }

    /// At most so many memories of a namespace are left out because another session holds them.
    fn held_elsewhere(&self, shelf: &Shelf, request: &Recall) -> usize {
        let layers = &request.filter.layers;
        // A filter by session has left them out before anything is ranked.
        let none = request.session.is_none() || request.filter.session.is_some();
        if none || !(layers.is_empty() || layers.contains(&Layer::Working)) {
            return 0;
        }
        let filter = Filter { layers: vec![Layer::Working], ..request.filter.clone() };
        shelf.read().mask(&filter, self.view(request)).count()
    }

    /// A ranked memory as it is to be handed out. Between ranking and reading, another process may have taken it
    /// away.
    fn seen(
        &self,
        namespace: &Namespace,
        id: MemoryId,
        as_of: Option<Timestamp>,
    ) -> Result<Option<Memory>, Error> {
        let found = self.store.get(&Scope::Exact(namespace.clone()), &[id])?.pop();
        match (found, as_of) {
            (Some(memory), Some(then)) => self.as_of(memory, then),
            (found, None) => Ok(found.filter(|memory| memory.is_visible(self.now()))),
            (None, _) => Ok(None),
        }
    }

    fn tell_of_recall(&self, request: &Recall, recalled: &Recalled) {
        if !self.options.events.recalls {
            return;
        }
        let mut query = request.query.clone();
        if self.options.redaction == Redaction::On {
            redact_text(&mut query, &mut Vec::new());
        }
        let ids = recalled.hits.iter().map(|hit| hit.memory.id).collect();
        let namespace = if let [only] = &recalled.namespaces[..] { Some(only.clone()) } else { None };
        let micros = u64::try_from(recalled.took.0.as_micros()).ok().filter(|micros| *micros > 0);
        let what = Happening::Recalled { query, ids, micros };
        self.usage.tell(Told { namespace, at: self.now(), what });
    }

    /// Orders results that are about equally relevant: those of the session first, then by how near they orbit, or,
    /// in a session, would orbit if nearness were measured by what it is about. What is clearly more relevant stays
    /// before what is less.
    fn break_near_ties(&self, found: &mut [(f32, Hit)], session: Option<&str>) -> Result<(), Error> {
        let mut from = 0;
        while from < found.len() {
            let first = found[from].0;
            let run = found[from..].iter().take_while(|(sum, _)| first - sum < NEAR_TIE).count();
            let tied = &mut found[from..from + run];
            match session {
                Some(session) if run > 1 => {
                    let far = tied.iter().map(|(_, hit)| self.farness(&hit.memory, session));
                    let far: Vec<(bool, f64)> = far.collect::<Result<_, Error>>()?;
                    let far: HashMap<MemoryId, (bool, f64)> =
                        tied.iter().map(|(_, hit)| hit.memory.id).zip(far).collect();
                    tied.sort_by(|(_, a), (_, b)| {
                        let (a, b) = (far[&a.memory.id], far[&b.memory.id]);
                        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
                    });
                }
                _ => tied.sort_by_key(|(_, hit)| hit.memory.zone),
            }
            from += run;
        }
        if let Some(session) = session {
            bring_forward(found, session);
        }
        Ok(())
    }

    /// Whether a memory belongs to another session, and how far from this one's context it orbits.
    fn farness(&self, memory: &Memory, session: &str) -> Result<(bool, f64), Error> {
        let settings = self.orbit_settings(&memory.namespace)?;
        let context = self.closeness(memory, session)?;
        let body = self.body_of(memory)?;
        let score = peri_orbit::score(&settings, &body, context, self.now().as_millisecond());
        Ok((memory.facets.session.as_deref() != Some(session), 1.0 - score.total))
    }

    /// How close a memory is to what a session is about, from 0 to 1; none if that is not known.
    pub(crate) fn closeness(&self, memory: &Memory, session: &str) -> Result<Option<f64>, Error> {
        let need = Need::Session(memory.id, session);
        let shelf = self.shelf(&self.senses.now(), &memory.namespace, &need)?;
        let index = shelf.read();
        let filter = Filter { session: Some(session.to_owned()), ..Filter::default() };
        let view = View { now: self.now(), superseded: Superseded::Included };
        let vector = index.doc_of(memory.id).and_then(|doc| index.vector(doc));
        let (Some(vector), Some(any)) = (vector, index.mask(&filter, view).iter().next()) else {
            return Ok(None);
        };
        Ok(index.session_cosine(&vector, any).map(|cosine| f64::from(cosine.clamp(0.0, 1.0))))
    }
}

/// Brings what belongs to a session before others that hold the same words of the question and are hardly more relevant.
fn bring_forward(found: &mut [(f32, Hit)], session: &str) {
    let mut from = 0;
    while from < found.len() {
        let (first, matched) = (found[from].0, found[from].1.explanation.matched.clone());
        let tied = |(sum, hit): &&(f32, Hit)| {
            (first - sum).abs() < SESSION_TIE && hit.explanation.matched == matched
        };
        let run = found[from..].iter().take_while(tied).count().max(1);
        found[from..from + run].sort_by_key(|(_, hit)| hit.memory.facets.session.as_deref() != Some(session));
        from += run;
    }
}

/// Whether a memory is in the working memory of another session than this one.
pub(crate) fn is_held_elsewhere(memory: &Memory, session: Option<&str>) -> bool {
    let held_by = memory.facets.session.as_deref();
    memory.layer == Layer::Working && held_by.is_some() && held_by != session
}
