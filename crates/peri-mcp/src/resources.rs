//! What a client can read without calling a tool.

use perihelion::{ListQuery, Memory, Order, Zone};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::desk::Desk;
use crate::refusal::Refusal;
use crate::tools::stats;

/// How many of the nearest and of the latest memories the context holds.
const CONTEXT_EACH: usize = 25;

/// A resource that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Stats,
    Zones,
    Context,
    Memory(String),
}

/// The list.
pub(crate) fn all() -> Vec<Resource> {
    let of = |uri: &str, name: &str, description: &str, mime: &str| {
        Resource::new(uri, name).with_description(description).with_mime_type(mime)
    };
    vec![
        of("memory://stats", "stats", "How much is remembered, by kind and zone", "application/json"),
        of("memory://zones", "zones", "The nearest memories of each zone", "application/json"),
        of("memory://context", "context", "What to know before a conversation begins", "text/markdown"),
    ]
}

/// What can be read by filling in a name.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("memory://memories/{id}", "memory");
    vec![template.with_description("One memory by its id").with_mime_type("application/json")]
}

/// What a URI names.
pub(crate) fn find(uri: &str) -> Option<Known> {
    match uri {
        "memory://stats" => Some(Known::Stats),
        "memory://zones" => Some(Known::Zones),
        "memory://context" => Some(Known::Context),
        _ => uri.strip_prefix("memory://memories/").map(|id| Known::Memory(id.to_owned())),
    }
}

/// Reads one.
pub(crate) fn read(known: &Known, uri: &str, desk: &Desk<'_>) -> Result<ReadResourceResult, Refusal> {
    let (text, mime) = match known {
        Known::Stats => (as_json(&stats::numbers(desk)?)?, "application/json"),
        Known::Zones => (zones(desk)?, "application/json"),
        Known::Context => (context(desk)?, "text/markdown"),
        Known::Memory(id) => {
            (as_json(&desk.engine.get(desk.reach(), desk.id("id", id)?)?)?, "application/json")
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)]))
}

fn as_json(value: &impl serde::Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| Refusal::new(error.to_string()))
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
