//! Reads an English sentence into words that can be compared.

use super::sieve::Sieve;
use super::words::{CLOSINGS, FILLERS, MARKED_OPENINGS, OPENINGS, PHRASES, SYNONYMS};
use super::{amounts, mood};
use crate::analysis::may_have_ending;
use crate::relation::Reason;
use crate::relation::token::{self, Raw};
use crate::stem::stemmed;

static MAY_BE_SYNONYM: Sieve = Sieve::of_pairs(SYNONYMS);
static MAY_BEGIN_PHRASE: Sieve = Sieve::of_phrases(PHRASES);

/// The article before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Article {
    None,
    Definite,
    Indefinite,
}

/// A word in its one spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) stem: String,
    pub(super) article: Article,
    /// A comma stands before it.
    pub(super) comma: bool,
}

/// A sentence as the rules see it.
#[derive(Debug, Clone)]
pub(in crate::relation) struct Reading {
    /// The words without articles, fillers, openings, and "now".
    pub(super) words: Vec<Word>,
    /// It says that it holds now, as opposed to before.
    pub(super) is_now: bool,
    /// It tells of the past.
    pub(super) is_past: bool,
    /// What keeps the sentence from replacing or being replaced.
    pub(super) blockers: Vec<Reason>,
}

impl Reading {
    pub(in crate::relation) fn of(sentence: &str) -> Self {
        let is_question = sentence.ends_with('?');
        let raw = token::split(&token::with_dates(sentence));
        let mut words = words(raw);
        let blockers = mood::blockers(&words, is_question);
        for word in words.iter_mut().filter(|word| MAY_BE_SYNONYM.lets_through(&word.text)) {
            if let Some((_, kept)) = SYNONYMS.iter().find(|(other, _)| *other == word.text) {
                word.text = (*kept).to_owned();
            }
        }
        strip_ends(&mut words);
        prefer_to(&mut words);
        let words = of_for_possessive(words);
        let mut words = without_articles(words);
        let is_now = take_now(&mut words);
        name_for_called(&mut words);
        without_on(&mut words);
        without_fillers(&mut words);
        for word in &mut words {
            word.stem = stem(&word.text);
        }
        let is_past = mood::is_past(&words);
        Self { words, is_now, is_past, blockers }
    }

    pub(super) fn stems(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.stem.as_str()).collect()
    }
}

/// One stem for every form of "to be", the Snowball stem for the rest.
fn stem(text: &str) -> String {
    match text {
        "is" | "are" | "am" | "be" => "be".to_owned(),
        "was" | "were" | "been" => "was".to_owned(),
        "has" | "have" => "have".to_owned(),
        _ if may_have_ending(text)
            && text.len() > 2
            && text.len() <= 64
            && text.bytes().all(|byte| byte.is_ascii_lowercase()) =>
        {
            stemmed(text, str::to_owned)
        }
        _ => text.to_owned(),
    }
}

pub(super) fn word(text: &str, comma: bool) -> Word {
    Word { text: text.to_owned(), stem: String::new(), article: Article::None, comma }
}

/// Contractions and phrases written out, times and numbers in one spelling.
fn words(raw: Vec<Raw>) -> Vec<Word> {
    let mut words = Vec::with_capacity(raw.len() + 4);
    let has_verb =
        raw.iter().any(|raw| matches!(raw.text.as_str(), "is" | "are" | "was" | "were" | "has" | "have"));
    for (at, raw) in raw.iter().enumerate() {
        // "Rate limit: 100" says what "the rate limit is 100" says.
        if raw.colon && at > 0 && !has_verb && is_label(&words) {
            words.push(word("is", false));
        }
        push_expanded(&mut words, &raw.text, raw.comma || raw.colon);
    }
    rewrite_phrases(&mut words);
    amounts::rewrite(&mut words);
    words
}

/// Whether the words so far are a short label and not an opening.
fn is_label(words: &[Word]) -> bool {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let is_opening = OPENINGS.contains(&&texts[..])
        || MARKED_OPENINGS.contains(&texts.last().copied().unwrap_or_default());
    (1..=4).contains(&texts.len()) && !is_opening
}

fn push_expanded(words: &mut Vec<Word>, text: &str, comma: bool) {
    let whole: &[&str] = match text {
        "cannot" | "can't" | "cant" => &["can", "not"],
        "won't" | "wont" => &["will", "not"],
        "shan't" => &["shall", "not"],
        "dont" => &["do", "not"],
        "doesnt" => &["does", "not"],
        "isnt" => &["is", "not"],
        "im" => &["i", "am"],
        "ive" => &["i", "have"],
        "it's" | "its'" => &["it", "is"],
        "that's" => &["that", "is"],
        "there's" => &["there", "is"],
        "he's" => &["he", "is"],
        "she's" => &["she", "is"],
        "what's" => &["what", "is"],
        "who's" => &["who", "is"],
        "let's" => &["let's"],
        _ => &[],
    };
    let mut push = |text: &str| {
        let comma = comma && words.last().is_some();
        words.push(word(text, comma));
    };
    if !whole.is_empty() {
        return whole.iter().for_each(|part| push(part));
    }
    let ends = [
        ("n't", "not"),
        ("'re", "are"),
        ("'ve", "have"),
        ("'ll", "will"),
        ("'d", "would"),
        ("'m", "am"),
        ("'s", "'s"),
    ];
    for (ending, full) in ends {
        if let Some(base) = text.strip_suffix(ending).filter(|base| !base.is_empty()) {
            push(base);
            push(full);
            return;
        }
    }
    let is_worded = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    if text.contains('-') && text.split('-').all(is_worded) {
        return text.split('-').for_each(push);
    }
    push(text);
}

