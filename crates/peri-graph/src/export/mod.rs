//! The graph written for other programs: Graphviz (DOT), GraphML readers, and JSON.
//!
//! Everything streams: a node or an edge is written when it is given and then forgotten. The bytes depend only
//! on what is given and in which order.

mod dot;
mod graphml;
mod json;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use peri_types::{Edge, Kind, MemoryId, UnknownName, Zone};
use serde::Serialize;

/// A memory as an export shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeView<'text> {
    /// The memory.
    pub id: MemoryId,
    /// What to write beside it; any text at all.
    pub label: Cow<'text, str>,
    /// How near it orbits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The place of its group in [`crate::Communities`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub community: Option<usize>,
    /// Its PageRank. What is not a finite number is left out.
    #[serde(skip_serializing_if = "is_not_finite")]
    pub rank: Option<f64>,
}

impl<'text> NodeView<'text> {
    /// A memory with a label and nothing else said of it.
    pub fn new(id: MemoryId, label: impl Into<Cow<'text, str>>) -> Self {
        Self { id, label: label.into(), zone: None, kind: None, community: None, rank: None }
    }

    fn finite_rank(&self) -> Option<f64> {
        self.rank.filter(|rank| rank.is_finite())
    }
}

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportFormat {
    /// Graphviz's language. Control characters, which it cannot show, become U+FFFD; every kind of line end
    /// becomes the same.
    Dot,
    /// XML that most programs for graphs read. Characters that XML 1.0 cannot hold become U+FFFD.
    GraphMl,
    /// One object with `nodes` and `edges`. Texts stay exactly as they are.
    Json,
}

impl ExportFormat {
    /// Every format.
    pub const ALL: &'static [Self] = &[Self::Dot, Self::GraphMl, Self::Json];

    /// The name used in the CLI and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Json => "json",
        }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ExportFormat {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let wanted = text.trim().to_ascii_lowercase();
        Self::ALL.iter().copied().find(|format| format.as_str() == wanted).ok_or_else(|| UnknownName {
            what: "export format",
            given: text.to_owned(),
            expected: Self::ALL.iter().map(|format| format.as_str()).collect::<Vec<_>>().join(", "),
        })
    }
}

/// Writes nodes, then edges, in the order given. Many small pieces are written: files want a `BufWriter`.
pub fn export<'text, W: Write>(
    format: ExportFormat,
    out: W,
    nodes: impl IntoIterator<Item = NodeView<'text>>,
    edges: impl IntoIterator<Item = Edge>,
) -> io::Result<W> {
    let mut writing = NodeExport::begin(format, out)?;
    for node in nodes {
        writing.node(&node)?;
    }
    let mut writing = writing.edges()?;
    for edge in edges {
        writing.edge(&edge)?;
    }
    writing.finish()
}

/// An export that takes nodes. Whoever reads memories page by page, and may fail between two pages, writes
/// with this instead of [`export()`].
#[derive(Debug)]
pub struct NodeExport<W> {
    format: ExportFormat,
    out: W,
    written: usize,
}

impl<W: Write> NodeExport<W> {
    /// Writes what comes before the first node.
    pub fn begin(format: ExportFormat, mut out: W) -> io::Result<Self> {
        match format {
            ExportFormat::Dot => dot::begin(&mut out),
            ExportFormat::GraphMl => graphml::begin(&mut out),
            ExportFormat::Json => json::begin(&mut out),
        }?;
        Ok(Self { format, out, written: 0 })
    }

    /// Writes a node.
    pub fn node(&mut self, node: &NodeView) -> io::Result<()> {
        match self.format {
            ExportFormat::Dot => dot::node(&mut self.out, node),
            ExportFormat::GraphMl => graphml::node(&mut self.out, node),
            ExportFormat::Json => json::item(&mut self.out, self.written, node),
        }?;
        self.written += 1;
        Ok(())
    }

    /// Goes on to the edges.
    pub fn edges(mut self) -> io::Result<EdgeExport<W>> {
        if self.format == ExportFormat::Json {
            json::between(&mut self.out)?;
        }
        Ok(EdgeExport { format: self.format, out: self.out, written: 0 })
    }
}

/// An export that takes edges. Without [`EdgeExport::finish`] what was written is torn.
#[derive(Debug)]
pub struct EdgeExport<W> {
    format: ExportFormat,
    out: W,
    written: usize,
}

impl<W: Write> EdgeExport<W> {
    /// Writes an edge.
    pub fn edge(&mut self, edge: &Edge) -> io::Result<()> {
        match self.format {
            ExportFormat::Dot => dot::edge(&mut self.out, edge),
            ExportFormat::GraphMl => graphml::edge(&mut self.out, edge),
            ExportFormat::Json => json::item(&mut self.out, self.written, edge),
        }?;
        self.written += 1;
        Ok(())
    }

    /// Writes what comes after the last edge, flushes, and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        match self.format {
            ExportFormat::Dot => dot::end(&mut self.out),
            ExportFormat::GraphMl => graphml::end(&mut self.out),
            ExportFormat::Json => json::end(&mut self.out),
        }?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn is_not_finite(rank: &Option<f64>) -> bool {
    rank.is_none_or(|rank| !rank.is_finite())
}
