//! What mem0 hands out: memories, and how the things they speak of stand to each other.

use std::collections::{BTreeMap, HashSet};

use clap::ValueEnum;
use perihelion::{Entity, KnowledgeGraph, KnowledgePart, Limits, Namespace, Relation, Remember};
use serde_json::{Map, Value};

use super::archive::{Export, Part};
use super::documents::{self, Found};
use super::intake::{Intake, Item};
use super::systems::System;
use super::{graph, identity, moments, pieces};
use crate::error::CliError;

type Object = Map<String, Value>;

/// The system's name: the source of the memories.
pub(crate) const NAME: &str = "mem0";

/// The lists that an answer of mem0, or a backup of OpenMemory, is made of.
const LISTS: [&str; 4] = ["results", "memories", "relations", "entities"];

/// Under which names mem0's libraries write the same thing.
const OWNERS: [(&str, &[&str]); 6] = [
    ("user_id", &["user_id", "userId"]),
    ("agent_id", &["agent_id", "agentId"]),
    ("run_id", &["run_id", "runId"]),
    ("app_id", &["app_id", "appId", "app"]),
    ("actor_id", &["actor_id", "actorId"]),
    ("role", &["role"]),
];

/// Whom memories are kept apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Owner {
    /// By the user they are about
    User,
    /// By the agent that holds them
    Agent,
    /// By the run they come from
    Run,
}

impl Owner {
    fn key(self) -> &'static str {
        match self {
            Self::User => "user_id",
            Self::Agent => "agent_id",
            Self::Run => "run_id",
        }
    }
}

/// Where memories go.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The namespace that was asked for.
    pub(crate) namespace: Namespace,
    /// Whether each owner gets a namespace below it.
    pub(crate) by: Option<Owner>,
}

/// Whether a file of an archive holds memories.
pub(crate) fn is_memories(name: &str) -> bool {
    name == "memories.json"
}

/// Takes all memories and relations of an export; what the relations added and how many there were.
pub(crate) fn take_all(
    export: Export,
    target: &Target,
    intake: &mut Intake<'_>,
    shown: bool,
) -> Result<graph::Outcome, CliError> {
    let (name, mut first) = (export.name.clone(), true);
    let mut gathered = Gathered::default();
    export.each(shown, &mut |Part { reader, .. }| {
        let broken = documents::read(reader, &LISTS, &mut |Found { list, place, value }| {
            let record = match value {
                Ok(value) => {
                    if std::mem::take(&mut first) {
                        System::Mem0.check(&value, &name)?;
                    }
                    value
                }
                Err(reason) => {
                    intake.refuse(place, reason);
                    return Ok(());
                }
            };
            match (list, record) {
                ("relations", Value::Object(relation)) => gathered.relation(&relation, place, target, intake),
                ("entities", Value::Object(entity)) => gathered.entity(&entity),
                (_, Value::Object(memory)) => gathered.memory(&memory, place, target, intake)?,
                _ => intake.refuse(place, "it is not an object"),
            }
            Ok(())
        })?;
        if let Some(broken) = broken {
            intake.refuse(broken.place, format!("{}; nothing after it was read", broken.reason));
        }
        Ok(())
    })?;
    intake.flush()?;
    gathered.store(target, intake)
}

/// What is known of an export as a whole.
#[derive(Default)]
struct Gathered {
    /// Where memories went.
    namespaces: BTreeMap<Namespace, u64>,
    /// Relations with the namespace that they name themselves.
    relations: Vec<(String, Option<Namespace>, Relation)>,
    /// What things are, by their names.
    types: BTreeMap<String, String>,
}

impl Gathered {
    fn memory(
        &mut self,
        memory: &Object,
        place: String,
        target: &Target,
        intake: &mut Intake<'_>,
    ) -> Result<(), CliError> {
        if matches!(text(memory, &["state"]), Some("deleted")) {
            intake.leave_out("deleted_memories", 1);
            return Ok(());
        }
        match item(memory, place.clone(), target, intake.limits()) {
            Ok(item) => {
                *self.namespaces.entry(item.request.namespace.clone()).or_default() += 1;
                intake.take(item)
            }
            Err(reason) => {
                intake.refuse(place, reason);
                Ok(())
            }
        }
    }

