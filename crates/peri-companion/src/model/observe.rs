//! Observing with a model: what it is shown, and what of its answer is followed.

use std::collections::{BTreeMap, BTreeSet};

use peri_notes::{
    Candidate, Draft, Item, ItemId, Message, Origin, Priority, Progress, Replaced, Source, Speaker,
};
use peri_observe::tells_secret;
use serde_json::{Value, json};

use super::answers::{self, NewNote, ObserverAnswer, Reworded};
use super::{Model, Question, citing, unsound};
use crate::likeness::{is_same, share};
use crate::rules::kind_named;
use crate::thinker::{By, Observed, Observing, ThinkError};

/// A longer note is cut.
const NOTE_TOKENS_MAX: usize = 300;
/// New notes may have so many times the tokens of what was said...
const LENGTHENING_MAX: usize = 2;
/// ...and so many more.
const SPARE_TOKENS: usize = 400;
/// Of what was handed out so large a share makes an echo.
const ECHO: f64 = 0.9;
/// A note that takes the place of one that must be remembered has so much in common with it.
pub(super) const SUCCESSOR: f64 = 0.2;
/// A note that must be remembered has so much of itself in other words.
pub(super) const REWORDED: f64 = 0.5;

impl Model {
    pub(super) fn observe_by_model(&self, given: &Observing<'_>) -> Result<Observed, ThinkError> {
        let today = given.now.to_zoned(self.settings.zone.clone()).date().to_string();
        let question = Question {
            prompt: "observer",
            places: &[("today", &today)],
            data: self.shown(given),
            schema: answers::observer(),
            answer_tokens_max: self.settings.answer_tokens_max,
        };
        let (answer, by) = self.ask::<ObserverAnswer>(question)?;
        check(&answer, given)?;
        Ok(Noting::new(given).followed(answer, by))
    }

    fn shown(&self, given: &Observing<'_>) -> Value {
        let local = |message: &Message| {
            message.at.to_zoned(self.settings.zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
        };
        let message = |(place, message): (usize, &Message)| {
            let who = if message.role == Speaker::User { "user" } else { "assistant" };
            json!({ "id": citing::name(place), "who": who, "at": local(message), "text": message.text })
        };
        json!({
            "notes": notes(given.notes, self.settings.notes_tokens_max),
            "handed_out": latest(given.handed_out, self.settings.handed_out_tokens_max),
            "messages": given.messages.iter().enumerate().map(message).collect::<Vec<_>>(),
        })
    }
}

/// Notes as a model is shown them, in their order: what matters most, then what is latest.
fn notes(items: &[Item], tokens_max: usize) -> Vec<Value> {
    let mut order: Vec<&Item> = items.iter().collect();
    order.sort_by_key(|item| std::cmp::Reverse((item.priority == Priority::High, item.made_at, item.id)));
    let mut left = tokens_max;
    let shown: BTreeSet<ItemId> = order
        .into_iter()
        .take_while(|item| {
            let tokens = peri_tokens::count(&item.text);
            let fits = tokens <= left;
            left = left.saturating_sub(tokens);
            fits
        })
        .map(|item| item.id)
        .collect();
    items.iter().filter(|item| shown.contains(&item.id)).map(told).collect()
}

/// One note as models are shown it.
pub(super) fn told(item: &Item) -> Value {
    json!({
        "id": item.id.to_string(),
        "priority": item.priority.as_str(),
        "done": item.progress == Progress::Done,
        "date": item.date.map(|date| date.to_string()),
        "text": item.text,
    })
}

/// The latest of texts, in their order.
fn latest(texts: &[String], tokens_max: usize) -> Vec<&str> {
    let mut left = tokens_max;
    let fits = |text: &&String| {
        let tokens = peri_tokens::count(text);
        let fits = tokens <= left;
        left = left.saturating_sub(tokens);
        fits
    };
    let mut shown: Vec<&str> = texts.iter().rev().take_while(fits).map(String::as_str).collect();
    shown.reverse();
    shown
}

/// Refuses an answer that says more than was said: it is not about what was said.
fn check(answer: &ObserverAnswer, given: &Observing<'_>) -> Result<(), ThinkError> {
    let said: usize = given.messages.iter().map(|message| peri_tokens::count(&message.text)).sum();
    let noted: usize = answer.new.iter().map(|note| peri_tokens::count(&note.text)).sum();
    if noted > LENGTHENING_MAX * said + SPARE_TOKENS {
        return Err(unsound(format!("it makes {noted} tokens of notes from {said} tokens of messages")));
    }
    Ok(())
}

/// The notes while an answer is followed.
struct Noting<'a> {
    given: &'a Observing<'a>,
    revised: BTreeMap<ItemId, Draft>,
    superseded: BTreeSet<ItemId>,
    fresh: Vec<Draft>,
    candidates: Vec<Candidate>,
    replaced: Vec<Replaced>,
}

