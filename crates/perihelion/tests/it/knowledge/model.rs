//! Any sequence of calls leaves the graph that the reference server would have, also for who opens the folder anew.

use std::collections::HashSet;

use perihelion::{
    AddObservations, DeleteObservations, EntitiesDeleted, Entity, KnowledgeGraph, ObservationsAdded,
    ObservationsDeleted, Perihelion, Relation,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::support::{ns, open};

/// Few enough to collide, with names and texts that could be taken for each other.
const NAMES: [&str; 6] = ["Ana", "ana", "Ana: likes", "김 민수", "数据库", " Ana "];
const TYPES: [&str; 3] = ["person", "", "사람"];
const TEXTS: [&str; 6] = ["likes tea", "tea", "likes: tea", "", "차를 좋아한다", "喜欢喝茶"];
const RELATIONS: [&str; 2] = ["knows", "아는 사이"];

#[derive(Debug, Clone)]
enum Call {
    CreateEntities(Vec<Entity>),
    CreateRelations(Vec<Relation>),
    AddObservations(Vec<AddObservations>),
    DeleteEntities(Vec<String>),
    DeleteObservations(Vec<DeleteObservations>),
    DeleteRelations(Vec<Relation>),
    OpenNodes(Vec<String>),
    SearchNodes(String),
    AddGraph(KnowledgeGraph),
    Maintain,
    Reopen,
}

fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> + Clone {
    prop::sample::select(texts).prop_map(str::to_owned)
}

fn list<T: std::fmt::Debug>(of: impl Strategy<Value = T>, most: usize) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(of, 0..=most)
}

fn entity() -> impl Strategy<Value = Entity> {
    let parts = (one_of(&NAMES), one_of(&TYPES), list(one_of(&TEXTS), 3));
    parts.prop_map(|(name, entity_type, observations)| Entity { name, entity_type, observations })
}

fn relation() -> impl Strategy<Value = Relation> {
    let parts = (one_of(&NAMES), one_of(&NAMES), one_of(&RELATIONS));
    parts.prop_map(|(from, to, relation_type)| Relation { from, to, relation_type })
}

fn call() -> impl Strategy<Value = Call> {
    let texts = || (one_of(&NAMES), list(one_of(&TEXTS), 3));
    let add = texts().prop_map(|(entity_name, contents)| AddObservations { entity_name, contents });
    let delete =
        texts().prop_map(|(entity_name, observations)| DeleteObservations { entity_name, observations });
    let graph = (list(entity(), 3), list(relation(), 2));
    prop_oneof![
        6 => list(entity(), 3).prop_map(Call::CreateEntities),
        5 => list(relation(), 2).prop_map(Call::CreateRelations),
        5 => list(add, 2).prop_map(Call::AddObservations),
        2 => list(one_of(&NAMES), 2).prop_map(Call::DeleteEntities),
        3 => list(delete, 2).prop_map(Call::DeleteObservations),
        3 => list(relation(), 3).prop_map(Call::DeleteRelations),
        1 => list(one_of(&NAMES), 3).prop_map(Call::OpenNodes),
        2 => one_of(&["", "tea", "ANA", "사람", "喜欢", "no such thing"]).prop_map(Call::SearchNodes),
        1 => graph.prop_map(|(entities, relations)| Call::AddGraph(KnowledgeGraph { entities, relations })),
        1 => Just(Call::Maintain),
        1 => Just(Call::Reopen),
    ]
}

/// The reference server, as far as its outcomes go.
#[derive(Default)]
struct Model(KnowledgeGraph);

impl Model {
    fn position(&self, name: &str) -> Option<usize> {
        self.0.entities.iter().position(|entity| entity.name == name)
    }

