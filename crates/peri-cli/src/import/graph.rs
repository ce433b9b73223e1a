//! Entities and relations of other systems: they go to the knowledge graph of a namespace.

use perihelion::{KnowledgeAdded, KnowledgeGraph, Namespace, Relation};
use serde::Serialize;

use super::intake::{Intake, Purpose};
use crate::error::CliError;

/// Relations of one transaction.
const BATCH: usize = 4096;

/// What a graph brought.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Outcome {
    /// What was not there before.
    pub(crate) added: KnowledgeAdded,
    /// What was.
    pub(crate) known: KnowledgeAdded,
}

impl Outcome {
    /// The same with what another graph brought.
    pub(crate) fn add(&mut self, other: &Self) {
        for (own, other) in [(&mut self.added, &other.added), (&mut self.known, &other.known)] {
            own.entities += other.entities;
            own.observations += other.observations;
            own.relations += other.relations;
        }
    }
}

/// Stores a graph, or tells what would be stored. Relations that cannot be kept are refused, each at its place.
pub(super) fn store(
    intake: &mut Intake<'_>,
    namespace: &Namespace,
    graph: KnowledgeGraph,
    places: &[String],
) -> Result<Outcome, CliError> {
    let engine = intake.engine;
    let mut kept = KnowledgeGraph::default();
    for entity in graph.entities {
        let alone = KnowledgeGraph { entities: vec![entity], relations: Vec::new() };
        match engine.check_knowledge(&alone) {
            Ok(()) => kept.entities.extend(alone.entities),
            Err(error) => {
                let name = alone.entities.first().map(|entity| entity.name.clone()).unwrap_or_default();
                intake.refuse(format!("the entity {name:?}"), error.to_string());
            }
        }
    }
    for (number, relation) in graph.relations.into_iter().enumerate() {
        let alone = KnowledgeGraph { entities: Vec::new(), relations: vec![relation] };
        match engine.check_knowledge(&alone) {
            Ok(()) => kept.relations.extend(alone.relations),
            Err(error) => {
                let place = places.get(number).cloned().unwrap_or_default();
                intake.refuse(place, error.to_string());
            }
        }
    }
    let held = KnowledgeAdded {
        entities: kept.entities.len() as u64,
        observations: 0,
        relations: kept.relations.len() as u64,
    };
    let added = add(intake, namespace, kept)?;
    let known = KnowledgeAdded {
        entities: held.entities - added.entities,
        observations: 0,
        relations: held.relations - added.relations,
    };
    Ok(Outcome { added, known })
}

fn add(
    intake: &Intake<'_>,
    namespace: &Namespace,
    graph: KnowledgeGraph,
) -> Result<KnowledgeAdded, CliError> {
    let engine = intake.engine;
    if intake.purpose() == Purpose::Tell {
        return Ok(engine.preview_knowledge(namespace, graph)?);
    }
    let mut added = KnowledgeAdded::default();
    let KnowledgeGraph { entities, relations } = graph;
    let entities = entities.chunks(BATCH).map(|part| (part.to_vec(), Vec::<Relation>::new()));
    let relations = relations.chunks(BATCH).map(|part| (Vec::new(), part.to_vec()));
    for (entities, relations) in entities.chain(relations) {
        let new = engine.add_knowledge(namespace, KnowledgeGraph { entities, relations })?;
        added.entities += new.entities;
        added.relations += new.relations;
    }
    Ok(added)
}
