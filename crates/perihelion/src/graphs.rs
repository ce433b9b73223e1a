//! The graphs of the namespaces in use, kept fresh by change number like the indexes.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use peri_graph::{Direction, EdgeTypes, Graph, Link, Walk};
use peri_store::{Store, StoreError};
use peri_types::{ChangeNumber, Edge, EdgeType, MemoryId, Namespace, Scope};

/// At most so many graphs are kept in memory; the one that was asked for longest ago leaves first.
const OPEN_MAX: usize = 16;

/// All graphs of an engine.
#[derive(Default)]
pub(crate) struct Graphs {
    open: Mutex<HashMap<Namespace, Arc<Followed>>>,
    /// Counts requests, to know which graph was asked for longest ago.
    requests: AtomicU64,
}

/// One namespace's graph, and up to which change it is complete.
#[derive(Default)]
pub(crate) struct Followed {
    state: RwLock<(Graph, ChangeNumber)>,
    asked_at: AtomicU64,
}

impl Followed {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, (Graph, ChangeNumber)> {
        self.state.read()
    }
}

/// Where a recall looks links up: in the graph, if it is in memory; else in the store, memory by memory, since a
/// recall follows few of them and reading all would cost more than the rest of it.
pub(crate) struct Linked<'a> {
    graph: Option<&'a Graph>,
    store: &'a dyn Store,
    namespace: &'a Namespace,
    /// What was read already: the best memories are looked up once as they are found and once when they are ordered.
    read: RefCell<HashMap<MemoryId, Vec<Link>>>,
    trouble: RefCell<Option<StoreError>>,
}

impl<'a> Linked<'a> {
    /// The links of a namespace, with its graph if that is in memory.
    pub(crate) fn new(graph: Option<&'a Graph>, store: &'a dyn Store, namespace: &'a Namespace) -> Self {
        Self { graph, store, namespace, read: RefCell::default(), trouble: RefCell::default() }
    }

    /// The edges of a memory, the heaviest first.
    pub(crate) fn links(&self, id: MemoryId, direction: Direction, types: EdgeTypes) -> Vec<Link> {
        if let Some(graph) = self.graph {
            return graph.links(id, direction, types);
        }
        let mut read = self.read.borrow_mut();
        let links = read.entry(id).or_insert_with(|| {
            let edges = self.ask(|store, namespace| store.edges_of(namespace, id)).into_iter();
            let link =
                |Edge { source, target, edge_type, weight, .. }| Link { source, target, edge_type, weight };
            edges.map(link).collect()
        });
        let wanted = |link: &&Link| {
            follows((link.source, link.target), id, direction) && types.contains(link.edge_type)
        };
        links.iter().filter(wanted).copied().collect()
    }

    /// What took the place of each of these memories, where something did. The records tell it: an edge that shows it
    /// may have had to leave.
    pub(crate) fn successors(&self, ids: &[MemoryId]) -> HashMap<MemoryId, MemoryId> {
        if ids.is_empty() {
            return HashMap::new();
        }
        let scope = Scope::Exact(self.namespace.clone());
        let found = self.ask(|store, _| store.get(&scope, ids));
        found.into_iter().filter_map(|memory| Some((memory.id, memory.facets.superseded_by?))).collect()
    }

    /// Reads from the store, or nothing once that has failed.
    fn ask<T>(&self, read: impl FnOnce(&dyn Store, &Namespace) -> Result<Vec<T>, StoreError>) -> Vec<T> {
        if self.trouble.borrow().is_some() {
            return Vec::new();
        }
        read(self.store, self.namespace).unwrap_or_else(|error| {
            *self.trouble.borrow_mut() = Some(error);
            Vec::new()
        })
    }

    /// What went wrong, if something did; what was found until then counts.
    pub(crate) fn trouble(self) -> Option<StoreError> {
        self.trouble.into_inner()
    }
}

/// A walk reads the edges of at most so many memories one by one; beyond, reading the whole graph is quicker.
const READ_SINGLY: usize = 256;

