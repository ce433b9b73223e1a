//! The graph of a namespace: edges drawn by hand, walks, ranks, communities, paths, and exports.

use std::collections::HashMap;

use peri_graph::{Communities, ExportFormat, Graph, NodeExport, NodeView, Path, Step, Walk};
use peri_index::{Superseded, View};
use peri_store::{ListQuery, Missing, Order, StoreError, Write, Written};
use peri_types::{ChangeNumber, Edge, EdgeType, Filter, Memory, MemoryId, Namespace, Scope, Timestamp};
use serde::{Deserialize, Serialize};

use crate::engine::Perihelion;
use crate::graphs::Followed;
use crate::pool::Need;
use crate::queue::{Intent, Making, Transaction};
use crate::{Error, Revise};

/// Content is cut to so many characters in an exported graph.
const LABEL_CHARS: usize = 80;

/// Memories are read so many at a time.
const PAGE: usize = 256;

impl Perihelion {
    /// Links two memories of one namespace, or replaces the edge of this type between them. A memory keeps a
    /// bounded number of edges: the lightest leaves when a new one comes. `false`: this one was the lightest. An edge
    /// that says that one takes the place of the other makes it so.
    pub fn link(&self, scope: &Scope, edge: &NewEdge) -> Result<bool, Error> {
        peri_graph::check_edge(&edge.drawn_at(self.core.now()))?;
        let wanted = || Ok(Intent::Link { scope: scope.clone(), edge: *edge });
        self.core.perform(wanted, "link", |making| self.make_link(making, scope, edge))
    }

