//! The documents of a namespace that may matter to a question.

use std::collections::{HashMap, HashSet};

use peri_embed::StaticEngine;
use peri_index::{Census, GroupCensus, GroupTally, Index, TermCensus};
use peri_store::{
    Change, Found, KnownTerm, Numbered, Occurrences, Reading, SearchFilter, SearchState, Searcher,
    StoreError, Wanted, Words,
};
use peri_types::{Filter, MemoryId, Namespace};

use super::packed;
use crate::engine::Core;
use crate::entry::Told;
use crate::rank::{Question, Sought, scout};

/// The best so many by all words together are read.
const BEST: usize = 260;
/// So many by meaning.
const NEAREST: usize = 160;
/// So many of a time that the question names.
const BEST_DATED: usize = 200;
/// If a filter lets at most so many documents through, all of them are read.
const FEW: usize = 1500;
/// So many conversations are weighed as a whole, and the best so many of them read, as far as they have at most so many
/// turns.
const SESSIONS_WEIGHED: usize = 48;
const SESSIONS: usize = 10;
const TURNS_PER_SESSION: usize = 64;
/// Of all documents that were found so many turns on either side are read.
const NEIGHBOURS: usize = 2;
/// The best so many bring along what they are linked to, all of them together at most so many.
const WITH_LINKS: usize = 40;
const LINKED: usize = 400;
/// A stretch of days that the question names brings so many along.
const PER_STRETCH: usize = 600;

/// The constants of BM25.
const K1: f32 = 1.2;
const B: f32 = 0.75;

