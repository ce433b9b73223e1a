//! Exports, read back as other programs would.

use std::io::{self, BufWriter, ErrorKind, Write};

use peri_graph::{ExportFormat, NodeExport, NodeView, export};
use peri_types::{Edge, EdgeType, Kind, MemoryId, Zone};
use proptest::prelude::*;

use crate::{any_edges, id, link, xml};

fn write(format: ExportFormat, nodes: &[NodeView], edges: &[Edge]) -> String {
    let bytes = export(format, Vec::new(), nodes.iter().cloned(), edges.iter().copied()).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Texts of pieces that mean something to one of the formats, and of any characters.
fn any_label() -> impl Strategy<Value = String> {
    let pieces = &[
        "\"", "\\", "\\\"", "\n", "\r", "\r\n", "\t", "\0", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}",
        "\u{fffe}", "\u{ffff}", "&", "&amp;", "&#10;", "&lt", "<", ">", "]]>", "<!--", "</data>", "\\n",
        "\\N", "\\G", "'", "->", "];", "}", "한국", "😀", "e\u{301}", " ",
    ];
    let piece = prop_oneof![
        proptest::sample::select(pieces).prop_map(str::to_owned),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_node(number: u8) -> impl Strategy<Value = NodeView<'static>> {
    let zone = prop::option::of(proptest::sample::select(Zone::ALL));
    let kind = prop::option::of(proptest::sample::select(Kind::ALL));
    let parts =
        (any_label(), zone, kind, prop::option::of(any::<u32>()), prop::option::of(prop::num::f64::ANY));
    parts.prop_map(move |(label, zone, kind, community, rank)| NodeView {
        zone,
        kind,
        community: community.map(|community| community as usize),
        rank,
        ..NodeView::new(id(number), label)
    })
}

fn any_nodes() -> impl Strategy<Value = Vec<NodeView<'static>>> {
    (any_node(0), any_node(1), any_node(2)).prop_map(|(a, b, c)| vec![a, b, c])
}

fn finite(node: &NodeView) -> Option<f64> {
    node.rank.filter(|rank| rank.is_finite())
}

