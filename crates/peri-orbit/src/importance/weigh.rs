//! What the evidence of a sentence, and of several sentences, comes to.

use std::ops::Range;

use super::finder::{self, Found, is_han, is_jamo, is_joined};
use super::folding::Sentence;
use super::phrases::Meaning;
use super::shapes;
use super::{Evaluation, Group, ORDINARY, Reason};

/// How far full evidence of each group lifts an ordinary statement towards 1.
const LIFTS: [(Group, f32); 4] =
    [(Group::Factual, 0.6), (Group::Emotional, 0.5), (Group::Actionable, 0.6), (Group::Explicit, 0.7)];
/// What a sentence without any words of its own is worth.
const EMPTY: f32 = 0.05;
/// What a sentence of light words only is worth; three words that mean something make it ordinary.
const THIN: f32 = 0.2;
/// How much the sentence that matters most counts beside the mean of all.
const MOST_SHARE: f32 = 0.7;
/// Up to so many words that mean something, a statement is short.
const VOLUME_FREE: f32 = 8.0;
/// So many more make up for most of what volume can do.
const VOLUME_SCALE: f32 = 15.0;
/// How far volume lifts a statement towards 1.
const VOLUME_LIFT: f32 = 0.15;
/// Chinese sentences end with these in chat.
const CASUAL_PARTICLES: &str = "吧呗哟啦呢嘛哦呀哈咯噢喔";
/// A deadline is named within this many signs of its "by" or "before".
const DEADLINE_REACH: usize = 18;

/// What one sentence comes to.
pub(super) struct Judged {
    importance: f32,
    /// How many words mean something; none in small talk, in questions and in what is said not to matter.
    content: f32,
    /// How much it counts beside other sentences.
    weight: f32,
    groups: [f32; 4],
    reasons: Vec<Reason>,
}

/// How strongly each reason was found; the strongest mention counts.
#[derive(Default)]
struct Evidence([f32; Reason::ALL.len()]);

impl Evidence {
    fn note(&mut self, reason: Reason, strength: f32) {
        let own = &mut self.0[reason as usize];
        *own = own.max(strength);
    }

    fn drop(&mut self, reasons: &[Reason]) {
        reasons.iter().for_each(|reason| self.0[*reason as usize] = 0.0);
    }

    fn of(&self, reason: Reason) -> f32 {
        self.0[reason as usize]
    }

    /// Each further piece of evidence closes a part of the gap that is left.
    fn group(&self, group: Group) -> f32 {
        let left: f32 = Reason::ALL
            .iter()
            .filter(|reason| reason.group() == Some(group))
            .map(|reason| 1.0 - self.of(*reason))
            .product();
        1.0 - left
    }
}

/// How many words are said without saying anything, and how many mean something.
#[derive(Default)]
struct Words {
    content: f32,
    chatter: f32,
    light: f32,
    /// Whether it names who speaks.
    speaks: bool,
    /// Whether it names who is spoken to.
    addresses: bool,
    /// Whether it is a cry, or ends in a casual particle.
    is_casual: bool,
}

/// Judges one sentence.
pub(super) fn sentence(sentence: &Sentence<'_>) -> Judged {
    let found = finder::find(sentence.signs);
    let mut evidence = Evidence::default();
    for one in &found {
        match one.meaning {
            Meaning::Cue(Reason::Important) if is_negated(sentence.signs, &one.span) => {
                evidence.note(Reason::Negated, 0.9);
            }
            Meaning::Cue(reason) => evidence.note(reason, one.strength),
            Meaning::Chatter(reason) => evidence.note(reason, 1.0),
            Meaning::Light
            | Meaning::Speaker
            | Meaning::Listener
            | Meaning::Neutral
            | Meaning::Moment
            | Meaning::BeforeMoment
            | Meaning::AfterMoment => {}
        }
    }
    note_shapes(sentence, &found, &mut evidence);
    let mut words = count_words(sentence.signs, &found, &mut evidence);
    let last = sentence.signs.last();
    words.is_casual = sentence.cries || last.is_some_and(|sign| CASUAL_PARTICLES.contains(*sign));
    if sentence.asks {
        evidence.note(Reason::Question, 1.0);
    }
    conclude(&words, evidence)
}

