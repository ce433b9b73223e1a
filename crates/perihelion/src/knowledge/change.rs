//! Changing the graph: what a call asks for is cleaned and checked, decided on the graph as it is stored, and written
//! together, or decided anew if somebody else was faster.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use peri_store::{Embedding, IdOrigin, Links, Missing, NewMemory, StoreError, Write};
use peri_types::{
    Edge, EdgeType, Facets, Kind, KnowledgePart, Memory, MemoryId, Namespace, Scope, Timestamp,
};

use super::known::Known;
use super::{Entity, KnowledgeAdded, KnowledgeGraph, Relation, of_entity};
use crate::engine::Core;
use crate::queue::{Making, Transaction};
use crate::redact::redact_text;
use crate::{Error, Redaction, Remember};

/// The weight of the edge between the entities of a relation: as much as a link can have that was found. A link drawn
/// by hand is followed by every recall, but the relation's own memory says already what there is to say.
const RELATION_WEIGHT: f32 = 0.94;

/// A graph, and what a call changes of it.
pub(super) struct Draft {
    known: Known,
    now: Timestamp,
    new: Vec<Remember>,
    gone: Vec<MemoryId>,
    /// Relations without an edge, which get one if both ends exist by the end of the call.
    unlinked: Vec<Relation>,
    /// Entities that have no relation from the first to the second any more.
    parted: Vec<(MemoryId, MemoryId)>,
    /// The relations that are there, once somebody asked.
    related: Option<HashSet<Relation>>,
}

impl Draft {
    pub(super) fn of(known: Known, now: Timestamp) -> Self {
        let dangles =
            |one: &&Relation| !known.named.contains_key(&one.from) || !known.named.contains_key(&one.to);
        let unlinked =
            known.relations.iter().map(|(_, relation)| relation).filter(dangles).cloned().collect();
        let (new, gone, parted, related) = (Vec::new(), Vec::new(), Vec::new(), None);
        Self { known, now, new, gone, unlinked, parted, related }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.known.named.contains_key(name)
    }

    /// Where an entity is that must exist.
    pub(super) fn demand(&self, name: &str) -> Result<usize, Error> {
        self.known.named.get(name).copied().ok_or_else(|| Error::NoEntity { name: name.to_owned() })
    }

    /// Creates an entity with its observations; `false` if the name is taken.
    pub(super) fn create_entity(&mut self, entity: &Entity) -> bool {
        let Entity { name, entity_type, observations } = entity;
        let id = MemoryId::generate(self.now);
        let Some(at) = self.known.put_entity(id, name, entity_type) else { return false };
        self.add(id, &KnowledgePart::Entity { name, entity_type }, "");
        self.observe(at, observations.iter());
        true
    }

    /// Adds what an entity does not have. What is given twice at once is added twice, as the reference server does.
    pub(super) fn add_missing(&mut self, at: usize, texts: &[String]) -> Vec<String> {
        let own: HashSet<&String> =
            self.known.entities[at].observations.iter().map(|(_, text)| text).collect();
        let missing: Vec<String> = texts.iter().filter(|text| !own.contains(text)).cloned().collect();
        self.observe(at, missing.iter());
        missing
    }

