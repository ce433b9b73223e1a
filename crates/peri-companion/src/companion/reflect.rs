//! The notes of a session are condensed.

use peri_notes::{Item, NotesError, Record, Revised, Reviser, Revision, Session};
use peri_observe::Fit;

use super::limit::{Limit, tokens_of};
use super::{At, Companion, Next, Stepped};
use crate::event::{Event, Step};
use crate::thinker::{Condensed, Condensing};

impl Companion {
    /// Condenses the notes of a session if they have become long.
    pub(super) fn reflect(
        &self,
        at: At<'_>,
        session: &Session,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let Some(record) = self.notes.record(at.namespace, session)? else { return Ok(Next::Done) };
        let base: Vec<Item> = record.sheet.items().cloned().collect();
        let settings = &self.settings;
        let limit = Limit::of(&base, settings.reflect_tokens, settings.reflect_target_tokens);
        if tokens_of(&base) <= limit.tokens_max || self.is_held(at, Step::Reflect, stepped)? {
            return Ok(Next::Done);
        }
        let given = Condensing { items: &base, budget_tokens: limit.target_tokens, now: self.clock.now() };
        match self.thinker.reflect(&given) {
            Ok(condensed) => self.save_reflected(at, &record, base, condensed, stepped),
            Err(error) => {
                self.fail(at, Step::Reflect, &error, stepped)?;
                Ok(Next::Done)
            }
        }
    }

    fn save_reflected(
        &self,
        at: At<'_>,
        record: &Record,
        base: Vec<Item>,
        condensed: Condensed,
        stepped: &mut Stepped,
    ) -> Result<Next, NotesError> {
        let session = &record.session;
        let tokens_before = tokens_of(&base);
        let revision = Revision {
            by: Reviser::Reflector,
            base,
            drafts: condensed.drafts,
            reflections: Some(record.reflections),
            step: Some(Step::Reflect.name()),
            ..Revision::default()
        };
        match self.notes.revise(at.namespace, session, &revision)? {
            Revised::Saved(record) => stepped.tell(Event::Reflected {
                session: session.clone(),
                tokens_before,
                tokens_after: tokens_of(&record.sheet.items().cloned().collect::<Vec<_>>()),
                gone: condensed.gone,
                exceeded_by: exceeded(condensed.fit),
                by: condensed.by,
            }),
            Revised::AlreadyCondensed | Revised::AlreadyObserved => {
                stepped.tell(Event::Elsewhere { step: Step::Reflect });
            }
        }
        Ok(Next::Done)
    }
}

/// How many tokens are too many.
pub(super) fn exceeded(fit: Fit) -> usize {
    match fit {
        Fit::Within => 0,
        Fit::Exceeded { by_tokens } => by_tokens,
    }
}
