//! What a client can read without calling a tool.

use percent_encoding::percent_decode_str;
use perihelion::{ContextRequest, ErrorKind, ListQuery, Memory, Namespace, NotesView, Order, Zone, framed};
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::desk::Desk;
use crate::page;
use crate::refusal::Refusal;
use crate::seen::{beginning, seen};
use crate::table::{Families, Family};
use crate::tools::stats;

/// How many of the nearest and of the latest memories the context holds.
const CONTEXT_EACH: usize = 25;
/// A memory among many is cut to so many characters.
const LISTED_CHARS: usize = 1_000;

/// A resource that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Known {
    Stats,
    Zones,
    Context,
    Graph,
    Memory(String),
    /// What an agent is given, to look at.
    AgentContext(Noted),
    /// The notes of a session, or the durable ones.
    Notes(Noted),
}

/// Whose notes: of a namespace other than the client's own, and of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Noted {
    namespace: Option<Namespace>,
    session: Option<String>,
}

impl Known {
    /// The namespace that the URI names, if it names one.
    pub(crate) fn namespace(&self) -> Option<&Namespace> {
        match self {
            Self::AgentContext(whose) | Self::Notes(whose) => whose.namespace.as_ref(),
            Self::Stats | Self::Zones | Self::Context | Self::Graph | Self::Memory(_) => None,
        }
    }
}

/// The knowledge graph, under the address that the reference memory server gives it.
const GRAPH: &str = "memory://knowledge-graph";

/// What an agent is given; a namespace and a session may follow.
const AGENT_CONTEXT: &str = "peri://context";

/// The durable notes; a namespace and a session may follow.
const NOTES: &str = "peri://notes";

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
    all.push(of(AGENT_CONTEXT, "agent-context", "What an agent is given: notes and memories", "text/plain"));
    all.push(of(NOTES, "notes", "The durable notes, which hold beyond sessions", "application/json"));
    if families.contains(Family::Knowledge) {
        all.push(of(GRAPH, "knowledge-graph", "All entities and relations", "application/json"));
    }
    all
}

/// What can be read by filling in a name.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let of = |uri: &str, name: &str, description: &str, mime: &str| {
        ResourceTemplate::new(uri, name).with_description(description).with_mime_type(mime)
    };
    let (context, notes) = ("peri://context/{namespace}/{session}", "peri://notes/{namespace}/{session}");
    vec![
        of("memory://memories/{id}", "memory", "One memory by its id", "application/json"),
        of(context, "session-context", "What the agent of a session is given", "text/plain"),
        of(notes, "session-notes", "The notes of a session", "application/json"),
    ]
}

/// What a URI names.
pub(crate) fn find(uri: &str, families: &Families) -> Option<Known> {
    match uri {
        "memory://stats" => Some(Known::Stats),
        "memory://zones" => Some(Known::Zones),
        "memory://context" => Some(Known::Context),
        GRAPH => families.contains(Family::Knowledge).then_some(Known::Graph),
        _ => named(uri),
    }
}

/// What a URI names that varies.
fn named(uri: &str) -> Option<Known> {
    if let Some(id) = uri.strip_prefix("memory://memories/") {
        return Some(Known::Memory(id.to_owned()));
    }
    match uri.strip_prefix(AGENT_CONTEXT) {
        Some(rest) => whose(rest).map(Known::AgentContext),
        None => whose(uri.strip_prefix(NOTES)?).map(Known::Notes),
    }
}

/// The namespace and the session at the end of a URI, each percent-encoded, if they can be ones.
fn whose(rest: &str) -> Option<Noted> {
    if rest.is_empty() {
        return Some(Noted::default());
    }
    let text = |part: &str| Some(percent_decode_str(part).decode_utf8().ok()?.into_owned());
    let mut parts = rest.strip_prefix('/')?.split('/');
    let namespace = text(parts.next()?)?.parse().ok()?;
    let session = parts.next().map(|part| text(part).filter(|name| !name.trim().is_empty()));
    match (session, parts.next()) {
        (None, _) => Some(Noted { namespace: Some(namespace), session: None }),
        (Some(Some(session)), None) => Some(Noted { namespace: Some(namespace), session: Some(session) }),
        _ => None,
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
            let graph = seen(serde_json::to_value(&graph).map_err(unwritable)?);
            (serde_json::to_string_pretty(&graph).map_err(unwritable)?, "application/json")
        }
        Known::AgentContext(whose) => (agent_context(desk, whose)?, "text/plain"),
        Known::Notes(whose) => match notes(desk, whose)? {
            Some(notes) => (as_json(&notes)?, "application/json"),
            None => return Ok(None),
        },
        Known::Memory(id) => match memory(desk, id)? {
            Some(memory) => (as_json(&memory)?, "application/json"),
            None => return Ok(None),
        },
    };
    page::check(uri, text.len())?;
    Ok(Some(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)])))
}

/// Looking takes nothing away.
fn agent_context(desk: &Desk<'_>, whose: &Noted) -> Result<String, Refusal> {
    let mut request = ContextRequest::new(desk.namespace()?.clone());
    request.session.clone_from(&whose.session);
    let text = desk.engine.context(&request)?.text;
    Ok(if text.is_empty() { format!("Nothing is remembered in {} yet.\n", desk.scope) } else { text })
}

fn notes(desk: &Desk<'_>, whose: &Noted) -> Result<Option<NotesView>, Refusal> {
    let namespace = desk.namespace()?;
    match &whose.session {
        Some(session) => Ok(desk.engine.session_notes(namespace, session)?),
        None => Ok(Some(desk.engine.durable_notes(namespace)?)),
    }
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
    let value = serde_json::to_value(value).map_err(unwritable)?;
    serde_json::to_string(&seen(value)).map_err(unwritable)
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
            .map(|memory| json!({"id": memory.id, "content": beginning(&memory.content, LISTED_CHARS)}))
            .collect();
        zones.push(json!({"zone": zone, "memories": memories}));
    }
    as_json(&json!({"namespace": desk.scope, "zones": zones}))
}

/// What is nearest and what is newest, as a page to read.
pub(crate) fn context(desk: &Desk<'_>) -> Result<String, Refusal> {
    let near = latest(desk, &[Zone::Core, Zone::Inner], CONTEXT_EACH)?;
    let new = latest(desk, &[], CONTEXT_EACH)?;
    let mut page = String::new();
    let mut section = |title: &str, memories: Vec<&Memory>| {
        if !memories.is_empty() {
            page.push_str(&format!("\n## {title}\n\n"));
            for memory in memories {
                let day = memory.at().strftime("%Y-%m-%d");
                page.push_str(&format!(
                    "- {} ({day}, `{}`)\n",
                    one_line(&beginning(&memory.content, LISTED_CHARS)),
                    memory.id
                ));
            }
        }
    };
    section("Nearest", near.iter().collect());
    section("Latest", new.iter().filter(|memory| near.iter().all(|one| one.id != memory.id)).collect());
    let title = format!("# What is remembered in {}\n", desk.scope);
    if page.is_empty() {
        return Ok(format!("{title}\nNothing yet.\n"));
    }
    Ok(format!("{title}\n{}", framed(page.trim_start())))
}

fn one_line(content: &str) -> String {
    content.split_whitespace().collect::<Vec<_>>().join(" ")
}