/// Notes dates, names and numbers, and the deadlines and appointments that they make of other words.
fn note_shapes(sentence: &Sentence<'_>, found: &[Found], evidence: &mut Evidence) {
    let mut moments: Vec<Range<usize>> = Vec::new();
    for shape in shapes::find(sentence) {
        evidence.note(shape.reason, shape.strength);
        if shape.reason == Reason::Date {
            moments.push(shape.span);
        }
    }
    for one in found.iter().filter(|one| one.meaning == Meaning::Moment) {
        evidence.note(Reason::Date, one.strength);
        moments.push(one.span.clone());
    }
    moments.sort_unstable_by_key(|span| span.start);
    let has_moment = |within: Range<usize>| {
        let next = moments.partition_point(|span| span.start < within.start);
        moments.get(next).is_some_and(|span| span.start < within.end)
    };
    for one in found {
        let (start, end) = (one.span.start, one.span.end);
        let makes_deadline = match one.meaning {
            Meaning::BeforeMoment => has_moment(end..end + DEADLINE_REACH),
            // The unit of a date, and a particle, stand between the number and the word.
            Meaning::AfterMoment => has_moment(start.saturating_sub(6)..start),
            Meaning::Cue(_)
            | Meaning::Chatter(_)
            | Meaning::Light
            | Meaning::Speaker
            | Meaning::Listener
            | Meaning::Neutral
            | Meaning::Moment => false,
        };
        if makes_deadline {
            evidence.note(Reason::Deadline, 0.7);
        }
    }
    let appointment = evidence.of(Reason::Appointment);
    if appointment > 0.0 && evidence.of(Reason::Date) >= 0.3 {
        evidence.note(Reason::Appointment, (appointment + 0.25).min(0.8));
    }
}

/// Whether a statement of importance is denied by the words around it.
fn is_negated(signs: &[char], span: &Range<usize>) -> bool {
    const BEFORE: &[&str] =
        &["not", "isn't", "wasn't", "aren't", "no", "hardly", "neither", "nor", "never", "nothing"];
    let first = signs[span.start];
    let before = &signs[span.start.saturating_sub(28)..span.start];
    if first.is_ascii() {
        let clause: String =
            before.iter().rev().take_while(|sign| !matches!(sign, ',' | ';' | ':')).collect();
        let words = clause.split_whitespace().take(4).map(|word| word.chars().rev().collect::<String>());
        words.into_iter().any(|word| BEFORE.contains(&word.as_str()))
    } else if is_han(first) {
        let mut near = before.iter().rev().take(4).take_while(|sign| is_han(**sign));
        signs[span.start..span.end].contains(&'重') && near.any(|sign| matches!(sign, '不' | '没'))
    } else {
        let is_near = |sign: &&char| **sign == ' ' || sign.is_alphanumeric();
        let behind: String = signs[span.end..].iter().take(6).take_while(is_near).collect();
        matches!(first, '중' | '급') && ["않", "아니", "없"].iter().any(|word| behind.contains(word))
    }
}

