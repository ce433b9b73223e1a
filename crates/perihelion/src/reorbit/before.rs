//! What is due is settled before somebody changes it by hand.
//!
//! A change counts from its own time on. If the steps before it were walked only afterwards, they would see what it
//! made of the memories, and the moves that are told would depend on when somebody reorbited. So whatever is about to
//! change how memories orbit first settles their namespace up to the last whole step before it.

use std::collections::BTreeMap;

use peri_store::{StoreError, Write};
use peri_types::{Memory, MemoryId, Namespace, Scope, Timestamp};

use crate::Error;
use crate::engine::Core;

/// Of so many namespaces is known how far they are settled; beyond, all are looked up again.
const KNOWN_MAX: usize = 10_000;

/// What somebody is about to change in a namespace.
struct Touched {
    /// When the first of the changes was asked for.
    at: Timestamp,
    /// What is changed was there for somebody to change, so it is not forgotten right before.
    ids: Vec<MemoryId>,
}

type AllTouched = BTreeMap<Namespace, Touched>;

impl Core {
    /// Settles what is due before these changes. Where the store has trouble that passes, they must wait for it to
    /// pass too; any other trouble with orbits keeps nobody from changing memories.
    pub(crate) fn settle_before(&self, writes: &[Write]) -> Result<(), StoreError> {
        match self.settle_touched(writes) {
            Ok(()) => Ok(()),
            Err(Error::Store(error)) if error.is_passing() => Err(error),
            Err(error) => {
                tracing::warn!(%error, "the orbits were not settled before a change");
                Ok(())
            }
        }
    }

    fn settle_touched(&self, writes: &[Write]) -> Result<(), Error> {
        if self.store.is_read_only() || self.clock_leap().is_some() {
            return Ok(());
        }
        let mut touched = AllTouched::new();
        for write in writes {
            self.touch(write, &mut touched)?;
        }
        for (namespace, Touched { at, ids }) in touched {
            let step = self.step_before(at);
            if self.is_settled(&namespace, step)? {
                continue;
            }
            self.usage.flush(&*self.store)?;
            // Whoever was faster may have gone less far.
            while self.settle(&namespace, step, &ids)?.is_none() && !self.is_settled(&namespace, step)? {}
        }
        Ok(())
    }

    /// Notes which memories a change concerns, as far as it matters to how they and their like orbit.
    fn touch(&self, write: &Write, touched: &mut AllTouched) -> Result<(), Error> {
        let mut note = |namespace: &Namespace, at: Timestamp, ids: &[MemoryId]| {
            let own = touched.entry(namespace.clone()).or_insert_with(|| Touched { at, ids: Vec::new() });
            own.at = own.at.min(at);
            own.ids.extend_from_slice(ids);
        };
        match write {
            Write::Revise { scope, id, at, .. }
            | Write::Forget { scope, id, at }
            | Write::Restore { scope, id, at }
            | Write::Split { scope, id, at }
            | Write::UndoPromotion { scope, id, at, .. } => {
                if let Some(namespace) = self.place_of(scope, *id)? {
                    note(&namespace, *at, &[*id]);
                }
            }
            Write::Supersede { namespace, older, newer, at } => note(namespace, *at, &[*older, *newer]),
            Write::Merge { namespace, survivor, absorbed, at } => {
                note(namespace, *at, &[*survivor, *absorbed]);
            }
            Write::Promote { namespace, sources, at, .. } => note(namespace, *at, sources),
            Write::SetWeights { namespace, at, .. }
            | Write::DeleteNamespace { namespace, purge: false, at } => note(namespace, *at, &[]),
            Write::MoveNamespace { from, to, at } => {
                note(from, *at, &[]);
                note(to, *at, &[]);
            }
            Write::Remember(new) => {
                if let Some(twin) = self.changed_by_repeating(&new.memory)? {
                    note(&new.memory.namespace, new.memory.updated_at, &[twin]);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn place_of(&self, scope: &Scope, id: MemoryId) -> Result<Option<Namespace>, Error> {
        match scope {
            Scope::Exact(namespace) => Ok(Some(namespace.clone())),
            scope => Ok(self.store.get(scope, &[id])?.pop().map(|memory| memory.namespace)),
        }
    }

    /// The memory that says the same already, if being told again makes another of it for the orbit.
    fn changed_by_repeating(&self, new: &Memory) -> Result<Option<MemoryId>, Error> {
        let namespace = &new.namespace;
        if self.is_settled(namespace, self.step_before(new.updated_at))? {
            return Ok(None);
        }
        let Some(twin) = self.store.said_by(namespace, new.fingerprint())? else { return Ok(None) };
        let Some(known) = self.store.get(&Scope::Exact(namespace.clone()), &[twin])?.pop() else {
            return Ok(None);
        };
        let differs = new.importance > known.importance
            || new.layer > known.layer
            || (new.facets.pinned && !known.facets.pinned);
        Ok(differs.then_some(twin))
    }

    /// Whether nothing of a namespace is due up to a step.
    fn is_settled(&self, namespace: &Namespace, step: Timestamp) -> Result<bool, Error> {
        if self.settled.lock().get(namespace).is_some_and(|known| *known >= step) {
            return Ok(true);
        }
        let is_settled = !self.store.unsettled(step)?.contains(namespace);
        if is_settled {
            self.note_settled(namespace, step);
        }
        Ok(is_settled)
    }

    /// Remembers how far a namespace is settled, which only ever grows.
    pub(super) fn note_settled(&self, namespace: &Namespace, step: Timestamp) {
        let mut known = self.settled.lock();
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        let own = known.entry(namespace.clone()).or_insert(step);
        *own = step.max(*own);
    }

    /// The last whole step before a time. What happens at a step counts in it.
    fn step_before(&self, at: Timestamp) -> Timestamp {
        let before = at.as_millisecond().saturating_sub(1);
        self.step_of(Timestamp::from_millisecond(before).unwrap_or(at))
    }
}
