//! From messages to findings.

use std::collections::BTreeSet;

use peri_text::{Statement, Verdict as Relation, relate};

use crate::change::old_value;
use crate::cues::Cue;
use crate::days::{NamedDays, Tense, named_days};
use crate::finding::{Evidence, Finding, FindingKind, Target};
use crate::folding::Folded;
use crate::item::{Item, ItemState};
use crate::judge::{self, Before, Signals, Verdict};
use crate::likeness::Likeness;
use crate::matcher;
use crate::message::{Message, Role};
use crate::prose;
use crate::secrets::{Secrecy, secrecy};
use crate::standalone::{Context, retold_without_days, standalone};

/// So large a share of the user's words must have been handed out for them to be an echo.
const ECHO_OF_USER: f32 = 0.9;
/// A model repeats what it was given more freely.
const ECHO_OF_ASSISTANT: f32 = 0.7;
/// A completion names at least this share of the words of the task or of its own.
const COMPLETION_SHARE_MIN: f32 = 0.5;
/// How sure a decision is that the next sentence calls one.
const CONFIRMED: f32 = 0.7;
/// A longer cue holds other words between its parts.
const PHRASE_SIGNS_MAX: usize = 16;

/// Finds what is worth noting in `messages`.
///
/// What `known` holds already is not found again, and neither is what was handed out from memory and is merely
/// echoed. Findings that end something say what: see [`Finding::completes`] and [`Finding::replaces`].
pub fn observe(messages: &[Message], known: &[Item], handed_out: &[String]) -> Vec<Finding> {
    let mut observer = Observer::new(known, handed_out);
    for (place, message) in messages.iter().enumerate() {
        if message.role != Role::Tool {
            observer.read(place, message);
        }
    }
    observer.findings
}

/// A line that was handed out.
struct Handed {
    words: Likeness,
    /// Whether it tells that something was done.
    is_completion: bool,
}

impl Handed {
    fn read(line: &str) -> Self {
        let is_completion = matcher::find(&Folded::new(line).signs).has(Cue::Finishes);
        Self { words: Likeness::of(line), is_completion }
    }
}

struct Observer<'a> {
    known: &'a [Item],
    known_words: Vec<Likeness>,
    handed_out: &'a [String],
    /// The words of each line that was handed out, read when the first finding asks for them.
    handed_words: Option<Vec<Handed>>,
    findings: Vec<Finding>,
    found_words: Vec<Likeness>,
}

impl<'a> Observer<'a> {
    fn new(known: &'a [Item], handed_out: &'a [String]) -> Self {
        let known_words = known.iter().map(|item| Likeness::of(&item.text)).collect();
        Self {
            known,
            known_words,
            handed_out,
            handed_words: None,
            findings: Vec::new(),
            found_words: Vec::new(),
        }
    }

