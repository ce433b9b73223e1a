//! The graph of a namespace to look at: its most central memories, and the edges between them.

use std::collections::HashMap;

use peri_graph::{Communities, Direction, EdgeTypes, Graph, Link, PageRankSettings};
use peri_store::BodyView;
use peri_types::{Edge, EdgeType, Kind, MemoryId, Namespace, Timestamp, Zone};
use serde::Serialize;

use crate::Error;
use crate::engine::Perihelion;
use crate::orbits::{BEGINNING_CHARS, label};

/// The graph of what is current in a namespace, as far as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphPicture {
    /// Where.
    pub namespace: Namespace,
    /// How many memories have edges, shown or not.
    pub total_nodes: u64,
    /// How many edges there are between them, shown or not.
    pub total_edges: u64,
    /// How many groups of more than one memory there are.
    pub communities: u64,
    /// How much more weight lies inside the groups than chance would put there, from 0 to almost 1.
    pub modularity: f64,
    /// The memories, the most central first.
    pub nodes: Vec<GraphNode>,
    /// The edges between these.
    pub edges: Vec<GraphEdge>,
}

/// A memory in the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphNode {
    /// Which memory.
    pub id: MemoryId,
    /// How its content begins: at most 120 characters, on one line.
    pub label: String,
    /// What it is.
    pub kind: Kind,
    /// How near it orbits.
    pub zone: Zone,
    /// How central it is; the ranks of all memories sum to 1.
    pub rank: f64,
    /// The number of its group, of which 0 is the largest; none if it is alone.
    pub community: Option<u64>,
    /// How many edges it has, shown or not.
    pub degree: u64,
}

/// An edge between two memories that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GraphEdge {
    /// Where it begins, by its place among the nodes.
    pub source: u64,
    /// Where it ends, by its place among the nodes.
    pub target: u64,
    /// What it says of the two.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// How strong it is, above 0 and at most 1.
    pub weight: f32,
}

impl Perihelion {
    /// The graph of what is current in a namespace: so many of its most central memories among those with edges, and
    /// the edges between them. Ranks and groups are those of [`Perihelion::pagerank`] and
    /// [`Perihelion::communities`]; that two contradict each other is shown and makes neither more central.
    pub fn graph_picture(&self, namespace: &Namespace, limit: usize) -> Result<GraphPicture, Error> {
        let core = &self.core;
        let followed = core.graphs.fresh(&*core.store, namespace)?;
        let view = core.store.orbit_view(namespace, core.now(), BEGINNING_CHARS)?;
        let seen: HashMap<MemoryId, BodyView> = view.bodies.into_iter().map(|one| (one.id, one)).collect();
        let links = current_links(&followed.read().0, &seen);
        let relates = |link: &&Link| link.edge_type != EdgeType::Contradicts;
        let graph = Graph::from_edges(links.iter().filter(relates).map(edge_of));
        let Communities { mut groups, modularity } = graph.communities(0);
        groups.retain(|group| group.len() > 1);
        let mut nodes = nodes(&graph, &groups, &links, &seen);
        let total_nodes = nodes.len() as u64;
        nodes.truncate(limit);
        Ok(GraphPicture {
            namespace: namespace.clone(),
            total_nodes,
            total_edges: links.len() as u64,
            communities: groups.len() as u64,
            modularity,
            edges: edges(&nodes, &links),
            nodes,
        })
    }
}

/// The edges between memories that are current, by where they begin. That one took the place of another is no edge
/// between two that hold.
fn current_links(graph: &Graph, seen: &HashMap<MemoryId, BodyView>) -> Vec<Link> {
    let mut ids: Vec<MemoryId> = seen.keys().copied().collect();
    ids.sort_unstable();
    let links = ids.into_iter().flat_map(|id| graph.links(id, Direction::Outgoing, EdgeTypes::ALL));
    let shown = |link: &Link| link.edge_type != EdgeType::Supersedes && seen.contains_key(&link.target);
    links.filter(shown).collect()
}

fn edge_of(link: &Link) -> Edge {
    let &Link { source, target, edge_type, weight } = link;
    // When it was drawn makes nothing more central.
    Edge { source, target, edge_type, weight, created_at: Timestamp::UNIX_EPOCH }
}

/// Every memory with edges, the most central first. One that only contradicts others is not central at all.
fn nodes(
    graph: &Graph,
    groups: &[Vec<MemoryId>],
    links: &[Link],
    seen: &HashMap<MemoryId, BodyView>,
) -> Vec<GraphNode> {
    let mut degrees: HashMap<MemoryId, u64> = HashMap::new();
    for link in links {
        *degrees.entry(link.source).or_default() += 1;
        *degrees.entry(link.target).or_default() += 1;
    }
    let mut ranks = graph.pagerank(&PageRankSettings::default());
    let mut unranked: Vec<MemoryId> = degrees.keys().copied().filter(|id| !graph.contains(*id)).collect();
    unranked.sort_unstable();
    ranks.extend(unranked.into_iter().map(|id| (id, 0.0)));
    let numbered =
        groups.iter().zip(0..).flat_map(|(group, number)| group.iter().map(move |id| (*id, number)));
    let group_of: HashMap<MemoryId, u64> = numbered.collect();
    let node = |(id, rank): (MemoryId, f64)| {
        let one = seen.get(&id)?;
        Some(GraphNode {
            id,
            label: label(&one.beginning),
            kind: one.kind,
            zone: one.zone,
            rank,
            community: group_of.get(&id).copied(),
            degree: degrees.get(&id).copied().unwrap_or(0),
        })
    };
    ranks.into_iter().filter_map(node).collect()
}

fn edges(nodes: &[GraphNode], links: &[Link]) -> Vec<GraphEdge> {
    let places: HashMap<MemoryId, u64> = nodes.iter().map(|node| node.id).zip(0..).collect();
    let edge = |link: &Link| {
        let (source, target) = (*places.get(&link.source)?, *places.get(&link.target)?);
        Some(GraphEdge { source, target, edge_type: link.edge_type, weight: link.weight })
    };
    links.iter().filter_map(edge).collect()
}
