//! Promotion: memories of one layer become one of the next, and can be brought back.

use peri_store::{StoreError, Write, Written};
use peri_types::{Layer, Memory, MemoryId, Scope};
use serde::Serialize;

use super::TimeToLive;
use crate::engine::{Core, Perihelion};
use crate::queue::{Intent, Making, Transaction};
use crate::{Error, LimitError};

/// What memories were promoted to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Promoted {
    /// The new memory, or the one that said the same already.
    pub memory: Memory,
    /// What it was made from: put aside, linked by `derived_from`, and able to be brought back.
    pub sources: Vec<MemoryId>,
}

/// A promotion that was undone.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undone {
    /// Those that stand for themselves again. The engine does not promote them any more by itself.
    pub sources: Vec<Memory>,
}

impl Perihelion {
    /// Makes one memory of the next layer, or of a given one, out of these; the first gives the content. They must
    /// lie in one namespace and live shorter than that layer does.
    pub fn promote(&self, scope: &Scope, ids: &[MemoryId], to: Option<Layer>) -> Result<Promoted, Error> {
        if ids.is_empty() {
            return Err(LimitError::Empty { what: "list of memories" }.into());
        }
        let wanted = || Ok(Intent::Promote { scope: scope.clone(), ids: ids.to_vec(), to });
        self.core.perform(wanted, "promote", |making| self.make_promotion(making, scope, ids, to))
    }

    pub(crate) fn make_promotion(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        ids: &[MemoryId],
        to: Option<Layer>,
    ) -> Result<Promoted, Error> {
        let mut found = Vec::new();
        for id in ids {
            found.push(self.get_as_of(scope, *id, making.at())?);
        }
        let Some(first) = found.first() else {
            return Err(LimitError::Empty { what: "list of memories" }.into());
        };
        let (first, namespace) = (first.id, first.namespace.clone());
        let to = to.unwrap_or(match found[0].layer {
            Layer::Working => Layer::Episodic,
            Layer::Episodic | Layer::LongTerm => Layer::LongTerm,
        });
        for memory in &found {
            if memory.namespace != namespace {
                return Err(Error::NotPromotable { id: memory.id, why: "it lies in another namespace" });
            }
            if memory.layer >= to {
                return Err(Error::NotPromotable { id: memory.id, why: "it is kept for as long already" });
            }
            if memory.trashed_at.is_some() {
                return Err(Error::NotPromotable { id: memory.id, why: "it lies in the trash" });
            }
            if memory.facets.superseded_by.is_some() {
                return Err(Error::NotPromotable { id: memory.id, why: "another memory took its place" });
            }
        }
        let (sources, at) = (ids.to_vec(), making.at());
        match making.write(Transaction::Only, vec![Write::Promote { namespace, sources, to, at }])?.pop() {
            Some(Written::Promoted(Some(memory))) => Ok(Promoted { memory: *memory, sources: ids.to_vec() }),
            Some(Written::Promoted(None)) => {
                Err(Error::NotPromotable { id: first, why: "it changed in this very moment" })
            }
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// Brings back what a memory was promoted from. The memory goes to the trash, unless it was there before.
    pub fn undo_promotion(&self, scope: &Scope, id: MemoryId) -> Result<Undone, Error> {
        let core = &self.core;
        let at = core.now();
        let working_until = core.working_until(TimeToLive::Usual, at)?;
        let write = Write::UndoPromotion { scope: scope.clone(), id, working_until, at };
        match core.change(vec![write])?.pop() {
            Some(Written::PromotionUndone(sources)) => Ok(Undone { sources }),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }
}

impl Core {
    /// Promotes on behalf of the engine, in one transaction; how many memories were.
    pub(super) fn promote_together(&self, promotions: Vec<Write>) -> Result<u64, Error> {
        if promotions.is_empty() {
            return Ok(0);
        }
        let sources_of = |write: &Write| match write {
            Write::Promote { sources, .. } => sources.len() as u64,
            _ => 0,
        };
        let counts: Vec<u64> = promotions.iter().map(sources_of).collect();
        let written = self.store.write(promotions)?;
        let done = written.iter().zip(counts).filter(|(one, _)| matches!(one, Written::Promoted(Some(_))));
        Ok(done.map(|(_, count)| count).sum())
    }
}
