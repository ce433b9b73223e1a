//! What is asked: once for all namespaces, then with the names that one namespace knows.

use std::ops::Range;

use peri_embed::{Engine, Reading, StaticEngine};
use peri_index::{Index, Mask};
use peri_text::{DateMention, QueryTerm, TermClass, TimeMention};

use super::asked_days::{self, AskedDays, Moment};
use super::features::{self, Occasion, Weights};
use super::{Stage, Stages};
use crate::recall::UnderstoodTime;
use crate::remember::is_sound;

/// Words that ask for a time.
const WHEN_WORDS: &[&str] = &["when", "date", "month", "year"];

/// The same in scripts without spaces, where a part of the text is enough.
const WHEN_PARTS: &[&str] =
    &["언제", "며칠", "몇 월", "何时", "什么时候", "哪天", "哪一天", "几月", "几号", "いつ", "何日", "何月"];

/// The least letters by which a capitalised word may stand for a longer name, as Mel does for Melanie.
const NICKNAME_LETTERS_MIN: usize = 3;

/// A question, analysed once for all the namespaces it is asked of.
#[derive(Clone)]
pub(crate) struct Question {
    /// The query without its dates, which are matched as dates and would only mislead as words.
    text: String,
    words: Vec<RawWord>,
    pub(super) days: AskedDays,
    pub(super) asks_when: bool,
    pub(super) vector: Option<Vec<f32>>,
    /// Whether meaning takes part, even if the engine does not know the question's language.
    pub(super) has_engine: bool,
    pub(crate) stages: Stages,
    pub(super) weights: Weights,
    /// What could not take part, for the answer.
    pub(crate) degraded: Option<String>,
    /// The words for time that were understood.
    pub(crate) times: Vec<UnderstoodTime>,
    /// The question with those words taken as words, for namespaces that hold nothing of their days.
    taken_as_words: Option<Box<Question>>,
}

/// A word as it was written.
#[derive(Clone)]
struct RawWord {
    range: Range<usize>,
    lower: String,
    /// Capitalised where a sentence would not make it so.
    is_name_like: bool,
}

impl Question {
    /// Analyses a question that is asked at a moment.
    pub(crate) fn new(query: &str, engine: Option<&dyn Engine>, stages: Stages, moment: &Moment) -> Self {
        let (mut named, mut relative) = (Vec::new(), Vec::new());
        if stages.has(Stage::Dates) {
            let today = moment.at.to_zoned(moment.zone.clone()).date();
            named = peri_text::date_mentions(query);
            relative = peri_text::time_mentions(query, today);
        }
        if relative.is_empty() {
            return Self::of_days(query, engine, stages, named, &[], moment);
        }
        let taken_as_words = Self::of_days(query, engine, stages, named.clone(), &[], moment);
        Self {
            taken_as_words: Some(Box::new(taken_as_words)),
            times: asked_days::understood(query, &relative, &moment.zone),
            ..Self::of_days(query, engine, stages, named, &relative, moment)
        }
    }

    fn of_days(
        query: &str,
        engine: Option<&dyn Engine>,
        stages: Stages,
        named: Vec<DateMention>,
        relative: &[TimeMention],
        moment: &Moment,
    ) -> Self {
        let named_ranges = named.iter().map(|mention| &mention.range);
        let ranges = named_ranges.chain(relative.iter().map(|mention| &mention.range));
        let text = without(query, ranges.cloned());
        let days = AskedDays::new(named, relative, moment);
        let words = raw_words(&text);
        let engine = engine.filter(|_| stages.has(Stage::Meaning));
        let (vector, degraded) = engine.map_or((None, None), |engine| embed(engine, &text));
        let asks_when = asks_when(query, &words);
        let has_engine = engine.is_some();
        let weights = features::weights(engine.map_or(Reading::Words, Engine::reading));
        Self {
            text,
            words,
            days,
            asks_when,
            vector,
            has_engine,
            stages,
            weights,
            degraded,
            times: Vec::new(),
            taken_as_words: None,
        }
    }

