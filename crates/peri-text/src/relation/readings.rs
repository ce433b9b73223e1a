//! Texts that were read. Reading them is most of a comparison's work, and a statement is compared with several.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::text::{self, Language};
use super::{READ_BYTES_MAX, Reason, Relation, chinese, english, korean};

/// So many texts are kept as those that were asked for lately: about two megabytes of them.
const KEPT_MAX: usize = 512;

/// A text of more bytes is read anew each time, so that few of them do not fill the memory.
const KEPT_BYTES_MAX: usize = 4_096;

/// A text in its one spelling, with its sentences.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) normal: String,
    pub(super) language: Language,
    sentences: Vec<(Range<usize>, OnceLock<Reading>)>,
}

impl Text {
    fn of(content: &str) -> Self {
        let normal = text::normalize(content);
        let language = text::language(&normal);
        let start = normal.as_ptr().addr();
        let range = |sentence: &str| {
            let at = sentence.as_ptr().addr() - start;
            (at..at + sentence.len(), OnceLock::new())
        };
        let read = if normal.len() > READ_BYTES_MAX { Vec::new() } else { text::sentences(&normal) };
        let sentences = read.into_iter().map(range).collect();
        Self { normal, language, sentences }
    }

    pub(super) fn sentences(&self) -> Vec<Sentence<'_>> {
        let found = self.sentences.iter();
        found
            .map(|(range, reading)| Sentence {
                text: &self.normal[range.clone()],
                language: self.language,
                reading,
            })
            .collect()
    }
}

/// A sentence as the rules of its language see it.
#[derive(Debug)]
enum Reading {
    English(english::Reading),
    Korean(korean::Reading),
    Chinese(chinese::Reading),
    None,
}

/// A sentence of a text, read when it is first compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence<'t> {
    pub(super) text: &'t str,
    language: Language,
    reading: &'t OnceLock<Reading>,
}

impl<'t> Sentence<'t> {
    fn reading(&self) -> &'t Reading {
        self.reading.get_or_init(|| match self.language {
            Language::English => Reading::English(english::Reading::of(self.text)),
            Language::Korean => Reading::Korean(korean::Reading::of(self.text)),
            Language::Chinese => Reading::Chinese(chinese::Reading::of(self.text)),
            Language::Other => Reading::None,
        })
    }

    /// Relates it to an older one by the rules of their language.
    pub(super) fn relate(&self, older: &Self) -> Relation {
        match (self.reading(), older.reading()) {
            (Reading::English(newer), Reading::English(older)) => english::relate(newer, older),
            (Reading::Korean(newer), Reading::Korean(older)) => korean::relate(newer, older),
            (Reading::Chinese(newer), Reading::Chinese(older)) => chinese::relate(newer, older),
            _ => Relation::unrelated([Reason::OtherLanguage]),
        }
    }
}

/// Texts that were asked for lately, and those that were before; what is in neither is read again.
#[derive(Debug, Default)]
pub(super) struct Readings {
    lately: HashMap<String, Arc<Text>>,
    before: HashMap<String, Arc<Text>>,
}

impl Readings {
    pub(super) fn of(&mut self, content: &str) -> Arc<Text> {
        if let Some(known) = self.lately.get(content) {
            return Arc::clone(known);
        }
        let text = self.before.remove(content).unwrap_or_else(|| Arc::new(Text::of(content)));
        if content.len() > KEPT_BYTES_MAX {
            return text;
        }
        if self.lately.len() >= KEPT_MAX {
            self.before = std::mem::take(&mut self.lately);
        }
        self.lately.insert(content.to_owned(), Arc::clone(&text));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_once_while_it_is_asked_for() {
        let mut readings = Readings::default();
        let first = readings.of("Ana lives in Berlin. 그녀는 차를 좋아한다.");
        for number in 0..KEPT_MAX {
            readings.of(&format!("{number}"));
        }
        assert!(Arc::ptr_eq(&first, &readings.of("Ana lives in Berlin. 그녀는 차를 좋아한다.")));
        for number in 0..3 * KEPT_MAX {
            readings.of(&format!("{number}"));
        }
        assert!(!Arc::ptr_eq(&first, &readings.of("Ana lives in Berlin. 그녀는 차를 좋아한다.")));
        assert!(readings.lately.len() + readings.before.len() <= 2 * KEPT_MAX);
    }

    #[test]
    fn long_texts_are_not_kept() {
        let mut readings = Readings::default();
        let long = "a ".repeat(KEPT_BYTES_MAX);
        readings.of(&long);
        assert!(readings.lately.is_empty() && readings.before.is_empty());
    }

    #[test]
    fn sentences_are_parts_of_the_text() {
        let text = Text::of("  小明住在北京。 他喜欢茶！");
        let sentences: Vec<_> = text.sentences().iter().map(|one| one.text).collect();
        assert_eq!(sentences, ["小明住在北京。", "他喜欢茶"]);
    }
}
