//! Adaptation: questions are turned a little towards what was of use for such questions before.
//!
//! An adapter is learned from a namespace's own feedback. It takes part only after it has proved itself on questions that
//! it was not learned from, each asked again with it and without it; and it leaves when later feedback speaks against it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use peri_learn::adapt::{self, Adapted, Adapter, Consolidation, Example, Mode, Training, Verdict};
use peri_store::{Embedding, FeedbackRecord, LearnedSet, StoreError};
use peri_types::{MemoryId, Namespace, Scope, SpaceId};
use serde::{Deserialize, Serialize};

use crate::engine::{Core, Perihelion};
use crate::rank::{Question, Stage};
use crate::reindex::Sense;
use crate::{Error, Recall};

/// What an adapter is called among what was learned.
pub(super) const ADAPTER: &str = "adapter";

/// What is kept of one that did not prove itself: when that was, and why.
const TRIAL: &str = "adapter.trial";

/// Whether another process has taken another adapter is looked up so often.
const LOOKED_UP: Duration = Duration::from_secs(1);

/// Judged questions are asked again for so many results.
const DEPTH: usize = 10;

/// Whether questions are adapted by what was of use before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Adaptation {
    /// Yes, wherever it has proved itself.
    #[default]
    Proved,
    /// No.
    Off,
}

/// An adapter as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) mode: Mode,
    pub(super) adapter: Adapter,
    pub(super) protected: Consolidation,
}

/// The adapters of the namespaces in use.
#[derive(Default)]
pub(crate) struct Adapters {
    open: Mutex<HashMap<Namespace, Held>>,
}

struct Held {
    /// Which set holds.
    mark: Option<Mark>,
    adapter: Option<Arc<Adapter>>,
    looked_up: Instant,
    /// Feedback up to this number was tried in vain.
    tried: u64,
}

/// The number of a set, and when it was taken. Numbers begin anew when a namespace is purged.
pub(super) type Mark = (u64, peri_types::Timestamp);

/// By what a question is adapted.
#[derive(Clone, Copy)]
pub(crate) enum Lens<'a> {
    /// By what the namespace has learned, if it has.
    Learned,
    /// By this adapter; none for the question as it is.
    Given(Option<&'a Adapter>),
}

/// What came of an attempt to learn an adapter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdapterTrial {
    /// Whether recall goes by it from now on.
    pub taken: bool,
    /// Whether one that had been taken was put aside.
    pub rolled_back: bool,
    /// Why, in words.
    pub verdict: String,
    /// From how many judged recalls was learned.
    pub learned_from: usize,
    /// On how many others it was tried.
    pub held_out: usize,
    /// How high the first result of use stood on average before: the mean of one over its place.
    pub before: f64,
    /// The same with the adapter.
    pub after: f64,
}

/// What was judged, with its vectors.
struct Judged {
    record: FeedbackRecord,
    example: Example,
}

impl Perihelion {
    /// Feedback that was given in a namespace, the latest first.
    pub fn judged(&self, namespace: &Namespace, limit: usize) -> Result<Vec<FeedbackRecord>, Error> {
        Ok(self.core.store.feedback(namespace, limit)?)
    }

