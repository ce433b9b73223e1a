//! GraphML: a graph as XML.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use peri_types::Edge;

use super::NodeView;

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">
";

/// What is said of nodes and edges: id, what for, and type. The id is also the name.
const KEYS: &[(&str, &str, &str)] = &[
    ("label", "node", "string"),
    ("zone", "node", "string"),
    ("kind", "node", "string"),
    ("community", "node", "long"),
    ("rank", "node", "double"),
    ("type", "edge", "string"),
    ("weight", "edge", "double"),
    ("created_at", "edge", "string"),
];

pub(super) fn begin(out: &mut impl Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for (id, target, kind) in KEYS {
        writeln!(out, "  <key id=\"{id}\" for=\"{target}\" attr.name=\"{id}\" attr.type=\"{kind}\"/>")?;
    }
    out.write_all(b"  <graph id=\"memories\" edgedefault=\"directed\">\n")
}

pub(super) fn node(out: &mut impl Write, node: &NodeView) -> io::Result<()> {
    write!(out, "    <node id=\"{}\">", node.id)?;
    data(out, "label", Some(escape(&node.label)))?;
    data(out, "zone", node.zone)?;
    data(out, "kind", node.kind)?;
    data(out, "community", node.community)?;
    data(out, "rank", node.finite_rank())?;
    out.write_all(b"</node>\n")
}

pub(super) fn edge(out: &mut impl Write, edge: &Edge) -> io::Result<()> {
    write!(out, "    <edge source=\"{}\" target=\"{}\">", edge.source, edge.target)?;
    data(out, "type", Some(edge.edge_type))?;
    data(out, "weight", Some(edge.weight).filter(|weight| weight.is_finite()))?;
    data(out, "created_at", Some(edge.created_at))?;
    out.write_all(b"</edge>\n")
}

pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"  </graph>\n</graphml>\n")
}

fn data(out: &mut impl Write, key: &str, value: Option<impl Display>) -> io::Result<()> {
    match value {
        Some(value) => write!(out, "<data key=\"{key}\">{value}</data>"),
        None => Ok(()),
    }
}

/// The text as the content of an element.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| matches!(c, '&' | '<' | '>' | '\r') || !is_xml(c)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            // Alone it is allowed, but not after two closing brackets.
            '>' => escaped.push_str("&gt;"),
            // Written plainly, readers would turn it into the other kind of line end.
            '\r' => escaped.push_str("&#13;"),
            c if is_xml(c) => escaped.push(c),
            _ => escaped.push(char::REPLACEMENT_CHARACTER),
        }
    }
    Cow::Owned(escaped)
}

/// Whether XML 1.0 can hold the character in any form.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