proptest! {
    #[test]
    fn json_gives_back_every_text_and_number(nodes in any_nodes(), edges in any_edges(4, 6)) {
        let value: serde_json::Value = serde_json::from_str(&write(ExportFormat::Json, &nodes, &edges)).unwrap();
        let read: Vec<Edge> = serde_json::from_value(value["edges"].clone()).unwrap();
        prop_assert_eq!(read, edges);
        let written = value["nodes"].as_array().unwrap();
        prop_assert_eq!(written.len(), nodes.len());
        for (found, node) in written.iter().zip(&nodes) {
            prop_assert_eq!(found["label"].as_str(), Some(&*node.label));
            prop_assert_eq!(found["id"].as_str().unwrap().parse(), Ok(node.id));
            prop_assert_eq!(found["zone"].as_str(), node.zone.map(Zone::as_str));
            prop_assert_eq!(found["kind"].as_str(), node.kind.map(Kind::as_str));
            prop_assert_eq!(found["community"].as_u64(), node.community.map(|community| community as u64));
            prop_assert_eq!(found.get("rank").is_some(), finite(node).is_some());
        }
    }

    #[test]
    fn graphml_is_well_formed_and_gives_back_what_xml_can_hold(nodes in any_nodes(), edges in any_edges(4, 6)) {
        let root = xml::read(&write(ExportFormat::GraphMl, &nodes, &edges));
        let keys: Vec<&str> = root.named("key").map(|key| key.attribute("id")).collect();
        let graph = root.named("graph").next().unwrap();
        let data = |element: &xml::Element, key: &str| {
            assert!(keys.contains(&key));
            element.named("data").find(|data| data.attribute("key") == key).map(|data| data.text.clone())
        };
        let written: Vec<&xml::Element> = graph.named("node").collect();
        prop_assert_eq!(written.len(), nodes.len());
        for (found, node) in written.iter().zip(&nodes) {
            let is_held = |c: &char| !matches!(*c as u32, 0..=8 | 0xB | 0xC | 0xE..=0x1F | 0xFFFE | 0xFFFF);
            let label: String =
                node.label.chars().map(|c| if is_held(&c) { c } else { '\u{fffd}' }).collect();
            prop_assert_eq!(data(found, "label"), Some(label));
            prop_assert_eq!(found.attribute("id").parse(), Ok(node.id));
            prop_assert_eq!(data(found, "zone"), node.zone.map(|zone| zone.to_string()));
            prop_assert_eq!(data(found, "kind"), node.kind.map(|kind| kind.to_string()));
            prop_assert_eq!(data(found, "community"), node.community.map(|community| community.to_string()));
            let rank = data(found, "rank").map(|rank| rank.parse::<f64>().unwrap());
            prop_assert_eq!(rank, finite(node));
        }
        let written: Vec<_> = graph.named("edge").map(|found| Edge {
            source: found.attribute("source").parse().unwrap(),
            target: found.attribute("target").parse().unwrap(),
            edge_type: data(found, "type").unwrap().parse().unwrap(),
            weight: data(found, "weight").unwrap().parse().unwrap(),
            created_at: data(found, "created_at").unwrap().parse().unwrap(),
        }).collect();
        prop_assert_eq!(written, edges);
    }

    #[test]
    fn dot_gives_back_the_lines_and_characters_that_graphviz_can_show(
        nodes in any_nodes(),
        edges in any_edges(4, 6),
    ) {
        let statements = dot_statements(&write(ExportFormat::Dot, &nodes, &edges));
        prop_assert_eq!(statements.len(), nodes.len() + edges.len());
        for (found, node) in statements.iter().zip(&nodes) {
            let lines = node.label.replace("\r\n", "\n").replace('\r', "\n");
            let shown = |c: char| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c };
            prop_assert_eq!(&found.ends, &[node.id]);
            prop_assert_eq!(found.get("label"), Some(lines.chars().map(shown).collect()));
            prop_assert_eq!(found.get("zone"), node.zone.map(|zone| zone.to_string()));
            prop_assert_eq!(found.get("kind"), node.kind.map(|kind| kind.to_string()));
            prop_assert_eq!(found.get("community"), node.community.map(|community| community.to_string()));
            let rank = found.get("pagerank").map(|rank| rank.parse::<f64>().unwrap());
            prop_assert_eq!(rank, finite(node));
        }
        for (found, edge) in statements[nodes.len()..].iter().zip(&edges) {
            prop_assert_eq!(&found.ends, &[edge.source, edge.target]);
            prop_assert_eq!(found.get("label"), Some(edge.edge_type.to_string()));
            prop_assert_eq!(found.get("strength").unwrap().parse(), Ok(edge.weight));
        }
    }
}

/// A node or an edge of a DOT file, with its attributes as Graphviz would show them.
struct Statement {
    ends: Vec<MemoryId>,
    attributes: Vec<(String, String)>,
}

impl Statement {
    fn get(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }
}

fn dot_statements(text: &str) -> Vec<Statement> {
    let mut rest = text.strip_prefix("digraph memories {\n").unwrap();
    let mut statements = Vec::new();
    while rest != "}\n" {
        let (first, after) = quoted(rest.trim_start());
        let mut statement = Statement { ends: vec![first.parse().unwrap()], attributes: Vec::new() };
        rest = after;
        if let Some(after) = rest.strip_prefix(" -> ") {
            let (second, after) = quoted(after);
            statement.ends.push(second.parse().unwrap());
            rest = after;
        }
        rest = rest.strip_prefix(" [").unwrap();
        loop {
            let (name, after) = rest.split_once('=').unwrap();
            assert!(name.chars().all(|c| c.is_ascii_alphabetic() || c == '_'), "{name:?}");
            let (value, after) = quoted(after);
            statement.attributes.push((name.to_owned(), show(&value)));
            match after.strip_prefix(", ") {
                Some(after) => rest = after,
                None => {
                    rest = after.strip_prefix("];\n").unwrap();
                    break;
                }
            }
        }
        statements.push(statement);
    }
    statements
}

