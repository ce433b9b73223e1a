//! Finds the phrases of the tables in a folded sentence.
//!
//! A phrase in Latin letters stands at word borders; Korean and Chinese phrases stand anywhere, because endings
//! follow their stems without a space, unless `<` ties them to the beginning of a word or `>` to its end. `^` ties
//! a phrase to the beginning of a clause, `$` to its end, and `…` stands for anything in between. Between Korean
//! and Chinese signs a space may be missing.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::cues::{self, Cue};

/// Between the parts of a phrase lie at most so many signs.
const GAP_MAX: usize = 70;

/// The cues of one sentence.
#[derive(Default)]
pub(crate) struct Cues {
    found: Vec<(Cue, Range<usize>)>,
    kinds: u64,
}

impl Cues {
    /// Whether a cue was found.
    pub(crate) fn has(&self, cue: Cue) -> bool {
        self.kinds & (1 << cue as u64) != 0
    }

    /// Whether any of these was found.
    pub(crate) fn has_any(&self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.has(*cue))
    }

    /// Where a cue was found, in signs.
    pub(crate) fn spans(&self, cue: Cue) -> impl Iterator<Item = &Range<usize>> {
        self.found.iter().filter(move |(found, _)| *found == cue).map(|(_, span)| span)
    }

    fn add(&mut self, cue: Cue, span: Range<usize>) {
        self.kinds |= 1 << cue as u64;
        self.found.push((cue, span));
    }
}

struct Part {
    signs: Vec<char>,
    /// May end inside a word in Latin letters.
    ends_anywhere: bool,
    /// Begins a word in any script.
    begins_word: bool,
    /// Ends a word in any script.
    ends_word: bool,
}

struct Phrase {
    cue: Cue,
    parts: Vec<Part>,
    opens_clause: bool,
    closes_clause: bool,
    length: usize,
}

static SHELF: LazyLock<HashMap<(char, char), Vec<Phrase>>> = LazyLock::new(|| {
    let mut shelf: HashMap<(char, char), Vec<Phrase>> = HashMap::new();
    for (cue, text) in cues::all() {
        let phrase = Phrase::new(cue, text);
        shelf.entry(key(&phrase.parts[0].signs)).or_default().push(phrase);
    }
    shelf
});

fn key(signs: &[char]) -> (char, char) {
    // The second sign may be a space that the text leaves out; such phrases lie under their first sign alone.
    let second = signs.get(1).copied().filter(|second| *second != ' ' || signs[0].is_ascii());
    (signs[0], second.unwrap_or('\0'))
}

impl Phrase {
    fn new(cue: Cue, text: &str) -> Self {
        let bare = text.trim_start_matches('^').trim_end_matches('$');
        let parts: Vec<Part> = bare.split('…').map(|part| Part::new(part.trim())).collect();
        let length = parts.iter().map(|part| part.signs.len()).sum();
        Self { cue, parts, opens_clause: text.starts_with('^'), closes_clause: text.ends_with('$'), length }
    }

    /// The signs it covers at this place, if it stands there.
    fn fits(&self, sentence: &[char], at: usize) -> Option<Range<usize>> {
        if self.opens_clause && !opens_clause(sentence, at) {
            return None;
        }
        let mut end = self.parts[0].fits(sentence, at)?;
        for part in &self.parts[1..] {
            let until = (end + GAP_MAX).min(sentence.len());
            end = (end..until).find_map(|place| part.fits(sentence, place))?;
        }
        let closes = !self.closes_clause || sentence.get(end).copied().is_none_or(ends_clause);
        closes.then_some(at..end)
    }
}

impl Part {
    fn new(text: &str) -> Self {
        let signs: Vec<char> = text.trim_matches(['*', '<', '>']).chars().collect();
        assert!(!signs.is_empty(), "a phrase of the tables holds at least one sign");
        let (begins_word, ends_word) = (text.starts_with('<'), text.ends_with('>'));
        Self { signs, ends_anywhere: text.ends_with('*'), begins_word, ends_word }
    }

