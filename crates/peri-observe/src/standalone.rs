//! A sentence as it can stand alone: who speaks, what a pronoun stands for and which day is meant.

use crate::cues::Cue;
use crate::days::NamedDays;
use crate::judge::Signals;
use crate::language::Language;
use crate::message::Role;

/// The sentence that stands before, if it is known.
pub(crate) struct Context<'a> {
    /// The sentence right before in the same paragraph.
    pub(crate) before: Option<&'a str>,
}

/// Writes a sentence so that it can be read without what surrounded it. `text` is the sentence, perhaps redacted,
/// and `named` holds its days.
pub(crate) fn standalone(
    signals: &Signals<'_>,
    text: &str,
    named: &[NamedDays],
    context: &Context<'_>,
) -> String {
    let dated = with_days(signals, text, named);
    let resolved = with_antecedent(signals, dated, context);
    with_speaker(signals, resolved)
}

/// What a sentence says, told of its speaker and without the days it names: a change that was dated is a change.
pub(crate) fn retold_without_days(signals: &Signals<'_>) -> String {
    let mut out = String::with_capacity(signals.text.len());
    let mut copied = 0;
    for one in &signals.named {
        if one.range.start >= copied {
            out.push_str(signals.text[copied..one.range.start].trim_end());
            copied = one.range.end;
        }
    }
    out.push_str(&signals.text[copied..]);
    with_speaker(signals, out)
}

/// Adds the day behind words that do not say which one is meant.
fn with_days(signals: &Signals<'_>, text: &str, named: &[NamedDays]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    // What comes back every year has no one day.
    let named = if signals.cues.has(Cue::Yearly) { &[] } else { named };
    for one in named.iter().filter(|one| one.is_relative) {
        if one.range.start < copied {
            continue;
        }
        out.push_str(&text[copied..one.range.end]);
        copied = one.range.end;
        if signals.language == Language::English {
            out.push(' ');
        }
        let (first, last) = (one.days.first, one.days.last);
        out.push_str(&match (last - first).get_days() {
            0 => format!("({first})"),
            days if days > 300 => format!("({})", first.year()),
            days if days > 26 && first.day() == 1 => format!("({})", first.strftime("%Y-%m")),
            _ => format!("({first} to {last})"),
        });
    }
    out.push_str(&text[copied..]);
    out
}

/// Names what a leading pronoun stands for, if the sentence before leaves no doubt.
fn with_antecedent(signals: &Signals<'_>, text: String, context: &Context<'_>) -> String {
    if signals.language != Language::English || !signals.cues.has(Cue::Pronoun) {
        return text;
    }
    let Some(before) = context.before else { return text };
    let (pronoun, rest) = text.split_once(' ').unwrap_or((&text, ""));
    let antecedent = match pronoun.to_lowercase().as_str() {
        "he" | "she" => only_name(before),
        "it" => only_thing(before),
        _ => None,
    };
    match antecedent {
        Some(antecedent) => format!("{pronoun} ({antecedent}) {rest}"),
        None => text,
    }
}

/// The one name of a sentence, if it holds exactly one.
fn only_name(sentence: &str) -> Option<String> {
    let words: Vec<&str> = sentence
        .split_whitespace()
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()))
        .collect();
    let is_name = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.all(|letter| letter.is_lowercase() || letter == '-')
            && word.len() > 1
    };
    const PLAIN: &[&str] = &[
        "The", "My", "Our", "We", "It", "This", "That", "He", "She", "They", "In", "On", "At", "And", "But",
        "So", "If", "Yes", "No", "Please", "Actually", "Also",
    ];
    let mut names: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !is_name(words[at]) || PLAIN.contains(&words[at]) {
            at += 1;
            continue;
        }
        let length = words[at..].iter().take_while(|word| is_name(word)).count();
        names.push(words[at..at + length].join(" "));
        at += length;
    }
    names.dedup();
    match &names[..] {
        [name] => Some(name.clone()),
        _ => None,
    }
}

