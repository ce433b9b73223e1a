//! The graph: edges between memories, and what they lead to.

use axum::Json;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use perihelion::Role::{Reader, Writer};
use perihelion::{
    Communities, Direction, Edge, EdgeType, EdgeTypes, Error, ExportFormat, Memory, MemoryId, Namespace,
    NewEdge, PageRankSettings, Path, Perihelion, Scope, Step, StoreError, Walk,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::transfer::written;
use crate::extract::{Body, Named, Query, Visit};
use crate::problem::Problem;
use crate::table::Need::Role;
use crate::table::Operation;

/// Steps of a walk, unless it says.
const STEPS: usize = 50;
/// How far a walk may go.
const DEPTH_MAX: usize = 10;
/// Ranked memories, unless it is said how many.
const RANKED: usize = 20;
/// Groups, unless it is said how many.
const GROUPS: usize = 10;

pub(super) fn routes() -> Vec<Operation> {
    vec![
        Operation::new(Role(Reader), Method::GET, "/v1/memories/{id}/edges", "edges", edges)
            .says("The edges of a memory, in both directions, the heaviest first")
            .gives::<Edges>(),
        Operation::new(Role(Writer), Method::POST, "/v1/edges", "link", link)
            .says("Link two memories of one namespace, or replace the edge of this type between them")
            .takes::<EdgeAsked>()
            .answers_with::<Linked>(StatusCode::CREATED)
            .gives::<Linked>()
            .once(),
        Operation::new(Role(Writer), Method::DELETE, "/v1/edges", "unlink", unlink)
            .says("Take the edges from one memory to another away")
            .asks::<UnlinkAsked>()
            .gives::<Unlinked>()
            .once(),
        Operation::new(Role(Reader), Method::GET, "/v1/graph/walk", "walk", walk)
            .says("What can be reached from a memory over edges, the nearest first")
            .asks::<WalkAsked>()
            .gives::<Walked>(),
        Operation::new(Role(Reader), Method::GET, "/v1/graph/pagerank", "pagerank", pagerank)
            .says("The memories of a namespace that the others lead to, the most central first")
            .asks::<GraphAsked>()
            .gives::<Ranks>(),
        Operation::new(Role(Reader), Method::GET, "/v1/graph/communities", "communities", communities)
            .says("Groups of memories that are linked among each other more than with the rest")
            .asks::<GraphAsked>()
            .gives::<Groups>(),
        Operation::new(Role(Reader), Method::GET, "/v1/graph/path", "path", path)
            .says("The shortest way between two memories, whichever way the edges point")
            .asks::<PathAsked>()
            .gives::<Connection>(),
        Operation::new(Role(Reader), Method::GET, "/v1/graph/export", "exportGraph", export)
            .says("The graph of a namespace for other programs, with the rank and the group of each memory")
            .asks::<ExportAsked>()
            .gives_text("text/vnd.graphviz")
            .gives_text("application/graphml+xml")
            .gives_text("application/json"),
    ]
}

/// The edges of one memory.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Edges {
    edges: Vec<Edge>,
}

async fn edges(visit: Visit, Named(id): Named<MemoryId>) -> Result<Json<Edges>, Problem> {
    let scope = visit.caller.scope.clone();
    let edges = visit.work(move |engine| Ok(engine.edges(&scope, id)?)).await?;
    Ok(Json(Edges { edges }))
}

/// An edge to draw.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeAsked {
    /// Where it begins.
    source: MemoryId,
    /// Where it ends: another memory of the same namespace.
    target: MemoryId,
    /// What it says of the two.
    #[serde(rename = "type")]
    edge_type: EdgeType,
    /// How strong it is; 1 when left out.
    #[schemars(range(max = 1), extend("exclusiveMinimum" = 0))]
    weight: Option<f64>,
}

/// What became of an edge.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Linked {
    /// False if the memory has as many edges as it may, and all of them are stronger.
    linked: bool,
    source: MemoryId,
    target: MemoryId,
    #[serde(rename = "type")]
    edge_type: EdgeType,
    weight: f32,
}