/// What has been gathered for one need.
pub(super) struct Gathering<'a> {
    searcher: &'a dyn Searcher,
    namespace: &'a Namespace,
    lexicon: &'a StaticEngine,
    state: SearchState,
    census: Census,
    documents: HashMap<i64, Numbered>,
    /// The best documents, the best by words and the nearest by turns.
    best: Vec<i64>,
    /// Words by their numbers, and where they occur.
    terms: HashMap<i64, (String, Occurrences)>,
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
        let (documents, best, terms) = (HashMap::new(), Vec::new(), HashMap::new());
        Ok(Self { searcher, namespace, lexicon: &core.lexicon, state, census, documents, best, terms })
    }

    /// What may matter to a question.
    pub(super) fn for_question(&mut self, question: &Question, filter: &Filter) -> Result<(), StoreError> {
        let (searcher, namespace) = (self.searcher, self.namespace);
        let look_up = |words: &Words| searcher.look_up(namespace, words);
        let sought = scout(question, self.lexicon, &mut self.census, &look_up)?;
        let terms = self.weighed(sought.terms.clone());
        let filter = of_filter(filter);
        let filter_is_empty = filter.is_empty();
        let mut found = self.searcher.find(
            self.namespace,
            &Wanted {
                terms: terms.clone(),
                best: BEST,
                vector: sought.vector.clone(),
                nearest: NEAREST,
                filter: filter.clone(),
                few: FEW,
            },
        )?;
        if let Some(few) = found.few.take() {
            self.best = few;
            self.take(Reading::Numbers(self.best.clone()))?;
        } else {
            self.note(&terms, std::mem::take(&mut found.occurrences));
            self.take_found(found)?;
            self.take_dated(&sought, terms.clone(), filter)?;
        }
        if !filter_is_empty {
            // What surrounds a document counts, whether the filter lets it through or not.
            let around = Wanted { terms: terms.clone(), best: BEST, ..Wanted::default() };
            let found = self.searcher.find(self.namespace, &around)?;
            self.note(&terms, found.occurrences);
            self.take(Reading::Numbers(found.by_words))?;
        }
        self.take_conversations()?;
        let linked = self.best.iter().filter_map(|number| self.documents.get(number));
        let replaced = self.documents.values().filter(|one| one.document.superseded);
        let linked = linked.take(WITH_LINKS).chain(replaced.take(WITH_LINKS)).map(|one| one.document.id);
        let linked: Vec<MemoryId> = linked.collect();
        if !linked.is_empty() {
            self.take(Reading::Linked(linked, LINKED))?;
        }
        self.tally_groups()
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
        let terms = self.weighed(known);
        let wanted = Wanted {
            terms: terms.clone(),
            best: BEST,
            vector: vector.map(<[f32]>::to_vec),
            nearest: NEAREST,
            ..Wanted::default()
        };
        let mut found = self.searcher.find(self.namespace, &wanted)?;
        self.note(&terms, std::mem::take(&mut found.occurrences));
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
        for one in self.searcher.read(self.namespace, &reading)? {
            self.documents.insert(one.number, one);
        }
        Ok(())
    }

    /// Reads the names of all words of what was read.
    pub(super) fn name_all(&mut self) -> Result<(), StoreError> {
        let unknown: HashSet<i64> = self
            .documents
            .values()
            .flat_map(|one| one.terms.iter().map(|(term, _)| *term))
            .filter(|term| !self.terms.contains_key(term))
            .collect();
        let unknown: Vec<i64> = unknown.into_iter().collect();
        let names = self.searcher.names(self.namespace, &unknown)?;
        for (number, name) in names.into_iter().filter(|(_, name)| !packed::is_key(name)) {
            self.terms.insert(number, (name, Occurrences::default()));
        }
        Ok(())
    }

    /// Notes where words occur.
    fn note(&mut self, terms: &[(KnownTerm, f32)], occurrences: Vec<Occurrences>) {
        for ((term, _), occurrences) in terms.iter().zip(occurrences) {
            self.terms.insert(term.number, (term.text.clone(), occurrences));
        }
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
    fn weighed(&self, terms: Vec<KnownTerm>) -> Vec<(KnownTerm, f32)> {
        let all = self.census.documents as f32;
        let rarity = |documents: u32| ((all - documents as f32).max(0.0) / (documents as f32 + 0.5)).ln_1p();
        let mut seen = HashSet::new();
        let terms = terms.into_iter().filter(|term| seen.insert(term.number));
        terms.map(|term| (rarity(term.documents), term)).map(|(weight, term)| (term, weight)).collect()
    }

    /// What is of the days that the question names.
    fn take_dated(
        &mut self,
        sought: &Sought,
        terms: Vec<(KnownTerm, f32)>,
        filter: SearchFilter,
    ) -> Result<(), StoreError> {
        if !sought.days.is_empty() {
            self.take(Reading::Days(sought.days.clone(), PER_STRETCH))?;
        }
        if sought.dated.is_empty() || terms.is_empty() {
            return Ok(());
        }
        let filter = SearchFilter { days: sought.dated.clone(), ..filter };
        let wanted = Wanted { terms, best: BEST_DATED, filter, ..Wanted::default() };
        let dated = self.searcher.find(self.namespace, &wanted)?.by_words;
        self.best.extend(dated.iter().take(WITH_LINKS));
        self.take(Reading::Numbers(dated))
    }

    /// Reads the best conversations, and what stands next to the best documents.
    fn take_conversations(&mut self) -> Result<(), StoreError> {
        let best = self.best_conversations()?;
        if !best.is_empty() {
            self.take(Reading::Conversations(best, TURNS_PER_SESSION))?;
        }
        let turns = |number: &&i64| self.documents.get(number).is_some_and(|one| one.conversation.is_some());
        let turns: Vec<i64> = self.best.iter().filter(turns).copied().collect();
        if turns.is_empty() { Ok(()) } else { self.take(Reading::Neighbours(turns, NEIGHBOURS)) }
    }

    /// The best conversations, each taken as one text: first as if all were equally long, then as they are.
    fn best_conversations(&self) -> Result<Vec<i64>, StoreError> {
        let sessions = self.census.sessions;
        let mut counts: HashMap<i64, Vec<(f32, u32)>> = HashMap::new();
        for (_, occurrences) in self.terms.values() {
            let holding = occurrences.conversations.len() as f32;
            let rarity = ((sessions.count as f32 - holding).max(0.0) + 0.5) / (holding + 0.5);
            for (conversation, times) in &occurrences.conversations {
                counts.entry(*conversation).or_default().push((rarity.ln_1p(), *times));
            }
        }
        let score = |counts: &[(f32, u32)], length: f32| -> f32 {
            let norm = K1 * (1.0 - B + B * length);
            counts.iter().map(|(rarity, times)| rarity * *times as f32 / (*times as f32 + norm)).sum()
        };
        let mut best: Vec<(f32, i64)> =
            counts.iter().map(|(conversation, counts)| (score(counts, 1.0), *conversation)).collect();
        keep_best(&mut best, SESSIONS_WEIGHED);
        let numbers: Vec<i64> = best.into_iter().map(|(_, number)| number).collect();
        if numbers.len() <= SESSIONS {
            return Ok(numbers);
        }
        let usual = (sessions.words as f32 / sessions.count.max(1) as f32).max(1.0);
        let known = self.searcher.conversations(self.namespace, &numbers)?;
        let weighed =
            known.iter().map(|one| (score(&counts[&one.number], one.words as f32 / usual), one.number));
        let mut best: Vec<(f32, i64)> = weighed.collect();
        keep_best(&mut best, SESSIONS);
        Ok(best.into_iter().map(|(_, number)| number).collect())
    }

    /// Tells the census what is known of the conversations and days of what was read.
    fn tally_groups(&mut self) -> Result<(), StoreError> {
        let read = self.documents.values();
        let conversations: HashSet<i64> = read.clone().filter_map(|one| one.conversation).collect();
        let days: HashSet<i32> = read.filter_map(|one| one.document.day).collect();
        let numbers: Vec<i64> = conversations.into_iter().collect();
        for one in self.searcher.conversations(self.namespace, &numbers)? {
            let counts = self.counts_of(|known| &known.conversations, one.number);
            let tally = GroupTally { words: one.words, counts };
            self.census.in_sessions.insert((one.name, one.day), tally);
        }
        let days: Vec<i32> = days.into_iter().collect();
        for (day, words) in self.searcher.words_of_days(self.namespace, &days)? {
            let counts = self.counts_of(|known| &known.days, day);
            self.census.in_days.insert(day, GroupTally { words, counts });
        }
        Ok(())
    }

    /// How often each word occurs in a group.
    fn counts_of<K: Ord + Copy>(
        &self,
        groups: impl Fn(&Occurrences) -> &Vec<(K, u32)>,
        group: K,
    ) -> HashMap<String, u32> {
        let times = |(text, known): &(String, Occurrences)| {
            let groups = groups(known);
            let at = groups.binary_search_by_key(&group, |(one, _)| *one).ok()?;
            Some((text.clone(), groups[at].1))
        };
        self.terms.values().filter_map(times).collect()
    }

    /// An index of all that was gathered, with what was changed since.
    pub(super) fn into_index(mut self, mut index: Index, tail: Vec<Change>) -> Index {
        self.count_groups();
        let mut documents: Vec<Numbered> = self.documents.into_values().collect();
        // The order in which they came to the namespace decides between equals.
        documents.sort_unstable_by_key(|one| one.number);
        for one in documents {
            let named = |(term, times): &(i64, u16)| {
                let (name, _) = self.terms.get(term)?;
                Some((name.clone(), *times))
            };
            let terms = one.terms.iter().filter_map(named).collect();
            if let Some((told, vector)) = packed::told(one.document, terms) {
                told.enter(&mut index, vector.as_deref());
            }
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

    /// In how many conversations and on how many days each word occurs. Of a word that was not looked at everywhere, those
    /// documents that were tell how it spreads.
    fn count_groups(&mut self) {
        let Census { terms, sessions, days, .. } = &mut self.census;
        for (text, known) in self.terms.values() {
            let Some(term) = terms.get_mut(text) else { continue };
            let (in_sessions, on_days) = (known.conversations.len(), known.days.len());
            term.sessions = u32::try_from(in_sessions.min(sessions.count)).unwrap_or(u32::MAX);
            term.days = u32::try_from(on_days.min(days.count)).unwrap_or(u32::MAX);
        }
    }
}

/// The best so many, the best first.
fn keep_best(all: &mut Vec<(f32, i64)>, count: usize) {
    all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.truncate(count);
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
    let told_of = |tally: &mut GroupTally| {
        tally.words += u64::from(told.length);
        for (term, times) in &told.terms {
            *tally.counts.entry(term.clone()).or_default() += u32::from(*times);
        }
    };
    if let Some(session) = told.session.as_ref().filter(|_| !is_known) {
        census.in_sessions.get_mut(&(session.clone(), told.day)).map(told_of);
    }
    if let Some(day) = told.day.filter(|_| !is_known) {
        census.in_days.get_mut(&day).map(told_of);
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
