//! Imports in Go, where a folder is a package.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::manifests::Manifest;
use super::{Places, folder_of};
use crate::source::{Source, is_word};

/// `import name "path"`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    path: String,
    known_as: String,
}

pub(super) fn imports(source: &Source) -> Vec<(usize, Import)> {
    let (mut found, mut in_group) = (Vec::new(), false);
    for line in source.lines() {
        let code = line.code.trim();
        let declares = code.starts_with("import");
        in_group = in_group || (declares && code.contains('('));
        if (in_group || declares)
            && let Some(path) = line.text.split('"').nth(1)
        {
            let before = code
                .strip_prefix("import")
                .unwrap_or(code)
                .trim_start()
                .split('"')
                .next()
                .unwrap_or_default()
                .trim();
            let last = path.rsplit('/').next().unwrap_or(path);
            let known_as = if before.is_empty() { last } else { before };
            found.push((line.number, Import { path: path.to_owned(), known_as: known_as.to_owned() }));
        }
        if code.ends_with(')') {
            in_group = false;
        }
    }
    found
}

/// What is used of packages: `name.Thing`.
pub(super) fn uses(source: &Source) -> BTreeSet<(String, String)> {
    let code = &source.code;
    let dots = code.match_indices('.').filter_map(|(at, _)| {
        let package = code[..at].rsplit(|c| !is_word(c)).next().filter(|name| !name.is_empty())?;
        let thing = code[at + 1..]
            .split(|c| !is_word(c))
            .next()
            .filter(|name| name.starts_with(char::is_uppercase))?;
        Some((package.to_owned(), thing.to_owned()))
    });
    dots.collect()
}

/// The packages of the workspace by their import paths.
pub(super) struct Packages<'a> {
    folders: BTreeMap<String, Vec<usize>>,
    declares: &'a HashMap<usize, BTreeSet<&'a str>>,
}

impl<'a> Packages<'a> {
    pub(super) fn new(
        places: &Places<'_>,
        manifests: &[Manifest],
        declares: &'a HashMap<usize, BTreeSet<&'a str>>,
    ) -> Self {
        let mut folders: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let modules: Vec<_> = manifests
            .iter()
            .filter(|manifest| manifest.path.ends_with("go.mod"))
            .filter_map(|manifest| Some((folder_of(&manifest.path), manifest.name.as_deref()?)))
            .collect();
        for (number, path) in places.names.iter().enumerate() {
            if !path.ends_with(".go") || path.ends_with("_test.go") {
                continue;
            }
            let folder = folder_of(path);
            for (root, module) in &modules {
                let inner = if root.is_empty() { Some(folder) } else { folder.strip_prefix(root) };
                let Some(inner) = inner else { continue };
                let name = format!("{module}/{}", inner.trim_start_matches('/'));
                folders.entry(name.trim_end_matches('/').to_owned()).or_default().push(number);
            }
        }
        Self { folders, declares }
    }

    /// The files of a package that declare what is used of it; all of them if that cannot be told.
    pub(super) fn resolve(&self, import: &Import, uses: Option<&BTreeSet<(String, String)>>) -> Vec<usize> {
        let Some(files) = self.folders.get(&import.path) else { return Vec::new() };
        let used: BTreeSet<&str> = uses
            .into_iter()
            .flatten()
            .filter(|(package, _)| *package == import.known_as)
            .map(|(_, thing)| thing.as_str())
            .collect();
        let declares = |file: &&usize| self.declares.get(file).is_some_and(|names| !names.is_disjoint(&used));
        let exact: Vec<usize> = files.iter().filter(declares).copied().collect();
        if exact.is_empty() { files.clone() } else { exact }
    }
}