    fn relation(&mut self, relation: &Object, place: String, target: &Target, intake: &mut Intake<'_>) {
        let ends = (text(relation, &["source"]), text(relation, &["target", "destination"]));
        let how = text(relation, &["relationship", "relation", "relation_type"]);
        let ((Some(from), Some(to)), Some(relation_type)) = (ends, how) else {
            intake.refuse(place, "it is not a relation: it needs source, relationship and target");
            return;
        };
        for (name, key) in [(from, "source_type"), (to, "target_type")] {
            if let Some(what) = text(relation, &[key]) {
                self.types.entry(name.to_owned()).or_insert_with(|| what.to_owned());
            }
        }
        let own = target.by.and_then(|by| owner(relation, by)).map(|owner| below(&target.namespace, owner));
        let (from, to, relation_type) = (from.to_owned(), to.to_owned(), relation_type.to_owned());
        self.relations.push((place, own, Relation { from, to, relation_type }));
    }

    fn entity(&mut self, entity: &Object) {
        if let (Some(name), Some(what)) = (text(entity, &["name"]), text(entity, &["type", "entity_type"])) {
            self.types.insert(name.to_owned(), what.to_owned());
        }
    }

    /// Stores the relations, beside the memories if all of these went to one place.
    fn store(self, target: &Target, intake: &mut Intake<'_>) -> Result<graph::Outcome, CliError> {
        let only = self.namespaces.first_key_value().filter(|_| self.namespaces.len() == 1);
        let home = only.map_or(&target.namespace, |(namespace, _)| namespace).clone();
        let mut graphs: BTreeMap<Namespace, (Vec<String>, KnowledgeGraph)> = BTreeMap::new();
        let mut named = HashSet::new();
        for (place, own, relation) in self.relations {
            let namespace = own.unwrap_or_else(|| home.clone());
            let (places, graph) = graphs.entry(namespace.clone()).or_default();
            for name in [&relation.from, &relation.to] {
                if let Some(what) = self.types.get(name)
                    && named.insert((namespace.clone(), name.clone()))
                {
                    let (name, entity_type) = (name.clone(), what.clone());
                    graph.entities.push(Entity { name, entity_type, observations: Vec::new() });
                }
            }
            places.push(place);
            graph.relations.push(relation);
        }
        let mut outcome = graph::Outcome::default();
        for (namespace, (places, graph)) in graphs {
            outcome.add(&graph::store(intake, &namespace, graph, &places)?);
        }
        Ok(outcome)
    }
}

/// What a memory becomes.
fn item(memory: &Object, place: String, target: &Target, limits: &Limits) -> Result<Item, String> {
    let content = text(memory, &["memory", "text", "content", "data"]).ok_or("it has no text (memory)")?;
    let mut request = Remember::new(content).in_namespace(match target.by.and_then(|by| owner(memory, by)) {
        Some(owner) => below(&target.namespace, owner),
        None => target.namespace.clone(),
    });
    let facets = &mut request.facets;
    facets.source = Some(NAME.to_owned());
    facets.occurred_at = moments::first(memory, &["created_at", "createdAt", "updated_at", "updatedAt"]);
    facets.expires_at = text(memory, &["expiration_date", "expirationDate"]).and_then(moments::end_of_day);
    facets.session = text(memory, &["run_id", "runId"])
        .map(|run| pieces::shorten(&run.replace('\0', ""), limits.label_bytes_max));
    facets.tags = categories(memory);
    facets.metadata = metadata(memory);
    let key = match text(memory, &["id"]) {
        Some(id) => id.to_owned(),
        None => {
            let owners = OWNERS.map(|(_, keys)| text(memory, keys).unwrap_or_default());
            identity::key_of(&[&[content], &owners[..]].concat())
        }
    };
    Ok(Item { place, key, request })
}

/// The user's own metadata, and whom the memory belongs to.
fn metadata(memory: &Object) -> Object {
    let mut metadata = memory.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    // Under this key a memory says that it is part of a graph, which is not for others to say.
    metadata.remove(KnowledgePart::KEY);
    let owners = OWNERS.iter().filter_map(|(key, keys)| Some((*key, text(memory, keys)?)));
    let own =
        [("mem0_id", text(memory, &["id"])), ("updated_at", text(memory, &["updated_at", "updatedAt"]))];
    for (key, value) in owners.chain(own.into_iter().filter_map(|(key, value)| Some((key, value?)))) {
        metadata.insert(key.to_owned(), value.into());
    }
    metadata
}

/// The categories, as names or as objects that have one.
fn categories(memory: &Object) -> Vec<String> {
    let list = memory.get("categories").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let names = list.iter().filter_map(|one| one.as_str().or_else(|| one.get("name")?.as_str()));
    names.map(|name| name.trim().to_owned()).collect()
}

