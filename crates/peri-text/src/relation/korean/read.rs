//! Reads a Korean sentence into words with their roles, so that the order does not matter.

use super::endings::{self, Form, takes_particle};
use super::words::{
    ADDITIVE, ASKING, CLIPPED, FILLERS, NOW, OPENINGS, PARTICLES, PAST, POINTERS, TEMPORARY, UNREAL,
};
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
pub(super) struct Reading {
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
    pub(super) fn of(sentence: &str) -> Self {
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
        let mut blockers = blockers(sentence, &words);
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

fn blockers(sentence: &str, words: &[Word]) -> Vec<Reason> {
    let mut found = Vec::new();
    let bare = sentence.trim_end_matches(['.', '!', '~', ' ']);
    if bare.ends_with('?') || ASKING.iter().any(|end| bare.ends_with(end)) {
        found.push(Reason::Question);
    }
    if UNREAL.iter().any(|piece| sentence.contains(piece)) || has_future(sentence) {
        found.push(Reason::Unreal);
    }
    if TEMPORARY.iter().any(|piece| sentence.contains(piece)) {
        found.push(Reason::Temporary);
    }
    if words.iter().any(|word| word.role == Role::Also || ADDITIVE.contains(&word.text.as_str())) {
        found.push(Reason::Additive);
    }
    if words.first().is_some_and(|word| POINTERS.contains(&word.text.as_str())) {
        found.push(Reason::UnclearSubject);
    }
    found
}

/// 할 것, 갈 거: a syllable that ends in ㄹ before 것 or 거.
fn has_future(sentence: &str) -> bool {
    [" 것", " 거"].iter().any(|noun| {
        sentence
            .match_indices(noun)
            .any(|(at, _)| sentence[..at].chars().next_back().and_then(endings::tail) == Some(8))
    })
}

/// 오후 3시 30분 as one token, with whatever particle follows.
fn with_times(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let end = start + digits;
        let inside = rest[..start].ends_with(|c: char| c.is_ascii_alphanumeric() || "./:-_".contains(c));
        let hour: Option<u32> = rest[start..end].parse().ok().filter(|_| !inside);
        let after =
            rest[end..].strip_prefix('시').filter(|after| !after.starts_with(['간', '즌', '리', '험']));
        if let (Some(hour), Some(after)) = (hour, after) {
            let (minute, after) = minutes(after);
            let (before, half) = half_day(&rest[..start]);
            let hour = if half && hour < 12 { hour + 12 } else { hour };
            if let Some(time) = token::time(hour, minute) {
                out.push_str(before);
                out.push_str(&time);
                rest = after;
                continue;
            }
        }
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn minutes(after: &str) -> (u32, &str) {
    let trimmed = after.trim_start_matches(' ');
    if let Some(rest) = trimmed.strip_prefix('반') {
        return (30, rest);
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    match (trimmed[..digits].parse(), trimmed[digits..].strip_prefix('분')) {
        (Ok(minute), Some(rest)) => (minute, rest),
        _ => (0, after),
    }
}

/// The text before a time without the half of the day, and whether that was the second half.
fn half_day(before: &str) -> (&str, bool) {
    let trimmed = before.trim_end_matches(' ');
    for (word, is_late) in
        [("오후", true), ("저녁", true), ("밤", true), ("오전", false), ("새벽", false), ("아침", false)]
    {
        if let Some(rest) = trimmed.strip_suffix(word) {
            return (rest, is_late);
        }
    }
    (before, false)
}
