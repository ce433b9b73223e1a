//! Taking away what has expired. It is unseen from the moment it expires; this frees its room, and promotes what
//! matters of it.

use peri_store::{Lapsed, StoreError, Write, Written};
use peri_types::Timestamp;
use serde::Serialize;

use crate::chores::Afterwards;
use crate::engine::{Core, Perihelion};
use crate::{Chores, Error};

/// So many are taken away in one transaction, so that nobody waits long for the store.
const BATCH: usize = 256;

/// Held by the process that takes away what has expired.
const LEASE: &str = "sweep";

/// What became of memories whose time in their layer was over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Swept {
    /// Gone from working memory.
    pub expired: u64,
    /// Moved to the trash because they had expired elsewhere.
    pub trashed: u64,
    /// Episodes moved to the trash because their time was over.
    pub outlived: u64,
    /// Long-term memories moved to the trash by the clean-up.
    pub cleaned_up: u64,
    /// Moved on to the next layer because they matter.
    pub promoted: u64,
}

impl Swept {
    /// How many memories that were in all.
    pub fn count(&self) -> u64 {
        self.expired + self.trashed + self.outlived + self.cleaned_up + self.promoted
    }
}

impl Perihelion {
    /// Ends what has reached the end of its time in its layer: what has expired, episodes beyond their retention,
    /// long-term memories beyond their limits. What matters moves on to the next layer instead. The background
    /// thread does the same; doing it again changes nothing.
    pub fn sweep(&self) -> Result<Swept, Error> {
        let core = &self.core;
        core.usage.flush(&*core.store)?;
        core.believe_clock()?;
        let swept = core.sweep_layers(&|| true)?;
        core.publish();
        Ok(swept)
    }
}

impl Core {
    /// All of it, to the end.
    pub(crate) fn sweep_layers(&self, go_on: &dyn Fn() -> bool) -> Result<Swept, Error> {
        let mut swept = self.sweep_expired(go_on)?;
        let Swept { expired: _, trashed: _, outlived, cleaned_up, promoted } =
            self.sweep_episodes_and_beyond(go_on)?;
        swept.outlived += outlived;
        swept.cleaned_up += cleaned_up;
        swept.promoted += promoted;
        Ok(swept)
    }

    /// All of it but what has expired.
    pub(crate) fn sweep_episodes_and_beyond(&self, go_on: &dyn Fn() -> bool) -> Result<Swept, Error> {
        let mut swept = Swept::default();
        self.end_episodes(go_on, &mut swept)?;
        self.clean_up(go_on, &mut swept)?;
        if swept.count() > 0 {
            let Swept { outlived, cleaned_up, promoted, .. } = swept;
            tracing::debug!(outlived, cleaned_up, promoted, "episodes and long-term memory are swept");
        }
        Ok(swept)
    }

    /// Takes away what has expired.
    pub(crate) fn sweep_expired(&self, go_on: &dyn Fn() -> bool) -> Result<Swept, Error> {
        let (now, matters) = (self.now(), self.options.layers.promotion.matters());
        let mut swept = Swept::default();
        while go_on() && self.store.has_lapsed(now)? {
            let lapsed = match self.store.write(vec![Write::Lapse { now, matters, limit: BATCH }])?.pop() {
                Some(Written::Lapsed(lapsed)) => lapsed,
                _ => return Err(Error::Store(StoreError::Closed)),
            };
            let Lapsed { gone, trashed, promoted } = lapsed;
            swept.expired += gone;
            swept.trashed += trashed;
            swept.promoted += promoted;
            if lapsed.count() == 0 {
                break;
            }
        }
        Ok(swept)
    }

    /// Takes away what has expired, by one process at a time. When to look again is the answer if another is at it.
    pub(crate) fn sweep_in_turn(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        if !self.store.has_lapsed(self.now())? {
            return Ok(None);
        }
        let turn = self.in_turn(LEASE, Afterwards::GivenBack, go_on, |go_on| {
            let Swept { expired, trashed, promoted, .. } = self.sweep_expired(go_on)?;
            tracing::debug!(expired, trashed, promoted, "what had expired is swept");
            Ok(())
        })?;
        Ok(turn.wake_at())
    }

    /// Takes away what has expired when the interval is over. When to look again is the answer: when the interval is over
    /// again, or when the lease of whoever is at it runs out.
    pub(crate) fn sweep_if_due(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Timestamp>, Error> {
        let now = self.now();
        let next = *self.next_sweep.lock();
        if next.is_some_and(|next| now < next) {
            return Ok(next);
        }
        let due = now.checked_add(self.options.layers.working.sweep_interval).unwrap_or(Timestamp::MAX);
        *self.next_sweep.lock() = Some(due);
        let next = self.sweep_in_turn(go_on)?.unwrap_or(due);
        *self.next_sweep.lock() = Some(next);
        Ok(Some(next))
    }

    /// Takes away what has expired on behalf of programs that answer once and leave, where such programs are all
    /// there is.
    pub(crate) fn sweep_when_leaving(&self) -> Result<(), Error> {
        if self.options.chores == Chores::ByHand {
            self.sweep_expired(&|| true)?;
        }
        Ok(())
    }
}
