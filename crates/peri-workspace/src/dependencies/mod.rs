//! Who uses whom: imports between files, and what packages ask for.
//!
//! Imports are followed in Rust, Python, TypeScript and JavaScript, Go, Java and Kotlin, C and C++, and Ruby. Lines and
//! names are looked at, no compiler is asked: what a macro or a path setting hides is missed.

mod components;
mod go;
mod include;
mod java;
mod manifests;
mod packages;
mod python;
mod rust;
mod script;
mod shape;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

pub use manifests::{Requirement, RequirementKind};
pub use packages::Package;
pub use shape::{Cycle, FileNode};

use crate::coverage::Coverage;
use crate::language::Language;
use crate::map::Map;
use crate::role::Role;
use crate::source::Source;
use crate::workspace::Workspace;

/// Who uses whom in a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependencies {
    /// What this rests on.
    pub coverage: Coverage,
    /// Every file of code, by path.
    pub files: Vec<FileNode>,
    /// Who imports whom, by paths.
    pub edges: Vec<Edge>,
    /// Groups of files that use each other in a circle, the largest first. Tests do not count.
    pub cycles: Vec<Cycle>,
    /// Files of code that nothing leads to: no module tree, no import, no beginning of a program.
    pub orphans: Vec<String>,
    /// What the manifests describe, by folder.
    pub packages: Vec<Package>,
}

/// One file imports another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Who imports.
    pub from: String,
    /// Who is imported.
    pub to: String,
    /// Where, the first time, from 1.
    pub line: usize,
    /// Whether it is needed to work, or to test.
    pub kind: EdgeKind,
}

/// What an import is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// To work.
    Use,
    /// To test, measure or show.
    Test,
}

/// Imports between files by their numbers; the first line of each is kept, and working counts for more than testing.
#[derive(Default)]
struct Edges {
    found: BTreeMap<(usize, usize), (EdgeKind, usize)>,
}

impl Edges {
    fn add(&mut self, from: usize, to: usize, line: usize, kind: EdgeKind) {
        if from != to {
            let known = self.found.entry((from, to)).or_insert((kind, line));
            *known = (*known).min((kind, line));
        }
    }
}

/// Files by number and numbers by path.
struct Places<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

/// An import as it stands in a file.
struct Reference {
    from: usize,
    line: usize,
    wanted: Wanted,
}

/// What an import asks for.
enum Wanted {
    Python(python::Import),
    Script(String),
    Go(go::Import),
    Java(java::Import),
    /// A path from the file's own folder, or the end of a path.
    Include(String),
}

impl Workspace {
    /// Who uses whom among the files of a map.
    pub fn dependencies(&self, map: &Map, go_on: &dyn Fn() -> bool) -> Dependencies {
        let code: Vec<&str> = map
            .files
            .iter()
            .filter(|file| file.language.is_code() && file.role != Role::Generated)
            .map(|file| file.path.as_str())
            .collect();
        let numbers = code.iter().enumerate().map(|(at, path)| (*path, at)).collect();
        let places = Places { names: code, numbers };
        let mut found = Found::default();
        let wanted = self.files().iter().filter(|file| {
            places.numbers.contains_key(file.path.as_str())
                || manifests::is_manifest(&file.path)
                || file.path.ends_with(".html")
        });
        let coverage = self.each(wanted, go_on, |file, text| {
            let number = places.numbers.get(file.path.as_str()).copied();
            found.look(&file.path, number, text, map.file(&file.path).map(|file| file.language));
        });
        let (edges, rooted) = found.connect(&places, map);
        shape::shape(coverage, &places, map, edges, &rooted, found)
    }
}

/// What was found in the files, before anybody knows where it leads.
#[derive(Default)]
struct Found {
    rust: BTreeMap<usize, rust::RustFile>,
    references: Vec<Reference>,
    go_uses: HashMap<usize, BTreeSet<(String, String)>>,
    java: BTreeMap<usize, java::JavaFile>,
    manifests: Vec<manifests::Manifest>,
    /// Pages and manifests, which may name files of code in texts.
    naming: String,
}

