//! The graphs of the namespaces in use, kept fresh by change number like the indexes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use peri_graph::{Direction, EdgeTypes, Graph, Link};
use peri_store::{Store, StoreError};
use peri_types::{ChangeNumber, Edge, MemoryId, Namespace};

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
pub(crate) enum Linked<'a> {
    /// The graph in memory.
    Graph(&'a Graph),
    /// The store, and what went wrong with it.
    Store(&'a dyn Store, &'a Namespace, RefCell<Option<StoreError>>),
}

impl Linked<'_> {
    /// The edges of a memory, the heaviest first.
    pub(crate) fn links(&self, id: MemoryId, direction: Direction, types: EdgeTypes) -> Vec<Link> {
        match self {
            Self::Graph(graph) => graph.links(id, direction, types),
            Self::Store(store, namespace, trouble) => {
                if trouble.borrow().is_some() {
                    return Vec::new();
                }
                let edges = store.edges_of(namespace, id).unwrap_or_else(|error| {
                    *trouble.borrow_mut() = Some(error);
                    Vec::new()
                });
                let follows = |edge: &Edge| match direction {
                    Direction::Outgoing => edge.source == id,
                    Direction::Incoming => edge.target == id,
                    Direction::Both => true,
                };
                let wanted = edges.into_iter().filter(|edge| follows(edge) && types.contains(edge.edge_type));
                wanted
                    .map(|Edge { source, target, edge_type, weight, .. }| Link {
                        source,
                        target,
                        edge_type,
                        weight,
                    })
                    .collect()
            }
        }
    }

    /// What went wrong, if something did; what was found until then counts.
    pub(crate) fn trouble(self) -> Option<StoreError> {
        match self {
            Self::Graph(_) => None,
            Self::Store(.., trouble) => trouble.into_inner(),
        }
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
