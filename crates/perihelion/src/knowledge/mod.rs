//! A knowledge graph: entities with a name and a type, what was observed of them, and how they stand to each other.
//!
//! The words and the outcomes are those of the reference memory server of the Model Context Protocol, so that whoever
//! used that can use this. How it is kept differs: every entity, observation and relation is a memory, and so is
//! recalled, exported, forgotten and restored like one. "Ana" of the type "person" is the memory "Ana (person)"; what
//! was observed of her is "Ana: prefers tea"; how she stands to another is "Ana works_at Acme". The metadata says
//! exactly which part of the graph a memory is ([`KnowledgePart`](peri_types::KnowledgePart)), all of them have the
//! tag `knowledge`, and the entities' names are aliases.
//!
//! What is part of a graph is never taken for another statement, merged, superseded or decayed away: two observations
//! that read alike are two as long as nobody deletes one. It moves outward like every memory that nobody uses, but
//! only deleting takes it away, to the trash.
//!
//! Every call that changes the graph reads it, decides, and writes everything together under the condition that
//! nobody else changed the graph meanwhile; otherwise it decides anew. So calls of many processes have the outcome of
//! one after the other, and one that fails changes nothing. A call that comes while the store is away waits as what
//! somebody wants of the graph, and is decided on the graph as it is when its turn comes.

mod change;
mod known;
mod search;
mod wanted;

use std::collections::HashSet;

use peri_types::{LimitError, Namespace};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::engine::Perihelion;

use change::Draft;
pub(crate) use wanted::KnowledgeChange;

/// Something that has a name, and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    /// What it is called. No other entity of the namespace has this name.
    pub name: String,
    /// What it is, such as `person` or `project`.
    pub entity_type: String,
    /// What is known of it, one fact each.
    pub observations: Vec<String>,
}

/// How one entity stands to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Relation {
    /// The name of the entity that it begins at.
    pub from: String,
    /// The name of the entity that it leads to.
    pub to: String,
    /// How the first stands to the second, as a verb in the active voice, such as `works_at`.
    pub relation_type: String,
}

/// Entities and relations, in the order in which they were added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeGraph {
    /// The entities.
    pub entities: Vec<Entity>,
    /// The relations.
    pub relations: Vec<Relation>,
}

/// What to add to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AddObservations {
    /// The name of the entity, which must exist.
    pub entity_name: String,
    /// What to add to it, one fact each.
    pub contents: Vec<String>,
}

/// What was added to an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObservationsAdded {
    /// The name of the entity.
    pub entity_name: String,
    /// What it did not have before, as it is kept.
    pub added_observations: Vec<String>,
}

/// What to take away from an entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DeleteObservations {
    /// The name of the entity.
    pub entity_name: String,
    /// What to take away from it, exactly as it reads.
    pub observations: Vec<String>,
}

/// Which entities were deleted, of those that were to be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EntitiesDeleted {
    /// Names that were there, as often as they were given.
    pub deleted: Vec<String>,
    /// Names that were not.
    pub not_found: Vec<String>,
}

/// How many observations were deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ObservationsDeleted {
    /// How many there were.
    pub deleted_count: u64,
    /// Entities that do not exist.
    pub missing_entities: Vec<String>,
}

/// What a graph brought that was not there before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnowledgeAdded {
    /// New entities.
    pub entities: u64,
    /// New observations, of new entities and of known ones.
    pub observations: u64,
    /// New relations.
    pub relations: u64,
}

impl Perihelion {
    /// Creates entities with their observations, and tells which ones. A name that is taken, or given twice, is left
    /// out with everything that came with it.
    pub fn create_entities(
        &self,
        namespace: &Namespace,
        entities: Vec<Entity>,
    ) -> Result<Vec<Entity>, Error> {
        let entities = entities.into_iter().map(|entity| self.core.clean_entity(entity));
        let entities = entities.collect::<Result<Vec<_>, _>>()?;
        let wanted = || KnowledgeChange::CreateEntities(entities.clone());
        self.change_graph(namespace, wanted, |draft| Ok(draft.create_entities(&entities)))
    }

    /// Creates relations between entities that exist, and tells which ones were not there yet. If one of the entities
    /// does not exist, nothing is created.
    pub fn create_relations(
        &self,
        namespace: &Namespace,
        relations: Vec<Relation>,
    ) -> Result<Vec<Relation>, Error> {
        let clean = |relation| self.core.clean_relation(relation);
        let relations: Vec<Relation> = relations.into_iter().map(clean).collect();
        let wanted = || KnowledgeChange::CreateRelations(relations.clone());
        self.change_graph(namespace, wanted, |draft| draft.create_relations(&self.core, &relations))
    }

