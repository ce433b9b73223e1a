//! The documents of a namespace that may matter to a question.

use std::collections::{HashMap, HashSet};

use peri_embed::StaticEngine;
use peri_index::{Census, GroupCensus, Index, TermCensus};
use peri_store::{
    Change, Document, Found, KnownTerm, Reading, SearchFilter, SearchState, Searcher, StoreError, Wanted,
    Words,
};
use peri_types::{Filter, MemoryId, Namespace};

use super::packed;
use crate::engine::Core;
use crate::entry::Told;
use crate::rank::{Question, Sought, scout};

/// Of each word so many documents are looked at, those in which it counts most.
const PER_TERM: usize = 1000;
/// So many by meaning.
const NEAREST: usize = 160;
/// The best so many by all words together are read.
const BEST: usize = 400;
/// So many of a time that the question names.
const BEST_DATED: usize = 200;
/// If a filter lets at most so many documents through, all of them are read.
const FEW: usize = 1500;
/// The conversations of the best so many are read whole, as far as they have at most so many turns...
const SESSIONS: usize = 40;
const TURNS_PER_SESSION: usize = 128;
/// ...and of so many other ones so many turns on either side.
const WITH_NEIGHBOURS: usize = 80;
const NEIGHBOURS: usize = 2;
/// The best so many bring along what they are linked to, all of them together at most so many.
const WITH_LINKS: usize = 40;
const LINKED: usize = 400;
/// A stretch of days that the question names brings so many along.
const PER_STRETCH: usize = 600;

