//! What kind of finding a sentence is, if it is one.
//!
//! First whatever keeps a sentence from stating anything is looked for: questions, wishes, hearsay, jokes. Then the
//! kinds are tried in a fixed order, so that a sentence gives one finding at most: what was put right, done or
//! decided goes before what is merely so.

mod assistant;
mod completion;
mod obligation;
mod person;
mod signals;
mod wish;

use jiff::civil::Date;
use peri_orbit::importance::Reason;

use crate::cues::Cue;
use crate::days::NamedDays;
use crate::finding::{FindingKind, Priority};
use crate::message::Role;

pub(crate) use signals::Signals;

/// What a sentence was found to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Verdict {
    /// Nothing to note.
    Nothing,
    /// It announces a correction that the next sentence makes.
    OpensCorrection,
    /// It says that the sentence before was a decision: "That's final."
    Confirms,
    /// It tells the listener what they did, which the next sentence may put right.
    Blames,
    /// Something to note, and how sure that is.
    Found(FindingKind, f32),
}

/// What came before, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// A sentence that announced a correction.
    Objection,
    /// A sentence that told the listener what they did.
    Blame,
    /// Anything else.
    Other,
}

/// Judges a sentence.
pub(crate) fn judge(signals: &Signals<'_>, before: Before) -> Verdict {
    if keeps_silent(signals) {
        return Verdict::Nothing;
    }
    let found = match signals.role {
        Role::User => of_user(signals, before),
        Role::Assistant => assistant::judge(signals),
        Role::Tool => None,
    };
    match found {
        Some((kind, confidence)) if signals.says_enough() => {
            Verdict::Found(kind, weighed(signals, confidence))
        }
        _ if signals.role == Role::User && signals.cues.has(Cue::OpensCorrection) => Verdict::OpensCorrection,
        Some((FindingKind::Decision, _)) if signals.role == Role::User => Verdict::Confirms,
        None if signals.role == Role::User && signals.cues.has(Cue::Blames) => Verdict::Blames,
        _ => Verdict::Nothing,
    }
}

/// Whether a sentence states nothing at all.
pub(crate) fn keeps_silent(signals: &Signals<'_>) -> bool {
    let cues = &signals.cues;
    let is_hearsay = cues.has(Cue::Hearsay) && !cues.has(Cue::Authority);
    signals.asks
        || signals.has_reason(Reason::Laughter)
        || cues.has_any(&[Cue::Denied, Cue::Unreal])
        || is_hearsay
        || cues.has(Cue::Undecided) && !cues.has(Cue::Breaks)
        || signals.evaluation.importance < 0.2 && !cues.has_any(&[Cue::Finishes, Cue::OpensCorrection])
}

fn of_user(signals: &Signals<'_>, before: Before) -> Option<(FindingKind, f32)> {
    let plain = plain_kind(signals);
    if let Some(confidence) = correction(signals, before, plain.map(|(kind, _)| kind)) {
        return Some((FindingKind::Correction, confidence));
    }
    plain
}

/// How sure it is that a sentence puts something right.
fn correction(signals: &Signals<'_>, before: Before, plain: Option<FindingKind>) -> Option<f32> {
    use FindingKind::{Constraint, Date, OpenTask, Person, Problem};
    let cues = &signals.cues;
    let asserts = cues.has_any(&[Cue::Asserts, Cue::Owes, Cue::Demands]);
    if asserts && (cues.has(Cue::Blames) || before == Before::Blame) {
        return Some(0.75);
    }
    if cues.has(Cue::Corrects) {
        return Some(if cues.has_any(&[Cue::Objects, Cue::OpensCorrection]) { 0.9 } else { 0.7 });
    }
    if cues.has(Cue::OpensCorrection) && signals.goes_on_behind(Cue::OpensCorrection) {
        return Some(0.8);
    }
    if before == Before::Objection {
        return Some(0.75);
    }
    let restates = matches!(plain, Some(Constraint | Date | OpenTask | Person | Problem));
    (cues.has(Cue::Objects) && restates).then_some(0.65)
}