    fn observe<'a>(&mut self, at: usize, texts: impl Iterator<Item = &'a String>) {
        let entity = self.known.entities[at].name.clone();
        let mut counts: HashMap<String, u64> = HashMap::new();
        for (_, text) in &self.known.entities[at].observations {
            *counts.entry(text.clone()).or_default() += 1;
        }
        for text in texts {
            let count = counts.entry(text.clone()).or_default();
            let id = MemoryId::generate(self.now);
            self.add(id, &KnowledgePart::Observation { entity: &entity, nth: *count }, text);
            *count += 1;
            self.known.entities[at].observations.push((id, text.clone()));
        }
    }

    /// Adds a relation, whether or not its ends exist; `false` if it is there.
    pub(super) fn add_relation(&mut self, relation: &Relation) -> bool {
        let all = || self.known.relations.iter().map(|(_, relation)| relation.clone()).collect();
        if !self.related.get_or_insert_with(all).insert(relation.clone()) {
            return false;
        }
        let Relation { from, to, relation_type } = relation;
        let id = MemoryId::generate(self.now);
        self.add(id, &KnowledgePart::Relation { from, to, relation_type }, "");
        self.known.relations.push((id, relation.clone()));
        self.unlinked.push(relation.clone());
        true
    }

    pub(super) fn add_graph(&mut self, graph: &KnowledgeGraph) -> KnowledgeAdded {
        let mut added = KnowledgeAdded::default();
        for entity in &graph.entities {
            let known = self.known.named.get(&entity.name).copied();
            added.observations += match known {
                Some(at) => self.add_missing(at, &entity.observations).len() as u64,
                None => {
                    added.entities += u64::from(self.create_entity(entity));
                    entity.observations.len() as u64
                }
            };
        }
        added.relations =
            graph.relations.iter().filter(|relation| self.add_relation(relation)).count() as u64;
        added
    }

    fn add(&mut self, id: MemoryId, part: &KnowledgePart<'_>, text: &str) {
        self.new.push(request(part, text, self.known.next_place, id));
        self.known.next_place += 1;
    }

    pub(super) fn delete_entities(&mut self, names: &[String]) {
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        let known = &mut self.known;
        for entity in known.entities.extract_if(.., |entity| names.contains(entity.name.as_str())) {
            self.gone.push(entity.id);
            self.gone.extend(entity.observations.into_iter().map(|(id, _)| id));
        }
        let places = known.entities.iter().enumerate();
        known.named = places.map(|(at, entity)| (entity.name.clone(), at)).collect();
        // Their edges go to the trash with the entities, and come back with them.
        let touches = |one: &Relation| names.contains(one.from.as_str()) || names.contains(one.to.as_str());
        let relations = known.relations.extract_if(.., |(_, relation)| touches(relation));
        self.gone.extend(relations.map(|(id, _)| id));
    }

    /// How many observations were deleted; none if there is no such entity.
    pub(super) fn delete_observations(&mut self, name: &str, texts: &[String]) -> Option<u64> {
        let entity = &mut self.known.entities[*self.known.named.get(name)?];
        let texts: HashSet<&String> = texts.iter().collect();
        let before = self.gone.len();
        let deleted = entity.observations.extract_if(.., |(_, text)| texts.contains(text));
        self.gone.extend(deleted.map(|(id, _)| id));
        Some((self.gone.len() - before) as u64)
    }

    pub(super) fn delete_relations(&mut self, relations: &HashSet<Relation>) -> u64 {
        let known = &mut self.known;
        let deleted = known.relations.extract_if(.., |(_, relation)| relations.contains(relation));
        let deleted: Vec<(MemoryId, Relation)> = deleted.collect();
        self.gone.extend(deleted.iter().map(|(id, _)| *id));
        let still: HashSet<(&str, &str)> =
            known.relations.iter().map(|(_, one)| (one.from.as_str(), one.to.as_str())).collect();
        let parted = deleted.iter().filter(|(_, one)| !still.contains(&(one.from.as_str(), one.to.as_str())));
        self.parted
            .extend(parted.filter_map(|(_, one)| Some((known.id_of(&one.from)?, known.id_of(&one.to)?))));
        deleted.len() as u64
    }

    fn changes_nothing(&self) -> bool {
        self.new.is_empty() && self.gone.is_empty()
    }

    /// The edges of relations whose ends exist.
    fn edges(&self) -> Vec<Edge> {
        let (edge_type, weight, created_at) = (EdgeType::RelatedTo, RELATION_WEIGHT, self.now);
        let edge = |one: &Relation| {
            let (source, target) = (self.known.id_of(&one.from)?, self.known.id_of(&one.to)?);
            Some(Edge { source, target, edge_type, weight, created_at })
        };
        self.unlinked.iter().filter_map(edge).collect()
    }
}

/// The memory of a part.
fn request(part: &KnowledgePart<'_>, text: &str, place: u64, id: MemoryId) -> Remember {
    let (kind, aliases) = match *part {
        KnowledgePart::Entity { name, .. } => (Kind::Fact, vec![name]),
        KnowledgePart::Observation { entity, .. } => (Kind::Observation, vec![entity]),
        KnowledgePart::Relation { from, to, .. } => (Kind::Fact, vec![from, to]),
    };
    let facets = Facets {
        tags: vec![KnowledgePart::TAG.to_owned(), part.name().to_owned()],
        aliases: aliases.into_iter().map(str::to_owned).collect(),
        metadata: part.metadata(place),
        ..Facets::default()
    };
    Remember { content: part.statement(text), kind: Some(kind), facets, id: Some(id), ..Remember::default() }
}