async fn link(visit: Visit, Body(asked): Body<EdgeAsked>) -> Result<Response, Problem> {
    let EdgeAsked { source, target, edge_type, weight } = asked;
    // However little it is, what is more than nothing stays so.
    let weight =
        weight.map_or(
            1.0,
            |weight| {
                if weight > 0.0 { (weight as f32).max(f32::MIN_POSITIVE) } else { weight as f32 }
            },
        );
    let scope = visit.caller.scope.clone();
    let edge = NewEdge { source, target, edge_type, weight };
    let linked = visit.work(move |engine| Ok(engine.link(&scope, &edge)?)).await?;
    let status = if linked { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(Linked { linked, source, target, edge_type, weight })).into_response())
}

/// Which edges to take away.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UnlinkAsked {
    /// Where they begin.
    source: MemoryId,
    /// Where they end.
    target: MemoryId,
    /// Only the edge of this type; of every type when left out.
    #[serde(rename = "type")]
    edge_type: Option<EdgeType>,
}

/// How many edges were taken away.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Unlinked {
    unlinked: u64,
}

async fn unlink(visit: Visit, Query(asked): Query<UnlinkAsked>) -> Result<Json<Unlinked>, Problem> {
    let scope = visit.caller.scope.clone();
    let unlinked = visit.work(move |engine| {
        let UnlinkAsked { source, target, edge_type } = asked;
        let own = engine.look_before_change(&scope, source)?.map(|memory| Scope::Exact(memory.namespace));
        if let Some(own) = &own {
            // An id that was misspelt must not look like work that was done.
            engine.look_before_change(own, target)?;
        }
        Ok(engine.unlink(&own.unwrap_or(scope), source, target, edge_type)?)
    });
    Ok(Json(Unlinked { unlinked: unlinked.await? }))
}

/// Which way edges are followed.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// Either way.
    #[default]
    Both,
}

/// Where to walk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WalkAsked {
    /// Where the memory is looked for; by default everywhere that the key opens.
    namespace: Option<Namespace>,
    /// The memory to begin at.
    from: MemoryId,
    /// How many edges away; 1 when left out.
    #[schemars(range(min = 1, max = 10))]
    depth: Option<usize>,
    #[serde(default)]
    direction: Way,
    /// Only edges of these types.
    #[serde(default, rename = "type")]
    types: Vec<EdgeType>,
    /// At most so many steps; 50 when left out.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Where a walk came to.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Walked {
    namespace: Namespace,
    from: MemoryId,
    steps: Vec<Step>,
}

async fn walk(visit: Visit, Query(asked): Query<WalkAsked>) -> Result<Json<Walked>, Problem> {
    let limit = visit.limit(asked.limit, STEPS)?;
    let depth_max = asked.depth.unwrap_or(1);
    if !(1..=DEPTH_MAX).contains(&depth_max) {
        return Err(Problem::invalid(format!("`depth`: {depth_max} is not between 1 and {DEPTH_MAX}")));
    }
    let direction = match asked.direction {
        Way::Out => Direction::Outgoing,
        Way::In => Direction::Incoming,
        Way::Both => Direction::Both,
    };
    let types = if asked.types.is_empty() { EdgeTypes::ALL } else { EdgeTypes::only(&asked.types) };
    let scope = visit.scope(asked.namespace.map(Scope::Exact))?;
    let walked = visit.work(move |engine| {
        let Memory { id: from, namespace, .. } = engine.get(&scope, asked.from)?;
        let starts = [from];
        let walk = Walk { direction, depth_max, limit, types, ..Walk::from(&starts) };
        let steps = engine.walk(&namespace, &walk)?;
        Ok(Walked { namespace, from, steps })
    });
    walked.await.map(Json)
}

/// Which graph.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GraphAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    /// At most so many; 20 ranks or 10 groups when left out.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
}

/// Memories by how central they are.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ranks {
    namespace: Namespace,
    ranks: Vec<Rank>,
}