/// A rule for one kind: what a sentence is and how sure that is.
type Rule = fn(&Signals<'_>) -> Option<(FindingKind, f32)>;

/// What a sentence is when nothing is put right by it.
fn plain_kind(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let rules: [Rule; 13] = [
        reminder,
        completion::judge,
        promise,
        decision,
        problem,
        change,
        wish::manner,
        wish::preference,
        obligation::judge,
        date,
        person::judge,
        asked_to_keep,
        coming,
    ];
    rules.into_iter().find_map(|rule| rule(signals))
}

fn reminder(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    signals.cues.has(Cue::Reminds).then_some((FindingKind::OpenTask, 0.85))
}

/// What the speaker promised somebody is still to be done.
fn promise(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let strong = ["promised", "약속했", "주기로", "答应"];
    let is_promise = signals.cues.has(Cue::Commits) && strong.iter().any(|word| signals.text.contains(word));
    is_promise.then_some((FindingKind::OpenTask, 0.75))
}

fn decision(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    let settled = cues.has(Cue::Decides) && !cues.has(Cue::Conditional);
    settled.then(|| (FindingKind::Decision, if signals.has_reason(Reason::Decision) { 0.9 } else { 0.8 }))
}

/// Something does not work; a condition says when, and a rule that names a failure is a rule.
fn problem(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    let broken = cues.spans(Cue::Breaks).map(|span| span.start).min()?;
    let rules = cues.spans(Cue::Forbids).chain(cues.spans(Cue::Demands)).map(|span| span.start).min();
    let changed = cues.spans(Cue::Changes).map(|span| span.start).min();
    let comes_first = [rules, changed].into_iter().flatten().all(|other| broken < other);
    comes_first.then(|| (FindingKind::Problem, if signals.has_reason(Reason::Cause) { 0.85 } else { 0.75 }))
}

fn change(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    let is_planned = cues.has_any(&[Cue::Conditional, Cue::Owes, Cue::Commits]) && !cues.has(Cue::Past);
    (cues.has(Cue::Changes) && !is_planned).then_some((FindingKind::StateChange, 0.8))
}

/// Something takes place at a time that is still to come, or comes back every year.
fn date(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    if cues.has(Cue::Conditional) {
        return None;
    }
    if cues.has(Cue::Yearly) && (!signals.named.is_empty() || signals.has_reason(Reason::Date)) {
        return Some((FindingKind::Date, 0.85));
    }
    let takes_place = cues.has(Cue::Event)
        || signals.has_reason(Reason::Appointment)
        || signals.has_reason(Reason::Deadline);
    let is_coming = signals
        .named
        .iter()
        .any(|one| one.days.last >= signals.today && one.days.last <= near_end(one.days.first));
    (takes_place && is_coming)
        .then(|| (FindingKind::Date, if signals.has_reason(Reason::Appointment) { 0.85 } else { 0.7 }))
}

/// The last day up to which days that begin here are near enough to each other to be a date.
fn near_end(first: Date) -> Date {
    first.checked_add(jiff::Span::new().days(6)).unwrap_or(first)
}

/// Whatever else is said of one day that is still to come.
fn coming(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let is_one_day = |one: &&NamedDays| one.days.first == one.days.last && one.days.first > signals.today;
    let has_day = signals.named.iter().any(|one| is_one_day(&one));
    (has_day && !signals.cues.has_any(&[Cue::Conditional, Cue::Past])).then_some((FindingKind::Date, 0.55))
}

/// Whoever asks for something to be remembered has it noted, whatever it is.
fn asked_to_keep(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let is_asked = signals.has_reason(Reason::Remember) && signals.evaluation.explicit >= 0.85;
    is_asked.then_some((FindingKind::Constraint, 0.7))
}

fn weighed(signals: &Signals<'_>, confidence: f32) -> f32 {
    let mut confidence = confidence;
    if signals.cues.has(Cue::Pronoun) {
        confidence -= 0.15;
    }
    if signals.evaluation.importance >= 0.8 {
        confidence += 0.05;
    }
    confidence.clamp(0.0, 1.0)
}

/// What is kept for good must be this sure.
const STRICT_CONFIDENCE_MIN: f32 = 0.75;

/// How much a finding matters.
pub(crate) fn priority(signals: &Signals<'_>, kind: FindingKind, confidence: f32) -> Priority {
    let importance = signals.evaluation.importance;
    let is_strict = confidence >= STRICT_CONFIDENCE_MIN
        && signals.cues.has_any(&[Cue::Forbids, Cue::Demands, Cue::Henceforth]);
    let folded = signals.text.to_lowercase();
    let is_asked = ["remember that", "remember:", "keep in mind", "기억해", "记住", "牢记"]
        .iter()
        .any(|words| folded.contains(words));
    match (signals.role, kind) {
        (Role::User, FindingKind::Correction) => Priority::High,
        (Role::User, FindingKind::Constraint) if is_strict || is_asked => Priority::High,
        (Role::User, FindingKind::Preference) if is_strict => Priority::High,
        (Role::User, FindingKind::Decision) if importance >= 0.85 => Priority::High,
        (_, FindingKind::CompletedTask) => Priority::Low,
        (Role::Assistant, FindingKind::OpenTask | FindingKind::StateChange) => Priority::Low,
        _ => Priority::Medium,
    }
}
