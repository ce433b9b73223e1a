//! Promoting with a model: what it is asked, and what of its answer is followed.

use peri_notes::{Draft, Item, Source};
use peri_observe::PROMOTED_CHARACTERS_MAX;
use serde_json::json;

use super::answers::{self, PromotedNote, PromoterAnswer};
use super::observe::{may_replace, told};
use super::{Model, Question, unsound};
use crate::likeness::is_same;
use crate::rules::origins;
use crate::thinker::{Promoting, Promotion, Proposed, ThinkError};

/// More than so many notes at once are not a few that matter.
const PROMOTED_MAX: usize = 12;

impl Model {
    pub(super) fn promote_by_model(&self, given: &Promoting<'_>) -> Result<Promotion, ThinkError> {
        let candidate = |(place, own): (usize, &Proposed)| {
            json!({
                "id": name(place),
                "session": own.session.as_str(),
                "priority": own.candidate.priority.as_str(),
                "kind": own.candidate.kind,
                "text": own.candidate.text,
            })
        };
        let characters_max = PROMOTED_CHARACTERS_MAX.to_string();
        let notes_max = PROMOTED_MAX.to_string();
        let question = Question {
            prompt: "promoter",
            places: &[("notes_max", &notes_max), ("characters_max", &characters_max)],
            data: json!({
                "digest": given.digest.iter().map(told).collect::<Vec<_>>(),
                "candidates": given.candidates.iter().enumerate().map(candidate).collect::<Vec<_>>(),
            }),
            schema: answers::promoter(),
            answer_tokens_max: self.settings.answer_tokens_max,
        };
        let (answer, by) = self.ask::<PromoterAnswer>(question)?;
        if answer.promoted.len() > given.candidates.len() {
            return Err(unsound("it promotes more notes than were proposed"));
        }
        let mut drafts: Vec<Draft> = Vec::new();
        for one in answer.promoted.into_iter().take(PROMOTED_MAX) {
            if let Some(draft) = draft(one, given).filter(|draft| is_news(draft, &drafts, given.digest)) {
                drafts.push(draft);
            }
        }
        Ok(Promotion { drafts, by })
    }
}

fn name(place: usize) -> String {
    format!("c{}", place + 1)
}

/// A promoted note as it comes into the digest; none if it was made from no candidate, or is too long to be one.
fn draft(one: PromotedNote, given: &Promoting<'_>) -> Option<Draft> {
    let text = one.text.trim();
    let is_short = (1..=PROMOTED_CHARACTERS_MAX).contains(&text.chars().count());
    let is_named = |(place, _): &(usize, &Proposed)| one.from.iter().any(|id| id.trim() == name(*place));
    let from: Vec<&Proposed> =
        given.candidates.iter().enumerate().filter(is_named).map(|(_, own)| own).collect();
    if !is_short || from.is_empty() {
        return None;
    }
    let known = |id: &str| given.digest.iter().find(|item| item.id.to_string() == id.trim());
    let replaces = one.replaces.as_deref().and_then(known).filter(|item| may_replace(text, item));
    let priority = replaces.map_or(one.priority, |item| item.priority.max(one.priority));
    Some(Draft {
        id: replaces.map(|item| item.id),
        source: Source::Promoter,
        kind: from.iter().find_map(|own| own.candidate.kind.clone()),
        origins: from.into_iter().flat_map(origins).collect(),
        ..Draft::new(priority, text)
    })
}

/// Whether neither the digest nor another promoted note says so, and no other takes the same place.
fn is_news(draft: &Draft, others: &[Draft], digest: &[Item]) -> bool {
    let is_taken = others.iter().any(|other| other.id.is_some() && other.id == draft.id);
    let says_so = |text: &str| is_same(text, &draft.text);
    !is_taken
        && !others.iter().any(|other| says_so(&other.text))
        && !digest.iter().any(|item| draft.id != Some(item.id) && says_so(&item.text))
}
