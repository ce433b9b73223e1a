//! Imports in TypeScript and JavaScript.

use std::collections::HashMap;

use super::manifests::Manifest;
use super::{Places, folder_of, join};
use crate::source::Source;

/// Endings that an import may leave out, the likeliest first.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".d.ts",
    ".vue",
    ".svelte",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
];

/// What imports name: the texts behind `from`, `import` and `require(`.
pub(super) fn imports(source: &Source) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for line in source.lines().filter(|line| line.text.len() < 10_000) {
        for (at, _) in line.code.match_indices(['"', '\'']) {
            let before = line.code[..at].trim_end();
            let opens = ["from", "import", "import(", "require("].iter().any(|word| before.ends_with(word));
            let quote = line.code.as_bytes()[at];
            let Some(text) = opens.then(|| line.text[at + 1..].split(char::from(quote)).next()).flatten()
            else {
                continue;
            };
            found.push((line.number, text.to_owned()));
        }
    }
    found
}

/// Files by path, and packages of the workspace by name.
pub(super) struct Scripts<'a> {
    places: &'a Places<'a>,
    packages: HashMap<&'a str, &'a Manifest>,
}

impl<'a> Scripts<'a> {
    pub(super) fn new(places: &'a Places<'a>, manifests: &'a [Manifest]) -> Self {
        let packages = manifests.iter().filter(|manifest| manifest.path.ends_with("package.json"));
        let packages = packages.filter_map(|manifest| Some((manifest.name.as_deref()?, manifest))).collect();
        Self { places, packages }
    }

    pub(super) fn resolve(&self, from: usize, wanted: &str) -> Option<usize> {
        let wanted = wanted.split(['?', '#']).next().unwrap_or(wanted);
        let own = folder_of(self.places.names[from]);
        if wanted.starts_with('.') {
            return self.file(&join(own, wanted)?);
        }
        // `@/a` is how many projects write `src/a`.
        if let Some(rest) = wanted.strip_prefix("@/").or_else(|| wanted.strip_prefix("~/")) {
            let above =
                self.places.names[from].match_indices('/').map(|(at, _)| &self.places.names[from][..at]);
            let mut roots: Vec<&str> = std::iter::once("").chain(above).collect();
            roots.reverse();
            return roots.iter().find_map(|root| self.file(&join(root, &format!("src/{rest}"))?));
        }
        let (name, manifest) = self.packages.iter().find(|(name, _)| {
            wanted.strip_prefix(**name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })?;
        let folder = folder_of(&manifest.path);
        let inner = wanted[name.len()..].trim_start_matches('/');
        if !inner.is_empty() {
            return self
                .file(&join(folder, inner)?)
                .or_else(|| self.file(&join(folder, &format!("src/{inner}"))?));
        }
        let main = manifest.main.as_deref().and_then(|main| self.file(&join(folder, main)?));
        main.or_else(|| self.file(folder)).or_else(|| self.file(&join(folder, "src")?))
    }

    fn file(&self, path: &str) -> Option<usize> {
        let find = |path: &str| {
            ENDINGS
                .iter()
                .find_map(|ending| self.places.numbers.get(format!("{path}{ending}").as_str()).copied())
        };
        // What is compiled is imported by the name it will have.
        find(path).or_else(|| {
            find(
                path.strip_suffix(".js")
                    .or_else(|| path.strip_suffix(".mjs"))
                    .or_else(|| path.strip_suffix(".jsx"))?,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_form_of_import_is_found() {
        let text = "import a from './a';\nimport './b.css'\nexport * from \"./c\";\nconst d = require('./d');\n\
            const e = await import('./e');\n// import f from './f'\nconst g = 'from';\nimport {\n  h,\n} from './h';\n";
        let found = imports(&Source::new(text.to_owned(), Language::TypeScript));
        let names: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["./a", "./b.css", "./c", "./d", "./e", "./h"]);
    }
}
