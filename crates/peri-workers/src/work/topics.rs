//! Topics: groups of memories that are linked to each other, named by the words that tell them from the rest.

use std::collections::{BTreeMap, HashMap, HashSet};

use perihelion::{Memory, MemoryId, Namespace, Scope};
use serde::{Deserialize, Serialize};

use super::memories;
use crate::job::{Job, Trouble};

/// A group of fewer memories is no topic.
const MEMBERS_MIN: usize = 4;

/// So many topics of a namespace are told, the largest first.
const TOPICS: usize = 30;

/// So many words name a topic.
const WORDS: usize = 4;

/// So many memories stand for a topic.
const SHOWN: usize = 12;

/// A topic of a namespace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Topic {
    pub(super) namespace: Namespace,
    pub(super) name: String,
    pub(super) size: usize,
    /// Those that stand for it: the most important first.
    pub(super) ids: Vec<MemoryId>,
}

/// The topics of a scope, by namespace, the largest first.
pub(super) fn topics(job: &Job<'_>, scope: &Scope) -> Result<Vec<Topic>, Trouble> {
    let mut all: BTreeMap<Namespace, HashMap<MemoryId, Memory>> = BTreeMap::new();
    memories::each(job, scope, |memory| {
        all.entry(memory.namespace.clone()).or_default().insert(memory.id, memory);
    })?;
    let mut topics = Vec::new();
    for (namespace, memories) in all {
        job.breathe()?;
        let groups = job.engine.communities(&namespace)?.groups;
        let spread = spread(memories.values());
        for group in groups.into_iter().take(TOPICS) {
            let mut members: Vec<&Memory> = group.iter().filter_map(|id| memories.get(id)).collect();
            if members.len() < MEMBERS_MIN {
                continue;
            }
            members
                .sort_by(|a, b| b.importance.value().total_cmp(&a.importance.value()).then(a.id.cmp(&b.id)));
            topics.push(Topic {
                namespace: namespace.clone(),
                name: name(&members, &spread, memories.len()),
                size: members.len(),
                ids: members.iter().take(SHOWN).map(|memory| memory.id).collect(),
            });
        }
    }
    Ok(topics)
}

/// The words of a text, each once: as they were written, in lower case.
fn words(text: &str) -> HashSet<String> {
    let terms = peri_text::analyze_query(text).into_iter();
    let says = |term: &peri_text::QueryTerm| {
        term.class != peri_text::TermClass::Date
            && !peri_text::is_stop_word(&term.surface)
            && term.surface.chars().count() > 1
    };
    terms.filter(says).map(|term| term.surface).collect()
}

/// In how many memories each word occurs.
fn spread<'a>(memories: impl Iterator<Item = &'a Memory>) -> HashMap<String, usize> {
    let mut spread = HashMap::new();
    for memory in memories {
        words(&memory.content).into_iter().for_each(|word| *spread.entry(word).or_default() += 1);
    }
    spread
}

/// The words that many members hold and few others do.
fn name(members: &[&Memory], spread: &HashMap<String, usize>, all: usize) -> String {
    let mut own: HashMap<String, usize> = HashMap::new();
    for memory in members {
        words(&memory.content).into_iter().for_each(|word| *own.entry(word).or_default() += 1);
    }
    let weight = |word: &str, count: usize| {
        let elsewhere = spread.get(word).copied().unwrap_or(count) as f64;
        count as f64 / members.len() as f64 * (all as f64 / elsewhere).ln_1p()
    };
    let mut words: Vec<(f64, String)> = own
        .into_iter()
        .filter(|(_, count)| *count > 1)
        .map(|(word, count)| (weight(&word, count), word))
        .collect();
    words.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let words: Vec<String> = words.into_iter().take(WORDS).map(|(_, word)| word).collect();
    if words.is_empty() { memories::begin(&members[0].content) } else { words.join(", ") }
}
