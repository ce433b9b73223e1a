//! Notes of sessions are taken into the digest, and the digest is condensed.

use peri_notes::{AllCandidates, Cleared, Draft, Item, NotesError, Place, Sheet};
use peri_types::Timestamp;

use super::limit::{Limit, tokens_of};
use super::reflect::exceeded;
use super::{At, Companion, Next, Stepped};
use crate::event::{Event, Step};
use crate::thinker::{Condensed, Condensing, Promoting, Promotion, Proposed};

impl Companion {
    /// Considers the first candidates of all sessions, as many as are considered at once.
    pub(super) fn promote(&self, at: At<'_>, stepped: &mut Stepped) -> Result<Next, NotesError> {
        let all = self.notes.all_candidates(at.namespace)?;
        let tokens: usize = proposed(&all).iter().map(|own| peri_tokens::count(&own.candidate.text)).sum();
        if all.is_empty()
            || tokens < self.thinker.promotes_from(self.settings.promote_tokens)
            || self.is_held(at, Step::Promote, stepped)?
        {
            return Ok(Next::Done);
        }
        let considered = self.first_candidates(at)?;
        let candidates = proposed(&considered);
        let digest: Vec<Item> = self.notes.digest(at.namespace)?.sheet.items().cloned().collect();
        let given = Promoting { candidates: &candidates, digest: &digest, now: self.clock.now() };
        match self.thinker.promote(&given) {
            Ok(promotion) => self.save_promotion(at, &considered, &digest, promotion, stepped),
            Err(error) => {
                self.fail(at, Step::Promote, &error, stepped)?;
                Ok(Next::Done)
            }
        }
    }

    fn save_promotion(
        &self,
        at: At<'_>,
        considered: &AllCandidates,
        base: &[Item],
        promotion: Promotion,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let cleared = self.notes.promote(at.namespace, considered, |digest, now| {
            take_in(&mut digest.sheet, base, promotion.drafts.clone(), now);
        })?;
        self.notes.clear_trouble(at.namespace, Place::Digest, Step::Promote.name())?;
        stepped.tell(match cleared {
            Cleared::Done => Event::Promoted {
                considered: considered.len(),
                promoted: promotion.drafts.len(),
                by: promotion.by,
            },
            Cleared::Already => Event::Elsewhere { step: Step::Promote },
        });
        Ok(Next::Again)
    }

    fn first_candidates(&self, at: At<'_>) -> Result<AllCandidates, NotesError> {
        let mut left = self.settings.promote_tokens_max;
        let mut is_first = true;
        self.notes.first_candidates(at.namespace, |candidate| {
            let weight = peri_tokens::count(&candidate.text);
            let fits = is_first || weight <= left;
            // Once one does not fit, none of a later session does either.
            left = if fits { left.saturating_sub(weight) } else { 0 };
            is_first = false;
            fits
        })
    }

    /// Condenses the digest if it has become long. What it was is in the archive.
    pub(super) fn compact(&self, at: At<'_>, stepped: &mut Stepped) -> Result<Next, NotesError> {
        let digest = self.notes.digest(at.namespace)?;
        let base: Vec<Item> = digest.sheet.items().cloned().collect();
        let settings = &self.settings;
        let limit = Limit::of(&base, settings.compact_tokens, settings.compact_target_tokens);
        if tokens_of(&base) <= limit.tokens_max || self.is_held(at, Step::Compact, stepped)? {
            return Ok(Next::Done);
        }
        let given = Condensing { items: &base, budget_tokens: limit.target_tokens, now: self.clock.now() };
        match self.thinker.compact(&given) {
            Ok(condensed) => {
                self.save_compacted(at, (&base, digest.compacted_at), condensed, stepped)?;
            }
            Err(error) => {
                self.fail(at, Step::Compact, &error, stepped)?;
            }
        }
        Ok(Next::Done)
    }

    fn save_compacted(
        &self,
        at: At<'_>,
        (base, compacted_at): (&[Item], Option<Timestamp>),
        condensed: Condensed,
        stepped: &mut Stepped,
    ) -> Result<(), NotesError> {
        let mut is_done = false;
        let digest = self.notes.update_digest(at.namespace, |digest, now| {
            // Whoever condensed it meanwhile has dropped and merged the same notes.
            is_done = digest.compacted_at == compacted_at;
            if is_done {
                digest.sheet.merge(base, condensed.drafts.clone(), now);
                // Two in the same moment are told from each other.
                digest.compacted_at = Some(compacted_at.map_or(now, |before| now.max(after(before))));
            }
        })?;
        self.notes.clear_trouble(at.namespace, Place::Digest, Step::Compact.name())?;
        stepped.tell(if is_done {
            Event::Compacted {
                tokens_before: tokens_of(base),
                tokens_after: tokens_of(&digest.sheet.items().cloned().collect::<Vec<_>>()),
                gone: condensed.gone,
                exceeded_by: exceeded(condensed.fit),
                by: condensed.by,
            }
        } else {
            Event::Elsewhere { step: Step::Compact }
        });
        Ok(())
    }
}

/// The moment after another.
fn after(at: Timestamp) -> Timestamp {
    at.saturating_add(jiff::SignedDuration::from_millis(1)).unwrap_or(at)
}

fn proposed(all: &AllCandidates) -> Vec<Proposed> {
    let of_session = |own: &peri_notes::SessionCandidates| {
        let session = own.session.clone();
        own.candidates
            .iter()
            .map(move |candidate| Proposed { session: session.clone(), candidate: candidate.clone() })
            .collect::<Vec<_>>()
    };
    all.sessions.iter().flat_map(of_session).collect()
}

/// Takes notes into the digest. One that a person has changed meanwhile stays, and what was promoted stands beside it.
fn take_in(sheet: &mut Sheet, base: &[Item], drafts: Vec<Draft>, now: Timestamp) {
    for draft in drafts {
        let named = draft.id.and_then(|id| Some((base.iter().find(|item| item.id == id)?, sheet.item(id)?)));
        let is_untouched =
            named.is_some_and(|(old, item)| old.text == item.text && old.priority == item.priority);
        if !is_untouched || sheet.revise(draft.clone()).is_none() {
            sheet.add(draft, now);
        }
    }
}
