//! The shape of the graph: who is used most, who stands in a circle, who lies below whom, who is left over.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Dependencies, Edge, EdgeKind, Edges, Found, Places, components, packages};
use crate::coverage::Coverage;
use crate::language::Language;
use crate::map::{FileMap, Map};
use crate::role::Role;

/// A file of code among the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileNode {
    /// Its path.
    pub path: String,
    /// How many files use it to work.
    pub fan_in: usize,
    /// How many files it uses to work.
    pub fan_out: usize,
    /// How many tests, examples and measurements use it.
    pub tests_in: usize,
    /// How many steps of use lie below it; 0 uses no other file. All of a circle are on the same layer.
    pub layer: usize,
}

/// Files that use each other in a circle: none of them can be understood, or moved, without the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycle {
    /// All of them, by path.
    pub files: Vec<String>,
    /// One of the shortest circles among them, each file using the next and the last the first: where to begin.
    pub shortest: Vec<String>,
}

impl Dependencies {
    /// The file at a path.
    pub fn file(&self, path: &str) -> Option<&FileNode> {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok().map(|at| &self.files[at])
    }

    /// The files that most others use to work, at most `limit`.
    pub fn most_used(&self, limit: usize) -> Vec<&FileNode> {
        let mut files: Vec<&FileNode> = self.files.iter().filter(|file| file.fan_in > 0).collect();
        files.sort_by_key(|file| Reverse(file.fan_in));
        files.truncate(limit);
        files
    }
}

pub(super) fn shape(
    coverage: Coverage,
    places: &Places<'_>,
    map: &Map,
    edges: Edges,
    rooted: &BTreeSet<usize>,
    found: Found,
) -> Dependencies {
    let uses = targets(places.names.len(), &edges);
    let groups = components::components(&uses);
    let layers = components::layers(&uses, &groups);
    let mut files: Vec<FileNode> = places
        .names
        .iter()
        .zip(layers)
        .map(|(path, layer)| FileNode { path: (*path).to_owned(), fan_in: 0, fan_out: 0, tests_in: 0, layer })
        .collect();
    for ((from, to), (kind, _)) in &edges.found {
        match kind {
            EdgeKind::Use => {
                files[*from].fan_out += 1;
                files[*to].fan_in += 1;
            }
            EdgeKind::Test => files[*to].tests_in += 1,
        }
    }
    let orphans = orphans(&files, places, map, rooted, &found);
    Dependencies {
        coverage,
        edges: named(places, &edges),
        cycles: cycles(places, &uses, groups),
        orphans,
        packages: packages::packages(found.manifests),
        files,
    }
}

fn targets(count: usize, edges: &Edges) -> Vec<Vec<usize>> {
    let mut uses = vec![Vec::new(); count];
    for ((from, to), _) in edges.found.iter().filter(|(_, (kind, _))| *kind == EdgeKind::Use) {
        uses[*from].push(*to);
    }
    uses
}

fn named(places: &Places<'_>, edges: &Edges) -> Vec<Edge> {
    let named = edges.found.iter().map(|((from, to), (kind, line))| Edge {
        from: places.names[*from].to_owned(),
        to: places.names[*to].to_owned(),
        line: *line,
        kind: *kind,
    });
    named.collect()
}

fn cycles(places: &Places<'_>, uses: &[Vec<usize>], groups: Vec<Vec<usize>>) -> Vec<Cycle> {
    let named = |nodes: &[usize]| nodes.iter().map(|node| places.names[*node].to_owned()).collect::<Vec<_>>();
    let circles = groups.into_iter().filter(|group| group.len() > 1);
    let mut cycles: Vec<Cycle> = circles
        .map(|group| Cycle {
            shortest: named(&components::shortest_circle(uses, &group)),
            files: named(&group),
        })
        .collect();
    cycles.sort_by(|a, b| (Reverse(a.files.len()), &a.files).cmp(&(Reverse(b.files.len()), &b.files)));
    cycles
}

fn orphans(
    files: &[FileNode],
    places: &Places<'_>,
    map: &Map,
    rooted: &BTreeSet<usize>,
    found: &Found,
) -> Vec<String> {
    let starts: BTreeSet<&str> = map.entry_points.iter().map(|entry| entry.path.as_str()).collect();
    let is_orphan = |(number, node): &(usize, &FileNode)| {
        let Some(file) = map.file(places.names[*number]) else { return false };
        let unused = match file.language {
            // A file that no module tree reaches is not even compiled. Without a manifest nobody can tell.
            Language::Rust => !rooted.is_empty() && !rooted.contains(number),
            Language::Python | Language::JavaScript | Language::TypeScript => {
                node.fan_in == 0 && node.tests_in == 0 && !is_found_otherwise(file, &found.naming)
            }
            _ => false,
        };
        unused && file.role == Role::Source && file.lines.code > 0 && !starts.contains(node.path.as_str())
    };
    files.iter().enumerate().filter(is_orphan).map(|(_, node)| node.path.clone()).collect()
}

/// Files that a tool, a page or a manifest finds by their names.
fn is_found_otherwise(file: &FileMap, naming: &str) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let stem = name.split('.').next().unwrap_or(name);
    matches!(stem, "__init__" | "index" | "main" | "setup" | "conftest" | "app" | "manage" | "wsgi")
        || name.contains(".config.")
        || name.ends_with(".d.ts")
        || naming.contains(name)
}
