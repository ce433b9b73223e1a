//! Giving every memory a vector in a space, batch by batch, until none is missing.

use std::collections::BTreeMap;

use peri_embed::Engine;
use peri_store::{Embedding, LateVector, ListQuery, Order, StoreError, Trashed, Write, Written};
use peri_types::{Memory, MemoryId, Namespace, Scope, SpaceId, Vector};

use super::{
    FAILED_SHARE, Lease, ReindexEnding, ReindexFailure, ReindexProgress, ReindexRequest, Target, Way,
};
use crate::engine::Core;
use crate::failures::with_causes;
use crate::remember::is_sound;
use crate::{Error, Pace};

/// So many failures are told one by one.
const FAILURES_TOLD: usize = 100;

/// An engine that fails for so many texts in a row is broken.
const FAILED_IN_A_ROW: u64 = 64;

/// What was built.
#[derive(Default)]
pub(super) struct Built {
    /// How far it has come.
    pub(super) told: ReindexProgress,
    pub(super) embedded: u64,
    pub(super) without: u64,
    pub(super) failed: u64,
    pub(super) failures: Vec<ReindexFailure>,
    /// Why the space cannot answer yet; none if it can.
    pub(super) ending: Option<ReindexEnding>,
}

/// What an engine said of a text.
enum Said {
    Vector(Vec<f32>),
    Nothing,
    Failed(String),
}

/// One run.
struct Run<'a> {
    core: &'a Core,
    engine: &'a dyn Engine,
    way: Way,
    request: &'a ReindexRequest,
    lease: &'a Lease<'a>,
    progress: &'a mut dyn FnMut(ReindexProgress) -> Pace,
    told: ReindexProgress,
    built: Built,
    /// Those that failed when they were tried last.
    failed: BTreeMap<(Namespace, MemoryId), String>,
    failed_in_a_row: u64,
}

impl Core {
    /// Gives every memory of the scope a vector that lacks one.
    pub(super) fn build(
        &self,
        target: &Target,
        request: &ReindexRequest,
        way: Way,
        lease: &Lease<'_>,
        progress: &mut dyn FnMut(ReindexProgress) -> Pace,
    ) -> Result<Built, Error> {
        let Some(engine) = target.engine.as_deref() else { return Ok(Built::default()) };
        let told = self.progress_so_far(engine.space(), request, way)?;
        let (built, failed) = (Built::default(), BTreeMap::new());
        let mut run = Run {
            core: self,
            engine,
            way,
            request,
            lease,
            progress,
            told,
            built,
            failed,
            failed_in_a_row: 0,
        };
        let pace = run.go()?;
        let ending = run.ending(pace)?;
        let failures = run.failed.into_iter();
        let failures = failures.map(|((namespace, id), why)| ReindexFailure { namespace, id, why });
        let failures = failures.take(FAILURES_TOLD).collect();
        Ok(Built { told: run.told, failures, ending, ..run.built })
    }

    /// How many memories of the scope there are, and how many of them an earlier run has done.
    fn progress_so_far(
        &self,
        space: &SpaceId,
        request: &ReindexRequest,
        way: Way,
    ) -> Result<ReindexProgress, Error> {
        let stats = self.store.stats(&request.scope)?;
        let total: u64 = stats.iter().map(|stats| stats.memories + stats.trashed).sum();
        let unembedded: u64 = stats.iter().map(|stats| stats.unembedded).sum();
        let done = match way {
            Way::InPlace => total - unembedded.min(total),
            Way::Beside => {
                let known = self.store.spaces()?.into_iter().find(|one| one.space == *space);
                known.map_or(0, |known| known.vectors + known.without).min(total)
            }
        };
        Ok(ReindexProgress { total, done, failed: 0 })
    }
}

