//! Condensing with a model: what it is asked, and what of its answer is followed.

use std::collections::{BTreeMap, BTreeSet};

use peri_notes::{Draft, Item, ItemId, Priority, Progress, Source};
use peri_observe::Fit;
use serde_json::json;

use super::answers::{self, CondensedAnswer, KeptNote};
use super::observe::{REWORDED, SUCCESSOR, short, told};
use super::{Model, Question, unsound};
use crate::likeness::share;
use crate::rules::{Kind, Weighed};
use crate::thinker::{By, Condensed, Condensing, Gone, ThinkError};

/// An answer has ids and reasons besides the notes.
const ANSWER_TOKENS_PER_NOTE: usize = 48;

/// What a model that kept too much is told the second time.
const STRONGER: &str = "Your first answer was still too long. Be stricter: drop minor notes that are older than a \
                        week, merge more, and say each thing in fewer words.";

impl Model {
    pub(super) fn condense_by_model(
        &self,
        given: &Condensing<'_>,
        kind: Kind,
    ) -> Result<Condensed, ThinkError> {
        let (first, by) = self.condense_once(given, kind, "")?;
        if tokens_of(&first) <= given.budget_tokens {
            return Ok(finished(given, first, Vec::new(), Fit::Within, by));
        }
        let (second, by) = match self.condense_once(given, kind, STRONGER) {
            Ok((second, by)) if tokens_of(&second) < tokens_of(&first) => (second, by),
            // The first answer was sound, and what is too much of it is picked by rules.
            Ok(_) | Err(_) => (first, by),
        };
        let (drafts, gone, fit) = self.rules.fit(second, given, kind);
        let drafts = drafts.into_iter().map(|draft| Weighed { draft, made_at: given.now }).collect();
        Ok(finished(given, drafts, gone, fit, by))
    }

    fn condense_once(
        &self,
        given: &Condensing<'_>,
        kind: Kind,
        urge: &str,
    ) -> Result<(Vec<Weighed>, By), ThinkError> {
        let today = given.now.to_zoned(self.settings.zone.clone()).date().to_string();
        let budget = given.budget_tokens.to_string();
        let answer_tokens = given.budget_tokens * 2 + given.items.len() * ANSWER_TOKENS_PER_NOTE;
        let (prompt, source) = match kind {
            Kind::Session => ("reflector", Source::Reflector),
            Kind::Digest => ("compactor", Source::Compactor),
        };
        let question = Question {
            prompt,
            places: &[("today", &today), ("budget", &budget), ("urge", urge)],
            data: json!({ "notes": given.items.iter().map(told).collect::<Vec<_>>() }),
            schema: answers::condenser(),
            answer_tokens_max: u32::try_from(answer_tokens).unwrap_or(u32::MAX),
        };
        let (answer, by) = self.ask::<CondensedAnswer>(question)?;
        Ok((Picking::new(given.items, source).followed(answer, self.settings.unexplained_share_max)?, by))
    }
}

fn tokens_of(notes: &[Weighed]) -> usize {
    notes.iter().map(|own| peri_tokens::count(&own.draft.text)).sum()
}

/// What was kept, with every note that is gone.
fn finished(given: &Condensing<'_>, notes: Vec<Weighed>, gone: Vec<Gone>, fit: Fit, by: By) -> Condensed {
    let drafts: Vec<Draft> = notes.into_iter().map(|own| own.draft).collect();
    let stays = |id: ItemId| drafts.iter().any(|draft| draft.id == Some(id));
    let known = |id: ItemId| gone.iter().find(|own| own.id == id).cloned();
    let tell = |id| known(id).unwrap_or(Gone { id, why: "the model merged or dropped it".to_owned() });
    let gone = given.items.iter().map(|item| item.id).filter(|id| !stays(*id)).map(tell).collect();
    Condensed { drafts, gone, fit, by }
}

/// The notes while an answer is followed.
struct Picking<'a> {
    items: BTreeMap<ItemId, &'a Item>,
    order: Vec<&'a Item>,
    source: Source,
    /// Notes that are kept, or are part of one that is.
    used: BTreeSet<ItemId>,
    kept: Vec<Weighed>,
}

impl<'a> Picking<'a> {
    fn new(items: &'a [Item], source: Source) -> Self {
        Self {
            items: items.iter().map(|item| (item.id, item)).collect(),
            order: items.iter().collect(),
            source,
            used: BTreeSet::new(),
            kept: Vec::new(),
        }
    }

    fn followed(
        mut self,
        answer: CondensedAnswer,
        unexplained_share_max: f64,
    ) -> Result<Vec<Weighed>, ThinkError> {
        answer.items.into_iter().for_each(|one| self.keep(one));
        if self.kept.is_empty() {
            return Err(unsound("it keeps none of the notes"));
        }
        let explained = answer.dropped.iter().filter(|own| !own.why.trim().is_empty());
        let explained: BTreeSet<ItemId> = explained.filter_map(|own| own.id.trim().parse().ok()).collect();
        let missing = self.order.iter().filter(|item| !self.used.contains(&item.id));
        let vanished = missing.filter(|item| !explained.contains(&item.id)).count();
        if vanished as f64 > unexplained_share_max * self.order.len() as f64 {
            let all = self.order.len();
            return Err(unsound(format!("{vanished} of {all} notes are missing from it without a reason")));
        }
        self.restore();
        Ok(self.kept)
    }

    /// Keeps a note, or one made of several. What is made of none is ignored.
    fn keep(&mut self, one: KeptNote) {
        let free = |id: &ItemId| !self.used.contains(id);
        let mut from: Vec<ItemId> =
            one.from.iter().filter_map(|id| id.trim().parse().ok()).filter(free).collect();
        from.sort_unstable();
        from.dedup();
        let from: Vec<&Item> = from.iter().filter_map(|id| self.items.get(id).copied()).collect();
        let text = short(&one.text);
        let needed = if from.len() > 1 { SUCCESSOR } else { REWORDED };
        let keeps = |item: &&&Item| item.priority != Priority::High || share(&item.text, &text) >= needed;
        let from: Vec<&Item> = from.iter().filter(keeps).copied().collect();
        // The one that matters most lends its id, so that whoever knows it finds it again.
        let Some(first) = from.iter().copied().max_by_key(|item| (item.priority, item.made_at)) else {
            return;
        };
        if text.is_empty() {
            return;
        }
        let highest = from.iter().map(|item| item.priority).max().unwrap_or(one.priority);
        // A merged note matters as much as the one that matters most; by itself a note may come to matter less.
        let may_lower = from.len() == 1 && highest != Priority::High;
        let priority = if may_lower { one.priority.min(highest) } else { highest };
        let is_done = from.iter().all(|item| item.progress == Progress::Done);
        let is_as_it_was = from.len() == 1 && text == first.text;
        let draft = Draft {
            text,
            priority,
            progress: if is_done { Progress::Done } else { Progress::Open },
            source: if is_as_it_was { first.source } else { self.source },
            origins: from.iter().flat_map(|item| item.origins.iter().cloned()).collect(),
            ..Draft::of(first)
        };
        self.used.extend(from.iter().map(|item| item.id));
        self.kept.push(Weighed { draft, made_at: first.made_at });
    }

    /// What must be remembered and is missing stays as it is.
    fn restore(&mut self) {
        let missing =
            self.order.iter().filter(|item| item.priority == Priority::High && !self.used.contains(&item.id));
        self.kept.extend(missing.map(|item| Weighed::of(item)));
    }
}
