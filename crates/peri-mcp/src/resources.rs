//! What a client can read without calling a tool.

use perihelion::{ErrorKind, ListQuery, Memory, Order, Zone};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::table::{Families, Family};
use crate::tools::stats;

/// How many of the nearest and of the latest memories the context holds.
const CONTEXT_EACH: usize = 25;

/// A resource that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Stats,
    Zones,
    Context,
    Graph,
    Memory(String),
}

/// The knowledge graph, under the address that the reference memory server gives it.
const GRAPH: &str = "memory://knowledge-graph";

/// The list, always in this order.
pub(crate) fn all(families: &Families) -> Vec<Resource> {
    let of = |uri: &str, name: &str, description: &str, mime: &str| {
        Resource::new(uri, name).with_description(description).with_mime_type(mime)
    };
    let mut all = vec![
        of("memory://stats", "stats", "How much is remembered, by kind and zone", "application/json"),
        of("memory://zones", "zones", "The nearest memories of each zone", "application/json"),
        of("memory://context", "context", "What to know before a conversation begins", "text/markdown"),
    ];
    if families.contains(Family::Knowledge) {
        all.push(of(GRAPH, "knowledge-graph", "All entities and relations", "application/json"));
    }
    all
}

/// What can be read by filling in a name.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("memory://memories/{id}", "memory");
    vec![template.with_description("One memory by its id").with_mime_type("application/json")]
}

/// What a URI names.
pub(crate) fn find(uri: &str, families: &Families) -> Option<Known> {
    match uri {
        "memory://stats" => Some(Known::Stats),
        "memory://zones" => Some(Known::Zones),
        "memory://context" => Some(Known::Context),
        GRAPH => families.contains(Family::Knowledge).then_some(Known::Graph),
        _ => uri.strip_prefix("memory://memories/").map(|id| Known::Memory(id.to_owned())),
    }
}

/// Reads one; none if there is no memory of that id where the call works.
pub(crate) fn read(known: &Known, uri: &str, desk: &Desk<'_>) -> Result<Option<ReadResourceResult>, Refusal> {
    let (text, mime) = match known {
        Known::Stats => (as_json(&stats::numbers(desk)?)?, "application/json"),
        Known::Zones => (zones(desk)?, "application/json"),
        Known::Context => (context(desk)?, "text/markdown"),
        Known::Graph => {
            let graph = desk.engine.read_graph(desk.namespace()?)?;
            (serde_json::to_string_pretty(&graph).map_err(unwritable)?, "application/json")
        }
        Known::Memory(id) => match memory(desk, id)? {
            Some(memory) => (as_json(&memory)?, "application/json"),
            None => return Ok(None),
        },
    };
    Ok(Some(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)])))
}

fn memory(desk: &Desk<'_>, id: &str) -> Result<Option<Memory>, Refusal> {
    let Ok(id) = id.parse() else { return Ok(None) };
    match desk.engine.get(desk.reach(), id) {
        Ok(memory) => Ok(Some(memory)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn unwritable(error: serde_json::Error) -> Refusal {
    Refusal::new(format!("the answer cannot be written: {error}"))
}

fn as_json(value: &impl serde::Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(unwritable)
}

/// Some memories of a zone, the latest first.
fn latest(desk: &Desk<'_>, zones: &[Zone], limit: usize) -> Result<Vec<Memory>, Refusal> {
    let query = ListQuery {
        scope: desk.scope.clone(),
        zones: zones.to_vec(),
        order: Order::NewestFirst,
        limit,
        ..ListQuery::default()
    };
    Ok(desk.engine.list(query)?.memories)
}

fn zones(desk: &Desk<'_>) -> Result<String, Refusal> {
    let mut zones = Vec::new();
    for zone in Zone::ALL {
        let memories: Vec<_> = latest(desk, &[*zone], CONTEXT_EACH)?
            .into_iter()
            .map(|memory| json!({"id": memory.id, "content": memory.content}))
            .collect();
        zones.push(json!({"zone": zone, "memories": memories}));
    }
    as_json(&json!({"namespace": desk.scope, "zones": zones}))
}

/// What is nearest and what is newest, as a page to read.
pub(crate) fn context(desk: &Desk<'_>) -> Result<String, Refusal> {
    let near = latest(desk, &[Zone::Core, Zone::Inner], CONTEXT_EACH)?;
    let new = latest(desk, &[], CONTEXT_EACH)?;
    let mut page = format!("# What is remembered in {}\n", desk.scope);
    let mut section = |title: &str, memories: Vec<&Memory>| {
        if !memories.is_empty() {
            page.push_str(&format!("\n## {title}\n\n"));
            for memory in memories {
                let day = memory.at().strftime("%Y-%m-%d");
                page.push_str(&format!("- {} ({day}, `{}`)\n", one_line(&memory.content), memory.id));
            }
        }
    };
    section("Nearest", near.iter().collect());
    section("Latest", new.iter().filter(|memory| near.iter().all(|one| one.id != memory.id)).collect());
    if near.is_empty() && new.is_empty() {
        page.push_str("\nNothing yet.\n");
    }
    Ok(page)
}

fn one_line(content: &str) -> String {
    content.split_whitespace().collect::<Vec<_>>().join(" ")
}