impl<'a> Noting<'a> {
    fn new(given: &'a Observing<'a>) -> Self {
        Self {
            given,
            revised: given.notes.iter().map(|item| (item.id, Draft::of(item))).collect(),
            superseded: BTreeSet::new(),
            fresh: Vec::new(),
            candidates: Vec::new(),
            replaced: Vec::new(),
        }
    }

    fn followed(mut self, answer: ObserverAnswer, by: By) -> Observed {
        answer.reworded.into_iter().for_each(|one| self.reword(one));
        let done: Vec<ItemId> = answer.done.iter().filter_map(|id| self.finish(id)).collect();
        answer.new.into_iter().for_each(|one| self.add(one));
        let stay = self.given.notes.iter().filter(|item| !self.superseded.contains(&item.id));
        let drafts = stay.filter_map(|item| self.revised.get(&item.id).cloned()).chain(self.fresh).collect();
        Observed { drafts, candidates: self.candidates, replaced: self.replaced, done, by }
    }

    /// Puts a note in other words. What must be remembered stays so, and recognisable.
    fn reword(&mut self, one: Reworded) {
        let Some(item) = self.noted(&one.id) else { return };
        let text = short(&one.text);
        if tells_secret(&text) {
            return;
        }
        let must = item.priority == Priority::High;
        if text.is_empty() || must && share(&item.text, &text) < REWORDED {
            return;
        }
        let priority = if must { Priority::High } else { one.priority };
        let mut draft = Draft { priority, source: Source::Observer, ..Draft::of(item) };
        draft.origins.extend(self.cited(&one.from, &text));
        draft.text = text;
        self.revised.insert(item.id, draft);
    }

    fn finish(&mut self, id: &str) -> Option<ItemId> {
        let item = self.noted(id).filter(|item| item.progress == Progress::Open)?;
        let said = self.cited(&[], &item.text);
        let draft = self.revised.get_mut(&item.id)?;
        draft.progress = Progress::Done;
        draft.origins.extend(said);
        Some(item.id)
    }

    fn add(&mut self, one: NewNote) {
        let text = short(&one.text);
        let replaces: Vec<&Item> = one.replaces.iter().filter_map(|id| self.noted(id)).collect();
        let is_unfit = text.is_empty() || tells_secret(&text) || self.is_echo(&text);
        if is_unfit || replaces.is_empty() && self.is_known(&text) {
            return;
        }
        let kind = one.kind.filter(|kind| kind_named(kind).is_some());
        let origins = self.cited(&one.from, &text);
        let mut draft = Draft { origins, kind: kind.clone(), ..Draft::new(one.priority, text.clone()) };
        let at = self.given.now;
        let mut is_told = false;
        for item in replaces.into_iter().filter(|item| may_replace(&text, item)) {
            draft.priority = draft.priority.max(item.priority);
            draft.origins.extend(item.origins.iter().cloned());
            draft.kind = draft.kind.or_else(|| item.kind.clone());
            self.superseded.insert(item.id);
            self.replaced.push(Replaced {
                at,
                item: Some(item.id),
                old: item.text.clone(),
                new: text.clone(),
            });
            is_told = true;
        }
        if let Some(was) = one.was.map(|was| short(&was)).filter(|was| !was.is_empty() && !is_told) {
            self.replaced.push(Replaced { at, item: None, old: was, new: text.clone() });
        }
        if one.durable {
            self.candidates.push(Candidate { priority: draft.priority, text, at, items: Vec::new(), kind });
        }
        self.fresh.push(draft);
    }

    /// The entries of the journal that a note was made from.
    fn cited(&self, named: &[String], text: &str) -> Vec<Origin> {
        citing::cited(self.given.messages, named, text)
    }

    /// Whether the agent was given it from memory.
    fn is_echo(&self, text: &str) -> bool {
        let mut lines = self.given.handed_out.iter().flat_map(|handed| handed.lines());
        lines.any(|line| share(text, line) >= ECHO)
    }

    /// Whether a note says so already.
    fn is_known(&self, text: &str) -> bool {
        let noted = self.revised.iter().filter(|(id, _)| !self.superseded.contains(id)).map(|(_, own)| own);
        noted.chain(&self.fresh).any(|draft| is_same(&draft.text, text))
    }

    /// A note that is still there. Ids that nothing has are ignored.
    fn noted(&self, id: &str) -> Option<&'a Item> {
        let id: ItemId = id.trim().parse().ok()?;
        self.given.notes.iter().find(|item| item.id == id && !self.superseded.contains(&id))
    }
}

/// Whether a note may take the place of another. What must be remembered is replaced only by what speaks of it.
pub(super) fn may_replace(text: &str, item: &Item) -> bool {
    item.priority != Priority::High || share(&item.text, text) >= SUCCESSOR
}

/// A text in few enough tokens for a note.
pub(super) fn short(text: &str) -> String {
    let text = text.trim();
    let kept = peri_tokens::truncate(text, NOTE_TOKENS_MAX);
    if kept.len() == text.len() { text.to_owned() } else { format!("{} …", kept.trim_end()) }
}
