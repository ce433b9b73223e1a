//! JSON: one object, a line for each node and each edge.

use std::io::{self, Write};

use serde::Serialize;

pub(super) fn begin(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"{\"nodes\":[")
}

/// Writes a node or an edge that comes after so many others of its list.
pub(super) fn item(out: &mut impl Write, before: usize, item: &impl Serialize) -> io::Result<()> {
    out.write_all(if before == 0 { b"\n" } else { b",\n" })?;
    serde_json::to_writer(out, item).map_err(io::Error::from)
}

pub(super) fn between(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n],\"edges\":[")
}

pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n]}\n")
}
