//! From findings to notes.

use std::collections::{BTreeMap, BTreeSet};

use peri_notes::{Candidate, Draft, Item, ItemId, Message, Origin, Progress, Replaced, Source, Speaker};
use peri_observe::{Finding, FindingKind, Role, Target};

use super::Rules;
use crate::thinker::{By, Observed, Observing};

pub(super) fn observe(rules: &Rules, given: &Observing<'_>) -> Observed {
    let known: Vec<_> = given.notes.iter().map(|item| rules.item(item)).collect();
    let messages: Vec<_> = given.messages.iter().map(|message| heard(rules, message)).collect();
    let findings = peri_observe::observe(&messages, &known, given.handed_out);
    let mut noting = Noting::new(rules, given);
    findings.iter().for_each(|finding| noting.take(finding));
    noting.into_observed(&findings)
}

fn heard(rules: &Rules, message: &Message) -> peri_observe::Message {
    let role = match message.role {
        Speaker::User => Role::User,
        Speaker::Assistant => Role::Assistant,
        Speaker::System | Speaker::Tool => Role::Tool,
    };
    peri_observe::Message { role, text: message.text.clone(), at: rules.local(message.at) }
}

/// The notes while findings are taken into them.
struct Noting<'a> {
    rules: &'a Rules,
    given: &'a Observing<'a>,
    /// What each finding became; nothing if it only ended something or was ended itself.
    fresh: Vec<Option<Draft>>,
    superseded: BTreeSet<ItemId>,
    /// The tasks that are done, and where that was said.
    done: BTreeMap<ItemId, Vec<Origin>>,
    replaced: Vec<Replaced>,
}

impl<'a> Noting<'a> {
    fn new(rules: &'a Rules, given: &'a Observing<'a>) -> Self {
        Self {
            rules,
            given,
            fresh: Vec::new(),
            superseded: BTreeSet::new(),
            done: BTreeMap::new(),
            replaced: Vec::new(),
        }
    }

    fn take(&mut self, finding: &Finding) {
        let said = &self.given.messages[finding.evidence.message];
        let origin = said.entry.map(Origin::Entry);
        let mut draft = Draft {
            date: Some(self.rules.local(said.at).date()),
            source: self.rules.source(Source::Observer),
            origins: origin.iter().cloned().collect(),
            kind: Some(finding.kind.name().to_owned()),
            ..Draft::new(finding.priority, finding.text.clone())
        };
        if finding.kind == FindingKind::CompletedTask {
            draft.progress = Progress::Done;
        }
        let is_only_an_end = finding.completes.as_ref().is_some_and(|target| self.complete(target, origin));
        if let Some(target) = &finding.replaces {
            self.replace(target, &mut draft);
        }
        self.fresh.push((!is_only_an_end).then_some(draft));
    }

    /// Marks a task as done. False if there is no such task.
    fn complete(&mut self, target: &Target, origin: Option<Origin>) -> bool {
        match target {
            Target::Item(id) => {
                let Some(item) = self.noted(id) else { return false };
                self.done.entry(item.id).or_default().extend(origin);
                true
            }
            Target::Finding(place) => match self.fresh.get_mut(*place) {
                Some(Some(task)) => {
                    task.progress = Progress::Done;
                    add_origins(&mut task.origins, origin);
                    true
                }
                _ => false,
            },
            Target::Text(_) => false,
        }
    }

    /// Puts a note in the place of what it replaces, which must not matter more than the note does.
    fn replace(&mut self, target: &Target, draft: &mut Draft) {
        let (item, old) = match target {
            Target::Item(id) => {
                let Some(item) = self.noted(id) else { return };
                self.superseded.insert(item.id);
                draft.priority = draft.priority.max(item.priority);
                add_origins(&mut draft.origins, item.origins.iter().cloned());
                (Some(item.id), item.text.clone())
            }
            Target::Finding(place) => {
                let Some(earlier) = self.fresh.get_mut(*place).and_then(Option::take) else { return };
                draft.priority = draft.priority.max(earlier.priority);
                add_origins(&mut draft.origins, earlier.origins);
                (None, earlier.text)
            }
            Target::Text(words) => (None, words.clone()),
        };
        self.replaced.push(Replaced { at: self.given.now, item, old, new: draft.text.clone() });
    }

    /// A note that is still there.
    fn noted(&self, id: &str) -> Option<&'a Item> {
        let id: ItemId = id.parse().ok()?;
        self.given.notes.iter().find(|item| item.id == id && !self.superseded.contains(&id))
    }

    fn into_observed(self, findings: &[Finding]) -> Observed {
        let at = self.given.now;
        let candidate = |(draft, finding): (&Option<Draft>, &Finding)| {
            let draft = draft.as_ref().filter(|_| may_last(finding))?;
            let kind = Some(finding.kind.name().to_owned());
            Some(Candidate {
                priority: draft.priority,
                text: draft.text.clone(),
                at,
                items: Vec::new(),
                kind,
            })
        };
        let candidates = self.fresh.iter().zip(findings).filter_map(candidate).collect();
        let stay = self.given.notes.iter().filter(|item| !self.superseded.contains(&item.id));
        let as_it_is = |item: &Item| {
            let mut draft = Draft::of(item);
            if let Some(said) = self.done.get(&item.id) {
                draft.progress = Progress::Done;
                add_origins(&mut draft.origins, said.iter().cloned());
            }
            draft
        };
        let drafts = stay.map(as_it_is).chain(self.fresh.iter().flatten().cloned()).collect();
        Observed {
            drafts,
            candidates,
            replaced: self.replaced,
            done: self.done.into_keys().collect(),
            by: By::Rules,
        }
    }
}

/// Adds what a note was made from, each once.
fn add_origins(origins: &mut Vec<Origin>, more: impl IntoIterator<Item = Origin>) {
    for origin in more {
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
}

/// Whether something may outlive its session; whether it does is decided over all sessions.
fn may_last(finding: &Finding) -> bool {
    use FindingKind::*;
    match finding.kind {
        Preference | Correction | Person | StateChange | Date => true,
        Constraint => finding.days.is_none(),
        Decision | OpenTask | CompletedTask | Problem => false,
    }
}
