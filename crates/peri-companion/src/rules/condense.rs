//! Keeping notes within a budget, by rules.

use peri_notes::{Draft, Item, ItemId};
use peri_observe::Fit;
use peri_types::Timestamp;

use super::{Rules, kind_of, state};
use crate::thinker::{By, Condensed, Condensing, Gone};

/// What is condensed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The notes of a session.
    Session,
    /// The digest.
    Digest,
}

/// A note to be weighed against others.
#[derive(Debug, Clone)]
pub(crate) struct Weighed {
    pub(crate) draft: Draft,
    pub(crate) made_at: Timestamp,
}

impl Weighed {
    /// A note as it is.
    pub(crate) fn of(item: &Item) -> Self {
        Self { draft: Draft::of(item), made_at: item.made_at }
    }
}

impl Rules {
    pub(super) fn condensed(&self, given: &Condensing<'_>, kind: Kind) -> Condensed {
        let weighed = given.items.iter().map(Weighed::of).collect();
        let (drafts, gone, fit) = self.fit(weighed, given, kind);
        Condensed { drafts, gone, fit, by: By::Rules }
    }

    /// Notes that are within the budget, unless what must be remembered alone is not; and those that go.
    pub(crate) fn fit(
        &self,
        notes: Vec<Weighed>,
        given: &Condensing<'_>,
        kind: Kind,
    ) -> (Vec<Draft>, Vec<Gone>, Fit) {
        let weigh = match kind {
            Kind::Session => peri_observe::reflect,
            Kind::Digest => peri_observe::compact,
        };
        let items: Vec<_> = notes.iter().enumerate().map(|(place, own)| self.weighed(place, own)).collect();
        let kept = weigh(&items, given.budget_tokens, self.local(given.now), &peri_tokens::count);
        let mut notes: Vec<Option<Draft>> = notes.into_iter().map(|own| Some(own.draft)).collect();
        let mut gone = Vec::new();
        for (from, into) in &kept.merged {
            let merged = notes[place_of(from)].take();
            if let (Some(merged), Some(kept)) = (merged, &mut notes[place_of(into)]) {
                gone.extend(merged.id.map(|id| tell(id, "another note says the same")));
                let news = merged.origins.into_iter().filter(|origin| !kept.origins.contains(origin));
                kept.origins.extend(news.collect::<Vec<_>>());
            }
        }
        for id in &kept.dropped {
            let dropped = notes[place_of(id)].take();
            gone.extend(dropped.and_then(|draft| draft.id).map(|id| tell(id, "there was no room for it")));
        }
        (notes.into_iter().flatten().collect(), gone, kept.fit)
    }

    fn weighed(&self, place: usize, own: &Weighed) -> peri_observe::Item {
        peri_observe::Item {
            id: place.to_string(),
            kind: kind_of(own.draft.kind.as_deref(), own.draft.progress),
            priority: own.draft.priority,
            text: own.draft.text.clone(),
            made: self.local(own.made_at),
            days: Default::default(),
            state: state(own.draft.progress),
        }
    }
}

fn place_of(id: &str) -> usize {
    id.parse().expect("the rules answer with the places they were given")
}

fn tell(id: ItemId, why: &str) -> Gone {
    Gone { id, why: why.to_owned() }
}