/// The subject of a sentence that speaks of one thing only: "The checkout API is slow."
fn only_thing(sentence: &str) -> Option<String> {
    const VERBS: &[&str] = &[
        "is", "was", "has", "runs", "uses", "must", "needs", "should", "will", "takes", "works", "crashes",
        "fails", "keeps",
    ];
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let opens = matches!(words.first()?.to_lowercase().as_str(), "the" | "our" | "my");
    let verb = words.iter().position(|word| VERBS.contains(word))?;
    let marks = ["the", "a", "an", "our", "my", "his", "her", "their", "and", "every"];
    let others = words[verb..]
        .iter()
        .any(|word| marks.contains(word) || word.chars().next().is_some_and(char::is_uppercase));
    let is_certain =
        opens && (2..=4).contains(&verb) && !others && words[..verb].iter().all(|word| !word.contains(','));
    is_certain.then(|| format!("{} {}", words[0].to_lowercase(), words[1..verb].join(" ")))
}

/// "I" is somebody: the user's own words are told of the user, or marked as theirs.
fn with_speaker(signals: &Signals<'_>, text: String) -> String {
    if !signals.cues.has(Cue::Speaker) {
        return text;
    }
    match (signals.role, signals.language) {
        (Role::User, Language::English) => retold(&text).unwrap_or_else(|| format!("User: {text}")),
        (Role::User, Language::Korean) => format!("사용자: {text}"),
        (Role::User, Language::Chinese) => format!("用户：{text}"),
        (Role::Assistant | Role::Tool, Language::English) => format!("Assistant: {text}"),
        (Role::Assistant | Role::Tool, Language::Korean) => format!("어시스턴트: {text}"),
        (Role::Assistant | Role::Tool, Language::Chinese) => format!("助手：{text}"),
    }
}

/// Beginnings in the first person, with the same in the third.
const RETOLD: &[(&str, &str)] = &[
    ("i'd prefer ", "User would prefer "),
    ("i'd rather ", "User would rather "),
    ("i prefer ", "User prefers "),
    ("i really like ", "User really likes "),
    ("i like ", "User likes "),
    ("i love ", "User loves "),
    ("i hate ", "User hates "),
    ("i dislike ", "User dislikes "),
    ("i enjoy ", "User enjoys "),
    ("i don't like ", "User does not like "),
    ("i can't stand ", "User can't stand "),
    ("i live ", "User lives "),
    ("i work ", "User works "),
    ("i speak ", "User speaks "),
    ("i moved ", "User moved "),
    ("i finished ", "User finished "),
    ("i still need ", "User still needs "),
    ("i still have ", "User still has "),
    ("i need ", "User needs "),
    ("i have ", "User has "),
    ("i decided ", "User decided "),
    ("i've ", "User has "),
    ("i am ", "User is "),
    ("i'm ", "User is "),
    ("my ", "User's "),
];

/// A plain sentence in the third person; nothing if another "I" or a second verb would not fit.
fn retold(text: &str) -> Option<String> {
    let plain = text.replace('’', "'");
    let folded = plain.to_ascii_lowercase();
    let (opening, told) = RETOLD.iter().find(|(opening, _)| folded.starts_with(opening))?;
    let rest = &folded[opening.len()..];
    let own = ["i", "i'm", "i've", "i'll", "i'd", "my", "me", "myself", "mine", "and"];
    let fits =
        rest.split(|sign: char| !(sign.is_alphanumeric() || sign == '\'')).all(|word| !own.contains(&word));
    fits.then(|| format!("{told}{}", &plain[opening.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_certain_antecedent_is_named() {
        assert_eq!(only_thing("The checkout API is slow.").as_deref(), Some("the checkout API"));
        assert_eq!(only_thing("The checkout API uses the cache."), None);
        assert_eq!(only_thing("Caches are slow."), None);
        assert_eq!(only_name("My manager is Dana Whitfield.").as_deref(), Some("Dana Whitfield"));
        assert_eq!(only_name("Dana met Tom."), None);
    }

    #[test]
    fn the_user_is_told_of_in_the_third_person_where_that_is_easy() {
        assert_eq!(retold("I prefer tabs.").as_deref(), Some("User prefers tabs."));
        assert_eq!(
            retold("My favourite editor is Helix.").as_deref(),
            Some("User's favourite editor is Helix.")
        );
        assert_eq!(retold("I prefer my own tabs."), None);
        assert_eq!(retold("Tabs, I guess."), None);
    }
}