    pub(crate) fn make_link(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        edge: &NewEdge,
    ) -> Result<bool, Error> {
        let namespace = self.get_as_of(scope, edge.source, making.at())?.namespace;
        let mut writes = Vec::new();
        if edge.edge_type == EdgeType::Supersedes {
            // That one takes the place of another is a matter of the other's record; the edge shows it.
            let older = self.get_as_of(&Scope::Exact(namespace.clone()), edge.target, making.at())?;
            if older.facets.superseded_by != Some(edge.source) {
                writes.push(self.put_in_place_of(making, &older, Some(edge.source))?);
            }
        }
        let edges = vec![edge.drawn_at(making.at())];
        let max = self.core.options.graph.edges_max;
        writes.push(Write::Link { namespace, edges, max, missing: Missing::Refused });
        match making.write(Transaction::Only, writes)?.pop() {
            Some(Written::Linked(count)) => Ok(count > 0),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// The change that lets a memory be replaced by another one, or by none.
    fn put_in_place_of(
        &self,
        making: &Making<'_>,
        older: &Memory,
        newer: Option<MemoryId>,
    ) -> Result<Write, Error> {
        let changes = Revise { superseded_by: Some(newer), ..Revise::default() };
        let (expected_version, revision) = self.revision(changes, &mut Vec::new())?;
        let (scope, revision) = (Scope::Exact(older.namespace.clone()), Box::new(revision));
        Ok(Write::Revise { scope, id: older.id, revision, expected_version, at: making.at() })
    }

    /// Takes edges from one memory to another away, of one type or of all; how many there were. Where one of them says
    /// that it took the place of the other, that one holds again.
    pub fn unlink(
        &self,
        scope: &Scope,
        source: MemoryId,
        target: MemoryId,
        edge_type: Option<EdgeType>,
    ) -> Result<u64, Error> {
        let wanted = || Ok(Intent::Unlink { scope: scope.clone(), source, target, edge_type });
        let make = |making: &Making<'_>| self.make_unlink(making, scope, (source, target), edge_type);
        self.core.perform(wanted, "unlink", make)
    }

    pub(crate) fn make_unlink(
        &self,
        making: &Making<'_>,
        scope: &Scope,
        (source, target): (MemoryId, MemoryId),
        edge_type: Option<EdgeType>,
    ) -> Result<u64, Error> {
        let namespace = self.get_as_of(scope, source, making.at())?.namespace;
        let mut writes = Vec::new();
        if edge_type.is_none_or(|edge_type| edge_type == EdgeType::Supersedes) {
            writes.extend(self.hold_again(making, &namespace, (source, target))?);
        }
        writes.insert(0, Write::Unlink { namespace, source, target, edge_type, at: making.at() });
        match making.write(Transaction::Only, writes)?.first() {
            Some(Written::Unlinked(count)) => Ok(*count),
            Some(Written::Repeated) => Ok(0),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// The change that makes a memory current again, if it is this one that took its place. What was merged is split
    /// instead, which also gives back what the other gained by it.
    fn hold_again(
        &self,
        making: &Making<'_>,
        namespace: &Namespace,
        (newer, older): (MemoryId, MemoryId),
    ) -> Result<Option<Write>, Error> {
        let store = &self.core.store;
        let found = store.get(&Scope::Exact(namespace.clone()), &[older])?.pop();
        let replaced = |memory: &Memory| {
            memory.facets.superseded_by == Some(newer)
                && memory.facets.promoted_to.is_none()
                && memory.trashed_at.is_none()
        };
        let Some(memory) = found.filter(replaced) else { return Ok(None) };
        let merged = store.merges(namespace, older)?;
        if merged.iter().any(|merge| (merge.absorbed, merge.survivor) == (older, newer)) {
            return Err(Error::Merged { id: older, survivor: newer });
        }
        self.put_in_place_of(making, &memory, None).map(Some)
    }

    /// The edges of one memory, in both directions, the heaviest first.
    pub fn edges(&self, scope: &Scope, id: MemoryId) -> Result<Vec<Edge>, Error> {
        let namespace = self.get(scope, id)?.namespace;
        Ok(self.core.store.edges_of(&namespace, id)?)
    }

    /// What can be reached from memories of a namespace over edges.
    pub fn walk(&self, namespace: &Namespace, walk: &Walk<'_>) -> Result<Vec<Step>, Error> {
        let (graphs, store) = (&self.core.graphs, &*self.core.store);
        if let Some(open) = graphs.in_memory(store, namespace)? {
            return Ok(open.read().0.walk(walk));
        }
        match crate::graphs::surroundings(store, namespace, walk)? {
            Some(near) => Ok(near.walk(walk)),
            None => Ok(self.graph(namespace)?.read().0.walk(walk)),
        }
    }

    /// The current memories of a namespace by how central they are, the most central first. That one took the place
    /// of another, or contradicts it, does not make either more central.
    pub fn pagerank(
        &self,
        namespace: &Namespace,
        settings: &peri_graph::PageRankSettings,
    ) -> Result<Vec<(MemoryId, f64)>, Error> {
        Ok(self.current_graph(namespace)?.pagerank(settings))
    }

    /// Groups of current memories that are linked among each other more than with the rest.
    pub fn communities(&self, namespace: &Namespace) -> Result<Communities, Error> {
        Ok(self.current_graph(namespace)?.communities(0))
    }

    /// The shortest way between two memories, whichever way the edges point; none if there is none.
    pub fn path(&self, namespace: &Namespace, from: MemoryId, to: MemoryId) -> Result<Option<Path>, Error> {
        let direction = peri_graph::Direction::Both;
        Ok(self.graph(namespace)?.read().0.shortest_path(from, to, direction))
    }

    /// Writes a namespace's graph for other programs, with the rank and the community of each memory.
    pub fn export_graph(
        &self,
        namespace: &Namespace,
        format: ExportFormat,
        out: &mut dyn std::io::Write,
    ) -> Result<(), Error> {
        let core = &self.core;
        let graph = self.current_graph(namespace)?;
        let ranks = graph.pagerank(&peri_graph::PageRankSettings::default());
        let groups = graph.communities(0).groups;
        let ranks: HashMap<MemoryId, f64> = ranks.into_iter().collect();
        let numbered = groups.iter().enumerate().filter(|(_, group)| group.len() > 1);
        let groups: HashMap<MemoryId, usize> =
            numbered.flat_map(|(number, group)| group.iter().map(move |id| (*id, number))).collect();
        let mut nodes = NodeExport::begin(format, out).map_err(Error::Transfer)?;
        let (scope, order) = (Scope::Exact(namespace.clone()), Order::OldestFirst);
        let mut query = ListQuery { scope, order, limit: PAGE, ..ListQuery::default() };
        loop {
            let page = core.store.list(&query)?;
            for memory in &page.memories {
                let view = NodeView {
                    zone: Some(memory.zone),
                    kind: Some(memory.kind),
                    community: groups.get(&memory.id).copied(),
                    rank: ranks.get(&memory.id).copied(),
                    ..NodeView::new(memory.id, label(memory))
                };
                nodes.node(&view).map_err(Error::Transfer)?;
            }
            query.after = page.next;
            if query.after.is_none() {
                break;
            }
        }
        let mut edges = nodes.edges().map_err(Error::Transfer)?;
        for changed in core.store.edge_changes(namespace, ChangeNumber(0))?.sources {
            for edge in &changed.edges {
                edges.edge(edge).map_err(Error::Transfer)?;
            }
        }
        edges.finish().map_err(Error::Transfer)?;
        Ok(())
    }

    /// The graph of what is current, with the links that say that two memories have to do with each other.
    fn current_graph(&self, namespace: &Namespace) -> Result<Graph, Error> {
        let core = &self.core;
        let changes = core.store.edge_changes(namespace, ChangeNumber(0))?;
        let ends = changes.sources.iter().flat_map(|changed| &changed.edges);
        let mut ids: Vec<MemoryId> = ends.flat_map(|edge| [edge.source, edge.target]).collect();
        ids.sort_unstable();
        ids.dedup();
        let shelf = core.shelf(&core.senses.now(), namespace, &Need::Memories(&ids))?;
        let index = shelf.read();
        let view = View { now: core.now(), superseded: Superseded::LeftOut };
        let mask = index.mask(&Filter::default(), view);
        let is_current = |id| index.doc_of(id).is_some_and(|doc| mask.contains(doc));
        let edges = changes.sources.into_iter().flat_map(|changed| changed.edges);
        Ok(Graph::from_edges(edges.filter(|edge| {
            let relates = !matches!(edge.edge_type, EdgeType::Supersedes | EdgeType::Contradicts);
            relates && is_current(edge.source) && is_current(edge.target)
        })))
    }

    fn graph(&self, namespace: &Namespace) -> Result<std::sync::Arc<Followed>, Error> {
        Ok(self.core.graphs.fresh(&*self.core.store, namespace)?)
    }
}

/// An edge to draw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NewEdge {
    /// Where it begins.
    pub source: MemoryId,
    /// Where it ends.
    pub target: MemoryId,
    /// What it says of the two.
    pub edge_type: EdgeType,
    /// How strong it is, above 0 and at most 1.
    pub weight: f32,
}

impl NewEdge {
    /// The edge as it is kept.
    pub(crate) fn drawn_at(&self, created_at: Timestamp) -> Edge {
        let &Self { source, target, edge_type, weight } = self;
        Edge { source, target, edge_type, weight, created_at }
    }
}

/// How a memory's content begins.
fn label(memory: &Memory) -> String {
    let mut label: String = memory.content.chars().take(LABEL_CHARS).collect();
    if label.len() < memory.content.len() {
        label.push('…');
    }
    label
}