    /// Adds what entities do not have yet, and tells what that was. If one of the entities does not exist, nothing is
    /// added.
    pub fn add_observations(
        &self,
        namespace: &Namespace,
        observations: Vec<AddObservations>,
    ) -> Result<Vec<ObservationsAdded>, Error> {
        let clean = |AddObservations { entity_name, contents }| {
            let entity_name = self.core.clean(entity_name);
            let contents = self.core.clean_observations(&entity_name, contents);
            AddObservations { entity_name, contents }
        };
        let observations: Vec<AddObservations> = observations.into_iter().map(clean).collect();
        let wanted = || KnowledgeChange::AddObservations(observations.clone());
        self.change_graph(namespace, wanted, |draft| draft.add_observations(&self.core, &observations))
    }

    /// Moves entities to the trash, with their observations and their relations. Names that do not exist change
    /// nothing.
    pub fn delete_entities(
        &self,
        namespace: &Namespace,
        names: Vec<String>,
    ) -> Result<EntitiesDeleted, Error> {
        let names: Vec<String> = names.into_iter().map(|name| self.core.clean(name)).collect();
        let wanted = || KnowledgeChange::DeleteEntities(names.clone());
        self.change_graph(namespace, wanted, |draft| Ok(draft.delete_named(&names)))
    }

    /// Moves observations to the trash. What does not exist changes nothing.
    pub fn delete_observations(
        &self,
        namespace: &Namespace,
        deletions: Vec<DeleteObservations>,
    ) -> Result<ObservationsDeleted, Error> {
        let clean = |DeleteObservations { entity_name, observations }| {
            let entity_name = self.core.clean(entity_name);
            let observations = self.core.clean_observations(&entity_name, observations);
            DeleteObservations { entity_name, observations }
        };
        let deletions: Vec<DeleteObservations> = deletions.into_iter().map(clean).collect();
        let wanted = || KnowledgeChange::DeleteObservations(deletions.clone());
        self.change_graph(namespace, wanted, |draft| Ok(draft.delete_all_observations(&deletions)))
    }

    /// Moves relations to the trash; how many there were. What does not exist changes nothing.
    pub fn delete_relations(&self, namespace: &Namespace, relations: Vec<Relation>) -> Result<u64, Error> {
        let relations = relations.into_iter().map(|relation| self.core.clean_relation(relation));
        let relations: HashSet<Relation> = relations.collect();
        let wanted = || KnowledgeChange::DeleteRelations(relations.iter().cloned().collect());
        self.change_graph(namespace, wanted, |draft| Ok(draft.delete_relations(&relations)))
    }

    /// The whole graph of a namespace.
    pub fn read_graph(&self, namespace: &Namespace) -> Result<KnowledgeGraph, Error> {
        Ok(self.core.knowledge(namespace)?.into_graph())
    }

    /// The entities with these names, with every relation that begins or ends at one of them. Names that do not
    /// exist are left out.
    pub fn open_nodes(&self, namespace: &Namespace, names: &[String]) -> Result<KnowledgeGraph, Error> {
        let names: HashSet<String> = names.iter().map(|name| self.core.clean(name.clone())).collect();
        let known = self.core.knowledge(namespace)?;
        let chosen = known.entities.iter().enumerate().filter(|(_, entity)| names.contains(&entity.name));
        let chosen = chosen.map(|(at, _)| at).collect();
        Ok(known.into_part(chosen))
    }

    /// Adds a whole graph, such as one from elsewhere. Entities that exist keep their type and gain the observations
    /// that they lack; relations are kept although an entity at one of their ends does not exist. Doing it again
    /// changes nothing.
    pub fn add_knowledge(
        &self,
        namespace: &Namespace,
        graph: KnowledgeGraph,
    ) -> Result<KnowledgeAdded, Error> {
        let graph = self.core.clean_graph(graph)?;
        let wanted = || KnowledgeChange::AddGraph(graph.clone());
        self.change_graph(namespace, wanted, |draft| Ok(draft.add_graph(&graph)))
    }

    /// What [`Perihelion::add_knowledge`] would add.
    pub fn preview_knowledge(
        &self,
        namespace: &Namespace,
        graph: KnowledgeGraph,
    ) -> Result<KnowledgeAdded, Error> {
        let graph = self.core.clean_graph(graph)?;
        Ok(Draft::of(self.core.knowledge(namespace)?, self.core.now()).add_graph(&graph))
    }

    /// Whether a graph keeps to the limits, so that it would not be refused.
    pub fn check_knowledge(&self, graph: &KnowledgeGraph) -> Result<(), Error> {
        self.core.clean_graph(graph.clone()).map(|_| ())
    }
}

/// The beginning of a name, for messages.
fn brief(name: &str) -> String {
    const CHARS: usize = 64;
    let mut brief: String = name.chars().take(CHARS).collect();
    if brief.len() < name.len() {
        brief.push('…');
    }
    brief
}

/// A limit that an entity, or something of it, does not keep to.
fn of_entity(name: &str, limit: LimitError) -> Error {
    Error::Entity { name: brief(name), limit }
}
