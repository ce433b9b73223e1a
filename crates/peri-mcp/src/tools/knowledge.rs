//! Entities and relations with the names, shapes and words of the reference memory server, so that whoever used
//! that can use this unchanged. What they mean is said in the engine's `knowledge` module.

use perihelion::{AddObservations, DeleteObservations, Entity, KnowledgeGraph, ObservationsAdded, Relation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::to_string_pretty;

use super::stats::Nothing;
use crate::desk::Desk;
use crate::refusal::Refusal;

/// Longest query, in characters.
const QUERY_CHARS_MAX: usize = 2048;

type Text = Result<String, serde_json::Error>;

/// New entities, or the ones that were new.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entities {
    entities: Vec<Entity>,
}

/// Relations to create or delete, or the ones that were new.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Relations {
    relations: Vec<Relation>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observations {
    observations: Vec<AddObservations>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Added {
    results: Vec<ObservationsAdded>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct EntityNames {
    entity_names: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deletions {
    deletions: Vec<DeleteObservations>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    #[schemars(length(max = 2048))]
    query: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Names {
    names: Vec<String>,
}

/// What became of a deletion. It always succeeds; the message tells what was not there.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Done {
    success: bool,
    message: String,
}

impl Done {
    fn saying(message: String) -> Self {
        Self { success: true, message }
    }
}

pub(crate) const CREATE_ENTITIES_WHEN: &str = "Create entities (people, projects, places, ideas) with what is known of \
them. A name that exists is left as it is: use add_observations.";

pub(crate) fn create_entities(desk: &Desk<'_>, asked: Entities) -> Result<Entities, Refusal> {
    Ok(Entities { entities: desk.engine.create_entities(desk.namespace()?, asked.entities)? })
}

pub(crate) fn entities_text(entities: &Entities) -> Text {
    to_string_pretty(&entities.entities)
}

pub(crate) const CREATE_RELATIONS_WHEN: &str =
    "Say how entities stand to each other, in the active voice: from works_at to. Both must exist.";

pub(crate) fn create_relations(desk: &Desk<'_>, asked: Relations) -> Result<Relations, Refusal> {
    Ok(Relations { relations: desk.engine.create_relations(desk.namespace()?, asked.relations)? })
}

pub(crate) fn relations_text(relations: &Relations) -> Text {
    to_string_pretty(&relations.relations)
}

pub(crate) const ADD_OBSERVATIONS_WHEN: &str =
    "Add what was learned about entities that exist, one fact each. Known ones are left out.";

pub(crate) fn add_observations(desk: &Desk<'_>, asked: Observations) -> Result<Added, Refusal> {
    Ok(Added { results: desk.engine.add_observations(desk.namespace()?, asked.observations)? })
}

pub(crate) fn added_text(added: &Added) -> Text {
    to_string_pretty(&added.results)
}

pub(crate) const DELETE_ENTITIES_WHEN: &str = "Delete entities with their observations and relations.";

pub(crate) fn delete_entities(desk: &Desk<'_>, asked: EntityNames) -> Result<Done, Refusal> {
    let asked_for = asked.entity_names.len();
    let told = desk.engine.delete_entities(desk.namespace()?, asked.entity_names)?;
    Ok(Done::saying(if told.not_found.is_empty() {
        "Entities deleted successfully".to_owned()
    } else {
        let (deleted, missing) = (told.deleted.len(), told.not_found.join(", "));
        format!("Deleted {deleted} of {asked_for} entities. Not found: {missing}")
    }))
}

pub(crate) const DELETE_OBSERVATIONS_WHEN: &str =
    "Delete what is no longer true of entities, each exactly as it reads.";

pub(crate) fn delete_observations(desk: &Desk<'_>, asked: Deletions) -> Result<Done, Refusal> {
    let asked_for: usize = asked.deletions.iter().map(|one| one.observations.len()).sum();
    let told = desk.engine.delete_observations(desk.namespace()?, asked.deletions)?;
    if told.deleted_count == asked_for as u64 {
        return Ok(Done::saying("Observations deleted successfully".to_owned()));
    }
    let mut message = format!("Deleted {} of {asked_for} observations.", told.deleted_count);
    if !told.missing_entities.is_empty() {
        message.push_str(&format!(" Entities not found: {}", told.missing_entities.join(", ")));
    }
    Ok(Done::saying(message))
}

pub(crate) const DELETE_RELATIONS_WHEN: &str = "Delete relations that no longer hold.";

pub(crate) fn delete_relations(desk: &Desk<'_>, asked: Relations) -> Result<Done, Refusal> {
    let asked_for = asked.relations.len();
    let deleted = desk.engine.delete_relations(desk.namespace()?, asked.relations)?;
    Ok(Done::saying(if deleted == asked_for as u64 {
        "Relations deleted successfully".to_owned()
    } else {
        format!("Deleted {deleted} of {asked_for} relations. The rest matched nothing.")
    }))
}

pub(crate) fn done_text(done: &Done) -> Text {
    Ok(done.message.clone())
}

pub(crate) const READ_GRAPH_WHEN: &str =
    "Read all entities and relations. When there may be many, use search_nodes.";

pub(crate) fn read_graph(desk: &Desk<'_>, _asked: Nothing) -> Result<KnowledgeGraph, Refusal> {
    Ok(desk.engine.read_graph(desk.namespace()?)?)
}

pub(crate) const SEARCH_NODES_WHEN: &str =
    "Find entities by words in their names, types and observations, or by meaning, with their relations.";

pub(crate) fn search_nodes(desk: &Desk<'_>, asked: Search) -> Result<KnowledgeGraph, Refusal> {
    let chars = asked.query.chars().count();
    if chars > QUERY_CHARS_MAX {
        return Err(Refusal::argument(
            "query",
            format!("{chars} characters are more than {QUERY_CHARS_MAX}"),
        ));
    }
    Ok(desk.engine.search_nodes(desk.namespace()?, &asked.query)?)
}

pub(crate) const OPEN_NODES_WHEN: &str = "Read entities by their exact names, with their relations.";

pub(crate) fn open_nodes(desk: &Desk<'_>, asked: Names) -> Result<KnowledgeGraph, Refusal> {
    Ok(desk.engine.open_nodes(desk.namespace()?, &asked.names)?)
}

pub(crate) fn graph_text(graph: &KnowledgeGraph) -> Text {
    to_string_pretty(graph)
}