impl Core {
    /// Changes the graph of a namespace as somebody decides who sees it as it is.
    pub(super) fn change_knowledge<T>(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        decide: impl Fn(&mut Draft) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let started = Instant::now();
        let mut meanings = HashMap::new();
        loop {
            let mut draft = Draft::of(self.knowledge(namespace)?, making.at());
            let told = decide(&mut draft)?;
            if draft.changes_nothing() {
                return Ok(told);
            }
            match self.write_draft(making, namespace, draft, &mut meanings) {
                Ok(()) => return Ok(told),
                // Somebody else changed the graph, or purged a part of it. Each time that happens, they got on.
                Err(Error::Store(StoreError::Overtaken { .. } | StoreError::NotFound { .. }))
                    if started.elapsed() < self.options.busy_timeout => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn write_draft(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        draft: Draft,
        meanings: &mut HashMap<String, Embedding>,
    ) -> Result<(), Error> {
        let (at, edges) = (draft.now, draft.edges());
        let Draft { known, new, mut gone, parted, .. } = draft;
        let requests = new.into_iter().map(|request| request.in_namespace(namespace.clone()));
        let mut memories: Vec<Memory> = requests.map(|request| self.record(request, at).0).collect();
        self.place(&mut memories)?;
        self.embed_missing(&memories, meanings);
        gone.extend(memories.iter().filter_map(|memory| known.unseen.get(&memory.fingerprint())));
        let scope = Scope::Exact(namespace.clone());
        let mut writes = vec![Write::AdvanceKnowledge { namespace: namespace.clone(), read: known.revision }];
        writes.extend(gone.into_iter().map(|id| Write::Forget { scope: scope.clone(), id, at }));
        writes.extend(parted.into_iter().map(|(source, target)| {
            let (namespace, edge_type) = (namespace.clone(), Some(EdgeType::RelatedTo));
            Write::Unlink { namespace, source, target, edge_type, at }
        }));
        writes.extend(memories.into_iter().map(|memory| {
            let embedding = meanings.get(&memory.content).cloned().unwrap_or(Embedding::Pending);
            let (links, id) = (Links::Later, IdOrigin::Drawn);
            Write::Remember(Box::new(NewMemory { memory, embedding, links, id }))
        }));
        if !edges.is_empty() {
            let (namespace, max) = (namespace.clone(), self.options.graph.edges_max);
            writes.push(Write::Link { namespace, edges, max, missing: Missing::Skipped });
        }
        let written = making.write(Transaction::Only, writes)?;
        self.note_written(&written);
        Ok(())
    }

    /// Embeds what has not been embedded by this call: deciding anew must not take as long as the first time, or
    /// others would be faster again.
    fn embed_missing(&self, memories: &[Memory], meanings: &mut HashMap<String, Embedding>) {
        let texts = memories.iter().map(|memory| memory.content.as_str());
        let texts: Vec<&str> = texts.filter(|text| !meanings.contains_key(*text)).collect();
        let found = self.embed(&texts);
        let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
        meanings.extend(texts.into_iter().zip(found));
    }

    /// A text without its secrets.
    pub(super) fn clean(&self, mut text: String) -> String {
        if self.options.redaction == Redaction::On {
            redact_text(&mut text, &mut Vec::new());
        }
        text
    }

    /// Observations without their secrets. The entity's name may give one away, as in "password: …".
    pub(super) fn clean_observations(&self, entity: &str, texts: Vec<String>) -> Vec<String> {
        let part = KnowledgePart::Observation { entity, nth: 0 };
        let clean = |text: String| part.text(&self.clean(part.statement(&text))).to_owned();
        texts.into_iter().map(clean).collect()
    }

    pub(super) fn clean_relation(&self, relation: Relation) -> Relation {
        let Relation { from, to, relation_type } = relation;
        let [from, to, relation_type] = [from, to, relation_type].map(|text| self.clean(text));
        Relation { from, to, relation_type }
    }

    /// An entity without its secrets, if it keeps to the limits.
    pub(super) fn clean_entity(&self, entity: Entity) -> Result<Entity, Error> {
        let (name, entity_type) = (self.clean(entity.name), self.clean(entity.entity_type));
        self.check_name(&name)?;
        self.check_part(&name, &KnowledgePart::Entity { name: &name, entity_type: &entity_type }, "")?;
        let observations = self.clean_observations(&name, entity.observations);
        self.check_observations(&name, &observations)?;
        Ok(Entity { name, entity_type, observations })
    }

    pub(super) fn clean_graph(&self, graph: KnowledgeGraph) -> Result<KnowledgeGraph, Error> {
        let entities = graph.entities.into_iter().map(|entity| self.clean_entity(entity));
        let entities = entities.collect::<Result<_, _>>()?;
        let relations = graph.relations.into_iter().map(|relation| self.clean_relation(relation));
        let relations: Vec<Relation> = relations.collect();
        relations.iter().try_for_each(|relation| self.check_relation(relation))?;
        Ok(KnowledgeGraph { entities, relations })
    }

    fn check_name(&self, name: &str) -> Result<(), Error> {
        self.options.limits.check_label("name", name).map_err(|limit| of_entity(name, limit))
    }

    pub(super) fn check_observations(&self, entity: &str, texts: &[String]) -> Result<(), Error> {
        let part = KnowledgePart::Observation { entity, nth: u64::MAX };
        texts.iter().try_for_each(|text| self.check_part(entity, &part, text))
    }

    pub(super) fn check_relation(&self, relation: &Relation) -> Result<(), Error> {
        let Relation { from, to, relation_type } = relation;
        self.check_name(from)?;
        self.check_name(to)?;
        self.check_part(from, &KnowledgePart::Relation { from, to, relation_type }, "")
    }

    /// Checks the memory that a part would be.
    fn check_part(&self, entity: &str, part: &KnowledgePart<'_>, text: &str) -> Result<(), Error> {
        let memory = request(part, text, u64::MAX, MemoryId::from_bytes([0; 16]));
        self.check(&memory).map_err(|error| match error {
            Error::Limit(limit) => of_entity(entity, limit),
            error => error,
        })
    }
}