/// Sorts the words of a sentence. A Chinese character counts for half a word.
fn count_words(signs: &[char], found: &[Found], evidence: &mut Evidence) -> Words {
    let mut words = Words::default();
    let mut marks = vec![Mark::Content; signs.len()];
    for one in found {
        let mark = match one.meaning {
            Meaning::Chatter(_) => Mark::Chatter,
            Meaning::Light | Meaning::Speaker | Meaning::Listener => Mark::Light,
            Meaning::Cue(_)
            | Meaning::Neutral
            | Meaning::Moment
            | Meaning::BeforeMoment
            | Meaning::AfterMoment => continue,
        };
        words.speaks |= one.meaning == Meaning::Speaker;
        words.addresses |= one.meaning == Meaning::Listener;
        for own in &mut marks[one.span.clone()] {
            *own = if *own == Mark::Chatter { Mark::Chatter } else { mark };
        }
    }
    for at in 0..signs.len() {
        let sign = signs[at];
        if !sign.is_alphanumeric() || at > 0 && is_joined(signs[at - 1], sign) {
            continue;
        }
        let weight = if is_han(sign) { 0.5 } else { 1.0 };
        let mark = if is_jamo(sign) {
            let laughs = matches!(sign, 'ㅋ' | 'ㅎ');
            evidence.note(if laughs { Reason::Laughter } else { Reason::Acknowledgement }, 1.0);
            Mark::Chatter
        } else {
            marks[at]
        };
        match mark {
            Mark::Content => words.content += weight,
            Mark::Chatter => words.chatter += weight,
            Mark::Light => words.light += weight,
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Content,
    Chatter,
    Light,
}

fn conclude(words: &Words, mut evidence: Evidence) -> Judged {
    let groups = LIFTS.map(|(group, _)| evidence.group(group));
    let strongest = groups.iter().copied().fold(0.0, f32::max);
    let says_nothing = words.content + words.chatter + words.light == 0.0;
    let is_chatter = words.chatter > 0.0 && words.content <= 0.5 * words.chatter && strongest < 0.5;
    if says_nothing || words.content < 1.0 && !is_chatter {
        evidence.note(Reason::Thin, 1.0);
    }
    if !is_chatter {
        // Between words that mean something, thanks and greetings decide nothing.
        evidence.drop(&[Reason::Acknowledgement, Reason::Greeting, Reason::SmallTalk]);
    }
    let importance = if says_nothing {
        EMPTY
    } else if is_chatter {
        chatter_worth(&evidence)
    } else {
        lifted(words, &evidence, &groups)
    };
    let reasons = Reason::ALL.into_iter().filter(|reason| evidence.of(*reason) > 0.0).collect();
    let against = [Reason::Question, Reason::Negated, Reason::Laughter];
    let states = !is_chatter && against.iter().all(|reason| evidence.of(*reason) == 0.0);
    let content = if states { words.content } else { 0.0 };
    Judged { importance, content, weight: words.content.max(0.5), groups, reasons }
}

fn chatter_worth(evidence: &Evidence) -> f32 {
    let worths = [
        (Reason::Laughter, 0.05),
        (Reason::Acknowledgement, 0.1),
        (Reason::Greeting, 0.12),
        (Reason::Negated, 0.15),
        (Reason::SmallTalk, 0.15),
    ];
    let found = worths.iter().find(|(reason, _)| evidence.of(*reason) > 0.0);
    found.map_or(THIN, |(_, worth)| *worth)
}

/// An ordinary statement, made less of by what speaks against it and lifted by what speaks for it.
fn lifted(words: &Words, evidence: &Evidence, groups: &[f32; 4]) -> f32 {
    let is_evident = groups.iter().any(|score| *score >= 0.5);
    let fullness = if is_evident { 1.0 } else { (words.content / 3.0).min(1.0) };
    let mut base = THIN + (ORDINARY - THIN) * fullness;
    let mut trust = 1.0;
    if evidence.of(Reason::Laughter) > 0.0 {
        base -= 0.2;
        trust *= 0.5;
    }
    // "Not urgent, but remember it" is a request all the same.
    if evidence.of(Reason::Negated) > 0.0 && evidence.of(Reason::Remember) < 0.8 {
        base *= 0.4;
        trust *= 0.3;
    }
    // Praise and comfort tell nothing about anybody.
    if words.addresses && !words.speaks && groups[2].max(groups[3]) < 0.5 {
        base -= 0.1;
    }
    // A short cry, and a Chinese sentence that ends in a casual particle, is mostly said for company.
    if words.is_casual && words.content < 4.0 && !is_evident {
        base -= 0.1;
    }
    if evidence.of(Reason::Question) > 0.0 {
        base -= 0.1;
        trust *= 0.5;
    }
    let left: f32 = LIFTS.iter().zip(groups).map(|((_, lift), score)| 1.0 - lift * score * trust).product();
    let base = base.max(EMPTY);
    (base + (1.0 - base) * (1.0 - left)).clamp(0.0, 1.0)
}

/// What several sentences come to: mostly the one that matters most, a little all of them.
pub(super) fn together(judged: &[Judged]) -> Evaluation {
    let mut reasons: Vec<Reason> = Reason::ALL.to_vec();
    let is_given = |reason: &Reason| judged.iter().any(|one| one.reasons.contains(reason));
    reasons.retain(|reason| is_given(reason) || judged.is_empty() && *reason == Reason::Thin);
    let group = |place: usize| judged.iter().map(|one| one.groups[place]).fold(0.0, f32::max);
    let importance = if judged.is_empty() { EMPTY } else { lifted_by_volume(judged) };
    Evaluation {
        importance: importance.clamp(0.0, 1.0),
        factual: group(0),
        emotional: group(1),
        actionable: group(2),
        explicit: group(3),
        reasons,
    }
}

/// Mostly the sentence that matters most, a little all of them, and a little the amount that is said: who
/// says more says more that may be asked for later. Short statements stay as they are.
fn lifted_by_volume(judged: &[Judged]) -> f32 {
    let most = judged.iter().map(|one| one.importance).fold(0.0, f32::max);
    // A greeting beside a statement weighs next to nothing.
    let weight: f64 = judged.iter().map(|one| f64::from(one.weight)).sum();
    let mean = judged.iter().map(|one| f64::from(one.weight * one.importance)).sum::<f64>() / weight;
    let content: f32 = judged.iter().map(|one| one.content).sum();
    let volume = 1.0 - (-(content - VOLUME_FREE).max(0.0) / VOLUME_SCALE).exp();
    let importance = MOST_SHARE * most + (1.0 - MOST_SHARE) * mean as f32;
    importance + (1.0 - importance) * VOLUME_LIFT * volume
}