    fn missing<'a>(&self, mut names: impl Iterator<Item = &'a String>) -> Option<String> {
        let missing = names.find(|name| self.position(name).is_none());
        missing.map(|name| format!("Entity with name {name} not found"))
    }

    fn create_entities(&mut self, entities: &[Entity]) -> Vec<Entity> {
        let mut new = Vec::new();
        for entity in entities {
            if self.position(&entity.name).is_none() {
                self.0.entities.push(entity.clone());
                new.push(entity.clone());
            }
        }
        new
    }

    fn create_relations(&mut self, relations: &[Relation]) -> Vec<Relation> {
        let mut new = Vec::new();
        for relation in relations {
            if !self.0.relations.contains(relation) {
                self.0.relations.push(relation.clone());
                new.push(relation.clone());
            }
        }
        new
    }

    fn add(&mut self, one: &AddObservations) -> ObservationsAdded {
        let at = self.position(&one.entity_name).unwrap();
        let own = &mut self.0.entities[at].observations;
        let new: Vec<String> = one.contents.iter().filter(|text| !own.contains(text)).cloned().collect();
        own.extend(new.iter().cloned());
        ObservationsAdded { entity_name: one.entity_name.clone(), added_observations: new }
    }

    fn delete_entities(&mut self, names: &[String]) -> EntitiesDeleted {
        let (deleted, not_found) = names.iter().cloned().partition(|name| self.position(name).is_some());
        self.0.entities.retain(|entity| !names.contains(&entity.name));
        self.0.relations.retain(|one| !names.contains(&one.from) && !names.contains(&one.to));
        EntitiesDeleted { deleted, not_found }
    }

    fn delete_observations(&mut self, deletions: &[DeleteObservations]) -> ObservationsDeleted {
        let mut told = ObservationsDeleted::default();
        for one in deletions {
            let Some(at) = self.position(&one.entity_name) else {
                told.missing_entities.push(one.entity_name.clone());
                continue;
            };
            let own = &mut self.0.entities[at].observations;
            let before = own.len();
            own.retain(|text| !one.observations.contains(text));
            told.deleted_count += (before - own.len()) as u64;
        }
        told
    }

    fn delete_relations(&mut self, relations: &[Relation]) -> u64 {
        let before = self.0.relations.len();
        self.0.relations.retain(|one| !relations.contains(one));
        (before - self.0.relations.len()) as u64
    }

    fn add_graph(&mut self, graph: &KnowledgeGraph) {
        for entity in &graph.entities {
            if self.create_entities(std::slice::from_ref(entity)).is_empty() {
                let (entity_name, contents) = (entity.name.clone(), entity.observations.clone());
                self.add(&AddObservations { entity_name, contents });
            }
        }
        self.create_relations(&graph.relations);
    }

    fn part(&self, wanted: impl Fn(&Entity) -> bool) -> KnowledgeGraph {
        let entities: Vec<Entity> = self.0.entities.iter().filter(|entity| wanted(entity)).cloned().collect();
        let names: HashSet<&String> = entities.iter().map(|entity| &entity.name).collect();
        let touches = |one: &&Relation| names.contains(&one.from) || names.contains(&one.to);
        let relations = self.0.relations.iter().filter(touches).cloned().collect();
        KnowledgeGraph { entities, relations }
    }
}

/// Makes one call of both; they must say the same.
fn make(engine: &Perihelion, model: &mut Model, call: Call) {
    let place = ns("default");
    match call {
        Call::CreateEntities(entities) => {
            let expected = model.create_entities(&entities);
            assert_eq!(engine.create_entities(&place, entities).unwrap(), expected);
        }
        Call::CreateRelations(relations) => {
            let refused = model.missing(relations.iter().flat_map(|one| [&one.from, &one.to]));
            let expected = refused.map_or_else(|| Ok(model.create_relations(&relations)), Err);
            let told = engine.create_relations(&place, relations);
            assert_eq!(told.map_err(|error| error.to_string()), expected);
        }
        Call::AddObservations(observations) => {
            let refused = model.missing(observations.iter().map(|one| &one.entity_name));
            let expected = refused
                .map_or_else(|| Ok(observations.iter().map(|one| model.add(one)).collect::<Vec<_>>()), Err);
            let told = engine.add_observations(&place, observations);
            assert_eq!(told.map_err(|error| error.to_string()), expected);
        }
        Call::DeleteEntities(names) => {
            let expected = model.delete_entities(&names);
            assert_eq!(engine.delete_entities(&place, names).unwrap(), expected);
        }
        Call::DeleteObservations(deletions) => {
            let expected = model.delete_observations(&deletions);
            assert_eq!(engine.delete_observations(&place, deletions).unwrap(), expected);
        }
        Call::DeleteRelations(relations) => {
            let expected = model.delete_relations(&relations);
            assert_eq!(engine.delete_relations(&place, relations).unwrap(), expected);
        }
        Call::OpenNodes(names) => {
            let expected = model.part(|entity| names.contains(&entity.name));
            assert_eq!(engine.open_nodes(&place, &names).unwrap(), expected);
        }
        Call::SearchNodes(query) => {
            let lower = query.to_lowercase();
            let holds = |text: &String| text.to_lowercase().contains(&lower);
            let expected = model.part(|one| {
                holds(&one.name) || holds(&one.entity_type) || one.observations.iter().any(holds)
            });
            let found = engine.search_nodes(&place, &query).unwrap();
            assert!(found.entities.starts_with(&expected.entities), "{query}: {found:?} {expected:?}");
            assert!(expected.relations.iter().all(|one| found.relations.contains(one)));
        }
        Call::AddGraph(graph) => {
            model.add_graph(&graph);
            let preview = engine.preview_knowledge(&place, graph.clone()).unwrap();
            assert_eq!(engine.add_knowledge(&place, graph.clone()).unwrap(), preview);
            assert_eq!(engine.add_knowledge(&place, graph).unwrap(), Default::default());
        }
        Call::Maintain => engine.maintain().unwrap(),
        Call::Reopen => {}
    }
}

proptest! {
    #![proptest_config(Config { cases: 32, rng_seed: RngSeed::Fixed(41), ..Config::default() })]

    #[test]
    fn every_sequence_of_calls_leaves_the_graph_of_the_reference_server(calls in list(call(), 24)) {
        let folder = tempfile::tempdir().unwrap();
        let (mut engine, mut model) = (open(folder.path()), Model::default());
        for call in calls {
            if matches!(call, Call::Reopen) {
                engine.close().unwrap();
                engine = open(folder.path());
            }
            make(&engine, &mut model, call);
            assert_eq!(engine.read_graph(&ns("default")).unwrap(), model.0);
        }
        engine.close().unwrap();
        assert_eq!(open(folder.path()).read_graph(&ns("default")).unwrap(), model.0);
    }
}