    /// Learns an adapter from the feedback of a namespace, tries it, and takes it if it proves itself; none if there
    /// is nothing new to learn from, or nothing is to be learned.
    pub fn train_adapter(
        &self,
        namespace: &Namespace,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<AdapterTrial>, Error> {
        let core = &self.core;
        let settings = &core.options.learning;
        if settings.adaptation == Adaptation::Off {
            return Ok(None);
        }
        let sense = core.sense();
        let Some(space) = sense.indexes.space().cloned() else { return Ok(None) };
        let current = core.latest_adapter(namespace)?;
        let through = core.feedback_through(namespace, peri_types::Timestamp::MAX)?;
        let (mode, tried) = (settings.mode, core.tried_in_vain(namespace)?);
        let new = core.feedback_since(namespace, tried.max(current.as_ref().map_or(0, |own| own.through)))?;
        // Who tries again and again is lucky some day: after a refusal, half as much again must have come.
        let patience = usize::try_from(tried / 2).unwrap_or(usize::MAX);
        if new < mode.settings().train_every.max(patience) {
            return Ok(None);
        }
        let judged = core.judged_examples(&sense, namespace, mode.settings().capacity)?;
        core.adapters.note_tried(namespace, through);
        if let Some(set) = &current
            && let Some(trial) = self.put_aside_if_worse(namespace, set, &judged, go_on)?
        {
            return Ok(Some(trial));
        }
        let kept = current.and_then(|set| set.kept).filter(|kept| *kept.adapter.space() == space);
        let trial = self.learn_adapter(namespace, (space, mode), kept, &judged, go_on)?;
        // Other processes, and this one after a restart, must have as much patience.
        if let Some(refused) = trial.as_ref().filter(|trial| !trial.taken) {
            core.set_learned(namespace, TRIAL, serde_json::Value::Null, refused.verdict.clone())?;
        }
        Ok(trial)
    }

    fn learn_adapter(
        &self,
        namespace: &Namespace,
        (space, mode): (SpaceId, Mode),
        kept: Option<Kept>,
        judged: &[Judged],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<AdapterTrial>, Error> {
        let settings = mode.settings();
        let plain = || Adapter::new(space.clone(), settings.rank);
        let (current, protected) = match kept {
            Some(kept) if kept.mode == mode => (Ok(kept.adapter), kept.protected),
            _ => (plain(), Consolidation::new(settings.protection_strength)),
        };
        let Ok(current) = current else { return Ok(None) };
        let examples: Vec<Example> = judged.iter().map(|one| one.example.clone()).collect();
        let training = Training { current: &current, protected: &protected, settings, seed: 0 };
        let lesson = match adapt::learn(&training, &self.core.now().to_string(), &examples) {
            Ok(lesson) => lesson,
            Err(error) => {
                tracing::debug!(%error, %namespace, "nothing to learn an adapter from");
                return Ok(None);
            }
        };
        // Each question is asked again with an adapter that was not learned from it.
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (part, candidate) in lesson.trials.iter().enumerate() {
            let held_out: Vec<&Judged> = judged.iter().filter(|one| one.example.part() == part).collect();
            before.extend(self.places(namespace, Lens::Given(Some(&current)), &held_out, go_on)?);
            after.extend(self.places(namespace, Lens::Given(Some(candidate)), &held_out, go_on)?);
        }
        let verdict = adapt::judge(&before, &after);
        let trial = AdapterTrial {
            taken: verdict.is_taken(),
            rolled_back: false,
            verdict: verdict.to_string(),
            learned_from: lesson.learned_from,
            held_out: before.len(),
            before: mean(&before),
            after: mean(&after),
        };
        if !go_on() {
            return Ok(None);
        }
        if let Verdict::Taken { .. } = verdict {
            let kept = Kept { mode, adapter: lesson.adapter, protected: lesson.protected };
            let value = serde_json::to_value(&kept).map_err(|error| Error::Transfer(error.into()))?;
            self.core.set_learned(namespace, ADAPTER, value, trial.verdict.clone())?;
            self.core.adapters.forget(namespace);
        }
        Ok(Some(trial))
    }

    /// Puts an adapter aside if the feedback since it was taken says that recall is better without it.
    fn put_aside_if_worse(
        &self,
        namespace: &Namespace,
        set: &Taken,
        judged: &[Judged],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<AdapterTrial>, Error> {
        let Some(kept) = &set.kept else { return Ok(None) };
        let since: Vec<&Judged> = judged.iter().filter(|one| one.record.at > set.at).collect();
        let with = self.places(namespace, Lens::Given(Some(&kept.adapter)), &since, go_on)?;
        let without = self.places(namespace, Lens::Given(None), &since, go_on)?;
        let verdict = adapt::judge(&with, &without);
        if !verdict.is_taken() || !go_on() {
            return Ok(None);
        }
        let reason = format!("put aside, since recall is better without it: {verdict}");
        self.core.set_learned(namespace, ADAPTER, serde_json::Value::Null, reason.clone())?;
        self.core.adapters.forget(namespace);
        Ok(Some(AdapterTrial {
            taken: false,
            rolled_back: true,
            verdict: reason,
            learned_from: 0,
            held_out: since.len(),
            before: mean(&with),
            after: mean(&without),
        }))
    }

    /// One over the place of the first result of use, for each question, asked again and not counted as a use.
    fn places(
        &self,
        namespace: &Namespace,
        lens: Lens<'_>,
        judged: &[&Judged],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Vec<f64>, Error> {
        let mut places = Vec::with_capacity(judged.len());
        for one in judged.iter().take_while(|_| go_on()) {
            let scope = Scope::Exact(namespace.clone());
            let recall = Recall::new(&one.record.query).in_scope(scope).limit(DEPTH);
            let found = self.find_through(&recall, lens)?;
            let is_used =
                |id: MemoryId| one.record.results.iter().any(|result| result.used && result.id == id);
            let place = found.hits.iter().position(|hit| is_used(hit.memory.id));
            places.push(place.map_or(0.0, |place| 1.0 / (place + 1) as f64));
        }
        Ok(places)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// What holds in a namespace.
struct Taken {
    at: peri_types::Timestamp,
    through: u64,
    kept: Option<Kept>,
}

impl Core {
    /// A question as a namespace has learned to understand it; none if it stays as it is.
    pub(crate) fn seen_through(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        question: &Question,
        lens: Lens<'_>,
    ) -> Option<Question> {
        if !question.stages.has(Stage::Adaptation) {
            return None;
        }
        let adapter = match lens {
            Lens::Given(adapter) => return question.adapted(|vector| turned(adapter?, sense, vector)),
            Lens::Learned => self.adapter(namespace)?,
        };
        question.adapted(|vector| turned(&adapter, sense, vector))
    }

    /// The adapter that a namespace goes by. One that cannot be read takes no part.
    fn adapter(&self, namespace: &Namespace) -> Option<Arc<Adapter>> {
        if self.options.learning.adaptation == Adaptation::Off {
            return None;
        }
        let mut open = self.adapters.open.lock();
        let held = open.get(namespace);
        if let Some(held) = held.filter(|held| held.looked_up.elapsed() < LOOKED_UP) {
            return held.adapter.clone();
        }
        let (mark, known, tried) =
            held.map_or((None, None, 0), |held| (held.mark, held.adapter.clone(), held.tried));
        let (mark, adapter) = self.newer_adapter(namespace, mark, known.clone()).unwrap_or_else(|error| {
            tracing::debug!(%error, %namespace, "what was learned cannot be read");
            (mark, known)
        });
        let held = Held { mark, adapter: adapter.clone(), looked_up: Instant::now(), tried };
        open.insert(namespace.clone(), held);
        adapter
    }

    /// What holds, if that is another than what is known.
    fn newer_adapter(
        &self,
        namespace: &Namespace,
        mark: Option<Mark>,
        known: Option<Arc<Adapter>>,
    ) -> Result<(Option<Mark>, Option<Arc<Adapter>>), StoreError> {
        let latest = self.learned_mark(namespace, ADAPTER)?;
        if latest == mark {
            return Ok((mark, known));
        }
        let set = self.store.learned(namespace, ADAPTER, 0, 1)?.pop();
        Ok((latest, set.and_then(read).map(|kept| Arc::new(kept.adapter))))
    }

    /// Which set of a name holds.
    pub(super) fn learned_mark(&self, namespace: &Namespace, name: &str) -> Result<Option<Mark>, StoreError> {
        let marks = self.store.learned_marks(namespace)?;
        Ok(marks.into_iter().find(|mark| mark.name == name).map(|mark| (mark.number, mark.at)))
    }

    fn latest_adapter(&self, namespace: &Namespace) -> Result<Option<Taken>, Error> {
        let Some(set) = self.store.learned(namespace, ADAPTER, 0, 1)?.pop() else { return Ok(None) };
        // What was given before it was taken has had its say.
        let (at, through) = (set.at, self.feedback_through(namespace, set.at)?);
        Ok(Some(Taken { at, through, kept: read(set) }))
    }

    /// The number of the last feedback that was tried in vain, here or by another process. Kept is a time and no number:
    /// numbers are others in a copy of a namespace.
    fn tried_in_vain(&self, namespace: &Namespace) -> Result<u64, Error> {
        let here = self.adapters.tried(namespace);
        let Some((_, at)) = self.learned_mark(namespace, TRIAL)? else { return Ok(here) };
        Ok(here.max(self.feedback_through(namespace, at)?))
    }

    /// The number of the last feedback that was given up to a time.
    fn feedback_through(&self, namespace: &Namespace, at: peri_types::Timestamp) -> Result<u64, Error> {
        let records = self.store.feedback_after(namespace, 0, usize::MAX >> 1)?;
        let given = records.iter().filter(|(_, record)| record.at <= at).map(|(number, _)| *number);
        Ok(given.max().unwrap_or(0))
    }

    fn feedback_since(&self, namespace: &Namespace, number: u64) -> Result<usize, Error> {
        Ok(self.store.feedback_after(namespace, number, usize::MAX >> 1)?.len())
    }

    /// The latest feedback that tells something, with the vectors of what was asked and shown, the earliest first.
    fn judged_examples(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        limit: usize,
    ) -> Result<Vec<Judged>, Error> {
        let mut records = self.store.feedback(namespace, limit)?;
        records.reverse();
        records.retain(|record| {
            record.results.iter().any(|one| one.used) && record.results.iter().any(|one| !one.used)
        });
        let queries = records.iter().map(|record| self.asked(sense, namespace, &record.query));
        let queries = queries.collect::<Result<Vec<_>, Error>>()?;
        let meanings = self.meanings(sense, namespace, &records)?;
        let example = |(record, query): (FeedbackRecord, Option<Vec<f32>>)| {
            let of = |wanted: bool| {
                let chosen = record.results.iter().filter(move |one| one.used == wanted);
                chosen.filter_map(|one| meanings.get(&one.id).cloned()).collect::<Vec<_>>()
            };
            let example = Example { query: query?, used: of(true), unused: of(false) };
            (!example.used.is_empty() && !example.unused.is_empty()).then_some(Judged { example, record })
        };
        Ok(records.into_iter().zip(queries).filter_map(example).collect())
    }

    /// The vector that a question is recalled by.
    fn asked(&self, sense: &Sense, namespace: &Namespace, query: &str) -> Result<Option<Vec<f32>>, Error> {
        let scopes = vec![Scope::Exact(namespace.clone())];
        let recall = Recall { query: query.to_owned(), scopes, ..Recall::default() };
        Ok(self.ask(&recall, sense)?.0.vector().map(<[f32]>::to_vec))
    }

    /// The meanings of the memories that were judged; those that are gone or have none are left out.
    fn meanings(
        &self,
        sense: &Sense,
        namespace: &Namespace,
        records: &[FeedbackRecord],
    ) -> Result<HashMap<MemoryId, Vec<f32>>, Error> {
        let mut ids: Vec<MemoryId> =
            records.iter().flat_map(|record| &record.results).map(|one| one.id).collect();
        ids.sort();
        ids.dedup();
        let mut meanings = HashMap::new();
        for some in ids.chunks(128) {
            let memories = self.store.get(&Scope::Exact(namespace.clone()), some)?;
            let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
            let vectors = self.vectors(sense, &texts);
            let known =
                memories.iter().zip(vectors).filter_map(|(memory, vector)| Some((memory.id, vector?)));
            meanings.extend(known);
        }
        Ok(meanings)
    }

    fn vectors(&self, sense: &Sense, texts: &[&str]) -> Vec<Option<Vec<f32>>> {
        if texts.is_empty() {
            return Vec::new();
        }
        let ready =
            |embedding| if let Embedding::Ready(vector) = embedding { Some(vector.values) } else { None };
        self.embed_with(sense, texts).into_iter().map(ready).collect()
    }
}

impl Adapters {
    fn tried(&self, namespace: &Namespace) -> u64 {
        self.open.lock().get(namespace).map_or(0, |held| held.tried)
    }

    fn note_tried(&self, namespace: &Namespace, through: u64) {
        let mut open = self.open.lock();
        let unread = || Held { mark: None, adapter: None, looked_up: long_ago(), tried: 0 };
        open.entry(namespace.clone()).or_insert_with(unread).tried = through;
    }

    /// What holds is read again at the next question.
    pub(super) fn forget(&self, namespace: &Namespace) {
        if let Some(held) = self.open.lock().get_mut(namespace) {
            held.looked_up = long_ago();
        }
    }
}

fn long_ago() -> Instant {
    let now = Instant::now();
    now.checked_sub(LOOKED_UP).unwrap_or(now)
}

pub(super) fn read(set: LearnedSet) -> Option<Kept> {
    if set.value.is_null() {
        return None;
    }
    serde_json::from_value(set.value)
        .inspect_err(|error| tracing::debug!(%error, "an adapter that was kept cannot be read"))
        .ok()
}

/// The vector as an adapter turns it; none if it stays as it is.
fn turned(adapter: &Adapter, sense: &Sense, vector: &[f32]) -> Option<Vec<f32>> {
    if sense.indexes.space() != Some(adapter.space()) {
        return None;
    }
    let mut turned = vector.to_vec();
    (adapter.adapt(&mut turned) == Adapted::Yes).then_some(turned)
}
