//! Imports in Java and Kotlin, where types have a package.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{EdgeKind, Edges};
use crate::source::{Source, words};

/// `import a.b.C;`, `import static a.b.C.d;` or `import a.b.*;`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import(String);

/// What one file says of itself.
#[derive(Debug, Default)]
pub(super) struct JavaFile {
    package: String,
    /// Names that begin with a capital, which may be types of the same package.
    names: BTreeSet<String>,
}

pub(super) fn scan(source: &Source) -> (JavaFile, Vec<(usize, Import)>) {
    let (mut file, mut imports) = (JavaFile::default(), Vec::new());
    for line in source.lines() {
        let code = line.code.trim().trim_end_matches(';');
        if let Some(package) = code.strip_prefix("package ") {
            file.package = package.trim().to_owned();
        } else if let Some(path) = code.strip_prefix("import ") {
            let path = path.trim_start_matches("static ").split(" as ").next().unwrap_or(path);
            imports.push((line.number, Import(path.trim().replace("._", ".*"))));
        } else {
            file.names
                .extend(words(code).filter(|word| word.starts_with(char::is_uppercase)).map(str::to_owned));
        }
    }
    (file, imports)
}

/// The types of the workspace by package and name.
pub(super) struct Types<'a> {
    files: &'a BTreeMap<usize, JavaFile>,
    packages: HashMap<&'a str, HashMap<&'a str, usize>>,
}

impl<'a> Types<'a> {
    pub(super) fn new(
        files: &'a BTreeMap<usize, JavaFile>,
        declares: &'a HashMap<usize, BTreeSet<&'a str>>,
    ) -> Self {
        let mut packages: HashMap<&str, HashMap<&str, usize>> = HashMap::new();
        for (number, file) in files {
            let types = packages.entry(&file.package).or_default();
            for name in declares.get(number).into_iter().flatten() {
                types.entry(name).or_insert(*number);
            }
        }
        Self { files, packages }
    }

    pub(super) fn resolve(&self, from: usize, import: &Import) -> Vec<usize> {
        if let Some(package) = import.0.strip_suffix(".*") {
            return self.mentioned(from, package);
        }
        // The type may be followed by something inside it.
        let mut path = import.0.as_str();
        while let Some((package, name)) = path.rsplit_once('.') {
            if let Some(file) = self.packages.get(package).and_then(|types| types.get(name)) {
                return vec![*file];
            }
            path = package;
        }
        Vec::new()
    }

    /// Types of the same package need no import.
    pub(super) fn neighbours(&self, edges: &mut Edges) {
        for (number, file) in self.files {
            for target in self.mentioned(*number, &file.package) {
                edges.add(*number, target, 1, EdgeKind::Use);
            }
        }
    }

    fn mentioned(&self, from: usize, package: &str) -> Vec<usize> {
        let (Some(types), Some(file)) = (self.packages.get(package), self.files.get(&from)) else {
            return Vec::new();
        };
        file.names.iter().filter_map(|name| types.get(name.as_str()).copied()).collect()
    }
}
