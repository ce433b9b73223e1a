//! Searching the graph: by the letters, as the reference server does, and by words and meaning, as recall does.

use std::collections::HashSet;

use peri_types::{Filter, KnowledgePart, Namespace, Scope};

use super::KnowledgeGraph;
use super::known::{Known, KnownEntity};
use crate::engine::Perihelion;
use crate::{Error, Recall};

impl Perihelion {
    /// The entities that have to do with a query, with every relation that begins or ends at one of them.
    ///
    /// First come those whose name, type or one of whose observations holds the query as it is written, in capitals
    /// or not, in the order in which they were created. After them come those that recall finds, the best first:
    /// the entities it finds, those of which it finds an observation, and both ends of a relation that it finds. An
    /// empty query finds everything.
    pub fn search_nodes(&self, namespace: &Namespace, query: &str) -> Result<KnowledgeGraph, Error> {
        let query = self.core.clean(query.to_owned());
        let recalled = if query.trim().is_empty() { Vec::new() } else { self.recalled(namespace, &query)? };
        let known = self.core.knowledge(namespace)?;
        let mut chosen = known.holding(&query);
        let mut seen: HashSet<usize> = chosen.iter().copied().collect();
        let found = recalled.iter().filter_map(|name| known.named.get(name).copied());
        chosen.extend(found.filter(|at| seen.insert(*at)));
        Ok(known.into_part(chosen))
    }

    /// The names of the entities that recall finds, the best first.
    fn recalled(&self, namespace: &Namespace, query: &str) -> Result<Vec<String>, Error> {
        let filter = Filter { tags: vec![KnowledgePart::TAG.to_owned()], ..Filter::default() };
        let request = Recall { filter, ..Recall::new(query) }.in_scope(Scope::Exact(namespace.clone()));
        let hits = self.recall(&request)?.hits;
        let names = hits.iter().filter_map(|hit| hit.memory.part()).flat_map(|part| match part {
            KnowledgePart::Entity { name, .. } => vec![name.to_owned()],
            KnowledgePart::Observation { entity, .. } => vec![entity.to_owned()],
            KnowledgePart::Relation { from, to, .. } => vec![from.to_owned(), to.to_owned()],
        });
        Ok(names.collect())
    }
}

impl Known {
    /// Where the entities are that hold a text.
    fn holding(&self, text: &str) -> Vec<usize> {
        let text = text.to_lowercase();
        let holds = |own: &str| own.to_lowercase().contains(&text);
        let matches = |one: &KnownEntity| {
            let observed = || one.observations.iter().any(|(_, own)| holds(own));
            holds(&one.name) || holds(&one.entity_type) || observed()
        };
        let entities = self.entities.iter().enumerate();
        entities.filter(|(_, entity)| matches(entity)).map(|(at, _)| at).collect()
    }
}