/// What has been gathered for one need.
pub(super) struct Gathering<'a> {
    searcher: &'a dyn Searcher,
    namespace: &'a Namespace,
    lexicon: &'a StaticEngine,
    state: SearchState,
    census: Census,
    documents: HashMap<i64, Document>,
    /// The best documents, the best by words and the nearest by turns.
    best: Vec<i64>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(
        core: &'a Core,
        searcher: &'a dyn Searcher,
        namespace: &'a Namespace,
        state: SearchState,
    ) -> Result<Self, StoreError> {
        let speakers = core.pools.speakers(searcher, namespace, &state)?;
        let totals = &state.totals;
        let group = |(count, words): (u64, u64)| GroupCensus { count: whole(count), words };
        let census = Census {
            documents: whole(totals.documents),
            words: totals.words,
            sessions: group(totals.sessions),
            days: group(totals.days),
            speakers: speakers.to_vec(),
            vectors: whole(totals.vectors),
            vector_sum: totals.vector_sum.clone(),
            ..Census::default()
        };
        let (documents, best) = (HashMap::new(), Vec::new());
        Ok(Self { searcher, namespace, lexicon: &core.lexicon, state, census, documents, best })
    }

    /// What may matter to a question.
    pub(super) fn for_question(&mut self, question: &Question, filter: &Filter) -> Result<(), StoreError> {
        let (searcher, namespace) = (self.searcher, self.namespace);
        let look_up = |words: &Words| searcher.look_up(namespace, words);
        let sought = scout(question, self.lexicon, &mut self.census, &look_up)?;
        let terms = self.weighed(&sought.terms);
        let filter = of_filter(filter);
        let (filter_is_empty, around) = (filter.is_empty(), terms.clone());
        let found = self.searcher.find(
            self.namespace,
            &Wanted {
                terms: terms.clone(),
                per_term: PER_TERM,
                best: BEST,
                vector: sought.vector.clone(),
                nearest: NEAREST,
                filter: filter.clone(),
                few: FEW,
            },
        )?;
        if let Some(few) = found.few {
            self.best = few;
            self.take(Reading::Numbers(self.best.clone()))?;
        } else {
            self.take_found(found)?;
            self.take_dated(&sought, terms, filter)?;
        }
        if !filter_is_empty {
            // What surrounds a document counts, whether the filter lets it through or not.
            let around = Wanted { terms: around, per_term: PER_TERM, best: BEST, ..Wanted::default() };
            let found = self.searcher.find(self.namespace, &around)?;
            self.take(Reading::Numbers(found.by_words))?;
        }
        self.take_conversations()?;
        let linked = self.best.iter().filter_map(|number| self.documents.get(number)).map(|one| one.id);
        let replaced = self.documents.values().filter(|one| one.superseded).map(|one| one.id);
        let linked: Vec<MemoryId> = linked.take(WITH_LINKS).chain(replaced.take(WITH_LINKS)).collect();
        if linked.is_empty() { Ok(()) } else { self.take(Reading::Linked(linked, LINKED)) }
    }

    /// What is like a text.
    pub(super) fn for_likeness(
        &mut self,
        words: &[String],
        vector: Option<&[f32]>,
    ) -> Result<(), StoreError> {
        let known =
            self.searcher.look_up(self.namespace, &Words { terms: words.to_vec(), slips: Vec::new() })?.terms;
        for term in &known {
            let whole = TermCensus { documents: term.documents, ..TermCensus::default() };
            self.census.terms.insert(term.text.clone(), whole);
        }
        let wanted = Wanted {
            terms: self.weighed(&known),
            per_term: PER_TERM,
            best: BEST,
            vector: vector.map(<[f32]>::to_vec),
            nearest: NEAREST,
            ..Wanted::default()
        };
        let found = self.searcher.find(self.namespace, &wanted)?;
        self.take_found(found)
    }

    /// A memory, and a conversation on all its days.
    pub(super) fn for_session(&mut self, id: MemoryId, session: &str) -> Result<(), StoreError> {
        let filter = SearchFilter { session: Some(session.to_owned()), ..SearchFilter::default() };
        let wanted = Wanted { filter, few: FEW, ..Wanted::default() };
        let numbers = self.searcher.find(self.namespace, &wanted)?.few.unwrap_or_default();
        self.take(Reading::Numbers(numbers))?;
        self.take(Reading::Ids(vec![id]))
    }

    /// Reads documents that have not been read yet.
    pub(super) fn take(&mut self, reading: Reading) -> Result<(), StoreError> {
        let reading = match reading {
            Reading::Numbers(mut numbers) => {
                numbers.retain(|number| !self.documents.contains_key(number));
                Reading::Numbers(numbers)
            }
            reading => reading,
        };
        for document in self.searcher.read(self.namespace, &reading)? {
            self.documents.insert(document.number, document);
        }
        Ok(())
    }

    /// Reads what was found.
    fn take_found(&mut self, found: Found) -> Result<(), StoreError> {
        let Found { by_words, nearest, .. } = found;
        let longest = by_words.len().max(nearest.len());
        let mut seen = HashSet::new();
        let by_turns = (0..longest).flat_map(|at| [by_words.get(at), nearest.get(at)]).flatten();
        self.best = by_turns.copied().filter(|number| seen.insert(*number)).collect();
        self.take(Reading::Numbers(self.best.clone()))
    }

    /// Words with how much each weighs: the rarer the more.
    fn weighed(&self, terms: &[KnownTerm]) -> Vec<(i64, f32)> {
        let all = self.census.documents as f32;
        let rarity = |documents: u32| ((all - documents as f32).max(0.0) / (documents as f32 + 0.5)).ln_1p();
        terms.iter().map(|term| (term.number, rarity(term.documents))).collect()
    }

    /// What is of the days that the question names.
    fn take_dated(
        &mut self,
        sought: &Sought,
        terms: Vec<(i64, f32)>,
        filter: SearchFilter,
    ) -> Result<(), StoreError> {
        if !sought.days.is_empty() {
            self.take(Reading::Days(sought.days.clone(), PER_STRETCH))?;
        }
        if sought.dated.is_empty() || terms.is_empty() {
            return Ok(());
        }
        let filter = SearchFilter { days: sought.dated.clone(), ..filter };
        let wanted = Wanted { terms, per_term: PER_TERM, best: BEST_DATED, filter, ..Wanted::default() };
        let dated = self.searcher.find(self.namespace, &wanted)?.by_words;
        self.best.extend(dated.iter().take(WITH_LINKS));
        self.take(Reading::Numbers(dated))
    }

    /// Reads the conversations of the best documents, and what stands next to the others.
    fn take_conversations(&mut self) -> Result<(), StoreError> {
        let mut sessions: Vec<(String, i32)> = Vec::new();
        let mut others = Vec::new();
        for number in &self.best {
            let Some(one) = self.documents.get(number) else { continue };
            let (Some(name), Some(day)) = (&one.session, one.day) else { continue };
            let known = sessions.iter().any(|(own, own_day)| own == name && *own_day == day);
            if !known && sessions.len() < SESSIONS {
                sessions.push((name.clone(), day));
            } else if !known && others.len() < WITH_NEIGHBOURS {
                others.push(*number);
            }
        }
        if !sessions.is_empty() {
            self.take(Reading::Sessions(sessions, TURNS_PER_SESSION))?;
        }
        if !others.is_empty() {
            self.take(Reading::Neighbours(others, NEIGHBOURS))?;
        }
        Ok(())
    }

    /// An index of all that was gathered, with what was changed since.
    pub(super) fn into_index(mut self, mut index: Index, tail: Vec<Change>) -> Index {
        self.count_groups();
        let mut documents: Vec<Document> = self.documents.into_values().collect();
        // The order in which they came to the namespace decides between equals.
        documents.sort_unstable_by_key(|document| document.number);
        for (told, vector) in documents.into_iter().filter_map(packed::told) {
            told.enter(&mut index, vector.as_deref());
        }
        let mut head = self.state.fed;
        for change in tail {
            head = head.max(change.number());
            match change {
                Change::Put { memory, vector } => {
                    let told = Told::of(self.lexicon, &memory);
                    count_in(&mut self.census, &told, vector.as_deref(), index.contains(told.id));
                    told.enter(&mut index, vector.as_deref());
                }
                Change::Gone { id, .. } => {
                    index.remove(id);
                }
            }
        }
        index.set_head(head);
        index.set_census(self.census);
        index
    }

    /// In how many conversations and on how many days each word occurs. Of a rare word all documents are here; of a common
    /// one those that are tell how they spread.
    fn count_groups(&mut self) {
        let Census { terms, sessions, days, .. } = &mut self.census;
        let mut held: HashMap<&str, Held<'_>> =
            terms.keys().map(|term| (term.as_str(), Held::default())).collect();
        for document in self.documents.values() {
            for (term, _) in &document.terms {
                let Some(held) = held.get_mut(term.as_str()) else { continue };
                held.documents += 1;
                if let Some(session) = &document.session {
                    held.sessions.insert((session, document.day));
                }
                held.days.extend(document.day);
            }
        }
        let counted: Vec<(String, TermCensus)> = held
            .into_iter()
            .map(|(term, held)| {
                let documents = terms[term].documents;
                let spread = |groups: usize, all: usize| spread(documents, held.documents, groups, all);
                let own = TermCensus {
                    documents,
                    sessions: spread(held.sessions.len(), sessions.count),
                    days: spread(held.days.len(), days.count),
                };
                (term.to_owned(), own)
            })
            .collect();
        terms.extend(counted);
    }
}

