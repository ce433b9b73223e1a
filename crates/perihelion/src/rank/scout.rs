//! What a question would look for in a namespace that is not in memory.

use std::collections::HashSet;

use peri_embed::StaticEngine;
use peri_index::{Census, Index, TermCensus};
use peri_store::{Known, KnownTerm, StoreError, Words};
use peri_text::TermClass;

use super::Stage;
use super::question::Question;

/// What to look for.
#[derive(Debug, Default)]
pub(crate) struct Sought {
    /// The words that the namespace knows, those of names among them.
    pub(crate) terms: Vec<KnownTerm>,
    /// The meaning.
    pub(crate) vector: Option<Vec<f32>>,
    /// Days of which everything is looked at, both ends included.
    pub(crate) days: Vec<(i32, i32)>,
    /// Days of which the best by words are looked at.
    pub(crate) dated: Vec<(i32, i32)>,
}

/// Finds out which words a question means in a namespace, and enters what is known of them into its census. The census
/// must know the speakers.
pub(crate) fn scout(
    question: &Question,
    lexicon: &StaticEngine,
    census: &mut Census,
    look_up: &dyn Fn(&Words) -> Result<Known, StoreError>,
) -> Result<Sought, StoreError> {
    let mut sought = Sought { vector: question.vector.clone(), ..Sought::default() };
    (sought.days, sought.dated) = question.days.ranges();
    let mut scout = Scout { lexicon, census, look_up, asked: HashSet::new() };
    for reading in question.readings() {
        sought.terms.extend(scout.words_of(reading)?);
    }
    Ok(sought)
}

struct Scout<'a> {
    lexicon: &'a StaticEngine,
    census: &'a mut Census,
    look_up: &'a dyn Fn(&Words) -> Result<Known, StoreError>,
    /// The words that were looked up.
    asked: HashSet<String>,
}

impl Scout<'_> {
    fn words_of(&mut self, question: &Question) -> Result<Vec<KnownTerm>, StoreError> {
        let terms = question.terms_in(&self.index());
        let mut known = self.look_up(terms.iter().map(|term| term.text.clone()), Vec::new())?;
        let unknown = |text: &str| !self.census.terms.contains_key(text);
        let slips: Vec<String> = terms
            .iter()
            .filter(|term| term.class == TermClass::Word && unknown(&term.text))
            .filter(|term| question.stages.has(Stage::Typos) && !self.lexicon.is_word(&term.surface))
            .map(|term| term.text.clone())
            .collect();
        if !slips.is_empty() {
            self.look_up(std::iter::empty(), slips)?;
        }
        let asked = question.asked_of(&self.index(), self.lexicon);
        let mended = asked.terms.iter().map(|term| term.text.clone()).chain(asked.names);
        known.extend(self.look_up(mended.collect::<Vec<_>>().into_iter(), Vec::new())?);
        Ok(known)
    }

    /// An index that holds nothing and knows what the census does.
    fn index(&self) -> Index {
        let mut index = Index::new(None, 0);
        index.set_census(self.census.clone());
        index
    }

    fn look_up(
        &mut self,
        terms: impl Iterator<Item = String>,
        slips: Vec<String>,
    ) -> Result<Vec<KnownTerm>, StoreError> {
        let asked = &mut self.asked;
        let terms: Vec<String> = terms.filter(|term| asked.insert(term.clone())).collect();
        if terms.is_empty() && slips.is_empty() {
            return Ok(Vec::new());
        }
        let known = (self.look_up)(&Words { terms, slips })?;
        for term in &known.terms {
            let whole = TermCensus { documents: term.documents, ..TermCensus::default() };
            self.census.terms.insert(term.text.clone(), whole);
        }
        self.census.similar.extend(known.similar);
        Ok(known.terms)
    }
}
