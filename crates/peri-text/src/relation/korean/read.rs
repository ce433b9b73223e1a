//! Reads a Korean sentence into words with their roles, so that the order does not matter.

use super::endings::{self, Form, takes_particle};
use super::mood;
use super::times::with_times;
use super::words::{CLIPPED, FILLERS, NOW, OPENINGS, PARTICLES, PAST};
use crate::relation::Reason;
use crate::relation::token;

/// What a word's particle makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// No particle, or the one of possession.
    Plain,
    Subject,
    Object,
    At,
    From,
    Into,
    To,
    With,
    Than,
    Until,
    Since,
    Like,
    Each,
    Only,
    Also,
    /// The value of "is".
    Value,
    /// The verb.
    Verb,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) role: Role,
}

/// A sentence as the rules see it.
#[derive(Debug, Clone)]
pub(in crate::relation) struct Reading {
    /// The words without openings, fillers, negations and "now"; the predicate is the last one.
    pub(super) words: Vec<Word>,
    pub(super) negations: usize,
    pub(super) is_past: bool,
    /// It says that it holds now, as opposed to before.
    pub(super) is_now: bool,
    /// It says "no longer".
    pub(super) is_ended: bool,
    /// What keeps the sentence from replacing or being replaced.
    pub(super) blockers: Vec<Reason>,
}

impl Reading {
    pub(in crate::relation) fn of(sentence: &str) -> Self {
        let text = with_times(&token::with_dates(sentence));
        let mut tokens: Vec<String> = token::split(&text).into_iter().map(|raw| raw.text).collect();
        while tokens.len() > 2 && OPENINGS.contains(&tokens[0].as_str()) {
            tokens.remove(0);
        }
        let is_ended = take_no_longer(&mut tokens);
        let count = tokens.len();
        tokens.retain(|word| !NOW.contains(&word.as_str()));
        let is_now = tokens.len() < count;
        if tokens.len() > 2 {
            tokens.retain(|word| !FILLERS.contains(&word.as_str()));
        }
        let predicate = Predicate::take(&mut tokens);
        let mut words: Vec<Word> = tokens.iter().map(|token| word(token)).collect();
        let mut blockers = mood::blockers(sentence, &words);
        let is_past = predicate.is_past;
        words.push(predicate.word);
        if PAST.iter().any(|piece| sentence.contains(piece)) {
            blockers.push(Reason::Past);
        }
        Self { words, negations: predicate.negations, is_past, is_now, is_ended, blockers }
    }

    pub(super) fn predicate(&self) -> &Word {
        self.words.last().expect("a reading ends with its predicate")
    }

    /// The words up to the first that is marked as the subject; a bare "I" or "we" is one, too.
    pub(super) fn subject(&self) -> &[Word] {
        let marked = self.words.iter().position(|word| word.role == Role::Subject);
        let bare = self.words.first().is_some_and(|word| matches!(word.text.as_str(), "나" | "우리"));
        match marked {
            Some(at) => &self.words[..=at],
            None if bare => &self.words[..1],
            None => &[],
        }
    }
}

/// The end of a sentence, which may span several words.
struct Predicate {
    word: Word,
    negations: usize,
    is_past: bool,
}

impl Predicate {
    fn take(tokens: &mut Vec<String>) -> Self {
        let last = tokens.pop().unwrap_or_default();
        let read = endings::predicate(&last);
        let (mut stem, mut is_past, mut negations) = (read.stem, read.is_past, 0);
        let mut is_value = read.form == Form::Copula;
        // 먹지 않는다, 있지 않았다
        if (stem == "않" || stem == "않았" || stem == "못하" || stem == "못했")
            && let Some(verb) = tokens.last().and_then(|token| token.strip_suffix('지')).map(str::to_owned)
        {
            tokens.pop();
            is_past = stem.ends_with('았') || stem.ends_with('했');
            negations += 1;
            stem = verb;
        }
        // 배우고 있다
        if stem == "있"
            && let Some(verb) =
                tokens.last().and_then(|token| token.strip_suffix('고')).filter(|verb| !verb.is_empty())
        {
            stem = verb.to_owned();
            tokens.pop();
        }
        match stem.as_str() {
            "없" => {
                negations += 1;
                stem = "있".to_owned();
            }
            "아니" => {
                negations += 1;
                stem = tokens.pop().map(|token| word(&token).text).unwrap_or_default();
                is_value = true;
            }
            _ => {}
        }
        // 안 먹는다, 못 한다
        if let Some("안" | "못") = tokens.last().map(String::as_str) {
            let is_unable = tokens.pop().is_some_and(|token| token == "못");
            negations += 1;
            if is_unable {
                stem = format!("{}ㄹ수있", stem);
            }
        }
        able(tokens, &mut stem);
        if let Some((_, whole)) = CLIPPED.iter().find(|(clipped, _)| *clipped == stem) {
            stem = (*whole).to_owned();
        }
        let role = if is_value { Role::Value } else { Role::Verb };
        Self { word: Word { text: stem, role }, negations, is_past }
    }
}

/// 할 수 있다: the ability is a part of the verb.
fn able(tokens: &mut Vec<String>, stem: &mut String) {
    let is_able = stem == "있" && tokens.last().is_some_and(|token| token == "수") && tokens.len() > 1;
    if is_able {
        tokens.pop();
        let verb = tokens.pop().unwrap_or_default();
        let last = verb.chars().next_back();
        let open = last
            .filter(|last| endings::tail(*last) == Some(8))
            .and_then(|last| char::from_u32(last as u32 - 8));
        let base: String = match (last, open) {
            (Some(last), Some(open)) => format!("{}{open}", &verb[..verb.len() - last.len_utf8()]),
            _ => verb,
        };
        *stem = format!("{base}ㄹ수있");
    }
}

/// A word with its particle taken off.
pub(super) fn word(token: &str) -> Word {
    for (particle, role) in PARTICLES {
        let Some(base) = token.strip_suffix(particle) else { continue };
        let Some(before) = base.chars().next_back() else { continue };
        let is_hangul = endings::tail(before).is_some();
        let is_sure = matches!(*particle, "은" | "는" | "을" | "를") || particle.chars().count() > 1;
        if takes_particle(before, particle) && (is_sure || !is_hangul || base.chars().count() >= 2) {
            return Word { text: plain(base), role: *role };
        }
    }
    Word { text: plain(token), role: Role::Plain }
}

/// One word for the speaker, and names without the 이 that makes them easier to say.
fn plain(base: &str) -> String {
    match base {
        "저" | "내" | "제" => return "나".to_owned(),
        "저희" => return "우리".to_owned(),
        _ => {}
    }
    let name = base.strip_suffix('이').filter(|name| name.chars().count() >= 2);
    match name {
        Some(name) if name.chars().next_back().and_then(endings::tail).is_some_and(|tail| tail > 0) => {
            name.to_owned()
        }
        _ => base.to_owned(),
    }
}

/// Takes 더 이상 and its kin out and says whether it was there.
fn take_no_longer(tokens: &mut Vec<String>) -> bool {
    let found = tokens.iter().enumerate().find_map(|(at, token)| match token.as_str() {
        "더이상" | "더이상은" | "더는" => Some((at, 1)),
        "더" if tokens.get(at + 1).is_some_and(|next| matches!(next.as_str(), "이상" | "이상은")) => {
            Some((at, 2))
        }
        _ => None,
    });
    if let Some((at, count)) = found {
        tokens.drain(at..at + count);
    }
    found.is_some()
}