    fn fits(&self, sentence: &[char], at: usize) -> Option<usize> {
        let first = *sentence.get(at)?;
        if first != self.signs[0] || at > 0 && is_word(sentence[at - 1]) && is_word(first) {
            return None;
        }
        if self.begins_word && at > 0 && sentence[at - 1].is_alphanumeric() {
            return None;
        }
        let mut place = at;
        for &sign in &self.signs {
            match sentence.get(place) {
                Some(&here) if here == sign => place += 1,
                _ if sign == ' ' && !sentence[place - 1].is_ascii() => {}
                _ => return None,
            }
        }
        let is_cut = !self.ends_anywhere
            && is_word(sentence[place - 1])
            && sentence.get(place).is_some_and(|next| is_word(*next));
        let goes_on = self.ends_word && sentence.get(place).is_some_and(|next| next.is_alphanumeric());
        (!is_cut && !goes_on).then_some(place)
    }
}

/// Whether a sign is a part of a word in Latin letters.
fn is_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '\'' || matches!(sign, '\u{c0}'..='\u{24f}')
}

/// Whether a clause begins at this place.
fn opens_clause(sentence: &[char], at: usize) -> bool {
    sentence[..at].iter().rev().find(|sign| **sign != ' ').is_none_or(|sign| ends_clause(*sign))
}

fn ends_clause(sign: char) -> bool {
    !sign.is_alphanumeric() && !matches!(sign, ' ' | '\'' | '-' | '_' | '/' | '%' | '`' | '#' | '@' | '$')
}

/// Every cue of a sentence. At each place the longest phrase counts, with all that it tells, and the longest one that
/// tells about the scene; what a plain one covers is not read again.
pub(crate) fn find(sentence: &[char]) -> Cues {
    let mut cues = Cues::default();
    let mut closed_until = 0;
    for at in 0..sentence.len() {
        if at < closed_until {
            continue;
        }
        let second = sentence.get(at + 1).copied().unwrap_or('\0');
        let lying = [SHELF.get(&(sentence[at], second)), SHELF.get(&(sentence[at], '\0'))];
        let fitting = |phrase: &'static Phrase| phrase.fits(sentence, at).map(|span| (phrase, span));
        let found: Vec<(&Phrase, Range<usize>)> =
            lying.into_iter().flatten().flatten().filter_map(fitting).collect();
        let longest = |is_scene: bool| {
            let same = found.iter().filter(|(phrase, _)| phrase.cue.is_scene() == is_scene);
            same.map(|(phrase, _)| phrase.length).max()
        };
        let lengths = [longest(false), longest(true)];
        for (phrase, span) in &found {
            let is_longest = lengths[usize::from(phrase.cue.is_scene())] == Some(phrase.length);
            match phrase.cue {
                Cue::Plain if is_longest => closed_until = span.end,
                Cue::Plain => {}
                cue if is_longest => cues.add(cue, span.clone()),
                _ => {}
            }
        }
    }
    cues
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folding::Folded;

    fn has(text: &str, cue: Cue) -> bool {
        find(&Folded::new(text).signs).has(cue)
    }

    #[test]
    fn phrases_stand_at_word_borders_in_latin_letters_only() {
        assert!(has("we decided to go", Cue::Decides));
        assert!(!has("he undecided to go", Cue::Decides));
        assert!(has("그걸 쓰기로 했어", Cue::Decides) && has("그걸 쓰기로했어", Cue::Decides));
        assert!(has("我们最后决定用它", Cue::Decides));
    }

    #[test]
    fn parts_of_a_phrase_may_lie_apart() {
        assert!(has("the team doesn't use Redux anymore", Cue::Changes));
        assert!(!has("anymore the team doesn't use Redux", Cue::Changes));
    }

    #[test]
    fn every_phrase_is_found_in_itself() {
        for (cue, text) in cues::all() {
            let bare = text.trim_matches(['^', '$']).replace('…', " x ").replace(['*', '<', '>'], "");
            let folded = Folded::new(&bare);
            assert!(
                SHELF
                    .values()
                    .flatten()
                    .any(|phrase| phrase.cue == cue && phrase.fits(&folded.signs, 0).is_some()),
                "{text}"
            );
        }
    }
}
