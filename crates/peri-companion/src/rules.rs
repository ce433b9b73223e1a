//! Deciding by rules, without a model.

mod condense;
mod observe;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use peri_notes::{Draft, Item, Origin, Progress, Source};
use peri_observe::{FindingKind, ItemState};
use peri_types::Timestamp;

use crate::thinker::{
    By, Condensed, Condensing, Observed, Observing, Promoting, Promotion, Proposed, ThinkError, Thinker,
};

pub(crate) use condense::Kind;
#[cfg(feature = "model")]
pub(crate) use condense::Weighed;

/// Decides by rules, the same way each time.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Where the speakers are: "tomorrow" is a day there.
    zone: TimeZone,
    /// Who is named as the one who made a note; none names the step.
    source: Option<Source>,
}

impl Default for Rules {
    /// In UTC.
    fn default() -> Self {
        Self::new(TimeZone::UTC)
    }
}

impl Rules {
    /// Rules for speakers in a time zone.
    pub fn new(zone: TimeZone) -> Self {
        Self { zone, source: None }
    }

    /// Rules that stand in for a model, which is told of each note.
    #[cfg(feature = "model")]
    pub(crate) fn instead(zone: TimeZone) -> Self {
        Self { zone, source: Some(Source::Rules) }
    }

    fn source(&self, step: Source) -> Source {
        self.source.unwrap_or(step)
    }

    fn local(&self, at: Timestamp) -> DateTime {
        at.to_zoned(self.zone.clone()).datetime()
    }

    /// A note as the rules read it.
    fn item(&self, item: &Item) -> peri_observe::Item {
        peri_observe::Item {
            id: item.id.to_string(),
            kind: kind_of(item.kind.as_deref(), item.progress),
            priority: item.priority,
            text: item.text.clone(),
            made: self.local(item.made_at),
            days: Default::default(),
            state: state(item.progress),
        }
    }

    /// A candidate as the rules read it; its id is its place.
    fn candidate(&self, (place, own): (usize, &Proposed)) -> peri_observe::Candidate {
        let candidate = &own.candidate;
        peri_observe::Candidate {
            session: own.session.to_string(),
            item: peri_observe::Item {
                id: place.to_string(),
                kind: candidate.kind.as_deref().and_then(kind_named),
                priority: candidate.priority,
                text: candidate.text.clone(),
                made: self.local(candidate.at),
                days: Default::default(),
                state: ItemState::Open,
            },
        }
    }

    fn promoted(&self, one: peri_observe::Promoted, candidates: &[Proposed]) -> Draft {
        let sources = one.sources.iter().filter_map(|place| candidates.get(place.parse::<usize>().ok()?));
        Draft {
            id: one.merges.and_then(|id| id.parse().ok()),
            source: self.source(Source::Promoter),
            origins: sources.flat_map(origins).collect(),
            kind: Some(one.kind.name().to_owned()),
            ..Draft::new(one.priority, one.text)
        }
    }
}

/// Rules consider candidates from so many tokens on: asking them costs nothing, and durable notes are of use from the
/// first days on.
const PROMOTED_FROM_TOKENS: usize = 300;

impl Thinker for Rules {
    fn promotes_from(&self, configured: usize) -> usize {
        configured.min(PROMOTED_FROM_TOKENS)
    }

    fn observe(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        Ok(observe::observe(self, given))
    }

    fn reflect(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Ok(self.condensed(given, Kind::Session))
    }

    fn promote(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        let candidates: Vec<_> = given.candidates.iter().enumerate().map(|own| self.candidate(own)).collect();
        let durable: Vec<_> = given.digest.iter().map(|item| self.item(item)).collect();
        let promoted = peri_observe::promote(&candidates, &durable);
        let drafts = promoted.into_iter().map(|one| self.promoted(one, given.candidates)).collect();
        Ok(Promotion { drafts, by: By::Rules })
    }

    fn compact(&self, given: &Condensing<'_>) -> Result<Condensed, ThinkError> {
        Ok(self.condensed(given, Kind::Digest))
    }
}

/// The notes that a candidate was made from.
pub(crate) fn origins(own: &Proposed) -> Vec<Origin> {
    own.candidate.items.iter().map(|id| Origin::Note { session: own.session.clone(), id: *id }).collect()
}

/// The kind of a note as the rules read it. What is done may be told in the words of any kind.
fn kind_of(kind: Option<&str>, progress: Progress) -> Option<FindingKind> {
    kind.and_then(kind_named).filter(|_| progress == Progress::Open)
}

/// A kind by its name, as notes and candidates keep it.
pub(crate) fn kind_named(name: &str) -> Option<FindingKind> {
    FindingKind::ALL.into_iter().find(|kind| kind.name() == name)
}

fn state(progress: Progress) -> ItemState {
    match progress {
        Progress::Open => ItemState::Open,
        Progress::Done => ItemState::Done,
    }
}
