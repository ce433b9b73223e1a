//! The graphs of the namespaces in use, kept fresh by change number like the indexes.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use peri_graph::{Direction, EdgeTypes, Graph};
use peri_store::{Store, StoreError};
use peri_types::{ChangeNumber, MemoryId, Namespace};

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

impl Graphs {
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