fn owner(record: &Object, by: Owner) -> Option<&str> {
    let (_, keys) = OWNERS.iter().find(|(key, _)| *key == by.key())?;
    text(record, keys)
}

/// The first text that is not blank.
fn text<'a>(record: &'a Object, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| record.get(*key)?.as_str()).filter(|text| !text.trim().is_empty())
}

/// The namespace of an owner. Names that must be changed to fit are told apart by a digest, so that no two owners
/// ever share one.
fn below(namespace: &Namespace, owner: &str) -> Namespace {
    if let Ok(below) = format!("{namespace}/{owner}").parse()
        && !owner.contains('/')
    {
        return below;
    }
    let tame = |c: char| if c.is_alphanumeric() || "-_.@:+".contains(c) { c } else { '-' };
    let digest = identity::key_of(&[owner]);
    let tamed: String = owner.chars().map(tame).take(24).collect();
    let tried = [format!("{namespace}/{tamed}-{}", &digest[..8]), format!("{namespace}/{}", &digest[..16])];
    tried.iter().find_map(|name| name.parse().ok()).unwrap_or_else(|| namespace.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn made(memory: Value, by: Option<Owner>) -> Result<Item, String> {
        let target = Target { namespace: "team".parse().unwrap(), by };
        item(memory.as_object().unwrap(), "record 1".to_owned(), &target, &Limits::default())
    }

    #[test]
    fn everything_that_mem0_says_of_a_memory_finds_its_place() {
        let memory = json!({
            "id": "7d1f", "memory": "아나는 차를 좋아한다", "hash": "x", "score": 0.3,
            "metadata": {"mood": "calm", "knowledge": {"part": "entity"}},
            "created_at": "2024-07-20T01:30:36.275141-07:00", "updated_at": "2024-08-01T00:00:00Z",
            "expiration_date": "2024-12-31", "categories": ["drinks", {"name": "취향"}],
            "user_id": "ana", "agent_id": null, "run_id": "trip 7", "app_id": "phone", "unknown": [1],
        });
        let request = made(memory, Some(Owner::User)).unwrap().request;
        assert_eq!(request.namespace.as_str(), "team/ana");
        let facets = request.facets;
        assert_eq!(facets.occurred_at.unwrap().to_string(), "2024-07-20T08:30:36.275Z");
        assert_eq!(facets.expires_at.unwrap().to_string(), "2025-01-01T00:00:00Z");
        assert_eq!((facets.session.as_deref(), facets.source.as_deref()), (Some("trip 7"), Some("mem0")));
        assert_eq!(facets.tags, ["drinks", "취향"]);
        assert_eq!(
            Value::Object(facets.metadata),
            json!({"mood": "calm", "mem0_id": "7d1f", "updated_at": "2024-08-01T00:00:00Z",
                   "user_id": "ana", "run_id": "trip 7", "app_id": "phone"})
        );
    }

    #[test]
    fn the_names_of_the_other_library_and_of_openmemory_are_known_too() {
        let item = made(
            json!({"id": "1", "memory": "x", "userId": "bo", "createdAt": "2024-01-02"}),
            Some(Owner::User),
        );
        let request = item.unwrap().request;
        assert_eq!(request.namespace.as_str(), "team/bo");
        assert_eq!(request.facets.occurred_at.unwrap().to_string(), "2024-01-02T00:00:00Z");
        assert_eq!(made(json!({"content": "喝茶"}), None).unwrap().request.content, "喝茶");
        assert!(made(json!({"id": "1", "memory": " "}), None).unwrap_err().contains("no text"));
        assert!(made(json!({"memory": 7}), None).is_err());
    }

    #[test]
    fn owners_never_share_a_namespace() {
        let namespace: Namespace = "team".parse().unwrap();
        let names = ["ana", "a/b", "a b", "a-b", "..", "王小明", &"x".repeat(300), &"x".repeat(301)];
        let made: Vec<Namespace> = names.iter().map(|name| below(&namespace, name)).collect();
        for (at, one) in made.iter().enumerate() {
            assert!(one.as_str().starts_with("team/"), "{one}");
            assert!(made[..at].iter().all(|other| other != one), "{one} twice");
        }
        assert_eq!((made[0].as_str(), made[5].as_str()), ("team/ana", "team/王小明"));
    }
}