/// A quoted text as the language reads it: only the quote itself is escaped, other backslashes stay.
fn quoted(text: &str) -> (String, &str) {
    let mut chars = text.strip_prefix('"').unwrap().chars();
    let mut read = String::new();
    loop {
        match chars.next().expect("the text is closed") {
            '"' => return (read, chars.as_str()),
            '\\' if chars.as_str().starts_with('"') => {
                chars.next();
                read.push('"');
            }
            '\\' => {
                read.push('\\');
                read.push(chars.next().unwrap());
            }
            c => read.push(c),
        }
    }
}

/// A label as it is drawn: escapes of lines and backslashes, then names of characters.
fn show(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => shown.push('\n'),
                Some('\\') => shown.push('\\'),
                other => panic!("the escape {other:?} means something else in a label"),
            },
            '&' if entity(chars.as_str()).is_some() => {
                assert_eq!(entity(chars.as_str()), Some("amp"));
                chars = chars.as_str()["amp;".len()..].chars();
                shown.push('&');
            }
            '\n' | '\r' | '\0' => panic!("{c:?} stands in a label as it is"),
            c => shown.push(c),
        }
    }
    shown
}

fn entity(text: &str) -> Option<&str> {
    let (name, _) = text.split_once(';')?;
    let digits = name.strip_prefix('#').unwrap_or(name);
    (!digits.is_empty() && digits.chars().all(|c| c.is_ascii_alphanumeric())).then_some(name)
}

fn example() -> (Vec<NodeView<'static>>, Vec<Edge>) {
    let told = NodeView {
        zone: Some(Zone::Core),
        kind: Some(Kind::Decision),
        community: Some(0),
        rank: Some(0.25),
        ..NodeView::new(id(1), "use <SQLite> & \"WAL\"")
    };
    (vec![told, NodeView::new(id(2), "plain")], vec![link(1, 2, EdgeType::DerivedFrom, 0.7)])
}

fn check(format: ExportFormat, lines: &[&str]) {
    let (nodes, edges) = example();
    assert_eq!(write(format, &nodes, &edges).lines().collect::<Vec<_>>(), lines);
}

#[test]
fn dot_is_written_to_the_byte() {
    check(
        ExportFormat::Dot,
        &[
            "digraph memories {",
            r#"  "80808080-8080-8080-8080-808080808080" [label="use <SQLite> & \"WAL\"", zone="core", kind="decision", community="0", pagerank="0.25"];"#,
            r#"  "40404040-4040-4040-4040-404040404040" [label="plain"];"#,
            r#"  "80808080-8080-8080-8080-808080808080" -> "40404040-4040-4040-4040-404040404040" [label="derived_from", strength="0.7", created_at="1970-01-01T00:00:00Z"];"#,
            "}",
        ],
    );
}