impl Found {
    fn look(&mut self, path: &str, number: Option<usize>, text: String, language: Option<Language>) {
        if manifests::is_manifest(path) {
            self.manifests.extend(manifests::read(path, &text));
        }
        if path.ends_with(".html") || path.ends_with("package.json") {
            self.naming.push_str(&text);
        }
        let (Some(from), Some(language)) = (number, language) else { return };
        let source = Source::new(text, language);
        let mut add = |line, wanted| self.references.push(Reference { from, line, wanted });
        match language {
            Language::Rust => drop(self.rust.insert(from, rust::scan(&source))),
            Language::Python => python::imports(&source)
                .into_iter()
                .for_each(|(line, import)| add(line, Wanted::Python(import))),
            Language::TypeScript | Language::JavaScript => {
                script::imports(&source).into_iter().for_each(|(line, path)| add(line, Wanted::Script(path)));
            }
            Language::Go => {
                go::imports(&source).into_iter().for_each(|(line, import)| add(line, Wanted::Go(import)));
                self.go_uses.insert(from, go::uses(&source));
            }
            Language::Java | Language::Kotlin | Language::Scala => {
                let (file, imports) = java::scan(&source);
                imports.into_iter().for_each(|(line, import)| add(line, Wanted::Java(import)));
                self.java.insert(from, file);
            }
            Language::C | Language::Cpp => include::includes(&source)
                .into_iter()
                .for_each(|(line, path)| add(line, Wanted::Include(path))),
            Language::Ruby => include::required(&source)
                .into_iter()
                .for_each(|(line, path)| add(line, Wanted::Include(path))),
            _ => {}
        }
    }

    /// The edges, and the Rust files that belong to some crate.
    fn connect(&self, places: &Places<'_>, map: &Map) -> (Edges, BTreeSet<usize>) {
        let mut edges = Edges::default();
        let declares = declared(places, map);
        let cargo: Vec<_> = self.manifests.iter().filter_map(|manifest| manifest.cargo.clone()).collect();
        let rooted = rust::connect(&self.rust, places, &declares, &cargo, &mut edges);
        let pythons = python::Modules::new(places, &self.manifests);
        let scripts = script::Scripts::new(places, &self.manifests);
        let gos = go::Packages::new(places, &self.manifests, &declares);
        let javas = java::Types::new(&self.java, &declares);
        let includes = include::Headers::new(places);
        for reference in &self.references {
            let from = reference.from;
            let targets = match &reference.wanted {
                Wanted::Python(import) => pythons.resolve(from, import),
                Wanted::Script(path) => scripts.resolve(from, path).into_iter().collect(),
                Wanted::Go(import) => gos.resolve(import, self.go_uses.get(&from)),
                Wanted::Java(import) => javas.resolve(from, import),
                Wanted::Include(path) => includes.resolve(from, path).into_iter().collect(),
            };
            targets.into_iter().for_each(|to| edges.add(from, to, reference.line, EdgeKind::Use));
        }
        javas.neighbours(&mut edges);
        // What a test, an example or a benchmark imports is imported in order to test.
        for ((from, _), (kind, _)) in &mut edges.found {
            let role = map.file(places.names[*from]).map(|file| file.role);
            if matches!(role, Some(Role::Test | Role::Example)) {
                *kind = EdgeKind::Test;
            }
        }
        (edges, rooted)
    }
}

/// What each file declares at its top.
fn declared<'a>(places: &Places<'_>, map: &'a Map) -> HashMap<usize, BTreeSet<&'a str>> {
    let files = map.files.iter().filter_map(|file| Some((*places.numbers.get(file.path.as_str())?, file)));
    files
        .map(|(number, file)| {
            let symbols = file.symbols.iter().filter(|symbol| symbol.owner.is_none());
            (number, symbols.map(|symbol| symbol.name.as_str()).collect())
        })
        .collect()
}

/// A path without `.` and `..`; none if it leaves the workspace.
fn normalized(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The folder of a path, without a slash at its end; empty at the top.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path inside a folder; none if it leaves the workspace.
fn join(folder: &str, path: &str) -> Option<String> {
    normalized(&format!("{folder}/{path}"))
}
