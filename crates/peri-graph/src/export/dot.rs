//! DOT, the language of Graphviz.

use std::borrow::Cow;
use std::io::{self, Write};

use peri_types::Edge;

use super::NodeView;

pub(super) fn begin(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"digraph memories {\n")
}

pub(super) fn node(out: &mut impl Write, node: &NodeView) -> io::Result<()> {
    write!(out, "  \"{}\" [label=\"{}\"", node.id, escape(&node.label))?;
    if let Some(zone) = node.zone {
        write!(out, ", zone=\"{zone}\"")?;
    }
    if let Some(kind) = node.kind {
        write!(out, ", kind=\"{kind}\"")?;
    }
    if let Some(community) = node.community {
        write!(out, ", community=\"{community}\"")?;
    }
    // Not `rank`: Graphviz gives that word a meaning of its own.
    if let Some(rank) = node.finite_rank() {
        write!(out, ", pagerank=\"{rank}\"")?;
    }
    out.write_all(b"];\n")
}

pub(super) fn edge(out: &mut impl Write, edge: &Edge) -> io::Result<()> {
    let Edge { source, target, edge_type, weight, created_at } = edge;
    write!(out, "  \"{source}\" -> \"{target}\" [label=\"{edge_type}\"")?;
    // Not `weight`: Graphviz takes that for a whole number that shortens the line.
    if weight.is_finite() {
        write!(out, ", strength=\"{weight}\"")?;
    }
    writeln!(out, ", created_at=\"{created_at}\"];")
}

pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"}\n")
}

/// The text as Graphviz shows it unchanged between double quotes.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(|c: char| matches!(c, '"' | '\\' | '&') || c.is_control()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            // A backslash and an r would set the line to the right, so both ends of lines are written alike.
            '\r' if rest.as_str().starts_with('\n') => {}
            '\n' | '\r' => escaped.push_str("\\n"),
            '&' if begins_entity(rest.as_str()) => escaped.push_str("&amp;"),
            '\t' => escaped.push('\t'),
            c if c.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Whether Graphviz would read an ampersand before this text as the beginning of a character's name. Other
/// ampersands are left alone, because most other readers of DOT know no such names.
fn begins_entity(text: &str) -> bool {
    let name = text.strip_prefix('#').unwrap_or(text);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    name[end..].starts_with(';')
}