    /// What it means, without its dates.
    pub(crate) fn vector(&self) -> Option<&[f32]> {
        self.vector.as_deref()
    }

    /// The same question with its vector turned, in both of its readings; none if it stays as it is.
    pub(crate) fn adapted(&self, turn: impl Fn(&[f32]) -> Option<Vec<f32>>) -> Option<Self> {
        let vector = turn(self.vector.as_ref()?)?;
        let mut adapted = Self { vector: Some(vector), ..self.clone() };
        if let Some(words) = &mut adapted.taken_as_words
            && let Some(vector) = words.vector.as_ref().and_then(|vector| turn(vector))
        {
            words.vector = Some(vector);
        }
        Some(adapted)
    }

    /// The question for what can be seen of an index. Where nothing is of the days that its words for time mean, or
    /// near them, those are words like all others: who asks in the words of an old conversation means its time.
    pub(super) fn in_sight(&self, index: &Index, mask: &Mask) -> &Self {
        match &self.taken_as_words {
            Some(question) if !self.days.has_memories(index, mask) => question,
            _ => self,
        }
    }

    /// What the question offers a memory of that namespace to agree with.
    pub(super) fn occasion(&self, asked: &Asked) -> Occasion {
        Occasion {
            meaning: self.vector.is_some(),
            dates: !self.days.is_empty(),
            time: self.asks_when,
            speaker: !asked.named.is_empty(),
        }
    }

    /// The question in both of its readings, if its words for time can be taken as words.
    pub(super) fn readings(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.taken_as_words.as_deref())
    }

    /// The words that the question asks for in a namespace with these speakers, whether it knows them or not.
    pub(super) fn terms_in(&self, index: &Index) -> Vec<QueryTerm> {
        let lexical = without(&self.text, self.named_speakers(index).1);
        let terms = content_terms(&lexical);
        if terms.is_empty() { content_terms(&self.text) } else { terms }
    }

    /// The question as one namespace understands it.
    pub(super) fn asked_of(&self, index: &Index, lexicon: &StaticEngine) -> Asked {
        let (named, _) = self.named_speakers(index);
        let mut terms = self.terms_in(index);
        // Pairs of characters that span two words are no words; only the known ones say anything.
        terms.retain(|term| term.class != TermClass::Cjk || index.frequency(&term.text) > 0);
        keep_rarest(&mut terms, index);
        let keys = name_keys(&terms);
        let weights = vec![1.0; terms.len()];
        let mut asked = Asked { terms, weights, names: keys, named };
        if self.stages.has(Stage::Typos) {
            asked.mend_typos(index, lexicon);
        }
        asked
    }

    /// The namespace's speakers that the question names, and the words that do it.
    fn named_speakers(&self, index: &Index) -> (Vec<String>, Vec<Range<usize>>) {
        let (mut named, mut ranges, mut all) = (Vec::new(), Vec::new(), true);
        for speaker in index.speakers() {
            let mentions = self.mentions_of(speaker);
            all &= !mentions.is_empty();
            if !mentions.is_empty() {
                named.push(speaker.to_owned());
                ranges.extend(mentions);
            }
        }
        if all || !self.stages.has(Stage::Speaker) {
            // Naming everybody tells nobody apart.
            named.clear();
        }
        (named, ranges)
    }

    fn mentions_of(&self, speaker: &str) -> Vec<Range<usize>> {
        // Names of scripts without spaces stand amid other characters, and have no capitals.
        if is_unspaced(speaker) && speaker.chars().count() > 1 {
            return self.text.find(speaker).map(|at| at..at + speaker.len()).into_iter().collect();
        }
        let speaker = speaker.to_lowercase();
        let parts: Vec<&str> =
            speaker.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
        let named = self.words.iter().filter(|word| parts.iter().any(|part| word.names(part)));
        named.map(|word| word.range.clone()).collect()
    }
}