impl Run<'_> {
    /// Goes over what is missing again and again, until there is nothing new to do: others write meanwhile.
    fn go(&mut self) -> Result<Pace, Error> {
        loop {
            let before = self.built.embedded + self.built.without;
            self.failed.clear();
            for trashed in [Trashed::Without, Trashed::Only] {
                if self.pass(trashed)? == Pace::Stop {
                    return Ok(Pace::Stop);
                }
            }
            if self.built.embedded + self.built.without == before || self.is_broken() {
                return Ok(Pace::GoOn);
            }
        }
    }

    /// Goes over what is missing once.
    fn pass(&mut self, trashed: Trashed) -> Result<Pace, Error> {
        let mut query = self.missing(self.request.scope.clone(), trashed);
        query.limit = self.request.batch.max(1);
        loop {
            self.lease.renew()?;
            if (self.progress)(self.told) == Pace::Stop {
                return Ok(Pace::Stop);
            }
            let page = self.core.store.list(&query)?;
            if page.memories.is_empty() {
                return Ok(Pace::GoOn);
            }
            self.batch(&page.memories)?;
            query.after = page.next;
            if query.after.is_none() || self.is_broken() {
                (self.progress)(self.told);
                return Ok(Pace::GoOn);
            }
        }
    }

    fn missing(&self, scope: Scope, trashed: Trashed) -> ListQuery {
        let lacking = (self.way == Way::Beside).then(|| self.engine.space().clone());
        let (unembedded, as_kept, order) = (lacking.is_none(), true, Order::OldestFirst);
        ListQuery { scope, trashed, lacking, unembedded, as_kept, order, ..ListQuery::default() }
    }

    /// Embeds some memories and writes what came of it.
    fn batch(&mut self, memories: &[Memory]) -> Result<(), Error> {
        let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        let mut vectors = Vec::with_capacity(memories.len());
        for (memory, said) in memories.iter().zip(said_of(self.engine, &texts)) {
            let values = match said {
                Said::Vector(values) => Some(values),
                Said::Nothing => None,
                Said::Failed(why) => {
                    self.failed.insert((memory.namespace.clone(), memory.id), why);
                    self.failed_in_a_row += 1;
                    continue;
                }
            };
            self.failed_in_a_row = 0;
            let (namespace, id, version) = (memory.namespace.clone(), memory.id, memory.version);
            vectors.push(LateVector { namespace, id, version, values });
        }
        let without = vectors.iter().filter(|vector| vector.values.is_none()).count() as u64;
        let taken = if vectors.is_empty() { 0 } else { self.write(vectors)? };
        self.built.without += without.min(taken);
        self.built.embedded += taken - without.min(taken);
        self.told.done = (self.told.done + taken).min(self.told.total);
        self.told.failed = self.failed.len() as u64;
        Ok(())
    }

    /// Writes vectors in one transaction; how many were taken. What was revised meanwhile comes again.
    fn write(&self, vectors: Vec<LateVector>) -> Result<u64, Error> {
        let space = self.engine.space();
        let store = &self.core.store;
        if self.way == Way::Beside {
            return match store.write(vec![Write::PutVectors { space: space.clone(), vectors }])?.pop() {
                Some(Written::VectorsPut(count)) => Ok(count),
                _ => Err(Error::Store(StoreError::Closed)),
            };
        }
        let embed = |late: LateVector| {
            let LateVector { namespace, id, version, values } = late;
            let embedding = match values {
                Some(values) => Embedding::Ready(Vector { space: space.clone(), values }),
                None => Embedding::NotApplicable(space.clone()),
            };
            Write::Embed { namespace, id, version, embedding }
        };
        let written = store.write(vectors.into_iter().map(embed).collect())?;
        Ok(written.iter().filter(|written| **written == Written::Embedded(true)).count() as u64)
    }

    fn is_broken(&self) -> bool {
        self.failed_in_a_row >= FAILED_IN_A_ROW
    }

    /// Why the space cannot answer yet; none if it can.
    fn ending(&mut self, pace: Pace) -> Result<Option<ReindexEnding>, Error> {
        self.built.failed = self.failed.len() as u64;
        if pace == Pace::Stop {
            return Ok(Some(ReindexEnding::Stopped));
        }
        let allowed = (self.told.total / FAILED_SHARE).max(1);
        let done = self.told.total.saturating_sub(self.built.failed);
        if self.is_broken() || self.built.failed > allowed || self.built.failed > done {
            return Ok(Some(ReindexEnding::TooManyFailed));
        }
        Ok(self.others_left()?.then_some(ReindexEnding::OthersLeft))
    }

    /// Whether memories outside the scope lack a vector.
    fn others_left(&self) -> Result<bool, Error> {
        if self.request.scope == Scope::All || self.way == Way::InPlace {
            return Ok(false);
        }
        for trashed in [Trashed::Without, Trashed::Only] {
            let mut query = self.missing(Scope::All, trashed);
            query.limit = self.failed.len() + 1;
            if self.core.store.list(&query)?.memories.iter().any(|one| !self.has_failed(one)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn has_failed(&self, memory: &Memory) -> bool {
        self.failed.contains_key(&(memory.namespace.clone(), memory.id))
    }
}

/// What an engine says of texts. Those that it cannot take together are asked one by one, so that one bad text costs
/// nobody else a vector.
fn said_of(engine: &dyn Engine, texts: &[&str]) -> Vec<Said> {
    let together = engine.embed(texts).ok().filter(|vectors| vectors.len() == texts.len());
    match together {
        Some(vectors) => {
            let told = vectors.into_iter().zip(texts);
            told.map(|(vector, text)| match vector {
                Some(values) if !is_sound(&values, engine.space()) => said_of_one(engine, text),
                Some(values) => Said::Vector(values),
                None => Said::Nothing,
            })
            .collect()
        }
        None => texts.iter().map(|text| said_of_one(engine, text)).collect(),
    }
}

fn said_of_one(engine: &dyn Engine, text: &str) -> Said {
    match engine.embed(&[text]) {
        Err(error) => Said::Failed(with_causes(&error)),
        Ok(vectors) => match <[_; 1]>::try_from(vectors) {
            Ok([None]) => Said::Nothing,
            Ok([Some(values)]) if is_sound(&values, engine.space()) => Said::Vector(values),
            Ok([Some(_)]) => Said::Failed("the engine gave a vector that is not of its space".to_owned()),
            Err(vectors) => Said::Failed(format!("the engine gave {} vectors for one text", vectors.len())),
        },
    }
}