/// As much of a graph as a walk can see, read memory by memory; none if that is too much.
pub(crate) fn surroundings(
    store: &dyn Store,
    namespace: &Namespace,
    walk: &Walk<'_>,
) -> Result<Option<Graph>, StoreError> {
    let mut edges: HashMap<(MemoryId, MemoryId, EdgeType), Edge> = HashMap::new();
    let mut seen: HashSet<MemoryId> = walk.starts.iter().copied().collect();
    let starts = seen.len();
    let mut border: Vec<MemoryId> = seen.iter().copied().collect();
    let mut read = 0;
    for _ in 0..walk.depth_max {
        // As the walk itself, which does not go on once it has enough.
        if seen.len() - starts >= walk.limit {
            break;
        }
        for id in std::mem::take(&mut border) {
            read += 1;
            if read > READ_SINGLY {
                return Ok(None);
            }
            let near = store.edges_of(namespace, id)?;
            for edge in
                near.into_iter().filter(|edge| follows((edge.source, edge.target), id, walk.direction))
            {
                if walk.types.contains(edge.edge_type) {
                    let ends = [edge.source, edge.target];
                    border.extend(ends.into_iter().filter(|end| seen.insert(*end)));
                    edges.insert((edge.source, edge.target, edge.edge_type), edge);
                }
            }
        }
    }
    Ok(Some(Graph::from_edges(edges.into_values())))
}

/// Whether an edge is followed from a memory.
fn follows((source, target): (MemoryId, MemoryId), from: MemoryId, direction: Direction) -> bool {
    match direction {
        Direction::Outgoing => source == from,
        Direction::Incoming => target == from,
        Direction::Both => true,
    }
}

impl Graphs {
    /// A namespace's graph with every edge, if it is in memory.
    pub(crate) fn in_memory(
        &self,
        store: &dyn Store,
        namespace: &Namespace,
    ) -> Result<Option<Arc<Followed>>, StoreError> {
        let is_open = self.open.lock().contains_key(namespace);
        if is_open { self.fresh(store, namespace).map(Some) } else { Ok(None) }
    }

    /// Finds out whether a namespace's graph can be read, without reading it if it is not in memory.
    pub(crate) fn probe(&self, store: &dyn Store, namespace: &Namespace) -> Result<(), StoreError> {
        if self.in_memory(store, namespace)?.is_none() {
            store.edges_of(namespace, MemoryId::from_bytes([0; 16]))?;
        }
        Ok(())
    }

    /// A namespace's graph with every edge that the store has committed.
    pub(crate) fn fresh(
        &self,
        store: &dyn Store,
        namespace: &Namespace,
    ) -> Result<Arc<Followed>, StoreError> {
        let followed = Arc::clone(self.open.lock().entry(namespace.clone()).or_default());
        followed.asked_at.store(self.requests.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let head = store.head(namespace)?;
        if followed.read().1 != head {
            follow(store, namespace, &followed)?;
        }
        self.make_room();
        Ok(followed)
    }

    fn make_room(&self) {
        let mut open = self.open.lock();
        if open.len() > OPEN_MAX {
            let oldest = open.iter().min_by_key(|(_, graph)| graph.asked_at.load(Ordering::Relaxed));
            let oldest = oldest.map(|(namespace, _)| namespace.clone());
            oldest.map(|namespace| open.remove(&namespace));
        }
    }
}

fn follow(store: &dyn Store, namespace: &Namespace, followed: &Followed) -> Result<(), StoreError> {
    let mut state = followed.state.write();
    let (graph, known) = &mut *state;
    let mut changes = store.edge_changes(namespace, *known)?;
    if changes.head < *known {
        // The store went back in time: somebody put an older database in place.
        *graph = Graph::default();
        changes = store.edge_changes(namespace, ChangeNumber(0))?;
    }
    let mut touched: Vec<MemoryId> = Vec::new();
    for changed in &changes.sources {
        let former = graph.links(changed.source, Direction::Outgoing, EdgeTypes::ALL);
        touched.extend(former.into_iter().map(|link| link.target).chain([changed.source]));
        graph.set_outgoing(changed.source, &changed.edges);
    }
    // What has no edges left may be gone altogether; it is no part of the graph either way.
    for id in touched {
        if graph.degree(id, Direction::Both) == 0 {
            graph.remove(id);
        }
    }
    *known = changes.head;
    Ok(())
}
