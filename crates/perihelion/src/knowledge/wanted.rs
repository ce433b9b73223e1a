//! Changes of the graph as they wait while it cannot be read, and how each is decided once it can.

use peri_types::Namespace;
use serde::{Deserialize, Serialize};

use super::change::Draft;
use super::{
    AddObservations, DeleteObservations, EntitiesDeleted, Entity, KnowledgeGraph, ObservationsAdded,
    ObservationsDeleted, Relation,
};
use crate::Error;
use crate::engine::{Core, Perihelion};
use crate::queue::{Intent, Making};

/// A change of the graph that somebody wants, without secrets. Queue files hold these by their names: a released one is
/// never renamed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum KnowledgeChange {
    CreateEntities(Vec<Entity>),
    CreateRelations(Vec<Relation>),
    AddObservations(Vec<AddObservations>),
    DeleteEntities(Vec<String>),
    DeleteObservations(Vec<DeleteObservations>),
    DeleteRelations(Vec<Relation>),
    AddGraph(KnowledgeGraph),
}

impl KnowledgeChange {
    /// What it is called in lists.
    pub(crate) fn operation(&self) -> &'static str {
        match self {
            Self::CreateEntities(_) => "create entities",
            Self::CreateRelations(_) => "create relations",
            Self::AddObservations(_) => "add observations",
            Self::DeleteEntities(_) => "delete entities",
            Self::DeleteObservations(_) => "delete observations",
            Self::DeleteRelations(_) => "delete relations",
            Self::AddGraph(_) => "add knowledge",
        }
    }
}

impl Perihelion {
    /// Changes the graph of a namespace as decided, or lets what is wanted wait.
    pub(super) fn change_graph<T>(
        &self,
        namespace: &Namespace,
        wanted: impl Fn() -> KnowledgeChange,
        decide: impl Fn(&mut Draft) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let core = &self.core;
        let intent = || {
            let change = wanted();
            core.check_change(&change)?;
            Ok(Intent::Knowledge { namespace: namespace.clone(), change })
        };
        core.perform(intent, "knowledge", |making| core.change_knowledge(making, namespace, &decide))
    }
}

impl Core {
    /// Makes a change that waited.
    pub(crate) fn make_knowledge(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        change: &KnowledgeChange,
    ) -> Result<(), Error> {
        self.change_knowledge(making, namespace, |draft| match change {
            KnowledgeChange::CreateEntities(entities) => {
                draft.create_entities(entities);
                Ok(())
            }
            KnowledgeChange::CreateRelations(relations) => draft.create_relations(self, relations).map(drop),
            KnowledgeChange::AddObservations(new) => draft.add_observations(self, new).map(drop),
            KnowledgeChange::DeleteEntities(names) => {
                draft.delete_named(names);
                Ok(())
            }
            KnowledgeChange::DeleteObservations(deletions) => {
                draft.delete_all_observations(deletions);
                Ok(())
            }
            KnowledgeChange::DeleteRelations(relations) => {
                draft.delete_relations(&relations.iter().cloned().collect());
                Ok(())
            }
            KnowledgeChange::AddGraph(graph) => {
                draft.add_graph(graph);
                Ok(())
            }
        })
    }

    /// Checks what can be checked without the graph.
    fn check_change(&self, change: &KnowledgeChange) -> Result<(), Error> {
        match change {
            KnowledgeChange::CreateRelations(relations) => {
                relations.iter().try_for_each(|relation| self.check_relation(relation))
            }
            KnowledgeChange::AddObservations(new) => {
                new.iter().try_for_each(|one| self.check_observations(&one.entity_name, &one.contents))
            }
            // These were checked when they were cleaned, or take away what is there.
            KnowledgeChange::CreateEntities(_)
            | KnowledgeChange::AddGraph(_)
            | KnowledgeChange::DeleteEntities(_)
            | KnowledgeChange::DeleteObservations(_)
            | KnowledgeChange::DeleteRelations(_) => Ok(()),
        }
    }
}

/// Each change as it is decided, on the graph as it is.
impl Draft {
    pub(super) fn create_entities(&mut self, entities: &[Entity]) -> Vec<Entity> {
        entities.iter().filter(|entity| self.create_entity(entity)).cloned().collect()
    }

    pub(super) fn create_relations(
        &mut self,
        core: &Core,
        relations: &[Relation],
    ) -> Result<Vec<Relation>, Error> {
        for relation in relations {
            self.demand(&relation.from)?;
            self.demand(&relation.to)?;
            core.check_relation(relation)?;
        }
        Ok(relations.iter().filter(|relation| self.add_relation(relation)).cloned().collect())
    }

    pub(super) fn add_observations(
        &mut self,
        core: &Core,
        observations: &[AddObservations],
    ) -> Result<Vec<ObservationsAdded>, Error> {
        let add = |one: &AddObservations| {
            let at = self.demand(&one.entity_name)?;
            core.check_observations(&one.entity_name, &one.contents)?;
            let added_observations = self.add_missing(at, &one.contents);
            Ok(ObservationsAdded { entity_name: one.entity_name.clone(), added_observations })
        };
        observations.iter().map(add).collect()
    }

    pub(super) fn delete_named(&mut self, names: &[String]) -> EntitiesDeleted {
        let (deleted, not_found) = names.iter().cloned().partition(|name| self.has(name));
        self.delete_entities(names);
        EntitiesDeleted { deleted, not_found }
    }

    pub(super) fn delete_all_observations(
        &mut self,
        deletions: &[DeleteObservations],
    ) -> ObservationsDeleted {
        let mut told = ObservationsDeleted::default();
        for one in deletions {
            match self.delete_observations(&one.entity_name, &one.observations) {
                Some(count) => told.deleted_count += count,
                None => told.missing_entities.push(one.entity_name.clone()),
            }
        }
        told
    }
}
