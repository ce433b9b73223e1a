//! Single lines of an export, for whoever writes a part of one elsewhere.

use std::io::{self, Write};

use peri_store::{Links, Store};
use peri_types::{Edge, Memory, Namespace};

use super::line::{EdgeLine, End, Line};
use super::memory_line::{MemoryLine, Offered};
use crate::Error;

/// The format of the lines.
pub(crate) const FORMAT: u32 = super::FORMAT;

/// Writes a memory with everything that belongs to it.
pub(crate) fn write_memory(
    store: &dyn Store,
    memory: Memory,
    links: Links,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (namespace, id) = (&memory.namespace, memory.id);
    let versions = store.versions(namespace, id)?;
    let usage = store.usage(namespace, id)?;
    let merge = store.merges(namespace, id)?.into_iter().find(|merge| merge.absorbed == id);
    let (recalls, last_used_at) = usage.map_or((0, None), |(recalls, at)| (recalls, Some(at)));
    let vector = Offered::Nothing;
    let line = MemoryLine { memory, versions, recalls, last_used_at, merge, links, vector };
    put(&Line::Memory(Box::new(line)), out)
}

/// Writes an edge.
pub(crate) fn write_edge(namespace: &Namespace, edge: Edge, out: &mut dyn Write) -> Result<(), Error> {
    put(&Line::Edge(EdgeLine { namespace: namespace.clone(), edge }), out)
}

/// Writes the last line, which says how much there is above.
pub(crate) fn write_end(memories: u64, edges: u64, out: &mut dyn Write) -> Result<(), Error> {
    put(&Line::End(End { memories, edges, ..End::default() }), out)
}

fn put(line: &Line, out: &mut dyn Write) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec(line).map_err(|error| Error::Transfer(io::Error::from(error)))?;
    bytes.push(b'\n');
    out.write_all(&bytes).map_err(Error::Transfer)
}