    fn read(&mut self, place: usize, message: &Message) {
        let today = message.at.date();
        let mut before = Before::Other;
        let mut last: Option<(usize, &str)> = None;
        let mut unnoted: Option<(Evidence, Signals<'_>)> = None;
        for sentence in prose::sentences(&message.text) {
            let text = &message.text[sentence.range.clone()];
            let signals = Signals::read(text, message.role, today);
            let verdict = judge::judge(&signals, before);
            before = match verdict {
                Verdict::OpensCorrection => Before::Objection,
                Verdict::Blames => Before::Blame,
                Verdict::Nothing | Verdict::Confirms | Verdict::Found(..) => Before::Other,
            };
            if let Verdict::Found(kind, confidence) = verdict {
                let neighbour =
                    last.filter(|(paragraph, _)| *paragraph == sentence.paragraph).map(|(_, text)| text);
                let evidence = Evidence { message: place, range: sentence.range.clone() };
                self.note(&signals, (kind, confidence), evidence, neighbour);
            }
            if verdict == Verdict::Confirms
                && let Some((evidence, earlier)) = unnoted.take()
            {
                self.note(&earlier, (FindingKind::Decision, CONFIRMED), evidence, None);
            }
            last = Some((sentence.paragraph, text));
            let states =
                verdict == Verdict::Nothing && !judge::keeps_silent(&signals) && signals.says_enough();
            unnoted = states.then(|| (Evidence { message: place, range: sentence.range.clone() }, signals));
        }
    }

    /// Adds a finding, unless it holds a secret or nothing new.
    fn note(
        &mut self,
        signals: &Signals<'_>,
        (kind, confidence): (FindingKind, f32),
        evidence: Evidence,
        before: Option<&str>,
    ) {
        let redacted = match secrecy(signals.text, &signals.folded.signs, &signals.cues) {
            Secrecy::Withheld => return,
            Secrecy::Open => None,
            Secrecy::Redacted(text) => Some(text),
        };
        let text = redacted.as_deref().unwrap_or(signals.text);
        let named = redacted.as_deref().map(|text| named_days(text, signals.today, Tense::Coming));
        let named: &[NamedDays] = named.as_deref().unwrap_or(&signals.named);
        let words = Likeness::of(text);
        if self.is_echo(&words, kind, signals) {
            return;
        }
        let mut finding = Finding {
            kind,
            priority: judge::priority(signals, kind, confidence),
            text: standalone(signals, text, named, &Context { before }),
            days: named.first().map(|one| one.days),
            evidence,
            confidence,
            completes: None,
            replaces: None,
        };
        match kind {
            FindingKind::CompletedTask => finding.completes = self.completed(&words, signals),
            FindingKind::StateChange | FindingKind::Correction | FindingKind::Decision => {
                finding.replaces = self.replaced(&finding, &words, signals);
            }
            _ => {}
        }
        if !self.is_known(&finding, &words) {
            self.findings.push(finding);
            self.found_words.push(words);
        }
    }

    /// Whether everything that is said was handed out before. That a task is done is news about the task.
    fn is_echo(&mut self, words: &Likeness, kind: FindingKind, signals: &Signals<'_>) -> bool {
        let contained_min = if signals.role == Role::User { ECHO_OF_USER } else { ECHO_OF_ASSISTANT };
        let words = words.without(&cue_words(signals, Cue::Decides));
        let handed_out = self.handed_out;
        let handed = self.handed_words.get_or_insert_with(|| {
            let lines = handed_out.iter().flat_map(|text| text.lines());
            lines.filter(|line| !line.trim().is_empty()).map(Handed::read).collect()
        });
        let tells_same = |line: &Handed| {
            line.is_completion || kind != FindingKind::CompletedTask || words.terms() == line.words.terms()
        };
        handed.iter().any(|line| tells_same(line) && words.echoes(&line.words, contained_min))
    }

    /// Whether the same was noted already. What ends something is new, even if its words are not.
    fn is_known(&self, finding: &Finding, words: &Likeness) -> bool {
        let ends = finding.completes.is_some()
            || matches!(finding.replaces, Some(Target::Item(_) | Target::Finding(_)));
        let is_same = |kind: Option<FindingKind>, text: &str, own: &Likeness| {
            let is_done = |kind: FindingKind| kind == FindingKind::CompletedTask;
            let tells_same = kind.is_none_or(|kind| is_done(kind) == is_done(finding.kind));
            let relates =
                || relate(&Statement::new(&finding.text), &Statement::new(text)).verdict == Relation::Same;
            tells_same && (words.is_like(own) || words.is_near(own) && relates())
        };
        let in_notes = || {
            self.known
                .iter()
                .zip(&self.known_words)
                .any(|(item, own)| item.state != ItemState::Superseded && is_same(item.kind, &item.text, own))
        };
        let in_findings = || {
            self.findings
                .iter()
                .zip(&self.found_words)
                .any(|(other, own)| is_same(Some(other.kind), &other.text, own))
        };
        !ends && (in_notes() || in_findings())
    }

    /// The open task that a completion speaks of: the one with most words in common, if there is only one.
    fn completed(&self, words: &Likeness, signals: &Signals<'_>) -> Option<Target> {
        let own = words.without(&cue_words(signals, Cue::Finishes));
        let mut best: Option<(usize, Target)> = None;
        let mut is_tied = false;
        for (target, task) in self.open_tasks() {
            let shared = task.shared(&own);
            let shorter = own.terms().len().min(task.terms().len());
            if shared == 0 || (shared as f32) < COMPLETION_SHARE_MIN * shorter as f32 {
                continue;
            }
            match &best {
                Some((most, _)) if *most > shared => {}
                Some((most, _)) if *most == shared => is_tied = true,
                _ => {
                    best = Some((shared, target));
                    is_tied = false;
                }
            }
        }
        best.filter(|_| !is_tied).map(|(_, target)| target)
    }

    fn open_tasks(&self) -> impl Iterator<Item = (Target, &Likeness)> {
        let is_task = |kind: Option<FindingKind>| {
            matches!(kind, Some(FindingKind::OpenTask | FindingKind::Problem) | None)
        };
        let noted = self.known.iter().zip(&self.known_words);
        let noted = noted.filter(move |(item, _)| item.state == ItemState::Open && is_task(item.kind));
        let noted = noted.map(|(item, own)| (Target::Item(item.id.clone()), own));
        let found = self.findings.iter().zip(&self.found_words).enumerate();
        let found = found.filter(move |(_, (finding, _))| is_task(Some(finding.kind)));
        let found = found.map(|(place, (_, own))| (Target::Finding(place), own));
        let done: Vec<Target> =
            self.findings.iter().filter_map(|finding| finding.completes.clone()).collect();
        noted.chain(found).filter(move |(target, _)| !done.contains(target))
    }

    /// What a change, a correction or a decision takes the place of.
    fn replaced(&self, finding: &Finding, words: &Likeness, signals: &Signals<'_>) -> Option<Target> {
        let old = old_value(signals.text, signals.language);
        let noted =
            self.known.iter().zip(&self.known_words).filter(|(item, _)| item.state == ItemState::Open);
        let noted = noted.map(|(item, own)| (Target::Item(item.id.clone()), item.text.as_str(), own));
        let found = self.findings.iter().zip(&self.found_words).enumerate();
        let found = found.map(|(place, (other, own))| (Target::Finding(place), other.text.as_str(), own));
        // What says the same is not replaced by being said again.
        let others = noted.chain(found).filter(|(_, _, own)| !words.is_like(own));
        let all: Vec<(Target, &str, &Likeness)> = others.collect();
        if let Some(old) = &old
            && let Some(target) = holding(&all, old, words)
        {
            return Some(target);
        }
        let news = retold_without_days(signals);
        let ends = |text: &str| {
            let verdict = relate(&Statement::new(&news), &Statement::new(text)).verdict;
            let corrects = finding.kind == FindingKind::Correction && verdict == Relation::Contradicts;
            verdict == Relation::Replaces || corrects
        };
        let is_worth_reading = |own: &Likeness| words.is_near(own) || words.is_short() && own.is_short();
        let related = all.iter().find(|(_, text, own)| is_worth_reading(own) && ends(text));
        related.map(|(target, _, _)| target.clone()).or_else(|| old.map(Target::Text))
    }
}

/// The item that holds the old value and shares most other words with the sentence, if there is only one.
fn holding(all: &[(Target, &str, &Likeness)], old: &str, words: &Likeness) -> Option<Target> {
    let value = Likeness::of(old);
    if value.terms().is_empty() {
        return None;
    }
    let holds = |own: &Likeness| value.terms().is_subset(own.terms());
    let score = |own: &Likeness| words.shared(own).saturating_sub(value.terms().len());
    let mut holders: Vec<(usize, &Target)> =
        all.iter().filter(|(_, _, own)| holds(own)).map(|(target, _, own)| (score(own), target)).collect();
    holders.sort_by_key(|(score, _)| usize::MAX - score);
    match &holders[..] {
        [(_, only)] => Some((*only).clone()),
        [(most, first), (next, _), ..] if most > next => Some((*first).clone()),
        _ => None,
    }
}

/// The words of the phrases that give a cue, which say nothing about what was done or decided.
fn cue_words(signals: &Signals<'_>, cue: Cue) -> BTreeSet<String> {
    let phrases = signals.cues.spans(cue).filter(|span| span.len() <= PHRASE_SIGNS_MAX);
    let said = phrases.map(|span| &signals.text[signals.folded.bytes(span)]);
    said.flat_map(|said| Likeness::of(said).terms().clone()).collect()
}