/// The question's meaning, or why there is none.
fn embed(engine: &dyn Engine, text: &str) -> (Option<Vec<f32>>, Option<String>) {
    let trouble =
        |why: String| (None, Some(format!("only words were searched, since embedding failed: {why}")));
    match engine.embed(&[text]) {
        Ok(vectors) => match <[_; 1]>::try_from(vectors) {
            Ok([None]) => (None, None),
            Ok([Some(vector)]) if is_sound(&vector, engine.space()) => (Some(vector), None),
            Ok([Some(_)]) => trouble("the engine gave a vector that is not of its space".to_owned()),
            Err(vectors) => trouble(format!("the engine gave {} vectors for one text", vectors.len())),
        },
        Err(error) => trouble(error.to_string()),
    }
}

impl RawWord {
    fn names(&self, part: &str) -> bool {
        let whole = self.lower == part && !peri_text::is_stop_word(part);
        let nickname = self.is_name_like
            && self.lower.chars().count() >= NICKNAME_LETTERS_MIN
            && part.starts_with(&self.lower)
            && !peri_text::is_stop_word(&self.lower);
        whole || nickname
    }
}

/// A question in the words of one namespace.
pub(super) struct Asked {
    /// The words to look for, each once.
    pub(super) terms: Vec<QueryTerm>,
    /// How much each counts: less than one for a guess.
    pub(super) weights: Vec<f32>,
    /// What a memory's alias would be indexed as if the question held it whole.
    pub(super) names: Vec<String>,
    /// The speakers it names.
    pub(super) named: Vec<String>,
}

/// A word that had to be guessed counts this much.
const TYPO_WEIGHT: f32 = 0.8;

impl Asked {
    /// Replaces words that neither the namespace nor the lexicon knows by a known one that is one slip away.
    fn mend_typos(&mut self, index: &Index, lexicon: &StaticEngine) {
        for (term, weight) in self.terms.iter_mut().zip(&mut self.weights) {
            let known = index.frequency(&term.text) > 0 || lexicon.is_word(&term.surface);
            if term.class != TermClass::Word || known {
                continue;
            }
            let similar =
                index.similar_terms(&term.text, |known| peri_text::typo_candidate(&term.text, known));
            if let Some(known) = similar.into_iter().next() {
                term.text = known;
                *weight = TYPO_WEIGHT;
            }
        }
        self.names = name_keys(&self.terms);
    }
}

/// The longest alias, in words, that is recognised whole.
const NAME_WORDS_MAX: usize = 4;

/// The key under which a memory is entered for an alias of these terms.
pub(crate) fn name_key<'a>(terms: impl IntoIterator<Item = &'a str>) -> String {
    let mut key = String::from("n:");
    for term in terms {
        if key.len() > 2 {
            key.push(' ');
        }
        key.push_str(term);
    }
    key
}

/// The terms of an alias that make its key: what [`content_terms`] keeps, in order.
pub(crate) fn alias_key(alias: &str) -> Option<String> {
    let terms = content_terms(alias);
    let parts: Vec<&str> =
        terms.iter().filter(|term| is_plain(term)).map(|term| term.text.as_str()).collect();
    (!parts.is_empty() && parts.len() <= NAME_WORDS_MAX).then(|| name_key(parts))
}

/// The keys of every run of up to [`NAME_WORDS_MAX`] words of a question.
fn name_keys(terms: &[QueryTerm]) -> Vec<String> {
    let plain: Vec<&str> =
        terms.iter().filter(|term| is_plain(term)).map(|term| term.text.as_str()).collect();
    let mut keys = Vec::new();
    for from in 0..plain.len() {
        for length in 1..=NAME_WORDS_MAX.min(plain.len() - from) {
            keys.push(name_key(plain[from..from + length].iter().copied()));
        }
    }
    keys
}

