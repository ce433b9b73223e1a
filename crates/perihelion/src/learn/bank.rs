//! The bank: the patterns of a namespace, held in memory beside an index of them, and what can be done with them.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use peri_embed::StaticEngine;
use peri_index::Index;
use peri_learn::bank::{self, Held};
use peri_store::{Embedding, Store, StoreError, Told, WholePattern, Write, Written};
use peri_types::{
    ChangeNumber, Facets, Happening, Importance, Kind, Layer, Memory, MemoryId, Namespace, Pattern,
    PatternId, PatternTerm, Scope, SpaceId, Timestamp, Vector, Zone,
};
use serde::{Deserialize, Serialize};

use crate::engine::{Core, Perihelion};
use crate::redact::redact_text;
use crate::reindex::Sense;
use crate::{Error, Redaction, entry};

/// Patterns are read from the store so many at a time.
const PAGE: usize = 512;

/// So often a change is tried that others are faster at.
const ATTEMPTS: usize = 8;

/// At most so many banks are held in memory.
const OPEN_MAX: usize = 64;

/// A strategy to keep. Only its words must be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct NewPattern {
    /// Where it belongs.
    pub namespace: Namespace,
    /// What to do, in words.
    pub strategy: String,
    /// The field it belongs to, such as `security`; found by its words if left out.
    pub domain: Option<String>,
    /// Who should do it.
    pub agent: Option<String>,
    /// How well it works, from 0 to 1; in the middle if nobody says.
    pub quality: Option<f32>,
}

impl NewPattern {
    /// A strategy.
    pub fn new(strategy: impl Into<String>) -> Self {
        Self { strategy: strategy.into(), ..Self::default() }
    }

    /// The same in another namespace.
    pub fn in_namespace(mut self, namespace: Namespace) -> Self {
        self.namespace = namespace;
        self
    }
}

/// What was done with a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PatternOutcome {
    /// It is a new pattern.
    Stored,
    /// One said the same already; what was new about it was joined in.
    Merged,
    /// The store cannot be reached. It is kept on this machine and will be stored when it can be.
    Queued,
}

/// What became of a strategy that was to be kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatternReceipt {
    /// The pattern as it is now.
    pub pattern: Pattern,
    /// What was done.
    pub outcome: PatternOutcome,
}

/// Which patterns to list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatternList {
    /// Where to look.
    pub scope: Scope,
    /// Of this field.
    pub domain: Option<String>,
    /// Of this term.
    pub term: Option<PatternTerm>,
    /// Those that were put aside, instead of those that are offered.
    pub retired: bool,
    /// At most so many, the best first.
    pub limit: Option<usize>,
}

/// The banks that are in memory.
#[derive(Default)]
pub(crate) struct Banks {
    open: Mutex<HashMap<Namespace, Arc<RwLock<Bank>>>>,
}

/// The patterns of one namespace.
pub(crate) struct Bank {
    space: Option<SpaceId>,
    /// Of those that are offered.
    pub(super) index: Index,
    pub(super) patterns: HashMap<PatternId, (Pattern, Option<Vec<f32>>)>,
    head: ChangeNumber,
}

impl Bank {
    fn empty(space: Option<SpaceId>) -> Self {
        let index = Index::new(space.clone(), entry::VERSION);
        Self { space, index, patterns: HashMap::new(), head: ChangeNumber(0) }
    }

