//! What was done.

use super::Signals;
use crate::cues::Cue;
use crate::finding::FindingKind;
use crate::language::Language;

/// Tells what the user did.
pub(super) fn judge(signals: &Signals<'_>) -> Option<(FindingKind, f32)> {
    let is_done = is_done(signals) || tells_own_deed(signals);
    (is_done && !signals.cues.has(Cue::Changes)).then_some((FindingKind::CompletedTask, 0.75))
}

/// Whether a sentence tells that something was done, rather than that it should be.
fn is_done(signals: &Signals<'_>) -> bool {
    let open = [Cue::Unfinished, Cue::Owes, Cue::Forbids, Cue::Demands, Cue::Conditional];
    signals.cues.has(Cue::Finishes) && !signals.cues.has_any(&open)
}

/// "Sent the contract": who reports leaves the subject out. After some waiting any deed is worth telling.
fn tells_own_deed(signals: &Signals<'_>) -> bool {
    const DEEDS: &[&str] = &[
        "sent",
        "paid",
        "bought",
        "wrote",
        "sold",
        "built",
        "got",
        "booked",
        "ordered",
        "returned",
        "cleaned",
        "called",
        "emailed",
        "updated",
        "installed",
        "uploaded",
        "renewed",
        "cancelled",
        "canceled",
        "signed",
        "filed",
        "printed",
        "fixed",
        "added",
        "removed",
        "deployed",
        "merged",
        "finished",
        "watered",
        "picked",
        "dropped",
        "mailed",
        "posted",
    ];
    let open = [Cue::Unfinished, Cue::Owes, Cue::Conditional, Cue::Breaks];
    if signals.cues.has_any(&open) {
        return false;
    }
    match signals.language {
        Language::English => {
            let first: String =
                signals.folded.signs.iter().take_while(|sign| sign.is_alphanumeric()).collect();
            let is_over = signals.cues.has(Cue::AtLast)
                && signals
                    .text
                    .split_whitespace()
                    .any(|word| word.len() > 4 && word.trim_end_matches(['.', '!']).ends_with("ed"));
            DEEDS.contains(&first.as_str()) || is_over
        }
        Language::Korean => signals.cues.has(Cue::AtLast) && ends_in_past(signals.text),
        Language::Chinese => false,
    }
}

fn ends_in_past(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', '!', '~', ' ', '…']);
    [
        "했어",
        "었어",
        "았어",
        "왔어",
        "났어",
        "됐어",
        "했다",
        "었다",
        "았다",
        "왔다",
        "났다",
        "됐다",
        "했어요",
        "었어요",
        "왔어요",
        "됐어요",
        "습니다",
    ]
    .iter()
    .any(|ending| bare.ends_with(ending))
}

/// Whether the one who answers reports work that was done.
pub(super) fn is_reported(signals: &Signals<'_>) -> bool {
    is_done(signals) && !signals.cues.has(Cue::Offers) && tells_of_now(signals) || tells_own_work(signals)
}

/// "The index is in place" tells of now, "two answers are merged" of what happens in general.
fn tells_of_now(signals: &Signals<'_>) -> bool {
    if signals.language != Language::English {
        return true;
    }
    let signs = &signals.folded.signs;
    let opens = ["i ", "i'", "has", "have", "is in place", "are in place", "all ", "went", "is up"];
    let is_own = signals.cues.spans(Cue::Finishes).any(|span| {
        let phrase: String = signs[span.start..].iter().take(12).collect();
        span.start == 0 || opens.iter().any(|opening| phrase.starts_with(opening))
    });
    let sentence: String = signs.iter().collect();
    is_own || ["everything", " now", "all tests", "successfully"].iter().any(|word| sentence.contains(word))
}

/// "I cleaned up the tables", "…정리했습니다": the one who answers tells what it did.
fn tells_own_work(signals: &Signals<'_>) -> bool {
    let open = [Cue::Unfinished, Cue::Owes, Cue::Conditional, Cue::Routine, Cue::Breaks, Cue::Decides];
    if signals.cues.has_any(&open) {
        return false;
    }
    match signals.language {
        Language::English => {
            let words: String = signals.folded.signs.iter().collect();
            let words: Vec<&str> = words.split_whitespace().collect();
            let is_deed = |word: &str| {
                word.ends_with("ed")
                    && !matches!(word, "need" | "wanted" | "noticed" | "tried" | "used" | "assumed")
            };
            words.windows(2).any(|pair| matches!(pair[0], "i" | "i've") && is_deed(pair[1]))
        }
        Language::Korean => {
            let bare = signals.text.trim_end_matches(['.', '!', ' ']);
            bare.ends_with("했습니다")
                && ["을 ", "를 ", "도 ", "에 "].iter().any(|object| signals.text.contains(object))
        }
        Language::Chinese => false,
    }
}