/// Identifiers also come as their parts; counting both would make two words of one.
fn is_plain(term: &QueryTerm) -> bool {
    term.class != TermClass::Identifier
}

/// The terms of a text that say something; its stop words only if it has nothing else.
fn content_terms(text: &str) -> Vec<QueryTerm> {
    let mut terms = peri_text::analyze_query(&peri_text::without_function_words(text));
    if terms.iter().any(|term| !is_single(term)) {
        terms.retain(|term| !is_single(term));
    } else {
        terms = peri_text::analyze_query(text);
    }
    if terms.iter().any(|term| term.class != TermClass::StopWord) {
        terms.retain(|term| term.class != TermClass::StopWord);
    }
    terms
}

/// Of a long question only the words that tell most apart are looked up.
fn keep_rarest(terms: &mut Vec<QueryTerm>, index: &Index) {
    if terms.len() > peri_index::TERMS_MAX {
        // A word that nobody has used finds nothing.
        let commonness = |term: &QueryTerm| index.frequency(&term.text).wrapping_sub(1);
        let mut order: Vec<u32> = terms.iter().map(commonness).collect();
        order.sort_unstable();
        let most = order[peri_index::TERMS_MAX - 1];
        terms.retain(|term| commonness(term) <= most);
        terms.truncate(peri_index::TERMS_MAX);
    }
}

/// A lone character between function words says next to nothing.
fn is_single(term: &QueryTerm) -> bool {
    term.class == TermClass::Cjk && term.text.chars().count() == 1
}

fn raw_words(text: &str) -> Vec<RawWord> {
    let mut words: Vec<RawWord> = Vec::new();
    let mut sentence_begins = true;
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = &text[from..at];
                let capital = word.chars().next().is_some_and(char::is_uppercase);
                let is_name_like = capital && !sentence_begins;
                words.push(RawWord { range: from..at, lower: word.to_lowercase(), is_name_like });
                start = None;
                sentence_begins = false;
            }
            _ => {}
        }
        sentence_begins |= matches!(c, '.' | '!' | '?' | '。' | '？' | '！');
    }
    words
}

fn asks_when(query: &str, words: &[RawWord]) -> bool {
    let has = |word: &str| words.iter().any(|own| own.lower == word);
    WHEN_WORDS.iter().any(|word| has(word))
        || (has("how") && has("long"))
        || (!query.is_ascii() && WHEN_PARTS.iter().any(|part| query.contains(part)))
}

/// The text with these ranges blanked. The rest keeps its place.
fn without(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut kept = text.to_owned();
    for range in ranges {
        if kept.is_char_boundary(range.start) && kept.is_char_boundary(range.end) {
            kept.replace_range(range.clone(), &" ".repeat(range.len()));
        }
    }
    kept
}

/// Whether a name is written in a script that does not put spaces between words.
fn is_unspaced(name: &str) -> bool {
    name.chars()
        .any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(terms: &[QueryTerm]) -> Vec<&str> {
        terms.iter().map(|term| term.text.as_str()).collect()
    }

    #[test]
    fn stop_words_count_only_when_nothing_else_is_there() {
        assert_eq!(texts(&content_terms("what is the river")), ["river"]);
        assert!(!content_terms("what is it").is_empty());
    }

    #[test]
    fn an_alias_is_recognised_inside_a_question() {
        let keys = name_keys(&content_terms("how do we replay dead letter messages?"));
        assert!(keys.contains(&alias_key("dead letter").unwrap()), "{keys:?}");
        assert!(!keys.contains(&alias_key("dead letter queue").unwrap()));
    }

    #[test]
    fn names_are_capitalised_inside_a_sentence() {
        let words = raw_words("And what did Mel say? And Ana?");
        let named: Vec<_> =
            words.iter().filter(|word| word.is_name_like).map(|word| word.lower.as_str()).collect();
        assert_eq!(named, ["mel", "ana"]);
    }
}