    /// Reads what changed since, and everything if something left.
    fn follow(
        &mut self,
        store: &dyn Store,
        namespace: &Namespace,
        lexicon: &StaticEngine,
    ) -> Result<(), StoreError> {
        loop {
            let page = store.patterns(namespace, self.space.as_ref(), self.head, PAGE)?;
            let is_last = page.len() < PAGE;
            for (pattern, vector) in page {
                self.head = self.head.max(pattern.change);
                self.put(pattern, vector, lexicon);
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn put(&mut self, pattern: Pattern, vector: Option<Vec<f32>>, lexicon: &StaticEngine) {
        let id = MemoryId::from_bytes(*pattern.id.as_bytes());
        if pattern.retired_at.is_some() {
            self.index.remove(id);
        } else {
            entry::put(&mut self.index, lexicon, &as_memory(&pattern), vector.as_deref());
        }
        self.patterns.insert(pattern.id, (pattern, vector));
    }

    /// Every pattern that is offered, with its meaning.
    pub(super) fn held(&self) -> Vec<Held<'_>> {
        let mut held: Vec<Held<'_>> = self
            .patterns
            .values()
            .filter(|(pattern, _)| pattern.retired_at.is_none())
            .map(|(pattern, vector)| Held { pattern, vector: vector.as_deref() })
            .collect();
        held.sort_by_key(|one| one.pattern.id);
        held
    }
}

/// A pattern as the index and the ranking see it: a memory of how something is done.
fn as_memory(pattern: &Pattern) -> Memory {
    Memory {
        id: MemoryId::from_bytes(*pattern.id.as_bytes()),
        namespace: pattern.namespace.clone(),
        content: pattern.strategy.clone(),
        layer: Layer::LongTerm,
        kind: Kind::Procedure,
        importance: Importance::default(),
        zone: Zone::default(),
        facets: Facets { tags: vec![pattern.domain.clone()], ..Facets::default() },
        created_at: pattern.created_at,
        updated_at: pattern.created_at,
        version: 1,
        trashed_at: None,
        trashed_by: None,
        space: None,
        change: pattern.change,
    }
}

impl Core {
    /// The bank of a namespace with every change that the store has committed.
    pub(super) fn bank(&self, sense: &Sense, namespace: &Namespace) -> Result<Arc<RwLock<Bank>>, StoreError> {
        let space = sense.indexes.space().cloned();
        let bank = {
            let mut open = self.banks.open.lock();
            if open.len() >= OPEN_MAX && !open.contains_key(namespace) {
                // Reading one again is cheap: banks are small.
                open.clear();
            }
            let fresh = || Arc::new(RwLock::new(Bank::empty(space.clone())));
            Arc::clone(open.entry(namespace.clone()).or_insert_with(fresh))
        };
        let (count, last) = self.store.pattern_mark(namespace)?;
        let is_current =
            |bank: &Bank| bank.space == space && (bank.patterns.len() as u64, bank.head) == (count, last);
        if !is_current(&bank.read()) {
            let mut bank = bank.write();
            if bank.space != space {
                *bank = Bank::empty(space);
            }
            bank.follow(&*self.store, namespace, &self.lexicon)?;
            if bank.patterns.len() as u64 != count {
                // Some have left, as after a restore.
                *bank = Bank::empty(bank.space.clone());
                bank.follow(&*self.store, namespace, &self.lexicon)?;
            }
        }
        Ok(bank)
    }

    /// The meaning of a strategy; none if there is no engine, or it does not know the language, or it fails.
    pub(super) fn meaning_of(&self, sense: &Sense, text: &str) -> Option<Vector> {
        match self.embed_with(sense, &[text]).pop() {
            Some(Embedding::Ready(vector)) => Some(vector),
            _ => None,
        }
    }

    /// Changes patterns by what the bank holds, again if somebody else was faster. What is told comes with the change.
    pub(super) fn change_patterns<T>(
        &self,
        namespace: &Namespace,
        change: impl Fn(&Bank, &Sense) -> Result<Changed<T>, Error>,
    ) -> Result<T, Error> {
        for _ in 0..ATTEMPTS {
            let sense = self.sense();
            let bank = self.bank(&sense, namespace)?;
            let (patterns, told, outcome) = change(&bank.read(), &sense)?;
            if patterns.is_empty() {
                return Ok(outcome);
            }
            let at = self.now();
            let mut writes = vec![Write::PutPatterns { patterns }];
            let tell = |what| Write::Tell(Told { namespace: Some(namespace.clone()), at, what });
            writes.extend(told.into_iter().map(tell));
            if !self.write(writes)?.contains(&Written::Stale) {
                return Ok(outcome);
            }
        }
        Err(Error::PatternsBusy)
    }
}

impl Perihelion {
    /// Keeps a strategy that somebody knows to work, or joins it into the one that says the same.
    pub fn store_pattern(&self, new: NewPattern) -> Result<PatternReceipt, Error> {
        let core = &self.core;
        let pattern = core.new_pattern(new)?;
        let namespace = pattern.namespace.clone();
        let stored = core.change_patterns(&namespace, |bank, sense| {
            let vector = core.meaning_of(sense, &pattern.strategy);
            Ok(core.stored_or_merged(bank, pattern.clone(), vector))
        });
        match stored {
            // It waits as it is; whatever says the same is found when the bank is next tended.
            Err(Error::Store(error)) if error.is_passing() => {
                let whole = WholePattern { pattern: pattern.clone(), vector: None, expected: None };
                core.write(vec![Write::PutPatterns { patterns: vec![whole] }])?;
                Ok(PatternReceipt { pattern, outcome: PatternOutcome::Queued })
            }
            outcome => outcome,
        }
    }

    /// One pattern, retired or not.
    pub fn pattern(&self, scope: &Scope, id: PatternId) -> Result<Pattern, Error> {
        let found = self.core.store.pattern(scope, id, None)?;
        found.map(|(pattern, _)| pattern).ok_or(Error::NoPattern { id })
    }

    /// Patterns, the best first.
    pub fn patterns(&self, list: &PatternList) -> Result<Vec<Pattern>, Error> {
        let core = &self.core;
        let limit = list.limit.unwrap_or(100);
        core.options.limits.check_results(limit)?;
        let (sense, now) = (core.sense(), core.now());
        let mut found = Vec::new();
        for namespace in core.store.namespaces(&list.scope)? {
            let bank = core.bank(&sense, &namespace)?;
            let bank = bank.read();
            let all = bank.patterns.values().map(|(pattern, _)| pattern);
            found.extend(all.filter(|pattern| list.asks_for(pattern)).cloned());
        }
        let settings = &core.options.learning.bank;
        found.sort_by(|a, b| {
            let worth = |pattern: &Pattern| bank::worth(pattern, now, settings);
            b.term.cmp(&a.term).then(worth(b).total_cmp(&worth(a))).then(a.id.cmp(&b.id))
        });
        found.truncate(limit);
        Ok(found)
    }

    /// Keeps a pattern for good.
    pub fn promote_pattern(&self, scope: &Scope, id: PatternId) -> Result<Pattern, Error> {
        let promoted = Happening::PatternPromoted { pattern: id };
        self.revise_pattern(scope, id, promoted, |pattern, _| {
            let was = std::mem::replace(&mut pattern.term, PatternTerm::Long);
            was != PatternTerm::Long
        })
    }

    /// Puts a pattern aside: it is not offered any more, and can be brought back.
    pub fn retire_pattern(&self, scope: &Scope, id: PatternId) -> Result<Pattern, Error> {
        let retired = Happening::PatternRetired { pattern: id };
        self.revise_pattern(scope, id, retired, |pattern, now| {
            let is_new = pattern.retired_at.is_none();
            pattern.retired_at.get_or_insert(now);
            is_new
        })
    }

    /// Offers a pattern again that was put aside.
    pub fn restore_pattern(&self, scope: &Scope, id: PatternId) -> Result<Pattern, Error> {
        let quality = self.pattern(scope, id)?.quality;
        let learned = Happening::PatternLearned { pattern: id, quality };
        self.revise_pattern(scope, id, learned, |pattern, now| {
            // It is not put aside again for what was before.
            pattern.used_at = Some(now);
            pattern.retired_at.take().is_some()
        })
    }

    fn revise_pattern(
        &self,
        scope: &Scope,
        id: PatternId,
        what: Happening,
        revise: impl Fn(&mut Pattern, Timestamp) -> bool,
    ) -> Result<Pattern, Error> {
        let namespace = self.pattern(scope, id)?.namespace;
        let now = self.core.now();
        self.core.change_patterns(&namespace, |bank, _| {
            let (mut pattern, vector) = bank.patterns.get(&id).cloned().ok_or(Error::NoPattern { id })?;
            if !revise(&mut pattern, now) {
                return Ok((Vec::new(), Vec::new(), pattern));
            }
            let whole = bank.whole(pattern.clone(), vector);
            Ok((vec![whole], vec![what.clone()], pattern))
        })
    }
}

impl Bank {
    /// A pattern that is to be written in the place of the one that is held.
    pub(super) fn whole(&self, pattern: Pattern, vector: Option<Vec<f32>>) -> WholePattern {
        let expected = self.patterns.get(&pattern.id).map_or(ChangeNumber(0), |(own, _)| own.change);
        let vector = vector.zip(self.space.clone()).map(|(values, space)| Vector { space, values });
        WholePattern { pattern, vector, expected: Some(expected) }
    }
}

impl PatternList {
    fn asks_for(&self, pattern: &Pattern) -> bool {
        pattern.retired_at.is_some() == self.retired
            && self.domain.as_ref().is_none_or(|domain| domain.trim().to_lowercase() == pattern.domain)
            && self.term.is_none_or(|term| term == pattern.term)
    }
}

/// Patterns to write, what is told of them, and what the caller is told.
type Changed<T> = (Vec<WholePattern>, Vec<Happening>, T);

impl Core {
    fn new_pattern(&self, mut new: NewPattern) -> Result<Pattern, Error> {
        let limits = &self.options.limits;
        limits.check_content(&new.strategy)?;
        let labels = [("domain", &new.domain), ("agent", &new.agent)];
        let given = labels.iter().filter_map(|(what, label)| Some((*what, label.as_deref()?)));
        given.into_iter().try_for_each(|(what, label)| limits.check_label(what, label))?;
        let quality = new.quality.unwrap_or(bank::START_QUALITY);
        if !(0.0..=1.0).contains(&quality) {
            return Err(Error::Confidence { given: quality });
        }
        if self.options.redaction == Redaction::On {
            let labels = [&mut new.domain, &mut new.agent].into_iter().flatten();
            labels.chain([&mut new.strategy]).for_each(|text| redact_text(text, &mut Vec::new()));
        }
        let domain =
            new.domain.map(|domain| domain.trim().to_lowercase()).filter(|domain| !domain.is_empty());
        let now = self.now();
        Ok(Pattern {
            id: PatternId::generate(now),
            namespace: new.namespace,
            domain: domain.unwrap_or_else(|| peri_learn::domains::domain_of(&new.strategy).to_owned()),
            strategy: new.strategy,
            agent: new.agent,
            quality,
            uses: 0,
            successes: 0,
            term: PatternTerm::Short,
            sources: Vec::new(),
            created_at: now,
            used_at: None,
            retired_at: None,
            change: ChangeNumber(0),
        })
    }

    fn stored_or_merged(
        &self,
        bank: &Bank,
        pattern: Pattern,
        vector: Option<Vector>,
    ) -> Changed<PatternReceipt> {
        let settings = &self.options.learning.bank;
        let values = vector.map(|vector| vector.values);
        let new = Held { pattern: &pattern, vector: values.as_deref() };
        let same = bank.held().into_iter().find(|own| bank::say_the_same(*own, new, settings));
        match same {
            Some(own) => {
                let merged = bank::merge(own.pattern, &pattern, settings);
                let whole = bank.whole(merged.clone(), own.vector.map(<[f32]>::to_vec));
                let receipt = PatternReceipt { pattern: merged, outcome: PatternOutcome::Merged };
                (vec![whole], Vec::new(), receipt)
            }
            None => {
                let learned = Happening::PatternLearned { pattern: pattern.id, quality: pattern.quality };
                let whole = bank.whole(pattern.clone(), values);
                let receipt = PatternReceipt { pattern, outcome: PatternOutcome::Stored };
                (vec![whole], vec![learned], receipt)
            }
        }
    }
}
