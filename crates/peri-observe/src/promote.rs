//! What should outlive its session: who somebody is, what they want and what always holds.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::cues::Cue;
use crate::finding::{FindingKind, Priority};
use crate::folding::Folded;
use crate::item::{Item, ItemState};
use crate::likeness::Likeness;
use crate::matcher::{self, Cues};

/// The longest promoted text, in characters.
pub const PROMOTED_CHARACTERS_MAX: usize = 160;

/// An item that might be promoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The session it comes from.
    pub session: String,
    /// The item.
    pub item: Item,
}

/// Something that is worth keeping beyond its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promoted {
    /// What it says, in at most [`PROMOTED_CHARACTERS_MAX`] characters.
    pub text: String,
    /// What kind of thing it is.
    pub kind: FindingKind,
    /// How much it matters.
    pub priority: Priority,
    /// The ids of the candidates that say it, the one whose words are used first.
    pub sources: Vec<String>,
    /// The durable item that says the same and is to be replaced by this one.
    pub merges: Option<String>,
}

/// Picks what is durable from the candidates of all sessions, the most important first.
///
/// Standing preferences, constraints and facts about people are durable; a correction is once it was made twice;
/// tasks, decisions, problems and single dates are not. What is too long to be kept whole and cannot be cut without
/// changing it is left out.
pub fn promote(candidates: &[Candidate], durable: &[Item]) -> Vec<Promoted> {
    let known: Vec<Likeness> = durable.iter().map(|item| Likeness::of(&item.text)).collect();
    let mut promoted: Vec<Promoted> = Vec::new();
    for group in groups(candidates) {
        let Some(one) = promotion(&group) else { continue };
        let words = Likeness::of(&one.text);
        let same = durable
            .iter()
            .zip(&known)
            .find(|(item, own)| item.state == ItemState::Open && words.is_like(own));
        let is_news = same.is_none_or(|(item, _)| one.priority > item.priority);
        if is_news {
            promoted.push(Promoted { merges: same.map(|(item, _)| item.id.clone()), ..one });
        }
    }
    promoted.sort_by_key(|one| Reverse(one.priority));
    promoted
}

/// Candidates that say the same, each group with the one that matters most and came last in front.
fn groups(candidates: &[Candidate]) -> Vec<Vec<&Candidate>> {
    let mut groups: Vec<(Likeness, Vec<&Candidate>)> = Vec::new();
    for candidate in candidates.iter().filter(|candidate| candidate.item.state == ItemState::Open) {
        let words = Likeness::of(&candidate.item.text);
        match groups.iter_mut().find(|(own, _)| own.is_like(&words)) {
            Some((_, group)) => group.push(candidate),
            None => groups.push((words, vec![candidate])),
        }
    }
    let mut groups: Vec<Vec<&Candidate>> = groups.into_iter().map(|(_, group)| group).collect();
    for group in &mut groups {
        group.sort_by(|one, other| {
            let (a, b) = (&one.item, &other.item);
            b.priority.cmp(&a.priority).then(b.made.cmp(&a.made))
        });
    }
    groups
}

/// What a group of candidates comes to, if it is durable.
fn promotion(group: &[&Candidate]) -> Option<Promoted> {
    let first = &group.first()?.item;
    let kind = group.iter().find_map(|candidate| candidate.item.kind)?;
    let cues = matcher::find(&Folded::new(&first.text).signs);
    if !is_durable(kind, first, &cues, group.len()) {
        return None;
    }
    let sources = group.iter().map(|candidate| candidate.item.id.clone()).collect();
    Some(Promoted { text: shortened(&first.text)?, kind, priority: first.priority, sources, merges: None })
}

fn is_durable(kind: FindingKind, item: &Item, cues: &Cues, times: usize) -> bool {
    let is_passing = cues.has(Cue::Once);
    match kind {
        FindingKind::Preference => !is_passing,
        FindingKind::Constraint => !is_passing && item.days.is_empty(),
        FindingKind::Correction => times >= 2,
        FindingKind::Person => true,
        FindingKind::StateChange => cues.has_any(&[Cue::Speaker, Cue::Kin]) || item.text.starts_with("User "),
        FindingKind::Date => cues.has(Cue::Yearly),
        FindingKind::Decision | FindingKind::OpenTask | FindingKind::CompletedTask | FindingKind::Problem => {
            false
        }
    }
}

/// A text in few enough characters: whole, or up to the end of a clause that the rest does not limit.
fn shortened(text: &str) -> Option<String> {
    if text.chars().count() <= PROMOTED_CHARACTERS_MAX {
        return Some(text.to_owned());
    }
    const LIMITS: &[&str] = &[
        "unless",
        "except",
        "but",
        "if",
        "when",
        "only",
        "until",
        "not",
        "other than",
        "단",
        "하지만",
        "다만",
        "아니",
        "除非",
        "但",
        "不过",
        "如果",
        "不是",
    ];
    let end = text.char_indices().nth(PROMOTED_CHARACTERS_MAX)?.0;
    let (at, mark) = text[..end]
        .char_indices()
        .rev()
        .find(|(_, sign)| matches!(sign, ',' | ';' | '，' | '；' | '.' | '。'))?;
    let rest = text[at + mark.len_utf8()..].trim_start().to_lowercase();
    let is_limited = LIMITS.iter().any(|word| rest.contains(word));
    let is_most = text[..at].chars().count() * 3 >= PROMOTED_CHARACTERS_MAX;
    (is_most && !is_limited).then(|| text[..at].trim_end().to_owned())
}
