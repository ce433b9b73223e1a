//! The graph as it is stored: read in one pass, and put together in the order in which it was added.

use std::collections::{HashMap, HashSet};

use peri_store::{ListQuery, Order};
use peri_types::{Filter, Fingerprint, KnowledgePart, Memory, MemoryId, Namespace, Scope};

use super::{Entity, KnowledgeGraph, Relation};
use crate::Error;
use crate::engine::Core;

/// Memories are read so many at a time.
const PAGE: usize = 2000;

/// A graph that changes while it is read is read again, so many times at most. What is changed rests on its revision
/// in any case.
const READINGS: usize = 8;

/// A graph as it is stored.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) entities: Vec<KnownEntity>,
    /// Where each name is in the list.
    pub(super) named: HashMap<String, usize>,
    pub(super) relations: Vec<(MemoryId, Relation)>,
    /// Parts outside the trash that are not seen, because they expired or somebody gave them a successor.
    pub(super) unseen: HashMap<Fingerprint, MemoryId>,
    /// The place of the next part.
    pub(super) next_place: u64,
    /// The revision that was read.
    pub(super) revision: u64,
}

/// An entity and the memories that hold it.
#[derive(Debug)]
pub(super) struct KnownEntity {
    pub(super) id: MemoryId,
    pub(super) name: String,
    pub(super) entity_type: String,
    pub(super) observations: Vec<(MemoryId, String)>,
}

impl Core {
    /// The graph of a namespace.
    pub(super) fn knowledge(&self, namespace: &Namespace) -> Result<Known, Error> {
        let mut revision = self.store.knowledge_revision(namespace)?;
        let mut left = READINGS;
        loop {
            let known = Known::of(self.parts(namespace)?, revision, |memory| memory.is_visible(self.now()));
            revision = self.store.knowledge_revision(namespace)?;
            left -= 1;
            if revision == known.revision || left == 0 {
                return Ok(known);
            }
        }
    }

    /// Every part outside the trash, in the order of their places.
    fn parts(&self, namespace: &Namespace) -> Result<Vec<(u64, Memory)>, Error> {
        let filter = Filter { tags: vec![KnowledgePart::TAG.to_owned()], ..Filter::default() };
        let mut query = ListQuery {
            scope: Scope::Exact(namespace.clone()),
            filter,
            order: Order::OldestFirst,
            limit: PAGE,
            ..ListQuery::default()
        };
        let mut parts = Vec::new();
        loop {
            let page = self.store.list(&query)?;
            parts.extend(
                page.memories.into_iter().map(|memory| (KnowledgePart::place(&memory.facets), memory)),
            );
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        // Ids follow the clock, which may be set back.
        parts.sort_by_key(|(place, memory)| (*place, memory.id));
        Ok(parts)
    }
}

impl Known {
    fn of(parts: Vec<(u64, Memory)>, revision: u64, is_seen: impl Fn(&Memory) -> bool) -> Self {
        let next_place = parts.last().map_or(0, |(place, _)| place + 1);
        let mut known = Self { next_place, revision, ..Self::default() };
        let mut observations = Vec::new();
        for (_, memory) in &parts {
            match memory.part() {
                Some(_) if !is_seen(memory) => {
                    known.unseen.insert(memory.fingerprint(), memory.id);
                }
                Some(KnowledgePart::Entity { name, entity_type }) => {
                    known.put_entity(memory.id, name, entity_type);
                }
                // Its entity may have a later place: somebody forgot that and created it anew.
                Some(part @ KnowledgePart::Observation { entity, .. }) => {
                    observations.push((entity, memory.id, part.text(&memory.content)));
                }
                Some(KnowledgePart::Relation { from, to, relation_type }) => {
                    let [from, to, relation_type] = [from, to, relation_type].map(str::to_owned);
                    known.relations.push((memory.id, Relation { from, to, relation_type }));
                }
                None => {}
            }
        }
        for (entity, id, text) in observations {
            if let Some(at) = known.named.get(entity) {
                known.entities[*at].observations.push((id, text.to_owned()));
            }
        }
        known
    }

    /// Puts an entity at the end of the list, unless the name is taken.
    pub(super) fn put_entity(&mut self, id: MemoryId, name: &str, entity_type: &str) -> Option<usize> {
        if self.named.contains_key(name) {
            return None;
        }
        let at = self.entities.len();
        self.named.insert(name.to_owned(), at);
        let (name, entity_type) = (name.to_owned(), entity_type.to_owned());
        self.entities.push(KnownEntity { id, name, entity_type, observations: Vec::new() });
        Some(at)
    }

    /// The memory of an entity.
    pub(super) fn id_of(&self, name: &str) -> Option<MemoryId> {
        self.named.get(name).map(|at| self.entities[*at].id)
    }

    /// All of it.
    pub(super) fn into_graph(self) -> KnowledgeGraph {
        let entities = self.entities.into_iter().map(KnownEntity::into_entity).collect();
        KnowledgeGraph {
            entities,
            relations: self.relations.into_iter().map(|(_, relation)| relation).collect(),
        }
    }

    /// Some entities, in this order, and the relations that begin or end at one of them.
    pub(super) fn into_part(self, chosen: Vec<usize>) -> KnowledgeGraph {
        let mut all: Vec<Option<KnownEntity>> = self.entities.into_iter().map(Some).collect();
        let entities = chosen.into_iter().filter_map(|at| all.get_mut(at)?.take());
        let entities: Vec<Entity> = entities.map(KnownEntity::into_entity).collect();
        let names: HashSet<&str> = entities.iter().map(|entity| entity.name.as_str()).collect();
        let relations = self.relations.into_iter().map(|(_, relation)| relation);
        let touches = |one: &Relation| names.contains(one.from.as_str()) || names.contains(one.to.as_str());
        let relations = relations.filter(touches).collect();
        KnowledgeGraph { entities, relations }
    }
}

impl KnownEntity {
    fn into_entity(self) -> Entity {
        let observations = self.observations.into_iter().map(|(_, text)| text).collect();
        Entity { name: self.name, entity_type: self.entity_type, observations }
    }
}
