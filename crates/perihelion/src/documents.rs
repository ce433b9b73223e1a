//! What somebody needs who keeps memories in step with files: what changed since, and changes of many at once.

use peri_store::{Change, Missing, StoreError, Told, Write, Written};
use peri_types::{ChangeNumber, Edge, EdgeType, Happening, Memory, MemoryId, Namespace, Scope};

use crate::Error;
use crate::engine::Perihelion;
use crate::graph::NewEdge;
use crate::redact::redact_text;
use crate::revise::{Revise, Revised};

/// Changes are read so many at a time.
const PAGE: usize = 1000;

/// Edges are written so many at a time.
const EDGES_MAX: usize = 1000;

/// What became of a namespace since somebody looked.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedSince {
    /// The memories that are new or were changed, as they are now.
    pub memories: Vec<Memory>,
    /// Those that lie in the trash, were destroyed or moved elsewhere.
    pub gone: Vec<MemoryId>,
    /// The last change there is: where to go on.
    pub through: ChangeNumber,
}

impl Perihelion {
    /// What tells the store from every other one.
    pub fn store_identity(&self) -> Result<String, Error> {
        Ok(self.core.store.identity()?)
    }

    /// The last change of a namespace; zero if there is none.
    pub fn head(&self, namespace: &Namespace) -> Result<ChangeNumber, Error> {
        Ok(self.core.store.head(namespace)?)
    }

    /// What became of a namespace after a change.
    pub fn changed_since(&self, namespace: &Namespace, after: ChangeNumber) -> Result<ChangedSince, Error> {
        let store = &self.core.store;
        let mut told = ChangedSince { memories: Vec::new(), gone: Vec::new(), through: after };
        loop {
            let changes = store.changes(namespace, None, told.through, PAGE)?;
            let Some(last) = changes.last() else { return Ok(told) };
            told.through = last.number();
            for change in changes {
                match change {
                    Change::Put { memory, .. } => told.memories.push(*memory),
                    Change::Gone { id, .. } => told.gone.push(id),
                }
            }
        }
    }

    /// A text as it would be stored: without its secrets, unless redaction is off.
    pub fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if self.core.options.redaction == crate::Redaction::On {
            redact_text(&mut text, &mut Vec::new());
        }
        text
    }

    /// Changes a memory that comes from a file, and says which file that is now.
    pub fn refile(
        &self,
        scope: &Scope,
        id: MemoryId,
        source: &str,
        request: Revise,
    ) -> Result<Revised, Error> {
        let core = &self.core;
        core.options.limits.check_label("source", source)?;
        let mut redacted = Vec::new();
        let (expected_version, mut revision) = self.revision(request, &mut redacted)?;
        revision.source = Some(source.to_owned());
        let (scope, revision) = (scope.clone(), Box::new(revision));
        let write = Write::Revise { scope, id, revision, expected_version, at: core.now() };
        match core.change(vec![write])?.pop() {
            Some(Written::Revised(memory)) => Ok(Revised { memory: *memory, redacted }),
            _ => Err(Error::Store(StoreError::Closed)),
        }
    }

    /// Tells of something that happened in a namespace and is no change of it, such as an edit of two sides at once.
    pub fn tell_in(&self, namespace: &Namespace, what: Happening) -> Result<(), Error> {
        let told = Told { namespace: Some(namespace.clone()), at: self.core.now(), what };
        self.core.store.write(vec![Write::Tell(told)])?;
        self.core.publish();
        Ok(())
    }

    /// Draws edges between memories of a namespace. Those whose ends are not both there are skipped.
    pub fn link_all(&self, namespace: &Namespace, edges: &[NewEdge]) -> Result<u64, Error> {
        let core = &self.core;
        let (created_at, max) = (core.now(), core.options.graph.edges_max);
        let edges: Vec<Edge> = edges.iter().map(|edge| edge.drawn_at(created_at)).collect();
        edges.iter().try_for_each(peri_graph::check_edge)?;
        let mut written = Vec::new();
        for some in edges.chunks(EDGES_MAX) {
            let (namespace, edges, missing) = (namespace.clone(), some.to_vec(), Missing::Skipped);
            written.extend(core.write(vec![Write::Link { namespace, edges, max, missing }])?);
        }
        count(&written, |one| if let Written::Linked(count) = one { *count } else { 0 })
    }

    /// Takes away the edges of one type from one memory to another, for many pairs; how many there were.
    pub fn unlink_all(
        &self,
        namespace: &Namespace,
        pairs: &[(MemoryId, MemoryId)],
        edge_type: EdgeType,
    ) -> Result<u64, Error> {
        let (core, at) = (&self.core, self.core.now());
        let mut written = Vec::new();
        for some in pairs.chunks(EDGES_MAX) {
            let unlink = |&(source, target): &(MemoryId, MemoryId)| {
                let (namespace, edge_type) = (namespace.clone(), Some(edge_type));
                Write::Unlink { namespace, source, target, edge_type, at }
            };
            written.extend(core.write(some.iter().map(unlink).collect())?);
        }
        count(&written, |one| if let Written::Unlinked(count) = one { *count } else { 0 })
    }
}

/// How much came of changes. If some of them wait, nobody can say, and all are taken care of.
fn count(written: &[Written], count: impl Fn(&Written) -> u64) -> Result<u64, Error> {
    if written.contains(&Written::Queued) {
        return Err(Error::Queued);
    }
    Ok(written.iter().map(count).sum())
}