/// How central a memory is.
#[derive(Debug, Serialize, JsonSchema)]
struct Rank {
    id: MemoryId,
    /// Its share; those of all memories sum to 1.
    rank: f64,
}

async fn pagerank(visit: Visit, Query(asked): Query<GraphAsked>) -> Result<Json<Ranks>, Problem> {
    let limit = visit.limit(asked.limit, RANKED)?;
    let namespace = visit.namespace(asked.namespace)?;
    let ranks = visit.work(move |engine| {
        let mut ranks = engine.pagerank(&namespace, &PageRankSettings::default())?;
        ranks.truncate(limit);
        let ranks = ranks.into_iter().map(|(id, rank)| Rank { id, rank }).collect();
        Ok(Ranks { namespace, ranks })
    });
    ranks.await.map(Json)
}

/// Groups of memories.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Groups {
    namespace: Namespace,
    /// How much more weight lies inside the groups than chance would put there, from 0 to almost 1.
    modularity: f64,
    /// How many groups there are of more than one memory.
    count: usize,
    /// The largest of them first.
    groups: Vec<Vec<MemoryId>>,
}

async fn communities(visit: Visit, Query(asked): Query<GraphAsked>) -> Result<Json<Groups>, Problem> {
    let limit = visit.limit(asked.limit, GROUPS)?;
    let namespace = visit.namespace(asked.namespace)?;
    let groups = visit.work(move |engine| {
        let Communities { mut groups, modularity } = engine.communities(&namespace)?;
        groups.retain(|group| group.len() > 1);
        let count = groups.len();
        groups.truncate(limit);
        Ok(Groups { namespace, modularity, count, groups })
    });
    groups.await.map(Json)
}

/// Between which memories.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PathAsked {
    /// Where both are looked for; by default everywhere that the key opens.
    namespace: Option<Namespace>,
    from: MemoryId,
    to: MemoryId,
}

/// How two memories are connected.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Connection {
    /// Null if no edges lead from one to the other.
    path: Option<Path>,
}

async fn path(visit: Visit, Query(asked): Query<PathAsked>) -> Result<Json<Connection>, Problem> {
    let scope = visit.scope(asked.namespace.map(Scope::Exact))?;
    let path = visit.work(move |engine| {
        let from = alive(engine, &scope, asked.from)?;
        let to = alive(engine, &scope, asked.to)?;
        if from.namespace != to.namespace {
            return Err(Problem::invalid(format!(
                "one is in {}, the other in {}, and edges never leave their namespace",
                from.namespace, to.namespace
            )));
        }
        Ok(engine.path(&from.namespace, from.id, to.id)?)
    });
    Ok(Json(Connection { path: path.await? }))
}

/// A memory that is not in the trash.
fn alive(engine: &Perihelion, scope: &Scope, id: MemoryId) -> Result<Memory, Problem> {
    let memory = engine.get(scope, id)?;
    match memory.trashed_at {
        None => Ok(memory),
        Some(_) => Err(Error::Store(StoreError::NotFound { id }).into()),
    }
}

/// How a graph is written.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// For Graphviz.
    Dot,
    /// For Gephi and its kin.
    #[serde(rename = "graphml")]
    GraphMl,
    /// One JSON object with `nodes` and `edges`.
    #[default]
    Json,
}

/// Which graph, and as what.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportAsked {
    /// By default where the key points, or else as configured.
    namespace: Option<Namespace>,
    #[serde(default)]
    format: Format,
}

async fn export(visit: Visit, Query(asked): Query<ExportAsked>) -> Result<Response, Problem> {
    let namespace = visit.namespace(asked.namespace)?;
    let (format, media_type) = match asked.format {
        Format::Dot => (ExportFormat::Dot, "text/vnd.graphviz; charset=utf-8"),
        Format::GraphMl => (ExportFormat::GraphMl, "application/graphml+xml; charset=utf-8"),
        Format::Json => (ExportFormat::Json, "application/json"),
    };
    let body = written(visit, move |engine, out| engine.export_graph(&namespace, format, out)).await?;
    Ok(([(header::CONTENT_TYPE, media_type)], body).into_response())
}
