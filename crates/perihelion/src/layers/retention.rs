//! The end of episodes: what was told for long enough is let go, and what matters of it is known from then on.

use std::collections::HashSet;

use peri_index::{Superseded, View};
use peri_store::{LetGo, Released, StoreError, Write, Written};
use peri_types::{Filter, Layer, Memory, MemoryId, Namespace, Timestamp};

use super::Swept;
use crate::Error;
use crate::engine::Core;
use crate::pool::Need;

/// Episodes are looked at so many at a time.
const PAGE: usize = 256;

/// So many of the closest are looked at to find out whether an episode was told before.
const NEAREST: usize = 64;

/// At most so many episodes become one memory: as many edges as a memory may have.
const SOURCES_MAX: usize = 20;

const DAY_SECONDS: i64 = 24 * 60 * 60;

impl Core {
    /// Ends the episodes whose time is over.
    pub(super) fn end_episodes(&self, go_on: &dyn Fn() -> bool, swept: &mut Swept) -> Result<(), Error> {
        let retention = self.options.layers.episodic.retention;
        if retention.is_zero() {
            return Ok(());
        }
        let now = self.now();
        let before = self.ago(retention);
        let mut after = None;
        while go_on() {
            let page = self.store.old_episodes(before, after, PAGE)?;
            let Some((last, arrived)) = page.last() else { break };
            after = Some((*arrived, last.id));
            let full = page.len() == PAGE;
            self.end_page(page, now, swept)?;
            if !full {
                break;
            }
        }
        Ok(())
    }

    fn end_page(
        &self,
        page: Vec<(Memory, Timestamp)>,
        now: Timestamp,
        swept: &mut Swept,
    ) -> Result<(), Error> {
        let mut done: HashSet<MemoryId> = HashSet::new();
        let (mut released, mut promotions) = (Vec::new(), Vec::new());
        for (episode, arrived) in page {
            // What others took the place of is history, and ends with what took its place.
            if episode.is_kept() || episode.facets.superseded_by.is_some() || done.contains(&episode.id) {
                continue;
            }
            if let Some(sources) = self.worth_knowing(&episode)? {
                done.extend(&sources);
                let (namespace, to) = (episode.namespace, Layer::LongTerm);
                promotions.push(Write::Promote { namespace, sources, to, at: now });
                continue;
            }
            let age_days = ((now.as_second() - arrived.as_second()) / DAY_SECONDS).max(0).unsigned_abs();
            let (id, change, why) = (episode.id, episode.change, LetGo::Outlived { age_days });
            released.push((episode.namespace, Released { id, change, why }));
        }
        swept.promoted += self.promote_together(promotions)?;
        swept.outlived += self.release_all(released, now)?;
        Ok(())
    }

    /// Whether an episode is to be known for good, and together with which others that say the same.
    fn worth_knowing(&self, episode: &Memory) -> Result<Option<Vec<MemoryId>>, Error> {
        let settings = &self.options.layers.promotion;
        if !settings.enabled || episode.facets.promotion_undone {
            return Ok(None);
        }
        let repeats = self.repetitions(episode)?;
        let told = occasions(episode, &repeats);
        let recalls = self.store.usage(&episode.namespace, episode.id)?.map_or(0, |(recalls, _)| recalls);
        let matters = f64::from(episode.importance) >= settings.importance_min
            || recalls >= settings.recalls_min
            || told >= settings.repeats_min;
        if !matters {
            return Ok(None);
        }
        let mut sources = vec![episode.id];
        if told >= settings.repeats_min {
            sources.extend(repeats.iter().map(|one| one.id).take(SOURCES_MAX - 1));
        }
        Ok(Some(sources))
    }

    /// Other episodes that say nearly the same, the closest first.
    fn repetitions(&self, episode: &Memory) -> Result<Vec<Memory>, Error> {
        let settings = &self.options.layers.promotion;
        let sense = self.senses.now();
        let Some(vector) = self.vector_of(&episode.namespace, episode.id, &sense)? else {
            return Ok(Vec::new());
        };
        let shelf = self.shelf(&sense, &episode.namespace, &Need::Likeness(&[], Some(&vector)))?;
        let ids: Vec<MemoryId> = {
            let index = shelf.read();
            let view = View { now: self.now(), superseded: Superseded::LeftOut };
            let mask = index.mask(&Filter::default(), view);
            let near = index.nearest(&vector, &mask, NEAREST);
            near.into_iter()
                .filter(|(_, cosine)| *cosine >= settings.repeat_cosine_min)
                .filter_map(|(doc, _)| index.facts(doc).map(|facts| facts.id))
                .filter(|id| *id != episode.id)
                .collect()
        };
        let found = self.store.get(&peri_types::Scope::Exact(episode.namespace.clone()), &ids)?;
        let stands = |one: &Memory| {
            one.layer == Layer::Episodic
                && one.facets.promoted_to.is_none()
                && !one.facets.promotion_undone
                && !one.is_kept()
                && one.is_visible(self.now())
        };
        Ok(found.into_iter().filter(stands).collect())
    }

    /// Moves memories to the trash that are let go, namespace by namespace.
    pub(super) fn release_all(
        &self,
        mut released: Vec<(Namespace, Released)>,
        at: Timestamp,
    ) -> Result<u64, Error> {
        released.sort_by(|a, b| a.0.cmp(&b.0));
        let mut count = 0;
        for group in released.chunk_by(|a, b| a.0 == b.0) {
            let Some((namespace, _)) = group.first() else { continue };
            let released = group.iter().map(|(_, one)| *one).collect();
            let write = Write::Release { namespace: namespace.clone(), released, at };
            match self.store.write(vec![write])?.pop() {
                Some(Written::Released(gone)) => count += gone,
                _ => return Err(Error::Store(StoreError::Closed)),
            }
        }
        Ok(count)
    }
}

/// On how many different occasions something was told: sessions, or days where there are none.
fn occasions(episode: &Memory, repeats: &[Memory]) -> usize {
    let occasion = |memory: &Memory| match &memory.facets.session {
        Some(session) => session.clone(),
        None => format!("day {}", memory.at().as_second().div_euclid(DAY_SECONDS)),
    };
    std::iter::once(episode).chain(repeats).map(occasion).collect::<HashSet<_>>().len()
}
