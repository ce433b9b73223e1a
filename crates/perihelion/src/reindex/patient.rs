//! An embedding engine that nobody waits for longer than they may, and nobody at all while it is known to hang.

use std::sync::Arc;
use std::time::Duration;

use peri_embed::{EmbedError, Engine, Reading};
use peri_types::{SpaceId, patience};

use crate::breaker::{Admission, Breaker, Party};

/// One part of so many of the time for waiting is left for the store.
const LEFT_FOR_THE_STORE: u32 = 5;

/// What it takes to know whether an engine hangs.
#[derive(Clone)]
pub(super) struct Watch {
    pub(super) breaker: Arc<Breaker>,
    /// From so long on a wait in vain is told to other processes.
    pub(super) hung_after: Duration,
}

/// An engine that asks a server, and what processes of the folder know of it.
pub(super) struct Patient {
    engine: Arc<dyn Engine>,
    /// What it is called.
    name: String,
    watch: Watch,
}

impl Patient {
    pub(super) fn new(engine: Arc<dyn Engine>, name: &str, watch: Watch) -> Self {
        Self { engine, name: name.to_owned(), watch }
    }
}

impl Engine for Patient {
    fn space(&self) -> &SpaceId {
        self.engine.space()
    }

    fn reading(&self) -> Reading {
        self.engine.reading()
    }

    fn trouble(&self) -> Option<String> {
        let known = || self.watch.breaker.known(Party::Embedding(&self.name));
        self.engine.trouble().or_else(|| {
            let hung = known()?;
            Some(format!(
                "nobody waits for it until {}, since it did not answer in time: {}",
                hung.until, hung.why
            ))
        })
    }

    /// An engine that has another one to stand in for it is asked in any case: with no time to wait it turns to that.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let party = Party::Embedding(&self.name);
        let ask = || patience::measured(|| self.engine.embed(texts));
        let (outcome, vain) = match patience::left() {
            None => ask(),
            Some(left) => match self.watch.breaker.admit(party) {
                Admission::Not(_) => return patience::within(Duration::ZERO, ask).0,
                Admission::Freely | Admission::OnTrial => {
                    patience::within(left - left / LEFT_FOR_THE_STORE, ask)
                }
            },
        };
        if vain >= self.watch.hung_after {
            let why =
                outcome.as_ref().err().map_or_else(|| "another one stood in".to_owned(), ToString::to_string);
            self.watch.breaker.hung(party, &why);
        } else if outcome.is_ok() {
            self.watch.breaker.answered(party);
        }
        outcome
    }
}
