//! Sentences that were read. Reading one is most of a comparison's work, and a statement is compared with several.

use std::collections::HashMap;
use std::sync::Arc;

use super::text::Language;
use super::{Reason, Relation, chinese, english, korean};

/// So many sentences of a language are kept as those that were asked for lately: about half a megabyte of them.
const KEPT_MAX: usize = 256;

/// Sentences that were read, by language.
#[derive(Debug, Default)]
pub(super) struct Readings {
    english: Kept<english::Reading>,
    korean: Kept<korean::Reading>,
    chinese: Kept<chinese::Reading>,
}

impl Readings {
    /// Relates two sentences of a language by its rules.
    pub(super) fn relate(&mut self, language: Language, newer: &str, older: &str) -> Relation {
        match language {
            Language::English => {
                let mut read = |sentence| self.english.of(sentence, english::Reading::of);
                english::relate(&read(newer), &read(older))
            }
            Language::Korean => {
                let mut read = |sentence| self.korean.of(sentence, korean::Reading::of);
                korean::relate(&read(newer), &read(older))
            }
            Language::Chinese => {
                let mut read = |sentence| self.chinese.of(sentence, chinese::Reading::of);
                chinese::relate(&read(newer), &read(older))
            }
            Language::Other => Relation::unrelated([Reason::OtherLanguage]),
        }
    }
}

/// Those that were asked for lately, and those that were before; what is in neither is read again.
#[derive(Debug)]
struct Kept<R> {
    lately: HashMap<String, Arc<R>>,
    before: HashMap<String, Arc<R>>,
}

impl<R> Default for Kept<R> {
    fn default() -> Self {
        Self { lately: HashMap::new(), before: HashMap::new() }
    }
}

impl<R> Kept<R> {
    fn of(&mut self, sentence: &str, read: fn(&str) -> R) -> Arc<R> {
        if let Some(known) = self.lately.get(sentence) {
            return Arc::clone(known);
        }
        let reading = self.before.remove(sentence).unwrap_or_else(|| Arc::new(read(sentence)));
        if self.lately.len() >= KEPT_MAX {
            self.before = std::mem::take(&mut self.lately);
        }
        self.lately.insert(sentence.to_owned(), Arc::clone(&reading));
        reading
    }
}
