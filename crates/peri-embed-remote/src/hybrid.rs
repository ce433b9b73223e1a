//! Two engines of one space: the first is asked, and while it does not answer, the second.

use std::sync::Arc;

use parking_lot::Mutex;
use peri_embed::{EmbedError, Engine, Reading};
use peri_types::SpaceId;

use crate::RemoteError;
use crate::likeness::{Likeness, compare};

/// Two engines of one space, for example a server of all-MiniLM-L6-v2 and the same model in a folder, or two servers.
///
/// Before the first is trusted, at its first use and again after every failure, both are asked for a few sentences; if
/// their vectors differ, nothing is embedded any more and the error says so. The first rests by itself after failures in
/// a row ([`crate::OpenAiEngine`]), and one call then tries whether it is well again.
pub struct HybridEngine {
    first: Arc<dyn Engine>,
    second: Arc<dyn Engine>,
    trust: Mutex<Trust>,
    /// Why the second is at work; none while the first is.
    stands_in: Mutex<Option<String>>,
}

/// Whether the first was found to give the same vectors as the second.
#[derive(Debug, Clone, PartialEq)]
enum Trust {
    /// Nobody has looked, or it has failed since.
    Unknown,
    Earned,
    Lost(RemoteError),
}

impl HybridEngine {
    /// Pairs two engines. Those of different spaces are refused.
    pub fn new(first: Arc<dyn Engine>, second: Arc<dyn Engine>) -> Result<Self, EmbedError> {
        if first.space() != second.space() {
            let (first, second) = (first.space().to_string(), second.space().to_string());
            return Err(RemoteError::OtherSpace { first, second }.into());
        }
        Ok(Self { first, second, trust: Mutex::new(Trust::Unknown), stands_in: Mutex::default() })
    }

    /// What the first says, once it is trusted.
    fn ask_first(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, Failed> {
        self.look()?;
        self.first.embed(texts).map_err(|error| {
            // Whatever answers at that address next may be another model.
            self.change_trust(Trust::Unknown);
            Failed::First(error)
        })
    }

    /// Makes sure that the first can be trusted.
    fn look(&self) -> Result<(), Failed> {
        let known = self.trust.lock().clone();
        match known {
            Trust::Earned => return Ok(()),
            Trust::Lost(error) => return Err(Failed::ForGood(error)),
            Trust::Unknown => {}
        }
        match compare(&*self.first, &*self.second) {
            Likeness::Alike => {
                self.change_trust(Trust::Earned);
                Ok(())
            }
            Likeness::Unanswered(error) => match RemoteError::of(&error).filter(|own| own.is_mismatch()) {
                Some(mismatch) => Err(self.give_up(mismatch.clone())),
                None => Err(Failed::First(error)),
            },
            Likeness::Unlike(mismatch) => Err(self.give_up(mismatch)),
        }
    }

    fn give_up(&self, mismatch: RemoteError) -> Failed {
        tracing::error!(error = %mismatch, "nothing is embedded any more");
        self.change_trust(Trust::Lost(mismatch.clone()));
        Failed::ForGood(mismatch)
    }

    /// What was found out for good stays.
    fn change_trust(&self, to: Trust) {
        let mut trust = self.trust.lock();
        if !matches!(*trust, Trust::Lost(_)) {
            *trust = to;
        }
    }
}

/// Why the first gave nothing.
enum Failed {
    /// It did not answer; the second may.
    First(EmbedError),
    /// The two do not belong together.
    ForGood(RemoteError),
}

impl Engine for HybridEngine {
    fn space(&self) -> &SpaceId {
        self.first.space()
    }

    fn reading(&self) -> Reading {
        self.first.reading()
    }

    fn trouble(&self) -> Option<String> {
        if let Trust::Lost(error) = &*self.trust.lock() {
            return Some(error.to_string());
        }
        let why = self.stands_in.lock().clone()?;
        Some(format!("{why}; the fallback answers in the same space"))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let error = match self.ask_first(texts) {
            Ok(vectors) => {
                if self.stands_in.lock().take().is_some() {
                    tracing::info!("the first embedding engine answers again");
                }
                return Ok(vectors);
            }
            Err(Failed::ForGood(error)) => return Err(error.into()),
            Err(Failed::First(error)) => error,
        };
        if self.stands_in.lock().replace(error.to_string()).is_none() {
            tracing::warn!(%error, "the first embedding engine does not answer; the fallback does");
        }
        self.second.embed(texts).map_err(|second| {
            let (first, second) = (error.to_string(), second.to_string());
            RemoteError::Both { first, second }.into()
        })
    }
}