/// What of a word's documents is here.
#[derive(Default)]
struct Held<'a> {
    documents: u32,
    sessions: HashSet<(&'a String, Option<i32>)>,
    days: HashSet<i32>,
}

/// In how many of all groups a word occurs that so many documents hold, if `seen` of them lie in so many groups.
fn spread(documents: u32, seen: u32, groups: usize, all: usize) -> u32 {
    if seen == 0 || all == 0 || groups == 0 {
        return 0;
    }
    let exact = u32::try_from(groups).unwrap_or(u32::MAX);
    if documents <= seen {
        return exact;
    }
    let (all, per_document) = (all as f32, groups as f32 / seen as f32);
    let expected = all * (1.0 - (-(documents as f32) * per_document / all).exp());
    (expected as u32).max(exact)
}

/// Counts a memory that is not in the tables yet, or that has changed since.
fn count_in(census: &mut Census, told: &Told, vector: Option<&[f32]>, is_known: bool) {
    let more = u32::from(!is_known);
    census.documents += more as usize;
    census.words += u64::from(more * told.length);
    for (term, _) in &told.terms {
        // Words that nobody looked up are counted too: the question may hold one that only this memory knows.
        let counted = &mut census.terms.entry(term.clone()).or_default().documents;
        *counted = (*counted + more).max(1);
    }
    if let Some(vector) = vector.filter(|_| !is_known) {
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        census.vectors += 1;
        census.vector_sum.resize(vector.len(), 0.0);
        let units = vector.iter().map(|value| f64::from(value / length));
        census.vector_sum.iter_mut().zip(units).for_each(|(sum, value)| *sum += value);
    }
    if let Some(speaker) = told.speaker.as_ref().filter(|speaker| !census.speakers.contains(speaker)) {
        census.speakers.push(speaker.clone());
    }
}

fn of_filter(filter: &Filter) -> SearchFilter {
    let circumstances = filter.context.iter().map(peri_index::circumstance_tag);
    SearchFilter {
        layers: filter.layers.iter().map(|layer| layer.code()).collect(),
        kinds: filter.kinds.iter().map(|kind| kind.code()).collect(),
        since: filter.since_millis(),
        until: filter.until_millis(),
        session: filter.session.clone(),
        speaker: filter.speaker.clone(),
        pinned: filter.pinned,
        keys: filter.tags.iter().cloned().chain(circumstances).map(|tag| packed::key(&tag)).collect(),
        days: Vec::new(),
    }
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_are_counted_and_common_ones_estimated() {
        assert_eq!(spread(3, 3, 2, 100), 2);
        assert_eq!(spread(0, 0, 0, 100), 0);
        let common = spread(5000, 250, 250, 1000);
        assert!((900..=1000).contains(&common), "{common}");
        assert!(spread(5000, 250, 25, 1000) < common);
    }
}