#[test]
fn graphml_is_written_to_the_byte() {
    check(
        ExportFormat::GraphMl,
        &[
            r#"<?xml version="1.0" encoding="UTF-8"?>"#,
            r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#,
            r#"  <key id="label" for="node" attr.name="label" attr.type="string"/>"#,
            r#"  <key id="zone" for="node" attr.name="zone" attr.type="string"/>"#,
            r#"  <key id="kind" for="node" attr.name="kind" attr.type="string"/>"#,
            r#"  <key id="community" for="node" attr.name="community" attr.type="long"/>"#,
            r#"  <key id="rank" for="node" attr.name="rank" attr.type="double"/>"#,
            r#"  <key id="type" for="edge" attr.name="type" attr.type="string"/>"#,
            r#"  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>"#,
            r#"  <key id="created_at" for="edge" attr.name="created_at" attr.type="string"/>"#,
            r#"  <graph id="memories" edgedefault="directed">"#,
            r#"    <node id="80808080-8080-8080-8080-808080808080"><data key="label">use &lt;SQLite&gt; &amp; "WAL"</data><data key="zone">core</data><data key="kind">decision</data><data key="community">0</data><data key="rank">0.25</data></node>"#,
            r#"    <node id="40404040-4040-4040-4040-404040404040"><data key="label">plain</data></node>"#,
            r#"    <edge source="80808080-8080-8080-8080-808080808080" target="40404040-4040-4040-4040-404040404040"><data key="type">derived_from</data><data key="weight">0.7</data><data key="created_at">1970-01-01T00:00:00Z</data></edge>"#,
            "  </graph>",
            "</graphml>",
        ],
    );
}

#[test]
fn json_is_written_to_the_byte() {
    check(
        ExportFormat::Json,
        &[
            r#"{"nodes":["#,
            r#"{"id":"80808080-8080-8080-8080-808080808080","label":"use <SQLite> & \"WAL\"","zone":"core","kind":"decision","community":0,"rank":0.25},"#,
            r#"{"id":"40404040-4040-4040-4040-404040404040","label":"plain"}"#,
            r#"],"edges":["#,
            r#"{"source":"80808080-8080-8080-8080-808080808080","target":"40404040-4040-4040-4040-404040404040","type":"derived_from","weight":0.7,"created_at":"1970-01-01T00:00:00Z"}"#,
            "]}",
        ],
    );
}

#[test]
fn an_empty_graph_is_a_whole_document_in_every_format() {
    let json: serde_json::Value = serde_json::from_str(&write(ExportFormat::Json, &[], &[])).unwrap();
    assert_eq!(json, serde_json::json!({ "nodes": [], "edges": [] }));
    assert_eq!(xml::read(&write(ExportFormat::GraphMl, &[], &[])).named("graph").count(), 1);
    assert_eq!(dot_statements(&write(ExportFormat::Dot, &[], &[])).len(), 0);
}

#[test]
fn format_names_round_trip_and_strangers_are_told_the_choices() {
    for format in ExportFormat::ALL {
        assert_eq!(format.to_string().to_uppercase().parse(), Ok(*format));
    }
    let error = "gexf".parse::<ExportFormat>().unwrap_err();
    assert!(error.to_string().contains("graphml"), "{error}");
}

/// A disk with room for so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_and_never_taken_for_success() {
    let (nodes, edges) = example();
    for format in ExportFormat::ALL {
        let whole = write(*format, &nodes, &edges).len();
        for room in 0..whole {
            // The buffer takes everything; the disk is asked only when it is flushed.
            let out = BufWriter::with_capacity(whole, Full(room));
            let outcome = export(*format, out, nodes.iter().cloned(), edges.iter().copied());
            let kind = outcome.err().map(|error| error.kind());
            assert_eq!(kind, Some(ErrorKind::StorageFull), "{format} with room for {room}");
            let outcome = export(*format, Full(room), nodes.iter().cloned(), edges.iter().copied());
            assert!(outcome.is_err(), "{format} with room for {room}");
        }
    }
}

#[test]
fn pieces_written_one_by_one_make_the_same_document() {
    let (nodes, edges) = example();
    for format in ExportFormat::ALL {
        let mut writing = NodeExport::begin(*format, Vec::new()).unwrap();
        nodes.iter().for_each(|node| writing.node(node).unwrap());
        let mut writing = writing.edges().unwrap();
        edges.iter().for_each(|edge| writing.edge(edge).unwrap());
        let bytes = writing.finish().unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), write(*format, &nodes, &edges));
    }
}
