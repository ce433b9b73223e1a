//! What has to be: a constraint on everybody, or a task of somebody.

use peri_orbit::importance::Reason;

use super::Signals;
use crate::cues::Cue;
use crate::finding::FindingKind;
use crate::language::Language;

/// Tells constraints from tasks.
pub(super) fn judge(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let cues = &signals.cues;
    if is_task(signals) {
        return Some((FindingKind::OpenTask, 0.75));
    }
    if cues.has(Cue::Forbids) && !is_own_excuse(signals) {
        return Some((FindingKind::Constraint, 0.85));
    }
    let speaks_of_self = cues.has(Cue::Speaker) && !cues.has_any(&[Cue::Group, Cue::Kin]);
    if cues.has(Cue::Demands) && !speaks_of_self {
        return Some((FindingKind::Constraint, 0.8));
    }
    let is_ill = signals.has_reason(Reason::Health) && signals.evaluation.emotional >= 0.8;
    if is_ill && cues.has_any(&[Cue::Speaker, Cue::Kin]) && signals.named.is_empty() {
        return Some((FindingKind::Constraint, 0.7));
    }
    let is_advice = cues.spans(Cue::Owes).any(|span| is_advice_to_people(signals, span.start));
    (cues.has(Cue::Owes) && !cues.has(Cue::Conditional) && !is_advice)
        .then_some((FindingKind::Constraint, 0.6))
}

/// Whether somebody has something to do, once.
fn is_task(signals: &Signals<'_>) -> bool {
    let cues = &signals.cues;
    let is_dated = signals
        .named
        .iter()
        .any(|one| one.days.last >= signals.today && (one.days.last - one.days.first).get_days() < 32);
    if cues.has(Cue::Commits) && is_dated && !cues.has(Cue::Conditional) {
        return true;
    }
    if signals.has_reason(Reason::Deadline) && signals.has_reason(Reason::Instruction) && is_dated {
        return true;
    }
    let holds_always = cues.has_any(&[Cue::Universal, Cue::Stays, Cue::Forbids]) && !is_dated;
    if !cues.has(Cue::Owes) || holds_always || cues.has(Cue::Conditional) && !is_dated {
        return false;
    }
    let is_left = is_dated || cues.has(Cue::Left);
    match signals.language {
        Language::English => is_left || cues.spans(Cue::Owes).any(|span| owes_in_person(signals, span.start)),
        Language::Korean => is_left || !has_topic(signals),
        Language::Chinese => {
            is_left || cues.has_any(&[Cue::Speaker, Cue::Group]) || signals.text.contains("有人")
        }
    }
}

/// "We should accept it" is an opinion, "the script should read it" a demand.
fn is_advice_to_people(signals: &Signals<'_>, at: usize) -> bool {
    const PEOPLE: &[&str] = &["i", "we", "you", "they", "he", "she", "people", "everyone", "everybody"];
    let phrase: String = signals.folded.signs[at..].iter().take(10).collect();
    let names_people = phrase.starts_with("we should") || phrase.starts_with("i should");
    names_people || phrase.starts_with("should") && PEOPLE.contains(&signals.word_before(at).as_str())
}

/// "I have to", "we still need to": the phrase itself or the words before it name who.
fn owes_in_person(signals: &Signals<'_>, at: usize) -> bool {
    const PEOPLE: &[&str] = &["i", "we", "i'll", "we'll", "i've", "we've"];
    let own: String = signals.folded.signs[at..].iter().take_while(|sign| **sign != ' ').collect();
    let before = signals.word_before(at);
    if is_advice_to_people(signals, at) {
        return false;
    }
    if at == 0 || own.starts_with("some") || own == "one" {
        return true;
    }
    let adverbs = ["also", "really", "just", "still", "probably", "definitely", "both", "only"];
    let before = if adverbs.contains(&before.as_str()) {
        let start = signals.folded.signs[..at].iter().collect::<String>();
        start
            .trim_end()
            .trim_end_matches(before.as_str())
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .to_owned()
    } else {
        before
    };
    PEOPLE.contains(&own.as_str()) || PEOPLE.contains(&before.as_str())
}

/// Whether a Korean sentence speaks about a thing: a word with 은 or 는 that is not the speaker.
fn has_topic(signals: &Signals<'_>) -> bool {
    if signals.text.contains("누가") || signals.text.contains("누군가") {
        return false;
    }
    let own = ["나는", "저는", "우리는", "저희는", "또는", "이는"];
    signals.text.split_whitespace().any(|word| {
        word.chars().count() >= 2 && (word.ends_with('는') || word.ends_with('은')) && !own.contains(&word)
    })
}

/// "我不能去": somebody who cannot come forbids nothing.
fn is_own_excuse(signals: &Signals<'_>) -> bool {
    let cues = &signals.cues;
    signals.language == Language::Chinese
        && cues.has(Cue::Speaker)
        && !cues.has_any(&[Cue::Kin, Cue::Demands])
        && !signals.has_reason(Reason::Health)
        && !signals.text.contains(['吃', '喝'])
        && signals.text.contains("我不能")
}