fn rewrite_phrases(words: &mut Vec<Word>) {
    let mut at = 0;
    while at < words.len() {
        if !MAY_BEGIN_PHRASE.lets_through(&words[at].text) {
            at += 1;
            continue;
        }
        let starts = |phrase: &[&str]| {
            words[at..].len() >= phrase.len()
                && words[at..].iter().zip(phrase).all(|(word, own)| word.text == *own)
        };
        if let Some((phrase, kept)) = PHRASES.iter().find(|(phrase, _)| starts(phrase)) {
            let comma = words[at].comma;
            words.splice(at..at + phrase.len(), kept.iter().map(|text| word(text, comma)));
        }
        at += 1;
    }
}

/// Takes away what only introduces or closes; something must be left.
fn strip_ends(words: &mut Vec<Word>) {
    let is = |words: &[Word], phrase: &[&str]| {
        words.iter().map(|word| word.text.as_str()).eq(phrase.iter().copied())
    };
    while let Some(phrase) =
        OPENINGS.iter().find(|phrase| words.len() > phrase.len() + 1 && is(&words[..phrase.len()], phrase))
    {
        words.drain(..phrase.len());
    }
    if words.len() > 2 && words[1].comma && MARKED_OPENINGS.contains(&words[0].text.as_str()) {
        words.remove(0);
    }
    while let Some(phrase) = CLOSINGS
        .iter()
        .find(|phrase| words.len() > phrase.len() + 1 && is(&words[words.len() - phrase.len()..], phrase))
    {
        words.truncate(words.len() - phrase.len());
    }
    if let Some(first) = words.first_mut() {
        first.comma = false;
    }
}

/// One prefers tea "to" coffee or "over" coffee.
fn prefer_to(words: &mut [Word]) {
    let mut prefers = false;
    for word in words {
        prefers |= matches!(word.text.as_str(), "prefer" | "prefers");
        if prefers && word.text == "over" {
            word.text = "to".to_owned();
        }
    }
}

/// Writes "Ben's email is" as "email of Ben is".
fn of_for_possessive(mut words: Vec<Word>) -> Vec<Word> {
    const BORDERS: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "had", "must", "can", "will", "in", "on", "at", "to",
        "for", "with", "and", "or", "not", "'s", "of", "changed", "now", "never", "always", "does", "do",
        "did", "moved", "by", "from",
    ];
    let is_border = |word: &Word| BORDERS.contains(&word.text.as_str());
    let is_article = |word: &Word| matches!(word.text.as_str(), "the" | "a" | "an");
    while let Some(at) = words.iter().position(|word| word.text == "'s") {
        let start = (0..at).rev().find(|at| is_border(&words[*at])).map_or(0, |border| border + 1);
        let end = (at + 1..words.len())
            .find(|at| is_border(&words[*at]) || words[*at].comma)
            .unwrap_or(words.len());
        if start == at || end == at + 1 {
            // Nothing to turn around; a name or a clipped "is".
            words[at].text = "is".to_owned();
            continue;
        }
        let mut turned: Vec<Word> = words[at + 1..end].to_vec();
        turned.push(word("of", false));
        turned.extend(words[start..at].iter().cloned());
        // The article belongs to the owner and says nothing new.
        if is_article(&turned[0]) {
            turned.remove(0);
        }
        words.splice(start..end, turned);
    }
    words
}

fn without_articles(words: Vec<Word>) -> Vec<Word> {
    let mut kept: Vec<Word> = Vec::with_capacity(words.len());
    let mut article = Article::None;
    let mut comma = false;
    for mut word in words {
        match word.text.as_str() {
            "the" => article = Article::Definite,
            "a" | "an" => article = Article::Indefinite,
            _ => {
                word.article = article;
                word.comma |= comma;
                kept.push(word);
                (article, comma) = (Article::None, false);
                continue;
            }
        }
        comma |= word.comma;
    }
    kept
}

/// Writes "the repo is called Falcon" as "name of repo is Falcon".
fn name_for_called(words: &mut Vec<Word>) {
    let called = (1..words.len().saturating_sub(1))
        .find(|at| words[*at].text == "is" && words[at + 1].text == "called");
    if let Some(at) = called.filter(|at| at + 2 < words.len()) {
        words.remove(at + 1);
        words.splice(0..0, [word("name", false), word("of", false)]);
    }
}

/// A birthday is "on" a date or simply is it.
fn without_on(words: &mut Vec<Word>) {
    let dated: Vec<bool> =
        words.iter().skip(1).map(|word| token::date_digits(&word.text).is_some()).chain([false]).collect();
    let mut dated = dated.into_iter();
    words.retain(|word| !(dated.next().unwrap_or(false) && word.text == "on"));
}

/// "Not really" is not "not".
fn without_fillers(words: &mut Vec<Word>) {
    let mut is_denied = false;
    words.retain(|word| {
        let is_kept = is_denied || !FILLERS.contains(&word.text.as_str());
        is_denied = word.text == "not";
        is_kept
    });
}

/// Takes "now" out and says whether it was there, as well as "since June" at the start.
fn take_now(words: &mut Vec<Word>) -> bool {
    let before = words.len();
    words.retain(|word| word.text != "now");
    if words.len() > 3 && words[0].text == "since" && words[1].text != "i" {
        words.drain(..2);
    }
    words.len() < before
}
