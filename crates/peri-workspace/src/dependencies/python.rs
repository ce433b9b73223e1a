//! Imports in Python.

use std::collections::HashMap;

use super::manifests::Manifest;
use super::{Places, folder_of, join};
use crate::source::Source;

/// `from ..a.b import c, d` or `import a.b`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Import {
    /// How many dots stand in front.
    dots: usize,
    module: String,
    names: Vec<String>,
}

pub(super) fn imports(source: &Source) -> Vec<(usize, Import)> {
    let mut found = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let code = line.code.trim();
        if let Some(rest) = code.strip_prefix("import ") {
            let modules = rest.split(',').filter_map(|part| part.split_whitespace().next());
            found.extend(modules.map(|module| {
                (line.number, Import { dots: 0, module: module.to_owned(), names: Vec::new() })
            }));
        } else if let Some((module, names)) =
            code.strip_prefix("from ").and_then(|rest| rest.split_once(" import"))
        {
            let mut names = names.to_owned();
            // A list in parentheses goes on until they close.
            while names.contains('(') && !names.contains(')') && names.len() < 4096 {
                let Some(more) = lines.next() else { break };
                names.push_str(more.code);
            }
            let names = names.split(['(', ')', ',']).filter_map(|part| part.split_whitespace().next());
            let module = module.trim();
            let dots = module.chars().take_while(|c| *c == '.').count();
            let import =
                Import { dots, module: module[dots..].to_owned(), names: names.map(str::to_owned).collect() };
            found.push((line.number, import));
        }
    }
    found
}

/// The modules of the workspace by their dotted names, as seen from each folder that code may be imported from.
pub(super) struct Modules<'a> {
    places: &'a Places<'a>,
    /// From a module's path without its ending to its file.
    files: HashMap<String, usize>,
    roots: Vec<String>,
}

impl<'a> Modules<'a> {
    pub(super) fn new(places: &'a Places<'a>, manifests: &[Manifest]) -> Self {
        let mut files = HashMap::new();
        for (number, path) in places.names.iter().enumerate() {
            let Some(stem) = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi")) else { continue };
            let module = stem.strip_suffix("/__init__").unwrap_or(stem);
            files.entry(module.to_owned()).or_insert(number);
        }
        let mut roots = vec![String::new(), "src".to_owned()];
        for manifest in manifests
            .iter()
            .filter(|manifest| manifest.path.ends_with(".toml") || manifest.path.ends_with(".txt"))
        {
            let folder = folder_of(&manifest.path);
            roots.extend(
                [Some(folder.to_owned()), join(folder, "src"), join(folder, "python")].into_iter().flatten(),
            );
        }
        roots.sort();
        roots.dedup();
        Self { places, files, roots }
    }

    pub(super) fn resolve(&self, from: usize, import: &Import) -> Vec<usize> {
        let own = folder_of(self.places.names[from]);
        let path = import.module.replace('.', "/");
        let bases: Vec<String> = if import.dots > 0 {
            let up = "../".repeat(import.dots.min(64) - 1);
            join(own, &up).into_iter().collect()
        } else {
            // A script sees what lies beside it before anything else.
            std::iter::once(own.to_owned()).chain(self.roots.iter().cloned()).collect()
        };
        for base in bases {
            let found = self.below(&base, &path, &import.names);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// `from a import b` means the module `a/b` if there is one, else something in `a`.
    fn below(&self, base: &str, path: &str, names: &[String]) -> Vec<usize> {
        let Some(module) = join(base, path) else { return Vec::new() };
        let inner: Vec<Option<usize>> =
            names.iter().map(|name| self.files.get(&join(&module, name)?).copied()).collect();
        let mut found: Vec<usize> = inner.iter().flatten().copied().collect();
        if names.is_empty() || inner.iter().any(Option::is_none) {
            found.extend(self.files.get(&module).copied());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn imports_are_read_over_lines() {
        let text =
            "import a.b, c as d\nfrom . import e\nfrom ..f.g import (\n    h,\n    i as j,\n)\n# import z\n";
        let found = imports(&Source::new(text.to_owned(), Language::Python));
        let flat: Vec<_> = found
            .into_iter()
            .map(|(line, import)| (line, import.dots, import.module, import.names.join(" ")))
            .collect();
        let row = |line, dots, module: &str, names: &str| (line, dots, module.to_owned(), names.to_owned());
        assert_eq!(
            flat,
            [row(1, 0, "a.b", ""), row(1, 0, "c", ""), row(2, 1, "", "e"), row(3, 2, "f.g", "h i")]
        );
    }
}
