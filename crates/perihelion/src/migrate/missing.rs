//! Vectors for memories that lack one.

use std::time::Instant;

use peri_store::{Embedding, ListQuery, Order, Write, Written};
use peri_types::{Memory, Scope};

use super::{MigrationProgress, MigrationReport};
use crate::engine::{Core, Perihelion};
use crate::reindex::Sense;
use crate::{Effect, Ending, Error};

impl Perihelion {
    /// Gives every memory of a scope a vector in the space at work that has none and could have one, so many at a time.
    /// It stops when the engine fails for all of them at once. A rehearsal only counts them.
    pub fn embed_missing(
        &self,
        scope: &Scope,
        batch: usize,
        effect: Effect,
    ) -> Result<MigrationReport, Error> {
        let core = &*self.core;
        let begun = Instant::now();
        let sense = core.sense();
        if sense.engine.is_none() {
            let why = sense.trouble.clone().unwrap_or_else(|| "embedding.engine is \"off\"".to_owned());
            return Err(Error::NoEngine { why });
        }
        let mut report = MigrationReport { ending: Ending::Whole, ..MigrationReport::default() };
        let (order, limit) = (Order::OldestFirst, batch.max(1));
        let scope = scope.clone();
        let mut query =
            ListQuery { scope, unembedded: true, as_kept: true, order, limit, ..ListQuery::default() };
        loop {
            let page = core.store.list(&query)?;
            report.progress.total += page.memories.len() as u64;
            let given = match effect {
                Effect::Rehearsed => page.memories.len() as u64,
                Effect::Written => core.embed_page(&sense, &page.memories, &mut report.progress)?,
            };
            if effect == Effect::Rehearsed {
                report.progress.embedded += given;
            }
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
            if given == 0 {
                report.ending = Ending::Stopped;
                break;
            }
        }
        core.nudge();
        report.duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(report)
    }
}

impl Core {
    /// Embeds some memories. For how many the engine had an answer is the answer.
    fn embed_page(
        &self,
        sense: &Sense,
        memories: &[Memory],
        progress: &mut MigrationProgress,
    ) -> Result<u64, Error> {
        let texts: Vec<&str> = memories.iter().map(|memory| memory.content.as_str()).collect();
        if texts.is_empty() {
            return Ok(0);
        }
        let (mut writes, mut made) = (Vec::new(), Vec::new());
        for (memory, embedding) in memories.iter().zip(self.embed_with(sense, &texts)) {
            if embedding == Embedding::Pending {
                progress.failed += 1;
                progress.errors.push((memory.id.to_string(), "the engine gave no vector".to_owned()));
                continue;
            }
            made.push(matches!(embedding, Embedding::Ready(_)));
            let (namespace, id, version) = (memory.namespace.clone(), memory.id, memory.version);
            writes.push(Write::Embed { namespace, id, version, embedding });
        }
        let given = writes.len() as u64;
        let written = if writes.is_empty() { Vec::new() } else { self.store.write(writes)? };
        for (made, written) in made.into_iter().zip(written) {
            match (written, made) {
                // It was revised or given one meanwhile.
                (Written::Embedded(false), _) => progress.already_there += 1,
                (_, true) => {
                    progress.migrated += 1;
                    progress.embedded += 1;
                }
                (_, false) => {
                    progress.migrated += 1;
                    progress.unembedded += 1;
                }
            }
        }
        Ok(given)
    }
}
